# Methods of a simulation: print, table, summary.

#' @rdname simulate_releases
#' @export
tidy.dp_simulation <- function(x, ...) {
  check_dots(character(), "tidy()")
  cells <- x$cells[x$results$cell, , drop = FALSE]
  out <- cbind(cells, x$results[setdiff(names(x$results), "cell")])
  row.names(out) <- NULL
  out
}

#' @rdname simulate_releases
#' @param row.names,optional As in [as.data.frame()].
#' @export
as.data.frame.dp_simulation <- function(x, row.names = NULL, # nolint: object_name_linter.
                                        optional = FALSE, ...) {
  out <- tidy(x)
  if (!is.null(row.names)) row.names(out) <- row.names
  out
}

#' @rdname simulate_releases
#' @export
glance.dp_simulation <- function(x, ...) {
  check_dots(character(), "glance()")
  data.frame(cells = nrow(x$cells), replicates = sum(x$replicates), estimates = length(x$estimates),
             measures = length(x$measures), failed = failed_runs(x), withheld = withheld_runs(x),
             seed = x$seed, rng = "R", version = as.character(x$version))
}

failed_runs <- function(x) count_runs(x$failures)

withheld_runs <- function(x) count_runs(x$results[x$results$status == "withheld", ])

count_runs <- function(rows) sum(!duplicated(rows[c("cell", "replicate", "estimate")]))

#' @rdname simulate_releases
#' @export
summary.dp_simulation <- function(object, ...) {
  check_dots(character(), "summary()")
  r <- object$results
  rank <- list(r$cell, match(r$estimate, object$estimates), match(r$measure, object$measures))
  own <- do.call(paste, rank)
  term <- paste(own, r$term)
  # a failed run has one record, which has no term: it counts for every term of the others
  bad <- is_failed(r$status)
  failed <- table(own[bad])
  kept <- which(!bad | !own %in% own[!bad])
  kept <- kept[order(rank[[1]][kept], rank[[2]][kept], rank[[3]][kept], method = "radix")]
  group <- factor(term[kept], unique(term[kept]))
  first <- match(levels(group), term)
  count <- function(these) as.vector(tapply(these[kept], group, sum))
  numbers <- Map(monte_carlo, split(r$value[kept], group), r$measure[first] %in% object$flags)
  out <- cbind(
    object$cells[r$cell[first], , drop = FALSE], r[first, c("estimate", "measure", "term")],
    replicates = object$replicates[r$cell[first]], failed = zero_for_none(failed[own[first]]),
    withheld = count(is_withheld(r$status)), missing = count(r$status == "ok" & is.na(r$value)),
    as.data.frame(do.call(rbind, numbers))
  )
  row.names(out) <- NULL
  out
}

zero_for_none <- function(count) ifelse(is.na(count), 0L, as.vector(count))

is_failed <- function(status) !status %in% c("ok", "withheld")

is_withheld <- function(status) status == "withheld"

# Means with their standard errors over replicates. That of the root mean square by the delta method; that of
# the median by the order statistics that hold it with 95%.
monte_carlo <- function(v, flag) {
  v <- v[!is.na(v)]
  n <- length(v)
  of <- function(value) if (n > 0) value else NA_real_
  spread <- function(w) if (n > 1) stats::sd(w) / sqrt(n) else NA_real_
  peak <- of(max(abs(v), 0)) # so that no square overflows
  rms <- if (isTRUE(peak > 0)) peak * sqrt(mean((v / peak)^2)) else peak
  c(
    mean = of(mean(v)), mean_se = spread(v), rmse = rms,
    rmse_se = if (isTRUE(rms > 0)) rms * spread((v / rms)^2) / 2 else spread(v),
    median = of(stats::median(v)), median_se = median_error(sort(v)),
    coverage = if (flag) of(mean(v)) else NA_real_,
    wilson_limits(v, flag && n > 0)
  )
}

# Wilson's limits of a share at level 0.95: those of 0 of n or n of n flags have a width, too.
wilson_limits <- function(v, known) {
  if (!known) return(c(coverage_low = NA_real_, coverage_high = NA_real_))
  n <- length(v)
  share <- mean(v)
  z <- stats::qnorm(0.975)
  half <- z * sqrt(share * (1 - share) / n + z^2 / (4 * n^2))
  limits <- (share + z^2 / (2 * n) + c(-half, half)) / (1 + z^2 / n)
  c(coverage_low = max(limits[[1]], 0), coverage_high = min(limits[[2]], 1))
}

median_error <- function(sorted) {
  n <- length(sorted)
  low <- stats::qbinom(0.025, n, 0.5)
  if (n < 6 || low < 1) return(NA_real_)
  (sorted[[n + 1 - low]] - sorted[[low]]) / (2 * stats::qnorm(0.975))
}

#' @rdname simulate_releases
#' @export
format.dp_simulation <- function(x, digits = 3L, ...) {
  with_point({
    counted <- function(k, noun) sprintf("%s %s%s", grouped(k), noun, plural(k))
    table <- summary(x)
    shown <- utils::head(table, 20)
    share <- c("coverage", "coverage_low", "coverage_high")
    numbers <- if (length(x$flags) == length(x$measures)) share
               else c("mean", "mean_se", "rmse", "rmse_se",
                      if (length(x$flags) > 0) share)
    # of a width the mean says all; a column that is empty is left out
    if (all(x$measures %in% c(x$flags, "width"))) numbers <- setdiff(numbers, c("rmse", "rmse_se"))
    several <- c(estimate = length(x$estimates) > 1, measure = length(x$measures) > 1,
                 term = any(nzchar(table$term)), failed = any(table$failed > 0),
                 withheld = any(table$withheld > 0))
    shown[shown$measure %in% x$flags, intersect(numbers, c("mean", "mean_se", "rmse", "rmse_se"))] <- NA
    shown[shown$measure == "width", intersect(numbers, c("rmse", "rmse_se"))] <- NA
    shown[numbers] <- lapply(shown[numbers], function(v) {
      ifelse(is.na(v), "", format(signif(v, digits), digits = digits))
    })
    shown <- shown[c(names(x$cells), names(several)[several], numbers)]
    lines <- utils::capture.output(print(shown, row.names = FALSE))
    failed <- failed_runs(x)
    c(
      sprintf("<dp_simulation> %s, %s, %s", counted(nrow(x$cells), "cell"),
              counted(sum(x$replicates), "replicate"), counted(length(x$estimates), "estimate")),
      wrap_text(paste("SIMULATION: rows are made up and noise is of R's random stream.",
                      "Nothing of it is for release.")),
      "", lines,
      if (nrow(shown) < nrow(table)) {
        sprintf("(%d of %s rows; summary() has all)", nrow(shown), grouped(nrow(table)))
      },
      if (failed > 0) c("", wrap_text(failure_text(x, failed)))
    )
  })
}

failure_text <- function(x, failed) {
  classes <- sort(table(x$failures$class), decreasing = TRUE)
  sprintf("%s run%s failed (%s); $failures has the messages. The first: \"%s\"", grouped(failed),
          plural(failed), toString(utils::head(names(classes), 3)), short_text(x$failures$message[[1]], 300L))
}

#' @rdname simulate_releases
#' @export
print.dp_simulation <- function(x, ...) {
  writeLines(format(x, ...))
  invisible(x)
}

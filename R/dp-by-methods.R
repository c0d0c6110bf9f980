# Releases by group as tables, and in full; what each group's release is to be asked for.

#' @rdname dp_by
#' @export
tidy.dp_by <- function(x, ...) {
  check_dots(c("conf.int", "conf.level"), "tidy()")
  parts <- Map(function(group, release) {
    k <- length(release$estimate)
    frame <- data.frame(group = rep_len(group, k), term = release_terms(release),
                        estimate = unname(release$estimate), released = rep_len(release$released, k))
    if (!is.null(release$p.value)) frame$p.value <- release$p.value
    with_limits(frame, release, ...)
  }, names(x$releases), x$releases)
  do.call(rbind, unname(parts))
}

# With limits, if there are any.
by_table <- function(x) tidy.dp_by(x, conf.int = !is.null(x$releases[[1]]$interval))

#' @rdname dp_by
#' @export
coef.dp_by <- function(object, ...) by_matrix(object, tidy.dp_by(object), "estimate")

# A row for each group, and a column for each term that some group has, matched by name: NA where a group has
# no such term. Terms of one name are matched in their order.
by_matrix <- function(x, table, column) {
  groups <- names(x$releases)
  place <- match(table$group, groups)
  again <- stats::ave(seq_along(place), place, match(table$term, table$term), FUN = seq_along)
  key <- paste(again, table$term)
  out <- matrix(NA_real_, length(groups), length(unique(key)),
                dimnames = list(groups, table$term[!duplicated(key)]))
  out[cbind(place, match(key, unique(key)))] <- table[[column]]
  out
}

# What pictures show: of tests the p-values, as the scores of groups of unlike sizes cannot be compared.
by_shown <- function(table) if (is.null(table$p.value)) "estimate" else "p.value"

#' @rdname dp_by
#' @param parm,level As in [confint()] of a release: see [dp_release]. Rows are named `group: term`.
#' @importFrom stats confint
#' @export
confint.dp_by <- function(object, parm, level = object$releases[[1]]$details$level, ...) {
  check_dots(character(), "confint()")
  limits <- lapply(object$releases, confint, parm, level)
  names <- lapply(names(limits), function(group) paste(group, rownames(limits[[group]]), sep = ": "))
  limits <- do.call(rbind, limits)
  rownames(limits) <- unlist(names)
  limits
}

#' @rdname dp_by
#' @order 2
#' @export
as.data.frame.dp_by <- function(x, row.names = NULL, # nolint: object_name_linter.
                                optional = FALSE, ...) {
  out <- cbind(by_table(x), glance(x)[-1], row.names = NULL)
  if (!is.null(row.names)) row.names(out) <- row.names
  out
}

#' @rdname dp_by
#' @order 2
#' @export
summary.dp_by <- function(object, ...) {
  check_dots(character(), "summary()")
  structure(list(release = object, estimates = by_table(object), whole = glance(object)),
            class = "summary.dp_by")
}

#' @export
print.summary.dp_by <- function(x, ...) {
  writeLines(format(x, ...))
  invisible(x)
}

#' @export
format.summary.dp_by <- function(x, digits = 7L, ...) {
  by_lines(x$release, digits, Inf, by_properties(x$release))
}

# -- predictions -------------------------------------------------------------------------------------

#' @rdname dp_by
#' @param newdata A data frame with the columns of the groups, and of regressions the regressors, or, where
#'   groups had no names of columns, a vector of groups. It is not a part of the release.
#' @export
predict.dp_by <- function(object, newdata, ...) {
  if (missing(newdata) || is.null(newdata)) {
    stop_input("newdata", "given: a release holds no data to predict for", "missing")
  }
  first <- object$releases[[1]]
  whole <- c("dp_histogram", "dp_ecdf", "dp_test", "dp_region", "dp_depths", "dp_correlation")
  if (inherits(first, whole)) {
    refuse_method("predict()", "these releases are no values of a group's rows", "coef() has their numbers.")
  }
  if (inherits(first, "dp_regression") && is.null(object$by)) {
    refuse_method("predict()", "the groups of these regressions have no name that newdata could use",
                  "Give dp_by() the groups as a formula, such as by = ~ward.")
  }
  place <- new_groups(object, newdata)
  if (inherits(first, "dp_regression")) return(predict_lines(object, newdata, place, ...))
  check_dots(character(), "predict()")
  values <- coef(object)[place, , drop = FALSE]
  rownames(values) <- if (is.data.frame(newdata)) rownames(newdata)
  if (ncol(values) == 1) values[, 1] else values
}

# Each row by its group's line: of rows of no group, NA.
predict_lines <- function(object, newdata, place, ...) {
  if (all(is.na(place))) return(stats::setNames(rep_len(NA_real_, length(place)), rownames(newdata)))
  out <- NULL
  for (g in unique(place[!is.na(place)])) {
    rows <- which(place == g)
    fit <- as.matrix(predict(object$releases[[g]], newdata[rows, , drop = FALSE], ...))
    if (is.null(out)) out <- matrix(NA_real_, length(place), ncol(fit), dimnames = list(NULL, colnames(fit)))
    out[rows, ] <- fit
  }
  rownames(out) <- rownames(newdata)
  if (ncol(out) == 1) out[, 1] else out
}

# The number of the group of each row, NA for none.
new_groups <- function(object, newdata) {
  by <- names(object$by)
  if (!is.null(by) && (!is.data.frame(newdata) || !all(by %in% names(newdata)))) {
    stop_input("newdata", paste("a data frame with", quote_names(by)), describe_data(newdata))
  }
  keys <- if (is.null(by)) list(newdata) else unclass(as.data.frame(newdata))[by]
  for (key in keys) check_key(key, NROW(newdata), "newdata")
  levels <- if (is.null(by)) list(names(object$releases)) else object$by
  places <- Map(function(key, levels) match(key_text(key), levels), keys, levels)
  crossed_places(places, lengths(levels))
}

# (the generic is that of the package generics, and of broom)
#' @rdname dp_by
#' @importFrom generics augment
#' @export
augment.dp_by <- function(x, newdata, ...) {
  fit <- predict.dp_by(x, newdata, ...)
  if (!is.data.frame(newdata)) newdata <- data.frame(group = newdata)
  frame <- as.data.frame(newdata)
  if (is.matrix(fit)) frame[paste0(".fitted.", colnames(fit))] <- as.data.frame(fit)
  else frame$.fitted <- unname(fit)
  frame
}

# What is asked of one release at a time.
refuse_of_groups <- function(asked) {
  refuse_method(sprintf("%s()", asked), "there is one release for each group",
                sprintf("Ask each of them, as in lapply(x$releases, %s).", asked))
}

#' @export
nobs.dp_by <- function(object, ...) refuse_of_groups("nobs")

#' @export
vcov.dp_by <- function(object, ...) refuse_of_groups("vcov")

#' @export
sigma.dp_by <- function(object, ...) refuse_of_groups("sigma")

#' @export
residuals.dp_by <- function(object, ...) refuse_of_groups("residuals")

#' @export
fitted.dp_by <- function(object, ...) refuse_of_groups("fitted")

#' @export
logLik.dp_by <- function(object, ...) refuse_of_groups("logLik") # nolint: object_name_linter.

#' @export
deviance.dp_by <- function(object, ...) refuse_of_groups("deviance")

#' @export
formula.dp_by <- function(x, ...) refuse_of_groups("formula")

#' @export
terms.dp_by <- function(x, ...) refuse_of_groups("terms")

#' @rdname dp_by
#' @export
glance.dp_by <- function(x, ...) {
  check_dots(character(), "glance()")
  first <- x$releases[[1]]
  data.frame(releases = length(x$releases), mechanism = first$mechanism, guarantee = x$guarantee,
             epsilon = x$epsilon, delta = x$delta, neighbours = x$neighbours, groups = x$groups, rng = x$rng)
}

#' @rdname dp_by
#' @export
format.dp_by <- function(x, digits = 7L, rows = 20L, ...) {
  shown <- c("guarantee", "groups", "each", "small", "interval", "na", "lattice")
  properties <- by_properties(x)
  by_lines(x, digits, rows, properties[names(properties) %in% shown])
}

by_lines <- function(x, digits, rows, properties) {
  table <- by_table(x)
  several <- length(unique(table$term)) > 1
  shown <- utils::head(table, rows)
  columns <- c(if (several) "term", "estimate",
               intersect(c("p.value", "conf.low", "conf.high"), names(shown)))
  if (!is.null(shown$p.value)) shown$p.value <- p_value_text(shown$p.value)
  cells <- as.matrix(format(shown[columns], digits = digits))
  rownames(cells) <- short_names(shown$group)
  lines <- utils::capture.output(print(cells, quote = FALSE, right = TRUE))
  with_point(c(
    sprintf("<dp_by> %s, %s", by_title(x), guarantee_name(of_all(x))), by_cautions(x),
    "", paste0("  ", lines),
    if (nrow(shown) < nrow(table)) sprintf("  (%d of %d rows; tidy() has all)", nrow(shown), nrow(table)), "",
    property_lines(properties)
  ))
}

# What summary() shows below the estimates.
by_properties <- function(x) {
  first <- x$releases[[1]]
  whole <- of_all(x)
  c(guarantee = guarantee_sentence(whole),
    neighbours = neighbours_text(whole, if (x$neighbours == "add_remove") "n" else if (x$persons)
                                   "the number of all persons" else "the number of all rows"),
    groups = paste0(if (x$groups == "private") "private: who is in which, and how many are in each"
                    else "public: everyone's group is known, only other values are protected",
                    if (length(x$by) > 1) sprintf("; named %s", paste(names(x$by), collapse = ":"))),
    each = sprintf("epsilon = %s%s", format(first$epsilon),
                   if (x$groups == "private" && x$neighbours == "substitution")
                     ": a row that moves is one less here and one more there" else ""),
    small = small_groups(x),
    interval = if (!is.null(first$interval)) {
      sprintf("each group's by itself, at level %s", format(first$details$level, digits = 10))
    },
    na = first$details$na,
    mechanism = first$mechanism,
    lattice = first$details$lattice,
    noise = noise_text(x),
    call = if (!is.null(x$call)) call_text(x$call))
}

# Of private groups, whose sizes are not shown: with how few rows a group's draw may be noise, by its plan.
small_groups <- function(x) {
  first <- x$releases[[1]]
  prior <- first$details$prior
  planner <- if (inherits(first, "dp_quantile")) "quantile"
             else if (identical(first$details$what, "median")) "median"
  if (x$groups == "public" || is.null(planner) || !inherits(prior, "dp_prior_uniform")) return(NULL)
  spread <- unname(prior$upper - prior$lower) * resolved_share_warned
  given <- list(lower = unname(prior$lower), upper = unname(prior$upper), spread = spread)
  given <- c(given, if (planner == "median") list(d = length(spread)) else list(probs = first$details$probs))
  serves <- function(n) {
    rows <- tryCatch(group_rows(planner, n, x$epsilon, 0, first$epsilon, "private", given),
                     dpdepth_error_input = function(e) NULL)
    !is.null(rows) && rows$failure[[1]] <= resolved_failure
  }
  least <- search_count(serves, 1, 1e6)
  if (!is.na(least)) sprintf("a group of fewer than about %s rows, or of none, may be noise (see plan_by())",
                             grouped(least))
}

#' @rdname dp_by
#' @export
print.dp_by <- function(x, ...) {
  writeLines(format(x, ...))
  invisible(x)
}

#' @rdname dp_by
#' @method autoplot dp_by
#' @rawNamespace S3method(ggplot2::autoplot,dp_by)
autoplot.dp_by <- function(object, ...) {
  check_dots(character(), "autoplot()")
  picture_ggplot(picture(object))
}

#' @rdname dp_by
#' @export
plot.dp_by <- function(x, main = NULL, ...) plot_picture(x, picture(x), main, ...)

# A panel for each term, in which each group has a row. Quantiles, and levels of a factor, share one scale.
# Quantiles without intervals stand in one panel, as a box plot has them.
picture.dp_by <- function(x, ...) { # nolint: object_name_linter.
  table <- by_table(x)
  if (inherits(x$releases[[1]], "dp_quantile") && is.null(table$conf.low) && length(unique(table$term)) > 1) {
    return(picture_boxes(x))
  }
  groups <- names(x$releases)
  panels <- by_panels(table)
  alone <- length(panels) == 1
  p <- !is.null(table$p.value)
  layers <- lapply(panels, function(term) {
    here <- table[table$term == term, ]
    place <- length(groups) + 1 - match(here$group, groups)
    panel <- if (!alone) term
    list(if (!is.null(here$conf.low)) {
           interval_layer(here$conf.low, place, xend = here$conf.high, yend = place, panel = panel)
         }, layer("points", if (p) here$p.value else here$estimate, place, panel = panel))
  })
  shared <- inherits(x$releases[[1]], c("dp_quantile", "dp_histogram", "dp_ecdf"))
  new_picture(list(rule(y = seq_along(groups), colour = "grey90"), layers),
              picture_axis(if (p) "p-value" else if (alone) panels else "", free = !shared),
              row_axis(short_names(groups)), by_title(x, attr(panels, "left")),
              with_point(guarantee_name(of_all(x))), panels = if (!alone) as.vector(panels), below = !p)
}

picture_boxes <- function(x) {
  groups <- names(x$releases)
  probs <- as.numeric(sub("%", "", names(x$releases[[1]]$estimate), fixed = TRUE))
  at <- t(coef(x))[order(probs), , drop = FALSE]
  place <- rev(seq_along(groups))
  new_picture(list(rule(y = seq_along(groups), colour = "grey90"), quantile_layers(at, place)),
              picture_axis(paste("quantiles:", paste(rownames(at), collapse = ", "))),
              row_axis(short_names(groups)), by_title(x), with_point(guarantee_name(of_all(x))), below = TRUE)
}

# The terms that have a panel.
by_panels <- function(table, most = 12L) {
  terms <- unique(table$term)
  structure(utils::head(terms, most), left = max(0L, length(terms) - most))
}

# What was said of accuracy, once where it is said of all groups; of public ones, which differ in size, of
# each of the first few.
by_cautions <- function(x, most = 3L) {
  said <- unlist(lapply(x$releases, function(release) release$details$caution))
  if (length(said) == length(x$releases) && length(unique(said)) == 1) return(wrap_text(said[[1]]))
  more <- length(said) - most
  c(wrap_text(sprintf("%s: %s", short_names(names(utils::head(said, most))), utils::head(said, most))),
    if (more > 0) sprintf("%d more group%s so: see their releases.", more, if (more == 1) " is" else "s are"))
}

by_title <- function(x, left = 0) {
  more <- if (left > 0) sprintf(" (%s more terms: see tidy())", grouped(left)) else ""
  by <- if (!is.null(x$by)) sprintf(" by %s", short_text(paste(names(x$by), collapse = " and ")))
  sprintf("Private %s%s of %d group%s%s%s", x$releases[[1]]$details$what, paste(by, collapse = ""),
          length(x$releases), plural(length(x$releases)), more,
          if (x$rng == "R") " (simulation, not for release)" else "")
}

# What guarantee_name() and guarantee_sentence() ask of a release.
of_all <- function(x) {
  list(epsilon = x$epsilon, delta = x$delta, guarantee = x$guarantee, gamma = NULL, exact = TRUE,
       neighbours = x$neighbours, details = if (x$persons) list(id = persons_text))
}

# Intervals of a release: contents, access, and refusals where there is none.

# The limits of a release, a row for each number and columns "conf.low" and "conf.high", or NULL. A mechanism
# calls them "lower" and "upper"; they may be infinite. `details` of a release with an interval have `level`;
# optionally `shares` (of the budget, by name), `simultaneous` (TRUE: one level for all rows together),
# `covers` (what lies between the limits) and `assumes` (of the rows).
release_interval <- function(interval, estimate, details) {
  if (is.null(interval)) return(NULL)
  ok <- is.double(interval) && is.matrix(interval) && nrow(interval) == length(estimate) &&
    identical(colnames(interval), c("lower", "upper")) && is_scalar_number(details$level)
  if (!ok || anyNA(interval) || any(interval[, 1] > interval[, 2])) {
    stop_dpdepth("internal", "A release was given limits that are none. Please report this.")
  }
  matrix(as.vector(interval), nrow(interval), 2,
         dimnames = list(release_terms(list(estimate = estimate)), c("conf.low", "conf.high")))
}

# The names of released numbers, places where there are none.
release_terms <- function(x) {
  terms <- names(x$estimate)
  if (is.null(terms)) terms <- rep_len("", length(x$estimate))
  unnamed <- is.na(terms) | !nzchar(terms)
  terms[unnamed] <- if (length(terms) == 1) "estimate" else sprintf("[%d]", which(unnamed))
  terms
}

# The details that interval_sentence() states.
interval_details <- c("level", "simultaneous", "together", "covers", "assumes")

# What is covered, how surely, and under which assumption.
interval_sentence <- function(x) {
  if (is.null(x$interval)) return(NULL)
  details <- x$details
  covers <- details$covers
  if (is.null(covers)) covers <- sprintf("the population's %s", details$what)
  if (!is.null(details$na)) {
    covers <- paste0(sub(",$", "", covers), ", of values among which `na` stands for missing ones,")
  }
  assumes <- details$assumes
  if (is.null(assumes)) assumes <- "the rows are independent draws of one distribution, whatever it is"
  each <- if (nrow(x$interval) == 1) "the interval covers"
          else if (isTRUE(details$simultaneous)) "all intervals together cover"
          else if (!is.null(details$together)) paste("those of each", details$together, "together cover")
          else "each interval by itself covers"
  ends <- if (any(is.infinite(x$interval))) ". An infinite end says that a public bound was met"
  paste0(sprintf("%s %s with probability %s or more, sampling and noise counted, if %s", each, covers,
                 format(details$level), assumes), ends)
}

# The limits of predictions at the points `at`, of a regression.
point_limits_text <- function(region) {
  region <- region[region[, "intercept"] == 1, , drop = FALSE]
  ends <- apply(region[, c("lower", "upper"), drop = FALSE], 1, function(v) {
    paste(vapply(v, format, "", digits = 7), collapse = " to ")
  })
  paste(rownames(region), ends, sep = ": ", collapse = "; ")
}

# The released numbers as they are printed, beside their limits.
estimate_table <- function(x) {
  if (is.null(x$interval)) return(coef(x))
  cbind(estimate = unname(x$estimate), x$interval)
}

# Adds the limits to a tidy data frame, if they are asked for. `conf.level`: NULL, or that of the release.
with_limits <- function(frame, x, conf.int = FALSE, conf.level = NULL, ...) { # nolint: object_name_linter.
  if (identical(conf.int, FALSE)) return(frame)
  check_flag(conf.int, "conf.int")
  if (has_noise_limits(x)) {
    limits <- noise_limits(x, noise_level(conf.level, "conf.level"))
    return(cbind(frame, conf.low = limits[, 1], conf.high = limits[, 2], conf.of = rep("noise", nrow(limits)),
                 row.names = NULL))
  }
  check_interval_level(x, conf.level, "tidy(conf.int = TRUE)", "conf.level")
  frame$conf.low <- unname(x$interval[, "conf.low"])
  frame$conf.high <- unname(x$interval[, "conf.high"])
  frame
}

# The constants alpha and beta are those of smooth sensitivity, whose noise has a private scale.
has_private_scale <- function(x) !is.null(x$details$beta)

# A release has an interval of one level, or none.
check_interval_level <- function(x, level, asked, arg) {
  if (is.null(x$interval)) {
    refuse_interval(x, asked, if (has_private_scale(x)) {
      "the scale of its noise depends on the data and is private, so nothing derived from it may be shown"
    } else {
      "none was asked for, and it holds no measure of its error"
    })
  }
  if (is.null(level)) return(invisible(x))
  level <- check_number(level, arg, 0, 1)
  if (abs(level - x$details$level) > 1e-12) {
    stop_input(arg, sprintf("%s, the level of the released interval", format(x$details$level)), format(level),
               paste("Another level would be another release: ask for it when releasing, by `interval`,",
                     "and it takes its own budget."))
  }
}

# Intervals are refused where there is none, whatever asks for them.
refuse_interval <- function(x, asked, why) {
  refuse_method(asked, sprintf("there is no confidence interval for this release: %s", why), paste(
    "An interval takes a share of the budget, so ask for it when releasing:", interval_doors(x),
    "Or simulate the release on made-up data of the same shape, with rng = \"R\", to see how far it is from",
    "the truth."
  ))
}

# Which calls give limits of what this release is about.
interval_doors <- function(x) {
  if (inherits(x, "dp_test")) {
    return(paste("dp_test(x, y = y, interval = 0.95) gives limits of the shift between two samples, or of",
                 "their medians with test = \"sign\"; dp_median() those of one sample or of differences of",
                 "pairs, dp_correlation() those of a trend."))
  }
  door <- if (is.call(x$call)) deparse(x$call[[1]])[[1]]
  exported <- if (length(door) == 1) intersect(sub("^.*:", "", door), getNamespaceExports("dpdepth"))
  has_one <- length(exported) == 1 && "interval" %in% names(formals(getExportedValue("dpdepth", exported)))
  if (has_one) return(sprintf("interval = 0.95 is an argument of %s().", exported))
  paste("interval = 0.95 is an argument of dp_median(), dp_quantile(), dp_scale(), dp_correlation() and",
        "dp_regression().")
}

#' @rdname dp_release
#' @param parm,level For `confint()`: the wanted numbers, by name or position, and the level of the release.
#'   Another level is refused: it would be another release. For means and histograms `confint()` and
#'   `tidy(conf.int = TRUE)` give the limits of the noise alone, from its public distribution, at any level
#'   (0.95): the mean of the clipped rows, or the count of a bin, lies between them with this probability.
#'   They do not cover sampling error. Columns are named `noise 2.5 %`, and `conf.of` is `"noise"`. For bins
#'   that the data find, the probability is that of a bin before its count is compared with the threshold. For
#'   other releases without an interval `confint()` is refused; after [dp_median_smooth()] even the scale of
#'   the noise is private.
#' @importFrom stats confint
#' @export
confint.dp_release <- function(object, parm, level = object$details$level, ...) {
  noise <- has_noise_limits(object)
  if (noise) level <- noise_level(level, "level")
  else check_interval_level(object, level, "confint()", "level")
  limits <- if (noise) noise_limits(object, level) else object$interval
  rownames(limits) <- release_terms(object)
  ends <- (1 + c(-1, 1) * (if (noise) level else object$details$level)) / 2
  percent <- vapply(100 * ends, format, "", digits = 3, trim = TRUE)
  colnames(limits) <- paste0(if (noise) "noise ", percent, " %")
  if (missing(parm)) limits else limits_named(limits, parm)
}

# The rows that `parm` names.
limits_named <- function(limits, parm) {
  known <- if (is.character(parm)) parm %in% rownames(limits) else parm %in% seq_len(nrow(limits))
  if (!all(known)) {
    stop_input("parm", sprintf("names or places of %s", quote_names(rownames(limits))),
               if (is.character(parm)) "other names" else describe(parm))
  }
  limits[parm, , drop = FALSE]
}

# -- limits of the noise alone: from its public distribution, at no further cost -------------------------
#
# METHOD: `details$noise_form` of a release has the distribution of the noise, whole numbers: "Laplace" with
# its rate (P(z) proportional to exp(-rate |z|)) or "Gaussian" with its variance; `unit`, what one of them
# moves each estimate by; `rounding`, what the rounding of rows may move it by; and `sums`, how many numbers
# with noise an estimate is computed from, which share the error probability. REFERENCE: Canonne, Kamath and
# Steinke (2020), Proposition 25, for Gaussian noise of many steps.

# The least k with P(|Z| <= k) >= level.
noise_reach <- function(law, level) {
  if (law$noise == "Laplace") {
    q <- exp(-law$rate)
    return(max(0, ceiling(log(2 / ((1 - level) * (1 + q))) / law$rate * (1 - 1e-12)) - 1))
  }
  sd <- sqrt(law$variance)
  # P(Z >= k + 1) is at most that of a normal variable at k
  if (sd > 2^12) return(ceiling(sd * stats::qnorm((1 - level) / 2, lower.tail = FALSE)))
  weight <- exp(-seq(0, ceiling(40 * sd) + 1)^2 / (2 * law$variance))
  beyond <- 2 * rev(cumsum(rev(weight)))[-1] / (2 * sum(weight) - 1)
  which(beyond <= 1 - level)[[1]] - 1
}

# A row for each estimate, columns "lower" and "upper".
noise_limits <- function(x, level) {
  law <- x$details$noise_form
  half <- noise_reach(law, 1 - (1 - level) / law$sums) * law$unit + law$rounding
  limits <- cbind(lower = x$estimate - half, upper = x$estimate + half)
  # a quotient of sums that lies between the bounds whatever the noise is
  if (law$sums > 1) limits[] <- pmin(pmax(limits, x$details$lower), x$details$upper)
  limits
}

has_noise_limits <- function(x) is.null(x$interval) && !is.null(x$details$noise_form)

noise_level <- function(level, arg) if (is.null(level)) 0.95 else check_number(level, arg, 0, 1)

# A plan of intervals: its help, print and pictures.

#' Plan private confidence intervals
#'
#' With `interval = 0.95`, [plan_median()], [plan_quantile()] and [plan_regression()] compute the expected
#' width of the intervals of [dp_median()], [dp_quantile()] and [dp_regression()], beside the width without
#' privacy, or how many rows or how much epsilon a `width` needs. They use public numbers only, no data.
#'
#' @param x A plan, made with `interval`.
#' @param digits Significant digits to print.
#' @param ... Must be empty.
#' @details
#' **Width.** Intervals end where a noisy count passes a threshold, which is exact and public. For normal rows
#' with standard deviation `spread` the counts are replaced by their expectations; the distributions of the
#' noises then give the expected limits. Quantiles are those of the normal distribution about the middle of
#' the limits (or about the prior's mean). Several quantiles, and several variables, share epsilon equally.
#' For regions and lines the depth outside a set of the scan is that of normal rows at that distance from the
#' released centre.
#'
#' **How good it is.** Mean widths of intervals at level 0.95 in simulations of 400 standard normal samples
#' (planned in brackets; bounds +-100 unless stated otherwise): the median at epsilon = 1, n = 200 .72 (.74; a
#' median, since one of 400 limits lay far out), 1000 .180 (.180), 5000 .0732 (.0728), 100,000 .0159 (.0160);
#' n = 100, bounds +-20 1.01 (.95); at epsilon = .2, n = 1000 .62 (.64); at epsilon = 4, n = 500 .238 (.234).
#' Other quantiles: p = .9, n = 500, bounds +-20 .490 (.479); p = .05, n = 1000 .417 (.410); p = .99, n =
#' 20,000 .132 (.130); p = .25, n = 5000, epsilon = .2, bounds +-10 .129 (.127).
#'
#' For regions, means of 30 to 50 samples at bounds +-50, epsilon = 1: n = 300 .797 (.787), 1000 .342 (.338),
#' 4000 .147 (.146); at epsilon = .3, n = 4000 .206 (.205). For lines see the table in
#' `vignette("proofs-region", "dpdepth")`. The limits of a line stand where one of a public row of slabs does,
#' of which each is three quarters as wide as the one before.
#'
#' **Flags.** `plan_regression(interval =, shares =)` is for the slope of a flag that such a share of the rows
#' has. Fits with a slope that is far off are still as deep as half of the rows without the flag. So `far` is
#' the chance that its limits are infinite, or that the slope is noise. A share of .15 of 1000 rows is enough
#' at epsilon = 1, one of .3 of 300 is not.
#'
#' For several regressors, means of 20 to 60 samples at bounds +-50. A slope of two at epsilon = 1: n = 1000
#' .80 (.80), 5000 .148 (.145), 20,000 .052 (.053); of five at epsilon = 2: n = 2000 .71 (.63), 20,000 .063
#' (.062); of eight at epsilon = 1: n = 20,000 .161 (.161); by pairs, of two at epsilon = 1: n = 2000 .475
#' (.499; a median), of three at epsilon = 2, n = 6000 .177 (.174). The slopes' regressors are taken as
#' independent and normal.
#'
#' `far` is the chance that a limit lies far out, where there are no rows; from 0.001 on `width` is a mean of
#' very unequal widths, below it is that of the others. Intervals that dp_median() and the others would
#' refuse, for few rows, are refused here too.
#' Intervals cover whether or not `spread` is right.
#' @return A data frame of class `interval_plan`, a row for each interval: `what`; `method`, `"scans"` for
#'   intervals of one variable, `"discs"` for the region of two variables that `dp_median(interval =, method =
#'   "exponential")` releases, `"slabs"` for lines, `"batches"` for several regressors, each interval by
#'   itself; `n`, `epsilon`, `level`; `width`, in the variable's units (averaged over variables); `sampling`,
#'   the width without privacy: of the interval by order statistics, for regions and lines of the region of
#'   points or lines deep enough, for several regressors of least squares; and `far` (`NA` for regions and
#'   lines, but for the slope of a flag). `tidy()` gives it as a plain data frame. `plot()` and `autoplot()`
#'   draw the widths at a tenth of n to ten times as many, dashed without privacy.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for numbers outside their ranges, for other than two of `n`,
#' `epsilon` and `width`, for too few rows, and for a `width` that no `n` or `epsilon` reaches.
#' @seealso `vignette("intervals", "dpdepth")`.
#' @examples
#' plan_median(n = 500, d = 1, epsilon = 1, lower = 0, upper = 180, spread = 14, interval = 0.95)
#'
#' # how many rows for an interval five units wide?
#' plan_median(d = 1, epsilon = 1, lower = 0, upper = 180, spread = 14, interval = 0.95, width = 5)$n
#'
#' plan_quantile(n = 5000, probs = c(0.1, 0.5, 0.9), epsilon = 1, lower = 0, upper = 100, spread = 10,
#'               interval = 0.95)
#'
#' plan_regression(n = 1000, p = 1, epsilon = 1, lower = -50, upper = 50, interval = 0.95)
#' @name interval_plan
NULL

#' @rdname interval_plan
#' @export
print.interval_plan <- function(x, digits = 3L, ...) {
  head <- sprintf("<interval_plan> Expected width of intervals at level %s, n = %s, epsilon = %s",
                  format(x$level[[1]]), grouped(x$n[[1]]),
                  format(x$epsilon[[1]], digits = digits))
  writeLines(wrap_text(with_point(head)))
  writeLines(wrap_text(sprintf(paste(
    "width: mean, in the variables' units, beside that without privacy, if the data are normal with %s"
  ), attr(x, "assumed"))))
  if (any(x$far > 0.1, na.rm = TRUE)) {
    writeLines(wrap_text("With so few rows for this epsilon a limit will often lie far out."))
  }
  text <- function(v) vapply(v, format, "", digits = digits)
  shown <- data.frame(interval = x$what, method = x$method, width = text(x$width),
                      "without privacy" = text(x$sampling), check.names = FALSE)
  print(utils::head(shown, 20), row.names = FALSE, right = FALSE)
  if (nrow(x) > 20) writeLines(sprintf("... and %d more", nrow(x) - 20))
  invisible(x)
}

# Widths at a tenth of n to ten times as many; numbers of rows that are refused are left out.
width_curves <- function(x, steps = 13L) {
  rows <- unique(pmin(round(x$n[[1]] * 10^seq(-1, 1, length.out = steps)), .Machine$integer.max))
  found <- lapply(rows, function(n) {
    tryCatch(width_curve(attr(x, "plan")(n, x$epsilon[[1]])), dpdepth_error_input = function(e) NULL)
  })
  do.call(rbind, found)
}

width_curve <- function(x) data.frame(what = x$what, n = x$n, value = x$width, reference = x$sampling)

picture.interval_plan <- function(x, ...) { # nolint: object_name_linter.
  against_n(width_curves(x), width_curve(x), "width", with_point(
    sprintf("Expected width of %s%% intervals, epsilon = %s", format(100 * x$level[[1]]),
            format(x$epsilon[[1]], digits = 3))
  ))
}

# Smooth sensitivities as calculators: results of class nonprivate.

#' Smooth sensitivity of a median
#'
#' Computes how far the clipped median can move when rows are replaced, with a weight of `exp(-beta)` for each
#' replaced row beyond the first. Divided by alpha, it is the smallest scale of the noise in a release by
#' smooth sensitivity. For research only: the result depends on the data without noise.
#'
#' `sens_median()` is for one variable. The estimate is the order statistic of rank p = floor((n + 1)/2),
#' clipped to the bounds. Let c_j be the clipped order statistics (the bounds themselves for j below 1 and
#' above n) and A^(k) = max over 0 <= t <= k + 1 of c_(p+t) - c_(p+t-k-1). The value is the maximum of
#' exp(-beta k) A^(k) over k = 0, ..., n. It is a beta-smooth upper bound of the local sensitivity.
#'
#' @param x Data, one row per individual: numeric, without missing values. `sens_median()` takes one variable.
#' @param lower,upper Public bounds of the median, in the units of the data: one number, or one per variable.
#'   The data may lie outside.
#' @param beta The smoothness, one number above 0, as from [dilation_beta()] or [smooth_noise()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return An object of class [`nonprivate`][nonprivate] with `value` (in the units of the data), the
#'   `k` that attains it, `beta`, and `profile`, a data frame with columns `k`, `level` and `A` and a row for
#'   each k that can attain the maximum (at most 2000). For `sens_median()`, `level` is p - k - 1: the lowest
#'   rank in the data of the median of a data set at distance k + 1 (below 1: the bound). `plot()` draws A^(k)
#'   and exp(-beta k) A^(k) against k.
#' @section Errors:
#' A bad argument raises `dpdepth_error_input`, see [dpdepth-errors].
#' @references
#' Nissim, K., Raskhodnikova, S. and Smith, A. (2007). Smooth sensitivity and sampling in private data
#' analysis. *STOC*, section 3.1. \doi{10.1145/1250790.1250803}
#' @seealso [dp_median_smooth()], [smooth_noise()]
#' @examples
#' s <- sens_median(faithful$waiting, lower = 0, upper = 180, beta = dilation_beta(1, 1e-6, 1))
#' s
#' plot(s)
#' @export
sens_median <- function(x, lower, upper, beta, ...) {
  check_given()
  x <- check_data(x, max_d = 1L)
  bounds <- check_bounds(lower, upper, 1L, names = names_of(x))
  beta <- check_number(beta, "beta", 0)
  out <- median_sensitivity(x, bounds$lower, bounds$upper, beta, profile = 2000L)
  p <- (nrow(x) + 1L) %/% 2L
  k <- seq_along(out$profile) - 1L
  new_nonprivate(out$value, k = out$k, beta = beta,
                 profile = data.frame(k = k, level = p - k - 1L, A = out$profile),
                 what = "smooth sensitivity of the median")
}

picture.nonprivate <- function(x, ...) { # nolint: object_name_linter.
  if (is.null(x$profile)) stop_input("x", "a calculator's result with a profile", "one without")
  profile <- x$profile
  new_picture(list(
    rule(y = x$value, colour = "grey80"),
    step_layer(profile$k, profile$A, lty = 2, colour = "grey50", key = "A(k)"),
    step_layer(profile$k, exp(-x$beta * profile$k) * profile$A, lwd = 2, key = "exp(-beta k) A(k)"),
    if (x$k >= 0) layer("points", x$k, x$value)
  ), picture_axis("k, rows replaced"), picture_axis("sensitivity"), paste("NOT PRIVATE:", x$what))
}

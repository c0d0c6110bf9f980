# Smooth sensitivity of the median slope of Medsweep regression.

#' Smooth sensitivity of a median slope
#'
#' Computes a beta-smooth upper bound of how far the slope of Medsweep regression, med((u - med u)/(v - med
#' v)) clipped to the bounds, can move when one row is replaced. It is [sens_median()] for that slope. For
#' research only: the result depends on the data without noise.
#'
#' @param u,v Response and regressor, one value per row: numeric, without missing values. Values beyond 2^400
#'   are clamped.
#' @param lower,upper Public bounds of the slope: one number each, at most 2^400 in size.
#' @inheritParams sens_median
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' The slope is the order statistic of rank p = floor((n + 1)/2) of the ratios, with x/0 infinite and 0/0 = 0.
#' After K replacements the centre (med u, med v) lies in the box B_K of the order statistics of ranks p - K
#' and p + K of u and of v, and K of the ratios may have any value. So the slope lies between L_K, the least
#' ratio of rank p - K over all centres in B_K, and H_K, the largest ratio of rank p + K, and
#'
#' A^(k) = max(H_(k+1) - L_k, H_k - L_(k+1)),
#'
#' at most `upper - lower`, which it is from k = p on. The bounds are nested, hence smooth. H_K and L_K are
#' the exact extremes over the whole box, not over a grid of centres, rounded to a lattice of 2^40 to 2^41
#' steps across the bounds.
#'
#' (Published bounds are smaller: Lemma 8 of Cumings-Menon, 2022, allows for too few ranks between the two
#' slopes, and Algorithm 3 there also takes the same centre for both. Algorithm 3 is below the local
#' sensitivity of data sets of 5 rows, and 17 times too small for one of 21. See
#' `vignette("proofs-medsweep", "dpdepth")`.)
#' @section In private regression:
#' `dp_regression(method = "medsweep")` releases, one after the other, the slopes of each regressor on the
#' swept regressors before it, the slopes of the response on each swept regressor, and the intercept, which is
#' the median of the residuals. For p regressors these are `p (p - 1)/2 + p max_iter + 1` releases with equal
#' shares of epsilon and delta: with three regressors each has a seventh of the budget. Further arguments:
#'
#' * `sweep_bounds`: the largest size of the slope of one regressor on another, one positive number, or a
#'   p x p matrix whose entry `[i, k]`, i < k, is for regressor k on regressor i. Public. By default the
#'   width of the bounds of coefficient i divided by that of coefficient k. Narrow bounds cost accuracy,
#'   not privacy.
#' * `max_iter`: how often the response is swept, 1 by default: each round costs as much as the first.
#' * `tol`: sweeping stops when no slope released in a round is larger. The budget is spent all the same.
#'
#' @return As for [sens_median()]; `level` is p - k - 1, the lowest rank in the ratios of the slope of a data
#'   set at distance k + 1.
#' @inheritSection sens_median Errors
#' @references
#' Van Aelst, S., Rousseeuw, P. J., Hubert, M. and Struyf, A. (2002). The deepest regression method.
#' *Journal of Multivariate Analysis 81*, 138-166. \doi{10.1006/jmva.2001.1997}
#'
#' Cumings-Menon, R. (2022). Differentially private estimation via statistical depth.
#' \doi{10.48550/arXiv.2207.12602}, section 4.2.1, corrected: see `vignette("proofs-medsweep", "dpdepth")`.
#' @inherit sens_median references
#' @seealso [regress_medsweep()]
#' @examples
#' s <- sens_medsweep(faithful$waiting, faithful$eruptions, lower = -50,
#'                    upper = 50, beta = 0.05)
#' s
#' plot(s)
#' @export
sens_medsweep <- function(u, v, lower, upper, beta, ...) {
  check_given()
  u <- check_data(u, "u", max_d = 1L)
  v <- check_data(v, "v", max_d = 1L)
  check_same_rows(u, v, c("u", "v"))
  bounds <- check_slope_bounds(check_bounds(lower, upper, 1L))
  beta <- check_number(beta, "beta", 0)
  lattice <- smooth_lattice(bounds, 41L)
  p <- (nrow(u) + 1L) %/% 2L
  out <- slope_sensitivity(u, v, lattice, beta)
  whole <- bounds$upper - bounds$lower
  # the lattice reaches over the bounds, by less than a step at each end
  value <- min(out$value * lattice$step, exp(-beta * max(out$k, 0)) * whole)
  # levels from here on cannot relevant_levels; they would cost the most
  count <- min(2000, p + 1, floor(log(whole / value) / beta) + 1)
  a <- slope_sensitivity(u, v, lattice, beta, profile = as.integer(count))$profile
  a <- relevant_levels(pmin(a * lattice$step, whole), value, beta, whole)
  k <- seq_along(a) - 1L
  new_nonprivate(value, k = out$k, beta = beta, profile = data.frame(k = k, level = p - k - 1L, A = a),
                 what = "smooth sensitivity of the median slope")
}

check_slope_bounds <- function(bounds) {
  size <- max(abs(c(bounds$lower, bounds$upper)))
  if (size > slope_limit) {
    stop_input("upper", "at most 2^400 in size, like `lower`", NULL, "Take larger units.")
  }
  bounds
}

# The slope's index and max(least, S), both in steps: index m stands for the slope (m + origin) step, whose
# ends are half-odd multiples of the step, so that none is 0. PRIVATE.
slope_sensitivity <- function(u, v, lattice, beta, minimum = 0, profile = 0L) {
  slopes <- matrix(c(lattice$origin, lattice$step, lattice$upper))
  .Call(ffi_sens_medsweep, cbind(bounded(u), bounded(v)), slopes, beta, minimum, profile)
}

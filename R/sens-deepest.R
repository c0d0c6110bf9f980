# Smooth sensitivity of the deepest regression.

#' Smooth sensitivity of the deepest regression
#'
#' Computes a beta-smooth upper bound of how far the clipped deepest line y ~ x can move, in l1 distance of
#' (intercept, slope), when one row is replaced. It is [sens_median()] for the line of largest regression
#' depth. For research only: the result depends on the data without noise.
#'
#' @param x,y The regressor and the response: numeric vectors of one length, without missing values.
#' @param lower,upper Public bounds of the intercept and the slope: one number, or two. Fits may lie
#'   outside.
#' @inheritParams sens_median
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details The estimate is the mean of the deepest lines through two rows, clipped to the bounds. Let m
#' be the largest regression depth (in rows) and c0 = ceil(n/3), which every data set reaches. After
#' K = k + 1 replacements a deepest fit has old depth at least level = max(m - 2K, c0 - K). With Omega the
#' set of fits of at least that depth, A^(k) is the smaller of
#'
#' * the sum of its widths along intercept and slope, clipped to the bounds, and
#' * its l1 diameter, the larger of the widths along intercept + slope and intercept - slope,
#'
#' and it is the sum of `upper - lower` where Omega is unbounded. The widths are those of the vertices: all
#' n(n - 1)/2 lines through two rows are visited with their exact depths, in O(n^2 log n) time and O(n)
#' memory. Numbers are taken as doubles, ties included (numbers beyond 2^300 units of the bounds are clamped,
#' those below 2^-300 become zero).
#'
#' **Unbounded regions.** A fit through a row has a depth of at least 1 at any slope. A fit through the middle
#' one of several rows with the same x has a depth of half their number. So Omega is unbounded at levels up to
#' `unbounded`: half the largest number of rows with the same x, and at least 1. (Lemma 5 of Cumings-Menon,
#' 2022, and the simulations there miss this; Lemma 7 does not.) The sensitivity is therefore larger with
#' heavy ties in the regressor.
#'
#' [dp_regression()] uses a smaller bound: the estimate of a data set at distance k has old depth at least the
#' level of K = k, the estimate of its neighbour the level of K = k + 1, and only the distance between the two
#' regions counts.
#' @return As for [sens_median()]; `value` and `A` are sums over intercept and slope. `level` is that of the
#'   details, and 0 if that is negative. Further fields: `depth`, which is m, and `unbounded`.
#' @inheritSection sens_median Errors
#' @references
#' Amenta, N., Bern, M., Eppstein, D. and Teng, S.-H. (2000). Regression depth and center points.
#' *Discrete and Computational Geometry 23*, 305-323. (The bound c0.)
#'
#' Rousseeuw, P. J. and Hubert, M. (1999). Regression depth. *Journal of the American Statistical
#' Association 94*, 388-402. \doi{10.1080/01621459.1999.10474129}
#' @inherit sens_median references
#' @seealso [dp_regression()], [regress_deepest()]
#' @examples
#' sens_deepest(cars$speed, cars$dist, lower = c(-100, 0), upper = c(100, 10),
#'              beta = 0.1)
#' @export
sens_deepest <- function(x, y, lower, upper, beta, ...) {
  check_given()
  x <- check_data(x, max_d = 1L)
  y <- check_data(y, "y", max_d = 1L)
  check_same_rows(x, y)
  bounds <- check_bounds(lower, upper, 2L)
  beta <- check_number(beta, "beta", 0)
  n <- length(x)
  # one step for both coefficients, so that the l1 distance is that of the steps
  size <- max(abs(bounds$lower), abs(bounds$upper))
  step <- 2^max(ceiling(log2(max(bounds$upper - bounds$lower))) - 40, ceiling(log2(size)) - 44)
  check_steps(rep(step, 2), bounds)
  found <- deepest_spreads(x, y, rep(step, 2))
  a <- step * deepest_diameters(found, bounds$lower / step, bounds$upper / step, slack = 0)
  k <- 0:n
  level <- deepest_levels(found$depth, n)
  a <- a[level + 1]
  best <- which.max(exp(-beta * k) * a)
  value <- exp(-beta * k[[best]]) * a[[best]]
  shown <- seq_along(relevant_levels(utils::head(a, 2000L), value, beta, sum(bounds$upper - bounds$lower)))
  new_nonprivate(value, k = k[[best]], beta = beta, depth = found$depth, unbounded = found$unbounded,
                 profile = data.frame(k = k[shown], level = level[shown], A = a[shown]),
                 what = "smooth sensitivity of the deepest regression")
}

# Beyond these, ends of widths are not distinguished (src/sens/deepest.h), and diagonal ones are not used.
side_most <- 2^48
diagonal_most <- 2^45

# The levels of k = 0, ..., n: 0 where there is nothing to be known.
deepest_levels <- function(depth, n) {
  k <- 1:(n + 1)
  pmax(depth - 2L * k, ceiling(n / 3) - k, 0)
}

# Rows in units in which intercepts and slopes are counted in `steps`, powers of two. A function of each row
# only; exact but for numbers outside 2^-300 ... 2^300.
step_rows <- function(x, y, steps) {
  rows <- cbind(as.vector(x) * (steps[[2]] / steps[[1]]), as.vector(y) / steps[[1]])
  rows <- pmin(pmax(rows, -2^300), 2^300)
  rows[abs(rows) < 2^-300] <- 0
  rows + 0 # no negative zeros
}

# Results of src/sens/deepest.c: the largest depth, the largest unbounded depth, the mean of the deepest
# vertices (zero if their depth is unbounded), and the ends of intercept, slope, sum and difference of the
# vertices of each depth or more, whole numbers of steps, rounded outward.
deepest_spreads <- function(x, y, steps) {
  found <- .Call(ffi_sens_deepest, step_rows(x, y, steps))
  found$vertices <- found$depth
  found$depth <- max(found$depth, found$unbounded)
  found
}

# Upper bounds of the l1 diameter of the clipped region of depth 0 (the box), 1, ..., depth, in steps.
# `slack`: for what rounding the estimate to whole steps may add along the diagonals.
deepest_diameters <- function(found, lower, upper, slack = 3) {
  whole <- sum(upper - lower)
  clip <- function(v, j) pmin(pmax(v, lower[[j]]), upper[[j]])
  lo <- found$lo
  hi <- found$hi
  axes <- clip(hi[, 1], 1) - clip(lo[, 1], 1) + clip(hi[, 2], 2) - clip(lo[, 2], 2)
  across <- pmax(hi[, 3] - lo[, 3], hi[, 4] - lo[, 4]) + slack
  across[pmax(hi[, 3], hi[, 4], -lo[, 3], -lo[, 4]) >= diagonal_most] <- Inf
  out <- rep(whole, found$depth + 1)
  bounded <- seq_len(found$vertices) > found$unbounded
  out[which(bounded) + 1] <- pmin(axes, across)[bounded]
  out
}

# Refuses bounds that the whole numbers of steps cannot hold. Public.
check_steps <- function(steps, bounds) {
  if (any(abs(log2(steps)) > 250)) {
    stop_input("upper", "at a distance between 1e-60 and 1e60 from `lower`", "at another",
               "Take other units of the data.")
  }
  far <- pmax(abs(bounds$lower), abs(bounds$upper)) / steps >= side_most / 2
  if (any(far)) {
    stop_input("upper", "above `lower` by at least 1e-6 of the size of the bounds", "nearer",
               "Move the origin of the data near to the bounds.")
  }
}

# Deepest regression and its quantiles: exact for one regressor, along directions for several.

#' Deepest regression
#'
#' The fit with the greatest regression depth: [depth_regression()] is to fits what halfspace depth is to
#' points, and this is the median fit. With one regressor its depth is at least 1/3 in any data, so a third of
#' the rows can be wrong without breaking the fit.
#'
#' **One regressor.** The search is exact: the depth is largest at lines through two rows, and all of these
#' are visited, row by row in the order of their slopes, O(n^2 log n) in time and O(n) in memory. There are
#' usually several deepest lines. Their mean is returned if it is as deep as they are; if it is less deep,
#' which can happen since the set of deepest lines need not be convex, the deepest line nearest to it is
#' returned (by the mean squared difference of the fitted values). So the result always attains the
#' maximum, which is the element `depth`.
#'
#' **Several regressors.** The depth is that of `depth_regression(method = "directional")`, along public
#' directions: an upper bound of the fit's regression depth. Up to 20,000 fits through p + 1 rows (p
#' regressors) are all tried, and the largest depth along the directions is attained. Beyond that the result
#' is approximate: fits near least squares, least absolute deviations and some hundred fits through p + 1 rows
#' are improved step by step while the depth grows, then replaced by fits through the rows nearest to them.
#' A deeper fit may exist. The search draws no random numbers: the same data give the same fit. With 1000
#' directions and three regressors, 1000 rows take about a second and 5000 rows about ten, and it takes
#' 4 n bytes of memory for each direction.
#'
#' **Quantiles.** `tau` selects the deepest regression quantile: the fit of the largest weighted depth, as in
#' [depth_regression()]. With `tau = 0.5` it is the deepest regression.
#'
#' The fit follows linear changes of each regressor (with a matrix of directions: changes of all by one
#' factor, and of origin) and of the response, the sign of which turns `tau` into 1 - `tau`, and the addition
#' of a linear function of the regressors to the response. It depends on the data without any protection: it
#' is not private.
#'
#' @param formula A formula with numeric regressors, as for [stats::lm()].
#' @param data A data frame (or environment) with the variables; optional, as for [stats::lm()].
#' @param subset Rows to use, evaluated in `data` as for [stats::lm()]. There are no `weights`: depth counts
#'   rows.
#' @inheritParams depth_regression
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return An object of classes `regress_deepest` and `dpdepth_fit`, with the elements `coefficients`,
#'   `residuals`, `fitted.values`, `depth`, `tau`, `exact` (whether `depth` is the largest regression depth),
#'   `candidates` (how many deepest fits through rows were met), `directions` (how many, or `NA`),
#'   `df.residual`, `call`, `terms` and `model`, and with methods for `print`, [summary()], [coef()],
#'   [predict()], [residuals()], [fitted()], [formula()], [nobs()], [df.residual()], [plot()], `tidy()`
#'   (columns `term` and `estimate`) and `glance()` (one row: `method`, `nobs`, `df.residual`, `sigma`,
#'   the residuals' [mad()], `depth` or `NA`, `iterations` or `NA`, and `converged`). There are no
#'   standard errors, and `predict()` refuses to make intervals.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for a bad argument: a formula without intercept or without
#' regressors, values that are missing or infinite, a constant regressor, or one that is a linear function
#' of the others.
#' @references
#' Rousseeuw, P. J. and Hubert, M. (1999). Regression depth. *Journal of the American Statistical Association
#' 94*, 388-402. \doi{10.1080/01621459.1999.10474129}
#'
#' Van Aelst, S., Rousseeuw, P. J., Hubert, M. and Struyf, A. (2002). The deepest regression method.
#' *Journal of Multivariate Analysis 81*, 138-166. \doi{10.1006/jmva.2001.1997}
#' @seealso [regress_medsweep()], which is faster with several regressors.
#' @examples
#' fit <- regress_deepest(dist ~ speed, cars)
#' fit
#' predict(fit, data.frame(speed = c(10, 20)))
#' plot(fit)
#'
#' # several regressors, and the upper decile
#' regress_deepest(stack.loss ~ Air.Flow + Water.Temp, stackloss, directions = 200)
#' coef(regress_deepest(dist ~ speed, cars, tau = 0.9))
#' @export
regress_deepest <- function(formula, data, subset = NULL, tau = 0.5, directions = 1000L, ...) {
  check_names(environment(), sys.function(), sys.call())
  call <- match.call()
  tau <- check_tau(tau)
  frame <- regress_frame(call, parent.frame())
  if (ncol(frame$x) == 0) {
    stop_input("formula", "a formula with at least one regressor", "one with none", "Write it as y ~ x.")
  }
  check_regressor_spread(frame$x, frame$labels)
  weights <- tau_weights(tau, length(frame$y))
  found <- with_progress_bar("deepest regression", {
    if (ncol(frame$x) == 1) deepest_of_lines(frame$x, frame$y, weights)
    else deepest_of_planes(frame, directions, weights)
  })
  fit <- new_fit(found$coefficients, frame, call, "regress_deepest")
  fit$depth <- found$depth / (max(weights) * length(frame$y))
  fit$candidates <- found$candidates
  fit$tau <- tau
  fit$exact <- found$exact
  fit$directions <- found$directions
  fit
}

# Each of these gives coefficients, depth (weight), candidates, exact and directions.
deepest_of_lines <- function(x, y, weights) {
  found <- .Call(ffi_regression_deepest, cbind(x, y), weights)
  lines <- line_through(x[, 1], y, found[[2]])
  list(coefficients = deepest_line(lines, found[[1]], x, y, weights), depth = found[[1]],
       candidates = nrow(lines), exact = TRUE, directions = NA_integer_)
}

deepest_of_planes <- function(frame, directions, weights) {
  x <- frame$x
  if (nrow(x) <= ncol(x)) {
    stop_input("data", sprintf("data with more rows than the formula's %d regressors", ncol(x)),
               sprintf("data with %d", nrow(x)))
  }
  check_independent(x, frame$labels)
  task <- in_units(x, directions, huge_unit(x))
  splits <- .Call(ffi_regression_splits, task$data, task$u)
  depths <- function(fits, floor = 0L) {
    .Call(ffi_regression_directional, fits, x, frame$y, splits, weights, as.integer(floor))
  }
  found <- deepest_fit(x, frame$y, depths, weights)
  c(found, list(exact = FALSE, directions = nrow(task$u)))
}

# Refuses a regressor that is a linear function of the others, or has no unit in which its numbers are finite.
check_independent <- function(x, labels) {
  x <- apply(x, 2, comparable)
  far <- colSums(!is.finite(x)) > 0
  if (any(far)) {
    stop_input("data", "data of sizes that can be computed with",
               sprintf("data in which single numbers of %s are beyond 2^1000 times the spread of the others",
                       quote_names(unique(labels[far]))), "Leave such rows out.")
  }
  z <- qr(cbind(1, x))
  if (z$rank == ncol(x) + 1) return(invisible())
  bad <- setdiff(z$pivot[seq(z$rank + 1, ncol(x) + 1)] - 1, 0)
  stop_input("formula", "a formula with regressors that are not determined by other regressors",
             sprintf("one whose %s is", quote_names(labels[bad[[1]]])), "Leave it out.")
}

# Intercepts and slopes of the lines through pairs of rows.
line_through <- function(x, y, rows) {
  i <- rows[, 1]
  j <- rows[, 2]
  slope <- (y[j] - y[i]) / (x[j] - x[i])
  cbind(y[i] - slope * x[i], slope, deparse.level = 0)
}

# The mean of the deepest lines if it is one of them in depth, else the one nearest to it.
deepest_line <- function(lines, depth, x, y, weights) {
  middle <- colMeans(lines)
  if (.Call(ffi_regression_depth, matrix(middle, 1), cbind(x, y), weights) >= depth) return(middle)
  off <- t(lines) - middle
  away <- off[1, ] + off[2, ] * mean(x)
  lines[which.min(away^2 + off[2, ]^2 * mean((x - mean(x))^2)), ]
}

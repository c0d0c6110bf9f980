# Regression depth.

#' Regression depth
#'
#' The regression depth of a fit is the least share of the rows that it passes or touches when it is tilted
#' until it is vertical. A fit through the middle of the data has depth near 1/2 or more. A fit of depth 0 can
#' be tilted to vertical without passing a row. The depth depends only on the signs of the residuals, so the
#' response may have outliers and skewed or unequal errors.
#'
#' Rows on the fit (zero residuals) count in either direction of the tilt, and rows with equal regressors are
#' never separated. A residual is zero if it is smaller than the rounding error of its terms, so
#' that the fit through two rows has both on it. (`mrfDepth::rdepth()` agrees on data without ties.)
#'
#' **Computation.** With one regressor the depth is exact and takes O(n) per fit after sorting. With more,
#' `method = "exact"` (up to three regressors) takes the share of zero residuals plus the closed halfspace
#' depth, with the same denominator, of the origin among the points \eqn{sign(r_i) (1, x_i)}, see
#' [depth_halfspace()]. `"directional"` tilts the fits along public directions u of the regressors only: the
#' least share over all u and all values v of the rows with \eqn{u'x_i > v} and a residual of one sign, or
#' \eqn{u'x_i < v} and the other sign. It is an upper bound of the depth, in O(N n log n) for N directions and
#' then O(N n) for each fit, and it is the score by which a private regression can choose among fits: one
#' replaced row changes it by at most `1/n` as well. `"auto"` is `"exact"` where that is quick, unless
#' `directions` is a matrix. When `directions` is a count, they are for regressors in units of their spread; a
#' matrix (of unit rows, with a column for each regressor) is for the regressors as they are.
#'
#' **Quantiles.** With `tau` other than 1/2, rows on the side \eqn{u'x_i > v} weigh tau if their residuals are
#' not negative, and rows on the other side 1 - tau if theirs are not positive; the depth is the least weight,
#' divided by `n max(tau, 1 - tau)`. The fit of the conditional quantiles tau has a depth near
#' `min(tau, 1 - tau)`. The weights are whole numbers: tau is taken as the nearest fraction with a denominator
#' of at most 1000 (less for more than a million rows), which three decimals are.
#'
#' The depth does not change under a linear change of the regressors, an increasing linear change of the
#' response, or the addition of a linear function of the regressors to the response, if the fits change with
#' them. One replaced row changes it by at most `1/n`. It depends on the data without any
#' protection: it is not private.
#'
#' @param fits The fits: a matrix or data frame with one row per fit, the intercept first and then the
#'   slopes, in the order of the columns of `x`; or a vector, which is one fit.
#' @param x The regressors, without a column of ones: a numeric vector, matrix or data frame.
#' @param y The response, a numeric vector.
#' @param method `"exact"`, `"directional"`, or `"auto"`, see Details. One regressor: always exact.
#' @param directions How many directions of the regressors, or a matrix of unit rows as made by
#'   [directions()], for the directional method.
#' @param tau Which quantile the fits are of: a number from 0.001 to 0.999.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A numeric vector with the depths of the fits, for `tau = 0.5` multiples of `1/length(y)`.
#' @section Errors:
#' A bad argument raises `dpdepth_error_input`, see [dpdepth-errors].
#' @references
#' Rousseeuw, P. J. and Hubert, M. (1999). Regression depth. *Journal of the American Statistical Association
#' 94*, 388-402. \doi{10.1080/01621459.1999.10474129}
#'
#' Rousseeuw, P. J. and Struyf, A. (1998). Computing location depth and regression depth in higher
#' dimensions. *Statistics and Computing 8*, 193-203. \doi{10.1023/A:1008945009397}
#' @seealso [regress_deepest()] for the deepest fit.
#' @examples
#' # least squares against least absolute deviations from three groups' medians
#' fits <- rbind(coef(lm(dist ~ speed, cars)), coef(line(cars)))
#' depth_regression(fits, cars$speed, cars$dist)
#'
#' # three regressors, along 500 directions
#' fit <- lm(stack.loss ~ ., stackloss)
#' depth_regression(coef(fit), stackloss[1:3], stackloss$stack.loss, "directional",
#'                  directions = 500)
#' @export
depth_regression <- function(fits, x, y, method = c("auto", "exact", "directional"), directions = 1000L,
                             tau = 0.5, ...) {
  check_given()
  x <- check_data(x, "x", min_d = 1L)
  y <- check_response(y, nrow(x))
  fits <- check_fits(fits, ncol(x))
  method <- check_choice(method, c("auto", "exact", "directional"), "method")
  weights <- tau_weights(check_tau(tau), length(y))
  count <- if (ncol(x) == 1) {
    .Call(ffi_regression_depth, fits, cbind(x, y), weights)
  } else if (regression_method(method, x, weights, directions) == "exact") {
    depth_regression_exact(fits, x, y)
  } else {
    depth_regression_along(fits, x, y, directions, weights)
  }
  count / (max(weights) * length(y))
}

# The method for several regressors.
regression_method <- function(method, x, weights, directions) {
  median <- all(weights == 1)
  if (method == "auto") {
    exact <- ncol(x) <= 3 && as.double(nrow(x))^ncol(x) <= max_exact_space
    return(if (exact && median && !is_matrix_like(directions)) "exact" else "directional")
  }
  if (method == "exact" && !median) {
    stop_input("method", "\"directional\" (or \"auto\") for several regressors with a `tau` other than 0.5",
               "\"exact\"")
  }
  if (method == "exact" && ncol(x) > 3) {
    stop_input("method", "\"directional\" (or \"auto\") for more than 3 regressors",
               sprintf("\"exact\" with %d", ncol(x)))
  }
  method
}

check_tau <- function(tau) {
  check_number(tau, "tau", lower = 0.001, upper = 0.999, closed = c(TRUE, TRUE))
}

# Whole weights of rows above and below in the ratio tau : 1 - tau; sums of n of them fit an integer.
tau_weights <- function(tau, n) {
  parts <- seq_len(max(2, min(1000, floor((2^30 - 1) / n))))[-1]
  above <- pmin(pmax(round(tau * parts), 1), parts - 1)
  best <- which.min(abs(above / parts - tau))
  as.integer(c(above[[best]], parts[[best]] - above[[best]]))
}

# Counts along directions; the rows are ordered along 2^22 / n of them at a time.
depth_regression_along <- function(fits, x, y, directions, weights) {
  task <- in_units(x, directions, huge_unit(x))
  block <- max(1, floor(2^22 / nrow(x)))
  count <- rep(Inf, nrow(fits))
  for (from in seq(1, nrow(task$u), block)) {
    some <- from:min(from + block - 1, nrow(task$u))
    splits <- .Call(ffi_regression_splits, task$data, task$u[some, , drop = FALSE])
    count <- pmin(count, .Call(ffi_regression_directional, fits, x, y, splits, weights, 0L))
  }
  count
}

# Counts with several regressors, through halfspace depth of the origin.
depth_regression_exact <- function(fits, x, y) {
  signs <- .Call(ffi_residual_signs, fits, x, y)
  z <- cbind(1, if (all(x == round(x))) x else apply(x, 2, comparable))
  vapply(seq_len(nrow(fits)), function(k) {
    off <- signs[, k] != 0
    zero <- sum(!off)
    if (zero == nrow(x)) return(as.double(zero))
    points <- signs[off, k] * z[off, , drop = FALSE]
    zero + sum(off) * depth_halfspace(matrix(0, 1, ncol(z)), points, "exact")
  }, 0)
}

check_response <- function(y, n, arg = "y") {
  y <- check_data(y, arg, max_d = 1L)
  if (nrow(y) != n) {
    stop_input(arg, sprintf("of length %d, one value for each row of `x`", n),
               sprintf("of length %d", nrow(y)))
  }
  drop(unname(y))
}

# Fits as a matrix with p + 1 columns.
check_fits <- function(fits, p) {
  if (is.numeric(fits) && is.null(dim(fits))) fits <- matrix(fits, nrow = 1)
  fits <- check_data(fits, "fits", min_n = 0L)
  if (ncol(fits) != p + 1) {
    stop_input("fits", sprintf("a matrix with %d columns, for the intercept and %d slope%s", p + 1, p,
                               if (p == 1) "" else "s"), sprintf("one with %d", ncol(fits)))
  }
  fits
}

# Regression depth.

#' Regression depth
#'
#' The regression depth of a fit is the least share of the data that it must pass, closed, when it is
#' tilted until it is vertical. A fit through the middle of the data everywhere has depth near 1/2 or more;
#' a fit of depth 0 can be turned away without meeting a single row. It depends on the residuals through
#' their signs only, so the response may have outliers and skewed or unequal errors.
#'
#' Rows on the fit (zero residuals) count whichever way they are passed, and rows with equal regressors are
#' never separated. A residual is zero if it is smaller than the rounding error of its terms, so
#' that the fit through two rows has both on it. (`mrfDepth::rdepth()` agrees on data without ties.)
#'
#' The depth of a fit is the share of zero residuals plus the closed halfspace depth, with the same
#' denominator, of the origin among the points \eqn{sign(r_i) (1, x_i)}. With one regressor it takes O(n) for
#' each fit, after sorting; with more it is computed by [depth_halfspace()], with the same
#' `method` and `directions` (the regressors are centred and scaled first).
#'
#' The depth does not change when all of intercept, slopes and response follow a linear change of
#' regressors, an increasing linear change of the response, or the addition of a linear function of the
#' regressors. One replaced row changes it by at most `1/n`. It depends on the data without any
#' protection: it is not private.
#'
#' @param fits The fits: a matrix or data frame with one fit a row, the intercept first and then the
#'   slopes, in the order of the columns of `x`; or a vector, which is one fit.
#' @param x The regressors, without a column of ones: a numeric vector, matrix or data frame.
#' @param y The response, a numeric vector.
#' @inheritParams depth_halfspace
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A numeric vector with the depths of the fits, each a multiple of `1/length(y)`.
#'
#'   Raises `dpdepth_error_input` (see [dpdepth-errors]) for a bad argument.
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
#' @export
depth_regression <- function(fits, x, y, method = c("auto", "exact", "directional"), directions = 1000L,
                             ...) {
  check_given()
  x <- check_data(x, "x", min_d = 1L)
  y <- check_response(y, nrow(x))
  fits <- check_fits(fits, ncol(x))
  method <- check_choice(method, c("auto", "exact", "directional"), "method")
  count <- if (ncol(x) == 1) {
    .Call(ffi_regression_depth, fits, cbind(x, y))
  } else {
    depth_regression_many(fits, x, y, method, directions)
  }
  count / length(y)
}

# Counts with several regressors, through halfspace depth of the origin.
depth_regression_many <- function(fits, x, y, method, directions) {
  signs <- .Call(ffi_residual_signs, fits, x, y)
  z <- cbind(1, if (all(x == round(x))) x else apply(x, 2, comparable))
  vapply(seq_len(nrow(fits)), function(k) {
    off <- signs[, k] != 0
    zero <- sum(!off)
    if (zero == nrow(x)) return(as.double(zero))
    points <- signs[off, k] * z[off, , drop = FALSE]
    zero + sum(off) * depth_halfspace(matrix(0, 1, ncol(z)), points, method, directions)
  }, 0)
}

# A column with its middle at zero and its quartiles about one apart.
comparable <- function(x) {
  x <- x - stats::median(x)
  size <- stats::quantile(abs(x), c(0.5, 0.75, 0.9, 1), names = FALSE)
  if (size[[4]] == 0) x else x / size[size > 0][[1]]
}

check_response <- function(y, n, arg = "y") {
  y <- check_data(y, arg, max_d = 1L)
  if (nrow(y) != n) {
    stop_input(arg, sprintf("of length %d, as `x` has rows", n), sprintf("of length %d", nrow(y)))
  }
  drop(unname(y))
}

# Fits as a matrix with p + 1 columns.
check_fits <- function(fits, p) {
  if (is.numeric(fits) && is.null(dim(fits))) fits <- matrix(fits, nrow = 1)
  fits <- check_data(fits, "fits", min_n = 0L)
  if (ncol(fits) != p + 1) {
    stop_input("fits", sprintf("a matrix with %d columns: the intercept and %d slope%s", p + 1, p,
                               if (p == 1) "" else "s"), sprintf("one with %d", ncol(fits)))
  }
  fits
}

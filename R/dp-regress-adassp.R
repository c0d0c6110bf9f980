# Regression by noisy sums of squares and products, with a ridge that follows their noise.

#' Private regression by noisy sums with a ridge, for comparison
#'
#' Least squares for any number of regressors from noisy sums of squares and products, with a ridge where
#' the noise is large against them ("AdaSSP"). A published method, here as a yardstick for [dp_regression()].
#'
#' @inheritParams dp_regress_gradient
#' @param x_lower,x_upper Public bounds of the regressors: one number for all, or one a column of the design;
#'   values beyond are moved to them.
#' @details
#' The regressors and the response are in units of half their bounds' widths, about the middle. The sums are
#' taken of whole numbers, without rounding, with exact sensitivities for the replacement of a row, and
#' discrete Gaussian noise. The published method spends a third of its budget on the least eigenvalue of the
#' sums of squares, computed in floating point; here it is bounded from the noisy sums, which costs nothing,
#' and what is released depends on the data through the noisy sums alone.
#' @return A [`dp_release`][dp_release] of class `dp_regression` with `guarantee = "approximate"`;
#'   [predict()] works.
#' @section Errors: As for [dp_regression()]. From 2 to 2^26 rows are needed.
#' @references
#' Wang, Y.-X. (2018). Revisiting differentially private linear regression: optimal and adaptive prediction
#' and estimation in unbounded domain. *UAI*. \doi{10.48550/arXiv.1803.02596}
#'
#' Canonne, C., Kamath, G. and Steinke, T. (2020). The discrete Gaussian for differential privacy. *NeurIPS*.
#' \doi{10.48550/arXiv.2004.00010}
#' @seealso [dp_regression()], [dp_regress_gradient()], [dp_regress_tukeyem()].
#' @examples
#' dp_regress_adassp(stations ~ mag + depth, quakes, epsilon = 1, delta = 1e-6, x_lower = c(4, 0),
#'                   x_upper = c(7, 700), lower = 0, upper = 150)
#' @export
dp_regress_adassp <- function(formula, data, epsilon, delta, x_lower, x_upper, lower, upper, ...,
                              ledger = NULL, rng = NULL, na = "fail") {
  check_given()
  call <- sanitize_call(match.call(), "data")
  frame <- line_frame(formula, data, na, line = FALSE)
  n <- nrow(frame$x)
  p <- ncol(frame$x)
  epsilon <- check_epsilon(epsilon)
  delta <- check_delta(delta)
  limits <- list(x = line_bounds(x_lower, x_upper, c("x_lower", "x_upper"), p, colnames(frame$x)),
                 y = line_bounds(lower, upper))
  check_sum_rows(n)
  plan <- adassp_plan(n, p + 1, epsilon, delta)
  source <- check_rng(rng)
  paid <- debit(ledger, "regression (noisy sums with a ridge)", n, epsilon, delta, source, rho = plan$rho)
  frame <- fill_middle(frame, limits)
  rows <- adassp_rows(frame, limits, plan$steps)
  theta <- adassp_fit(noisy_sums(rows$x, rows$y, plan, source), plan)
  line_release(
    list(estimate = line_from_centred(theta, limits), details = list(rho = plan$rho)),
    frame, limits, na, paid, what = "regression by noisy sums with a ridge",
    mechanism = "discrete Gaussian noise on sums of squares and products", call = call
  )
}

# `d` columns with that of ones. Lattice, budget, units and squared sensitivities of both queries.
adassp_plan <- function(n, d, epsilon, delta) {
  rho <- zcdp_rho(epsilon, delta)
  each <- rho / 2 * (1 - 2^-40)
  steps <- 2^floor((52 - log2(n)) / 2) # n steps^2 <= 2^52: sums of products are exact
  entries <- d * (d + 1) / 2 - 1
  # a row has length sqrt(d) steps at most: Frobenius norm of xx' - zz', and length of xy - zw
  squares <- coarse_query(sqrt(2) * d * steps^2, entries, each)
  products <- coarse_query(2 * sqrt(d) * steps^2, d, each)
  list(n = n, d = d, rho = rho, each = each, steps = steps, squares = squares, products = products)
}

# Whole numbers of l2 sensitivity `size` in units in which the noise's variance is below 2^51; rounding down
# adds one unit to each of `entries` numbers' moves.
coarse_query <- function(size, entries, rho) {
  unit <- 2^max(0, ceiling(log2(size) - (50 + log2(2 * rho)) / 2))
  sensitivity <- (size * (1 + 2^-40) / unit + if (unit > 1) sqrt(entries) else 0) * (1 + 2^-40)
  if (size / unit < 16) {
    stop_input("epsilon", "so large that a lattice of doubles holds the noise", NULL,
               "Take a larger `epsilon` or `delta`.")
  }
  list(unit = unit, square = sensitivity^2)
}

# Whole numbers in -steps, ..., steps, the first column all `steps`.
adassp_rows <- function(frame, limits, steps) {
  place <- function(v, bounds) 2 * lattice_place(v, bounds$lower, bounds$upper, steps) - steps
  x <- vapply(seq_len(ncol(frame$x)), function(j) {
    place(frame$x[, j], list(lower = limits$x$lower[[j]], upper = limits$x$upper[[j]]))
  }, frame$y)
  list(x = cbind(steps, matrix(x, nrow(frame$x))), y = place(frame$y, limits$y))
}

# Both sums with noise, a row in units of 1. The first square is public.
noisy_sums <- function(x, y, plan, source) {
  upper <- upper.tri(diag(plan$d), diag = TRUE)
  upper[1, 1] <- FALSE
  exact <- crossprod(x)
  given <- add_gaussian(floor(exact[upper] / plan$squares$unit), plan$squares$square, plan$each, source)
  squares <- matrix(0, plan$d, plan$d)
  squares[upper] <- given * plan$squares$unit / plan$steps^2
  squares <- squares + t(squares) - diag(diag(squares), plan$d)
  squares[1, 1] <- plan$n
  products <- add_gaussian(floor(crossprod(x, y)[, 1] / plan$products$unit), plan$products$square, plan$each,
                           source)
  list(squares = squares, products = products * plan$products$unit / plan$steps^2)
}

# After-work on the noisy sums: never fails.
adassp_fit <- function(sums, plan) {
  d <- plan$d
  sd <- sqrt(plan$squares$square / (2 * plan$each)) * plan$squares$unit / plan$steps^2
  reach <- sd * sqrt(d * log(2 * d^2 / 0.05)) # of the noise's eigenvalues, usually
  parts <- eigen(sums$squares, symmetric = TRUE)
  ridge <- max(0, reach - max(0, min(parts$values) - reach))
  values <- pmax(parts$values + ridge, sd)
  as.vector(parts$vectors %*% (crossprod(parts$vectors, sums$products) / values))
}

# Coefficients in the data's units.
line_from_centred <- function(theta, limits) {
  half <- function(b) (b$upper - b$lower) / 2
  slopes <- theta[-1] * half(limits$y) / half(limits$x)
  c(middle_of(limits$y) + half(limits$y) * theta[[1]] - sum(slopes * middle_of(limits$x)), slopes)
}

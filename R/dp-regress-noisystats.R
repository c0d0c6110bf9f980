# Simple regression by noise on the sums that least squares takes.

#' Private regression by noisy sums, for comparison
#'
#' Least squares for one regressor from two noisy sums, of cross products and of squares, and a noisy mean
#' ("NoisyStats"). A published method, here as a yardstick for [dp_regression()]: it serves where `n epsilon`
#' is large against the spread of the regressor between its bounds.
#'
#' @inheritParams dp_regress_theilsen
#' @param x_lower,x_upper Public bounds of the regressor; values beyond are moved to them.
#' @param lower,upper Public bounds of the response; values beyond are moved to them.
#' @details
#' The sums are taken of whole numbers, without rounding, and their sensitivities are exact. If the noisy
#' sum of squares is not above zero there is no slope: then nothing is released (`released = FALSE`), and the
#' budget is spent. Slopes beyond 2^20 widths of the response a width of the regressor are moved there. The
#' published code takes the data to be within the bounds without looking; here they are moved to them.
#' @return A [`dp_release`][dp_release] of class `dp_regression` with `guarantee = "pure"`; [predict()] works.
#' @section Errors: As for [dp_regression()]. One regressor, and from 2 to 2^26 rows are needed.
#' @references
#' Alabi, D., McMillan, A., Sarathy, J., Smith, A. and Vadhan, S. (2022). Differentially private simple linear
#' regression. *Proceedings on Privacy Enhancing Technologies*. \doi{10.48550/arXiv.2007.05157} (NoisyStats.)
#' @seealso [dp_regression()], [dp_regress_theilsen()], [dp_regress_gradient()].
#' @examples
#' dp_regress_noisystats(waiting ~ eruptions, faithful, epsilon = 4, x_lower = 1, x_upper = 6,
#'                       lower = 30, upper = 120)
#' @export
dp_regress_noisystats <- function(formula, data, epsilon, x_lower, x_upper, lower, upper, ...,
                                  ledger = NULL, rng = NULL, na = "fail") {
  check_given()
  call <- sanitize_call(match.call(), "data")
  frame <- line_frame(formula, data, na)
  n <- nrow(frame$x)
  epsilon <- check_epsilon(epsilon)
  limits <- line_limits(x_lower, x_upper, lower, upper)
  check_sum_rows(n)
  source <- check_rng(rng)
  paid <- debit(ledger, "regression (noisy sums)", n, epsilon, 0, source)
  frame <- fill_middle(frame, limits)
  out <- noisystats_line(unit_values(frame$x[, 1], limits$x), unit_values(frame$y, limits$y), epsilon, source)
  if (out$released) out$estimate <- line_from_unit(out$estimate[[1]], out$estimate[[2]], limits)
  out$details <- list(advice = paste("More rows, a larger `epsilon` or narrower bounds of the regressor keep",
                                     "its noisy sum of squares above zero."))
  line_release(
    out, frame, limits, na, paid, what = "regression by noisy sums",
    mechanism = "discrete Laplace noise on sums of squares and products", call = call
  )
}

# More rows have no lattice for exact sums.
most_sum_rows <- 2^26

check_sum_rows <- function(n) {
  if (n <= most_sum_rows) return(invisible(NULL))
  stop_input("data", "a data frame with at most 2^26 rows", sprintf("one with %.0f", n))
}

# u, v in [0, 1], of n rows: list(estimate = c(intercept, slope), released).
noisystats_line <- function(u, v, epsilon, source) {
  n <- length(u)
  steps <- 2^floor((52 - log2(n)) / 2) # n steps^2 <= 2^52: sums of products are exact
  x <- round(u * steps)
  y <- round(v * steps)
  each <- epsilon / 3
  product <- noisy_cross_product(x, y, steps, each, source)
  square <- noisy_cross_product(x, x, steps, each, source)
  if (square <= 0) return(list(estimate = c(NA_real_, NA_real_), released = FALSE))
  slope <- min(max(product / square, -2^20), 2^20)
  list(estimate = c(noisy_intercept(u, v, slope, each, source), slope), released = TRUE)
}

# sum (x - mean x)(y - mean y) with noise, in coarser units, the same for all sums of n rows.
noisy_cross_product <- function(x, y, steps, epsilon, source) {
  unit <- max(1, steps^2 * 2^-20)
  add_laplace(floor(cross_product(x, y) / unit), ceiling(cross_sensitivity(length(x), steps) / unit),
              epsilon, source)
}

# ceiling(n sum xy - sum x sum y, divided by n), exactly, for whole numbers with sums of products below 2^53:
# sum x = n a + r and sum y = n b + s leave products that are small.
cross_product <- function(x, y) {
  n <- length(x)
  r <- sum(x) %% n
  s <- sum(y) %% n
  a <- (sum(x) - r) / n
  b <- (sum(y) - s) / n
  sum(x * y) - n * a * b - a * s - b * r - (r * s - (r * s) %% n) / n
}

# How much one row in 0, ..., steps moves it: (1 - 1/n) steps^2, rounded up.
cross_sensitivity <- function(n, steps) steps^2 - floor(steps^2 / n)

# The mean of v - slope u with noise; slope is public here.
noisy_intercept <- function(u, v, slope, epsilon, source) {
  n <- length(u)
  steps <- 2^20
  low <- min(0, -slope)
  high <- max(1, 1 - slope)
  total <- sum(lattice_place(v - slope * u, low, high, steps))
  low + (high - low) * add_laplace(total, steps, epsilon, source) / (n * steps)
}

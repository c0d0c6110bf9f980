# Simple regression by noise on the sums that least squares takes: the engine of
# rival_regression(method = "noisystats").

plan_noisystats <- function(n, terms, box, epsilon, delta) {
  check_sum_rows(n)
  list(box = box, epsilon = epsilon, details = list(advice = noisystats_advice),
       mechanism = "discrete Laplace noise on sums of squares and products")
}

noisystats_advice <- paste("More rows, a larger `epsilon` or narrower bounds of the regressor keep its noisy",
                           "sum of squares above zero.")

run_noisystats <- function(x, y, plan, source) {
  out <- noisystats_line(unit_values(x[, 1], plan$box$x), unit_values(y, plan$box$y), plan$epsilon, source)
  if (out$released) out$estimate <- line_from_unit(out$estimate[[1]], out$estimate[[2]], plan$box)
  out
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

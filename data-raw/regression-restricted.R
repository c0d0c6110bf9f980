# How large the regions of regression depth are: what normal_fit_profile() (R/plan-regression-restricted.R) is
# fitted to.
#
# Usage: Rscript data-raw/regression-restricted.R, with the package installed; about two minutes. Regressor
# and errors are standard normal. With c = 0.3 + 0.75 p, the level of a region of n = 4000 rows is
# n p - c sqrt(n p (1 - p)) for a depth p under the law; the mean logarithm of the area less
# 2 log((1/2 - p)/p) is a polynomial in p. Prints its coefficients, and by how much the formula
# is off at some n and levels.
# Nothing private: simulated data.
library(dpdepth)
set.seed(3)

areas <- function(n, runs) {
  found <- lapply(seq_len(runs), function(i) {
    rows <- cbind(round(rnorm(n) * 2^16), round(rnorm(n) * 2^36))
    log(.Call(dpdepth:::ffi_regression_restricted, "R", rows, 1L, 1, 0L)[[1]]) - 56 * log(2)
  })
  deepest <- min(lengths(found))
  rowMeans(vapply(found, function(v) v[seq_len(deepest)], numeric(deepest)))
}

depth_at <- function(level, n) {
  gap <- function(p, l) n * p - (0.3 + 0.75 * p) * sqrt(n * p * (1 - p)) - l
  vapply(level, function(l) uniroot(gap, c(1e-6, 0.4999999), l = l)$root, 0)
}

size <- areas(4000, 8)
level <- seq(20, 1900, by = 10)
p <- depth_at(level, 4000)
rest <- size[level] - 2 * log((0.5 - p) / p)
print(coef(lm(rest ~ poly(p, 4, raw = TRUE))))

for (n in c(1000, 400, 200, 100)) {
  size <- areas(n, 4e4 / n)
  level <- unique(round(n * c(0.03, 0.05, 0.1, 0.2, 0.3, 0.4)))
  fitted <- dpdepth:::normal_fit_profile(n)[level]
  print(round(data.frame(n = n, level = level, area = size[level], off = fitted - size[level]), 3))
}

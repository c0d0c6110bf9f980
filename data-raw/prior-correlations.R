# What a private correlation matrix gains as the covariance of a second release's prior. Writes
# prior-correlations.csv.
#
# Usage: make simulations FIGURE=prior-correlations, or Rscript data-raw/prior-correlations.R [runs]; two
# minutes of processor time. d normal variables of standard deviation 1 whose correlations are all
# `correlation`; epsilon 2 in all, delta 1e-6. Errors are root mean squared lengths in units of the law's
# covariance, over sqrt(d): `alone` of the median along the axes with all of epsilon and a prior without
# correlations; `with` a quarter of epsilon for dp_correlation(), mixed with the identity by the size of its
# noise, and the rest for the median; `known` with the true covariance; `medians` without privacy, of each
# variable.

source("data-raw/figures.R")

mixed <- function(r) {
  m <- coef(r)
  share <- min(1, 2 * r$details$noise_sd * sqrt(nrow(m)))
  (1 - share) * m + share * diag(nrow(m))
}

# public-rng: simulated data
one <- function(d, n, s) {
  x <- matrix(stats::rnorm(n * d), n) %*% chol(s)
  inverse <- solve(s)
  off <- function(e) sqrt(drop(e %*% inverse %*% e) / d)
  median_of <- function(epsilon, ...) {
    suppressWarnings(coef(dp_median_exponential(x, epsilon, prior = prior_normal(0, ...), directions = "axes",
                                                rng = "R")))
  }
  r <- suppressWarnings(dp_correlation(x, 0.5, 1e-6, method = "sine", rng = "R"))
  c(alone = off(median_of(2, sd = 10)), with = off(median_of(1.5, covariance = 100 * mixed(r))),
    known = off(median_of(1.5, covariance = 100 * s)), medians = off(apply(x, 2, stats::median)),
    entry = sqrt(mean((coef(r) - s)[upper.tri(s)]^2)))
}

design <- data.frame(d = c(5, 10, 50, 5, 10, 50), n = c(2000, 5000, 20000),
                     correlation = rep(c(0.8, 0.4), each = 3))
design <- cells_of(design)
set.seed(20302)
table <- do.call(rbind, lapply(seq_len(nrow(design)), function(i) {
  cell <- design[i, ]
  s <- matrix(cell$correlation, cell$d, cell$d)
  diag(s) <- 1
  times <- runs(if (cell$d > 10) 20 else 100)
  v <- replicate(times, one(cell$d, cell$n, s))
  data.frame(cell, runs = times, t(signif(sqrt(rowMeans(v^2)), 3)))
}))
write_figure(table, "prior-correlations")

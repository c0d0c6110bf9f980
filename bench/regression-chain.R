# Chains over regression depth for eight regressors: is the law near the fit of the data, and are the chains?
#
# Usage: Rscript bench/regression-chain.R; writes bench/regression-chain.md. About five minutes on
# an idle machine.

source("bench/common.R")
library(dpdepth)
ns <- asNamespace("dpdepth")
dpdepth_threads(1)
p <- 8L
k <- p + 1L

# Normal regressors and errors with standard deviation 1; the fit is 0.
normal_data <- function(n, directions) {
  set.seed(n)
  x <- matrix(stats::rnorm(n * p), n)
  y <- stats::rnorm(n)
  task <- ns$in_units(x, ns$regression_directions(directions, p), ns$huge_unit(x))
  splits <- .Call(ns$ffi_regression_splits, task$data, task$u)
  list(x = x, y = y, depths = function(fits) {
    .Call(ns$ffi_regression_directional, fits, x, y, splits, c(1L, 1L), 0L)
  })
}

# -- the law -----------------------------------------------------------------------------------------------

# The logarithm of the integral of exp(h / 2) over a cube [-half, half]^k, and the mean depth of its law, by
# tempering particles that start uniform on the cube.
cube_mass <- function(depths, half, particles = 300, temperatures = 24, moves = 3) {
  z <- matrix(stats::runif(particles * k, -half, half), particles)
  h <- depths(z)
  total <- k * log(2 * half)
  last <- 0
  for (heat in (seq_len(temperatures) / temperatures)^2) {
    w <- (heat - last) * h / 2
    total <- total + max(w) + log(mean(exp(w - max(w))))
    keep <- sample(particles, replace = TRUE, prob = exp(w - max(w)))
    z <- z[keep, ]
    h <- h[keep]
    for (i in seq_len(moves)) {
      shape <- chol(stats::cov(z) + diag(1e-12, k))
      size <- exp(stats::runif(particles, -3.5, 0))
      new <- z + size * matrix(stats::rnorm(particles * k), particles) %*% shape
      inside <- rowSums(abs(new) > half) == 0
      deep <- replace(h, inside, depths(new[inside, , drop = FALSE]))
      go <- inside & log(stats::runif(particles)) < heat * (deep - h) / 2
      z[go, ] <- new[go, ]
      h <- replace(h, go, deep[go])
    }
    last <- heat
  }
  c(total, mean(h))
}

law_row <- function(n, directions) {
  d <- normal_data(n, directions)
  near <- cube_mass(d$depths, 1)
  far <- vapply(c(5, 50), function(half) cube_mass(d$depths, half), c(0, 0))
  cells <- c(near[[2]] / n, far[2, 2] / n, near[[1]] - far[1, ])
  shown <- sprintf(c("%.2f", "%.2f", "%.0f", "%.0f"), cells)
  sprintf("| %d | %d | %s |", n, directions, paste(shown, collapse = " | "))
}

# -- chains ------------------------------------------------------------------------------------------------

# The share of 8 chains that are within a distance of 1 of the fit, after some steps.
chain_row <- function(n, directions, half, steps) {
  d <- normal_data(n, directions)
  plan <- ns$plan_exponential(n, c("(Intercept)", letters[seq_len(p)]),
                              list(lower = rep(-half, k), upper = rep(half, k)), 1, 0, 0.5,
                              directions = directions, sampler = "mcmc")
  trace <- .Call(ns$ffi_regression_chain, "R", ns$fit_rows(d$x, d$y, plan), ns$prior_fields(plan$prior), 1,
                 c(1L, 1L), c(8L, as.integer(steps)), TRUE)$trace
  near <- apply(trace, c(1, 2), function(b) sqrt(sum(b^2)) < 1)
  counts <- rowSums(near[c(1000, 2700, steps), ])
  sprintf("| %d | %d | %g | %s |", n, directions, half, paste(counts, collapse = " | "))
}

# -- error -------------------------------------------------------------------------------------------------

# Slopes of the default release of 20 data sets with bounds of 50: the median root mean square error, of least
# squares too. (One chain: the release takes the last state of one of its chains.)
error_row <- function(n, aim, replicates = 20) {
  found <- vapply(seq_len(replicates), function(r) {
    set.seed(1000 * n + r)
    d <- as.data.frame(matrix(stats::rnorm(n * k), n))
    names(d)[[k]] <- "y"
    release <- dp_regression_exponential(y ~ ., d, 1, lower = -50, upper = 50, sampler = "mcmc", chains = 1,
                                         rng = "R")
    squares <- stats::lm.fit(cbind(1, as.matrix(d[-k])), d$y)$coefficients
    c(sqrt(mean(stats::coef(release)[-1]^2)), sqrt(mean(squares[-1]^2)))
  }, c(0, 0))
  shown <- sprintf(c("%.3f", "%.3f", "%.0f%%"), c(apply(found, 1, stats::median), 100 * mean(found[1, ] < 1)))
  sprintf("| %d | %d | %s | %s |", n, ns$default_fit_directions(p, n, 1), aim, paste(shown, collapse = " | "))
}

law <- vapply(list(c(500, 100), c(500, 300), c(500, 1000), c(1000, 100), c(1000, 300)),
              function(s) law_row(s[[1]], s[[2]]), "")
chains <- vapply(list(c(500, 300, 5), c(500, 100, 50), c(500, 300, 50), c(1000, 300, 50)),
                 function(s) chain_row(s[[1]], s[[2]], s[[3]], 8000), "")

errors <- mapply(error_row, c(500, 1000), c("0.1", ""))

write_page("regression-chain", c(
  "# Chains over regression depth, eight regressors", "",
  paste(ran_on("one thread"), "Made by `bench/regression-chain.R`."), "",
  "Normal regressors and errors with standard deviation 1, epsilon = 1, uniform priors on -5 to 5 or -50 to",
  "50. Is the law itself near the fit of the data? Depths over n of draws near and far; and the logarithm of",
  "the odds that a draw is near rather than far, by tempering from uniform points of [-1, 1]^9 and of all",
  "that the bounds allow. (300 particles: the odds are good to a few units. Depths far are within 50.)", "",
  "| n | directions | depth near | depth far | log odds, bounds of 5 | bounds of 50 |",
  "|---:|---:|---:|---:|---:|---:|", law, "",
  "How many of 8 chains, started from the prior, are within a distance of 1 of the fit (`sampler = \"mcmc\"`",
  "takes 2,700 steps by default).", "",
  "| n | directions | bounds | after 1000 steps | 2700 | 8000 |", "|---:|---:|---:|---:|---:|---:|", chains,
  "",
  "Root mean square error of the eight slopes of a release with `sampler = \"mcmc\"`, its default directions",
  "and steps, and bounds of 50: the median of 20 data sets, and how many of these have an error below 1.", "",
  "| n | directions | aim | error | least squares, not private | near |", "|---:|---:|---:|---:|---:|---:|",
  errors
))

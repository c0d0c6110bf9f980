# Limits of the noise alone, from its public law.

# P(|Z| <= k), summed.
inside <- function(law, k) {
  z <- seq(-2e4, 2e4)
  weight <- if (law$noise == "Laplace") exp(-law$rate * abs(z)) else exp(-z^2 / (2 * law$variance))
  sum(weight[abs(z) <= k]) / sum(weight)
}

test_that("quantiles of the noise are the least that have the level", {
  laws <- c(lapply(c(0.005, 0.1, 1, 40), function(rate) list(noise = "Laplace", rate = rate)),
            lapply(c(0.05, 1, 1000), function(v) list(noise = "Gaussian", variance = v)))
  for (law in laws) {
    for (level in c(0.01, 0.5, 0.95, 0.999)) {
      k <- noise_reach(law, level)
      expect_gte(inside(law, k), level * (1 - 1e-9))
      if (k > 0) expect_lt(inside(law, k - 1), level)
    }
  }
  wide <- list(noise = "Gaussian", variance = 2^40)
  expect_identical(noise_reach(wide, 0.95), ceiling(2^20 * stats::qnorm(0.975)))
})

test_that("a mean's and a histogram's limits have the level that they name, and say that they are of noise", {
  set.seed(27)
  x <- cbind(a = c(0, 1, 1, 3), b = c(2, 2, 7, 9))
  clipped <- c(a = 1.25, b = 4.75)
  for (how in list(list(4), list(2, delta = 1e-3), list(4, neighbours = "add_remove"))) {
    covered <- replicate(1000, {
      r <- suppressWarnings(do.call(dp_mean, c(list(x, lower = 0, upper = c(2, 8), rng = "R"), how)))
      limits <- confint(r, level = 0.8)
      expect_identical(colnames(limits), c("noise 10 %", "noise 90 %"))
      limits[, 1] <= clipped - c(0.25, 0) & clipped - c(0.25, 0) <= limits[, 2]
    })
    miss <- rowSums(!covered)
    expect_true(all(miss <= stats::qbinom(1 - ALPHA / 12, 1000, 0.2)))
    # two sums share the level where n is private
    if (is.null(how$neighbours)) expect_true(all(miss >= stats::qbinom(ALPHA / 12, 1000, 0.2)))
  }
  counts <- dp_histogram(c(1, 1, 2), 1, breaks = 0:3, rng = "R")
  k <- noise_reach(list(noise = "Laplace", rate = 0.5), 0.95)
  expect_equal(unname(confint(counts)), unname(coef(counts) + cbind(rep(-k, 3), k)))
  frame <- tidy(counts, conf.int = TRUE, conf.level = 0.95)
  expect_identical(frame$conf.high - frame$estimate, rep(k, 3))
  expect_identical(frame$conf.of, rep("noise", 3))
  expect_error(confint(counts, level = 2), class = "dpdepth_error_input")
  expect_no_match(format(counts), "noise_form")
  expect_error(confint(dp_median(1:9, 9, lower = 0, upper = 9)), "no confidence interval")
})

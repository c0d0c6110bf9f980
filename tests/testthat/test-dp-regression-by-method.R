# The doors of one method: the same release as by the front door, and arguments of their own.

test_that("a method by its own door is that of the front door, to the bit", {
  doors <- list(exponential = dp_regression_exponential, batches = dp_regression_batches,
                deepest = dp_regression_deepest, medsweep = dp_regression_medsweep)
  set.seed(81)
  d <- data.frame(x = rnorm(400)) # public-rng: simulated data
  d$y <- d$x + rnorm(400) # public-rng: simulated data
  for (method in names(doors)) {
    delta <- if (method %in% c("deepest", "medsweep")) list(delta = 1e-6)
    ask <- function(door, ...) {
      set.seed(82)
      given <- c(list(y ~ x, d, 4), delta, list(lower = -9, upper = 9, rng = "R", ...))
      made <- suppressWarnings(do.call(door, given))
      made[c("estimate", "epsilon", "delta", "guarantee", "mechanism", "exact")]
    }
    expect_identical(ask(doors[[method]]), ask(dp_regression, method = method), label = method)
  }
})

test_that("what a method takes alone is its own door's, and others say so", {
  fit <- dp_regression_batches(dist ~ speed, cars, 9, lower = -99, upper = 99, size = 5, rng = "R")
  expect_identical(fit$details$batches, 10L)
  e <- expect_error(dp_regression(dist ~ speed, cars, 9, lower = -99, upper = 99, size = 5),
                    "argument of `dp_regression_batches\\(\\)`", class = "dpdepth_error_input")
  expect_identical(e$arg, "size")
  expect_error(dp_regression_deepest(dist ~ speed, cars, 9, 1e-6, lower = -99, upper = 99, size = 5),
               "size", class = "dpdepth_error_input")
})

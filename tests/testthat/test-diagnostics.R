# Convergence of the chains, without privacy.

spread <- matrix(stats::qnorm((outer(1:60, c(0.618034, 0.7548777, 0.5698403)) + 0.5) %% 1), ncol = 3)

test_that("diagnostics are marked as not private and see convergence", {
  found <- sampler_diagnostics(spread, 1, lower = -2, upper = 2, directions = 12, steps = 4000)
  expect_s3_class(found, "nonprivate")
  expect_named(found$value, c("variable", "rhat", "ess"))
  expect_true(all(found$value$rhat < 1.1 & found$value$ess > 50))
  expect_equal(split_rhat(matrix(rep(c(1, 1, 5, 5), 4), 4)), Inf)
  independent <- matrix(qnorm(((seq_len(4000) * 0.618034) %% 1)), 1000)
  expect_lt(abs(split_rhat(independent) - 1), 0.01)
  drift <- matrix(seq_len(4000), 1000)
  expect_gt(split_rhat(drift), 2)
})

test_that("the effective size is that of an autoregression, and small where chains differ", {
  set.seed(12)
  chains <- vapply(1:4, function(k) as.vector(stats::arima.sim(list(ar = 0.6), 2000)), numeric(2000))
  # n (1 - 0.6)/(1 + 0.6), to a fifth
  expect_equal(effective_size(chains), 8000 / 4, tolerance = 0.2)
  expect_lt(effective_size(sweep(chains, 2, c(-9, -3, 3, 9), `+`)), 20)
})

test_that("diagnostics run the chain of the release: of the projection median too, and under a covariance", {
  skip_on_cran()
  set.seed(11)
  people <- cbind(height = rnorm(5000, 170, 10), weight = rnorm(5000, 75, 14))
  value <- sampler_diagnostics(people, 8, 1e-4, method = "projection", directions = 20, units = 10,
                               steps = 2000, rng = "R")$value
  expect_identical(value$variable, c("height", "weight"))
  expect_true(all(value$rhat < 1.1) && all(value$ess > 50))
  prior <- prior_normal(c(170, 75), covariance = matrix(c(400, 200, 200, 400), 2))
  value <- sampler_diagnostics(people, 0.1, prior = prior, directions = 20, steps = 2000, rng = "R")$value
  expect_true(all(value$rhat < 1.1) && all(value$ess > 50))
})

test_that("diagnostics refuse what the release would not take", {
  refused <- function(arg, ...) {
    e <- expect_error(sampler_diagnostics(spread, 1, ...), class = "dpdepth_error_input")
    expect_identical(e$arg, arg)
  }
  refused("steps", lower = -1, upper = 1, steps = 4)
  refused("steps", 1e-4, method = "projection", steps = 3)
  refused("lower")
  refused("prior", lower = -1, upper = 1, prior = prior_uniform(0, 1))
  refused("upper", 1e-4, upper = 1, method = "projection")
  refused("sampler", lower = -1, upper = 1, sampler = "langevin")
  refused("units", lower = -1, upper = 1, units = 3)
  refused("weights", lower = -1, upper = 1, weights = 3)
})

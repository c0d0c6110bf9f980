# plan_test(): power against tests of simulated samples, critical scores against p-values, refusals.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

test_that("the power of one sample is that of the test itself, score by score", {
  n <- 40
  rate <- rate_of(0.8)
  each <- rate[[1]] / rate[[2]]
  z <- -150:190
  noise <- exp(-each * abs(z)) * tanh(each / 2)
  for (alternative in c("two.sided", "greater")) {
    sided <- alternative == "two.sided"
    law <- if (sided) smaller_count(n) else stats::dbinom(0:n, n, 0.5)
    above <- stats::dbinom(0:n, n, stats::pnorm(0.5))
    power <- sum(vapply(0:n, function(k) {
      score <- if (sided) min(k, n - k) else n - k
      rejects <- vapply(score + z, function(s) test_p_value(s, law, each), 0) <= 0.05
      above[[k + 1]] * sum(noise[rejects])
    }, 0))
    expect_equal(plan_test(n, 0.8, 0.5, alternative = alternative)$power, power, tolerance = 1e-6)
  }
  # without an effect it is at most the level
  for (task in c("one", "two", "trend")) expect_lte(plan_test(150, 1, 0, task = task)$power, 0.0501)
})

test_that("the power of two samples and of trends is about that of simulated tests", {
  skip_on_cran()
  set.seed(31)
  runs <- 150
  found <- c(
    two = mean(replicate(runs, {
      dp_test(stats::rnorm(100), 1, stats::rnorm(100, 0.5), test = "quadrant", rng = "R")$p.value <= 0.05
    })),
    trend = mean(replicate(runs, {
      x <- stats::rnorm(200)
      rows <- data.frame(x, y = 0.3 * x + sqrt(0.91) * stats::rnorm(200))
      dp_test(y ~ x, 1, data = rows, rng = "R")$p.value <= 0.05
    }))
  )
  planned <- c(two = plan_test(200, 1, 0.5, task = "two")$power,
               trend = plan_test(200, 1, 0.3, task = "trend")$power)
  error <- stats::qnorm(1 - ALPHA / 2) * sqrt(planned * (1 - planned) / runs)
  expect_true(all(abs(found - planned) <= error + 0.03))
  expect_gt(abs(found[["two"]] - plan_test(200, 1, 1, task = "two")$power), error[["two"]])
})

test_that("sizes sought give the power", {
  found <- plan_test(epsilon = 1, effect = 0.2, power = 0.8)
  expect_gte(found$power, 0.8)
  expect_lt(plan_test(floor(0.95 * found$n), 1, 0.2)$power, 0.8)
  expect_gte(plan_test(400, effect = 0.3, power = 0.9, task = "trend")$power, 0.9)
  expect_gt(found$public, found$power)
  refused <- function(code, text) expect_error(code, text, class = "dpdepth_error_input")
  refused(plan_test(20, effect = 0.01, power = 0.9), "`power` must be reachable")
  refused(plan_test(20, 1), "`effect` must be given")
  refused(plan_test(20, 1, 2, task = "trend"), "effect")
  refused(plan_test(20, 1, 1, power = 0.9), "NULL with `n` and `epsilon`")
  refused(plan_test(20, effect = 1, power = 1.5), "power")
  refused(plan_test(20, 1, 1, "three"), "power")
  refused(plan_test(20, 1, 1, tau = 1), "tau")
})

test_that("a plan prints and is drawn", {
  plan <- plan_test(200, 1, 0.2)
  expect_output(print(plan), "Power of a sign test of one sample, n = 200, epsilon = 1")
  expect_pictures(plan)
})

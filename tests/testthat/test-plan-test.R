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

test_that("rank tests are planned by their moments, which without effect are those of the hypothesis", {
  skip_on_cran()
  two <- pairs_moments(30, 41, 0)
  expect_equal(unlist(two), c(mean = 615, sd = sqrt(30 * 41 * 72 / 12)), tolerance = 1e-9)
  one <- signed_moments(40, 0)
  expect_equal(unlist(one), c(mean = 410, sd = sqrt(40 * 41 * 81 / 24)), tolerance = 1e-9)
  # two pairs of rows by hand: P(x > y) and P(x > y, x > y')
  x <- stats::qnorm((seq_len(400) - 0.5) / 400)
  above <- stats::pnorm(x + 1)
  few <- pairs_moments(1, 2, 1)
  expect_equal(few$mean, 2 * mean(above), tolerance = 1e-3)
  expect_equal(few$sd^2, 2 * mean(above) + 2 * mean(above^2) - 4 * mean(above)^2, tolerance = 1e-2)
  # pairs in order: without effect as ranks have them; all of them at correlation 1
  expect_equal(unlist(kendall_moments(40, 0)), c(mean = 390, sd = sqrt(40 * 39 * 85 / 72)), tolerance = 1e-9)
  expect_equal(unlist(kendall_moments(40, 1)), c(mean = 780, sd = 0), tolerance = 1e-9)
  # one pair is in order or not
  expect_equal(kendall_moments(2, 0.4)$sd^2, (0.5 + asin(0.4) / pi) * (0.5 - asin(0.4) / pi))
  for (task in c("one", "two", "groups", "trend")) {
    expect_lte(plan_test(150, 1, 0, task = task, test = "rank")$power, 0.0502)
    expect_gt(plan_test(150, 1, 0, task = task, test = "rank")$power, 0.04)
  }
  plan <- plan_test(200, 1, 0.64, task = "two", effect_as = "probability")
  # it is shown as it was given
  expect_identical(plan$effect, 0.64)
  shown <- paste(format(plan), collapse = " ")
  expect_match(shown, "0.64", fixed = TRUE)
  expect_match(shown, "probability that a row is above one of the other sample; a shift of 0.507")
  shift <- sqrt(2) * stats::qnorm(0.64)
  expect_identical(plan$power, plan_test(200, 1, shift, task = "two")$power)
  expect_gt(plan$power, plan_test(200, 1, shift, task = "two", test = "quadrant")$power)
  expect_gt(plan$power, plan_test(200, 1, shift, task = "groups")$power)
  expect_output(print(plan), "Power of a Mann-Whitney test of two samples, n = 200")
  expect_pictures(plan_test(60, 1, 0.5, test = "balance"))
  expect_error(plan_test(20, 1, 0.3, task = "trend", effect_as = "probability"), "effect_as",
               class = "dpdepth_error_input")
  expect_error(plan_test(20, 1, 0.3, task = "trend", test = "sign"), "test", class = "dpdepth_error_input")
  expect_error(plan_test(20, 1, 0.3, task = "two", share = 0.1), "share", class = "dpdepth_error_input")
  skip_on_cran()
  set.seed(32)
  found <- mean(replicate(150, {
    rows <- data.frame(v = stats::rnorm(80) + rep(c(0, 0.7), 40), g = rep(c(FALSE, TRUE), 40))
    dp_test(v ~ g, 1, data = rows, rng = "R")$p.value <= 0.05
  }))
  planned <- plan_test(80, 1, 0.7, task = "groups")$power
  expect_lt(abs(found - planned), stats::qnorm(1 - ALPHA / 2) * sqrt(planned * (1 - planned) / 150) + 0.03)
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

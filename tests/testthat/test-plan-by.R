# plan_by(): what each group's release has, and refusals.

test_that("private groups have the errors of the releases that dp_by() makes", {
  sizes <- c(a = 300, b = 700)
  median <- plan_by(sizes, epsilon = 1, d = 1, lower = 0, upper = 100)
  whole <- plan_median(n = 300, d = 1, epsilon = 1, lower = 0, upper = 100)
  expect_identical(median$error[[1]], whole$error[whole$chosen])
  expect_identical(median$each, c(0.5, 0.5))
  expect_identical(median$group, c("a", "b"))
  counts <- plan_by(sizes, plan = plan_histogram, epsilon = 1)
  # the noise of the release itself
  x <- factor(rep("u", 1000), c("u", "v"))
  made <- dp_by(x, factor(rep(c("a", "b"), c(300, 700))), dp_histogram, 1, rng = "R")
  expect_identical(counts$noise_sd[[1]], made$releases$a$details$noise_sd)
  quartiles <- plan_by(sizes, plan = plan_quantile, epsilon = 1, lower = 0, upper = 100)
  expect_identical(quartiles$error[1:3], plan_quantile(300, epsilon = 0.5, lower = 0, upper = 100)$error)
  lines <- plan_by(sizes, plan = plan_regression, epsilon = 1, p = 1, lower = -50, upper = 50)
  expect_identical(lines$method, rep("exponential", 2))
  means <- plan_by(sizes, plan = plan_mean, epsilon = 1, lower = 0, upper = 100)
  alone <- plan_mean(300, epsilon = 0.5, lower = 0, upper = 100, neighbours = "add_remove")
  expect_identical(means$error[[1]], alone$error[[1]])
  more <- plan_by(sizes, epsilon = 1, neighbours = "add_remove", d = 1, lower = 0, upper = 100)
  expect_identical(more$error, plan_by(sizes, epsilon = 2, d = 1, lower = 0, upper = 100)$error)
  open <- plan_by(sizes, plan = plan_mestimate, epsilon = 1, groups = "public", lower = 0, upper = 100,
                  scale = 9)
  expect_identical(open$each, c(1, 1))
  expect_equal(plan_curve(median)$value[[7]], max(median$error))
})

test_that("what cannot be planned is refused", {
  refused <- function(...) expect_error(plan_by(...), class = "dpdepth_error_input")
  refused(c(10, 2.5), epsilon = 1, d = 1)
  refused(100, plan = mean, epsilon = 1)
  refused(100, epsilon = 1, delta = 1e-6, d = 1)
  refused(100, plan = plan_mestimate, epsilon = 1, lower = 0, upper = 1, scale = 1)
  refused(100, epsilon = 1, d = 1, lower = 0, upper = 9, width = 0.1)
  refused(100, d = 1, lower = 0, upper = 9)
  refused(100, d = 1, lower = 0, upper = 9, error = -1)
  refused(100, lower = 0, error = 1) # the planner's own
  refused(100, epsilon = 1, plan = plan_mean, lower = 0, upper = 9, error = 1e-30)
  refused(100, epsilon = 1, d = 1, lower = 0, upper = 9, weights = 1)
  refused(5000, plan = plan_regression, epsilon = 1, p = 8, lower = -9, upper = 9)
})

test_that("what the planner cannot do without is named with it", {
  expect_identical(plan_by(100, epsilon = 1)$d, 1L)
  expect_error(plan_by(100, epsilon = 1, plan = plan_regression), "`p` must be given for plan = plan_regr",
               class = "dpdepth_error_input")
})

test_that("the least epsilon and the least number of rows give the error that is wanted", {
  sizes <- c(a = 300, b = 700)
  worst <- function(...) max(plan_by(..., lower = 0, upper = 100)$error)
  found <- plan_by(sizes, plan = plan_mean, lower = 0, upper = 100, error = 0.5)
  expect_lte(max(found$error), 0.5)
  expect_gt(worst(sizes, plan = plan_mean, epsilon = found$epsilon[[1]] * 0.99), 0.5)
  expect_identical(found$n, c(300L, 700L))
  rows <- plan_by(sizes, plan = plan_mean, epsilon = 1, lower = 0, upper = 100, error = 0.5)
  expect_lte(max(rows$error), 0.5)
  expect_equal(rows$n[[1]] / sum(rows$n), 0.3, tolerance = 0.01)
  expect_gt(worst(round(rows$n * 0.97), plan = plan_mean, epsilon = 1), 0.5)
  quartiles <- plan_by(sizes, plan = plan_quantile, lower = 0, upper = 100, error = 0.5)
  expect_lte(max(quartiles$error), 0.5)
  # of private groups a planner is asked with another epsilon
  medians <- plan_by(c(1, 3), epsilon = 1, d = 1, lower = 0, upper = 100, error = 0.1)
  expect_lte(max(medians$error), 0.1)
  expect_gt(worst(round(medians$n * 0.97), epsilon = 1, d = 1), 0.1)
})

test_that("several epsilons give the rows of the plan of each", {
  sizes <- c(a = 100, b = 300)
  of <- function(epsilon) {
    plan_by(sizes, plan = plan_mean, epsilon = epsilon, lower = 0, upper = 10, spread = 2)
  }
  found <- of(c(0.5, 1))
  expect_identical(class(found), "data.frame")
  expect_identical(found, rbind(tidy(of(0.5)), tidy(of(1))))
  expect_error(of(c(1, -1)), "another number in place 2", class = "dpdepth_error_input")
})

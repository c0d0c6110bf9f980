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
  refused(100, epsilon = 1, d = 1, lower = 0, upper = 9, error = 0.1)
  refused(100, epsilon = 1, d = 1, lower = 0, upper = 9, weights = 1)
  refused(5000, plan = plan_regression, epsilon = 1, p = 8, lower = -9, upper = 9)
})

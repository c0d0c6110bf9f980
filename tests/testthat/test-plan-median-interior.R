# plan_median(method = "interior"): chances and errors against releases.

test_that("chances and errors are those of releases", {
  set.seed(92)
  for (n in c(500, 1500)) {
    plan <- interior_average(n, interior_plan(1, 1e-6))
    made <- vapply(1:40, function(i) {
      at <- stats::runif(1, -50, 50)
      size <- exp(stats::runif(1))
      x <- stats::rnorm(n, at, size)
      r <- suppressWarnings(dp_median(x, 1, 1e-6, method = "interior", rng = "R"))
      (unname(coef(r)) - stats::median(x)) / size
    }, 0)
    # a chance that is a model's: within 0.3 of it
    expect_lt(abs(mean(!is.na(made)) - plan$chance), 0.3)
    expect_lt(sqrt(mean(made^2, na.rm = TRUE)), 3 * plan$error)
    expect_gt(sqrt(mean(made^2, na.rm = TRUE)), plan$error / 3)
  }
})

test_that("the method has a row, and is planned by its name", {
  p <- plan_median(n = 800, d = 1, epsilon = 1, delta = 1e-6)
  expect_false(p$chosen[p$method == "interior"])
  expect_true(plan_median(n = 300, d = 1, epsilon = 1, delta = 1e-6, method = "interior")$beyond)
  found <- plan_median(d = 1, epsilon = 1, delta = 1e-6, error = 0.1, method = "interior")
  expect_true(found$n > 500 && found$n < 700 && found$failure <= 0.05)
  refused <- function(...) {
    expect_error(plan_median(n = 800, ..., epsilon = 1, method = "interior"), class = "dpdepth_error_input")
  }
  refused(d = 2, delta = 1e-6)
  refused(d = 1)
  refused(d = 1, delta = 1e-6, lower = 0, upper = 1)
  expect_equal(two_bins(c(0.5, 0.5, 0.5)), 0.5)
})

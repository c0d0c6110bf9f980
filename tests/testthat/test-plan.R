# What plans share: which of n, epsilon and error is sought, and a print's head.

test_that("one of three numbers is sought, the others are checked", {
  expect_identical(check_plan(NULL, 1L, 0.5), list(n = NULL, epsilon = 1, error = 0.5))
  expect_identical(check_plan(100, NULL, 2), list(n = 100L, epsilon = NULL, error = 2))
  expect_identical(check_plan(100, 1, NULL), list(n = 100L, epsilon = 1, error = NULL))
  wrong <- function(arg, ...) {
    e <- expect_error(check_plan(...), class = "dpdepth_error_input")
    expect_identical(e$arg, arg)
  }
  wrong("error", 100, 1, 0.5)
  # what is missing is named
  wrong("epsilon", 100, NULL, NULL)
  wrong("epsilon", NULL, NULL, NULL)
  wrong("n", 0.5, 1, NULL)
  wrong("epsilon", 100, 0, NULL)
  wrong("error", 100, NULL, 0)
})

test_that("a plan's head names its class, what is expected, and its public numbers", {
  plan <- structure(data.frame(n = 12000, d = 3, epsilon = 1 / 3), class = c("median_plan", "data.frame"))
  expect_identical(paste(plan_head(plan, "Expected error", "d", 2), collapse = " "),
                   "<median_plan> Expected error, n = 12,000, d = 3, epsilon = 0.33")
})

test_that("plans between wide limits say that ties need a resolution, others do not", {
  for (plan in list(plan_median(200, 1, 1, lower = -1e6, upper = 1e6, spread = 1), plan_median(200, 1, 1),
                    plan_quantile(200, 0.5, 1, lower = -1e6, upper = 1e6, spread = 1))) {
    expect_output(print(plan), "many zeros give\\s+dp_(median|quantile)\\(\\) a `resolution`")
  }
  tight <- utils::capture.output(print(plan_median(200, 1, 1, lower = -10, upper = 10, spread = 1)))
  expect_false(any(grepl("resolution", tight)))
  expect_output(print(plan_quantile(40, 0.5, 1, lower = -10, upper = 10, spread = 1)), "failure: 0.[0-9]+%")
})

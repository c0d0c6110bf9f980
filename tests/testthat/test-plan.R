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

# What plans share: the least number that will do, and which of n, epsilon and error is sought.

test_that("the least number that will do, within the ratio, or NA beyond the end", {
  for (least in c(1.5, 37.3, 1e4)) {
    for (ratio in c(1.1, 1 + 1e-6)) {
      asked <- 0
      found <- search_minimum(function(v) {
        asked <<- asked + 1
        v >= least
      }, 1, 1e6, ratio)
      expect_gte(found, least)
      expect_lte(found, least * ratio)
      expect_lt(asked, 60)
    }
  }
  expect_identical(search_minimum(function(v) v >= 1000, 1, 500, 1.1), NA_real_)
  expect_identical(search_minimum(function(v) FALSE, 1, 500, 1.1), NA_real_)
  # what does at once: no less than the start
  expect_gte(search_minimum(function(v) TRUE, 3, 500, 1.01), 3)
  expect_identical(bisect_minimum(function(v) stop("not asked"), 4, 4.1, 1.1), 4.1)
})

test_that("one of three numbers is sought, the others are checked", {
  expect_identical(check_plan(NULL, 1L, 0.5), list(n = NULL, epsilon = 1, error = 0.5))
  expect_identical(check_plan(100, NULL, 2), list(n = 100L, epsilon = NULL, error = 2))
  expect_identical(check_plan(100, 1, NULL), list(n = 100L, epsilon = 1, error = NULL))
  wrong <- function(arg, ...) {
    e <- expect_error(check_plan(...), class = "dpdepth_error_input")
    expect_identical(e$arg, arg)
  }
  wrong("error", 100, 1, 0.5)
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

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

test_that("several n and epsilons give the rows of the plan of each pair", {
  found <- plan_mean(n = c(200, 1000), epsilon = c(0.5, 1), lower = 0, upper = 110, spread = 20)
  expect_identical(class(found), "data.frame")
  expect_identical(found$n, rep(c(200L, 1000L), 2))
  expect_identical(found$epsilon, rep(c(0.5, 1), each = 2))
  expect_identical(found[3, ], tidy(plan_mean(n = 200, epsilon = 1, lower = 0, upper = 110, spread = 20)),
                   ignore_attr = "row.names")
  sought <- plan_median(epsilon = c(0.5, 1), lower = 0, upper = 9, spread = 1, error = 0.1)
  expect_identical(sought$n, vapply(c(0.5, 1), function(epsilon) {
    plan_median(epsilon = epsilon, lower = 0, upper = 9, spread = 1, error = 0.1)$n
  }, 0L))
  # every plan of n and epsilon
  two <- c(500, 1000)
  plans <- list(plan_quantile(two, epsilon = 1, lower = 0, upper = 9), plan_histogram(two, 1),
                plan_regression(two, 1, 1, lower = -9, upper = 9), plan_test(two, 1, effect = 0.2),
                plan_summary(two, list(sex = 2), 1), plan_depth(two, 1), plan_correlation(two, epsilon = 1),
                plan_ecdf(two, 1, lower = 0, upper = 9), plan_median(two, interval = 0.9, epsilon = 1,
                                                                     lower = 0, upper = 9))
  for (plan in plans) expect_true(identical(class(plan), "data.frame") && setequal(plan$n, two))
  expect_error(plan_median(n = list(1, 2), epsilon = 1, lower = 0, upper = 9), "`n` must be one number",
               class = "dpdepth_error_input")
  expect_error(plan_median(n = 9:10, epsilon = c(1, -1), lower = 0, upper = 9), class = "dpdepth_error_input")
})

# Plans of intervals: print and pictures.

test_that("print and pictures", {
  skip_on_cran()
  plan <- plan_quantile(5000, c(0.1, 0.5), 1, lower = 0, upper = 100, spread = 10, interval = 0.95)
  expect_snapshot(print(plan))
  expect_output(print(plan_median(55, 1, 1, lower = 0, upper = 1e6, spread = 1, interval = 0.95)), "far out")
  expect_identical(class(tidy(plan)), "data.frame")
  expect_identical(class(plan[1, ]), class(plan))
  expect_pictures(plan)
})

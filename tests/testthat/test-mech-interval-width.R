# Expected widths of intervals, and the shares of epsilon that are chosen by them. Widths against draws:
# test-plan-interval.R.

test_that("quick widths are near the fine ones", {
  for (case in list(c(100, 1), c(1000, 0.2), c(5000, 4))) {
    plan <- interval_plan_of(case[[1]], 0.5, 0.95, case[[2]])
    fine <- limits_width(case[[1]], plan, 100)$width
    expect_lt(abs(limits_width(case[[1]], plan, 100, fine = FALSE)$width / fine - 1), 0.01)
  }
})

test_that("shares are chosen by public numbers: narrower with few rows, the standard ones with many", {
  width <- function(plan) limits_width(plan$n, plan, 100)$width
  for (case in list(c(80, 1), c(100, 4), c(1000, 0.2))) {
    plans <- lapply(c(TRUE, FALSE), function(choose) {
      c(interval_plan(case[[1]], 0.5, 0.95, case[[2]], choose), n = case[[1]])
    })
    expect_lt(width(plans[[1]]), 0.98 * width(plans[[2]]))
  }
  expect_identical(interval_plan(60000, 0.5, 0.95, 1)$shares, interval_shares)
  expect_identical(interval_plans(500, 1:11 / 12, 0.95, 1)[[4]]$shares, interval_shares)
  expect_identical(unname(vapply(interval_menu, sum, 0L)), rep(40L, length(interval_menu)))
})

# Expected widths of intervals, and the shares of epsilon that are chosen by them. Widths against draws:
# test-plan-interval.R.

test_that("quick widths are near the fine ones", {
  for (case in list(c(100, 1), c(1000, 0.2), c(5000, 4))) {
    plan <- interval_plan_of(case[[1]], 0.5, 0.95, case[[2]])
    fine <- limits_width(case[[1]], plan, 100)$width
    expect_lt(abs(limits_width(case[[1]], plan, 100, fine = FALSE)$width / fine - 1), 0.01)
  }
})

test_that("where cells are wider than the rows' spread the width is that of cells", {
  # without a centre, of draws: 10, 1000 and 10,000
  for (case in list(c(131, 1e4), c(131, 1e6), c(150, 1e7))) {
    plan <- interval_plan_of(case[[1]], 0.5, 0.95, 1, interval_shares(0L))
    cell <- 2 * case[[2]] / plan$cells
    for (fine in c(TRUE, FALSE)) {
      width <- limits_width(case[[1]], plan, case[[2]], fine)$width
      expect_true(width > 0.9 * cell && width < 1.6 * cell)
    }
  }
})

test_that("shares are chosen by public numbers: narrower with few rows, the standard ones with many", {
  loss <- function(plan) mean(log(door_widths(plan$n, plan, c(10, 100))))
  for (case in list(c(80, 1), c(100, 4), c(1000, 0.2))) {
    own <- interval_plan(case[[1]], 0.5, 0.95, case[[2]], reach = 100)
    expect_lt(loss(own), loss(interval_plan_of(case[[1]], 0.5, 0.95, case[[2]])) - 0.015)
  }
  expect_identical(interval_plan(60000, 0.5, 0.95, 1)$shares, interval_shares(100L))
  expect_identical(interval_plans(500, 1:11 / 12, 0.95, 1)[[6]]$shares, interval_shares(250L))
  expect_identical(interval_plans(500, 1:11 / 12, 0.95, 1)[[1]]$shares, interval_shares())
  for (centre in centre_menu) for (rest in scan_menu) {
    expect_identical(sum(interval_shares(centre, rest)), 1000L)
  }
})

test_that("of a plan with a centre quick widths are near the fine ones, and wide limits cost what is lost", {
  for (n in c(200, 1000, 5000)) {
    plan <- interval_plan(n, 0.5, 0.95, 1)
    expect_gt(plan$shares[["centre"]], 0)
    fine <- limits_width(n, plan, 100)$width
    expect_lt(abs(limits_width(n, plan, 100, fine = FALSE)$width / fine - 1), 0.05)
    expect_lt(abs(limits_width(n, plan, 1e6)$width / fine - 1), 0.05)
  }
  # where the centre has too little, the plan says so
  poor <- interval_plan_of(200, 0.5, 0.95, 1, interval_shares(200L))
  expect_gt(limits_width(200, poor, 1e7)$width, 1e4)
  expect_gt(plan_lost(poor, 1e7), 0.5)
  expect_lt(plan_lost(interval_plan(200, 0.5, 0.95, 1), 1e7), 0.01)
})

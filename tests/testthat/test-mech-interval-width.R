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
  skip_on_cran()
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

# A count of 300 draws, at most ALPHA each way; within a factor of 1.5 for rows that are no expectation.
test_that("limits are far out as often as is said, with a centre and without; the former rule is rejected", {
  skip_on_cran()
  set.seed(27)
  prior <- prior_uniform(-25, 25)
  seen <- function(plan) {
    far <- vapply(seq_len(300), function(i) {
      it <- draw_interval(matrix(stats::rnorm(plan$n)), plan, prior, "R")[1, 1:2]
      max(it[[2]] - stats::qnorm(plan$prob), stats::qnorm(plan$prob) - it[[1]]) > far_spreads
    }, NA)
    sum(far)
  }
  fits <- function(count, failure) {
    stats::pbinom(count, 300, failure / 1.5) > ALPHA &&
      stats::pbinom(count - 1, 300, min(1, 1.5 * failure), lower.tail = FALSE) > ALPHA
  }
  often <- list(c(60, 0.5, 1, 0), c(272, 0.1, 1, 0), c(200, 0.9, 1, 0), c(125, 0.5, 1, 500))
  for (case in often) {
    plan <- interval_plan_of(case[[1]], case[[2]], 0.95, case[[3]], interval_shares(case[[4]]))
    count <- seen(plan)
    expect_true(fits(count, interval_failure(plan)(line_of(1 / 50))))
    # the sum over all points of the grid, which was the rule
    if (case[[1]] == 272) expect_false(fits(count, min(1, 2 * max(plan$early))))
  }
  # and where nothing is said there is nothing to be said
  for (case in list(c(80, 0.5, 1), c(272, 0.25, 2 / 3), c(400, 0.1, 1), c(200, 0.5, 1))) {
    plan <- interval_plan(case[[1]], case[[2]], 0.95, case[[3]])
    expect_silent(warn_interval(list(plan)))
    expect_lte(seen(plan), stats::qbinom(ALPHA, 300, resolved_failure, lower.tail = FALSE))
  }
})

test_that("a smaller spread fails as often or more, and a dyadic prior at any distance", {
  for (plan in list(interval_plan(70, 0.5, 0.95, 1), interval_plan(170, 0.5, 0.95, 1))) {
    failure <- vapply(10^-(1:7), function(share) interval_failure(plan)(line_of(share)), 0)
    expect_false(is.unsorted(failure))
    expect_gte(interval_failure(plan, dyadic = TRUE)(line_of(0.01)), failure[[2]])
  }
})

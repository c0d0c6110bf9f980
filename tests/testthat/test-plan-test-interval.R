# Planned widths of limits of two samples: against those of simulated releases, searches, refusals.

test_that("widths are about those of releases", {
  skip_on_cran()
  set.seed(15)
  for (test in c("rank", "sign")) {
    planned <- plan_test(400, 1, interval = 0.9, test = test, share = 0.4)
    width <- replicate(40, {
      limits <- suppressWarnings(dp_test(stats::rnorm(160), 1, stats::rnorm(240), test = test, interval = 0.9,
                                         lower = -100, upper = 100, rng = "R"), "dpdepth_warning")$interval
      diff(limits[nrow(limits), ])
    })
    expect_lt(abs(log(stats::median(width) / planned$width)), 0.2)
    expect_gt(planned$width, planned$sampling)
  }
})

# (All planned widths are drawn by one method, which test-plan.R looks at.)
test_that("rows and epsilon are sought, and plans print", {
  skip_on_cran()
  found <- plan_test(epsilon = 1, interval = 0.95, width = 0.6)
  expect_lte(found$width, 0.6)
  expect_gt(two_samples_width(0.9 * found$n, 1, "rank", 0.5, 0.95)$width, 0.6)
  # limits of medians, whose plans take half the time
  budget <- plan_test(600, interval = 0.95, width = 0.9, test = "sign")$epsilon
  expect_lte(two_samples_width(600, budget, "sign", 0.5, 0.95)$width, 0.9)
  expect_gt(two_samples_width(600, 0.9 * budget, "sign", 0.5, 0.95)$width, 0.9)
  # without privacy as by Hodges and Lehmann, and by medians
  plan <- plan_test(500, 1, interval = 0.95, test = "sign")
  expect_equal(plan$sampling, 2 * 1.959964 * sqrt(pi / 250), tolerance = 1e-6)
  expect_equal(plan_test(2000, 1, interval = 0.95)$sampling, 2 * 1.959964 * sqrt(pi / 1500), tolerance = 1e-6)
  expect_output(print(plan), "the difference of medians")
})

test_that("what belongs to power is refused, and so are few rows", {
  refused <- function(text, ...) {
    expect_error(plan_test(..., interval = 0.95), text, class = "dpdepth_error_input")
  }
  refused("`effect` must be left out", 100, 1, effect = 1)
  refused("`power` must be left out", 100, power = 0.8)
  refused("`task` must be \"two\"", 100, 1, task = "one")
  refused("`share`", 100, 1, share = 0.9)
  refused("`test`", 100, 1, test = "balance")
  refused("at least 41 rows", 60, 1)
  refused("width", 1000, 1, width = 1)
  expect_error(plan_test(100, 1, 0.5, width = 1), "width", class = "dpdepth_error_input")
})

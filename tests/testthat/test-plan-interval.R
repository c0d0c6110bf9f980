# Plans of intervals: widths against draws, sizes that are sought, refusals, prints, pictures.

test_that("widths of one variable are those of draws", {
  skip_on_cran()
  set.seed(1)
  for (case in list(list(n = 200, p = 0.5, epsilon = 1, half = 100),
                    list(n = 2000, p = 0.9, epsilon = 0.5, half = 20),
                    list(n = 5000, p = 0.05, epsilon = 4, half = 1000))) {
    x <- matrix(stats::qnorm((seq_len(case$n) - 0.5) / case$n))
    prior <- prior_uniform(-case$half, case$half)
    limits <- draw_interval(x, interval_plan(case$n, case$p, 0.95, case$epsilon), prior, "R", draws = 400L)
    seen <- limits[, 2] - limits[, 1]
    plan <- quantile_width(case$n, case$p, 0.95, case$epsilon, case$half)
    expect_lt(abs(plan$width / mean(seen) - 1), 0.02 + 5 * stats::sd(seen) / 20 / mean(seen))
  }
})

test_that("discs and slabs are as wide as simulations had them", {
  skip_on_cran()
  # means of 50 samples, with standard errors of 1.5 to 3%
  prior <- prior_uniform(c(-50, -50), c(50, 50))
  expect_lt(abs(log(disc_width(4000, 1, 0.95, prior, 1 / 50)[["width"]] * 50 / 0.147)), 0.06)
  line <- line_width(4000, 1, 0.95, prior, 1, 1)$width
  expect_lt(abs(log(line[[1]] / 0.1526)), 0.06)
  # slabs are those of these limits, each three quarters as wide as the one before
  expect_true(line[[2]] > 0.1655 && line[[2]] < 0.1655 / slab_ratio)
})

test_that("widths go with spreads and level, and sizes sought give the width", {
  skip_on_cran()
  plan <- function(...) plan_median(d = 1, lower = -100, upper = 100, ..., interval = 0.95)
  one <- plan(n = 1000, epsilon = 1, spread = 2)
  expect_s3_class(one, c("interval_plan", "dp_plan", "data.frame"), exact = TRUE)
  expect_equal(one$width, 2 * quantile_width(1000, 0.5, 0.95, 1, 50)$width)
  expect_equal(one$sampling, 4 * stats::qnorm(0.975) * sqrt(pi / 2000))
  expect_gt(plan_median(1000, 1, 1, lower = -100, upper = 100, spread = 2, interval = 0.99)$width, one$width)
  # shares and the grid's ratio change at some n, so that widths do not always fall
  found <- plan(epsilon = 1, spread = 2, width = one$width)
  expect_lte(found$width, one$width)
  expect_true(found$n > 950 && found$n <= 1010)
  expect_equal(plan(n = 1000, spread = 2, width = one$width)$epsilon, 1, tolerance = 0.02)
  quantiles <- plan_quantile(3000, c(0.5, 0.9), 1, lower = -100, upper = 100, spread = 1, interval = 0.9)
  expect_identical(quantiles$what, c("50%", "90%"))
  expect_equal(quantiles$width[[2]], quantile_width(3000, 0.9, 0.9, 0.5, 100)$width)
  both <- plan_median(1000, 2, 1, lower = c(-5, -50), upper = c(5, 50), spread = c(1, 10), interval = 0.95)
  expect_identical(both$method, c("scans", "discs"))
  expect_equal(both$width[[1]], mean(c(1, 10)) * quantile_width(1000, 0.5, 0.95, 0.5, 5)$width)
  lines <- plan_regression(1000, 1, 1, lower = -50, upper = 50, spread = 2, interval = 0.95)
  expect_identical(lines$what, c("intercept", "slope"))
  expect_identical(plan_median(1000, 1, 1, prior = prior_normal(0, 10), spread = 1, interval = 0.95)$width,
                   quantile_width(1000, 0.5, 0.95, 1, 360)$width)
})

test_that("bad arguments and too few rows are refused", {
  skip_on_cran()
  refused <- function(call, what) expect_error(call, what, class = "dpdepth_error_input")
  plan <- function(...) plan_median(d = 1, lower = 0, upper = 1, ...)
  refused(plan(n = 30, epsilon = 1, interval = 0.95), "at least 41 rows")
  refused(plan(n = 300, epsilon = 1, width = 1), "without `interval`")
  refused(plan(n = 300, epsilon = 1, interval = 2), "`interval`")
  refused(plan(n = 300, epsilon = 1, interval = 0.95, width = 1), "`width` must be NULL")
  refused(plan(n = 300, interval = 0.95, error = 1), "`error` must be NULL")
  refused(plan(n = 300, interval = 0.95), "`epsilon`")
  refused(plan(n = 300, epsilon = 1, interval = 0.95, depth = "idd"), "`depth`")
  refused(plan(n = 100, interval = 0.95, width = 1e-9), "reachable")
  refused(plan_quantile(300, 0.5, 1, lower = 0, upper = 1, width = 1), "without `interval`")
  refused(plan_regression(300, 2, 1, lower = 0, upper = 1, interval = 0.95), "678 rows")
  refused(plan_regression(100, 1, 1, lower = -50, upper = 50, interval = 0.95), "too few")
})

test_that("a plan of an interval without limits is that of a dyadic prior, or asks for limits", {
  skip_on_cran()
  # a spread at a thousand spreads has the density of limits so wide
  half <- 53000
  for (n in c(300, 1000)) {
    free <- plan_median(n, 1, epsilon = 1, interval = 0.95)
    of_quantile <- plan_quantile(n, 0.5, 1, prior = prior_dyadic(), interval = 0.95)
    expect_equal(unlist(free[-1][-1]), unlist(of_quantile[-1][-1]))
    wide <- plan_median(n, 1, epsilon = 1, lower = -half, upper = half, spread = 1, interval = 0.95)
    expect_equal(free[c("width", "far")], wide[c("width", "far")], ignore_attr = TRUE)
  }
  two <- plan_median(NULL, 2, epsilon = 1, interval = 0.95, width = 0.5)
  expect_identical(nrow(two), 1L)
  for (plan in list(quote(plan_regression(1000, 2, epsilon = 1, interval = 0.95)),
                    quote(plan_median(60, 1, epsilon = 1, interval = 0.95)))) {
    found <- expect_error(eval(plan), "Give `lower` and `upper`", class = "dpdepth_error_input")
    expect_no_match(conditionMessage(found), "method", fixed = TRUE)
  }
})

# -- pictures --------------------------------------------------------------------------------------

test_that("print and pictures", {
  skip_on_cran()
  plan <- plan_quantile(5000, c(0.1, 0.5), 1, lower = 0, upper = 100, spread = 10, interval = 0.95)
  expect_snapshot(print(plan))
  expect_output(print(plan_median(55, 1, 1, lower = 0, upper = 1e6, spread = 1, interval = 0.95)), "far out")
  expect_identical(class(tidy(plan)), "data.frame")
  expect_identical(class(plan[1, ]), class(plan))
  # a few rows of one quantile: each picture plans for thirteen numbers of rows, some of them refused
  expect_pictures(plan_quantile(200, 0.5, 1, lower = 0, upper = 100, spread = 10, interval = 0.95))
})

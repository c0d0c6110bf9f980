# Limits of two medians and their difference: how the risk and epsilon are shared, coverage, refusals.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

# Do both intervals together miss more often than they may, or does one cost more than epsilon?
shares_are_off <- function() {
  for (sizes in list(c(90, 210), c(210, 90), c(150, 150))) {
    plans <- with_bindings(list(laws_found = new.env()), two_medians_plan(sizes, 0.9, 1, 1e7))
    risks <- 1 - vapply(plans, `[[`, 0, "level")
    cost <- vapply(plans, function(plan) {
      plan$epsilon * (plan$shares[["centre"]] + plan$shares[["threshold"]] + plan$shares[["first"]] +
                        plan$shares[["second"]]) / 1000
    }, 0)
    if (sum(risks) > 0.1 || any(cost > 1)) return(TRUE)
    if (!identical(vapply(plans, `[[`, 0, "n"), sizes)) return(TRUE)
  }
  FALSE
}

# Do the limits leave out a difference of numbers that lie between those of the medians, or does a row count
# in both intervals?
difference_escapes <- function() {
  plan <- list(plans = list("first", "second"))
  kept <- list(first = cbind(lower = -1, upper = 4), second = cbind(lower = 2, upper = 3))
  seen <- list()
  drawn <- function(x, plans, ...) {
    seen[[plans[[1]]]] <<- x
    list(interval = kept[[plans[[1]]]], estimate = mean(kept[[plans[[1]]]]))
  }
  out <- with_bindings(list(draw_intervals = drawn),
                       draw_two_medians(list(x = matrix(1:3), y = matrix(4:9)), plan, "R"))
  differences <- outer(c(-1, 1.5, 4), c(2, 2.5, 3), `-`)
  rows <- !identical(as.vector(seen$first), 1:3) || !identical(as.vector(seen$second), 4:9)
  rows || any(differences < out$interval[3, 1] | differences > out$interval[3, 2]) ||
    !identical(out$estimate, c(1.5, 2.5, -1))
}

test_that("risks add up to the level, each sample has epsilon, and the difference stays in its limits", {
  skip_on_cran()
  expect_false(shares_are_off())
  expect_false(difference_escapes())
  bugs <- list(
    "each median has all of the risk" =
      bug(shares_are_off, "two_medians_plan", "(1 - level) * share * (1 - 2^-40)", "(1 - level)"),
    "the smaller sample's risk for both" =
      bug(shares_are_off, "two_medians_plan", "c(smaller, 1 - smaller)", "c(smaller, smaller)"),
    "twice epsilon" =
      bug(shares_are_off, "two_medians_plan", "epsilon, reach)[[1]]", "2 * epsilon, reach)[[1]]"),
    "lower less lower" = bug(difference_escapes, "draw_two_medians", "ends[[1, 1]] - ends[[2, 2]]",
                             "ends[[1, 1]] - ends[[2, 1]]"),
    "upper less upper" = bug(difference_escapes, "draw_two_medians", "ends[[1, 2]] - ends[[2, 1]]",
                             "ends[[1, 2]] - ends[[2, 2]]"),
    "all rows in both" = bug(difference_escapes, "draw_two_medians", "draw_intervals(x,",
                             "draw_intervals(rbind(rows$x, rows$y),")
  )
  for (name in names(bugs)) expect_true(caught(bugs[[name]]), label = name)
})

test_that("neither sample pays for spreads that the other does not resolve", {
  skip_on_cran()
  two <- function(reach) {
    lapply(c(90, 210), interval_plan, prob = 0.5, level = 0.975, epsilon = 1, reach = reach)
  }
  expect_gt(max(vapply(two(1e7), resolved_plan, 0)), 1e-4)
  expect_identical(common_reach(two(1e7), 1e7), 1e3)
  expect_identical(common_reach(two(1e7), 20), 20)
  expect_lt(medians_width(two(1e3)), 0.95 * medians_width(two(1e7)))
  many <- lapply(c(3000, 5000), interval_plan, prob = 0.5, level = 0.975, epsilon = 1)
  expect_identical(common_reach(many, 1e6), 1e6)
})

test_that("both medians and their difference are released with limits, and covered together", {
  skip_on_cran()
  set.seed(14)
  ledger <- dp_ledger(2)
  x <- stats::rexp(240) + 5
  y <- stats::rnorm(150, 0, 2)
  r <- dp_test(x, 2, y, test = "sign", interval = 0.9, lower = -1e3, upper = 1e3, ledger = ledger)
  expect_identical(summary(ledger)$left[[1]], 0)
  expect_s3_class(r, c("dp_difference", "dp_release"), exact = TRUE)
  expect_named(r$estimate, c("median of x", "median of y", "difference"))
  expect_lt(abs(r$estimate[[3]] - 5.7), 1)
  limits <- confint(r)
  expect_equal(limits[3, ], limits[1, ] - rev(limits[2, ]), ignore_attr = TRUE)
  expect_output(print(r), "together cover the medians of both distributions\\s+and their difference")
  expect_named(tidy(r, conf.int = TRUE), c("term", "estimate", "conf.low", "conf.high"))
  expect_equal(sum(r$details$risks), 1, tolerance = 1e-9)
  expect_pictures(r)
  grown <- picture(r)
  expect_identical(grown$panels, c("median", "difference"))
  steps <- dp_test(round(x), 2, round(y), test = "sign", interval = 0.9, lower = -1e3, upper = 1e3,
                   resolution = 1)
  expect_equal(steps$interval, round(steps$interval))
  expect_output(print(steps), "rounded to the resolution")
  skip_on_cran()
  covered <- replicate(60, {
    limits <- suppressWarnings(dp_test(stats::rexp(70), 2, 3 * stats::rcauchy(90), test = "sign",
                                       interval = 0.8, lower = -40, upper = 40, rng = "R"),
                               "dpdepth_warning")$interval
    limits[[3, 1]] <= log(2) && log(2) <= limits[[3, 2]] && limits[[2, 1]] <= 0 && 0 <= limits[[2, 2]]
  })
  expect_gt(sum(covered), stats::qbinom(ALPHA, 60, 0.8))
})

test_that("where there are no limits they are refused, with nothing spent", {
  ledger <- dp_ledger(1)
  refused <- function(text, ...) {
    expect_error(dp_test(..., epsilon = 1, test = "sign", interval = 0.95, ledger = ledger), text,
                 class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused("give two samples", len ~ supp, data = ToothGrowth, lower = -9, upper = 9)
  refused("dp_median", 1:90, lower = -9, upper = 9)
  refused("at least 41 rows", 1:90, y = 1:40, lower = -9, upper = 9)
  refused("lower", 1:90, y = 1:90)
  refused("`alternative`", 1:90, y = 1:90, alternative = "less", lower = -9, upper = 9)
  refused("`mu`", 1:90, y = 1:90, mu = 2, lower = -9, upper = 9)
  refused("resolution", 1:90, y = 1:90, lower = -9, upper = 9, resolution = "type")
})

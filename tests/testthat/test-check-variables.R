# Numbers that belong to variables: one for all, by place or by name.

test_that("bounds", {
  expect_identical(check_bounds(0, 1:2, 2), list(lower = c(0, 0), upper = c(1, 2)))
  expect_identical(check_bounds(c(b = 0, a = 1), 5, 2, names = c("a", "b"))$lower, c(1, 0))
  raises(check_bounds(c(b = 0, c = 1), 5, 2, names = c("a", "b")), "lower")
  raises(check_bounds(1, 1, 1), "lower")
  raises(check_bounds(c(0, 3), 2, 2), "lower")
  raises(check_bounds(-1e308, 1e308, 1), "upper")
  raises(check_bounds(0, Inf, 1), "upper")
  raises(check_bounds(NA_real_, 1, 1), "lower")
  for (x in list(NULL, "a", 1:3, Sys.Date(), list(1), NA)) raises(check_bounds(x, 1e9, 2), "lower")
})

test_that("one number is for all, a named one for its variable, and the others keep the default", {
  expect_identical(spread_named(2, 3, c("a", "b", "c"), "spread"), c(2, 2, 2))
  expect_identical(match_names(c(b = 1, a = 2), c("a", "b"), "spread"), c(a = 2, b = 1))
  raises(spread_named(c(a = 2), 2, c("a", "b"), "spread"), "spread")
  expect_identical(fill_named(c(b = 8), c(1, 2), c("a", "b")), c(b = 8, a = 1))
  raises(fill_named(c(c = 8), c(1, 2), c("a", "b")), "resolution")
  raises(check_prior_fields(c(0, 1), c(1, 2, 3), c("mean", "sd")), "sd")
})

test_that("the name of one number is for a variable that has it, and a vector's has none", {
  x <- c(1:9)
  ledger <- dp_ledger(100, 0.5)
  refused <- function(expr, arg = "lower") {
    e <- expect_error(expr, class = "dpdepth_error_input")
    expect_identical(e$arg, arg)
    expect_no_match(conditionMessage(e), "foo")
  }
  refused(dp_median(x, 1, lower = c(foo = 0), upper = 10, ledger = ledger))
  refused(dp_median(x, 1, lower = c(foo = 0), upper = c(foo = 10), ledger = ledger))
  refused(dp_median(x, 1, lower = 0, upper = c(foo = 10), ledger = ledger), "upper")
  refused(dp_median(data.frame(a = x), 1, lower = c(foo = 0), upper = 10, ledger = ledger))
  refused(dp_median(x, 1, prior = prior_normal(c(foo = 0), 1), ledger = ledger), "prior")
  refused(dp_mean(x, 1, lower = c(foo = 0), upper = 10, ledger = ledger))
  refused(dp_quantile(x, 0.5, 1, lower = c(foo = 0), upper = 10, ledger = ledger))
  refused(dp_ecdf(x, 1, lower = c(foo = 0), upper = 10, ledger = ledger))
  refused(dp_median_smooth(x, 1, 1e-6, c(foo = 0), 10, ledger = ledger))
  refused(dp_mestimate(x, 1, 1e-6, lower = c(foo = 0), upper = 10, scale = 1, ledger = ledger))
  refused(dp_mestimate(x, 1, 1e-6, lower = 0, upper = 10, scale = c(foo = 1), ledger = ledger), "scale")
  refused(dp_tally(x, lower = c(foo = 0), upper = 10))
  refused(sens_median(x, c(foo = 0), 10, 0.1))
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  # a plan knows no variables, and several numbers may pair by name
  expect_s3_class(plan_median(100, 1, 1, lower = c(foo = 0), upper = 1), "median_plan")
  two <- cbind(x, x, deparse.level = 0)
  paired <- dp_median(two, 1, lower = c(a = 0, b = 0), upper = c(b = 9, a = 9), rng = "R")
  expect_s3_class(paired, "dp_release")
})

test_that("names that are no variable's are counted, not told", {
  told <- given_names(c("b", "agee", "0.7313", NA, "cc"), c("a", "b", "age"))
  expect_identical(told, "`b`, `agee` and 3 other names")
  expect_identical(given_names("x1", c("weight", "age")), "1 other name")
  expect_identical(given_names(c("age", "q"), c(NA, "", "age")), "`age` and 1 other name")
  expect_identical(given_names("q", character()), "1 other name")
  e <- expect_error(dp_median(data.frame(a = 1:3, b = 3:1), 1, lower = c(a = 0, "0.7313" = 1), upper = 9))
  expect_no_match(conditionMessage(e), "7313")
})

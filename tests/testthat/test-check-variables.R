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

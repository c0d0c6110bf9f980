# What the doors of rivals refuse.

test_that("names are those of the method, limits and deltas those that it takes", {
  door <- function(method, ...) {
    taken <- function(m) switch(m, a = "one", b = c("one", "two"))
    check_method_dots("rival_mean", method, c("a", "b"), taken)
  }
  expect_null(door("a", one = 1))
  expect_error(door("a", two = 1), "`two` is not an argument .*method = \"b\" takes it",
               class = "dpdepth_error_input")
  expect_null(check_method_limits(list(lower = 1, upper = NULL), "lower", "a"))
  expect_error(check_method_limits(list(lower = 1, upper = 2), "lower", "a"), "`upper`",
               class = "dpdepth_error_input")
  expect_identical(check_method_delta(0, TRUE, "a"), 0)
  expect_identical(check_method_delta(0.5, FALSE, "a"), 0.5)
  for (none in c(TRUE, FALSE)) {
    expect_error(check_method_delta(if (none) 1e-6 else 0, none, "a"), "delta", class = "dpdepth_error_input")
  }
})

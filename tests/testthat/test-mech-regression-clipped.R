# Public bounds of regressions, their sums and lines.

test_that("lines in other units are the same lines", {
  limits <- list(x = list(lower = -3, upper = 5), y = list(lower = 10, upper = 30))
  b <- line_from_unit(0.25, 0.5, limits)
  u <- c(0, 0.3, 1)
  expect_equal(b[[1]] + b[[2]] * (-3 + 8 * u), 10 + 20 * (0.25 + 0.5 * u))
  p <- unit_line_at(c(0.4, 0.1))
  expect_equal(p[[1]] + p[[2]] * c(0.25, 0.75), c(0.4, 0.1))
})

test_that("bounds are given, and of sizes that doubles hold", {
  limits <- list(x_lower = 0, x_upper = c(1, 2), lower = -1, upper = 1)
  expect_identical(regression_box(limits, 2L, c("a", "b")),
                   list(x = list(lower = c(0, 0), upper = c(1, 2)), y = list(lower = -1, upper = 1)))
  for (bad in list(list(upper = NULL), list(x_lower = NULL), list(x_upper = 1e100),
                   list(upper = -1 + 1e-8))) {
    expect_error(regression_box(utils::modifyList(limits, bad), 2L, NULL), class = "dpdepth_error_input")
  }
  expect_error(check_sum_rows(2^26 + 1), class = "dpdepth_error_input")
  expect_silent(check_sum_rows(2^26))
})

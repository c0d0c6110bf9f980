# Tests of tallies: R/mech-tally.R.

steps_of <- function(d) rep(0.25, d)

test_that("a tally holds each point once, sorted, with the number of its rows", {
  points <- cbind(a = c(1, 0, 1, -0, 2), b = c(0.5, 1, 0.5, 1, 0))
  t <- new_tally(points, c(2, 3, 4, 5, 0), c(-4, -4), c(4, 4), steps_of(2))
  expect_identical(t$points, cbind(a = c(0, 1), b = c(1, 0.5)))
  expect_identical(t$count, c(8, 6))
  expect_identical(t$n, 14)
  expect_identical(t$lower, c(a = -4, b = -4))
  expect_identical(1 / t$points[1, "a"], c(a = Inf))
  expect_true(is_tally(t))
  expect_false(is_tally(points))
  none <- new_tally(points[0, , drop = FALSE], numeric(), c(-4, -4), c(4, 4), steps_of(2))
  expect_identical(c(none$n, dim(none$points)), c(0, 0, 2))
})

test_that("rows come back from a tally, in lexicographic order", {
  set.seed(1)
  rows <- cbind(u = sample(0:3, 60, TRUE), v = sample(0:3, 60, TRUE)^2) / 4
  t <- new_tally(rows, rep(1, 60), c(0, 0), c(4, 4), steps_of(2))
  expect_identical(expand_tally(t), rows[order(rows[, 1], rows[, 2]), ])
  expect_identical(sum(t$count), 60)
})

test_that("tallies that are too large are refused by their public size", {
  many <- function(n) new_tally(cbind(a = 0:1), n, 0, 1, 1)
  expect_identical(dim(many(c(2^31 - 4, 1))), c(.Machine$integer.max - 2L, 1L))
  expect_error(many(c(2^31 - 3, 1)), class = "dpdepth_error_input")
  expect_error(expand_tally(many(c(1e7, 1e7 + 1))), "20,000,001", class = "dpdepth_error_input")
  expect_error(expand_tally(many(c(2e9, 1)), "data"), "`data`")
})

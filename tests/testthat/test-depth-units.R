# Units of data: powers of two that change no comparison, and numbers near the ends of the doubles.

set.seed(1)
x <- cbind(rnorm(31), rexp(31), sample(5, 31, TRUE))

test_that("drawn directions are for columns in units of their spread, to the last bit", {
  task <- in_units(x, 20, 1)
  expect_identical(log2(task$unit), round(log2(task$unit)))
  expect_identical(task$data, x / rep(task$unit, each = 31))
  expect_equal(rowSums(task$u^2), rep(1, nrow(task$u)))
  scale <- rep(2^c(300, -40, 7), each = 31)
  moved <- in_units(x * scale, 20, 1)
  expect_identical(moved[c("data", "u")], task[c("data", "u")])
  # not a power of two: the same projections but for rounding and one factor a direction
  other <- in_units(x * rep(c(3, 1e5, 0.7), each = 31), 20, 1)
  apart <- function(task) apply(task$data %*% t(task$u), 2, function(v) v / sd(v))
  expect_equal(apart(other), apart(task), tolerance = 1e-12)
})

test_that("given directions are for the data as they are, in the common unit; points follow", {
  task <- in_units(x, diag(3), 8, x = x[1:2, ])
  expect_identical(task$data, x / 8)
  expect_identical(task$x, x[1:2, ] / 8)
  expect_identical(task$u, diag(3))
  # a single number that would overflow sets the unit
  far <- x
  far[1, 2] <- 1e308
  task <- in_units(far, 5, 1)
  expect_true(all(is.finite(task$data %*% t(task$u))))
})

test_that("comparable columns have their middle at 0 and a quantile of their sizes at 1", {
  for (j in 1:3) {
    y <- comparable(1e6 * x[, j] - 40)
    expect_identical(median(y), 0)
    expect_true(any(abs(quantile(abs(y), c(0.5, 0.75, 0.9, 1)) - 1) < 1e-12))
  }
  # more than half, three quarters and all of the numbers equal
  expect_identical(comparable(c(rep(3, 6), 1, 5, 7, 3)), c(rep(0, 6), -2, 2, 4, 0) / 1.5)
  expect_identical(max(comparable(c(rep(3, 19), 11))), 1)
  expect_identical(comparable(rep(4, 5)), rep(0, 5))
})

test_that("huge numbers are brought down, others left alone", {
  expect_identical(huge_unit(c(-2^900, 1)), 1)
  expect_identical(huge_unit(1, c(-2^901, 1)), 2^200)
  expect_identical(huge_unit(numeric(0)), 1)
  unit <- spread_unit(x)
  expect_identical(log2(unit), round(log2(unit)))
  for (power in c(-900, 30, 950)) expect_identical(spread_unit(x * 2^power), unit * 2^power)
})

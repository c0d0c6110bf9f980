# Tests of the methods of tallies: R/dp-tally-methods.R.

test_that("tallies of one lattice add up, others are refused", {
  t <- function(x, ...) dp_tally(data.frame(a = x), lower = 0, upper = 9, ...)
  whole <- function(x) t(x, resolution = 1)
  expect_identical(c(whole(c(1, 2, 2)), whole(c(2, 5))), whole(c(1, 2, 2, 2, 5)))
  expect_identical(c(t(1)), t(1))
  other <- list(t(1, resolution = 1), dp_tally(data.frame(a = 1), lower = 0, upper = 8), 1,
                dp_tally(data.frame(b = 1), lower = 0, upper = 9))
  expect_error(c(whole(1), dp_tally(data.frame(a = 1), lower = -9, upper = 9, resolution = 1)), "same limits")
  for (o in other) expect_error(c(t(1), o), class = "dpdepth_error_input")
})

test_that("prints show what is public alone", {
  t <- dp_tally(data.frame(a = c(canary, canary, 3), b = c(canary, 1, 2)), lower = 0, upper = c(9, 1e6))
  shown <- c(utils::capture.output({
    print(t)
    str(t)
    print(summary(t))
    str(summary(t))
    print(list(t))
    str(list(t))
  }), format(t), unlist(lapply(summary(t), format, digits = 15)))
  expect_false(any(grepl(canary_text, shown, fixed = TRUE)))
  expect_false(holds_bytes(serialize(summary(t), NULL), canary))
  expect_named(summary(t), c("n", "lower", "upper", "step", "resolution", "persons", "margins"))
  expect_output(str(t), "^<dp_tally>[^\n]*$")
  people <- data.frame(age = 1:3, height = 4)
  expect_snapshot(print(dp_tally(people, lower = 0, upper = c(120, 2.5), resolution = 0.5)))
  # the number of points is private
  few <- dp_tally(data.frame(a = c(1, 1, 1), b = 1), lower = 0, upper = c(9, 1e6))
  expect_identical(format(few), format(t))
  expect_error(as.data.frame(t), class = "dpdepth_error_input")
})

test_that("a release from a tally's rows holds none of them", {
  set.seed(7)
  points <- stats::runif(40) * 100
  t <- dp_tally(data.frame(a = points), lower = 0, upper = 100)
  r <- dp_median_exponential(t, 1, lower = 0, upper = 100, rng = "R")
  expect_identical(leaks(r, setdiff(t$points[, 1], r$estimate)), 0L)
})

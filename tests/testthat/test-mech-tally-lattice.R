# Tests of the lattice of tallies and of counting in blocks: R/mech-tally-lattice.R.

test_that("the steps are those of the doors, for as many variables and for each resolution", {
  for (d in c(1, 2, 3, 5)) {
    x <- matrix(seq_len(12 * d) %% 7, 12)
    names <- variable_names(x)
    for (resolution in list(NULL, 1, 0.1)) {
      lattice <- tally_lattice(-3, 9, resolution, names, NULL)
      r <- dp_median_exponential(x, 50, lower = -3, upper = 9, resolution = resolution, rng = "R")
      expect_identical(lattice$step, unname(unlist(r$details[c("step", "resolution")])))
    }
  }
  # of margins those of draws along the axes
  for (d in 2:3) {
    x <- matrix(seq_len(12 * d) %% 7, 12)
    r <- dp_median_exponential(x, 50, directions = "axes", lower = -3, upper = 9, rng = "R")
    lattice <- tally_lattice(-3, 9, NULL, variable_names(x), NULL, margins = TRUE)
    expect_identical(lattice$step, unname(unlist(r$details["step"])))
  }
  step <- function(resolution) tally_lattice(0, 1, resolution, c("a", "b"))$step
  expect_identical(step(c(b = 0.25)), c(step(NULL)[[1]], 0.25))
  expect_error(tally_lattice(0, 1, 3, "a"), NA)
  expect_error(tally_lattice(1, 2, 5, "a"), "resolution", class = "dpdepth_error_input")
})

test_that("values are rounded to the nearest index, halves to even ones, each by itself", {
  lattice <- tally_lattice(-10, 10, 0.5, "a")
  index <- function(v) drop(tally_index(matrix(v), lattice))
  expect_identical(index(c(0.25, 0.75, -0.25, -0.75, 0.25 - 2^-54, 5e-324, 1)), c(0, 2, 0, -2, 0, 0, 2))
  expect_identical(index(c(1.7e308, -1.7e308)), c(2^51, -2^51))
  tenths <- tally_lattice(0, 1, 0.1, "a")
  index <- tally_index(matrix(c(0.3, 0.30000000000000004)), tenths)
  expect_identical(tally_values(index, tenths), cbind(a = c(0.3, 0.3)))
  # one over the step is no whole number: a quotient
  wide <- tally_lattice(0, 3, 0.3, "a")
  index <- tally_index(matrix(c(0.9, 2.4)), wide)
  expect_identical(index, matrix(c(3, 8)))
  expect_identical(tally_values(index, wide), cbind(a = c(3, 8) * 0.3))
})

test_that("blocks are counted as the rows, whether by a table or by sorting", {
  set.seed(5)
  index <- cbind(sample(-2:2, 400, TRUE), sample(c(0, 1, 1e9), 400, TRUE))
  dense <- add_atoms(list(count_index(index[, 1, drop = FALSE])))
  expect_identical(dense, merge_atoms(index[, 1, drop = FALSE], rep(1, 400)))
  narrow <- cbind(index[, 1], index[, 2] > 1)
  expect_identical(add_atoms(list(count_index(narrow))), merge_atoms(narrow, rep(1, 400)))
  three <- cbind(narrow, sample(0:2, 400, TRUE))
  expect_identical(add_atoms(list(count_index(three))), merge_atoms(three, rep(1, 400)))
  lattice <- tally_lattice(0, 1e9, 1, c("a", "b"))
  at <- 0
  blocks <- function() {
    at <<- at + 1
    if (at <= 5) index[80 * (at - 1) + 1:80, , drop = FALSE]
  }
  whole <- new_tally(tally_values(index, lattice), rep(1, 400), c(0, 0), c(1e9, 1e9), c(1, 1), c(1, 1))
  expect_identical(gather_tally(blocks, lattice), whole)
  at <- 0
  expect_identical(with_bindings(list(waiting_most = 20), gather_tally(blocks, lattice)), whole)
})

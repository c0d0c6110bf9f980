# Kinds of private data: a tally answers as the rows that it was made of.

# Rows of whole numbers, their tally, and its entries.
counted_pair <- function(n, d) {
  rows <- matrix(sample(-3:3, n * d, TRUE) + 0, n, dimnames = list(NULL, letters[seq_len(d)]))
  list(rows = rows, tally = new_tally(rows, rep(1, n), rep(-9, d), rep(9, d), rep(1, d), rep(1, d)))
}

sorted_rows <- function(x) {
  unname(x[do.call(order, lapply(seq_len(ncol(x)), function(j) x[, j])), , drop = FALSE])
}

expanded <- function(x) {
  atoms <- atoms_of(x)
  sorted_rows(atoms$points[rep(seq_along(atoms$count), atoms$count), , drop = FALSE])
}

kinds_differ <- function() {
  set.seed(71)
  for (n in c(1, 2, 40)) for (d in 1:3) {
    both <- counted_pair(n, d)
    same <- function(f) identical(expanded(f(both$rows)), expanded(f(both$tally)))
    if (!same(identity) || !same(function(x) on_entries(x, function(p) 2 * p)) ||
          !same(function(x) and_row(x, seq_len(d))) ||
          !same(function(x) with_corners(and_row(x, rep(5, d)))) ||
          !identical(sorted_rows(plain_rows(both$tally)), sorted_rows(both$rows)) ||
          !identical(plain_rows(both$rows), both$rows)) {
      return(TRUE)
    }
  }
  FALSE
}

test_that("points, counts and rows of a tally are those of its rows", {
  expect_false(kinds_differ())
  expect_true(caught(bug(kinds_differ, "and_row.dp_tally", "c(x$count, 1)", "c(x$count, 2)")))
  expect_true(caught(bug(kinds_differ, "with_corners.dp_tally", "x$count[[last]] + ncol(x)",
                         "x$count[[last]] + 1")))
  expect_true(caught(bug(kinds_differ, "on_entries.dp_tally", "f(x$points)", "x$points")))
})

test_that("each kind has its name, its steps and its persons", {
  set.seed(72)
  both <- counted_pair(9, 2)
  margins <- new_tally(both$rows, rep(1, 9), c(-9, -9), c(9, 9), c(1, 1), persons = TRUE, margins = TRUE)
  expect_identical(vapply(list(both$rows, both$tally, margins), kind_of, ""), c("rows", "tally", "margins"))
  expect_null(declared_steps(both$rows))
  expect_identical(declared_steps(both$tally), list(resolution = c(a = 1, b = 1)))
  expect_identical(declared_steps(margins), list(resolution = NULL))
  expect_null(persons_detail(both$rows))
  expect_identical(persons_detail(margins), list(id = persons_text))
  expect_error(plain_rows(margins), class = "dpdepth_error_input")
  # what is said of limits and steps is the tally's, unless the call says otherwise
  expect_identical(tally_limits(both$tally, NULL, 4, NULL), list(lower = c(a = -9, b = -9), upper = 4))
  expect_identical(tally_limits(both$rows, NULL, 4, NULL), list(lower = NULL, upper = 4))
  expect_identical(tally_resolution(declared_steps(both$tally), NULL, prior_dyadic(c(4, 0.5))), c(4, 1))
})

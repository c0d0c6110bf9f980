# The search for draws that do not end, by counted nodes and bits: regressions and medians, rows, limits and
# epsilon of any kind.

# A draw that doors make without a caution ends within so many words of 64 bits, and with so many nodes.
most_words <- 3e5
most_nodes <- 1e5

# The first case that does not, or NULL.
find_endless <- function(seeds, sizes, words = most_words) {
  set.seed(1)
  tape <- ends_tape(words)
  for (i in seeds) {
    case <- ends_case(i, sizes = sizes)
    drawn <- ends_draw(case, tape, stop = TRUE)
    if (drawn$end == "endless" || isTRUE(drawn$nodes > most_nodes)) return(c(case, drawn))
  }
  NULL
}

test_that("draws that are made without a caution end within a bound of nodes and bits", {
  skip_on_cran()
  expect_null(find_endless(seq_len(audit_size(100, 2000)), audit_size(c(20, 50, 100), ends_sizes)))
})

test_that("the search sees a draw that does not end within its words", {
  skip_on_cran()
  expect_identical(find_endless(77, c(20, 50, 100), words = 100)$end, "endless")
})

test_that("the search sees draws of four coefficients that are made without a caution", {
  skip_on_cran()
  found <- with_bindings(list(most_uncautioned_coefficients = 4L), find_endless(28, c(20, 50, 100)))
  expect_identical(found$end, "endless")
})

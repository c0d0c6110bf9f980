# Designs of simulations: cells, keys of cells and of functions.

test_that("factors are crossed, and cells are taken as they are", {
  crossed <- simulation_design(list(n = 1:2, law = factor(c("a", "b"))), c("a", "b"), "one", 7L)
  expect_identical(crossed$cells, data.frame(n = c(1L, 2L, 1L, 2L), law = c("a", "a", "b", "b")))
  expect_identical(crossed$replicates, rep(7L, 4))
  expect_identical(crossed$sets, rep(list("one"), 4))
  expect_identical(simulation_design(data.frame(n = 1:2), NULL, "one", 1L)$cells, data.frame(n = 1:2))
  expect_identical(simulation_design(list(n = 1:2), c("a", "b"), "one", 1L)$key, crossed$key)
  expect_identical(nrow(simulation_design(list(), NULL, "one", 1L)$cells), 1L)
})

test_that("a cell's key is of names and values alone", {
  key <- function(...) cell_keys(data.frame(..., stringsAsFactors = FALSE))
  one <- key(n = 100L, law = "normal", zero = 0)
  expect_match(one, "^[0-9a-f]{64}$")
  expect_identical(key(zero = -0, law = "normal", n = 100), one)
  others <- c(key(n = 101, law = "normal", zero = 0), key(n = "100", law = "normal", zero = 0),
              key(n = 100, law = "normal", zero = FALSE), key(n = 100, la = "wnormal", zero = 0),
              key(n = 100, law = "normal", zero = 2^-1074), key(n = 100, law = "normal"))
  expect_identical(anyDuplicated(c(one, others)), 0L)
  # no text of two factors is that of one
  expect_false(key(a = "1", b = "2") == key(a = "1:b2", b = ""))
  expect_identical(anyDuplicated(key(a = c(NA, "NA", ""))), 0L)
  expect_identical(anyDuplicated(key(a = 1 + c(0, 1, 2) * 2^-52)), 0L)
})

test_that("a function's key is of its code", {
  one <- function(x) x + 0.1
  expect_identical(function_key(function(x)   x + 0.1), function_key(one)) # nolint: spaces_left_parentheses.
  expect_false(function_key(function(x) x + 0.1 * (1 + 2^-52)) == function_key(one))
  expect_false(function_key(eval(bquote(function(x) x + .(0.1 * (1 + 2^-52))))) == function_key(one))
  expect_match(function_key(max), "^[0-9a-f]{64}$")
})

test_that("designs that say nothing clear are refused", {
  try_design <- function(design, laws = NULL, estimates = "one") {
    simulation_design(design, laws, estimates, 1L)
  }
  expect_snapshot(error = TRUE, {
    try_design(list(1:2))
    try_design(list(rows = 1:2))
    try_design(list(n = list(1, "a")))
    try_design(list(n = integer()))
    try_design(list(n = as.Date("2020-01-01")))
    try_design(data.frame(n = c(1, 1)))
    try_design(data.frame(n = 1, replicates = 0.5))
    try_design(data.frame(n = c(1, 1), estimate = c("one", "two")))
    try_design(data.frame(n = c(1, 1), estimate = c("one", "two"), replicates = 1:2), NULL, c("one", "two"))
    try_design(list(law = "t"), c("normal", "Cauchy"))
  })
})

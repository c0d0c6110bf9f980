# The middle slice of ranks: what a replaced row does to it, and how often it lies where it is to lie.

test_that("a replaced row changes one row of the slice at most, by all data on five values", {
  most <- 0
  x <- as.matrix(expand.grid(rep(list(1:4), 5)))
  for (i in sample(nrow(x), 150)) for (j in 1:5) for (v in 1:4) {
    y <- replace(x[i, ], j, v)
    a <- tabulate(middle_rows(x[i, ], c(2, 4)), 4)
    b <- tabulate(middle_rows(y, c(2, 4)), 4)
    most <- max(most, sum(abs(a - b)) / 2)
  }
  expect_identical(most, 1)
})

test_that("the slice's ends lie beyond the quantiles with probability 0.025 at most, and nearly that", {
  for (n in c(100, 1000, 12345)) for (alpha in c(0.1, 0.25, 0.4)) {
    ranks <- slice_ranks(n, alpha)
    miss <- stats::pbinom(ranks[[1]] - 1, n, 0.5 - alpha, lower.tail = FALSE)
    expect_lte(miss, 0.025)
    expect_gt(stats::pbinom(ranks[[1]] - 2, n, 0.5 - alpha, lower.tail = FALSE), 0.025)
    expect_equal(sum(ranks), n + 1)
  }
  expect_identical(slice_ranks(7), c(1, 7))
})

# Propose, test, release: the threshold, and the law of the test.

test_that("the threshold is the least whole number that noise alone passes with probability delta at most", {
  for (epsilon in c(0.01, 0.3, 1, 2.5, 20)) for (delta in c(0.3, 1e-3, 1e-9)) {
    q <- exp(-epsilon)
    t <- 0:4000
    least <- min(t[q^(t + 1) / (1 + q) <= delta])
    expect_identical(dpdepth:::ptr_threshold(epsilon, delta), as.double(least))
    expect_lte(pass_exactly(0, epsilon, delta), delta * (1 + 1e-9))
  }
})

test_that("the test has its exact law", {
  skip_on_cran()
  for (margin in c(0, 3, 5, 9)) {
    passed <- sum(replicate(600, dpdepth:::ptr_test(margin, 1, 0.01, "system")))
    expect_prob(passed, 600, pass_exactly(margin, 1, 0.01))
  }
  passed <- sum(replicate(600, dpdepth:::ptr_test(4, 1, 0.01, "system")))
  expect_not_prob(passed, 600, pass_exactly(5, 1, 0.01), "a margin one larger")
})

test_that("outcomes of the test are close for margins that differ by one; a jump is caught", {
  skip_on_cran()
  close <- function(a, b, epsilon, delta) {
    p <- pass_exactly(a, epsilon, delta)
    r <- pass_exactly(b, epsilon, delta)
    worst <- max(p - exp(epsilon) * r, (1 - p) - exp(epsilon) * (1 - r))
    worst <= 1e-12
  }
  for (epsilon in c(0.2, 1, 4)) for (a in 0:30) {
    expect_true(close(a, a + 1, epsilon, 1e-4) && close(a + 1, a, epsilon, 1e-4))
  }
  # a search that stopped at 10 and called what it had not seen safe for ever
  expect_false(close(10, 1e6, 0.2, 1e-4) && close(1e6, 10, 0.2, 1e-4))
})

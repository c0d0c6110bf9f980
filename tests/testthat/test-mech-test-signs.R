# Laws of counts of signs against enumeration, and p-values against sums.

sign_sets <- function(n) as.matrix(expand.grid(rep(list(c(-1, 1)), n)))

test_that("laws under the hypothesis are those of all signs", {
  for (n in c(1, 2, 5, 8, 11)) {
    scores <- apply(sign_sets(n), 1, function(e) min(n - abs(sum(e) - 2 * c(0, cumsum(e)))) / 2)
    expect_equal(walk_law(n), tabulate(scores + 1, n + 1) / 2^n)
    smaller <- apply(sign_sets(n), 1, function(e) min(sum(e > 0), sum(e < 0)))
    expect_equal(smaller_count(n), tabulate(smaller + 1, n + 1) / 2^n)
  }
  expect_equal(sum(walk_law(5000)), 1)
  # coarse places only lower the score
  fine <- vapply(seq(2500, 2200, -25), function(k) walk_stays(5000 - 2 * k, 5000), 0)
  coarse <- rev(cumsum(rev(walk_law(5000))))[seq(2500, 2200, -25) + 1]
  expect_true(all(coarse <= fine + 1e-12))
})

test_that("p-values are probabilities of what is released or less, or more, or of both sides", {
  z <- -200:200
  noise <- exp(-0.7 * abs(z)) / sum(exp(-0.7 * abs(z)))
  for (law in list(smaller_count(12), mood_law(c(9, 3)))) for (score in c(-3, 0, 2, 6, 9)) {
    total <- outer(0:12, z, `+`)
    low <- sum(outer(law, noise)[total <= score])
    high <- sum(outer(law, noise)[total >= score])
    expect_equal(test_p_value(score, law, 0.7), low, tolerance = 1e-8)
    expect_gt(test_p_value(score, law, 0.7), low) # rounding is paid for
    expect_equal(test_p_value(score, law, 0.7, "high"), high, tolerance = 1e-8)
    expect_equal(test_p_value(score, law, 0.7, "both"), min(1, 2 * low, 2 * high), tolerance = 1e-8)
  }
})

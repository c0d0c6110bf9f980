# Student noise on whole numbers and the smooth bound that it is scaled to, against brute force.

pmf_student <- function(j, s) {
  a <- sqrt(3) * s
  # sum over all whole j of (a^2 + j^2)^-2, closed form
  total <- pi / (2 * a^3) / tanh(pi * a) + pi^2 / (2 * a^2 * sinh(pi * a)^2)
  1 / (a^2 + j^2)^2 / total
}

test_that("Student noise has its law, at small and large scales", {
  skip_on_cran()
  for (s in c(1, 2, 7)) {
    j <- -2000:2000
    expect_equal(sum(pmf_student(j, s)), 1, tolerance = 1e-6)
    drawn <- replicate(4000, draw_student(s, "system"))
    counts <- count_over(drawn, -2000, 2000)
    p <- pmf_student(j, s)
    expect_law(counts, c(p, max(0, 1 - sum(p))))
    half <- pmf_student(j, s / 2)
    expect_not_law(counts, c(half, max(0, 1 - sum(half))))
  }
  s <- 2^45
  drawn <- replicate(4000, draw_student(s, "system")) / s
  expect_cdf(drawn, function(x) stats::pt(x, 3))
})

test_that("the smooth bound is that of brute force, and smooth", {
  skip_on_cran()
  slow <- function(z, k, beta) {
    n <- length(z)
    at <- function(i) if (i < 1) 0 else if (i > n) theilsen_steps else z[[i]]
    rank <- (n + 1) %/% 2
    found <- vapply(0:(2 * n), function(l) {
      h <- (l + 1) * k
      exp(-beta * l) * max(vapply(0:h, function(t) at(rank + t) - at(rank + t - h), 0))
    }, 0)
    max(found)
  }
  set.seed(4)
  for (i in 1:20) {
    z <- sort(round(theilsen_steps * stats::rbeta(pick(3:9), 0.3, 0.3)))
    k <- pick(1:3)
    beta <- pick(c(0.05, 0.3, 2))
    expect_equal(median_smooth_bound(z, k, beta), slow(z, k, beta))
  }
})

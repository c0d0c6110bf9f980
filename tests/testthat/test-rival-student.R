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
    drawn <- replicate(600, draw_student(s, "system"))
    counts <- count_over(drawn, -2000, 2000)
    p <- pmf_student(j, s)
    expect_law(counts, c(p, max(0, 1 - sum(p))))
    half <- pmf_student(j, s / 2)
    expect_not_law(counts, c(half, max(0, 1 - sum(half))))
  }
  s <- 2^45
  drawn <- replicate(600, draw_student(s, "system")) / s
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

# The loss of neighbours by the proof: a shift by the smooth bound S, and a scale exp(b) times as
# large, both rounded up to whole numbers.
loss_is_passed <- function() {
  wrong <- vapply(c(1e-3, 0.1, 1, 30), function(epsilon) {
    constants <- student_constants(epsilon)
    scale <- ceiling(2^20 + 0:50 / 51)
    next_scale <- ceiling(exp(constants$smoothness) * (2^20 + 0:50 / 51))
    loss <- 2 / (sqrt(3) * constants$factor) + 4 * max(log(next_scale / scale), log(1 + 2^-20))
    sampler <- 2 * 2^-40
    loss + sampler > epsilon || loss < 0.98 * epsilon
  }, NA)
  any(wrong)
}

test_that("shift, change of scale and rounding cost at most epsilon, and nearly that much", {
  expect_false(loss_is_passed())
  planted <- function(...) caught(bug(loss_is_passed, ...))
  expect_true(planted("student_constants", "epsilon/8 - 2^-19", "epsilon/8"))
  expect_true(planted("student_constants", "4/(sqrt(3)", "3.99/(sqrt(3)"))
})

law_is_wrong <- function() {
  plan <- list(epsilon = 1, matchings = 1)
  law_of <- function(z) student_law(z * 2^30, plan)
  # of an even number the lower of both in the middle, whose rank the bound is about; a scale of 2^20 or more
  law_of(c(1, 2, 9, 12))$centre != 2 * 2^30 || law_of(rep(3, 400))$scale != 2^20 ||
    law_of(1:7)$centre != 4 * 2^30
}

test_that("centre and bound are of one rank, the scale pays for rounding, and medians stay in the range", {
  expect_false(law_is_wrong())
  planted <- function(...) caught(bug(law_is_wrong, ...))
  expect_true(planted("student_law", "(length(sorted) + 1)%/%2", "length(sorted)%/%2 + 1"))
  expect_true(planted("student_law", "(1 + 2^-40), 2^20)", "(1 + 2^-40), 1)"))
  plan <- list(epsilon = 1, matchings = 1)
  for (noise in c(-2^60, 2^60)) {
    fixed <- list(draw_student = function(scale, source) noise)
    drawn <- with_bindings(fixed, draw_median_smooth(1:9, plan, "R"))
    expect_identical(drawn, if (noise < 0) 0 else theilsen_steps)
  }
})

test_that("what is proposed is kept with the law's weight over the proposal's, nowhere above one", {
  kept_at <- function(block, part) {
    coins <- c(rep(1, block), 0, 0)
    kept <- NULL
    size <- 2^24
    r <- with_bindings(list(
      draw_below = function(...) {
        coin <- coins[[1]]
        coins <<- coins[-1]
        coin
      },
      draw_wide = function(size, source) size * part,
      draw_bernoulli_double = function(count, p, source) {
        kept <<- p
        TRUE
      }
    ), draw_student(size, "system"))
    # the proposal's density at r is 2^-(block + 1) over the block's width
    c(weight = kept * 2^-(block + 1) / max(1, 2^(block - 1)) * (3 + (r / size)^2)^2, kept = kept)
  }
  found <- mapply(kept_at, rep(0:5, each = 5), rep(c(0, 0.01, 0.1, 0.5, 0.99), 6))
  expect_equal(found["weight", ], rep(49 / 16, 30))
  expect_equal(max(found["kept", ]), 1)
})

# The Markov chain over halfspace depth of rival_median(): where it starts and what it sees.
# Its releases promise "stationary" only; these tests say what the chain does, not that it is private.

last_states <- function(x, epsilon, bound, runs, steps = 1000L) {
  prior <- prior_fields(prior_for(prior_uniform(-bound, bound), ncol(x)))
  dirs <- directions(ncol(x), 60L)
  t(vapply(seq_len(runs), function(i) {
    .Call(ffi_median_chain, "R", x, prior, epsilon, dirs, 1L, steps, FALSE)$draws[1, ]
  }, double(ncol(x))))
}

test_that("the chain sees an atom of the data", {
  # Six rows of ten at zero: the law has all of its mass there. The chain drew lines, which meet no point,
  # and returned noise
  set.seed(1)
  for (d in c(2, 5)) {
    x <- matrix(rnorm(500 * d), ncol = d)
    x[1:300, ] <- 0
    expect_true(all(last_states(x, 1, 50, 4) == 0))
  }
  # zeros in one column only
  x <- cbind(c(rep(0, 300), rnorm(200)), rnorm(500))
  found <- last_states(x, 1, 50, 4)
  expect_true(all(found[, 1] == 0))
  expect_lt(max(abs(found[, 2])), 1)
})

test_that("the chain's atoms have the weight of the exact law", {
  skip_on_cran()
  # 30 rows of 70 in one place, so few that the atom has about half of the mass
  set.seed(2)
  x <- matrix(rnorm(140), ncol = 2)
  x[1:30, ] <- 0.25
  prior <- prior_fields(prior_for(prior_uniform(-4, 4), 2))
  dirs <- directions(2, 40L)
  for (epsilon in c(2.9, 3.1, 3.2)) {
    exact <- .Call(ffi_median_exp, "R", x, prior, epsilon, FALSE, dirs, 2000L)$draws
    trace <- .Call(ffi_median_chain, "R", x, prior, epsilon, dirs, 2L, 20000L, TRUE)$trace[-(1:2000), , ]
    share <- mean(trace[, , 1] == 0.25 & trace[, , 2] == 0.25)
    wanted <- mean(exact[, 1] == 0.25 & exact[, 2] == 0.25)
    # 2000 exact draws: 5 standard errors are 0.056; the chain's own is 0.01; the seed is fixed
    expect_lt(abs(share - wanted), 0.09)
  }
})

test_that("the chain starts from the prior and finds data far from its middle", {
  skip_on_cran()
  set.seed(3)
  x <- matrix(rnorm(4000, 30), ncol = 8)
  prior <- prior_fields(prior_for(prior_uniform(-50, 50), 8))
  trace <- .Call(ffi_median_chain, "R", x, prior, 0.5, directions(8, 200L), 40L, 1L, TRUE)$trace
  # after one step most chains are still about where the prior has put them
  expect_gt(stats::sd(trace[1, , 1]), 10)
  expect_lt(stats::median(apply(abs(last_states(x, 0.5, 50, 8) - 30), 1, max)), 1.5)
})

test_that("two clusters and a row between them: a chain does not lie beside that row", {
  skip_on_cran()
  # 25 of 25 releases lay within a tenth of the row, whichever side it was on
  set.seed(4)
  beside <- function(at) {
    x <- rbind(matrix(rnorm(1600, -3, 1e-7), ncol = 8), matrix(rnorm(1600, 3, 1e-7), ncol = 8), at)
    found <- last_states(x, 1, 50, 8, steps = 1500L)
    rowMeans(abs(found - at)) < 0.3
  }
  expect_lte(sum(beside(2)), 4)
  expect_lte(sum(beside(-2)), 4)
})

# plan_interior_point(): the bound is below what is simulated, and rows sought suffice.

test_that("the bound is below the simulated chance, and both grow", {
  set.seed(9)
  sizes <- c(200, 400, 1500)
  p <- do.call(rbind, lapply(sizes, plan_interior_point, epsilon = 1, delta = 1e-6, simulate = 40))
  expect_true(all(diff(p$simulated) >= 0) && all(diff(p$bound) >= 0))
  expect_true(all(p$bound <= p$simulated + 1e-9))
  expect_equal(p$simulated[[3]], 1)
  expect_identical(p$n_bound, rep(p$n_bound[[1]], 3))
  expect_gte(interior_bound(p$n_bound[[1]], interior_plan(1, 1e-6), 0.087, 3), 0.95)
})

test_that("rows are sought, also for a slice", {
  set.seed(9)
  p <- plan_interior_point(epsilon = 2, delta = 1e-6, success = 0.9, simulate = 20)
  expect_true(p$n > 100 && p$n < 300)
  slice <- plan_interior_point(n = 1200, epsilon = 1, delta = 1e-6, alpha = 0.25, simulate = 20)
  expect_equal(slice$rows, slice_size(1200, 0.25))
  refused <- function(...) expect_error(plan_interior_point(100, 1, 1e-6, ...), class = "dpdepth_error_input")
  refused(law = 3)
  refused(law = function(n) rep(Inf, n))
  refused(alpha = 0.7)
})

test_that("the closed form of few rows is the sum over the noise", {
  for (rate in c(0.1, 0.02, 0.003)) for (n in c(50, 5000, 1e6)) for (share in c(0.5, 0.087, 1e-4)) {
    q <- exp(-rate)
    z <- seq(-ceiling(30 / rate), ceiling(30 / rate))
    for (t in unique(ceiling(c(1 + 10 / rate, n * share)))) {
      sum <- sum((1 - q) / (1 + q) * q^abs(z) * stats::pbinom(t - 1 - z, n, share))
      expect_lt(abs(few_chance_closed(t, n, share, rate) - sum), 1e-11)
    }
  }
})

test_that("the smallest epsilon and many rows take no memory, and no data that lead nowhere are made", {
  # sums over the noise are of 2e4 numbers at most
  for (epsilon in c(1e-6, 1e-4, 1e-2)) {
    rate <- interior_plan(epsilon, 1e-6)$location
    rate <- rate[[1]] / rate[[2]]
    both <- c(few_chance(100, 1e3, 0.087, rate), few_chance_closed(100, 1e3, 0.087, rate))
    expect_equal(both[[1]], both[[2]], tolerance = 1e-8)
  }
  none <- function(n) stop("no data are to be made")
  p <- plan_interior_point(1e3, 1e-6, 1e-6, distribution = none, simulate = 0)
  expect_identical(c(p$simulated, p$bound), c(NA, 0))
  p <- plan_interior_point(NULL, 1e-6, 1e-300, distribution = none, simulate = 0)
  expect_identical(p$n, p$n_bound)
  expect_gte(p$bound, 0.95)
  refused <- function(...) {
    expect_error(plan_interior_point(..., distribution = none), class = "dpdepth_error_input")
  }
  expect_match(conditionMessage(refused(NULL, 2e-4, 1e-6)), "at most 51 with the 386,142 rows")
  expect_match(conditionMessage(refused(.Machine$integer.max, 1, 1e-6)), "must be 0 with n =")
  refused(100, 1, 1e-6, simulate = 1e6)
  refused(NULL, 1, 1e-6, share = 1e-300, simulate = 0)
})

test_that("failures end a simulation, of which the least sizes are left out", {
  sizes <- integer()
  law <- function(n) {
    sizes <<- c(sizes, n)
    stats::rnorm(n)
  }
  set.seed(9)
  p <- plan_interior_point(NULL, 1, 1e-6, success = 0.9, distribution = law, simulate = 30)
  expect_gte(min(sizes), 60)
  plan <- interior_plan(1, 1e-6)
  expect_lt(interior_chance_limit(min(sizes) - 2, plan), 0.9)
  made <- table(sizes)
  expect_true(all(made[as.integer(names(made)) < 0.8 * p$n] < 10))
  expect_lte(max(made), 60)
  # clusters of equal sizes have the largest chance
  for (n in c(20, 60, 80)) for (bins in 2:4) {
    each <- 1 - noise_tail(plan$threshold - ceiling(n / bins), plan$location)
    expect_lte(1 - each^bins - bins * (1 - each) * each^(bins - 1), interior_chance_limit(n + bins, plan))
  }
})

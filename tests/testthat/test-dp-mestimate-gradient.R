# Noisy gradient descent of M-estimates: what neighbours cost, planted bugs, the plan.

mcost <- function(x, epsilon = 1, delta = 0, psi = "huber", ..., lower = 0, upper = 40, scale = 1) {
  suppressWarnings(coef(dp_mestimate(as.matrix(x), epsilon, delta, psi, lower = lower, upper = upper,
                                     scale = scale, ...)))
}

# What a replaced row costs: on skewed neighbours in corners, far outside and tied, and where a row pulls one
# way and then the other in every step.
mestimate_costs_more <- function(count = 10) {
  set.seed(5)
  rho <- zcdp_rho(1, 0.05)
  line <- function(psi) function(d) mcost(d[, 1], 1, 0, psi, lower = -3, upper = 2, scale = 0.3)
  pure <- function(d) mcost(d, 1, lower = -3, upper = 5)
  gauss <- function(d) mcost(d, 1, 0.05, "logistic", lower = -3, upper = 5)
  far <- function(d, value) as.data.frame(rbind(rep(value, d), 0, rep(0.5, d)))
  ends <- function(run, d) queries_cost(run, far(d, 1e300), far(d, -1e300))
  any(ends(line("huber"), 1) > c(1, 0)) || any(ends(pure, 2) > c(1, 0)) || any(ends(gauss, 5) > c(0, rho)) ||
    any(worst_cost(line("tukey"), count) > c(1, 0)) || any(worst_cost(pure, count) > c(1, 0)) ||
    any(worst_cost(gauss, count, p = 4) > c(0, rho))
}

# A row's gradient is longer than the ball's radius.
gradients_too_long <- function() {
  at <- c(0, 1e-300, 0.3, 1, 2.095, 2.1, 4.6, 5, 1e9, 1e308)
  x <- as.matrix(expand.grid(c(-at, at), c(-at, at), c(0, 1)))
  long <- vapply(psi_kinds, function(kind) {
    any(rowSums(psi_places(x, numeric(3), rep(1, 3), psi_make(kind), 2^10)^2) > 2^20)
  }, NA)
  any(long)
}

test_that("neighbours cost at most what is paid, and nearly that much", {
  skip_on_cran()
  expect_false(mestimate_costs_more(25))
  expect_false(gradients_too_long())
  cost <- function(d, delta) {
    far <- function(value) as.data.frame(rbind(rep(value, d), 0, rep(0.5, d)))
    queries_cost(function(x) mcost(x, 1, delta, lower = -3, upper = 4), far(1e300), far(-1e300))
  }
  expect_equal(cost(1, 0)[[1]], 1, tolerance = 1e-4)
  expect_equal(cost(2, 0)[[1]], 1, tolerance = 1e-4)
  expect_equal(cost(5, 0.05)[[2]], zcdp_rho(1, 0.05), tolerance = 1e-4)
})

test_that("planted bugs are seen", {
  skip_on_cran()
  planted <- function(...) caught(bug(mestimate_costs_more, ...))
  expect_true(planted("noisy_step", "l1_reach(2 * radius, plan$d)", "l1_reach(radius, plan$d)")) # B T
  expect_true(planted("noisy_step", "4 * radius^2", "radius^2"))
  expect_true(planted("mestimate_shares", "(1 - last_share)/(steps - 1)", "last_share")) # not split
  expect_true(planted("gaussian_noise", "rho * shares", "rep(rho, length(shares))"))
  expect_true(planted("l1_reach", "l2 * sqrt(d)", "l2")) # the l2 norm for the l1 norm
  # rows mixed
  expect_true(planted("psi_places", "(x[, j] - center[[j]])", "(x[, j] - 9 * (mean(x[, j] > 0) > 0.4))"))
  expect_true(planted("mestimate_descend", "center <- pmin", # another way for some data
                      "center <- center + (mean(x) > 0.4)\n center <- pmin"))
  # the length is checked once more, so that it takes two bugs
  unchecked <- list("whole_places", "squares > lattice^2", "squares < 0")
  planted <- function(...) caught(do.call(bug, c(list(gradients_too_long), unchecked, list(...))))
  expect_true(planted("psi_weight", "1/pmax(1, s)", "1 + 0 * s")) # clipping left out
  expect_true(planted("psi_make", "tuning * 16/(25 * sqrt(5))", "tuning * 0.28")) # psi's bound wrong
})

test_that("a row beyond the ball is put at 0, whatever psi says", {
  places <- whole_places(rbind(c(1, 1), c(0.6, 0.8), c(NaN, 0), c(-1, 0), c(1e300, 0)), 16)
  expect_identical(places, rbind(c(0, 0), c(9, 12), c(0, 0), c(-16, 0), c(0, 0)))
})

test_that("widths halve from the limits to the scale, and shares add up to one", {
  expect_identical(mestimate_widths(0.1, 1.345), c(1, 1))
  expect_identical(mestimate_widths(8, 1), c(8, 4, 2, 1, 1))
  expect_identical(mestimate_widths(7, 1), c(7, 3.5, 1.75, 1, 1))
  for (steps in c(2, 5, 40)) {
    shares <- mestimate_shares(steps, 0.2)
    expect_lte(sum(shares), 0.8)
    expect_equal(sum(shares), 0.8, tolerance = 1e-10)
  }
  # 2 B / (e n) for the last step: standard deviations of Laplace noise
  psi <- psi_make("huber")
  plan <- mestimate_plan(500, 1L, 1, 0, psi, 8)
  expect_equal(plan$sd_step[[plan$steps]], sqrt(2) * 2 * 1.345 / (0.5 * 500) / psi_answer(psi),
               tolerance = 1e-6)
  expect_identical(mestimate_plan(500, 40L, 1, 1e-6, psi, 8)$noise, "Gaussian")
  expect_identical(mestimate_plan(500, 1L, 1, 1e-6, psi, 8)$guarantee, "pure")
})

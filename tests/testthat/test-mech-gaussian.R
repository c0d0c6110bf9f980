# Sums, lattices and integer noise: distributions, rates and rounding.

test_that("variances are at least what rho asks, lattices fit doubles", {
  for (rho in c(1e-12, 1e-6, 0.01, 2, 1e5)) for (n in c(2, 1e3, 1e7)) {
    lattice <- gaussian_steps(n, rho, sqrt(2))
    expect_lte(n * lattice, 2^52)
    variance <- gaussian_variance(2 * lattice^2, rho)
    expect_gte(variance[[1]] / variance[[2]], lattice^2 / rho)
    expect_true(all(variance == round(variance) & variance >= 1 & variance <= 2^52))
  }
  expect_error(gaussian_steps(10, 1e-20, 1), class = "dpdepth_error_input")
})

test_that("sums have discrete Gaussian noise of their variance", {
  drawn <- as.vector(replicate(2000, add_gaussian(c(3, 8), 4, 0.5, "system"))) - c(3, 8)
  expect_law(count_over(drawn, -15, 15), c(pmf_gaussian_discrete(-15:15, 4), 0))
  expect_not_law(count_over(drawn, -15, 15), c(pmf_gaussian_discrete(-15:15, 1), 0))
})

one_noise_for_all <- function() {
  noise <- replicate(200, diff(add_gaussian(c(3, 8), 4, 0.01, "system") - c(3, 8)))
  # noise of deviation 14: a tie in no more than 0.1, by far
  mean(noise == 0) > 0.1
}

test_that("each sum has noise of its own", {
  expect_false(one_noise_for_all())
  expect_true(caught(bug(one_noise_for_all, "add_gaussian", "draw_gaussian_discrete(length(values),",
                         "draw_gaussian_discrete(1L,")))
})

test_that("infinite values are clipped, and a number of the row's own stands for what is none", {
  expect_identical(lattice_place(c(NaN, 0.5, Inf, -Inf), 0, 1, 100, c(7, 1, 2, 3)), c(7, 50, 100, 0))
})

# -- how much noise (epsilon, delta) takes ----------------------------------------------------------------

# The smallest delta of numbers with discrete noise of that deviation, by summation. `moves`: of one or two.
summed_delta <- function(epsilon, moves, sd) {
  reach <- ceiling(10 * sd) + max(moves)
  z <- seq(-reach, reach)
  mass <- pmf_gaussian_discrete(z, sd^2)
  loss <- ((z - moves[[1]])^2 - z^2) / (2 * sd^2)
  if (length(moves) == 2) {
    mass <- as.vector(outer(mass, mass))
    loss <- as.vector(outer(loss, ((z - moves[[2]])^2 - z^2) / (2 * sd^2), `+`))
  }
  sum(mass * pmax(0, -expm1(epsilon - loss)))
}

delta_is_too_small <- function() {
  cases <- expand.grid(epsilon = c(1e-3, 0.1, 0.5, 1, 2, 4, 6, 8),
                       sd = c(0.5, 0.9, 1, 1.3, 2, 3.7, 8, 20, 50),
                       move = c(1:6, 10, 15, 20), numbers = 1:2)
  cases <- cases[cases$numbers == 1 | cases$sd <= 8 & cases$move %in% c(1, 3, 10), ]
  small <- mapply(function(epsilon, move, sd, numbers) {
    gaussian_delta(epsilon, numbers * move^2 / (2 * sd^2), numbers, sd^2) <
      summed_delta(epsilon, rep(move, numbers), sd) * (1 - 1e-9)
  }, cases$epsilon, cases$move, cases$sd, cases$numbers)
  any(small)
}

test_that("no delta is below that of the discrete noise, by summation", {
  expect_false(delta_is_too_small())
  planted <- function(...) expect_true(caught(bug(delta_is_too_small, ...)))
  planted("gaussian_delta", "(1 + exp(epsilon)) *", "")
  planted("gaussian_delta", "(1 + exp(epsilon)) *", "0 *")
  planted("rounded_distance", "min(1, 0.046", "min(1, 0.0046")
  planted("normal_delta", "sqrt(2 * rho)", "sqrt(rho)")
  planted("normal_delta", "mu/2 - epsilon/mu", "-mu/2 - epsilon/mu")
})

# The total variation between `m` discrete numbers and as many rounded normal ones, by summation over the
# products of their ratios.
summed_distance <- function(m, sd) {
  z <- 0:ceiling(7 * sd)
  twice <- c(1, rep(2, length(z) - 1))
  rounded <- twice * (stats::pnorm(-z + 0.5, 0, sd) - stats::pnorm(-z - 0.5, 0, sd))
  mass <- twice * pmf_gaussian_discrete(z, sd^2)
  one <- merge_losses(log(mass / rounded), mass)
  all <- list(loss = 0, mass = 1)
  for (j in seq_len(m)) {
    all <- merge_losses(as.vector(outer(all$loss, one$loss, "+")), as.vector(outer(all$mass, one$mass)))
  }
  sum(all$mass * pmax(0, -expm1(-all$loss)))
}

distance_is_too_small <- function() {
  cases <- list(c(1, 1), c(1, 1.4), c(1, 6), c(1, 40), c(2, 1), c(2, 3), c(8, 1))
  any(vapply(cases, function(case) {
    m <- case[[1]]
    variance <- case[[2]]^2
    at_most <- min(rounded_distance(rep(1, m), rep(variance, m)), rounded_distance(m, variance))
    at_most < summed_distance(m, case[[2]])
  }, NA))
}

test_that("rounded normal noise is as near as is said, many numbers at once", {
  expect_false(distance_is_too_small())
  expect_gt(summed_distance(1, 40), 0.4 * rounded_distance(1, 1600)) # the sum is not of nothing
  planted <- function(...) expect_true(caught(bug(distance_is_too_small, "rounded_distance", ...)))
  planted("0.046", "0.015")
  planted("entries/variance^2", "entries > 0)/variance[[1]]^2 * mean(1") # without the root of their number
})

test_that("rho grows with epsilon and delta, is no less than zCDP's, and nearly all that may be spent", {
  epsilons <- c(1e-6, 1e-3, 0.1, 1, 4, 20, 1e6)
  deltas <- c(1e-300, 1e-12, 1e-6, 1e-3, 0.3)
  rho <- outer(epsilons, deltas, Vectorize(function(e, d) gaussian_rho(e, d, 10, 1e12)))
  expect_true(all(diff(rho) > 0) && all(diff(t(rho)) > 0))
  expect_true(all(rho >= outer(epsilons, deltas, Vectorize(zcdp_rho))))
  expect_true(all(is.finite(rho)))
  # coarser noise takes more of delta, and none may take less than zCDP's
  expect_identical(gaussian_rho(1, 1e-6, 10, 100), zcdp_rho(1, 1e-6))
  expect_lt(gaussian_rho(1, 1e-6, 10, 1e6), gaussian_rho(1, 1e-6, 10, 1e12))
  expect_equal(gaussian_rho(1, 1e-6), normal_rho(1, 1e-6), tolerance = 1e-9)
  # parts of a budget: their rounding adds up
  rho <- gaussian_rho(1, 1e-6, c(3, 5), c(1e8, 4e8), c(0.25, 0.75))
  variances <- c(1e8, 4e8) / (2 * rho * c(0.25, 0.75))
  expect_equal(gaussian_delta(1, rho, c(3, 5), variances), 1e-6, tolerance = 1e-9)
  # noise is 7 percent smaller
  expect_equal(sqrt(zcdp_rho(1, 1e-6) / gaussian_rho(1, 1e-6)), 0.93, tolerance = 0.005)
})

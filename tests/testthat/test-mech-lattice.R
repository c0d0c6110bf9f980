# dp_median_exponential(resolution =): medians of whole numbers and other multiples of a public step.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

counts <- rep(0:7, c(35, 107, 110, 74, 36, 18, 10, 2))

draw_multiples <- function(draws, x, epsilon, prior, resolution, directions = NULL) {
  x <- check_data(x)
  plan <- directions_plan(directions, ncol(x), "exact")
  .Call(ffi_median_exp, "system", x, prior_fields(prior_for(prior, ncol(x)), resolution), epsilon, plan$exact,
        plan$directions, as.integer(draws))$draws
}

# The law on a grid of candidates, from the depth counts of the rounded rows.
multiples_law <- function(depth, epsilon, log_prior = 0) {
  weight <- exp(epsilon * (depth - max(depth)) / 2 + log_prior)
  weight / sum(weight)
}

test_that("a median of whole numbers is hit, not missed by a fraction", {
  skip_on_cran()
  # without a resolution the draw falls beside 2: that was the fault
  drawn <- replicate(100, coef(dp_median(counts, 1, lower = 0, upper = 20, resolution = 1)))
  expect_true(all(drawn == 2))
  release <- dp_median(counts, 1, lower = 0, upper = 20, resolution = 1)
  expect_match(release$details$why, "declared whole numbers")
  expect_identical(release$details$resolution, c(x = 1))
  expect_no_match(dp_median(counts, 1, lower = 0, upper = 20)$details$why, "declared")
})

test_that("one variable: candidates have their exact probabilities", {
  skip_on_cran()
  at <- 0:20
  depth <- vapply(at, function(m) min(sum(counts <= m), sum(counts >= m)), 0)
  for (epsilon in c(0.002, 0.02)) {
    drawn <- draw_multiples(1e5, counts, epsilon, prior_uniform(0, 20), 1)
    expect_law(tabulate(drawn + 1, 21), multiples_law(depth, epsilon), epsilon)
    normal <- draw_multiples(1e5, counts, epsilon, prior_normal(3.3, 0.4), 1)
    expect_true(all(normal >= -11 & normal <= 17))
    p <- multiples_law(c(rep(0, 11), depth[1:18]), epsilon, -0.5 * ((-11:17 - 3.3) / 0.4)^2)
    expect_law(tabulate(normal + 12, 29), p, paste("normal", epsilon))
  }
  drawn <- draw_multiples(1e5, counts, 0.022, prior_uniform(0, 20), 1)
  expect_not_law(tabulate(drawn + 1, 21), multiples_law(depth, 0.02), "10% over")
  # rows rounded another way than candidates
  shifted <- draw_multiples(1e5, counts + 0.6, 0.02, prior_uniform(0, 20), 1)
  expect_not_law(tabulate(shifted + 1, 21), multiples_law(depth, 0.02), "shifted")
})

test_that("two variables with steps of their own: candidates have their exact probabilities", {
  x <- cbind(rep(0:4, c(3, 6, 8, 5, 3)), rep(c(1, 0, 2, 1, 0.5), 5))
  grid <- as.matrix(expand.grid(0:4, seq(0, 2, 0.5)))
  prior <- prior_uniform(c(0, 0), c(4, 2))
  cells <- function(draws) tabulate(draws[, 1] + 10 * draws[, 2] + 1, 25)
  exact <- round(25 * depth_halfspace(grid, x))
  expect_law(cells(draw_multiples(5e4, x, 0.5, prior, c(1, 0.5))), multiples_law(exact, 0.5), "exact")
  dirs <- diag(2)
  along <- slow_directional(grid, x, dirs)
  drawn <- draw_multiples(5e4, x, 0.5, prior, c(1, 0.5), dirs)
  expect_law(cells(drawn), multiples_law(along, 0.5), "directional")
  expect_not_law(cells(drawn), multiples_law(along, 0.7), "another epsilon")
})

test_that("values are the multiples as R reads them, ends included", {
  # 3 / 10, not 3 * 0.1
  drawn <- draw_multiples(2000, c(0.3, 0.7), 1e-6, prior_uniform(0.3, 0.7), 0.1)
  expect_setequal(as.vector(drawn), c(0.3, 0.4, 0.5, 0.6, 0.7))
  expect_setequal(as.vector(draw_multiples(500, 5, 1e-6, prior_uniform(1, 9), 3)), c(3, 6, 9))
  # a step for one variable, none for the other
  mixed <- draw_multiples(20, cbind(counts, counts), 1, prior_uniform(0, 20), c(1, 0))
  expect_true(all(mixed[, 1] == round(mixed[, 1])))
})

test_that("a resolution may name some of the variables; the others keep the default", {
  skip_on_cran()
  # not on one line: an exact draw around one takes seconds
  x <- cbind(a = counts, b = rep_len(0:4, length(counts)) / 10)
  resolution_of <- function(...) dp_median(x, 1, lower = 0, upper = 20, ...)$details$resolution
  step <- dp_median(x, 1, lower = 0, upper = 20)$details$step
  expect_identical(resolution_of(resolution = c(b = 0.1)), c(a = step[["a"]], b = 0.1))
  axes <- dp_median(x, 1, lower = 0, upper = 20, directions = "axes")$details$step
  expect_identical(resolution_of(resolution = c(a = 1), directions = "axes"), c(a = 1, b = axes[["b"]]))
  # without limits the steps are those of prior_dyadic()
  expect_identical(dp_median(x, 1, resolution = c(b = 0.1))$details$prior$unit, c(2^-20, 0.1))
  restricted <- dp_median_restricted(x, 9, 1e-3, directions = "axes", resolution = c(b = 0.25))
  expect_identical(restricted$details$resolution, c(a = 2^-16, b = 0.25))
  expect_error(dp_median(x, 1, lower = 0, upper = 20, resolution = c(z = 1)), "`a`, `b`, not 1 other name",
               class = "dpdepth_error_input")
  expect_error(dp_median(x, 1, resolution = 0), "`resolution`", class = "dpdepth_error_input")
})

test_that("resolutions are matched by name and refused in words", {
  x <- cbind(a = counts, b = counts / 10)
  limits <- prior_uniform(0, 20)
  release <- dp_median_exponential(x, 1, prior = limits, resolution = c(b = 0.1, a = 1))
  expect_identical(release$details$resolution, c(a = 1, b = 0.1))
  ledger <- dp_ledger(1)
  bad <- function(resolution, ...) {
    expect_error(dp_median_exponential(x, 1, prior = limits, resolution = resolution, ledger = ledger, ...),
                 "resolution", class = "dpdepth_error_input")
  }
  wrong <- list(0, -1, NA, Inf, "1", c(1, 2, 3), c(foo = 1), c(a = 1, foo = 1), 1e-300, 1e-12, TRUE)
  for (resolution in wrong) bad(resolution)
  bad(1, sampler = "mcmc")
  expect_error(dp_median_exponential(x, 1, prior = prior_uniform(1, 2.5), resolution = 3),
               "resolution", class = "dpdepth_error_input")
  expect_no_error(dp_median_exponential(x, 1, prior = limits, resolution = 1, ledger = ledger))
})

test_that("a prior with a covariance has the lattice of what is drawn, and takes no resolution", {
  prior <- prior_normal(0, covariance = matrix(c(4, 1, 1, 1), 2))
  steps <- function(prior, resolution = NULL) prior$sd
  expect_identical(prior_lattice(prior, NULL, c("a", "b"), "exact", steps)$step$step, 1)
  e <- expect_error(prior_lattice(prior, 1, c("a", "b"), "exact", steps), class = "dpdepth_error_input")
  expect_identical(e$arg, "resolution")
})

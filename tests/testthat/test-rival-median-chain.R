# Markov chains over depths other than halfspace depth: what their releases say, atoms, agreement with exact
# draws, diagnostics, refusals. "stationary" is all that they promise; no privacy is tested here.

limits <- prior_uniform(-5, 5)

chain_plan <- function(x, depth, prior = prior_uniform(rep(-5, ncol(x)), rep(5, ncol(x))), directions = NULL,
                       smooth = NULL, langevin = FALSE) {
  median_chain_plan(nrow(x), ncol(x), 1, prior, depth, directions, smooth, variable_names(x), langevin)
}

last_of_chains <- function(x, plan, epsilon, chains, steps) {
  size <- list(chains = chains, steps = as.integer(steps))
  trace <- median_chains(x, plan, epsilon, "R", size, trace = TRUE)$trace
  matrix(trace[steps, , ], chains)
}

test_that("a chain is asked for, and its release says that no privacy is proved", {
  skip_on_cran()
  set.seed(1)
  x <- matrix(rnorm(3200), 200, 16)
  for (depth in c("spatial", "spatial_modified", "irw", "idd", "idd_smooth")) {
    r <- rival_median(x, 15, prior = limits, depth = depth, steps = 1000, chains = 1,
                      directions = if (takes_directions(depth)) 40, rng = "R")
    expect_identical(r[c("guarantee", "exact")], list(guarantee = "stationary", exact = FALSE))
    expect_identical(r$details$chain, "1 chains of 1000 steps")
    expect_true(all(abs(coef(r)) < 5))
  }
  ledger <- dp_ledger(15)
  r <- rival_median(x, 15, method = "langevin", prior = prior_normal(0, 5), steps = 1000, directions = 40,
                    rng = "R", ledger = ledger)
  expect_identical(r[c("guarantee", "exact")], list(guarantee = "unproved", exact = FALSE))
  expect_match(format(r)[[1]], "exact = FALSE")
  # no pair of data is known that breaks what was published of this one
  expect_no_match(guarantee_sentence(r), "pairs of data")
  expect_match(guarantee_sentence(r), "of another distribution than that of a finite run")
  expect_match(r$details$chain, "^Langevin, 4 chains of 1000 steps$")
  expect_match(as.data.frame(ledger)$label, "unproved")
})

test_that("chains and exact draws have one law, also under a covariance", {
  # 600 states of 30 chains that are about independent, and 600 exact draws: equal means and spreads, to six
  # standard errors
  set.seed(2)
  x <- matrix(rnorm(600, 1), 200, 3) %*% matrix(c(1, 0, 0, 0.5, 1, 0, 0, 0.3, 0.4), 3, byrow = TRUE)
  prior <- prior_normal(rep(0, 3), covariance = diag(3) * 3 + 1)
  for (depth in c("irw", "idd_smooth")) {
    # a slope at which the law of the smoothed depth is twice as wide as at twice that slope
    plan <- chain_plan(x, depth, prior, 30L, smooth = if (depth == "idd_smooth") 0.5)
    size <- list(chains = 30L, steps = 400L)
    trace <- median_chains(x, plan, 3, "R", size, trace = TRUE)$trace[seq(210, 400, 10), , ]
    exact <- .Call(ffi_depth_median, "R", whiten_rows(x, plan$whitening), prior_fields(plan$prior), 3,
                   match(depth, names(median_depths)), plan$directions, plan$smooth, FALSE, 600L)$draws
    for (j in 1:3) {
      chain <- as.vector(trace[, , j])
      spread <- stats::sd(exact[, j])
      expect_lt(abs(mean(chain) - mean(exact[, j])), 6 * spread * sqrt(2 / 600))
      expect_lt(abs(log(stats::sd(chain) / spread)), 6 * sqrt(1 / 600) * 1.3)
    }
  }
})

test_that("the chain over simplicial depth in space has the law of exact draws", {
  skip_on_cran()
  set.seed(7)
  x <- matrix(rnorm(36), 12)
  limits <- prior_uniform(rep(-3, 3), rep(3, 3))
  trace <- median_chains(x, chain_plan(x, "simplicial", limits), 25, "R", list(chains = 30L, steps = 400L),
                         trace = TRUE)$trace[seq(120, 400, 20), , ]
  exact <- .Call(ffi_depth_median, "R", x, prior_fields(chain_plan(x, "simplicial", limits)$prior), 25, 1L,
                 matrix(0, 0, 3), 0, FALSE, 450L)$draws
  for (j in 1:3) {
    spread <- stats::sd(exact[, j])
    expect_lt(abs(mean(trace[, , j]) - mean(exact[, j])), 6 * spread * sqrt(2 / 450))
    expect_lt(abs(log(stats::sd(trace[, , j]) / spread)), 6 * sqrt(1 / 450) * 1.3)
  }
  many <- matrix(0, 201, 3)
  refused <- function(x, ...) {
    expect_error(rival_median(x, 1, lower = -1, upper = 1, depth = "simplicial", ...),
                 class = "dpdepth_error_input")
  }
  expect_match(conditionMessage(refused(many)), "4 to 200 rows")
  expect_error(dp_median_exponential(many[1:150, ], 1, lower = -1, upper = 1, depth = "simplicial"),
               "4 to 100 rows", class = "dpdepth_error_input")
})

test_that("under a covariance, releases and diagnostics are in the data's coordinates", {
  set.seed(8)
  x <- cbind(rnorm(300, 40), rnorm(300, -20))
  prior <- prior_normal(c(30, -10), covariance = matrix(c(100, 60, 60, 100), 2))
  exact <- depth_plan(300, 2, prior, "irw", 20L, NULL, NULL, c("x1", "x2"))
  expect_lt(max(abs(draw_depth(x, exact, 20, "R") - c(40, -20))), 2)
  chain <- c(chain_plan(x, "irw", prior, 20L), list(epsilon = 20, size = list(chains = 1L, steps = 500L)))
  expect_lt(max(abs(run_median_chain(x, chain, "R")$estimate - c(40, -20))), 2)
  for (depth in c("irw", "halfspace")) {
    trace <- exponential_trace(x, 20, prior, 20L, "mcmc", 2L, 600L, "R", depth = depth)
    expect_lt(max(abs(apply(trace[-(1:300), , ], 3, mean) - c(40, -20))), 2)
  }
})

test_that("the published chain is another than ours; steps grow with the number of variables", {
  x <- matrix(stats::qnorm(stats::ppoints(80)), 40)
  run <- function(langevin) {
    set.seed(6)
    plan <- chain_plan(x, "idd_smooth", directions = 4L, langevin = langevin)
    median_chains(x, plan, 2, "R", list(chains = 1L, steps = 20L), trace = TRUE)$trace
  }
  expect_identical(run(FALSE), run(FALSE))
  expect_false(identical(run(FALSE), run(TRUE)))
  expect_equal(depth_chain_size(2L, NULL, 10, "irw"), list(chains = 2L, steps = 2000L))
  expect_equal(depth_chain_size(2L, NULL, 100, "idd")$steps, 4000)
  expect_equal(depth_chain_size(2L, NULL, 10, "spatial")$steps, 3000)
})

test_that("the chains find atoms, of all variables and of one", {
  skip_on_cran()
  set.seed(3)
  x <- matrix(rnorm(600), 200, 3)
  x[1:120, ] <- 0.5
  for (depth in c("irw", "spatial")) {
    plan <- chain_plan(x, depth, directions = if (depth == "irw") 20L)
    expect_true(all(last_of_chains(x, plan, 6, 4L, 1500) == 0.5))
  }
  y <- cbind(c(rep(0, 120), rnorm(80)), rnorm(200))
  found <- last_of_chains(y, chain_plan(y, "irw", directions = 2L), 2, 4L, 1500)
  expect_true(all(found[, 1] == 0))
  expect_lt(max(abs(found[, 2])), 1.5)
})

test_that("chains start from the prior and come to data far from its middle", {
  set.seed(4)
  x <- matrix(rnorm(3000, 30), 300, 10)
  plan <- chain_plan(x, "idd_smooth", prior_uniform(rep(-50, 10), rep(50, 10)), 60L)
  expect_gt(stats::sd(last_of_chains(x, plan, 4, 60L, 1)), 20)
  expect_lt(max(abs(last_of_chains(x, plan, 4, 6L, 600) - 30)), 3)
})

test_that("diagnostics run the chain of the depth", {
  set.seed(5)
  x <- matrix(rnorm(3000), 600, 5)
  found <- sampler_diagnostics(x, 2, lower = -5, upper = 5, depth = "idd_smooth", directions = 40,
                               steps = 1000, rng = "R")$value
  expect_true(all(found$rhat < 1.1 & found$ess > 100))
  refused <- function(arg, ...) {
    e <- expect_error(sampler_diagnostics(x, 1, lower = -5, upper = 5, ...), class = "dpdepth_error_input")
    expect_identical(e$arg, arg)
  }
  refused("depth", depth = "oja")
  refused("smooth", depth = "irw", smooth = 3)
  refused("sampler", depth = "irw", sampler = "langevin")
  refused("steps", depth = "irw", steps = 7)
})

test_that("what a chain cannot take is refused, and nothing spent", {
  x <- matrix(rnorm(60), 10, 6)
  ledger <- dp_ledger(1)
  refused <- function(arg, ..., prior = limits, epsilon = 1) {
    e <- expect_error(rival_median(..., epsilon = epsilon, prior = prior, ledger = ledger),
                      class = "dpdepth_error_input")
    expect_identical(e$arg, arg)
  }
  # a run of some steps is refused, by a public number
  for (steps in c(0, 1, 10, 999)) refused("steps", x, steps = steps)
  refused("steps", x, depth = "idd", steps = 1)
  refused("steps", x, method = "langevin", steps = 999)
  refused("chains", x, depth = "idd", chains = 0)
  refused("resolution", x, depth = "idd", resolution = 1)
  refused("x", x, depth = "simplicial")
  refused("x", matrix(0, 3, 256), depth = "spatial")
  refused("depth", x, method = "langevin", depth = "idd")
  refused("depth", x, depth = "oja")
  refused("smooth", x, depth = "irw", smooth = 3)
  for (directions in c("axes", "frames", "exact")) refused("directions", x, directions = directions)
  refused("directions", matrix(0, 1e5, 9), directions = 1000, epsilon = 0.001)
  refused("prior", x, depth = "idd", prior = prior_dyadic(1))
  refused("prior", x, prior = prior_dyadic(1))
  expect_identical(summary(ledger)$spent[[1]], 0)
})

test_that("depth = \"projection\": a chain after the test of dp_median_projection()", {
  skip_on_cran()
  set.seed(31)
  x <- cbind(height = rnorm(3000, 170, 10), weight = rnorm(3000, 75, 14))
  run <- function(x, ...) {
    rival_median(x, 8, 1e-4, depth = "projection", directions = 20, units = 10, steps = 1000, ...)
  }
  weak <- c(chain = "stationary", langevin = "unproved")
  for (method in names(weak)) {
    ledger <- dp_ledger(8, 1e-4)
    r <- run(x, method = method, ledger = ledger)
    expect_true(all(abs(coef(r) - c(170, 75)) < c(3, 4)))
    expect_identical(r[c("guarantee", "exact", "released")],
                     list(guarantee = weak[[method]], exact = FALSE, released = TRUE))
    expect_match(as.data.frame(ledger)$label, weak[[method]])
    expect_false(any(grepl("guarantee +\\(epsilon, delta\\)-DP", c(format(r), format(summary(r))))))
  }
  failed <- run(0 * x)
  expect_true(!failed$released && all(is.na(coef(failed))) && !failed$exact)
  # what exact draws do not begin
  wide <- matrix(rnorm(16 * 400), 400)
  expect_identical(rival_median(wide, 20, 1e-3, depth = "projection", directions = 16, steps = 1000,
                                try_anyway = TRUE)$guarantee, "stationary")
  refused <- function(about, ...) expect_error(run(x, ...), about, class = "dpdepth_error_input")
  refused("`lower` must be NULL", lower = 0, upper = 1)
  refused("`smooth`.*Another `depth` takes it", smooth = 3)
  refused("`gamma`.*\"random_dp\" takes it", gamma = 0.1)
  expect_error(rival_median(x, 8, depth = "projection"), "delta", class = "dpdepth_error_input")
  expect_error(rival_median(x, 8, lower = 0, upper = 300, tau = 3), "`tau`.*Another `depth` takes it",
               class = "dpdepth_error_input")
})

# -- where the chain over halfspace depth starts, and what it sees --------------------------------------

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

# The chance that a draw is noise: exact laws on small data, the formula, draws, what plans and releases say.
# Error rates: ALPHA (helper-stat.R).

# The law of one quantile of rows at the places of quantiles, in the gaps between them, by a sum.
gap_failure <- function(n, p, epsilon, width) {
  x <- stats::qnorm((seq_len(n) - 0.5) / n)
  ranks <- quantile_ranks(n, p)
  count <- 0:n
  edges <- c(-Inf, x, Inf)
  weight <- exp(epsilon / 2 * pmin(count - ranks$below, n - count - ranks$above))
  size <- pmin(edges[-1], 5) - pmax(edges[-(n + 2)], -5)
  inside <- sum(weight * size)
  out <- (weight[[1]] + weight[[n + 1]]) * (width - 5)
  out / (out + inside)
}

test_that("of one quantile it is the sum over gaps, and the formula for large limits", {
  for (case in list(c(80, 0.5, 1), c(40, 0.5, 2), c(400, 0.1, 1), c(200, 0.9, 2), c(2000, 0.02, 1))) {
    n <- case[[1]]
    failure <- rank_failure(n, case[[2]], case[[3]], quantile_levels(1L))(line_of(1e-6))
    expect_lt(abs(log(failure / gap_failure(n, case[[2]], case[[3]], 1e6))), log(1.3))
  }
  near <- 4 / (70 * stats::dnorm(0))
  out <- (2e6 - 5) * 2 * exp(-70 / 4)
  expect_equal(rank_failure(70, 0.5, 1, quantile_levels(1L))(line_of(1 / 2e6)), out / (out + near),
               tolerance = 0.05)
})

test_that("along the axes it is level 0's weight among all levels", {
  k <- 1:50
  side <- -2 * stats::qnorm((k - 0.5) / 100) / 1000
  weight <- c(1, (exp(k / 2) - exp((k - 1) / 2)) * side^3)
  expect_equal(level_failure(100, 3, 1, TRUE)(line_of(1e-3)), weight[[1]] / sum(weight), tolerance = 1e-5)
  # spreads of their own
  size <- side^2 * side / 7
  weight <- c(1, (exp(k / 2) - exp((k - 1) / 2)) * size)
  expect_equal(level_failure(100, 3, 1, TRUE)(line_of(c(1, 1, 1 / 7) / 1000)), weight[[1]] / sum(weight),
               tolerance = 1e-5)
})

test_that("draws fail as often as that, of one quantile, several, and medians", {
  skip_on_cran()
  set.seed(271)
  often <- function(failure, draw, runs = 300) {
    seen <- sum(vapply(seq_len(runs), function(i) draw(), NA))
    # within a factor of 3 but for ALPHA
    expect_gt(stats::pbinom(seen, runs, failure / 3), ALPHA)
    expect_gt(stats::pbinom(seen - 1, runs, min(1, 3 * failure), lower.tail = FALSE), ALPHA)
  }
  quantiles <- function(n, probs, half) {
    levels <- quantile_levels(length(probs))
    prior <- prior_uniform(-half, half)
    often(rank_failure(n, probs, 1, levels)(line_of(1 / (2 * half))), function() {
      z <- draw_quantiles(matrix(stats::rnorm(n)), probs, prior, 1, levels, "R", 1L)
      any(abs(z - stats::qnorm(probs)) > 5)
    })
  }
  quantiles(76, 0.5, 1e6)
  quantiles(160, 1:3 / 4, 5e4)
  prior <- prior_for(prior_uniform(-500, 500), 5)
  often(level_failure(180, 5, 1, TRUE)(line_of(1e-3)), function() {
    any(abs(draw_axes(matrix(stats::rnorm(900), 180), prior, 1, "R", 1L)) > 5)
  })
})

test_that("plans leave the cliff behind, and say how likely a draw fails", {
  skip_on_cran()
  # 28% of the releases were noise at the 70 rows that were planned
  p <- plan_median(d = 1, epsilon = 1, lower = -1e6, upper = 1e6, spread = 1, error = 1)
  expect_true(all(p$n > 90 & p$n < 110 & p$failure < planned_failure))
  before <- plan_median(n = 70, d = 1, epsilon = 1, lower = -1e6, upper = 1e6, spread = 1)
  expect_true(all(before$beyond & before$failure > 0.2))
  expect_equal(before$error, 1e6 / sqrt(3))
  # incomes
  p <- plan_quantile(probs = 0.9, epsilon = 1, lower = 0, upper = 1e6, spread = 2e4, error = 0.2)
  expect_lt(p$failure, planned_failure)
  fewer <- plan_quantile(floor(0.8 * p$n), 0.9, 1, lower = 0, upper = 1e6, spread = 2e4)
  expect_gt(fewer$failure, planned_failure)
  expect_true(plan_region(521, epsilon = 1, lower = -1e6, upper = 1e6, spread = 1)$beyond)
  p <- plan_mestimate(n = 133, epsilon = 1, lower = -1e6, upper = 1e6, scale = 1, psi = "tukey")
  expect_true(p$astray && p$failure > 0.8)
  for (plan in list(plan_median(d = 5, epsilon = 1, prior = prior_normal(0, 1e4), spread = 1, error = 1),
                    plan_median(d = 2, epsilon = 1, lower = -1e5, upper = 1e5, spread = 1, error = 1),
                    plan_median(d = 8, epsilon = 1, error = 1),
                    plan_median(d = 2, epsilon = 1, lower = -20, upper = 20, spread = 1, depth = "idd",
                                error = 1),
                    plan_mestimate(epsilon = 1, lower = -1e4, upper = 1e4, scale = 1, error = 1))) {
    expect_true(all(plan$failure[if (is.null(plan$chosen)) TRUE else plan$chosen] <= planned_failure))
  }
  expect_error(plan_quantile(probs = 0.1, epsilon = 1, lower = 0, upper = 1, error = 0.95),
               "no quantile can be farther off", class = "dpdepth_error_input")
})

test_that("the cliff is additive: what lies between a draw in two and one in 2000", {
  for (wide in c(1e2, 1e7)) for (epsilon in c(0.2, 2)) {
    least <- function(most) {
      search_count(function(n) median_failure(n, 1, epsilon, "axes")(line_of(1 / wide)) <= most, 2, 1e6)
    }
    expect_equal((least(1 / 2000) - least(1 / 2)) * epsilon / (4 * log(2000)), 1, tolerance = 0.2)
  }
})

test_that("a release says the least spread that it resolves, and the print does", {
  r <- dp_median(matrix(sin(1:80)), 0.8, lower = -1, upper = 1, rng = "R")
  share <- r$details$resolves / 2
  failure <- median_failure(80, 1, 0.8, "exponential")
  expect_lt(failure(line_of(share * 1.02)), resolved_failure)
  expect_gt(failure(line_of(share / 1.02)), resolved_failure)
  expect_match(format(r), "^resolves +spreads of ", all = FALSE)
  expect_identical(spreads_text(c(0, 0), FALSE), "any spread")
  # a lattice so coarse that nothing lies between its steps
  whole <- suppressWarnings(dp_median(1:60 %% 9, 1, lower = 0, upper = 9, resolution = 1, rng = "R"))
  expect_identical(unname(whole$details$resolves), 1)
  two <- dp_median(cbind(a = 1:300 %% 9, b = 1:300 %% 7), 0.5, lower = 0, upper = c(9, 90), rng = "R")
  expect_named(two$details$resolves, c("a", "b"))
  expect_equal(two$details$resolves[["b"]], 10 * two$details$resolves[["a"]], tolerance = 0.01)
  free <- dp_median(matrix(sin(1:200)), 1, rng = "R")
  expect_match(paste(format(free), collapse = " "), "from the prior's origin")
  # where even the least share is resolved, "spreads of 0 ... or more" said nothing
  expect_identical(spreads_text(0, TRUE), paste("spreads of any share of the distance from the prior's",
                                                "origin or more, not below its step"))
  # of a private n nothing is told
  private <- dp_median(matrix(sin(1:200)), 1, lower = -1, upper = 1, neighbours = "add_remove", rng = "R")
  expect_null(private$details$resolves)
  for (release in list(dp_quantile(sin(1:200), 1:3 / 4, 1, lower = -1, upper = 1, rng = "R"),
                       dp_ecdf(sin(1:500), 1, lower = -1, upper = 1, rng = "R"),
                       dp_region(cbind(sin(1:2000), cos(1:2000)), epsilon = 1, lower = -1, upper = 1,
                                 rng = "R"),
                       dp_median(cbind(1:90 %% 7, 1:90 %% 5), 2, lower = 0, upper = 9, method = "marginal",
                                 rng = "R"))) {
    expect_true(all(is.finite(release$details$resolves)))
  }
})

# The chance that noise moves a variable by five spreads: by the noise's own law, over rows of three samples.
moved_by_smooth <- function(n, d, epsilon, delta, region, spread) {
  constants <- smooth_constants(epsilon, delta, d)
  bounds <- list(lower = rep(0, d), upper = rep(1, d))
  apart <- d == 1 || region == "marginal"
  lattice <- smooth_lattice(bounds, if (apart) fine_bits(bounds, constants) else lattice_bits)
  mean(vapply(1:3, function(i) {
    rows <- lattice_rows(matrix(rnorm(n * d, 0.1, spread), n), lattice)
    scale <- smooth_law(rows, lattice, constants, if (d == 1) "exact" else region)$scale / 2^scale_bits
    1 - (1 - exp(-5 * spread / (scale * lattice$step[[1]])))^d
  }, 0))
}

test_that("noise of smooth sensitivity resolves the spreads that the release names, up to a factor of 2", {
  skip_on_cran()
  set.seed(1)
  resolves <- function(n, d, epsilon, delta, region) {
    limits <- list(lower = rep(0, d), upper = rep(1, d))
    plan <- plan_smooth(planned_facts(n, d),
                        c(list(epsilon = epsilon, delta = delta, region = region), limits))
    unname(plan$details$resolves[[1]])
  }
  # n, d, epsilon, delta; the last two resolve nothing
  settings <- list(
    list(200, 1, 1, 1e-6, "exact"), list(500, 1, 0.5, 1e-8, "exact"), list(60, 1, 4, 1e-5, "exact"),
    list(4000, 1, 0.1, 1e-6, "exact"), list(300, 2, 1, 1e-6, "marginal"), list(600, 5, 1, 1e-6, "marginal"),
    list(150, 2, 4, 1e-6, "exact"), list(700, 2, 1, 1e-6, "directional"),
    list(400, 3, 2, 1e-6, "directional"), list(40, 1, 1, 1e-6, "exact"), list(1000, 5, 1, 1e-6, "directional")
  )
  wrong <- function(setting) {
    at <- do.call(resolves, setting)
    moved <- function(spread) do.call(moved_by_smooth, c(setting, spread))
    if (is.infinite(at)) return(moved(0.025) < 0.01)
    !(moved(at / 2) > 0.01 && moved(2 * at) < 0.01)
  }
  for (setting in settings) expect_false(wrong(setting), info = toString(setting))
  finite <- vapply(settings, function(s) is.finite(do.call(resolves, s)), NA)
  expect_identical(finite, rep(c(TRUE, FALSE), c(9, 2)))
  for (edit in list(list(5, "n%/%2", "n%/%3"), list(11, "else 4", "else 1"),
                    list(9, "n/(d + 1), n/4", "n/2, n/4"))) {
    seen <- function() wrong(settings[[edit[[1]]]])
    expect_true(caught(bug(seen, "smooth_failure", edit[[2]], edit[[3]])), info = edit[[2]])
  }
})

# 200 draws of which one in a hundred fails have more than 12 failures with probability 5e-7; of which one in
# twelve, fewer than 2 with probability 1e-6.
test_that("M-estimates resolve the spreads that they name", {
  skip_on_cran()
  set.seed(3)
  for (s in list(list(500, 1, 0, "tukey", 1), list(600, 2, 1e-6, "huber", 3))) {
    d <- s[[5]]
    plan <- plan_descent(planned_facts(s[[1]], d), list(
      epsilon = s[[2]], delta = s[[3]], psi = s[[4]], lower = rep(-25, d), upper = rep(25, d), scale = 1,
      neighbours = "substitution"
    ))
    at <- plan$details$resolves[[1]]
    rows <- matrix(rnorm(s[[1]] * d), s[[1]])
    fails <- function(spread) {
      x <- 10 + spread * rows
      sum(replicate(200, any(abs(mestimate_descend(x, plan$bounds, plan$psi, plan, "R") - 10) > 5 * spread)))
    }
    expect_lte(fails(2 * at), 12)
    expect_gte(fails(at / 2), 2)
  }
  few <- suppressWarnings(dp_mestimate(sin(1:20), 1, lower = -25, upper = 25, scale = 1, rng = "R"))
  expect_identical(unname(few$details$resolves), Inf)
  private <- dp_mestimate(sin(1:500), 1, lower = -25, upper = 25, scale = 1, neighbours = "add_remove",
                          rng = "R")
  expect_null(private$details$resolves)
})

test_that("what is not resolved is warned of before the debit, by public numbers, and good calls are not", {
  ledger <- dp_ledger(10)
  said <- function(n, ...) {
    tryCatch({
      dp_median(matrix(sin(seq_len(n))), 1, lower = -1, upper = 1, rng = "R", ledger = ledger, ...)
      "none"
    }, dpdepth_warning_accuracy = conditionMessage)
  }
  expect_match(said(20), "the release may be noise as wide as the public limits")
  expect_match(said(38), "spreads of 0.0[0-9]+ or more are resolved: of other data the release may be")
  expect_identical(summary(ledger)$spent[[1]], 0)
  expect_identical(said(60), "none")
})

test_that("bugs in the rule are caught", {
  k <- 1:50
  weight <- (exp(k / 2) - exp((k - 1) / 2)) * (-2 * stats::qnorm((k - 0.5) / 100) / 1000)^3
  level_0 <- 1 / (1 + sum(weight))
  found <- function() {
    f <- rank_failure(80, 0.5, 1, quantile_levels(1L))(line_of(1e-6))
    g <- level_failure(100, 3, 1, TRUE)(line_of(1e-3))
    r <- resolved_share(median_failure(80, 1, 0.8, "axes"))
    abs(log(f / gap_failure(80, 0.5, 1, 1e6))) > log(1.3) || abs(g - level_0) > 1e-3 ||
      abs(log(r / 1.406e-4)) > 0.1
  }
  expect_false(found())
  for (edit in list(c("block_odds", "lambda * rank[[j]]", "2 * lambda * rank[[j]]"),
                    c("block_odds", "k * log(2)", "0"),
                    c("block_odds", "peak <- 1", "peak <- 2"),
                    c("level_failure", "(k - lost)/2", "(k - lost)"),
                    c("level_failure", "weight <- c(0,", "weight <- c(-9,"),
                    c("rank_failure", "each[[node$level]]/2", "each[[node$level]]"),
                    c("resolved_share", "> resolved_failure", "> 0.5"))) {
    expect_true(caught(bug(found, edit[[1]], edit[[2]], edit[[3]])), info = toString(edit))
  }
})

test_that("blocks of as many quantiles as leave together count, and names that do not fit are dropped", {
  wrong <- function() {
    levels <- list(split = 2L, share = 1)
    of <- function(from) rank_failure(60, c(0.1, 0.9), c(1, 1), levels, from)(line_of(1e-6))
    two <- resolved_spread(function(line) 0, prior_uniform(c(0, 0), c(1, 1)), names = "a")
    !(of(2) > 0 && of(1) >= of(2) && of(3) == 0 && is.null(names(two$at)))
  }
  expect_false(wrong())
  expect_true(caught(bug(wrong, "block_odds", "k < from", "k <= from")))
  expect_true(caught(bug(wrong, "resolved_spread", "length(names) != length(at)", "FALSE")))
})

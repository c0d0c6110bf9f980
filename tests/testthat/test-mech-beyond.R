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
  # 28% of the releases were noise at the 70 rows that were planned
  p <- plan_median(d = 1, epsilon = 1, lower = -1e6, upper = 1e6, spread = 1, error = 1)
  expect_true(all(p$n > 90 & p$n < 110 & p$failure < planned_failure))
  before <- plan_median(n = 70, d = 1, epsilon = 1, lower = -1e6, upper = 1e6, spread = 1)
  expect_true(all(before$beyond & before$failure > 0.2))
  expect_equal(before$error, rep(1e6 / sqrt(3), 2))
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
  # a lattice so coarse that nothing lies between its steps
  whole <- suppressWarnings(dp_median(1:60 %% 9, 1, lower = 0, upper = 9, resolution = 1, rng = "R"))
  expect_identical(unname(whole$details$resolves), 1)
  two <- dp_median(cbind(a = 1:300 %% 9, b = 1:300 %% 7), 0.5, lower = 0, upper = c(9, 90), rng = "R")
  expect_named(two$details$resolves, c("a", "b"))
  expect_equal(two$details$resolves[["b"]], 10 * two$details$resolves[["a"]], tolerance = 0.01)
  free <- dp_median(matrix(sin(1:200)), 1, rng = "R")
  expect_match(paste(format(free), collapse = " "), "from the prior's origin")
  # where even the least share is resolved, "spreads of 0 ... or more" said nothing
  expect_identical(spreads_text(0, TRUE), "spreads of any share of the distance from the prior's origin")
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

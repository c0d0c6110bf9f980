# The restricted exponential mechanism over regression depth: counts, margin, draws, the guarantee.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

# -- regions ---------------------------------------------------------------------------------

# Whole rows whose bounded regions lie in fit_grid(-60:60, -16:16).
small_rows <- function(n, kind) {
  rows <- cbind(sample(-3:3, n, TRUE), sample(-5:5, n, TRUE))
  switch(1 + kind %% 6, rows, rows[rep(1, n), , drop = FALSE], cbind(2, rows[, 2]),
         cbind(rows[, 1] %% 2, rows[, 2]), cbind(rows[, 1], 2 * rows[, 1] - 1),
         rows[sample(n, n, TRUE), , drop = FALSE])
}

test_that("counted fits and unbounded levels are those of brute force", {
  skip_on_cran()
  set.seed(1)
  grid <- fit_grid(-60:60, -16:16)
  for (i in 1:40) {
    rows <- small_rows(sample(1:9, 1), i)
    found <- restricted_fits(0, rows, 1, 1)[[1]]
    steep <- slow_unbounded(rows)
    expect_identical(sum(found == Inf), as.integer(steep))
    counts <- slow_volumes(slow_fit_counts(grid, rows))
    expect_equal(found[found < Inf], counts[seq_along(counts) > steep])
  }
})

test_that("numbers of fits of large regions are areas, the same for any number of threads", {
  skip_on_cran()
  set.seed(2)
  rows <- cbind(round(rnorm(120) * 2^16), round(rnorm(120) * 2^36))
  counts <- restricted_fits(0, rows, 1, 1)[[1]]
  # the share of a box's fits that are in a region, by chance
  box <- cbind(runif(2e4, -1, 1) * 2^36, runif(2e4, -1, 1) * 2^20)
  depth <- slow_fit_counts(round(box), rows)
  for (l in c(30, 40)) expect_prob(sum(depth >= l), nrow(box), counts[[l]] / 2^58)
  old <- dpdepth_threads(2)
  expect_identical(restricted_fits(0, rows, 1, 1)[[1]], counts)
  dpdepth_threads(old)
})

# -- margin ----------------------------------------------------------------------------------

# Counts of all data sets of n rows of a grid, one a row: infinite for unbounded levels, 0 for empty ones.
all_counts <- function(all) {
  t(vapply(seq_len(nrow(all$counts)), function(i) {
    found <- restricted_fits(0, dataset(all, i), 1, 1)[[1]]
    c(found, numeric(all$n - length(found)))
  }, numeric(all$n)))
}

test_that("all neighbours on small grids: regions are nested, and margins move by at most one", {
  skip_on_cran()
  grids <- list(list(fit_grid(0:2, 0:2), 5), list(fit_grid(0:1, 0:2), 8), list(fit_grid(0:4, 0:1), 4))
  moved <- 0
  for (case in grids) {
    all <- all_datasets(case[[1]], case[[2]])
    counts <- all_counts(all)
    near <- which(all$apart == 1, arr.ind = TRUE)
    a <- counts[near[, 1], ]
    b <- counts[near[, 2], ]
    expect_true(all(b[, -1] <= a[, -all$n]))
    for (t in 2:5) {
      for (rate in c(1, 4)) {
        margin <- apply(counts, 1, function(v) restricted_fit_margin(v[v > 0], t, all$n, rate, 0.9 / rate))
        expect_lte(max(abs(margin[near[, 1]] - margin[near[, 2]])), 1)
        moved <- moved + sum(margin > 0)
      }
    }
  }
  expect_gt(moved, 100)
})

test_that("the margin moves by at most one from row to row on walks, with fine grids too", {
  skip_on_cran()
  set.seed(3)
  seen <- 0
  for (i in 1:24) {
    n <- sample(20:60, 1)
    fine <- if (i %% 2 == 0) 1000 else 1
    rows <- fine * near_line(n) + if (fine > 1) round(rnorm(2 * n, sd = 30)) else 0
    rate <- sample(c(0.5, 2, 6), 1)
    delta <- 10^-sample(0:4, 1) / 2
    t <- n %/% sample(3:5, 1)
    last <- fit_margin_of(rows, t, rate, delta)
    for (step in 1:12) {
      rows[sample(n, 1), ] <- fine * c(sample(-5:5, 1), sample(-4:4, 1)) * sample(c(0, 1, 1000), 1)
      margin <- fit_margin_of(rows, t, rate, delta)
      expect_lte(abs(margin - last), 1)
      seen <- seen + (margin != last)
      last <- margin
    }
  }
  expect_gt(seen, 20)
})

test_that("the margin is the direct formula's, and its threshold errs to the safe side", {
  skip_on_cran()
  set.seed(4)
  for (i in 1:30) {
    n <- 60
    counts <- restricted_fits(0, cbind(round(rnorm(n, sd = 60)), round(rnorm(n, sd = 4000))), 1, 1)[[1]]
    steep <- sum(counts == Inf)
    t <- sample(5:15, 1)
    rate <- runif(1, 1, 4)
    levels <- seq_along(counts)
    weight <- function(r) {
      above <- counts * exp(rate * levels / 2) * (1 - exp(-rate / 2))
      counts[[r]] * exp(rate * r / 2) + sum(above[levels > r])
    }
    k <- 0:(t - 2 - steep)
    k <- k[t + k <= length(counts)]
    bound <- vapply(k, function(k) {
      outer <- exp(-rate / 2) * counts[t - 1 - k] + (1 - exp(-rate / 2)) * counts[t - k]
      exp(rate * (t + k) / 2) * outer / weight(t + k)
    }, 0)
    for (delta in c(0.5, 1e-2)) {
      safe <- bound <= delta * exp(-min_slack * (1 + k))
      expect_equal(restricted_fit_margin(counts, t, n, rate, delta), sum(cumprod(safe)))
    }
    expect_equal(restricted_fit_margin(counts, t, n, rate, bound[[1]]), 0)
    expect_gte(restricted_fit_margin(counts, t, n, rate, bound[[1]] * exp(2 * min_slack)), 1)
  }
  # no law: the level is empty, unbounded, or next to an unbounded one
  expect_identical(restricted_fit_margin(c(Inf, 9, 3), 4L, 9L, 1, 0.5), 0)
  expect_identical(restricted_fit_margin(c(Inf, Inf, 3), 2L, 9L, 50, 0.5), 0)
  expect_identical(restricted_fit_margin(c(Inf, Inf, 3, 3, 3, 3), 3L, 9L, 50, 0.5), 0)
  expect_identical(restricted_fit_margin(c(Inf, Inf, 3, 3, 3, 3), 4L, 9L, 50, 0.5), 1)
})

# -- the whole -------------------------------------------------------------------------------

fit_law_table <- function(rows, grid) {
  list(rows = rows, depth = slow_fit_counts(grid, rows), steep = slow_unbounded(rows))
}

# The law of the release over the grid of fits, "failed" last: nothing is drawn where the level is unbounded.
slow_fit_law <- function(table, level, rate, eps_test, delta, margin) {
  if (level <= table$steep) return(c(0 * table$depth, 1))
  slow_release_law(table$depth, level, rate, eps_test, delta, margin(table$rows, level, rate, delta))
}

fit_excess <- function(pair, level, rate, eps_test, delta, margin = fit_margin_of,
                       nominal = rate + eps_test) {
  laws <- lapply(pair, slow_fit_law, level, rate, eps_test, delta, margin)
  max(hockey_stick(laws[[1]], laws[[2]], nominal), hockey_stick(laws[[2]], laws[[1]], nominal))
}

# Unbounded levels taken for as large as the first that is bounded.
bounded_margin <- function(rows, level, rate, delta) {
  counts <- restricted_fits(0, rows, 1, 1)[[1]]
  counts[counts == Inf] <- max(counts[counts < Inf], 1)
  restricted_fit_margin(counts, level, nrow(rows), rate, delta)
}

# V_t in the place of V_{t-1}.
shifted_margin <- function(rows, level, rate, delta) {
  counts <- restricted_fits(0, rows, 1, 1)[[1]]
  restricted_fit_margin(c(counts[-1], 0)[seq_along(counts)], level, nrow(rows), rate, delta)
}

test_that("the whole release is (epsilon, delta)-private on neighbours, and broken ones are not", {
  skip_on_cran()
  set.seed(4)
  grid <- fit_grid(-44:44, -8:8)
  pairs <- lapply(seq_len(audit_size(60, 150)), function(i) {
    rows <- near_line(sample(10:20, 1))
    lapply(list(rows, fit_neighbour(rows)), fit_law_table, grid)
  })
  delta <- 0.02
  whole <- function(..., level = 5, rate = 3) {
    max(vapply(pairs, fit_excess, 0, level = level, rate = rate, eps_test = 2, delta = delta, ...))
  }
  expect_lte(whole(), delta)
  expect_lte(whole(level = 3, rate = 6), delta)
  # no test; a margin that does not look at the data; the draw's epsilon forgotten
  expect_gt(whole(margin = function(...) 1e3), delta)
  expect_gt(whole(margin = function(...) 4), delta)
  expect_gt(whole(nominal = 2), delta)
  expect_gt(whole(margin = bounded_margin), delta)
  expect_gt(whole(margin = shifted_margin), delta)
  expect_gt(whole(margin = function(rows, level, rate, delta) fit_margin_of(rows, level, rate, 1)), delta)
})

# -- draws -----------------------------------------------------------------------------------

test_that("draws follow the law; the published weights and another rate are rejected", {
  skip_on_cran()
  set.seed(5)
  draws <- 4e4
  cases <- list(
    cbind(c(-3, -2, -1, 0, 0, 1, 2, 3, 3), c(2, -4, 5, -1, 3, 0, -3, 4, 1)),
    cbind(rep(0:1, 5), c(0, 1, 3, 4, 6, 7, 9, 10, 12, 13)),
    cbind(c(0, 1, 2, 3, 4, 5, 5, 5, 2, 2, 2), c(0, 4, 1, 5, 2, 3, 3, 3, 2, 1, 4))
  )
  grid <- fit_grid(-60:60, -16:16)
  for (rows in cases) {
    depth <- slow_fit_counts(grid, rows)
    level <- slow_unbounded(rows) + 1
    found <- restricted_fits(draws, rows, level, 0.5)[[2]]
    counts <- tabulate(cell_of(found, grid), nrow(grid))
    by <- order(depth)
    expect_law(counts[by], slow_draw_law(depth, level, 0.5)[by])
    expect_not_law(counts[by], slow_draw_law(depth, level, 0.5, base = -expm1(-0.25))[by])
    expect_not_law(counts[by], slow_draw_law(depth, level, 0.9)[by])
  }
})

test_that("draws where there is no law, of a single fit, and at the edges of the ranges", {
  line <- cbind(1:9, 3 * (1:9) - 5)
  expect_identical(restricted_fits(2, line, 9, 1), list(c(Inf, rep(1, 8)), matrix(c(-5, -5, 3, 3), 2)))
  expect_identical(dim(restricted_fits(2, line, 1, 1)[[2]]), c(0L, 2L)) # unbounded
  expect_identical(dim(restricted_fits(2, cbind(4, 1:9), 3, 1)[[2]]), c(0L, 2L)) # one x only
  expect_identical(restricted_fits(0, cbind(4, 1:9), 3, 1)[[1]], rep(Inf, 5))
  far <- cbind(2^40 * c(-1, -1, 1, 1), 2^60 * c(-1, 1, -1, 1))
  found <- restricted_fits(400, far, 2, 1e-6)
  # |b| <= 2^20, |a| <= 2^60 - 2^40 |b|: four triangles of equal size, but for their edges
  expect_equal(found[[1]], c(Inf, 2^81))
  expect_true(all(abs(found[[2]][, 1]) + 2^40 * abs(found[[2]][, 2]) <= 2^60))
  expect_law(tabulate(1 + (found[[2]][, 1] > 0) + 2 * (found[[2]][, 2] > 0), 4), rep(0.25, 4))
})

# -- plan and engine ----------------------------------------------------------------------------

test_that("data on a line, with one or two x, or with equal rows: released or failed, never an error", {
  set.seed(6)
  plan <- restricted_regression_plan(200, 4, 1e-6, resolution = 2^-10)
  x <- rnorm(200)
  run <- function(x, y) {
    out <- run_restricted_regression(x, y, plan, "R")
    expect_identical(out$released, !anyNA(out$estimate))
    expect_true(out$exact)
    out
  }
  grid <- round(x * 2^10) / 2^10
  expect_equal(run(grid, 2 - 3 * grid)$estimate, c(2, -3))
  expect_true(run(x, x + rnorm(200))$released)
  run(rep(0:1, 100), rnorm(200))
  run(rep(c(-1e300, 1e300), 100), c(-1e300, 1e300, 0, 1))
  expect_false(run(rep(2, 200), rnorm(200))$released)
  expect_false(run(rep(2, 200), rep(1, 200))$released)
  expect_equal(run(c(x[-1], 1e300), rep(-1e300, 200))$estimate, c(-2^40, 0))
  out <- run(x, x)
  expect_identical(out$details$resolution, c(x = 2^-10, y = 2^-20, intercept = 2^-20, slope = 2^-10))
  expect_equal(out$details$epsilon_test + out$details$epsilon_draw, 4)
})

test_that("test, margin and draw are asked for what is debited and said", {
  expect_false(restricted_fit_spends_wrong())
})

test_that("dp_regression(method = \"restricted\"): refusals, the debit, a failed test", {
  skip_on_cran()
  set.seed(7)
  frame <- data.frame(x = rnorm(200))
  frame$y <- 1 + 2 * frame$x + rnorm(200, sd = 0.1)
  release <- function(data = frame, epsilon = 4, ...) {
    dp_regression(y ~ x, data, epsilon, 1e-6, method = "restricted", rng = "R", ...)
  }
  ledger <- dp_ledger(epsilon = 10, delta = 1e-5)
  spent <- function() summary(ledger)$spent[[1]]
  expect_error(release(lower = 0, ledger = ledger), "`lower`", class = "dpdepth_error_input")
  expect_error(release(tau = 0.3, ledger = ledger), "`tau`", class = "dpdepth_error_input")
  expect_error(release(epsilon = 1, ledger = ledger), "would do", class = "dpdepth_error_input")
  expect_error(dp_regression(y ~ x + I(x^2), frame, 4, 1e-6, method = "restricted", ledger = ledger),
               class = "dpdepth_error_input")
  expect_equal(spent(), 0)
  out <- release(ledger = ledger)
  expect_equal(spent(), 4)
  expect_equal(unname(coef(out)), c(1, 2), tolerance = 0.1)
  expect_identical(out$guarantee, "approximate")
  expect_equal(predict(out, data.frame(x = c(0, 1)))[[1]], coef(out)[[1]])
  # one x only: the test fails but for delta, and nothing tells the data apart from unlucky ones
  frame$x <- 3
  failed <- release(ledger = ledger)
  expect_false(failed$released)
  expect_true(all(is.na(coef(failed))))
  expect_equal(spent(), 8)
  expect_identical(failed$details, out$details)
  # rows without values: a public row stands for them
  frame$x <- c(NA, rnorm(199))
  expect_identical(release(frame, na = "middle")$n, 200L)
})

test_that("the plan is of public numbers, and refuses those with which the test would fail", {
  skip_on_cran()
  plan <- restricted_regression_plan(1000, 1, 1e-6)
  expect_gt(plan$pass, 0.99)
  expect_gt(plan$level - ptr_threshold(plan$epsilon_test, 1e-6), 250) # two values of x are served
  expect_lte(plan$rate + plan$epsilon_test, 1)
  expect_error(restricted_regression_plan(200, 1, 1e-6), class = "dpdepth_error_input",
               "about [0-9]+ rows or about an epsilon of [0-9.]+ would do")
  expect_lt(restricted_regression_plan(200, 1, 1e-6, try_anyway = TRUE)$pass, 0.5)
  expect_error(restricted_regression_plan(3, 50, 1e-6), class = "dpdepth_error_input")
  expect_error(restricted_regression_plan(5001, 1, 1e-6), class = "dpdepth_error_input")
  expect_error(restricted_regression_plan(1000, 1, 1e-6, level = 1), class = "dpdepth_error_input")
  expect_error(restricted_regression_plan(1000, 1, 1e-6, share = 1), class = "dpdepth_error_input")
  expect_error(restricted_regression_plan(1000, 1, 1e-6, resolution = -1), class = "dpdepth_error_input")
  plan <- restricted_regression_plan(1000, 1, 1e-6, resolution = c(0.3, 1))
  expect_identical(plan$resolution, c(x = 0.25, slope = 1))
})

# TRUE if draws have another rate than the plan's, or if what is made of a row depends on others or leaves the
# range of the counts.
engine_is_wrong <- function() {
  rows <- cbind(c(-3, -2, -1, 0, 0, 1, 2, 3, 3), c(2, -4, 5, -1, 3, 0, -3, 4, 1))
  grid <- fit_grid(-60:60, -16:16)
  depth <- slow_fit_counts(grid, rows)
  level <- slow_unbounded(rows) + 1
  found <- restricted_fit_law(rows, list(level = level, rate = 1.5, delta = 0.1), "R", 3000L)$draws
  by <- order(depth)
  law <- slow_draw_law(depth, level, 1.5)
  if (law_pvalue(tabulate(cell_of(found, grid), nrow(grid))[by], law[by]) < ALPHA) return(TRUE)
  x <- c(0.3, -1.7, 2.2)
  y <- c(1.1, 0.7, -5.3)
  own <- lattice_fit_rows(x, y, default_fit_resolution)
  far <- lattice_fit_rows(c(x[-3], 1e300), c(y[-3], -1e300), default_fit_resolution)
  !identical(own[-3, ], far[-3, ]) || !identical(far[3, ], c(2^40, -2^60))
}

test_that("the engine draws at the plan's rate, and puts each row on the grid by itself", {
  set.seed(9)
  expect_false(engine_is_wrong())
  for (b in list(
    bug(engine_is_wrong, "restricted_fit_law", "level, plan$rate, draws", "level, 2 * plan$rate, draws"),
    bug(engine_is_wrong, "lattice_fit_rows", "-2^40), 2^40)", "-2^41), 2^41)"),
    bug(engine_is_wrong, "lattice_fit_rows", "-2^60), 2^60)", "-2^62), 2^62)"),
    bug(engine_is_wrong, "lattice_fit_rows", "round(y/steps[[\"y\"]])",
        "round((y - mean(y))/steps[[\"y\"]] + mean(y)/steps[[\"y\"]])")
  )) {
    expect_true(caught(b))
  }
})

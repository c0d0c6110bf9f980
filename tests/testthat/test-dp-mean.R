# dp_mean(): sums of whole numbers move by what the noise pays for, the noise's law, refusals, planted bugs.

one_mean <- function(x, epsilon = 1, delta = 0, ..., lower = 0, upper = 1) {
  suppressWarnings(dp_mean(x, epsilon, delta, lower, upper, ...))
}

# What a replaced row costs, on skewed neighbours with values at and beyond the bounds.
mean_costs_more <- function(count = 60) {
  set.seed(5)
  pure <- function(d) coef(one_mean(as.matrix(d), 1, lower = c(-2, 0), upper = c(3, 9)))
  gauss <- function(d) coef(one_mean(as.matrix(d), 1, 1e-3, lower = c(-2, 0), upper = c(3, 9)))
  many <- function(d) coef(one_mean(cbind(as.matrix(d), -as.matrix(d)), 0.5, 1e-2, lower = -3, upper = 1))
  any(worst_cost(pure, count) > c(1, 0)) || any(worst_cost(gauss, count) > c(1, normal_rho(1, 1e-3))) ||
    any(worst_cost(many, count) > c(0.5, normal_rho(0.5, 1e-2)))
}

test_that("neighbours cost at most what is paid, and nearly that much", {
  skip_on_cran()
  expect_false(mean_costs_more())
  set.seed(6)
  far <- queries_cost(function(d) coef(one_mean(as.matrix(d), 1, lower = 0, upper = 1)),
                      data.frame(x = c(9, 0, 1), y = c(9, 1, 0)),
                      data.frame(x = c(-9, 0, 1), y = c(-9, 1, 0)))
  expect_equal(unname(far[[1]]), 1, tolerance = 1e-4)
})

test_that("planted bugs are seen", {
  skip_on_cran()
  planted <- function(...) caught(bug(function() mean_costs_more(30), ...))
  expect_true(planted("mean_plan", "epsilon/d", "epsilon")) # each variable pays all
  expect_true(planted("mean_plan", "each = each", "each = 2 * each"))
  expect_true(planted("draw_mean", "ncol(x) * plan$steps^2", "plan$steps^2")) # one variable moves
  # not clipped
  expect_true(planted("lattice_place", "pmin(pmax(round((v - lower)/(upper - lower) * steps), 0), steps)",
                      "round((v - lower)/(upper - lower) * steps)"))
})

test_that("the noise follows its law, and sd is its standard deviation", {
  set.seed(7)
  bounds <- list(lower = 0, upper = 8)
  plan <- mean_plan(4, 2, 0, bounds)
  plan$steps <- 8 # a coarse lattice, so that the law has few atoms
  draws <- replicate(4000, draw_mean(matrix(c(1, 2, 9, -3)), bounds, plan, "R")$estimate)
  k <- round(draws * 4) - 11 # sums: 1 + 2 + 8 + 0
  expect_equal(draws * 4 - 11, k, tolerance = 1e-12)
  at <- -15:15
  law <- exp(-abs(at) / 4)
  law <- law * (1 - exp(-1 / 4)) / (1 + exp(-1 / 4))
  seen <- c(tabulate(k + 16, 31), sum(abs(k) > 15))
  p <- suppressWarnings(stats::chisq.test(seen, p = c(law, 1 - sum(law)))$p.value)
  expect_gt(p, ALPHA)
  expect_equal(mean_plan(100, 1, 0, bounds)$sd, sqrt(2) * 8 / 100, tolerance = 1e-5)
  many <- mean_plan(100, 1, 1e-6, list(lower = numeric(60), upper = rep(1, 60)))
  expect_identical(many$noise, "Gaussian")
  expect_equal(many$sd, rep(sqrt(60 / (2 * normal_rho(1, 1e-6))) / 100, 60), tolerance = 1e-4)
  expect_identical(mean_plan(100, 1, 1e-6, bounds)$noise, "Laplace")
})

# Releases of unlike rows with the same noisy sums, and what was left of the budget when these were drawn.
mean_shows_more <- function() {
  left <- NULL
  run <- function(x) {
    ledger <- dp_ledger(2)
    drawn <- function(...) {
      left <<- c(left, summary(ledger)$left[[1]])
      list(estimate = 0.5, rows = 3)
    }
    with_bindings(list(draw_mean = drawn), dp_mean(c(x, 2, 3), 2, lower = 0, upper = 3, ledger = ledger))
  }
  !identical(suppressWarnings(run(1)), suppressWarnings(run(99))) || any(left != 0)
}

test_that("a mean shows its noisy sums alone, after the debit", {
  expect_false(mean_shows_more())
  for (b in list(
    bug(mean_shows_more, "draw_means", "list(noise_form", "list(most = max(rows), noise_form"),
    late_debit(mean_shows_more)
  )) {
    expect_true(caught(b))
  }
  # sums are exact whatever n is
  for (n in c(10, 2^26 + 1, 2^40)) expect_lte(n * mean_plan(n, 1, 0, list(lower = 0, upper = 1))$steps, 2^52)
})

test_that("a mean is right, and says what it is", {
  set.seed(8)
  x <- cbind(a = stats::rnorm(2e4, 3), b = stats::runif(2e4, -5, 5)) # public-rng: simulated data
  m <- dp_mean(x, 4, lower = c(b = -5, a = -4), upper = c(b = 5, a = 10), rng = "R")
  expect_equal(coef(m), colMeans(x), tolerance = 0.01)
  expect_identical(names(coef(m)), c("a", "b"))
  expect_identical(m$guarantee, "pure")
  expect_match(format(summary(m)), "Laplace", all = FALSE)
  ledger <- dp_ledger(10, 1e-5)
  wide <- dp_mean(x[, rep(1, 40)], 1, 1e-6, -10, 10, ledger = ledger, rng = "R")
  expect_identical(wide$guarantee, "approximate")
  expect_equal(as.data.frame(ledger)$rho, wide$details$rho)
  expect_equal(coef(dp_mean(c(-1e300, 1e300), 1e6, lower = -1e300, upper = 1e300, rng = "R"))[[1]] / 1e300, 0,
               tolerance = 1e-3)
  tiny <- one_mean(c(2e-300, 4e-300), 1e5, lower = 0, upper = 1e-299)
  expect_equal(coef(tiny)[[1]] * 1e300, 3, tolerance = 1e-3)
  expect_s3_class(dp_mean(c(1, NA, 3), 9, lower = 0, upper = 4, na = 2, rng = "R"), "dp_release")
})

test_that("what cannot be is refused, and nothing is spent", {
  ledger <- dp_ledger(1)
  refused <- function(...) {
    expect_error(dp_mean(..., ledger = ledger), class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(1:9, 1)
  refused(1:9, 1, lower = 0)
  refused(1:9, 1, lower = 2, upper = 1)
  refused(c(1, NA), 1, lower = 0, upper = 1)
  refused(c("a", "b"), 1, lower = 0, upper = 1)
  refused(1:9, 0, lower = 0, upper = 1)
  refused(1:9, 1, 1, lower = 0, upper = 1)
  refused(1:9, 1, lower = -1e308, upper = 1e308)
  refused(1:9, 1, lower = 0, upper = 1, trim = 0.1)
  refused(matrix(1:4, 2), 1e-6, lower = 0, upper = 1)
  expect_warning(dp_mean(1:3, 0.1, lower = 0, upper = 9, rng = "R"), class = "dpdepth_warning_accuracy")
})

# What a row more costs: the same noisy sums give the same release, and the queries move by what is paid for.
private_mean_costs_more <- function(count = 15) {
  set.seed(8)
  calls <- list(
    list(function(d) {
      one_mean(as.matrix(d), 1, lower = c(-2, 0), upper = c(3, 9), neighbours = "add_remove")
    }, c(1, 0)),
    list(function(d) {
      x <- cbind(as.matrix(d), -as.matrix(d))
      one_mean(x, 0.5, 1e-2, lower = -3, upper = 1, neighbours = "add_remove")
    }, c(0, normal_rho(0.5, 1e-2)))
  )
  for (call in calls) for (i in seq_len(count)) {
    rows <- skewed_rows(pick(1:6))
    run <- function(d) unclass(call[[1]](d))[c("estimate", "n", "details")]
    if (any(queries_cost(run, rows, rows[-1, ]) > call[[2]])) return(TRUE)
  }
  FALSE
}

test_that("where n is private a row more costs what is paid, and nothing else tells of n", {
  skip_on_cran()
  expect_false(private_mean_costs_more())
  planted <- function(...) caught(bug(function() private_mean_costs_more(12), ...))
  expect_true(planted("mean_plan", "each = each", "each = 2 * each"))
  expect_true(planted("place_sums", "sum(count * (steps - place))", "steps * nrow(x)"))
  expect_true(planted("draw_mean_ratio", "noisy[-seq_len(ncol(x))]",
                      "plan$steps * nrow(x) - noisy[seq_len(ncol(x))]"))
})

test_that("a mean of private size is near the mean, has less noise, and a law without rows", {
  skip_on_cran()
  set.seed(9)
  off <- function(x, neighbours) sd(replicate(300, coef(one_mean(x, 1, neighbours = neighbours, rng = "R"))))
  x <- rep(c(0.4, 0.6), 50)
  # sqrt(2)/n under substitution; 1/n at the middle of the bounds
  expect_lt(off(x, "add_remove"), 0.85 * off(x, "substitution"))
  none <- one_mean(matrix(0, 0, 2), neighbours = "add_remove")
  expect_true(all(coef(none) >= 0 & coef(none) <= 1))
  expect_identical(mean_share(c(-3, 2, 5), c(1, -5, -1)), c(0.5, 0.5, 1))
})

test_that("sums of as many rows as a tally may hold are whole numbers without rounding", {
  plan <- mean_plan(most_private_rows, 1, 0, mean_bounds(0, 1, 1, NULL))
  expect_lte(plan$steps * most_tally, 2^53)
  many <- new_tally(cbind(x = c(0.25, 1)), c(1, most_tally - 1), 0, 1, 0.25)
  more <- new_tally(cbind(x = c(0.25, 1)), c(2, most_tally - 2), 0, 1, 0.25)
  sums <- lapply(list(many, more), two_sided_sums, list(lower = 0, upper = 1), plan$steps)
  expect_identical(sums[[2]] - sums[[1]], c(-0.75, 0.75) * plan$steps)
})

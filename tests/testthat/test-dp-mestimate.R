# dp_mestimate(): accuracy, outliers, extreme units, what a release says, refusals.
# Error rates: below ALPHA = 1e-6 an expectation, by the noise's law.

test_that("Huber's estimate at the normal is as right as without privacy, but for the noise", {
  skip_on_cran()
  set.seed(1)
  for (n in c(500, 5000)) {
    x <- matrix(stats::rnorm(n, 33, 2)) # public-rng: simulated data
    plan <- mestimate_plan(rows_in_sums(n, FALSE), 1L, 1, 0, psi_make("huber"), 25)
    exact <- mestimate_fit(x, list(lower = 0, upper = 100, scale = 2, distance = 25), psi_make("huber"))
    off <- replicate(20, coef(dp_mestimate(x, 1, lower = 0, upper = 100, scale = 2, rng = "R")))
    off <- off - exact$estimate
    # the last step's noise, and a fifth of those before
    expect_lt(sqrt(mean(off^2)), 3 * 2 * plan$sd_step[[plan$steps]])
    expect_lt(max(abs(off)), 40 * plan$sd_step[[plan$steps]])
  }
})

test_that("outliers move it as little as without privacy; the bisquare not at all", {
  set.seed(2)
  x <- c(stats::rnorm(4000, 33, 2), rep(99, 1000)) # public-rng: simulated data
  found <- vapply(psi_kinds, function(psi) {
    coef(dp_mestimate(x, 1, psi = psi, lower = 0, upper = 100, scale = 2, rng = "R"))
  }, 0)
  exact <- vapply(psi_kinds, function(psi) {
    mestimate_fit(matrix(x), list(lower = 0, upper = 100, scale = 2, distance = 25), psi_make(psi))$estimate
  }, 0)
  expect_lt(max(abs(found - exact)), 0.25)
  expect_equal(found[["tukey"]], 33, tolerance = 0.01)
  expect_equal(found[["huber"]], 33, tolerance = 0.03)
})

test_that("several variables, and any units", {
  set.seed(3)
  x <- cbind(a = stats::rnorm(4000, 2), b = stats::rnorm(4000, -50, 10)) # public-rng: simulated data
  for (delta in c(0, 1e-6)) {
    m <- dp_mestimate(x, 2, delta, lower = c(-10, -100), upper = c(10, 100), scale = c(1, 10), rng = "R")
    expect_equal(coef(m), c(a = 2, b = -50), tolerance = 0.03)
    expect_identical(m$guarantee, "pure") # of two variables Laplace noise is the smaller
  }
  many <- matrix(stats::rnorm(1e5, 1), ncol = 25) # public-rng: simulated data
  m <- dp_mestimate(many, 1, 1e-6, "tukey", lower = -20, upper = 20, scale = 1, rng = "R")
  expect_lt(sqrt(mean((coef(m) - 1)^2)), 0.1)
  expect_identical(m$guarantee, "approximate")
  for (unit in c(1e-300, 1e300)) {
    m <- suppressWarnings(dp_mestimate(unit * c(1, 2, 3), 1e4, lower = 0, upper = 9 * unit, scale = unit,
                                       rng = "R"))
    expect_equal(coef(m)[[1]] / unit, 2, tolerance = 0.02)
  }
  expect_equal(coef(dp_mestimate(rep(c(-1e308, 0, 1e308), 999), 9, lower = -1, upper = 1, scale = 1e-6,
                                 rng = "R"))[[1]], 0, tolerance = 1e-3)
})

test_that("what is released and said, and what is spent", {
  ledger <- dp_ledger(10, 1e-5)
  m <- dp_mestimate(faithful$waiting, 1, lower = 0, upper = 180, scale = 15, ledger = ledger)
  expect_identical(m$details[c("psi", "tuning", "steps")], list(psi = "huber", tuning = 1.345, steps = 5L))
  expect_match(format(summary(m)), "Laplace", all = FALSE)
  m <- suppressWarnings(dp_mestimate(as.matrix(faithful)[, rep(1, 30)], 1, 1e-6, lower = 0, upper = 9,
                                     scale = 1, ledger = ledger))
  expect_equal(as.data.frame(ledger)$rho[[2]], m$details$rho)
  expect_identical(as.data.frame(ledger)$delta, c(0, 1e-6))
  expect_s3_class(dp_mestimate(c(1, NA, 3), 20, lower = 0, upper = 4, scale = 1, na = "middle"), "dp_release")
  expect_warning(dp_mestimate(1:9, 0.1, lower = 0, upper = 9, scale = 1, rng = "R"),
                 class = "dpdepth_warning_accuracy")
})

test_that("what cannot be is refused, and nothing is spent", {
  ledger <- dp_ledger(1, 1e-3)
  refused <- function(x = 1:9, epsilon = 1, ..., lower = 0, upper = 10, scale = 1) {
    expect_error(dp_mestimate(x, epsilon, ..., lower = lower, upper = upper, scale = scale, ledger = ledger),
                 class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(scale = NULL, epsilon = 1e-5)
  refused(scale = NULL, lower = NULL)
  refused(scale = 0)
  refused(scale = 1e-300)
  refused(scale = 1e300)
  refused(lower = NULL)
  refused(upper = -1)
  refused(c(1, NA))
  refused("a")
  refused(epsilon = 0)
  refused(delta = 1)
  refused(psi = "cauchy")
  refused(tuning = -1)
  refused(method = "gradient")
  refused(data = faithful)
  refused(x_lower = 0)
  refused(trim = 0.1)
  refused(y ~ x)
})

# Random differential privacy: constants and the smallest n.

test_that("kappa solves the printed inequalities with equality", {
  for (n in c(10, 1000, 1e5)) {
    for (gamma in c(0.5, 0.05, 1e-6)) {
      k <- random_dp_kappa(n, 1, gamma, "median")
      expect_equal(exp(1) * exp(-n * k^2), gamma, tolerance = 1e-9)
      for (d in 2:4) {
        k <- random_dp_kappa(n, d, gamma, "tukey")
        expect_equal(log(8 * ((n^2 - 1)^d + 1)) + 2 * k * (2 + (2 - n) * k), log(gamma / 2), tolerance = 1e-9)
        k <- random_dp_kappa(n, d, gamma, "regression")
        expect_equal(log(64 * ((n^2 - 1)^(d - 1) + 1)^4) + 2 * k * (2 + (2 - n) * k), log(gamma / 2),
                     tolerance = 1e-9)
      }
    }
  }
  # as printed, by hand: n = 1000, d = 2, gamma = 0.05
  expect_equal(random_dp_kappa(1000, 2, 0.05, "tukey"),
               (sqrt(4 - 2 * 998 * log(0.05 / (16 * ((1e6 - 1)^2 + 1)))) + 2) / (2 * 998), tolerance = 1e-12)
})

test_that("the smallest n is the smallest, by search", {
  for (gamma in c(0.5, 0.1, 0.01)) {
    expect_identical(random_dp_min_n(1, gamma, "median") + 0,
                     which(random_dp_enough(1:200, 1, gamma, "median"))[[1]] + 0)
    # the printed lower bound on n
    bound <- 2 * (-log(gamma) + sqrt((log(gamma) - 4) * log(gamma) + 3) + 2)
    expect_equal(random_dp_min_n(1, gamma, "median"), ceiling(bound))
    for (kind in c("tukey", "regression")) {
      for (d in 2:3) {
        enough <- random_dp_enough(1:20000, d, gamma, kind)
        least <- random_dp_min_n(d, gamma, kind)
        expect_equal(least, which(enough)[[1]])
        expect_true(all(enough[seq(least + 4 * (d + 1), 20000)]))
      }
    }
  }
  expect_gt(random_dp_min_n(100, 1e-9, "tukey"), 1e7)
})

test_that("too small an n is refused with the n that would do", {
  least <- random_dp_min_n(2, 0.05, "tukey")
  expect_silent(check_random_dp_n(least, 2, 0.05, "tukey"))
  expect_error(check_random_dp_n(least - 1, 2, 0.05, "tukey"), format(least, big.mark = ","),
               class = "dpdepth_error_input")
  expect_error(check_random_dp_n(100, 2, 0.05, "regression"), "coefficients", class = "dpdepth_error_input")
})

test_that("the deepest regression: label, default bounds, and the n that would do", {
  set.seed(5)
  least <- random_dp_min_n(2, 0.1, "regression")
  d <- data.frame(x = rnorm(least))
  d$y <- 1 + 2 * d$x + rnorm(least)
  r <- rival_regression(y ~ x, d, 8, 1e-6, "random_dp", gamma = 0.1)
  expect_identical(r$guarantee, "unproved")
  expect_identical(r$gamma, 0.1)
  expect_match(paste(format(summary(r)), collapse = " "), "as published")
  expect_lt(max(abs(coef(r) - c(1, 2))), 1.5)
  expect_error(rival_regression(y ~ x, d[-1, ], 8, 1e-6, "random_dp", gamma = 0.1),
               format(least, big.mark = ","),
               class = "dpdepth_error_input")
})

# -- medians ---------------------------------------------------------------------------------------

random <- function(x, epsilon, delta, gamma, ...) {
  rival_median(x, epsilon, delta, "random_dp", gamma = gamma, ...)
}

test_that("a release without bounds: what it is, where it lies, and what it refuses", {
  skip_on_cran()
  set.seed(1)
  x <- matrix(rnorm(6000), ncol = 2, dimnames = list(NULL, c("a", "b")))
  for (method in c("exact", "directional")) {
    r <- random(x, 4, 1e-6, 0.05, region = method, range = 100)
    expect_s3_class(r, "dp_release")
    expect_identical(r$guarantee, "unproved")
    expect_identical(r$gamma, 0.05)
    expect_named(coef(r), c("a", "b"))
    expect_true(all(abs(coef(r)) < 2)) # noise here has a scale below 0.05
    twice <- 2 * coef(r) / r$details$step
    expect_identical(unname(twice), unname(round(twice)))
  }
  expect_match(paste(format(r), collapse = " "), "random")
  one <- random(x[, 1], 4, 1e-6, 0.05)
  expect_lt(abs(coef(one)), 2)
  expect_identical(one$details$step, 2^-9)
  expect_lt(max(abs(coef(random(matrix(rnorm(9000), ncol = 3), 8, 1e-5, 0.1, range = 50)))), 3)
  bad <- function(...) expect_error(random(...), class = "dpdepth_error_input")
  bad(x[1:579, ], 1, 1e-6, 0.05)
  bad(1:19, 1, 1e-6, 0.05)
  bad(x, 1, 1e-6, 0)
  bad(x, 1, 1e-6, 1)
  bad(x, 1, 0, 0.1)
  bad(x, 1, 1e-6, 0.1, range = 0)
  bad(x, 1, 1e-6, 0.1, range = 1e-320)
  bad(x, 1e-6, 1e-6, 0.1)
  bad(x, 1, 1e-6, 0.1, region = "marginal")
  bad(x, 1, 1e-6, 0.1, lower = 0)
  bad(x, 1, 1e-6, NULL)
  expect_error(confint(one), "private", class = "dpdepth_error_input")
  ledger <- dp_ledger(1, 1e-6)
  bad(1:19, 1, 1e-6, 0.05, ledger = ledger)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  random(1:20, 1, 1e-6, 0.05, ledger = ledger)
  expect_equal(summary(ledger)$left, c(0, 0))
})

test_that("one variable: the region that stands in for the bounds, by hand", {
  n <- 100
  z <- matrix(round(1000 * qnorm((seq_len(n) - 0.5) / n)))
  constants <- random_constants(1, 1e-6, 1)
  kappa <- sqrt((1 - log(0.05)) / n)
  y <- sort(z)
  bounds <- c(y[[floor(50 - n * kappa)]] - 1, y[[ceiling(50 + n * kappa)]] + 1)
  law <- random_law(z, 0.05, constants, "exact")
  s <- sens_median(z[, 1], bounds[[1]], bounds[[2]], constants$smoothness)$value
  expect_equal(law$scale, ceiling(s * exp(constants$rounding / 2) * 2^random_bits / constants$alpha))
  expect_identical(law$centre, y[[50]])
  # bounds from the data matter less than the box of all numbers
  expect_lt(s, sens_median(z[, 1], -2^29, 2^29, constants$smoothness)$value)
})

test_that("several variables: bounds as of the region of depth m - ceil(2 n kappa)", {
  set.seed(2)
  n <- 700
  z <- round(1e5 * matrix(rnorm(2 * n), n))
  constants <- random_constants(1, 1e-6, 2)
  reach <- random_dp_reach(n, 2, 0.05, "tukey")
  m <- n * attr(median_tukey(z), "depth")
  v <- depth_region(z, (m - reach) / n)$vertices[[1]]
  whole <- max(diff(range(v[, 1] + v[, 2])), diff(range(v[, 1] - v[, 2])))
  law <- random_law(z, 0.05, constants, "exact")
  expect_lte(law$scale / 2^random_bits * constants$alpha, whole + 8)
  # for these data the cap does not decide: the same noise as with wide bounds
  grid <- list(step = c(1, 1), origin = c(0, 0), lower = rep(-1e6, 2), upper = rep(1e6, 2))
  wide <- plane_law(z, grid, constants$smoothness, 1, "exact")$bound
  expect_equal(law$scale / 2^random_bits * constants$alpha, wide, tolerance = 1e-4)
})

# Divergence of the laws of two data sets of one variable, the larger of both orders.
random_divergence <- function(z, y, epsilon, constants) {
  p <- random_law(z, 0.05, constants, "exact")
  q <- random_law(y, 0.05, constants, "exact")
  shift <- abs(p$centre - q$centre) / min(p$scale, q$scale) * 2^random_bits
  lambda <- abs(log(p$scale / q$scale))
  up <- if (lambda > 0) divergence_up(epsilon, shift, lambda, 1) else 0
  max(up, divergence_down(epsilon, shift, lambda, 1))
}

# Shares of pairs of neighbours, draws of one law, that are not within (1, 1e-6).
failures <- function(n, draw, count) {
  constants <- random_constants(1, 1e-6, 1)
  mean(replicate(count, {
    z <- matrix(round(1e5 * draw(n)))
    y <- z
    y[[1]] <- round(1e5 * draw(1))
    random_divergence(z, y, 1, constants) > 1e-6
  }))
}

test_that("moderate samples keep the guarantee; the published one fails at the smallest samples it allows", {
  skip_on_cran()
  set.seed(3)
  for (draw in list(rnorm, runif, rcauchy)) expect_identical(failures(500, draw, 60), 0)
  # gamma = 0.05 is promised; the cap, which moves with the data, decides here
  expect_true(random_dp_enough(30, 1, 0.05, "median"))
  expect_gt(failures(30, rcauchy, 300), 0.08)
})

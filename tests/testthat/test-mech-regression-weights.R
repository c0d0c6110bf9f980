# Quantiles of private regressions: the shifted score against its definition, its sensitivity and
# law, and the rule that takes it. Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

test_that("weights of quantiles are the least whole numbers", {
  expect_identical(quantile_weights(0.5), c(1L, 1L))
  expect_identical(quantile_weights(0.9), c(9L, 1L))
  expect_identical(quantile_weights(1 / 3), c(1L, 2L))
  expect_identical(quantile_weights(0.025), c(1L, 39L))
  expect_null(quantile_weights(pi / 4))
})

test_that("no weight is 0: a tau next to 0 or 1 is refused", {
  for (tau in c(1e-300, 1e-10, 4e-10, 1 - 1e-10)) {
    expect_error(check_taus(tau, 100), "denominators of at most 1000", class = "dpdepth_error_input")
  }
})

test_that("shares of quantiles do not pass the whole by rounding, and scores do not overflow", {
  frame <- data.frame(a = sin(1:60), b = cos(1:60), y = sqrt(1:60))
  passes <- function() {
    any(vapply(c(3, 7, 49), function(m) {
      told <- fits_handed(frame, 1, tau = seq_len(m) / (m + 1), lower = -9, upper = 9, formula = y ~ a)
      told$draws[[m]]$epsilon >= (1 - 2^-41) / m
    }, NA))
  }
  expect_false(passes())
  expect_true(caught(bug(passes, "quantile_share", "1 - 2^-40", "1")))
  expect_error(check_taus(0.999, 2^20), "smaller denominators", class = "dpdepth_error_input")
})

# The definition: of each split and side, what the rows weigh less what is expected of them at the quantile,
# and the heavier weight for each row.
slow_shifted <- function(rows, fits, weights) {
  tie <- rowSums(abs(rows[[1]])) / 2
  whole <- sum(weights)
  # a column each fit
  r <- rows[[2]] - rows[[1]] %*% t(fits)
  above <- r >= -tie
  below <- r <= tie
  side <- function(s) {
    whole * drop(s %*% above + (1 - s) %*% below) - weights[[2]] * sum(s) - weights[[1]] * sum(1 - s)
  }
  least <- Inf
  for (j in seq_len(ncol(rows[[3]]))) for (v in unique(c(-Inf, rows[[3]][, j]))) {
    s <- rows[[3]][, j] <= v
    least <- pmin(least, side(s), side(!s))
  }
  least + max(weights) * length(rows[[2]])
}

shifted <- function(weights) as.integer(c(weights, 1))

test_that("shifted scores are their definition, and those of the median are twice the depth", {
  skip_on_cran()
  set.seed(1)
  for (case in 1:12) {
    n <- sample(1:12, 1)
    p <- sample(1:2, 1)
    u <- if (p == 1) matrix(1) else rbind(diag(2), c(0.6, 0.8))
    rows <- kernel_rows(matrix(sample(c(-2:2, 0.5), n * p, TRUE), n), sample(-6:6, n, TRUE), u)
    fits <- lattice_fits(p + 1, -2, 2)
    for (weights in list(c(9, 1), c(1, 3))) {
      expect_equal(fit_scores(rows, -2, 2, shifted(weights)), slow_shifted(rows, fits, weights))
    }
    expect_identical(fit_scores(rows, -2, 2, c(1L, 1L, 1L)), 2L * fit_scores(rows, -2, 2))
  }
})

test_that("a replaced row moves the shifted score by twice the heavier weight at most, and no less will do", {
  set.seed(2)
  far <- expand.grid(x = c(-9, -1, 0, 1, 9), y = c(-40, -1, 0, 2, 40))
  fits <- lattice_fits(2, -2, 3)
  moved <- function(weights) {
    max(vapply(seq_len(30), function(i) {
      n <- sample(2:12, 1)
      x <- round(exp(stats::rnorm(n)))
      y <- round(2 * x + stats::rexp(n)^3)
      scores <- function(x, y) fit_scores(kernel_rows(x, y), -2, 3, shifted(weights), fits)
      own <- scores(x, y)
      max(vapply(sample(nrow(far), 8), function(k) {
        max(abs(scores(replace(x, 1, far$x[[k]]), replace(y, 1, far$y[[k]])) - own))
      }, 0))
    }, 0))
  }
  for (weights in list(c(9, 1), c(1, 4), c(2, 3))) expect_equal(moved(weights), 2 * max(weights))
})

test_that("draws by the shifted score follow its law, and another sensitivity's is rejected", {
  set.seed(3)
  x2 <- matrix(sample(0:2, 20, TRUE), 10)
  cases <- list(
    list(rows = kernel_rows(c(0, 1, 1, 2, 3, 3, 3), c(1, 0, 2, 2, 4, 3, 2)), low = -2, high = 3),
    list(rows = kernel_rows(x2, x2 %*% c(1, -1) + sample(-1:1, 10, TRUE), rbind(diag(2), c(0.6, 0.8))),
         low = -1, high = 2)
  )
  for (case in cases) {
    h <- slow_shifted(case$rows, lattice_fits(ncol(case$rows[[1]]), case$low, case$high), c(4, 1))
    law <- function(sensitivity) prop.table(exp(2 * (h - max(h)) / 2 / sensitivity))
    counts <- fit_draw_counts(case$rows, case$low, case$high, 2, shifted(c(4, 1)), 20000L)
    expect_law(counts, law(8))
    expect_not_law(counts, law(4), "the sensitivity of weights that are not shifted")
  }
})

# The weights that draws are handed, of n rows and two quantiles.
handed_weights <- function(n, values = sin(seq_len(n)), ..., tau = c(0.25, 0.95)) {
  frame <- data.frame(a = values, b = cos(seq_len(n)), y = rev(values))
  told <- fits_handed(frame, 2, tau = tau, formula = y ~ a, ...)
  list(weights = lapply(told$draws, `[[`, "weights"), depth = told$release$details$depth,
       spent = sum(vapply(told$draws, `[[`, 0, "epsilon")))
}

test_that("public numbers choose the score, and the release says which", {
  few <- handed_weights(479, lower = -5, upper = 5)
  expect_identical(few$weights, list(c(1L, 3L), c(19L, 1L)))
  expect_identical(few$depth, "regression depth, exact")
  some <- handed_weights(480, lower = -5, upper = 5)
  expect_identical(some$weights, list(c(1L, 3L, 1L), c(19L, 1L)))
  expect_match(some$depth, "exact, counts less their expectation for tau = 0.25", fixed = TRUE)
  expect_lte(some$spent, 2)
  expect_identical(handed_weights(480, exp(stats::qnorm((1:480) / 481)^3), lower = -5, upper = 5), some)
  many <- handed_weights(3100, lower = -5, upper = 5)
  expect_identical(lengths(many$weights), c(3L, 3L))
  expect_match(many$depth, "exact, counts less their expectation$")
  # the median's scores are the same
  expect_identical(lengths(handed_weights(470)$weights), c(2L, 2L))
  expect_identical(lengths(handed_weights(480)$weights), c(3L, 2L))
  expect_identical(lengths(handed_weights(3100, tau = 0.5)$weights), 2L)
  terms <- c("(Intercept)", "a")
  box <- prior_uniform(c(-5, -5), c(5, 5))
  expect_false(shifted_serves(1e6, terms[-1], 1, 0.9, box, 1)) # through the origin
  expect_false(shifted_serves(1e6, terms, 1, 0.999, box, 1)) # scores would overflow
  expect_true(shifted_serves(2e5, terms, 1, 0.999, box, 1))
})

test_that("the shifted score is more accurate where it is taken", {
  skip_on_cran()
  set.seed(4)
  n <- 1440L
  box <- prior_fields(prior_uniform(c(-50, -50), c(50, 50)))
  error <- rowMeans(replicate(30, {
    rows <- list(cbind(1, stats::rnorm(n)), stats::rnorm(n), NULL)
    rows[[3]] <- rows[[1]][, 2, drop = FALSE]
    vapply(list(c(9L, 1L), c(9L, 1L, 1L)), function(weights) {
      b <- .Call(ffi_regression_draw, "R", rows, box, 1, weights, 1L)$draws[1, ]
      sum((b - c(stats::qnorm(0.9), 0))^2)
    }, 0)
  }))
  expect_lt(error[[2]], 0.6 * error[[1]])
})

# -- several quantiles with intervals, see R/dp-regression-interval.R ---------------------------------

noisy_line <- function(n) {
  set.seed(3)
  x <- rnorm(n)
  data.frame(x = x, y = 1 + 2 * x + rnorm(n))
}

# Lines and limits of two quantiles are not those of three calls, from the same random numbers, each with
# its half of epsilon.
quantiles_are_no_calls <- function(at = NULL) {
  d <- noisy_line(1000)
  tau <- c(0.5, 0.75)
  ask <- function(epsilon, tau) {
    dp_regression(y ~ x, d, epsilon, lower = -50, upper = 50, at = at, tau = tau, interval = 0.9, rng = "R")
  }
  set.seed(7)
  several <- ask(4, tau)
  set.seed(7)
  single <- lapply(tau, ask, epsilon = 2 * (1 - 2^-40))
  same <- function(of, part) identical(unname(of(several)), unname(do.call(part, lapply(single, of))))
  !same(function(fit) fit$estimate, c) || !same(function(fit) fit$interval, rbind) ||
    !is.null(at) && !same(function(fit) fit$details$region, rbind)
}

test_that("several quantiles have the lines and limits of calls with their shares", {
  skip_on_cran()
  expect_false(quantiles_are_no_calls())
  expect_false(quantiles_are_no_calls(c(-1, 1)))
  for (b in list(
    bug(quantiles_are_no_calls, "plan_line_intervals", "share <- quantile_share(epsilon, tau)",
        "share <- epsilon"),
    bug(quantiles_are_no_calls, "run_with_interval", "scan_line(x[, 1], y, estimate, interval,",
        "scan_line(x[, 1], y, estimate, plan$interval[[1]],")
  )) {
    expect_true(caught(b))
  }
})

test_that("limits of several quantiles have their names, predictions and words, and cost epsilon", {
  d <- noisy_line(2000)
  budget <- dp_ledger(epsilon = 6)
  set.seed(8)
  fit <- dp_regression(y ~ x, d, 6, at = c(-1, 1), lower = -50, upper = 50, tau = c(0.25, 0.75),
                       interval = 0.9, ledger = budget, rng = "R")
  expect_identical(as.data.frame(budget)$epsilon, 6)
  terms <- c("(Intercept), tau 0.25", "x, tau 0.25", "(Intercept), tau 0.75", "x, tau 0.75")
  expect_identical(rownames(confint(fit)), terms)
  expect_identical(rownames(fit$details$region)[c(1, 6)], c("point 1, tau 0.25", "x, tau 0.75"))
  truth <- c(1 + qnorm(0.25), 2, 1 + qnorm(0.75), 2)
  expect_true(all(fit$interval[, 1] < truth & truth < fit$interval[, 2]))
  tidied <- tidy(fit, conf.int = TRUE)
  expect_identical(tidied$tau, c(0.25, 0.25, 0.75, 0.75))
  expect_identical(tidied$conf.high, unname(fit$interval[, 2]))
  limits <- predict(fit, data.frame(x = c(-1, 0, NA)), interval = "confidence")
  expect_identical(dimnames(limits)[-1], list(c("fit", "lwr", "upr"), c("tau = 0.25", "tau = 0.75")))
  expect_identical(unname(limits[1, -1, ]), unname(t(fit$details$region[c(1, 4), 3:4])))
  expect_equal(limits[2, "fit", ], coef(fit)[1, ])
  expect_true(all(is.na(limits[3, , ])))
  # lines as they were drawn, with their limits, though they cross
  far <- data.frame(x = 1e6 * c(-1, 1))
  apart <- predict(fit, far, interval = "confidence")
  expect_true(all(apart[, "lwr", ] < apart[, "fit", ] & apart[, "fit", ] < apart[, "upr", ]))
  expect_false(is.unsorted(predict(fit, far)[1, ]) || is.unsorted(predict(fit, far)[2, ]))
  expect_true(is.unsorted(apart[1, "fit", ]) || is.unsorted(apart[2, "fit", ]))
  expect_match(paste(format(fit), collapse = " "), "those of each quantile together cover", fixed = TRUE)
  lines <- regression_lines(fit, NULL, c(-1, 1), NULL, list())$curves
  expect_equal(lines$lower[c(1, 102)], unname(fit$details$region[c(1, 4), 3]))
})

# TRUE if a tally of rows in no order has other bits than these rows in increasing order.
many_fits_differ <- function() {
  set.seed(19)
  half <- function(v) round(2 * v) / 2
  x <- half(stats::rnorm(5000))
  z <- half(stats::rnorm(5000))
  rows <- data.frame(y = half(x + z + stats::rnorm(5000)), x, z)
  t <- dp_tally(rows, lower = -16, upper = 16, resolution = 0.5)
  made <- function(data, ...) {
    set.seed(3)
    dp_regression(data = data, epsilon = 1, ..., rng = "R")$estimate
  }
  sorted <- rows[do.call(order, rows), ]
  !identical(made(t, y ~ x, lower = -9, upper = 9, tau = c(0.25, 0.5)),
             made(sorted, y ~ x, lower = -9, upper = 9, tau = c(0.25, 0.5))) ||
    !identical(made(t, y ~ x + z, prior = prior_dyadic(2^-4), tau = c(0.4, 0.5)),
               made(sorted, y ~ x + z, prior = prior_dyadic(2^-4), tau = c(0.4, 0.5)))
}

test_that("a tally of many rows in no order, quantiles of several regressors without limits included", {
  skip_on_cran()
  expect_false(many_fits_differ())
  expect_true(caught(bug(many_fits_differ, "entry_counts.dp_tally", "x$count", "rev(x$count)")))
})

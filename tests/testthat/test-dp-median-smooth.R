# dp_median_smooth(): exact privacy on small data, noise, releases, refusals.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

test_that("lattices are as fine as whole numbers and roundings allow, by public numbers", {
  skip_on_cran()
  for (epsilon in c(0.02, 0.1, 1, 4, 12, 60)) for (d in 1:3) {
    p <- smooth_constants(epsilon, 1e-6, d)
    expect_gte(p$bits, 25)
    expect_lte(p$bits, 40)
    # the widest scale, in its units, is a whole number that doubles hold
    expect_lt(d * 2^(p$bits + scale_bits + 1) / p$alpha, 2^53)
    expect_gt(p$smoothness, 0.99 * p$beta)
    # src/sens_median.c: nothing can win at k = 1999, or its search may lose 2^-44 of the width
    widths <- 2^p$bits / (p$alpha * min_scale / 2^scale_bits) # against the least bound
    if (d == 1) expect_true(exp(-p$smoothness * 1999) * widths < 1 || p$rounding >= 2^-44 * widths)
  }
  expect_identical(smooth_constants(12, 1e-6, 2)$bits, 40)
})

# -- privacy ---------------------------------------------------------------------------------

line_grid <- function(top) list(step = 1, origin = 0, lower = 0, upper = top)

# The exact divergence (an upper bound for d > 1) of the laws of two data sets, the larger of both orders.
divergence <- function(z, y, grid, constants, epsilon, method = smooth_method("auto", nrow(z), ncol(z))) {
  p <- smooth_law(z, grid, constants, method)
  q <- smooth_law(y, grid, constants, method)
  d <- ncol(z)
  shift <- sum(abs(p$centre - q$centre)) / min(p$scale, q$scale) * 2^scale_bits
  lambda <- abs(log(p$scale / q$scale))
  up <- if (lambda > 0) divergence_up(epsilon, shift, lambda, d) else 0
  max(up, divergence_down(epsilon, shift, lambda, d))
}

# Neighbours that are bad for a median: steps, clusters, geometric gaps, random.
bad_pairs <- function(count, top, d = 1) {
  lapply(seq_len(count), function(i) {
    n <- sample(c(1:9, 40, 101), 1)
    kind <- i %% 5
    value <- function(m) {
      switch(kind + 1, sample(c(0, top), m, TRUE), round(top * 2^-sample(0:12, m, TRUE)),
             round(runif(m) * top), round(top / 2 + rnorm(m) * top / 50),
             sample(c(round(top / 3), round(top / 3) + 2000, top), m, TRUE))
    }
    z <- matrix(value(n * d), n)
    y <- z
    y[sample(n, 1), ] <- if (i %% 2) value(d) else sample(c(0, top), d, TRUE)
    # the worst neighbours of a median move a row over the middle
    if (d == 1 && i %% 3 == 0) {
      y <- matrix(sort(z))
      z <- y
      y[[1]] <- top
    }
    list(z, y)
  })
}

test_that("exact laws of neighbours are within (epsilon, delta): one variable", {
  skip_on_cran()
  set.seed(3)
  top <- 2^24
  for (epsilon in c(0.3, 1, 4)) {
    constants <- smooth_constants(epsilon, 1e-6, 1)
    worst <- vapply(bad_pairs(audit_size(75, 150), top), function(pair) {
      divergence(pair[[1]], pair[[2]], line_grid(top), constants, epsilon)
    }, 0)
    expect_lte(max(worst), 1e-6)
  }
})

test_that("exact laws of neighbours are within (epsilon, delta): two and three variables", {
  skip_on_cran()
  set.seed(4)
  top <- 2^24
  for (d in 2:3) {
    grid <- list(step = rep(1, d), origin = numeric(d), lower = numeric(d), upper = rep(top, d))
    for (epsilon in c(1, 6)) {
      constants <- smooth_constants(epsilon, 1e-6, d)
      pairs <- bad_pairs(audit_size(30, 60), top, d)
      for (method in c(if (d == 2) "exact", "directional", "marginal")) {
        worst <- vapply(pairs, function(pair) {
          divergence(pair[[1]], pair[[2]], grid, constants, epsilon, method)
        }, 0)
        expect_lte(max(worst), 1e-6)
      }
    }
  }
})

test_that("broken variants in the plane are caught by the same pairs", {
  skip_on_cran()
  top <- 2^24
  grid <- list(step = c(1, 1), origin = c(0, 0), lower = c(0, 0), upper = c(top, top))
  pairs <- bad_pairs(40, top, 2)
  worst <- function(constants) {
    max(vapply(pairs, function(pair) divergence(pair[[1]], pair[[2]], grid, constants, 6, "exact"), 0))
  }
  good <- smooth_constants(6, 1e-6, 2)
  expect_lte(worst(good), 1e-6)
  expect_gt(worst(replace(good, "smoothness", 3 * good$smoothness)), 1e-6)
  expect_gt(worst(replace(good, "alpha", 8 * good$alpha)), 1e-6)
})

test_that("broken variants are caught", {
  top <- 2^24
  grid <- line_grid(top)
  good <- smooth_constants(1, 1e-6, 1)
  # a wall at distance k: the bound changes by exactly exp(beta)
  wall <- function(k) matrix(c(numeric(50 + k), rep(top, 51 - k)))
  with_beta <- function(factor) {
    constants <- replace(good, "smoothness", factor * good$smoothness)
    divergence(wall(21), wall(20), grid, constants, 1)
  }
  expect_lte(with_beta(1), 1e-6)
  expect_gt(with_beta(2), 1e-6)
  # the textbook's pair of constants, with no shift: 10% over what the dilation alone can bear
  most <- dilation_beta(2, 1e-6, 1)
  expect_gt(with_beta(1.1 * most / good$smoothness), 1e-6)
  expect_lte(with_beta(0.999 * most / good$smoothness), 1e-6)
  # a median that jumps by all of the bound, at equal scales
  with_alpha <- function(alpha) {
    divergence(wall(1), wall(0), grid, replace(good, "alpha", alpha), 1)
  }
  expect_lte(with_alpha(good$alpha), 1e-6)
  expect_lte(with_alpha(0.99), 1e-6)
  expect_gt(with_alpha(1.1), 1e-6) # 10% over epsilon
  # a bound without the first replacement (windows of k steps in place of k + 1)
  late <- function(z) {
    replace(smooth_law(z, grid, good), "scale", ceiling(2^12 * exp(-20 * good$beta) / good$alpha))
  }
  p <- late(wall(1))
  expect_gt(divergence_down(1, top / p$scale * 2^scale_bits, 0, 1), 1e-6)
})

# -- noise -----------------------------------------------------------------------------------

test_that("the noise has the stated law, which is rounded Laplace noise", {
  skip_on_cran()
  draws <- 1e5
  for (t in c(0.75, 5, 40)) {
    scale <- t * 2^scale_bits
    w <- half_laplace(draws, scale, "system")
    reach <- ceiling(20 * t)
    cells <- seq(-reach, reach) + 0.5
    counts <- count_over(w - 0.5, -reach, reach)
    expect_law(counts, c(pmf_half(cells, t), max(0, 1 - sum(pmf_half(cells, t)))))
    wrong <- pmf_half(cells, 1.05 * t)
    expect_not_law(counts, c(wrong, max(0, 1 - sum(wrong))))
    # the probability that Laplace noise falls into the cell around w
    laplace <- function(x) ifelse(x < 0, exp(x / t) / 2, 1 - exp(-x / t) / 2)
    expect_equal(pmf_half(cells, t), laplace(cells + 0.5) - laplace(cells - 0.5), tolerance = 1e-6)
  }
})

# -- the release -----------------------------------------------------------------------------

test_that("estimates are near, inside the bounds and on the grid", {
  skip_on_cran()
  x <- matrix(rnorm(6000), ncol = 3, dimnames = list(NULL, c("a", "b", "c")))
  for (d in 1:3) {
    r <- dp_median_smooth(x[, seq_len(d), drop = FALSE], 10, 1e-5, -5, 5)
    expect_s3_class(r, "dp_release")
    expect_identical(r$guarantee, "approximate")
    expect_named(coef(r), letters[seq_len(d)])
    # noise here has scale below 0.2: beyond 4 with probability below exp(-20)
    expect_true(all(abs(coef(r)) < 4))
    twice <- 2 * coef(r) / r$details$step
    expect_identical(unname(twice), unname(round(twice)))
  }
  few <- suppressWarnings(replicate(50, coef(dp_median_smooth(c(1, 9), 0.1, 1e-6, 0, 10))))
  expect_true(all(few >= 0 & few <= 10))
})

test_that("sizes, outliers, ties and odd bounds", {
  for (x in list(3, c(1, 1, 1), c(-1e300, 0, 1e300), 1e15 + 1:9)) {
    expect_true(is.finite(coef(suppressWarnings(dp_median_smooth(x, 1, 1e-6, -2, 7)))))
  }
  x <- cbind(c(1e300, -1e300, 0), 1e-300)
  r <- suppressWarnings(dp_median_smooth(x, 1, 1e-6, c(-1e-200, 0), c(1e200, 1e-3)))
  expect_true(all(is.finite(coef(r))))
  expect_true(is.finite(coef(dp_median_smooth(1e9 + 1:200, 1, 1e-6, 1e9, 1e9 + 100))))
})

test_that("the front door, the ledger and the refused interval", {
  ledger <- dp_ledger(1, 1e-6)
  r <- dp_median(faithful$waiting, 1, 1e-6, method = "smooth", lower = 0, upper = 180, ledger = ledger)
  expect_match(r$mechanism, "smooth sensitivity")
  expect_identical(r$delta, 1e-6)
  expect_equal(summary(ledger)$left, c(0, 0))
  expect_error(dp_median_smooth(faithful$waiting, 1, 1e-6, 0, 180, ledger = ledger),
               class = "dpdepth_error_budget")
  expect_error(confint(r), "private", class = "dpdepth_error_input")
  other <- dp_median(faithful$waiting, 1, lower = 0, upper = 180)
  expect_error(confint(other), class = "dpdepth_error_input")
  expect_error(dp_median(1:9, 1, 1e-6, method = "smooth", prior = prior_uniform(0, 1)),
               class = "dpdepth_error_input")
})

test_that("bad arguments spend nothing", {
  ledger <- dp_ledger(1, 0.1)
  bad <- function(...) {
    expect_error(dp_median_smooth(..., ledger = ledger), class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  bad(1:9, 1, 0, 0, 1)
  bad(1:9, 1, 1, 0, 1)
  bad(1:9, 0, 1e-6, 0, 1)
  bad(1:9, 1e-5, 1e-6, 0, 1) # too small for the grid
  bad(1:9, 1, 1e-6, 1, 1)
  bad(c(1, NA), 1, 1e-6, 0, 1)
  bad("a", 1, 1e-6, 0, 1)
  expect_error(dp_median(1:9, 1, 0, method = "smooth", lower = 0, upper = 1), class = "dpdepth_error_input")
})

test_that("nothing of the data is in a release, and its size does not depend on n", {
  skip_on_cran()
  set.seed(5)
  x <- runif(200, 1, 2)
  r <- dp_median_smooth(x, 1, 1e-6, 0, 10)
  raw <- serialize(r, NULL, xdr = FALSE)
  text <- paste(capture.output(print(r), str(r), dput(r), print(summary(r))), collapse = "\n")
  hex <- paste(as.character(raw), collapse = "")
  for (v in x) {
    bytes <- paste(as.character(writeBin(v, raw(), endian = "little")), collapse = "")
    expect_false(grepl(bytes, hex, fixed = TRUE))
    expect_false(grepl(format(v, digits = 15), text, fixed = TRUE))
  }
  x <- rep(x, 9)
  expect_identical(length(serialize(dp_median_smooth(x, 1, 1e-6, 0, 10), NULL)), length(serialize(r, NULL)))
})

test_that("R's stream steers a simulation only", {
  run <- function(rng) coef(dp_median_smooth(1:900 / 90, 1, 1e-6, 0, 10, rng = rng))
  set.seed(1)
  one <- run("R")
  two <- run("R")
  set.seed(1)
  expect_identical(c(run("R"), run("R")), c(one, two))
  set.seed(1)
  expect_false(identical(run("system"), one))
  expect_error(half_laplace(1, 1e6, "broken"), class = "dpdepth_error_entropy")
})

test_that("bounds too close for a grid of doubles are refused before the debit", {
  ledger <- dp_ledger(1, 1e-4)
  e <- expect_error(dp_median_smooth(1:500, 1, 1e-4, 0, 1e-315, ledger = ledger),
                    class = "dpdepth_error_input")
  expect_identical(e$arg, "upper")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("the diameter over data points is caught", {
  # four corners and one more: no data point has depth 2, so the published bound is zero
  top <- 2^24
  grid <- list(step = c(1, 1), origin = c(0, 0), lower = c(0, 0), upper = c(top, top))
  constants <- smooth_constants(4, 1e-6, 2)
  angle <- 2 * pi * (0:4) / 5
  z <- round(top * (0.5 + 0.4 * cbind(cos(angle), sin(angle))))
  y <- z
  y[1, ] <- c(0, top)
  p <- smooth_law(z, grid, constants)
  q <- smooth_law(y, grid, constants)
  moved <- sum(abs(p$centre - q$centre))
  expect_gt(moved, 1e5)
  expect_gte(constants$alpha * min(p$scale, q$scale) / 2^scale_bits, moved)
  # noise of the least scale, which is what a zero bound leaves
  expect_gt(divergence_down(4, moved / min_scale * 2^scale_bits, 0, 2), 0.9)
  expect_lte(divergence(z, y, grid, constants, 4), 1e-6)
})

# Private medians over simplicial, spatial and integrated depths: arguments, releases, the depths themselves.

depths <- names(median_depths)

scores <- function(x, depth, points, u = matrix(numeric(0), 0, ncol(x)), smooth = 0) {
  prior <- prior_fields(prior_uniform(rep(-8, ncol(x)), rep(8, ncol(x))), rep(1, ncol(x)))
  out <- .Call(ffi_depth_median_scores, x, prior, match(depth, depths), u, smooth, points, points)
  as.vector(out) / attr(out, "parts")
}

test_that("every depth gives a pure, exact release that names it", {
  set.seed(1)
  x <- matrix(rnorm(400), 200, 2, dimnames = list(NULL, c("a", "b")))
  for (depth in depths) {
    r <- dp_median_exponential(x, 2, prior_uniform(-5, 5), depth = depth, rng = "R")
    expect_identical(r$guarantee, "pure")
    expect_true(r$exact)
    expect_named(r$estimate, c("a", "b"))
    expect_match(r$mechanism, median_depths[[depth]]$what, fixed = TRUE)
    expect_true(all(abs(r$estimate) <= 5))
  }
})

test_that("simplicial depth in space: scores, a draw, and private depths of points", {
  set.seed(5)
  x <- matrix(sample(-8:8, 60, TRUE) * 1, 20, 3)
  z <- matrix(sample(-8:8, 30, TRUE) * 1, 10, 3)
  expect_equal(scores(x, "simplicial", z), depth_simplicial(z, x) * 20 / 4, tolerance = 1e-3)
  # few rows; no noise to speak of
  expect_warning(r <- dp_median_exponential(x, 5, lower = -9, upper = 9, depth = "simplicial", rng = "R"),
                 class = "dpdepth_warning_accuracy")
  expect_identical(r$guarantee, "pure")
  expect_warning(noisy <- dp_depth(z, x, 1e6, "simplicial", lower = -9, upper = 9, resolution = 1))
  expect_equal(unname(coef(noisy)), depth_simplicial(z, x), tolerance = 2e-3)
})

test_that("scores are the depths, over what one row moves them by", {
  set.seed(2)
  x <- matrix(sample(-8:8, 60, TRUE) * 1, 30, 2)
  z <- matrix(sample(-8:8, 40, TRUE) * 1, 20, 2)
  near <- function(score, depth, move) expect_equal(score, depth / move, tolerance = 2^-11)
  n <- nrow(x)
  near(scores(x, "simplicial", z), depth_simplicial(z, x), 3 / n)
  near(scores(x, "spatial", z), depth_spatial(z, x), 2 / n)
  near(scores(x, "spatial_modified", z), depth_spatial(z, x, modified = TRUE), 4 * (n - 1) / n^2)
  axes <- diag(2)
  near(scores(x, "irw", z, axes), depth_irw(z, x, directions = axes), 2 / n)
  mid <- rowMeans(sapply(1:2, function(j) {
    f <- sapply(z[, j], function(t) (sum(x[, j] < t) + sum(x[, j] <= t)) / (2 * n))
    f * (1 - f)
  }))
  near(scores(x, "idd", z, axes), mid, (n - 1) / n^2)
  smoothed <- depth_idd(z, x, smooth = 0.5, directions = axes)
  expect_equal(scores(x, "idd_smooth", z, axes, 0.5), smoothed * n^2 / (n - 1), tolerance = 0.01)
})

test_that("one variable: the law is that of the ranks", {
  x <- matrix(rep(c(-3, -1, 0, 0, 2, 4), 20))
  cells <- -5:5
  weight <- exp(scores(x, "irw", matrix(cells * 1), matrix(1)) * 0.1 / 2)
  plan <- depth_plan(120, 1, prior_uniform(-5, 5), "irw", NULL, 1, NULL, "x")
  set.seed(3)
  drawn <- replicate(600, draw_depth(x, plan, 0.1, "R"))
  expect_law(table(factor(drawn, cells)), weight / sum(weight))
})

test_that("dp_median() passes a depth and its slope on", {
  set.seed(4)
  x <- matrix(rnorm(200), 100, 2)
  r <- dp_median_exponential(x, 2, lower = -5, upper = 5, depth = "idd_smooth", smooth = 3, rng = "R")
  expect_match(r$mechanism, "smoothed integrated dual depth")
  covariance <- dp_median_exponential(x, 2, prior = prior_normal(0, covariance = diag(2)), depth = "spatial",
                                      rng = "R")
  expect_identical(covariance$guarantee, "pure")
})

test_that("what a depth cannot take is refused, and nothing spent", {
  x <- matrix(rnorm(60), 10, 6)
  ledger <- dp_ledger(1)
  prior <- prior_uniform(-5, 5)
  refused <- function(arg, ...) {
    expect_error(dp_median_exponential(..., ledger = ledger), class = "dpdepth_error_input", regexp = arg)
  }
  refused("x", x[, 1:4], 1, prior, depth = "simplicial")
  refused("x", x[rep(1:10, 11), 1:3], 1, prior, depth = "simplicial")
  refused("x", x[1:2, 1:2], 1, prior, depth = "simplicial")
  refused("x", cbind(x, 1), 1, prior, depth = "idd")
  refused("directions", x[, 1:2], 1, prior, depth = "spatial", directions = 10)
  refused("smooth", x[, 1:2], 1, prior, depth = "idd", smooth = 10)
  refused("smooth", x[, 1:2], 1, prior, smooth = 10)
  refused("smooth", x[, 1:2], 1, prior, depth = "idd_smooth", smooth = -1)
  refused("depth", x[, 1:2], 1, prior_dyadic(1), depth = "idd")
  refused("depth", x[, 1:2], 1, prior, depth = "oja")
  expect_identical(summary(ledger)$spent[[1]], 0)
})

test_that("noise as wide as the limits is warned of, by public numbers", {
  x <- matrix(0.5, 20, 2)
  for (depth in depths) {
    expect_warning(dp_median_exponential(x, 0.1, prior_uniform(-1e3, 1e3), depth = depth, rng = "R"),
                   class = "dpdepth_warning_accuracy")
  }
  y <- matrix(0.5, 2000, 2)
  expect_no_warning(dp_median_exponential(y, 1, prior_uniform(-1e3, 1e3), depth = "idd", directions = 10,
                                          rng = "R"))
})

# -- where n is private ----------------------------------------------------------------------------------

test_that("medians over other depths release without a row, and nothing but the draw depends on n", {
  of <- function(x, depth) {
    r <- dp_median_exponential(x, 1, prior_uniform(c(-4, -4), c(4, 4)), depth = depth, resolution = 1,
                               directions = if (takes_directions(depth)) diag(2), neighbours = "add_remove",
                               rng = "R")
    r$estimate[] <- 0
    r
  }
  set.seed(84)
  x <- matrix(sample(-3:3, 60, TRUE) + 0, 30)
  for (depth in depths) {
    some <- suppressWarnings(of(x, depth))
    expect_identical(some[names(some) != "call"], suppressWarnings(of(x[0, ], depth))[names(some) != "call"])
    expect_true(is.na(nobs(some)))
  }
  expect_error(of(matrix(0, 3, 3), "simplicial"), class = "dpdepth_error_input")
})

# Draws of the door itself, against the density exp(epsilon n depth / unit), the public row at 0 counted, too.
private_draws <- function(depth, x = c(-2, -2, 1, 3), epsilon = 4, draws = 250) {
  points <- as.double(-3:3)
  rows <- c(x, 0, if (depth == "simplicial") 0)
  n <- length(rows)
  f <- vapply(points, function(t) (sum(rows < t) + sum(rows <= t)) / (2 * n), 0)
  closed <- vapply(points, function(t) min(sum(rows <= t), sum(rows >= t)), 0)
  norm <- vapply(points, function(t) abs(sum(sign(rows - t))), 0)
  inside <- vapply(points, function(t) {
    sum(utils::combn(n, 2, function(k) min(rows[k]) <= t && t <= max(rows[k])))
  }, 0)
  score <- switch(depth, irw = closed, idd = n * f * (1 - f), spatial = (n - norm) / 2,
                  spatial_modified = (n - norm^2 / n) / 4, simplicial = inside / (n - 1))
  drawn <- vapply(seq_len(draws), function(i) {
    coef(dp_median_exponential(x, epsilon, prior_uniform(-3, 3), depth = depth, resolution = 1,
                               neighbours = "add_remove", rng = "R"))
  }, 0)
  list(seen = tabulate(drawn + 4, 7), p = prop.table(exp(epsilon * score)))
}

test_that("they follow the law of n times the depth, at the rate of what only rises", {
  skip_on_cran()
  set.seed(85)
  for (depth in setdiff(depths, "idd_smooth")) {
    law <- suppressWarnings(private_draws(depth))
    expect_law(law$seen, law$p)
  }
  expect_not_law(law$seen, prop.table(sqrt(law$p)), "half the rate")
  # two rows, of which a replaced one moves the depth by half as much
  law <- suppressWarnings(private_draws("idd", 1))
  expect_law(law$seen, law$p)
  expect_not_law(law$seen, prop.table(law$p^2), "twice the rate")
})

test_that("draws that may not end are warned of before the debit, and no default is one", {
  ledger <- dp_ledger(1e-3)
  # "none": the ledger is reached, and refuses
  said <- function(d, ..., door = dp_median_exponential) {
    x <- matrix(cos(seq_len(50 * d)), 50)
    tryCatch(door(x, 1, lower = -5, upper = 5, ..., ledger = ledger),
             dpdepth_warning_time = conditionMessage, dpdepth_error_budget = function(e) "none")
  }
  expect_match(said(3, directions = "exact"),
               "depth of three variables takes seconds.*not end.*call has spent it.*public directions")
  expect_match(said(2, depth = "simplicial"), "over simplicial depth takes.*Halfspace depth")
  expect_match(said(3, depth = "simplicial"), "over simplicial depth takes")
  expect_match(said(4, directions = 10, sampler = "exact"), "directions in 4 variables takes.*along the axes")
  for (d in 1:5) {
    expect_identical(said(d), "none")
    expect_identical(said(d, door = dp_median), "none")
    expect_identical(said(d, directions = "axes"), "none")
  }
  expect_identical(said(1, depth = "simplicial"), "none")
  expect_identical(said(2, directions = "exact"), "none")
  expect_identical(said(3, directions = 20), "none")
  expect_identical(said(3, depth = "idd"), "none")
  expect_identical(sum(summary(ledger)$spent), 0)
})

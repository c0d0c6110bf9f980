# The law of dp_median_exponential(): exact draws against independent computations.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

plane_data <- matrix(c(0.1, -1.2, 0.7, 1.9, -0.4, 0.3, 2.2, -2.1, 1.1, -0.6, 0.2, 0.9,
                       0.5, -0.9, 0.1, 1.4, 0.8, -0.3, 1.7, -1.0, 0.2, -1.3, 0.6, 0.4), ncol = 2)

# Cells of the line between the data, their prior mass and depth.
line_law <- function(x, epsilon, breaks, mass) {
  mid <- (utils::head(breaks, -1) + utils::tail(breaks, -1)) / 2
  depth <- vapply(mid, function(m) min(sum(x <= m), sum(x >= m)), 0)
  weight <- mass * exp(epsilon * (depth - max(depth)) / 2)
  weight / sum(weight)
}

count_cells <- function(draws, breaks) {
  tabulate(findInterval(draws, breaks, rightmost.closed = TRUE), length(breaks) - 1)
}

line_data <- list(
  ties = c(-3, -1, -1, 0.5, 2, 2.2, 7), one = 0.25, same = rep(2, 4),
  even = c(-9, -8, 1, 1.5, 4, 9.5), outside = c(-100, 3, 1e300)
)

test_that("one variable, uniform prior: cells have their exact probabilities", {
  skip_on_cran()
  for (name in names(line_data)) {
    x <- line_data[[name]]
    breaks <- c(-10, sort(unique(x[abs(x) < 10])), 10)
    for (epsilon in c(0.1, 1, 4)) {
      law <- line_law(x, epsilon, breaks, diff(breaks))
      draws <- draw_medians(audit_size(2e4, 1e5), x, epsilon, prior_uniform(-10, 10))
      expect_true(all(abs(draws) <= 10))
      expect_law(count_cells(draws, breaks), law, paste(name, epsilon))
    }
  }
})

test_that("one variable, normal prior: cells have their exact probabilities", {
  x <- line_data$ties
  breaks <- c(-10, sort(unique(x)), 12)
  for (epsilon in c(0.5, 3)) {
    law <- line_law(x, epsilon, breaks, diff(pnorm(breaks, 1, 1)))
    draws <- draw_medians(1e5, x, epsilon, prior_normal(1, 1))
    expect_law(count_cells(draws, breaks), law, paste("normal", epsilon))
  }
})

test_that("the same test rejects a wrong epsilon, a missing factor 2, and a missing acceptance step", {
  skip_on_cran()
  x <- line_data$ties
  breaks <- c(-10, sort(unique(x)), 10)
  law <- line_law(x, 1, breaks, diff(breaks))
  expect_not_law(count_cells(draw_medians(5e4, x, 1.2, prior_uniform(-10, 10)), breaks), law, "20% over")
  expect_not_law(count_cells(draw_medians(5e4, x, 2, prior_uniform(-10, 10)), breaks), law, "factor 2")
  # acceptance without the bound's gap: the proposal's own law, from four equal boxes
  boxes <- seq(-10, 10, 5)
  depth_at <- function(m) min(sum(x <= m), sum(x >= m))
  bound <- vapply(1:4, function(k) max(vapply(seq(boxes[k], boxes[k + 1], 0.01), depth_at, 0)), 0)
  box <- sample.int(4, 2e5, TRUE, prob = exp(bound / 2))
  expect_not_law(count_cells(boxes[box] + 5 * runif(2e5), breaks), law, "no gap")
})

test_that("atoms that hold much of the data, on the line and in the plane, are drawn as they should", {
  # a mass on one point is deeper than half the data: the draw finds the atom itself
  ages <- rep(c(30, 40, 53, 60, 75), c(1500, 1500, 3500, 1500, 1000))
  expect_true(all(abs(draw_medians(50, ages, 1, prior_uniform(18, 100)) - 53) < 1e-6))
  plane <- cbind(ages, rep(c(0, 1), c(7000, 2000)))
  for (directions in list(NULL, 50)) {
    draws <- draw_medians(20, plane, 1, prior_uniform(c(18, -10), c(100, 10)), directions)
    expect_true(all(abs(draws[, 1] - 53) < 1e-6 & abs(draws[, 2]) < 1e-6))
  }
  same <- matrix(2, 500, 3)
  expect_true(all(abs(draw_medians(20, same, 1, prior_uniform(-5, 5)) - 2) < 1e-4))
})

test_that("large budgets and tiny budgets, priors far from the data and skewed data return and fit", {
  skip_on_cran()
  for (epsilon in c(1e-6, 60, 88, 1000, 1e6)) {
    # an even number of rows: with an odd one the middle row alone is deepest, a single grid point
    x <- line_data$even
    breaks <- c(-10, sort(unique(x)), 10)
    law <- line_law(x, epsilon, breaks, diff(breaks))
    expect_law(count_cells(draw_medians(1e4, x, epsilon, prior_uniform(-10, 10)), breaks), law, epsilon)
    normal <- line_law(x, epsilon, breaks, diff(pnorm(breaks, 0, 30)))
    draws <- draw_medians(1e4, x, epsilon, prior_normal(0, 30))
    inside <- draws[abs(draws) < 10]
    expect_law(count_cells(inside, breaks), normal, epsilon)
    expect_true(all(is.finite(draw_medians(3, plane_data, epsilon, prior_uniform(-3, 3)))))
  }
  expect_true(all(draw_medians(20, line_data$ties, 1000, prior_uniform(-10, 10)) == 0.5))
  skewed <- matrix(qexp(((1:40000) * 0.618034) %% 1), 20000)
  clusters <- rbind(space_data(2, 400), space_data(2, 400) + 8, space_data(2, 400) - c(8, -8))
  for (x in list(skewed, clusters)) {
    draws <- draw_medians(5, x, 1, prior_uniform(-20, 20))
    deepest <- attr(median_tukey(x), "depth")
    expect_true(all(depth_halfspace(draws, x) > deepest - 60 / nrow(x)))
  }
  far <- draw_medians(5, plane_data, 1, prior_uniform(50, 60))
  expect_true(all(far >= 50 & far <= 60))
})

# Probabilities of square bins and of depth levels by a fine grid of cell centres.
plane_law <- function(data, epsilon, depth_of, half = 3, cells = audit_size(300, 1000),
                      log_prior = function(g) 0) {
  centre <- (seq_len(cells) - 0.5) / cells * 2 * half - half
  grid <- as.matrix(expand.grid(centre, centre))
  depth <- depth_of(grid)
  weight <- exp(epsilon * depth / 2 + log_prior(grid))
  list(grid = grid, depth = depth, p = weight / sum(weight))
}

bins <- function(points, half = 3, k = 6) {
  at <- pmin(floor((points + half) / (2 * half) * k), k - 1)
  factor(at[, 1] * k + at[, 2], levels = seq_len(k * k) - 1)
}

expect_plane <- function(draws, law, depth_of, label) {
  expect_law(as.vector(table(bins(draws))), as.vector(tapply(law$p, bins(law$grid), sum)),
             paste(label, "bins"))
  levels <- seq(0, max(law$depth))
  expect_law(
    as.vector(table(factor(depth_of(draws), levels))),
    as.vector(tapply(law$p, factor(law$depth, levels), sum)), paste(label, "levels")
  )
}

test_that("two variables, directional depth: bins and depth levels follow the integrated law", {
  skip_on_cran()
  dirs <- rbind(diag(2), fan(5))
  depth_of <- function(g) slow_directional(g, plane_data, dirs)
  law <- plane_law(plane_data, 2, depth_of)
  draws <- draw_medians(4e4, plane_data, 2, prior_uniform(-3, 3), dirs)
  expect_plane(draws, law, depth_of, "directional")
  wrong <- draw_medians(4e4, plane_data, 2.4, prior_uniform(-3, 3), dirs)
  expect_not_law(as.vector(table(bins(wrong))), as.vector(tapply(law$p, bins(law$grid), sum)))
})

test_that("two variables, exact depth: bins and depth levels follow the integrated law", {
  skip_on_cran()
  depth_of <- function(g) slow_planar(g, plane_data)
  law <- plane_law(plane_data, 2, depth_of, cells = audit_size(160, 300))
  draws <- draw_medians(2e4, plane_data, 2, prior_uniform(-3, 3))
  expect_plane(draws, law, depth_of, "exact")
})

test_that("two variables, normal prior: bins follow the integrated law", {
  skip_on_cran()
  dirs <- rbind(diag(2), fan(5))
  log_prior <- function(g) -rowSums((g - 0.5)^2) / (2 * 0.6^2)
  depth_of <- function(g) slow_directional(g, plane_data, dirs)
  law <- plane_law(plane_data, 1, depth_of, half = 4, log_prior = log_prior)
  draws <- draw_medians(4e4, plane_data, 1, prior_normal(0.5, 0.6), dirs)
  expect_law(as.vector(table(bins(draws, 4))), as.vector(tapply(law$p, bins(law$grid, 4), sum)))
})

test_that("three to five variables: marginals follow an importance sample of the law", {
  skip_on_cran()
  for (d in 3:5) {
    x <- space_data(d)
    dirs <- directions(d, 12)
    # uniform points weighted by the density: their own error is allowed for below
    points <- matrix(runif(audit_size(1.5e5, 4e5) * d, -2, 2), ncol = d)
    weight <- exp(slow_directional(points, x, dirs) / 2)
    share <- sum(weight)^2 / sum(weight^2) # effective sample size
    draws <- draw_medians(2e4, x, 1, prior_uniform(-2, 2), dirs)
    band <- dkw_band(nrow(draws), ALPHA / 2) + dkw_band(share, ALPHA / 2)
    for (j in seq_len(d)) {
      order <- order(points[, j])
      share_below <- cumsum(weight[order]) / sum(weight)
      cdf <- stats::approxfun(points[order, j], share_below, rule = 2, ties = "ordered")
      expect_lt(dkw_distance(draws[, j], cdf), band)
      expect_gt(dkw_distance(draws[, j] + audit_size(0.45, 0.3), cdf), band)
    }
  }
})

test_that("the Markov chain draws a line's cells with their exact probabilities", {
  skip_on_cran()
  # on a line every step is an independent draw
  for (name in c("ties", "even", "one")) {
    x <- line_data[[name]]
    breaks <- c(-10, sort(unique(x)), 10)
    for (epsilon in c(0.1, 1, 4)) {
      trace <- .Call(ffi_median_chain, "system", matrix(x), list(FALSE, -10, 10), epsilon, matrix(1),
                     4L, 20000L, TRUE)$trace
      law <- line_law(x, epsilon, breaks, diff(breaks))
      expect_law(count_cells(trace, breaks), law, paste("chain", name, epsilon))
    }
    trace <- .Call(ffi_median_chain, "system", matrix(x), list(TRUE, 1, 2), 1, matrix(1), 4L, 20000L,
                   TRUE)$trace
    wide <- c(-100, sort(unique(x)), 100)
    expect_law(count_cells(trace, wide), line_law(x, 1, wide, diff(pnorm(wide, 1, 2))), name)
  }
})

test_that("the Markov chain agrees with the exact sampler where both work", {
  skip_on_cran()
  x <- space_data(3)
  dirs <- directions(3, 12)
  prior <- list(FALSE, rep(-2, 3), rep(2, 3))
  trace <- .Call(ffi_median_chain, "system", x, prior, 1, dirs, 4L, 40000L, TRUE)$trace
  draws <- draw_medians(2e4, x, 1, prior_uniform(-2, 2), dirs)
  for (j in 1:3) {
    chain <- as.vector(trace[seq(4000, 40000, 40), , j]) # thinned until nearly independent
    exact <- stats::ecdf(draws[, j])
    distance <- dkw_distance(chain, exact, function(v) exact(v - 1e-12))
    expect_lt(distance, dkw_band(length(chain) / 2, ALPHA / 2) + dkw_band(2e4, ALPHA / 2))
  }
  normal <- list(TRUE, rep(0.2, 3), rep(0.5, 3))
  trace <- .Call(ffi_median_chain, "system", x, normal, 1, dirs, 4L, 40000L, TRUE)$trace
  draws <- draw_medians(2e4, x, 1, prior_normal(0.2, 0.5), dirs)
  for (j in 1:3) {
    chain <- as.vector(trace[seq(4000, 40000, 40), , j])
    exact <- stats::ecdf(draws[, j])
    distance <- dkw_distance(chain, exact, function(v) exact(v - 1e-12))
    expect_lt(distance, dkw_band(length(chain) / 2, ALPHA / 2) + dkw_band(2e4, ALPHA / 2))
  }
})

test_that("three variables, exact depth: marginals and depth levels follow the law", {
  skip_on_cran()
  x <- space_data(3, 16)
  points <- matrix(runif(3e5, -2, 2), ncol = 3)
  depth <- round(16 * depth_halfspace(points, x, method = "exact"))
  weight <- exp(1.5 * depth)
  draws <- draw_medians(1e4, x, 3, prior_uniform(-2, 2), "exact")
  band <- dkw_band(nrow(draws), ALPHA / 2) + dkw_band(sum(weight)^2 / sum(weight^2), ALPHA / 2)
  distance <- function(values, at) {
    order <- order(at)
    share <- c(0, cumsum(weight[order]) / sum(weight))
    cdf <- function(v, open = FALSE) share[findInterval(v, at[order], left.open = open) + 1]
    dkw_distance(values, cdf, function(v) cdf(v, TRUE))
  }
  for (j in 1:3) expect_lt(distance(draws[, j], points[, j]), band)
  levels <- round(16 * depth_halfspace(draws, x, method = "exact"))
  expect_lt(distance(levels, depth), band)
  # the directional depth is another law: the same test tells them apart
  other <- draw_medians(1e4, x, 3, prior_uniform(-2, 2), 3)
  expect_gt(distance(round(16 * depth_halfspace(other, x, method = "exact")), depth), band)
})

# Whole numbers: correlated, with a column of zeros and ones, thin along axes, or in tight clusters.
whole_data <- function(shape, d, half) {
  x <- space_data(d, 60) * half / 2
  if (shape == "dummy") x[, d] <- seq_len(60) %% 3 == 0
  if (shape == "thin") x <- x %*% diag(0.3^(seq_len(d) - 1))
  if (shape == "clusters") x <- half / 2 * rep(c(-1, 1), 30) + (x > 0)
  round(x)
}

test_that("thin, tied and correlated rows: every candidate has its probability", {
  skip_on_cran()
  for (shape in c("correlated", "dummy", "thin", "clusters")) {
    for (size in list(c(d = 2, half = 12), c(3, 5), c(4, 3))) {
      d <- size[[1]]
      half <- size[[2]]
      x <- whole_data(shape, d, half)
      dirs <- rbind(diag(d), directions(d, 12))
      candidates <- as.matrix(expand.grid(rep(list(seq(-half, half)), d)))
      for (epsilon in c(0.05, 0.5)) {
        # the directions as the kernel rounds them
        whole <- round(2^16 * dirs / sqrt(rowSums(dirs^2)))
        weight <- exp(epsilon * slow_directional(candidates, x, whole) / 2)
        draws <- draw_medians(2e4, x, epsilon, prior_uniform(-half, half), dirs, resolution = rep(1, d))
        cell <- drop((draws + half) %*% (2 * half + 1)^(seq_len(d) - 1)) + 1
        expect_law(tabulate(cell, length(weight)), weight / sum(weight), paste(shape, d, epsilon))
      }
    }
  }
})

test_that("rows at few points or in two clusters of the plane: the law holds, draws take few proposals", {
  skip_on_cran()
  half <- 12
  candidates <- as.matrix(expand.grid(seq(-half, half), seq(-half, half)))
  set.seed(6)
  atoms <- matrix(sample(-9:9, 10, TRUE), 5)[sample(5, 60, TRUE), ]
  for (x in list(atoms, whole_data("clusters", 2, half))) {
    weight <- exp(depth_halfspace(candidates, x) * 60 * 0.3 / 2)
    draws <- draw_medians(2e4, x, 0.3, prior_uniform(-half, half), "exact", resolution = c(1, 1))
    cell <- drop((draws + half) %*% c(1, 2 * half + 1)) + 1
    expect_law(tabulate(cell, length(weight)), weight / sum(weight), "exact depth in the plane")
  }
  # 70,000 proposals and 5,000, before boxes were held against all directions and against lines
  proposals <- function(x, epsilon, w) {
    prior <- prior_fields(prior_for(prior_uniform(-w, w), 2))
    plan <- directions_plan("exact", 2)
    .Call(ffi_median_exp, "system", x, prior, epsilon, TRUE, plan$directions, 1L)$counts[[1]]
  }
  set.seed(3)
  expect_lt(proposals(matrix(rnorm(16), 8)[sample(8, 300, TRUE), ], 10, 1000), 5000)
  expect_lt(proposals(matrix(rnorm(2000, sd = 1e-7), ncol = 2) + c(-3, 3), 1, 100), 2000)
})

test_that("rows at few points that are nearly on a line: draws end, and are spread between these", {
  # lattice steps are 2^-29 and 2^-25. Lattice points between three points that are a fraction of a step off
  # a line have a third of the rows for their depth, all others none.
  for (slope in c(2.54, 1.8, 1 / 3)) {
    x <- cbind(rep(1:3, 200), slope * rep(1:3, 200))
    draws <- draw_medians(2000, x, 1, prior_uniform(c(0, -100), c(10, 100)))
    corner <- cbind(1:3, round(slope * 1:3 * 2^25) / 2^25)
    beside <- function(p, q) q[, 2] - p[, 2] - slope * (q[, 1] - p[, 1])
    area <- function(p, q, r) {
      (q[, 1] - p[, 1]) * beside(p, r) - beside(p, q) * (r[, 1] - p[, 1])
    }
    at <- lapply(1:3, function(k) corner[rep(k, 2000), ])
    whole <- area(at[[1]], at[[2]], at[[3]])[[1]]
    shares <- cbind(area(draws, at[[2]], at[[3]]), area(at[[1]], draws, at[[3]]),
                    area(at[[1]], at[[2]], draws)) / whole
    expect_gt(min(shares), -1e-5)
    for (k in 1:3) expect_cdf(shares[, k], function(s) 1 - (1 - s)^2, label = "the share of a corner")
  }
  # others anywhere: more rows than proposals are refused at first
  set.seed(5)
  x <- rbind(x, cbind(runif(600, 0, 10), runif(600, 0, 25)))
  expect_identical(dim(draw_medians(2, x, 1, prior_uniform(c(0, -100), c(10, 100)))), c(2L, 2L))
})

# -- along the axes: error, release, sources, refusals ----------------------------------------------------

test_that("privacy's error is what theory says: standard normal rows in 20 variables", {
  skip_on_cran()
  n <- 1000
  d <- 20
  set.seed(8)
  x <- vapply(seq_len(d), function(j) sample(stats::qnorm((seq_len(n) - 0.5) / n)), numeric(n))
  z <- draw_axes(x, prior_uniform(rep(-20, d), rep(20, d)), 1, "system", 1000L)
  error <- sqrt(mean(z^2))
  theory <- 2 / (n * stats::dnorm(0)) * sqrt((d + 1) * (d + 2) / 3)
  # squares of a draw's coordinates share its level: their mean has a standard deviation below 0.6
  expect_lt(abs(error / theory - 1), 5 * 0.6 / 2 / sqrt(1000) + 0.02)
  expect_lt(abs(mean(z)), 5 * theory / sqrt(1000 * d))
})

# -- the front door ----------------------------------------------------------------------------------------

test_that("a release along the axes is pure, exact, and says what it is", {
  set.seed(9)
  x <- matrix(stats::rnorm(2000), 100, dimnames = list(NULL, paste0("v", 1:20)))
  ledger <- dp_ledger(1)
  r <- dp_median_exponential(x, 1, prior = prior_uniform(-5, 5), directions = "axes", ledger = ledger)
  expect_identical(r$guarantee, "pure")
  expect_true(r$exact)
  expect_identical(r$details$depth, "halfspace, along the axes")
  expect_named(coef(r), colnames(x))
  expect_named(r$details$step, colnames(x))
  expect_true(all(coef(r) / r$details$step == round(coef(r) / r$details$step)))
  expect_identical(as.data.frame(ledger)$epsilon, 1)
  again <- function() {
    dp_median_exponential(x, 1, prior = prior_uniform(-5, 5), directions = "axes", ledger = ledger)
  }
  expect_error(again(), class = "dpdepth_error_budget")
  prior <- prior_normal(c(v1 = 0, v2 = 0), c(v1 = 1, v2 = 2))
  for (names in list(NULL, c("v1", "v2"))) {
    y <- unname(x[, 1:2])
    colnames(y) <- names
    expect_length(coef(dp_median_exponential(y, 1, prior = prior, directions = "axes")), 2)
  }
})

test_that("R's stream steers simulations and moves on, the system leaves it alone, a broken source raises", {
  x <- matrix(c(1, 2, 3, 4, 0, 7), 3)
  run <- function(rng) {
    coef(dp_median_exponential(x, 1, prior = prior_uniform(-5, 9), directions = "axes", rng = rng))
  }
  set.seed(3)
  one <- run("R")
  two <- run("R")
  expect_false(identical(one, two))
  set.seed(3)
  expect_identical(run("R"), one)
  before <- .Random.seed
  expect_false(identical(run("system"), run("system")))
  expect_identical(.Random.seed, before)
  fields <- prior_fields(prior_uniform(c(0, 0), c(9, 9)))
  expect_error(.Call(ffi_median_axes, "broken", x, fields, 1, NULL, 1L, FALSE),
               class = "dpdepth_error_entropy")
  # a source that ends half way: nothing is returned
  expect_error(.Call(ffi_median_axes, c(1, 2), x, fields, 1, NULL, 1L, FALSE),
               class = "dpdepth_error_entropy")
})

test_that("what does not go with the axes is refused, and nothing is spent", {
  ledger <- dp_ledger(1)
  x <- matrix(c(1, 2, 3, 4), 2)
  refused <- function(...) {
    expect_error(dp_median_exponential(x, 1, ..., ledger = ledger), class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(prior = prior_uniform(0, 5), directions = "axis")
  refused(prior = prior_uniform(0, 1e-310), directions = "axes")
  refused(prior = prior_uniform(0, 5), directions = c("axes", "axes"))
  expect_error(dp_median_exponential(x, 1, prior = prior_uniform(0, 5), directions = "axes", rng = "none"),
               class = "dpdepth_error_input")
})

# dp_median_exponential(directions = "axes"): exact laws, neighbours, extremes, the front door.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

axes_data <- list(
  ties = cbind(c(1, 3, 3, 4, 6), c(2, 2, 2, 5, 7), c(0, 1, 4, 4, 4)),
  atoms = cbind(c(3, 3, 3, 3, 5), rep(2, 5), c(6, 6, 6, 6, 1)),
  outside = cbind(c(-9, 2, 3, 40, 7), 1:5, c(-3, -2, 0, 9, 12)),
  one = cbind(4, 0, 9),
  even = cbind(c(0, 1, 5, 7), c(6, 6, 2, 2), c(3, 4, 3, 4)),
  twice = cbind(c(1, 1, 6, 6, 6, 6), c(0, 0, 7, 7, 2, 2), c(5, 5, 5, 5, 5, 5))
)

# -- laws -------------------------------------------------------------------------------------------

test_that("points of small lattices have their exact probabilities: one to three variables, uniform prior", {
  skip_on_cran()
  for (d in 1:3) {
    points <- grid_points(0, 7, d)
    prior <- axes_box(8, d)
    expect_identical(unname(axes_steps(prior, NULL)), rep(1, d))
    for (name in names(axes_data)) for (epsilon in c(0.3, 3)) {
      x <- axes_data[[name]][, seq_len(d), drop = FALSE]
      law <- axes_law(x, points, weight = half_rate(epsilon))
      expect_law(axes_counts(1e4, x, prior, epsilon, points), law, paste(name, d, epsilon))
    }
  }
})

test_that("points of small lattices have their exact probabilities: normal prior", {
  skip_on_cran()
  for (d in 1:3) {
    sd <- c(1.5, 0.5, 0.2)[[d]]
    half <- 36 * sd
    points <- grid_points(ceiling(3 - half), floor(3 + half), d)
    prior <- prior_normal(rep(axes_base + 3, d), rep(sd, d))
    expect_identical(unname(axes_steps(prior, NULL)), rep(1, d))
    mass <- normal_masses(points, 3, sd)
    for (name in c("ties", "outside", "one")) {
      x <- axes_data[[name]][, seq_len(d), drop = FALSE]
      law <- axes_law(x, points, mass, half_rate(2))
      counts <- axes_counts(3e4, x, prior, 2, points)
      expect_law(counts, law, paste("normal", name, d))
      if (name != "one") expect_not_law(counts, axes_law(x, points, weight = half_rate(2)))
    }
  }
})

test_that("the same test rejects lost levels, a lost 1 - exp(-eps/2), wrong rates and ranks", {
  skip_on_cran()
  points <- grid_points(0, 7, 2)
  prior <- axes_box(8, 2)
  x <- axes_data$atoms[, 1:2]
  counts <- axes_counts(5e4, x, prior, 1, points)
  expect_law(counts, axes_law(x, points, weight = half_rate(1)))
  faults <- list(
    "levels to n / 2" = function(h) exp(pmin(h, floor(5 / 2)) / 2),
    "no 1 - exp(-eps / 2)" = function(h) vapply(h, function(t) 1 + sum(exp(seq_len(t) / 2)), 0),
    "eps for eps / 2" = exp,
    "20% over" = function(h) exp(1.2 * h / 2),
    "eps / 4" = function(h) exp(h / 4)
  )
  for (name in names(faults)) expect_not_law(counts, axes_law(x, points, weight = faults[[name]]), name)
  y <- axes_data$ties[, 1:2]
  own <- axes_counts(1e5, y, prior, 1, points)
  expect_law(own, axes_code_law(y, prior, 1, points), "the code's levels")
  expect_not_law(own, axes_code_law(y, prior, 1, points, rank = 1), "a rank too many")
})

test_that("one variable: both ways to draw follow the law on fine lattices", {
  law_on_line <- function(x, epsilon, breaks, mass) {
    mid <- (utils::head(breaks, -1) + utils::tail(breaks, -1)) / 2
    p <- mass * exp(epsilon * slow_axes(matrix(mid), matrix(x)) / 2)
    p / sum(p)
  }
  cells <- function(v, breaks) tabulate(findInterval(v, breaks, rightmost.closed = TRUE), length(breaks) - 1)
  for (x in list(c(-3, -1, -1, 0.5, 2, 2.2, 7), 0.25, rep(2, 4), c(-100, 3, 1e300))) {
    breaks <- c(-10, sort(unique(x[abs(x) < 10])), 10)
    for (epsilon in c(0.1, 3)) {
      law <- law_on_line(x, epsilon, breaks, diff(breaks))
      axes <- draw_axes(matrix(x), prior_uniform(-10, 10), epsilon, "system", 3e4L)
      expect_law(cells(axes, breaks), law, "along the axes")
      expect_law(cells(draw_medians(1e4, x, epsilon, prior_uniform(-10, 10)), breaks), law, "by ranks")
    }
    wide <- c(-40, breaks[c(-1, -length(breaks))], 40)
    axes <- draw_axes(matrix(x), prior_normal(1, 1), 2, "system", 3e4L)
    expect_law(cells(axes, wide), law_on_line(x, 2, wide, diff(pnorm(wide, 1, 1))), "normal prior")
    middle <- draw_middle(matrix(x), prior_normal(1, 1), 2, "system", 3e4L)
    expect_law(cells(middle, wide), law_on_line(x, 2, wide, diff(pnorm(wide, 1, 1))), "normal, by ranks")
  }
})

test_that("the levels' weights are right over thousands of nats", {
  set.seed(5)
  n <- 3000
  d <- 40
  x <- matrix(round(stats::rnorm(n * d), 2) * 2^-10, n)
  x[, 1] <- 2^-12 # a constant column
  x[1:2500, 2] <- 0 # an atom
  prior <- prior_uniform(rep(-1, d), rep(1, d))
  step <- axes_steps(prior, NULL)[[1]]
  sorted <- apply(x, 2, sort)
  k <- seq_len(n)
  points <- (sorted[n + 1 - k, ] - sorted[k, ]) / step + 1
  held <- apply(points > 0, 1, all)
  for (epsilon in c(1e-3, 1, 20)) {
    rate <- floor(epsilon * 2^40) - 64 - floor(epsilon)
    half <- rate * 2^-41
    log_weight <- c(d * log(2 / step + 1), rowSums(log(points[held, ])) + half * k[held] + log(-expm1(-half)))
    bits <- .Call(ffi_axes_levels, x, prior_fields(prior), epsilon, NULL)
    expect_length(bits, length(log_weight))
    expect_equal(bits, (max(log_weight) - log_weight) / log(2), tolerance = 1e-11)
    expect_gt(max(bits), if (epsilon == 20) 1e4 else 300)
    # an error of the kind that is planted above shows by far
    expect_gt(max(abs(bits - (max(log_weight) - log_weight) / log(2) * (1 + 1e-9))), 1e-8)
  }
})

# -- neighbours -----------------------------------------------------------------------------------------

# All multisets of n of the numbers 1..m, one a row.
all_multisets <- function(m, n) {
  sets <- as.matrix(expand.grid(rep(list(seq_len(m)), n)))
  unname(sets[rowSums(sets[, -1, drop = FALSE] < sets[, -n, drop = FALSE]) == 0, , drop = FALSE])
}

# Laws of all data sets of n rows on a small grid, and the pairs of neighbours.
test_that("all data of few rows on a small grid: depths move by at most one, laws by at most epsilon", {
  skip_on_cran()
  for (case in list(list(d = 1, side = 5, n = 1:4), list(d = 2, side = 3, n = 1:3))) {
    points <- grid_points(0, case$side - 1, case$d)
    prior <- axes_box(case$side, case$d)
    for (n in case$n) {
      sets <- all_multisets(nrow(points), n)
      data <- lapply(seq_len(nrow(sets)), function(i) points[sets[i, ], , drop = FALSE])
      logs <- vapply(data, function(x) log(axes_code_law(x, prior, 2, points)), numeric(nrow(points)))
      depth <- vapply(data, function(x) slow_axes(points, x), numeric(nrow(points)))
      # the code's law is that of the depth
      ideal <- apply(depth, 2, function(h) h - log(sum(exp(h))))
      expect_equal(logs, ideal, tolerance = 1e-9)
      shared <- function(a, b) sum(pmin(tabulate(a, nrow(points)), tabulate(b, nrow(points))))
      worst <- moved <- 0
      for (i in seq_len(ncol(logs))) for (j in seq_len(i - 1)) if (shared(sets[i, ], sets[j, ]) == n - 1) {
        worst <- max(worst, abs(logs[, i] - logs[, j]))
        moved <- max(moved, abs(depth[, i] - depth[, j]))
      }
      expect_lte(worst, 2)
      expect_identical(moved, 1)
    }
  }
})

test_that("the worst neighbours come close to epsilon, and a budget 5% over or a lost factor is caught", {
  points <- matrix(0:4000)
  prior <- axes_box(4001, 1)
  worst <- function(epsilon) {
    max_log_ratio(axes_code_law(matrix(c(0, 1)), prior, epsilon, points),
                  axes_code_law(matrix(c(1, 4000)), prior, epsilon, points))
  }
  for (epsilon in c(0.1, 1, 3)) {
    expect_lte(worst(epsilon), epsilon)
    expect_gt(worst(epsilon), 0.95 * epsilon)
    expect_gt(worst(1.06 * epsilon), epsilon)
    expect_gt(worst(2 * epsilon), epsilon)
  }
})

test_that("draws themselves tell the worst neighbours apart by epsilon, not more", {
  skip_on_cran()
  prior <- axes_box(1000, 3)
  low <- function(x, epsilon) {
    z <- draw_axes(x + axes_base, prior, epsilon, "system", 1e5L) - axes_base
    sum(rowSums(z <= 1) == 3)
  }
  a <- matrix(rep(c(0, 1), 3), 2)
  b <- matrix(rep(c(1, 999), 3), 2)
  lower_epsilon <- function(epsilon) {
    k <- c(low(a, epsilon), low(b, epsilon))
    log(stats::qbeta(ALPHA / 2, k[[1]], 1e5 - k[[1]] + 1)) -
      log(stats::qbeta(ALPHA / 2, k[[2]] + 1, 1e5 - k[[2]], lower.tail = FALSE))
  }
  expect_lte(lower_epsilon(22), 22)
})

# -- extremes -------------------------------------------------------------------------------------------

test_that("few and many rows, tiny and huge budgets and scales, atoms: all return, and where they should", {
  skip_on_cran()
  for (scale in c(1e-300, 1e-290, 1e-100, 1, 1e100, 1e300)) for (epsilon in c(1e-6, 1, 1e6)) {
    x <- outer(c(-1, 0, 0.25, 0.5, 2, 3), c(1, -1)) * scale
    for (prior in list(prior_uniform(rep(-9 * scale, 2), rep(9 * scale, 2)),
                       prior_normal(rep(0, 2), rep(3 * scale, 2)))) {
      z <- draw_axes(x, prior, epsilon, "system", 20L)
      expect_true(all(is.finite(z)))
      if (epsilon == 1e6) {
        tol <- 1e-6 * scale
        expect_true(all(z[, 1] >= 0.25 * scale - tol & z[, 1] <= 0.5 * scale + tol))
        expect_true(all(z[, 2] <= -0.25 * scale + tol & z[, 2] >= -0.5 * scale - tol))
      }
    }
  }
  # a mass on one point is found, however many variables; so is one that is constant
  atom <- rbind(matrix(7, 60, 300), matrix(seq(-40, 40, length.out = 40), 40, 300))
  box <- prior_uniform(rep(-50, 300), rep(50, 300))
  expect_true(all(abs(draw_axes(atom, box, 1000, "system") - 7) < 1e-9))
  same <- matrix(2, 30000, 50)
  expect_true(all(abs(draw_axes(same, prior_normal(rep(0, 50), rep(10, 50)), 1, "system") - 2) < 1e-9))
  many <- draw_axes(matrix(1, 1, 2500), prior_uniform(rep(-1, 2500), rep(3, 2500)), 1, "system")
  expect_identical(dim(many), c(1L, 2500L))
  expect_true(all(many >= -1 & many <= 3))
  # rows on the far side of doubles, and a prior far from all of them
  far <- draw_axes(cbind(c(-1e308, 1e308, 0)), prior_uniform(50, 60), 1, "system", 50L)
  expect_true(all(far >= 50 & far <= 60))
})

test_that("equal axes and unequal ones have their own masses", {
  skip_on_cran()
  # the masses of an axis are kept for the next one of the same prior: here they must not be
  x <- cbind(rep(0, 9), rep(100, 9), rep(0, 9))
  prior <- prior_normal(c(0, 100, 0), c(1, 1e-3, 1))
  z <- draw_axes(x, prior, 1e-6, "system", 1000L)
  for (j in 1:3) expect_cdf((z[, j] - prior$mean[[j]]) / prior$sd[[j]], pnorm, label = paste("axis", j))
})

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

# -- boxes that are given ------------------------------------------------------------------------------

# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

# exp(epsilon k/2) at points held by k levels after the first.
slow_boxes_law <- function(low, high, epsilon, points) {
  depth <- -1
  for (k in seq_len(nrow(low))) {
    if (any(low[k, ] > high[k, ])) break
    depth <- depth + (colSums(t(points) >= low[k, ] & t(points) <= high[k, ]) == ncol(low))
  }
  p <- exp(epsilon * depth / 2)
  p / sum(p)
}

cases <- list(
  line = list(matrix(c(0, 3, 5, 6)), matrix(c(19, 15, 9, 6))),
  "an atom held by many levels" = list(matrix(c(0, 4, 4, 4, 4, 7)), matrix(c(19, 4, 4, 4, 4, 6))),
  "equal boxes" = list(matrix(c(-9, -9, -9)), matrix(c(9, 9, 9))),
  "one level" = list(matrix(2^52 - 5), matrix(2^52)),
  plane = list(cbind(c(0, 1, 3), c(-4, -2, -1)), cbind(c(7, 6, 4), c(3, 1, -1))),
  "an empty level" = list(cbind(c(0, 1, 3), c(0, 1, 3)), cbind(c(5, 4, 4), c(5, 4, 2)))
)

test_that("draws follow the law, and the code's weights are the law's", {
  for (name in names(cases)) {
    low <- cases[[name]][[1]]
    high <- cases[[name]][[2]]
    axes <- lapply(seq_len(ncol(low)), function(j) seq(low[1, j], high[1, j]))
    points <- as.matrix(expand.grid(axes))
    law <- slow_boxes_law(low, high, 1.2, points)
    expect_equal(exp(boxes_log_law(low, high, 1.2, points)), law, tolerance = 1e-9, info = name)
    drawn <- draw_boxes(low, high, 1.2, "system", 20000L)
    key <- function(m) drop(1000^seq_len(ncol(m)) %*% (t(m) - low[1, ]))
    counts <- tabulate(match(key(drawn), key(points)), nrow(points))
    expect_identical(sum(counts), 20000L)
    expect_law(counts, law, name)
    if (stats::sd(law) > 0) expect_not_law(counts, slow_boxes_law(low, high, 2.4, points), name)
  }
})

test_that("ends that are no whole numbers, an empty first level and two shapes are refused", {
  refused <- function(low, high, class = "dpdepth_error_internal") {
    expect_error(draw_boxes(low, high, 1, "system"), "internal|arguments|report")
  }
  refused(0.5, 2)
  refused(3, 2)
  refused(0, 2^60)
  refused(NaN, 1)
  expect_error(draw_boxes(0, matrix(1:2 + 0), 1, "system"), "two shapes")
})

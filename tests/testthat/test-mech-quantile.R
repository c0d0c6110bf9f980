# Quantiles: ranks, trees, budgets, and exact laws of one and several, flat and in a tree.

test_that("ranks are those of stats::quantile(type = 1), also where products are not whole numbers", {
  for (n in c(1, 2, 7, 10, 30, 1000)) {
    p <- c(0.1, 0.25, 0.3, 0.5, 0.7, 0.9)
    ranks <- quantile_ranks(n, p)
    expect_identical(sort(1:n)[ranks$below], unname(as.integer(stats::quantile(1:n, p, type = 1))))
    expect_true(all(ranks$below + ranks$above >= n & ranks$below + ranks$above <= n + 1))
  }
  expect_identical(quantile_ranks(30, 0.1), list(below = 3, above = 27))
  expect_identical(quantile_ranks(100, c(0.07, 0.29)), list(below = c(7, 29), above = c(93, 71)))
  expect_identical(quantile_ranks(7, 0.5), list(below = 4, above = 4))
})

test_that("trees draw each quantile once, between two that were drawn, and levels share epsilon", {
  skip_on_cran()
  for (m in c(2L, 3L, 5L, 19L, 20L, 29L, 99L, 121L, 1000L)) for (epsilon in c(1, 0.01)) {
    levels <- quantile_levels(m, epsilon)
    expect_equal(sum(levels$share), 1)
    expect_true(all(levels$split <= 32))
    nodes <- quantile_tree(m, levels)
    drawn <- c(0L, m + 1L)
    ordered <- vapply(nodes, function(node) {
      known <- node$left %in% drawn && node$right %in% drawn
      drawn <<- c(drawn, node$order)
      known && all(diff(c(node$left, node$order, node$right)) > 0)
    }, NA)
    expect_true(all(ordered))
    expect_identical(sort(drawn), 0:(m + 1L))
    # no two nodes of a level share a row
    ends <- t(vapply(nodes, function(node) c(node$left, node$right, node$level), 1L:3L))
    disjoint <- tapply(seq_len(nrow(ends)), ends[, 3], function(rows) {
      all(ends[rows[-1], 1] >= ends[utils::head(rows, -1), 2])
    })
    expect_true(all(disjoint))
  }
})

test_that("the budget is not passed, by either account", {
  for (share in list(1, c(0.5, 0.5), c(0.2, 0.3, 0.5))) for (epsilon in c(1e-3, 1, 40)) {
    pure <- quantile_budget(epsilon, 0, share)
    expect_true(sum(pure$each) <= epsilon && sum(pure$each) > 0.999 * epsilon)
    expect_identical(pure$delta, 0)
    some <- quantile_budget(epsilon, 0.05, share)
    if (some$delta == 0) expect_lte(sum(some$each), epsilon)
    else expect_lte(sum(some$each^2) / 8, zcdp_rho(epsilon, 0.05))
  }
  expect_identical(quantile_budget(1, 0.3, rep(1, 6) / 6)$delta, 0.3) # many levels: composition gains
})

# -- laws --------------------------------------------------------------------------------------------

# Weights of vectors of intervals 0..n of [0, 1] that rows cut, runs of r points by w^r / r!.
interval_law <- function(x, ranks, rate, ends = c(0, 1)) {
  n <- length(x)
  k <- length(ranks) - 2
  w <- diff(c(ends[[1]], sort(x), ends[[2]]))
  at <- as.matrix(expand.grid(rep(list(0:n), k)))
  at <- at[apply(at, 1, function(v) !is.unsorted(v)), , drop = FALSE]
  v <- rowSums(abs(t(apply(cbind(0, at, n), 1, diff)) - rep(diff(ranks), each = nrow(at))))
  runs <- apply(at, 1, function(v) prod(factorial(tabulate(v + 1L))))
  weight <- exp(-rate * v / 4) * apply(at, 1, function(v) prod(w[v + 1L])) / runs
  list(at = at, p = weight / sum(weight))
}

intervals_seen <- function(z, x, at) {
  seen <- matrix(findInterval(z, sort(x)), nrow(z))
  tabulate(match(do.call(paste, as.data.frame(seen)), do.call(paste, as.data.frame(at))), nrow(at))
}

test_that("several at once have their exact law between rows", {
  flat <- function(m) list(split = m, share = 1)
  for (x in list(c(0.1, 0.2, 0.5, 0.9), c(0.3, 0.31, 0.32, 0.7, 0.96))) for (m in 2:3) {
    p <- seq_len(m) / (m + 1)
    law <- interval_law(x, c(0, round(length(x) * p), length(x)), 2)
    z <- draw_quantiles(matrix(x), p, prior_uniform(0, 1), 2, flat(m), "system", 1e4L)
    expect_law(intervals_seen(z, x, law$at), law$p, m)
    wrong <- interval_law(x, c(0, round(length(x) * p), length(x)), 4)
    expect_not_law(intervals_seen(z, x, law$at), wrong$p, m)
  }
})

test_that("a tree has its exact law: the middle, then a quantile to each side", {
  x <- c(0.1, 0.2, 0.5, 0.55, 0.9)
  levels <- list(split = c(1L, 1L), share = c(0.5, 0.5))
  ranks <- round(5 * c(0.25, 0.5, 0.75))
  first <- interval_law(x, c(0, ranks[[2]], 5), 1.5)
  at <- as.matrix(expand.grid(rep(list(0:5), 3)))
  p <- numeric(nrow(at))
  cuts <- c(0, x, 1)
  for (i in 0:5) for (t in (1:16 - 0.5) / 16) { # where in its interval the middle one lies
    z <- cuts[[i + 1]] + t * (cuts[[i + 2]] - cuts[[i + 1]])
    low <- interval_law(x[x <= z], c(0, ranks[1:2]), 3, c(0, z))
    high <- interval_law(x[x > z], c(ranks[2:3], 5), 3, c(z, 1))
    for (a in seq_along(low$p)) for (b in seq_along(high$p)) {
      row <- 1 + low$at[a, 1] + 6 * i + 36 * (i + high$at[b, 1])
      p[[row]] <- p[[row]] + first$p[first$at[, 1] == i] * low$p[[a]] * high$p[[b]] / 16
    }
  }
  z <- draw_quantiles(matrix(x), 1:3 / 4, prior_uniform(0, 1), c(1.5, 3), levels, "system", 1e4L)
  expect_law(intervals_seen(z, x, at), p / sum(p))
  swapped <- draw_quantiles(matrix(x), 1:3 / 4, prior_uniform(0, 1), c(3, 1.5), levels, "system", 1e4L)
  expect_not_law(intervals_seen(swapped, x, at), p / sum(p))
})

test_that("one quantile has its exact law under a dyadic prior, and on a lattice of whole numbers", {
  x <- c(-3, 0, 0, 1, 6)
  points <- -8:8
  score <- function(p) {
    below <- vapply(points, function(z) sum(x <= z), 0) - ceiling(5 * p)
    above <- vapply(points, function(z) sum(x >= z), 0) - ceiling(5 * (1 - p))
    pmin(below, above)
  }
  for (p in c(0.3, 0.5, 0.9)) {
    law <- exp(3 * score(p) / 2)
    one <- list(split = 1L, share = 1)
    z <- draw_quantiles(matrix(x), p, prior_uniform(-8, 8), 3, one, "system", 1e4L, 1)
    expect_law(tabulate(z + 9, 17), law / sum(law), p)
    shell <- ceiling(log2(abs(points) + 1))
    z <- draw_quantiles(matrix(x), p, prior_dyadic(1), 3, one, "system", 1e4L)
    law <- law * 2^-shell
    inside <- abs(z) <= 7
    expect_law(tabulate(z[inside] + 8, 15), law[2:16] / sum(law[2:16]), p)
  }
})

# -- depth along the axes: exact laws, neighbours, extremes -----------------------------------------------

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

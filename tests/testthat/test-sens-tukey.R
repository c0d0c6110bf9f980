# Smooth sensitivity of the Tukey median: bounds by projections against brute force.

clip_to <- function(v, a, b) pmin(pmax(v, a), b)

test_that("never below the true movement at distances 0 and 1, planar integer data", {
  set.seed(1)
  grid <- as.matrix(expand.grid(0:3, 0:3))
  estimate <- function(x) clip_to(as.vector(median_tukey(x)), c(0.5, 0), c(2.5, 3))
  move <- function(x) {
    here <- estimate(x)
    max(vapply(seq_len(nrow(x)), function(i) {
      max(apply(grid, 1, function(g) sum(abs(estimate(replace_row(x, i, g)) - here))))
    }, 0))
  }
  replace_row <- function(x, i, g) {
    x[i, ] <- g
    x
  }
  for (n in c(2, 4, 5, 6)) {
    x <- grid[sample(16, n, TRUE), , drop = FALSE]
    s <- sens_tukey(x, c(0.5, 0), c(2.5, 3), 0.2)
    expect_gte(s$profile$A[[1]] + 1e-9, move(x))
    near <- replace_row(x, 1, grid[sample(16, 1), ])
    expect_gte(s$profile$A[[min(2, nrow(s$profile))]] + 1e-9, move(near))
  }
})

test_that("nested and beta-smooth over random neighbours, one to four variables", {
  skip_on_cran()
  set.seed(2)
  for (d in 1:4) {
    for (i in 1:25) {
      n <- sample(3:30, 1)
      x <- matrix(if (i %% 2) rnorm(n * d) else sample(0:3, n * d, TRUE), n)
      y <- x
      y[sample(n, 1), ] <- 4 * rnorm(d)
      one <- sens_tukey(x, -2, 3, 0.3)
      two <- sens_tukey(y, -2, 3, 0.3)
      k <- seq_len(min(nrow(one$profile), nrow(two$profile) - 1))
      expect_true(all(one$profile$A[k] <= two$profile$A[k + 1] + 1e-9))
      expect_lte(abs(log(one$value / two$value)), 0.3 + 1e-9)
    }
  }
})

test_that("against the exact diameter of regions: not below, and within a factor of two on normal data", {
  skip_on_cran()
  set.seed(3)
  x <- matrix(rnorm(24), 12)
  corners <- oracle_corners(x)
  depth <- oracle_plane(corners, x, 1e-9)
  bound <- level_diameters(x, list(lower = c(-9, -9), upper = c(9, 9)))
  for (level in seq_len(max(depth))) {
    v <- corners[depth >= level, , drop = FALSE]
    exact <- max(apply(v, 1, function(p) max(abs(v[, 1] - p[[1]]) + abs(v[, 2] - p[[2]]))))
    expect_gte(bound[[level + 1]] + 1e-9, exact)
    if (level <= max(depth) - 1) expect_lte(bound[[level + 1]], 2 * exact)
  }
})

test_that("the published diameter over data points is too small", {
  # a regular pentagon: depth 2 within, and no data point there
  angle <- 2 * pi * (0:4) / 5
  x <- cbind(cos(angle), sin(angle))
  expect_equal(unname(depth_halfspace(x, x) * 5), rep(1, 5))
  expect_gt(level_diameters(x, list(lower = c(-9, -9), upper = c(9, 9)))[[3]], 0.5)
  # normal data: far below the width of the region, which reaches beyond the data points
  set.seed(4)
  x <- matrix(rnorm(200), 100)
  at <- x[round(depth_halfspace(x, x) * 100) >= 42, , drop = FALSE]
  over_points <- if (nrow(at) > 1) max(stats::dist(at, "manhattan")) else 0
  region <- depth_halfspace(as.matrix(expand.grid(seq(-1, 1, 0.02), seq(-1, 1, 0.02))), x)
  fine <- as.matrix(expand.grid(seq(-1, 1, 0.02), seq(-1, 1, 0.02)))
  inside <- fine[round(region * 100) >= 42, , drop = FALSE]
  if (nrow(inside) > 1) expect_gt(max(stats::dist(inside, "manhattan")), over_points)
})

test_that("one variable: at least sens_median(); units, many variables, refusals", {
  x <- faithful$waiting
  expect_gte(sens_tukey(x, 0, 180, 0.05)$value, sens_median(x, 0, 180, 0.05)$value)
  set.seed(5)
  y <- matrix(rnorm(400), 20)
  expect_s3_class(sens_tukey(y, -1, 1, 0.1), "nonprivate")
  expect_error(sens_tukey(y, -1, 1, 0.1, "exact"), class = "dpdepth_error_input")
  expect_identical(sens_tukey(y, -1, 1, 0.1)$method, "directional")
  expect_gte(sens_tukey(x, 0, 180, 0.05, "exact")$value, sens_median(x, 0, 180, 0.05)$value)
  expect_error(sens_tukey(y, 1, 1, 0.1), class = "dpdepth_error_input")
})

test_that("a region that rounding loses is bounded by projections, not by -Inf", {
  skip_on_cran()
  set.seed(30)
  for (i in 1:60) {
    x <- matrix(sample(c(0, 0.7313731, .Machine$integer.max, 1e15, -1e15), 18, TRUE), 9)
    # (a sweep that loses its order says so in a classed error)
    s <- tryCatch(sens_tukey(x, -10, 2, 1)$value, dpdepth_error_limit = function(e) 0,
                  warning = function(w) NA)
    expect_true(is.finite(s) && s >= 0)
  }
})

# -- one variable ----------------------------------------------------------------------------------

# The sorted integer data sets of n values 0..top, one a row.
all_sets <- function(n, top) {
  sets <- unique(t(apply(as.matrix(expand.grid(rep(list(0:top), n))), 1, sort)))
  if (n == 1) matrix(0:top) else unname(sets)
}

# Rows that must be replaced to turn one multiset into another.
replaced <- function(a, b) length(a) - sum(pmin(tabulate(a + 1, 20), tabulate(b + 1, 20)))

test_that("one variable: A(k) is the largest local sensitivity at distance k, S their discounted maximum", {
  skip_on_cran()
  for (n in 1:audit_size(4, 5)) {
    sets <- all_sets(n, 4)
    p <- (n + 1) %/% 2
    for (bounds in list(c(0, 4), c(1, 3))) {
      median <- pmin(pmax(sets[, p], bounds[[1]]), bounds[[2]])
      distance <- apply(sets, 1, function(a) apply(sets, 1, replaced, b = a))
      distance <- matrix(distance, nrow(sets))
      local <- vapply(seq_len(nrow(sets)), function(i) max(abs(median[distance[i, ] <= 1] - median[[i]])), 0)
      right <- logical(nrow(sets))
      for (i in seq_len(nrow(sets))) {
        s <- sens_median(sets[i, ], bounds[[1]], bounds[[2]], 0.1)
        at <- vapply(s$profile$k, function(k) max(local[distance[i, ] <= k]), 0)
        all_k <- vapply(0:n, function(k) max(local[distance[i, ] <= k]), 0)
        right[[i]] <- identical(s$profile$A, at) && abs(s$value - max(exp(-0.1 * (0:n)) * all_k)) < 1e-8
      }
      expect_true(all(right))
    }
  }
})

# All windows, slowly.
slow_sens_median <- function(x, a, b, beta) {
  n <- length(x)
  p <- (n + 1) %/% 2
  c <- c(a, pmin(pmax(sort(x), a), b), b)
  discount <- exp(-beta * (0:n))
  best <- function(i) {
    j <- max(p, i) + seq_len(n + 2 - max(p, i))
    max(discount[j - i] * (c[j] - c[[i]]))
  }
  max(vapply(seq_len(p + 1), best, 0))
}

test_that("one variable: equal to all windows, also by divide and conquer", {
  skip_on_cran()
  set.seed(1)
  for (n in c(1, 2, 7, 60, 400)) {
    for (beta in c(1e-6, 1e-3, 0.05, 1, 30)) {
      x <- round(rnorm(n), 1)
      expect_equal(sens_median(x, -3, 5, beta)$value, slow_sens_median(x, -3, 5, beta), tolerance = 1e-12)
      expect_equal(sens_median(x * 0 + 9, -3, 5, beta)$value, slow_sens_median(x * 0 + 9, -3, 5, beta))
    }
  }
  # beyond 2000: ties in the middle, then a long way out
  for (x in list(c(rnorm(700), numeric(4300)), rcauchy(4501), c(numeric(2300), rep(1, 2300)))) {
    for (beta in c(1e-5, 1e-4, 1e-3)) {
      expect_equal(sens_median(x, -50, 80, beta)$value, slow_sens_median(x, -50, 80, beta), tolerance = 1e-9)
    }
  }
})

test_that("one variable: nested and beta-smooth over random neighbours", {
  skip_on_cran()
  set.seed(2)
  for (i in seq_len(audit_size(80, 200))) {
    n <- sample(1:12, 1)
    x <- sample(0:9, n, TRUE)
    y <- replace(x, sample(n, 1), sample(c(-20, 0:9, 20), 1))
    s <- sens_median(x, 1, 8, 1e-3)
    r <- sens_median(y, 1, 8, 1e-3)
    k <- seq_len(min(nrow(s$profile), nrow(r$profile) - 1))
    expect_true(all(s$profile$A[k] <= r$profile$A[k + 1]))
    for (beta in c(0.01, 0.3, 2)) {
      ratio <- sens_median(x, 1, 8, beta)$value / sens_median(y, 1, 8, beta)$value
      expect_lte(abs(log(ratio)), beta + 1e-12)
    }
  }
})

test_that("the result is marked, prints and draws", {
  s <- sens_median(faithful$waiting, 0, 180, 0.05)
  expect_marked(s)
  expect_named(s$profile, c("k", "level", "A"))
  expect_error(plot(dpdepth:::new_nonprivate(1)), class = "dpdepth_error_input")
})

test_that("bad arguments", {
  expect_error(sens_median(iris, 0, 1, 0.1), class = "dpdepth_error_input")
  expect_error(sens_median(1:3, 1, 0, 0.1), class = "dpdepth_error_input")
  for (bad in list(0, -1, NA, Inf, "1")) {
    expect_error(sens_median(1:3, 0, 1, bad), class = "dpdepth_error_input")
  }
})

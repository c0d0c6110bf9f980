# Integrated rank-weighted and integrated dual depth, smoothed or not.

queries <- function(x) rbind(x, colMeans(x), x[1, ] + 0.25, x[1, ] - 100)

test_that("rank depths are those of the definition, ties included", {
  for (x in awkward_data()) {
    u <- directions(ncol(x), if (ncol(x) == 1) 1 else 25)
    q <- queries(x)
    expect_equal(depth_irw(q, x, u), twin_irw(q, x, u), tolerance = 1e-14)
    expect_equal(depth_idd(q, x, directions = u), twin_idd(q, x, u), tolerance = 1e-14)
    expect_equal(depth_irw(x, x, u), twin_irw(x, x, u), tolerance = 1e-14)
    expect_equal(depth_idd(x, x, directions = u), twin_idd(x, x, u), tolerance = 1e-14)
  }
})

test_that("ties: the largest rank-weighted depth, and the dual depth's two sides", {
  for (x in awkward_data()) {
    u <- directions(ncol(x), if (ncol(x) == 1) 1 else 25)
    q <- queries(x)
    tied <- twin_directional(q, x, u, function(y, t) mean(y == t))
    expect_true(all(depth_irw(q, x, u) <= 1 + tied + 1e-12))
    # with each direction and its opposite, mirrored data have the same dual depth; without, within 1/n of it
    both <- rbind(u, -u)
    expect_equal(depth_idd(-q, -x, Inf, both), depth_idd(q, x, Inf, both), tolerance = 1e-14)
    expect_true(all(abs(depth_idd(-q, -x, Inf, u) - depth_idd(q, x, Inf, u)) <= tied + 1e-12))
    expect_identical(depth_irw(-q, -x, u), depth_irw(q, x, u))
  }
  expect_identical(depth_irw(c(2, 2.5), 1:3), c(4, 2) / 3)
  expect_identical(depth_irw(matrix(1, 1, 2), matrix(1, 5, 2)), 2)
  expect_identical(depth_idd(1:4, 1:4), c(3, 4, 3, 0) / 16)
})

test_that("smoothed depths are within 1e-8 of the definition, for any slope", {
  skip_on_cran()
  for (x in c(awkward_data(), list(tails = matrix(rcauchy_public(600), 300)))) {
    u <- directions(ncol(x), if (ncol(x) == 1) 1 else 12)
    q <- queries(x)
    for (s in c(1e-6, 0.3, 10, 1e4, 1e9)) {
      expect_lt(max(abs(depth_idd(q, x, s, u) - twin_idd(q, x, u, s))), 1e-8)
      expect_lt(max(abs(depth_idd(x, x, s, u) - twin_idd(x, x, u, s))), 1e-8)
    }
  }
})

test_that("counts and sums of their products are whole numbers, not in single precision", {
  n <- 6000
  x <- matrix(seq_len(n))
  expect_identical(depth_idd(x[2900:2905, , drop = FALSE], x), (2900:2905) * (n - 2900:2905) / n^2)
  expect_identical(depth_irw(x, x), 2 * pmin(seq_len(n), n + 1 - seq_len(n)) / n)
})

test_that("rank depths do not depend on the unit, and turn with the data", {
  x <- as.matrix(iris[1:4])
  u <- directions(4, 60)
  q <- x[c(1, 51, 101), ] + 0.01
  for (unit in c(2^-30, 2^900, 2^-900)) {
    expect_identical(depth_irw(unit * q, unit * x, u), depth_irw(q, x, u))
    expect_identical(depth_idd(unit * q, unit * x, Inf, u), depth_idd(q, x, Inf, u))
  }
  irregular <- matrix(rcauchy_public(400), 100)
  expect_equal(depth_irw(1e-9 * irregular, 1e-9 * irregular, u), depth_irw(irregular, irregular, u))
  expect_equal(depth_idd(1e-9 * q, 1e-9 * x, 10e9, u), depth_idd(q, x, 10, u), tolerance = 1e-7)
  turn <- qr.Q(qr(matrix(sin(1:16), 4)))
  expect_equal(depth_idd(q %*% turn, x %*% turn, 3, u %*% turn), depth_idd(q, x, 3, u), tolerance = 1e-7)
  turned <- irregular %*% turn
  expect_equal(depth_irw(turned, turned, u %*% turn), depth_irw(irregular, irregular, u))
  expect_equal(depth_idd(q + 1e3, x + 1e3, 3, u), depth_idd(q, x, 3, u), tolerance = 1e-7)
})

test_that("the same bits for one thread and two, and R's generator is left alone", {
  skip_on_cran()
  x <- matrix(rcauchy_public(3000), 1000)
  expect_same_bits(function() {
    list(depth_irw(x, x, 90), depth_idd(x, x, Inf, 90), depth_idd(x, x, 10, 90),
         depth_idd(x[1:3, ], x, 10, 90), median_idd(x, 10, 90), median_irw(x, 90))
  })
})

# The largest change of a depth when one row is replaced, over all data of n rows with coordinates
# in `values` (up to order) in one variable, as a share of the bound.
worst_ratio <- function(depth, n, values, points, bound) {
  sets <- as.matrix(expand.grid(rep(list(values), n)))
  sets <- sets[apply(sets, 1, function(r) !is.unsorted(r)), , drop = FALSE]
  worst <- 0
  for (i in seq_len(nrow(sets))) {
    before <- depth(points, matrix(sets[i, ]))
    for (v in values) {
      after <- depth(points, matrix(c(v, sets[i, -1])))
      worst <- max(worst, abs(after - before))
    }
  }
  worst / bound
}

test_that("replacing a row changes a depth by no more than its sensitivity", {
  skip_on_cran()
  points <- matrix(c(0, 0.5, 1, 2, 2.5))
  for (n in c(2, 3, 5)) {
    irw <- worst_ratio(function(q, x) depth_irw(q, x), n, 0:2, points, 2 / n)
    idd <- worst_ratio(function(q, x) depth_idd(q, x), n, 0:2, points, 1 / n)
    smoothed <- worst_ratio(function(q, x) depth_idd(q, x, 3), n, 0:2, points, 1 / n)
    expect_lte(irw, 1 + 1e-12)
    expect_lte(idd, 1 + 1e-12)
    expect_lte(smoothed, 1 + 1e-7)
    # reached: the rank-weighted bound by a step across the median, the dual one nearly at the ends
    expect_equal(irw, 1)
    expect_gte(idd, 1 - 1 / n - 1e-12)
    expect_gte(smoothed, 0.5 * (1 - 1 / n))
  }
  u <- directions(2, 7)
  x <- matrix(rcauchy_public(16), 8)
  for (k in 1:40) {
    y <- x
    y[1 + k %% 8, ] <- rcauchy_public(80)[c(k, 81 - k)]
    expect_lte(max(abs(depth_irw(x, x, u) - depth_irw(x, y, u))), 2 / 8 + 1e-12)
    expect_lte(max(abs(depth_idd(x, x, Inf, u) - depth_idd(x, y, Inf, u))), 1 / 8 + 1e-12)
    expect_lte(max(abs(depth_idd(x, x, 2, u) - depth_idd(x, y, 2, u))), 1 / 8 + 1e-7)
  }
})

test_that("the smoothed median is where the smoothed depth is largest", {
  x <- as.matrix(scale(swiss))
  u <- directions(6, 100)
  m <- median_idd(x, 10, u)
  expect_named(m, names(swiss))
  expect_equal(attr(m, "depth"), depth_idd(c(m), x, 10, u), tolerance = 1e-7)
  for (k in 1:6) {
    for (step in c(-1e-3, 1e-3)) {
      off <- replace(m, k, m[[k]] + step)
      expect_lte(depth_idd(off, x, 10, u), attr(m, "depth") + 1e-8)
    }
  }
  # equivariance: units, shifts and rotations
  expect_equal(c(median_idd(1e-9 * x, 10e9, u)), 1e-9 * c(m), tolerance = 1e-5)
  for (unit in c(2^-900, 2^980)) {
    expect_equal(c(median_idd(unit * x, 10 / unit, u)) / unit, c(m), tolerance = 1e-5)
    expect_equal(c(median_irw(unit * x, u)), unit * c(median_irw(x, u)))
    expect_equal(c(median_projection(unit * x, directions = u)),
                 unit * c(median_projection(x, directions = u)))
  }
  expect_equal(c(median_idd(x + 5, 10, u)), c(m) + 5, tolerance = 1e-5)
  turn <- qr.Q(qr(matrix(sin(1:36), 6)))
  expect_equal(c(median_idd(x %*% turn, 10, u %*% turn)), drop(unname(c(m)) %*% turn), tolerance = 1e-4)
})

test_that("medians of step functions attain the depth they state, and no row is deeper", {
  skip_on_cran()
  for (x in awkward_data()) {
    u <- directions(ncol(x), if (ncol(x) == 1) 1 else 25)
    for (kind in c("irw", "idd")) {
      depth <- if (kind == "irw") function(q) depth_irw(q, x, u) else function(q) depth_idd(q, x, Inf, u)
      m <- if (kind == "irw") median_irw(x, u) else median_idd(x, Inf, u)
      expect_equal(depth(matrix(c(m), 1)), attr(m, "depth"), tolerance = 1e-14)
      expect_gte(attr(m, "depth"), max(depth(x)) - 1e-14)
    }
  }
  # one variable: exact, by trying every row and every gap
  x <- matrix(c(1, 1, 2, 4, 8, 8, 8, 9))
  tried <- matrix(c(x, x + 0.1))
  expect_equal(attr(median_irw(x), "depth"), max(depth_irw(tried, x)))
  expect_equal(attr(median_idd(x, Inf), "depth"), max(depth_idd(tried, x)))
  # and at least as good as a general optimiser from several starts
  x <- as.matrix(faithful)
  u <- directions(2, 40)
  for (k in 1:3) {
    best <- optim(x[k * 50, ], function(q) -depth_irw(q, x, u), control = list(parscale = c(1, 10)))
    expect_gte(attr(median_irw(x, u), "depth"), -best$value - 1e-12)
  }
})

test_that("a median of several maximisers is one of them, not their mean", {
  # the four corners are equally deep, their centre is not deeper: what is returned attains the maximum
  x <- rbind(c(0, 0), c(0, 1), c(1, 0), c(1, 1), c(0, 0), c(1, 1))
  u <- directions(2, 2)
  m <- median_irw(x, u)
  expect_equal(attr(m, "depth"), max(depth_irw(as.matrix(expand.grid(0:10 / 10, 0:10 / 10)), x, u)))
})

test_that("bad arguments are refused by name", {
  x <- matrix(1:6, 3)
  expect_error(depth_irw(x, "a"), "`data`", class = "dpdepth_error_input")
  expect_error(depth_irw(1:3, x), "`x`", class = "dpdepth_error_input")
  expect_error(depth_idd(x, x, 0), "`smooth`", class = "dpdepth_error_input")
  expect_error(depth_idd(x, x, c(1, 2)), "`smooth`", class = "dpdepth_error_input")
  expect_error(depth_idd(x, x, NA), "`smooth`", class = "dpdepth_error_input")
  expect_error(depth_idd(x, x, directions = 0), "`directions`", class = "dpdepth_error_input")
  expect_error(median_irw(matrix(NA_real_, 2, 2)), "`data`", class = "dpdepth_error_input")
  expect_identical(depth_irw(x[0, ], x), numeric())
})

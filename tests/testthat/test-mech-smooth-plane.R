# The planar Tukey median in whole numbers: levels, extents and smooth bounds against enumeration.

# -- regions ------------------------------------------------------------------------------------

plane_w <- rbind(c(1, 0), c(-1, 0), c(0, 1), c(0, -1), c(1, 1), c(-1, -1), c(1, -1), c(-1, 1))

# Corners of all regions with their depths, by definition.
corner_depths <- function(z) {
  v <- oracle_corners(z)
  list(v = v, depth = oracle_plane(v, z, 1e-9))
}

test_that("which regions are empty, and how far the others reach, against all corners", {
  skip_on_cran()
  set.seed(1)
  for (i in 1:60) {
    kind <- data_kinds[[i %% length(data_kinds) + 1]]
    z <- degenerate_data(sample(1:9, 1), 2, kind) * sample(c(1, 7), 1)
    n <- nrow(z)
    corners <- corner_depths(z)
    got <- plane_regions(z, "exact")(seq_len(n), as.integer(max(corners$depth)))
    expect_identical(got$found, seq_len(n) <= max(corners$depth))
    for (level in seq_len(max(corners$depth))) {
      reach <- apply(corners$v[corners$depth >= level, , drop = FALSE] %*% t(plane_w), 2, max)
      expect_identical(got$reach[, level], ceiling(reach - 1e-9))
    }
    # the centre lies in the deepest region, and is its centroid
    expect_gte(oracle_plane(t(got$centre), z, 1e-3), max(corners$depth))
    expect_lt(max(abs(got$centre - oracle_tukey_plane(z)$point)), 0.1)
  }
})

test_that("directional regions against their corners", {
  skip_on_cran()
  set.seed(2)
  u <- plane_sides()
  expect_identical(nrow(u), 24L)
  expect_identical(u[1:2, ], diag(2))
  for (i in 1:20) {
    z <- degenerate_data(sample(1:7, 1), 2, data_kinds[[i %% 5 + 1]])
    n <- nrow(z)
    regions <- plane_regions(z, "directional")
    got <- regions(seq_len(n))
    for (level in seq_len(n)) {
      t <- apply(z %*% t(u), 2, sort)
      t <- matrix(t, n)
      half <- rbind(cbind(u, t[n + 1 - level, ]), cbind(-u, -t[level, ]))
      pairs <- utils::combn(nrow(half), 2)
      a <- half[pairs[1, ], ]
      b <- half[pairs[2, ], ]
      det <- a[, 1] * b[, 2] - a[, 2] * b[, 1]
      v <- cbind(a[, 3] * b[, 2] - b[, 3] * a[, 2], a[, 1] * b[, 3] - b[, 1] * a[, 3]) / det
      v <- v[det != 0, ]
      inside <- apply(v %*% t(half[, 1:2]), 1, function(at) all(at <= half[, 3] + 1e-9))
      expect_identical(got$found[[level]], any(inside))
      if (!any(inside)) next
      reach <- apply(v[inside, , drop = FALSE] %*% t(plane_w), 2, max)
      expect_identical(got$reach[, level], ceiling(reach - 1e-9))
    }
    expect_identical(plane_deepest(regions, 0L, n), sum(got$found))
  }
})

test_that("large and nearly collinear numbers: the regions of floating point, outward", {
  skip_on_cran()
  set.seed(3)
  for (i in 1:12) {
    n <- sample(5:60, 1)
    z <- matrix(round(runif(2 * n, -2^29, 2^29)), n)
    if (i %% 3 == 0) z[, 2] <- z[, 1] + sample(-1:1, n, TRUE)
    if (i %% 3 == 1) z <- round(matrix(rnorm(2 * n), n) * 2^20)
    z <- pmin(pmax(z, -2^29), 2^29)
    level <- seq_len(max(1, floor(n / 3)))
    got <- plane_regions(z, "exact")(level)
    expect_true(all(got$found))
    region <- depth_region(z, level / n)
    for (l in level) {
      v <- region$vertices[[l]] %*% t(plane_w)
      expect_lt(max(abs(got$reach[, l] - apply(v, 2, max))), if (i %% 3 == 0) 2^12 else 1.01)
    }
    expect_true(all(diff(t(got$reach)) <= 0))
  }
})

test_that("the largest level does not depend on the guess; any number of threads gives the same", {
  set.seed(4)
  for (n in c(1L, 2L, 7L, 40L, 150L)) {
    z <- matrix(round(runif(2 * n, -50, 50)), n)
    for (method in c("exact", "directional")) {
      regions <- plane_regions(z, method)
      right <- plane_reach(regions, n, plane_guess(z, method), n)
      for (guess in c(0L, 1L, n, n %/% 2L, right$level + 1L)) {
        expect_identical(plane_reach(regions, n, guess, n), right)
      }
    }
  }
  before <- dpdepth_threads(1)
  on.exit(dpdepth_threads(before))
  one <- plane_reach(plane_regions(z, "exact"), n, 0L, 30)
  dpdepth_threads(3)
  expect_identical(plane_reach(plane_regions(z, "exact"), n, 0L, 30), one)
})

# -- smooth bounds, by enumeration --------------------------------------------------------------

box <- list(step = c(1, 1), origin = c(0, 0), lower = c(400, 0), upper = c(1700, 2000))

# Estimate and A^(0), A^(1), ... of a data set, as smooth_law() has them.
nested_bounds <- function(z, method) {
  n <- nrow(z)
  if (method == "marginal") {
    a <- rowSums(vapply(1:2, function(j) {
      median_windows(z[, j], box$lower[[j]], box$upper[[j]], n + 1)
    }, numeric(n + 1)))
    point <- median_columns(z)
  } else {
    found <- plane_reach(plane_regions(z, method), n, plane_guess(z, method), n)
    a <- plane_diameter(found$reach, box$lower, box$upper, near = found$near)
    a <- with_windows(a, directional_sides(z), found$level, box)
    point <- found$centre
  }
  list(a = a, point = pmin(pmax(round(point), box$lower), box$upper))
}

# All multisets of n points of a small grid; the neighbours of each, as row numbers.
all_data <- function(n, grid) {
  index <- as.matrix(expand.grid(rep(list(seq_len(nrow(grid))), n)))
  index <- unique(t(apply(index, 1, sort)))
  if (n == 1) index <- matrix(seq_len(nrow(grid)))
  key <- apply(index, 1, paste, collapse = " ")
  near <- lapply(seq_len(nrow(index)), function(r) {
    other <- unlist(lapply(seq_len(n), function(i) {
      vapply(seq_len(nrow(grid)), function(g) paste(sort(replace(index[r, ], i, g)), collapse = " "), "")
    }))
    unique(match(other, key))
  })
  list(data = lapply(seq_len(nrow(index)), function(r) grid[index[r, ], , drop = FALSE]), near = near)
}

# How often a nested bound is broken: below the local sensitivity at distance 0, 1, 2, or not nested.
count_violations <- function(all, laws) {
  point <- t(vapply(laws, `[[`, numeric(2), "point"))
  a <- lapply(laws, `[[`, "a")
  local <- vapply(seq_along(a), function(r) {
    max(abs(point[all$near[[r]], 1] - point[r, 1]) + abs(point[all$near[[r]], 2] - point[r, 2]))
  }, 0)
  below <- 0
  for (k in 1:3) {
    below <- below + sum(vapply(a, `[[`, 0, min(k, length(a[[1]]))) < local)
    local <- vapply(all$near, function(s) max(local[s]), 0)
  }
  k <- seq_len(length(a[[1]]) - 1)
  nested <- sum(vapply(seq_along(a), function(r) {
    sum(vapply(all$near[[r]], function(s) any(a[[r]][k] > a[[s]][k + 1]), NA))
  }, 0))
  c(below = below, nested = nested)
}

# irregular on purpose, so that regions of all shapes come about
small_grid <- cbind(c(0, 0, 1000, 2000, 1900, 700, 300, 1300), c(0, 2000, 1100, 100, 1900, 600, 1500, 1700))

test_that("never below the true local sensitivity at distances 0, 1, 2, and nested: all data sets", {
  skip_on_cran()
  for (n in 1:4) {
    all <- all_data(n, small_grid)
    for (method in c("exact", "directional", "marginal")) {
      laws <- lapply(all$data, nested_bounds, method)
      expect_identical(count_violations(all, laws), c(below = 0, nested = 0))
    }
  }
})

# A^(k) over the data points of depth at least the level, clipped, k = 0, ..., n.
data_point_bounds <- function(z, n) {
  depth <- round(nrow(z) * depth_halfspace(z, z))
  m <- round(nrow(z) * attr(median_tukey(z), "depth"))
  vapply(tukey_level(m, nrow(z), 2, seq_len(n + 1)), function(level) {
    if (level < 1) return(sum(box$upper - box$lower))
    v <- z[depth >= level, , drop = FALSE]
    for (j in 1:2) v[, j] <- pmin(pmax(v[, j], box$lower[[j]]), box$upper[[j]])
    if (nrow(v) < 2) 0 else max(stats::dist(v, "manhattan"))
  }, 0)
}

test_that("broken bounds are found out by the same count", {
  skip_on_cran()
  all <- all_data(4, small_grid)
  laws <- lapply(all$data, nested_bounds, "exact")
  # one replacement too few
  late <- lapply(laws, function(l) list(point = l$point, a = c(0, utils::head(l$a, -1))))
  expect_gt(count_violations(all, late)[["below"]], 0)
  # the published diameter over data points
  published <- lapply(seq_along(laws), function(r) {
    list(point = laws[[r]]$point, a = data_point_bounds(all$data[[r]], 4))
  })
  expect_gt(count_violations(all, published)[["below"]], 0)
  # a bound a tenth too small
  narrow <- lapply(laws, function(l) list(point = l$point, a = 0.9 * l$a))
  expect_gt(sum(count_violations(all, narrow)), 0)
})

# The most that the estimate moves when one row goes to one of the places.
largest_move <- function(z, places) {
  here <- nested_bounds(z, "exact")$point
  max(vapply(seq_len(nrow(z)), function(i) {
    max(apply(places, 1, function(p) {
      z[i, ] <- p
      sum(abs(nested_bounds(z, "exact")$point - here))
    }))
  }, 0))
}

test_that("the published diameter over data points is broken by a pentagon and by normal data", {
  angle <- 2 * pi * (0:4) / 5
  pentagon <- round(1000 + 900 * cbind(cos(angle), sin(angle)))
  far <- cbind(c(0, 2000, 0, 2000), c(0, 0, 2000, 2000))
  move <- largest_move(pentagon, far)
  expect_lte(move, nested_bounds(pentagon, "exact")$a[[1]])
  # no data point has depth 2, but a region of some width has
  expect_identical(round(5 * depth_halfspace(pentagon, pentagon)), rep(1, 5))
  reach <- plane_regions(pentagon, "exact")(2L)$reach
  expect_gt(plane_diameter(reach, box$lower, box$upper), 400)
  set.seed(5)
  z <- round(1000 + 150 * matrix(rnorm(200), 100))
  move <- largest_move(z[1:100, ], far[c(1, 4), ])
  expect_lte(move, nested_bounds(z, "exact")$a[[1]])
  expect_gt(move, data_point_bounds(z, 0))
})

test_that("nested, smooth, and levels that move by at most one, over random neighbours", {
  skip_on_cran()
  set.seed(6)
  for (i in 1:60) {
    n <- sample(3:40, 1)
    z <- round(if (i %% 2) matrix(rnorm(2 * n, 1000, 300), n) else matrix(sample(0:4, 2 * n, TRUE) * 500, n))
    y <- z
    y[sample(n, 1), ] <- sample(c(-3000, 0, 900, 1700, 9000), 2)
    for (method in c("exact", "directional", "marginal")) {
      one <- nested_bounds(z, method)$a
      two <- nested_bounds(y, method)$a
      k <- seq_len(n)
      expect_true(all(one[k] <= two[k + 1]) && all(two[k] <= one[k + 1]))
      weight <- exp(-0.3 * (0:n))
      expect_lte(abs(log(max(weight * one) / max(weight * two))), 0.3 + 1e-12)
    }
    level <- function(z) plane_reach(plane_regions(z, "exact"), n, plane_guess(z, "exact"), 0)$level
    expect_lte(abs(level(z) - level(y)), 1)
  }
})

# -- windows ------------------------------------------------------------------------------------

test_that("windows of order statistics bound how far two deepest points are apart, by enumeration", {
  skip_on_cran()
  grid <- small_grid[1:6, ]
  all <- all_data(5, grid)
  deepest <- lapply(all$data, function(z) plane_reach(plane_regions(z, "exact"), 5L, 2L, 0))
  sides <- lapply(all$data, directional_sides)
  # the width along each side of the union of two neighbours' deepest regions, whose ends are rounded outward
  apart <- function(r, s) {
    a <- deepest[[r]]$near[, 1]
    b <- deepest[[s]]$near[, 1]
    pmax(a[c(1, 3, 5, 7)] + b[c(2, 4, 6, 8)], b[c(1, 3, 5, 7)] + a[c(2, 4, 6, 8)]) - 2
  }
  first <- t(vapply(seq_along(all$data), function(r) {
    apply(vapply(all$near[[r]], function(s) apart(r, s), numeric(4)), 1, max)
  }, numeric(4)))
  broken <- function(more) {
    windows <- lapply(seq_along(sides), function(r) {
      side_windows(sides[[r]], deepest[[r]]$level + more, 3L, c(-1e5, -1e5), c(1e5, 1e5))
    })
    most <- first
    total <- 0
    for (k in 1:3) {
      total <- total + sum(vapply(seq_along(windows), function(r) any(most[r, ] > windows[[r]][k, ]), NA))
      most <- t(vapply(all$near, function(s) apply(most[s, , drop = FALSE], 2, max), numeric(4)))
    }
    total
  }
  expect_identical(broken(0L), 0)
  # windows of a rank less to each side are too narrow
  expect_gt(broken(1L), 0)
})

test_that("the lazy maximum is the maximum", {
  set.seed(7)
  for (i in 1:50) {
    a <- sort(runif(20))
    tight <- a * runif(20)
    weight <- exp(-0.1 * (0:19))
    expect_identical(lazy_maximum(weight, a, 0.01, function(i) tight[[i]]), max(0.01, weight * tight))
  }
})

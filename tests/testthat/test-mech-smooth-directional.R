# Depth along axes and diagonals in whole numbers, against all half-integer points.

directional_directions <- function(d) {
  side <- directional_sides(matrix(0, 1, d))$side
  t(vapply(seq_along(side$i), function(s) {
    u <- numeric(d)
    u[side$i[[s]]] <- 1
    if (side$j[[s]] > 0) u[side$j[[s]]] <- side$sign[[s]]
    u
  }, numeric(d)))
}

# Regions are polytopes whose vertices are half-integers, so all of these are all that matter.
half_points <- function(d, top) unname(as.matrix(expand.grid(rep(list(seq(0, top, 0.5)), d))))

test_that("the deepest level and the regions' diameters, against all half-integer points", {
  skip_on_cran()
  set.seed(1)
  for (d in 2:3) {
    points <- half_points(d, 3)
    u <- directional_directions(d)
    for (i in 1:25) {
      z <- matrix(sample(0:3, d * sample(1:9, 1), TRUE), ncol = d)
      depth <- oracle_directional(points, z, u)
      o <- directional_sides(z)
      best <- directional_deepest(o)
      expect_identical(as.integer(best$level), as.integer(max(depth)))
      expect_gte(oracle_directional(t(best$point), z, u), best$level)
      for (level in seq_len(best$level)) {
        v <- points[depth >= level, , drop = FALSE]
        exact <- max(stats::dist(v, "manhattan"), 0)
        bound <- directional_diameter(o, level, rep(-99, d), rep(99, d))
        expect_gte(bound, exact)
        expect_lte(bound, d * exact + 3 * d)
      }
    }
  }
})

test_that("largest depth moves by at most one, diameters are nested", {
  skip_on_cran()
  set.seed(2)
  for (d in 2:5) {
    for (i in 1:20) {
      n <- sample(2:25, 1)
      z <- matrix(sample(0:9, n * d, TRUE), n)
      y <- z
      y[sample(n, 1), ] <- sample(-20:20, d)
      a <- directional_sides(z)
      b <- directional_sides(y)
      expect_lte(abs(directional_deepest(a)$level - directional_deepest(b)$level), 1)
      wide <- directional_diameter(b, 0:(n - 1), rep(0, d), rep(9, d))
      expect_true(all(directional_diameter(a, 1:n, rep(0, d), rep(9, d)) <= wide))
    }
  }
})

# -- in the plane ----------------------------------------------------------------------------------

plane_w <- rbind(c(1, 0), c(-1, 0), c(0, 1), c(0, -1), c(1, 1), c(-1, -1), c(1, -1), c(-1, 1))

# Corners of all regions with their depths, by definition.
corner_depths <- function(z) {
  v <- oracle_corners(z)
  list(v = v, depth = oracle_plane(v, z, 1e-9))
}

test_that("which regions are empty, and how far the others reach, against all corners", {
  skip_on_cran()
  set.seed(1)
  for (i in seq_len(audit_size(25, 60))) {
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

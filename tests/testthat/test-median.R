# The Tukey median against slow twins and by hand.

depth_of <- function(m) attr(m, "depth")
exactly <- function(point, depth) structure(point, depth = depth, depth_kind = "exact", gap = 0)
point_of <- function(m) as.vector(m)

test_that("one variable: one order statistic", {
  expect_identical(point_of(median_tukey(c(5, 1, 3))), 3)
  expect_identical(point_of(median_tukey(c(5, 1, 3, 4))), 3)
  expect_identical(depth_of(median_tukey(c(5, 1, 3, 4))), 0.5)
  expect_identical(point_of(median_tukey(7)), 7)
  expect_identical(depth_of(median_tukey(c(2, 2, 2, 9))), 0.75)
  expect_identical(median_tukey(1:9, "directional"), median_tukey(1:9))
})

test_that("by hand: points, segments, polygons", {
  expect_identical(median_tukey(cbind(1, 2)), exactly(c(1, 2), 1))
  expect_identical(median_tukey(cbind(c(1, 3), c(5, 1))), exactly(c(2, 3), 0.5))
  expect_identical(median_tukey(cbind(a = rep(4, 3), b = rep(-1, 3))), exactly(c(a = 4, b = -1), 1))
  # a triangle, with nothing and with its centre inside
  corners <- cbind(c(0, 6, 0), c(0, 0, 6))
  expect_equal(median_tukey(corners), exactly(c(2, 2), 1 / 3))
  expect_equal(median_tukey(rbind(corners, c(1, 1))), exactly(c(1, 1), 0.5))
  # a square: the crossing of the diagonals; five on a line: the third; six: the middle of two
  expect_equal(median_tukey(cbind(c(0, 1, 1, 0), c(0, 0, 1, 1))), exactly(c(0.5, 0.5), 0.5))
  expect_equal(median_tukey(cbind(1:5, 2 * (1:5))), exactly(c(3, 6), 0.6))
  expect_equal(median_tukey(cbind(1:6, 7)), exactly(c(3.5, 7), 0.5))
  # a regular pentagon: the deepest region is the inner pentagon, whose centre is 0
  angle <- 2 * pi * (0:4) / 5
  expect_equal(median_tukey(cbind(cos(angle), sin(angle))), exactly(c(0, 0), 0.4),
               tolerance = 1e-12)
})

test_that("two variables: level and centroid of the region of all crossings", {
  skip_on_cran()
  set.seed(1)
  for (kind in c("normal", data_kinds)) {
    for (n in rep(1:8, audit_size(1, 3))) {
      x <- if (kind == "normal") matrix(rnorm(2 * n), n) else degenerate_data(n, 2, kind)
      slow <- oracle_tukey_plane(x)
      fast <- median_tukey(x)
      expect_equal(depth_of(fast), slow$count / n)
      expect_equal(point_of(fast), slow$point, tolerance = 1e-8)
      # in other units, shifted
      other <- median_tukey(x * 1e-9 + 3e-9)
      expect_equal(depth_of(other), slow$count / n)
      expect_equal(point_of(other) * 1e9 - 3, slow$point, tolerance = 1e-6)
    }
  }
})

test_that("the attribute is the depth of the returned point, and at least 1 / (d + 1)", {
  set.seed(2)
  for (n in c(3, 20, 101)) {
    for (d in 2:5) {
      x <- matrix(rt(n * d, 2), n)
      m <- median_tukey(x)
      method <- if (d == 2) "exact" else "directional"
      expect_identical(depth_of(m), depth_halfspace(t(point_of(m)), x, method))
      expect_gte(depth_of(m), ceiling(n / (d + 1)) / n)
    }
  }
})

test_that("it follows affine transformations in the plane", {
  set.seed(3)
  x <- matrix(rexp(120), ncol = 2)
  a <- matrix(c(2, 1, -1, 3), 2)
  m <- median_tukey(x)
  moved <- median_tukey(x %*% a + 10)
  expect_equal(point_of(moved), drop(point_of(m) %*% a) + 10, tolerance = 1e-8)
  expect_identical(depth_of(moved), depth_of(m))
})

test_that("a depth along directions is marked as an upper bound", {
  x <- as.matrix(iris[1:4])
  expect_match(attr(median_tukey(x), "depth_kind"), "upper bound")
  expect_match(attr(median_tukey(x[, 1:2], "directional", 20), "depth_kind"), "upper bound")
  for (m in list(median_tukey(x[, 1:2]), median_tukey(x[, 1]), median_tukey(x[, 1], "directional"))) {
    expect_identical(attr(m, "depth_kind"), "exact")
  }
})

test_that("directional: no point is deeper", {
  skip_on_cran()
  set.seed(4)
  for (d in 2:4) {
    for (kind in c("normal", data_kinds)) {
      n <- 15
      x <- if (kind == "normal") matrix(rnorm(d * n), n) else degenerate_data(n, d, kind)
      u <- directions(d, 40)
      m <- median_tukey(x, "directional", u)
      # many candidates: rows, means of rows, near the answer
      picks <- t(replicate(300, colMeans(x[sample(n, d + 1), , drop = FALSE])))
      jitter <- sweep(matrix(rnorm(300 * d, sd = 0.05), ncol = d), 2, point_of(m), "+")
      rival <- depth_halfspace(rbind(x, picks, jitter), x, "directional", u)
      expect_gte(depth_of(m), max(rival))
      expect_identical(depth_of(m), depth_halfspace(t(point_of(m)), x, "directional", u))
    }
  }
})

test_that("directional: the axes are added, units do not matter when directions are drawn", {
  set.seed(5)
  x <- matrix(rnorm(300), ncol = 3)
  u <- directions(3, 60)
  expect_identical(median_tukey(x, directions = u[-2, ]),
                   median_tukey(x, directions = rbind(u[2, ], u[-2, ])))
  units <- c(1e-6, 1, 1e6)
  m <- median_tukey(x)
  expect_equal(point_of(median_tukey(x %*% diag(units))), point_of(m) * units, tolerance = 1e-6)
})

test_that("points on a plane and on a line, all equal, fewer than d + 1", {
  flat <- cbind(c(0, 2, 0, 2, 1), c(0, 0, 2, 2, 1), 5)
  expect_equal(point_of(median_tukey(flat)), c(1, 1, 5))
  expect_identical(depth_of(median_tukey(flat)), 0.6)
  line <- outer(1:7, c(1, 2, -1))
  expect_equal(point_of(median_tukey(line)), c(4, 8, -4))
  expect_identical(median_tukey(matrix(2, 4, 3)), exactly(c(2, 2, 2), 1))
  expect_identical(median_tukey(rbind(c(1, 2, 3, 4))), exactly(c(1, 2, 3, 4), 1))
  two <- median_tukey(rbind(c(0, 0, 0), c(1, 1, 1)))
  expect_identical(depth_of(two), 0.5)
})

test_that("names, errors", {
  expect_named(median_tukey(faithful), c("eruptions", "waiting"))
  expect_named(median_tukey(iris[1:4]), names(iris)[1:4])
  expect_error(median_tukey(iris), "Species", class = "dpdepth_error_input")
  expect_error(median_tukey(iris[1:4], "exact"), "more than 3 columns", class = "dpdepth_error_input")
  many <- matrix(sin(1:3003), ncol = 3)
  expect_error(median_tukey(many, "exact"), "more than 1000 rows", class = "dpdepth_error_input")
  expect_error(median_tukey(c(1, NA)), class = "dpdepth_error_input")
  expect_error(median_tukey(numeric()), class = "dpdepth_error_input")
})

test_that("all medians carry the same attributes, and they are true", {
  x <- as.matrix(swiss)[, 1:3]
  u <- directions(3, 40)
  medians <- list(
    tukey = median_tukey(x, "directional", u), exact = median_tukey(x), spatial = median_spatial(x),
    irw = median_irw(x, u), idd = median_idd(x, directions = u), stairs = median_idd(x, Inf, u),
    projection = median_projection(x, directions = u), line = median_tukey(x[, 1, drop = FALSE]),
    irw1 = median_irw(x[, 1, drop = FALSE], u[1, 1, drop = FALSE])
  )
  depths <- list(
    tukey = function(p) depth_halfspace(p, x, "directional", u), exact = function(p) depth_halfspace(p, x),
    spatial = function(p) depth_spatial(p, x), irw = function(p) depth_irw(p, x, u),
    idd = function(p) depth_idd(p, x, 10, u), stairs = function(p) depth_idd(p, x, Inf, u),
    projection = function(p) depth_projection(p, x, directions = u)
  )
  for (name in names(medians)) {
    m <- medians[[name]]
    expect_named(attributes(m), c("names", "depth", "depth_kind", "gap"))
    expect_type(attr(m, "depth"), "double")
    expect_true(is.na(attr(m, "gap")) || attr(m, "gap") >= 0)
    if (!is.null(depths[[name]])) {
      expect_equal(attr(m, "depth"), depths[[name]](as.vector(m)), tolerance = 1e-7, label = name)
    }
  }
  kinds <- vapply(medians, attr, "", "depth_kind")
  expect_identical(unname(kinds == "exact"), c(FALSE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE, TRUE, TRUE))
  # a gap is a bound: no row is deeper by more
  for (name in c("exact", "projection")) {
    expect_lte(max(depths[[name]](x)), attr(medians[[name]], "depth") + attr(medians[[name]], "gap") + 1e-12)
  }
})

# The largest depth in space, over all points where three planes through rows meet.
oracle_deepest <- function(data) {
  planes <- unique(t(apply(utils::combn(nrow(data), 3), 2, function(r) {
    u <- cross3(data[r[2], ] - data[r[1], ], data[r[3], ] - data[r[1], ])
    c(u, sum(u * data[r[1], ]))
  })))
  planes <- planes[rowSums(planes[, 1:3]^2) > 0, , drop = FALSE]
  points <- apply(utils::combn(nrow(planes), 3), 2, function(r) {
    m <- planes[r, 1:3]
    if (abs(det(m)) < 1e-9) return(rep(NA, 3))
    solve(m, planes[r, 4])
  })
  points <- t(points[, !is.na(points[1, ]), drop = FALSE])
  points <- points[!duplicated(round(points, 9)), , drop = FALSE]
  max(depth_halfspace(rbind(points, data), data, "exact"))
}

test_that("the Tukey median in space attains the largest depth", {
  skip_on_cran()
  set.seed(3)
  done <- 0
  for (r in 1:40) {
    n <- sample(4:6, 1)
    data <- matrix(sample(-2:2, 3 * n, TRUE), n)
    if (qr(sweep(data, 2, data[1, ]))$rank < 3) next
    done <- done + 1
    m <- median_tukey(data, "exact")
    expect_equal(attr(m, "depth"), oracle_deepest(data))
    expect_equal(depth_halfspace(as.vector(m), data, "exact"), attr(m, "depth"))
  }
  expect_gt(done, 20)
})

test_that("the Tukey median in space follows affine maps, and is the centre of symmetry", {
  skip_on_cran()
  set.seed(4)
  for (n in c(10, 30, 60)) {
    data <- matrix(rnorm(3 * n), n)
    map <- matrix(rnorm(9), 3)
    a <- median_tukey(data, "exact")
    b <- median_tukey(sweep(data %*% map, 2, 1:3, "+"), "exact")
    expect_equal(as.vector(b), drop(as.vector(a) %*% map) + 1:3, tolerance = 1e-7)
    expect_identical(attr(a, "depth"), attr(b, "depth"))
    expect_gte(attr(a, "depth"), depth_halfspace(as.vector(median_tukey(data, "directional")), data, "exact"))
    both <- rbind(data, -data)
    expect_lt(max(abs(median_tukey(both, "exact"))), 1e-7)
  }
  simplex <- rbind(c(0, 0, 0), diag(3))
  expect_equal(as.vector(median_tukey(simplex, "exact")), rep(0.25, 3))
  cube <- as.matrix(expand.grid(0:1, 0:1, 0:1))
  expect_equal(as.vector(median_tukey(cube, "exact")), rep(0.5, 3))
  expect_equal(as.vector(median_tukey(as.matrix(expand.grid(1:3, 1:3, 1:3)), "exact")), rep(2, 3))
})

test_that("data on a plane or a line in space have the median that they have there", {
  set.seed(5)
  plane <- matrix(rnorm(30), ncol = 2)
  m <- median_tukey(plane)
  data <- cbind(plane, plane %*% c(1, 2) + 1)
  expect_equal(as.vector(median_tukey(data, "exact")), c(as.vector(m), sum(m * c(1, 2)) + 1),
               tolerance = 1e-9)
  expect_identical(attr(median_tukey(data, "exact"), "depth"), attr(m, "depth"))
  expect_equal(as.vector(median_tukey(cbind(1:7, 2 * (1:7), 3), "exact")), c(4, 8, 3))
})

test_that("the Tukey median in space: the number of threads does not change a bit", {
  set.seed(6)
  data <- matrix(round(rnorm(150), 1), ncol = 3)
  old <- dpdepth_threads(1)
  on.exit(dpdepth_threads(old))
  one <- median_tukey(data, "exact")
  dpdepth_threads(3)
  expect_identical(median_tukey(data, "exact"), one)
})

test_that("the exact search in space can be left early", {
  skip_on_os("windows")
  set.seed(7)
  data <- matrix(round(rnorm(360) * 4), ncol = 3)
  left <- replicate(5, is_left_early(function() .Call(ffi_deepest_space, data, 30L, 60L)))
  expect_true(any(left))
})

# Halfspace depth in four dimensions, and the Tukey median in three.

test_that("counts in four dimensions are those of the definition, with ties and flat data", {
  skip_on_cran()
  set.seed(1)
  for (r in 1:40) {
    n <- sample(7, 1)
    k <- sample(2, 1)
    data <- matrix(sample(-k:k, 4 * n, TRUE), n)
    if (r %% 5 == 0) data[, 1] <- data[, 2]
    if (r %% 7 == 0) data[, 3:4] <- data[, 1:2]
    x <- rbind(data[1, ], sample(-1:1, 4, TRUE), 0)
    count <- apply(x, 1, oracle_halfspace_hull, data = data)
    expect_identical(depth_halfspace(x, data, "exact"), count / n)
    expect_identical(depth_halfspace(x * 1e-9, data * 1e-9, "exact"), count / n)
    map <- matrix(rnorm(16), 4)
    moved <- function(z) sweep(z %*% map, 2, c(1, -2, 0.3, 10), "+")
    expect_identical(depth_halfspace(moved(x), moved(data), "exact"), count / n)
  }
})

test_that("in four dimensions as ddalpha, and data in a space as in three", {
  set.seed(2)
  data <- matrix(rnorm(80), ncol = 4)
  flat <- cbind(data[, 1:3], data[, 1:3] %*% c(1, 2, -1))
  expect_identical(depth_halfspace(flat, flat, "exact"), depth_halfspace(data[, 1:3], data[, 1:3], "exact"))
  big <- 1 + 1e6 * data # sizes of the numbers do not matter
  expect_identical(depth_halfspace(big, big, "exact"), depth_halfspace(data, data, "exact"))
  skip_if_not_installed("ddalpha")
  expect_equal(depth_halfspace(data, data, "exact"), ddalpha::depth.halfspace(data, data, exact = TRUE))
})

test_that("four dimensions: the number of threads does not change a bit", {
  x <- as.matrix(iris[1:30, 1:4])
  old <- dpdepth_threads(1)
  on.exit(dpdepth_threads(old))
  one <- depth_halfspace(x, x, "exact")
  dpdepth_threads(3)
  expect_identical(depth_halfspace(x, x, "exact"), one)
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

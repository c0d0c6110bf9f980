# Spatial depth and the spatial median.

# The median without its attributes.
spatial_point <- function(...) {
  m <- median_spatial(...)
  stats::setNames(as.vector(m), names(m))
}

test_that("the definition, in any dimension and unit, rows at the point add nothing", {
  skip_on_cran()
  set.seed(1)
  for (d in c(1, 2, 5, 20)) {
    for (n in c(1, 2, 7, 300, 521)) {
      data <- matrix(rnorm(n * d), n)
      x <- rbind(data[seq_len(min(n, 5)), , drop = FALSE], matrix(rnorm(5 * d), 5))
      norm <- oracle_spatial(x, data)
      expect_equal(depth_spatial(x, data), 1 - norm, tolerance = 1e-13)
      expect_equal(depth_spatial(x, data, modified = TRUE), 1 - norm^2, tolerance = 1e-13)
      for (unit in c(1e-9, 1e-200, 1e250)) {
        expect_lt(max(abs(depth_spatial(x * unit, data * unit) - (1 - norm))), 1e-13)
      }
    }
  }
  grid <- as.matrix(expand.grid(0:2, 0:2))
  data <- grid[c(1, 1, 2, 5, 5, 5, 9), ]
  expect_equal(depth_spatial(grid, data), 1 - oracle_spatial(grid, data), tolerance = 1e-14)
  expect_identical(depth_spatial(c(1, 1), matrix(1, 4, 2)), 1)
})

test_that("rows very near the point keep their directions", {
  data <- rbind(c(0, 0), c(1e-170, 0), c(1e150, 1e150))
  expect_equal(depth_spatial(c(0, 0), data), 1 - sqrt((1 + sqrt(0.5))^2 + 0.5) / 3)
})

test_that("similarities do not change it", {
  set.seed(2)
  data <- matrix(rnorm(60), ncol = 3)
  q <- qr.Q(qr(matrix(rnorm(9), 3)))
  moved <- sweep(3.7 * data %*% q, 2, c(5, -100, 0.1), "+")
  expect_equal(depth_spatial(moved, moved), depth_spatial(data, data), tolerance = 1e-12)
})

test_that("as ddalpha", {
  set.seed(3)
  x <- matrix(rnorm(200), ncol = 4)
  theirs <- peer_values("spatial", "ddalpha", ddalpha::depth.spatial(x, x, mah.estimate = "none"))
  expect_equal(depth_spatial(x, x), theirs)
})

test_that("one replaced row changes it by 2/n and (4(n-1)+1)/n^2 at most, and near to that", {
  skip_on_cran()
  set.seed(4)
  most <- c(0, 0)
  for (d in 1:2) {
    grid <- as.matrix(expand.grid(rep(list(c(-10, -1, 0, 1, 10)), d)))
    for (n in 1:3) {
      for (r in seq_len(audit_size(6, 15))) {
        data <- grid[sample(nrow(grid), n, TRUE), , drop = FALSE]
        plain <- depth_spatial(grid, data)
        modified <- depth_spatial(grid, data, TRUE)
        for (k in seq_len(nrow(grid))) {
          other <- rbind(data[-1, , drop = FALSE], grid[k, ])
          change <- c(max(abs(depth_spatial(grid, other) - plain)) / (2 / n),
                      max(abs(depth_spatial(grid, other, TRUE) - modified)) / ((4 * (n - 1) + 1) / n^2))
          most <- pmax(most, change)
        }
      }
    }
  }
  expect_true(all(most <= 1 + 1e-12))
  expect_gt(most[[1]], 0.99) # n = 2, on the line: from both sides to one
  expect_gt(most[[2]], 0.99) # n = 1: from the point away
})

test_that("the number of threads does not change a bit, nor does a look at the random numbers", {
  set.seed(5)
  x <- matrix(rnorm(3000), ncol = 3)
  before <- .Random.seed
  old <- dpdepth_threads(1)
  on.exit(dpdepth_threads(old))
  one <- depth_spatial(x, x)
  dpdepth_threads(3)
  expect_identical(depth_spatial(x, x), one)
  spatial_point(x)
  expect_identical(.Random.seed, before)
})

# How far m is from being a spatial median: 0 if it is one.
excess <- function(m, data) {
  at <- rowSums(sweep(data, 2, m)^2) == 0
  nrow(data) * oracle_spatial(rbind(m), data) - sum(at)
}

test_that("the median has no gradient, whatever the shape of the data", {
  set.seed(6)
  for (d in c(2, 3, 10, 70)) {
    units <- diag(10^-(seq_len(d) %% 4))
    for (data in list(matrix(rnorm(40 * d), ncol = d), matrix(rcauchy(40 * d), ncol = d),
                      matrix(sample(0:1, 40 * d, TRUE), ncol = d),
                      matrix(rnorm(40 * d), ncol = d) %*% units)) {
      expect_lt(excess(spatial_point(data), data), 1e-9)
      m <- spatial_point(data)
      expect_equal(spatial_point(data * 1e-100) / 1e-100, m, tolerance = 1e-9)
    }
  }
})

test_that("a row that is the median is returned exactly", {
  expect_identical(spatial_point(rbind(c(0, 0), c(4, 0), c(0, 3), c(1, 1))), c(1, 1))
  set.seed(7)
  heavy <- rbind(matrix(0.1, 6, 2), matrix(rnorm(10), 5))
  expect_identical(spatial_point(heavy), c(0.1, 0.1))
  # at an angle of 120 degrees and a little more or less
  for (off in c(-1e-6, 0, 1e-6)) {
    angle <- 2 * pi / 3 + off
    data <- rbind(c(0, 0), c(1, 0), c(cos(angle), sin(angle)))
    m <- spatial_point(data)
    if (off >= 0) expect_identical(m, c(0, 0)) else expect_lt(excess(m, data), 1e-9)
    if (off < 0) expect_false(identical(m, c(0, 0)))
  }
  fermat <- spatial_point(rbind(c(0, 0), c(1, 0), c(0, 1)))
  expect_equal(fermat, rep((3 - sqrt(3)) / 6, 2), tolerance = 1e-13)
})

test_that("on a line: the middle of the middle rows, from both ends", {
  expect_identical(spatial_point(1:6), 3.5)
  expect_identical(spatial_point(c(5, 1, 3)), 3)
  expect_identical(spatial_point(cbind(1:6, 2 * (1:6))), c(3.5, 7))
  tenths <- cbind(1:7, 3 * (1:7), 1) / 10
  expect_identical(spatial_point(tenths), tenths[4, ])
  expect_identical(spatial_point(-tenths[7:1, ]), -tenths[4, ])
  expect_identical(spatial_point(matrix(0.3, 3, 2)), c(0.3, 0.3))
  expect_identical(spatial_point(rbind(c(1, 2))), c(1, 2))
})

test_that("similarities move it", {
  set.seed(8)
  data <- matrix(rt(90, 2), ncol = 3)
  q <- qr.Q(qr(matrix(rnorm(9), 3)))
  expect_equal(spatial_point(sweep(7 * data %*% q, 2, 1:3, "+")), drop(7 * spatial_point(data) %*% q) + 1:3,
               tolerance = 1e-10)
})

test_that("names and arguments", {
  expect_named(spatial_point(iris[1:4]), names(iris)[1:4])
  expect_error(spatial_point(iris), "Species", class = "dpdepth_error_input")
  expect_error(spatial_point(c(1, NA)), class = "dpdepth_error_input")
  expect_error(depth_spatial(1:3, faithful), class = "dpdepth_error_input")
  expect_error(depth_spatial(faithful, faithful, modified = NA), class = "dpdepth_error_input")
  expect_identical(depth_spatial(faithful[0, ], faithful), numeric())
})

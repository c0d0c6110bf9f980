# The restricted exponential mechanism over three variables: bounds of regions, margin, draws.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

few <- rbind(diag(3), c(1, 1, 0), c(1, -1, 1), c(0, 1, 2), c(3, -1, 1)) * 64

space_bounds <- function(rows, level, u = few, eps = 1, draws = 0L, rng = "system") {
  .Call(ffi_restricted_space, rng, rows + 0, u, as.integer(level), eps, as.integer(draws))
}

test_that("bounds hold the number of lattice points, and are near it for large regions", {
  set.seed(1)
  for (i in 1:8) {
    rows <- matrix(round(rnorm(90, sd = sample(c(6, 12), 1))), 30)
    points <- grid_points(min(rows), max(rows), 3)
    volumes <- slow_volumes(slow_directional(points, rows, few))
    t <- sample(2:6, 1)
    found <- space_bounds(rows, t)
    expect_true(all(exp(found[[1]]) >= volumes[1:t]))
    lower <- exp(found[[2]])
    expect_true(all(lower <= volumes[t - 1 + seq_along(lower)]))
  }
  rows <- matrix(round(rnorm(150) * 2^20), 50)
  found <- space_bounds(rows, 10)
  expect_equal(found[[1]][[10]], found[[2]][[1]], tolerance = 1e-5)
  # a tilted cube with known volume
  cube <- rbind(grid_points(0, 1, 3), grid_points(0, 1, 3)) * 2^30
  expect_equal(space_bounds(cube, 2, diag(3))[[1]], rep(90 * log(2), 2), tolerance = 1e-9)
})

test_that("thin regions far out have volumes with correct digits", {
  # a needle of width 2^10 and length 2^34 along a diagonal, cut by its own directions
  u <- rbind(diag(3), c(1, -1, 0), c(0, 1, -1)) * 256
  ends <- rep(c(-1, 1) * 2^33, 20)
  set.seed(2)
  rows <- cbind(ends, ends, ends) + round(matrix(runif(120, -1, 1), 40) * 2^9)
  found <- space_bounds(rows, 3, u)
  width <- function(v) diff(range(sort(rows %*% v)[3:38]))
  # the prism |x - y| and |y - z| within widths, along its length
  size <- log(width(c(1, -1, 0))) + log(width(c(0, 1, -1))) + log(2^34)
  expect_equal(found[[1]][[3]], size, tolerance = 0.02)
})

test_that("the margin moves by at most one between neighbours", {
  skip_on_cran()
  set.seed(3)
  seen <- 0
  for (i in 1:120) {
    n <- sample(12:50, 1)
    rows <- matrix(round(rnorm(3 * n, sd = 10^(3 + i %% 4))), n)
    other <- rows
    other[sample(n, 1), ] <- round(rnorm(3, sd = 10^runif(1, 0, 8)))
    eps <- sample(c(1, 3, 8), 1)
    delta <- 10^-sample(0:3, 1) / 2
    t <- n %/% sample(3:7, 1)
    if (t < 2) next
    m <- c(margin_of(rows, t, eps, delta, few), margin_of(other, t, eps, delta, few))
    expect_lte(abs(diff(m)), 1)
    seen <- seen + (m[[1]] != m[[2]])
  }
  expect_gt(seen, 5)
})

test_that("draws follow the law, and the published law is rejected", {
  draws <- 1e5
  set.seed(4)
  rows <- matrix(round(rnorm(90, sd = 11)), 30)
  grid <- grid_points(min(rows), max(rows), 3)
  depth <- slow_directional(grid, rows, few)
  for (level in c(2, 4)) {
    found <- space_bounds(rows, level, eps = 0.6, draws = draws)
    expect_gt(length(found[[2]]), 0)
    at <- (found[[3]] - min(rows)) %*% (max(rows) - min(rows) + 1)^(0:2) + 1
    counts <- tabulate(at, nrow(grid))
    by <- order(depth)
    expect_law(counts[by], slow_draw_law(depth, level, 0.6)[by])
    expect_not_law(counts[by], slow_draw_law(depth, level, 0.6, base = -expm1(-0.3))[by])
    expect_not_law(counts[by], slow_draw_law(depth, level, 0.7)[by])
  }
})

test_that("the same for any number of threads; degenerate data have no draw", {
  rows <- matrix(round(sin(1:120 * 7) * 2^16), 40)
  one <- space_bounds(rows, 6)[1:2]
  old <- dpdepth_threads(2)
  expect_identical(space_bounds(rows, 6)[1:2], one)
  dpdepth_threads(old)
  for (rows in list(matrix(1, 9, 3), cbind(1:9, 1:9, 0), matrix(c(1, 2, 3), 1))) {
    found <- space_bounds(rows, 1, draws = 1)
    expect_identical(found[[2]], numeric(0))
    expect_identical(dim(found[[3]]), c(0L, 3L))
  }
  expect_error(space_bounds(matrix(round(sin(1:120 * 7) * 2^16), 40), 3, draws = 1, rng = "broken"),
               class = "dpdepth_error_entropy")
})

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

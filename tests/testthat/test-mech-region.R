# Tests of R/mech-region.R: polygons from quantiles along directions, and the public rule.

test_that("polygons are convex, hold their median and are never empty, whatever is drawn", {
  set.seed(2)
  prior <- prior_uniform(c(-1, -1), c(1, 1))
  for (k in c(2L, 5L, 8L)) for (i in 1:20) {
    plan <- depth_region_plan(300, 0.3, "depth", 1, 0, k, prior)
    drawn <- t(apply(matrix(runif(3 * k, -1.4, 1.4), k), 1, sort))
    if (i == 1) drawn[] <- 0
    if (i == 2) drawn[] <- rep(c(1, 1, 1), each = k)
    sides <- polygon_sides(drawn, plan)
    p <- blown_polygon(sides, 1, 1)
    from <- t(p) - sides$centre
    turns <- from[1, ] * from[2, c(2:nrow(p), 1)] - from[2, ] * from[1, c(2:nrow(p), 1)]
    expect_true(nrow(p) >= 3 && all(turns >= -1e-12) && all(abs(p) <= 1 + 1e-12))
    # its vertices meet all sides, and what meets all sides is within
    expect_true(all(p %*% t(sides$directions) <= rep(sides$directions %*% sides$centre + sides$reach + 1e-9,
                                                    each = nrow(p))))
    expect_gt(polygon_area(p), 0)
  }
  z <- matrix(runif(40, -1, 1), 20)
  gauge <- row_gauges(z, sides)
  met <- (z - rep(sides$centre, each = 20)) %*% t(sides$directions) / rep(sides$reach, each = 20)
  expect_equal(gauge, apply(met, 1, max))
})

test_that("directions are even, and more of them and sides farther out follow from a larger budget", {
  u <- line_directions(8)
  expect_equal(rowSums(u^2), rep(1, 8))
  expect_equal(crossprod(u), 4 * diag(2))
  rule <- function(n, ...) unlist(region_rule(n, 0.5, "mass", 1, ...))
  expect_identical(vapply(c(300, 5000, 20000), function(n) rule(n, 0)[[1]], 0), c(4, 8, 16))
  expect_gt(rule(300, 0)[[2]], rule(3000, 0)[[2]])
  expect_equal(rule(1e5, 0)[[2]], stats::pnorm(-sqrt(2 * log(2))))
  expect_identical(rule(1e4, 1e-3)[[1]], 16)
})

# Draws of a shape: more than epsilon, limits that hold not all of u'z, other directions, or another ellipse.
shape_is_wrong <- function() {
  each <- NULL
  truth <- ellipse_shape(3, 0.5)$factor
  record <- function(x, probs, prior, epsilon, ...) {
    each <<- c(each, epsilon)
    u <- line_directions(4L)[length(each), ]
    if (prior$upper < sum(abs(u)) || prior$lower > -sum(abs(u))) return(matrix(c(-9, 9), 1))
    matrix(c(-1, 1) * sqrt(sum((t(truth) %*% u)^2)), 1)
  }
  shape <- with_bindings(list(draw_quantiles = record),
                         draw_shape(matrix(0, 3, 2), 1, prior_uniform(c(-1, -1), c(1, 1)), "R"))
  sum(each) > 1 || !isTRUE(all.equal(tcrossprod(shape$factor), tcrossprod(truth)))
}

test_that("shapes are paid for, and are those of the spreads", {
  expect_false(shape_is_wrong())
  for (b in list(
    bug(shape_is_wrong, "draw_shape", "each <- epsilon/4", "each <- epsilon/2"),
    bug(shape_is_wrong, "draw_shape", "fitted_shape(spread^2)", "fitted_shape(spread)"),
    bug(shape_is_wrong, "draw_shape", "direction_prior(prior, u)", "direction_prior(prior, c(1, 0))"),
    bug(shape_is_wrong, "direction_prior", "reach <- abs(u[[1]]) + abs(u[[2]])", "reach <- 1"),
    bug(shape_is_wrong, "fitted_shape", "atan2(across, along)/2", "atan2(across, along)")
  )) {
    expect_true(caught(b))
  }
  # whatever was drawn has a shape, and a public covariance its own
  for (square in list(numeric(4), c(4, 0, 0, 0), c(1, 9, 1, 0), c(5184, 0, 1e-300, 1), 1:4 * 1e-90)) {
    expect_true(all(is.finite(unlist(fitted_shape(square)))))
  }
  public <- public_shape(prior_normal(0, covariance = matrix(c(4, 1.6, 1.6, 1), 2)))$factor
  expect_equal(tcrossprod(public) / tcrossprod(public)[[1]], matrix(c(1, 0.8, 0.8, 1), 2))
})

test_that("spreads for a shape are drawn from rows one by one", {
  set.seed(5)
  x <- matrix(rnorm(60), 30)
  handed_wrong <- function() {
    handed <- function(x) {
      seen <- list()
      record <- function(x, probs, prior, each, ...) {
        seen <<- c(seen, list(x))
        matrix(c(-0.1, 0.1) * each, 1)
      }
      shape <- with_bindings(list(draw_quantiles = record),
                             draw_shape(x, 1, prior_uniform(c(-9, -5), c(9, 7)), "R"))
      list(x = seen, shape = shape)
    }
    one <- handed(x)
    other <- handed(replace(x, cbind(4, 1:2), c(1e300, -40)))
    changed <- Map(function(a, b) which(a != b), one$x, other$x)
    length(changed) != 4 || !all(vapply(changed, identical, NA, 4L)) || !identical(one$shape, other$shape)
  }
  expect_false(handed_wrong())
  expect_true(caught(bug(handed_wrong, "draw_shape", "z <- whiten_rows(x, region_frame(prior))",
                         "z <- scale(x)")))
})

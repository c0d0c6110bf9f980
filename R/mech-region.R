# Depth regions in the plane from quantiles along public directions: what is public, draws, and polygons.
#
# METHOD: in the prior's units, K lines through the origin have the directions u_1, ..., u_K, evenly spread
#   over half a turn. Along each, the quantiles at depth, 1/2 and 1 - depth are drawn (draw_quantiles()). All
#   else but the last step takes nothing but these numbers: the median is the point nearest to the K median
#   lines; the polygon has a side for each end of each line, at that end's quantile, and no nearer to the
#   median than `min_reach`, so that it is never empty. A row's gauge is the factor by which the polygon,
#   blown up about the median, just reaches the row: a function of this row and of what was drawn. The
#   quantile of the gauges at `level`, drawn privately, is the factor of the polygon that holds this share of
#   the rows.
# REFERENCE: Kong and Mizera (2012), section 2; vignettes/proofs-region.Rmd, section 5.

min_reach <- 1e-6 # in the prior's units

# Gauges up to this are distinguished.
most_gauge <- 16

# K directions, a row each, of lines through the origin.
line_directions <- function(k) {
  angle <- pi * (seq_len(k) - 1) / k
  cbind(cos(angle), sin(angle))
}

# The units: x = mean + factor z.
region_frame <- function(prior) {
  if (!is.null(prior$covariance)) return(prior_whitening(prior))
  normal <- inherits(prior, "dp_prior_normal")
  list(mean = unname(if (normal) prior$mean else prior$lower / 2 + prior$upper / 2),
       factor = diag(unname(prior_reach(prior)$scale)))
}

# Of the variable u'z: public limits that follow from those of z.
direction_prior <- function(prior, u) {
  if (inherits(prior, "dp_prior_normal")) return(prior_normal(0, 1))
  reach <- abs(u[[1]]) + abs(u[[2]])
  prior_uniform(-reach, reach)
}

# The public rule, by simulation (data-raw/region-coverage.R): how many directions, and at which depth the
# polygon's sides are drawn. Many directions follow the shape, and have little of the budget each. A side far
# out follows the shape at the level that is asked for, and needs enough rows beyond it.
region_rule <- function(n, level, measure, epsilon, delta, k = NULL) {
  each <- function(k) quantile_budget(epsilon, delta, draw_shares(k, measure))$each[[1]]
  if (is.null(k)) k <- if (n * each(16L) >= 1000) 16L else if (n * each(8L) >= 350) 8L else 4L
  enough <- 36 / (n * each(k))
  # for normal rows the region of this mass has this depth
  depth <- stats::pnorm(-sqrt(-2 * log(1 - level)))
  list(directions = k, depth = min(0.4, max(depth, min(0.25, enough))))
}

# Shares of the budget: one draw a direction, and that of the factor.
draw_shares <- function(k, measure) rep(1, k + (measure == "mass"))

# All that is public of a region; refuses before the debit.
depth_region_plan <- function(n, level, measure, epsilon, delta, k, prior) {
  rule <- region_rule(n, level, measure, epsilon, delta, k)
  k <- rule$directions
  depth <- if (measure == "depth") level else rule$depth
  share <- draw_shares(k, measure)
  budget <- quantile_budget(epsilon, delta, share)
  if (any(budget$each < 1e-6 | budget$each > 1e6)) {
    stop_input("epsilon", sprintf("from 1e-6 to 1e6 for each of %d draws", length(share)), format(epsilon),
               "Each draw gets a part of it.")
  }
  list(directions = line_directions(k), probs = c(depth, 0.5, 1 - depth), measure = measure, level = level,
       each = budget$each, total = epsilon, delta = budget$delta, rho = budget$rho, prior = prior,
       frame = region_frame(prior), mechanism = "quantiles along public directions, composed",
       half = if (inherits(prior, "dp_prior_normal")) 36 else 1)
}

# The quantiles along all directions, K x 3, in the prior's units. PRIVATE: z, rows in these units.
draw_direction_quantiles <- function(z, plan, source, private = FALSE) {
  k <- nrow(plan$directions)
  out <- vapply(seq_len(k), function(i) {
    u <- plan$directions[i, ]
    # element by element: a row's number is that row's alone
    along <- u[[1]] * z[, 1] + u[[2]] * z[, 2]
    draw_quantiles(matrix(along), plan$probs, direction_prior(plan$prior, u), plan$each[[i]],
                   quantile_levels(3L, plan$each[[i]]), source, private = private)[1, ]
  }, numeric(3))
  t(out)
}

# The point nearest to the median lines u'z = m, by least squares, within the prior's support.
lines_centre <- function(directions, medians, half) {
  k <- nrow(directions)
  # the directions are evenly spread: the sum of their squares is (k / 2) times the identity
  pmin(pmax(2 / k * colSums(directions * medians), -half), half)
}

# Sides of the polygon: outward directions, and how far from the centre each lies.
polygon_sides <- function(quantiles, plan) {
  centre <- lines_centre(plan$directions, quantiles[, 2], plan$half)
  u <- rbind(plan$directions, -plan$directions)
  at <- c(quantiles[, 3], -quantiles[, 1])
  reach <- at - (u[, 1] * centre[[1]] + u[, 2] * centre[[2]])
  list(centre = centre, directions = u, reach = pmax(reach, min_reach))
}

# How far each row lies out: 1 on the polygon's edge, 0 at its centre. PRIVATE: z.
row_gauges <- function(z, sides) {
  out <- numeric(nrow(z))
  for (i in seq_along(sides$reach)) {
    u <- sides$directions[i, ]
    far <- u[[1]] * (z[, 1] - sides$centre[[1]]) + u[[2]] * (z[, 2] - sides$centre[[2]])
    out <- pmax(out, far / sides$reach[[i]])
  }
  out
}

# The factor at which the polygon holds the level's share of rows. PRIVATE: z.
draw_gauge <- function(z, sides, plan, source, private = FALSE) {
  if (plan$measure == "depth") return(1)
  each <- plan$each[[length(plan$each)]]
  gauge <- draw_quantiles(matrix(row_gauges(z, sides)), plan$level, prior_uniform(0, most_gauge), each,
                          quantile_levels(1L, each), source, private = private)[1, 1]
  max(gauge, min_reach)
}

# Vertices, counterclockwise, of the part of a convex polygon with a'z <= h.
clip_polygon <- function(p, a, h) {
  k <- nrow(p)
  above <- a[[1]] * p[, 1] + a[[2]] * p[, 2] - h
  inside <- above <= 0
  if (all(inside)) return(p)
  following <- c(seq_len(k)[-1], 1L)
  crossed <- which(inside != inside[following])
  to <- following[crossed]
  part <- above[crossed] / (above[crossed] - above[to])
  cut <- p[crossed, , drop = FALSE] + part * (p[to, , drop = FALSE] - p[crossed, , drop = FALSE])
  rbind(p[inside, , drop = FALSE], cut)[order(c(which(inside), crossed + 0.5)), , drop = FALSE]
}

# The polygon, blown up about its centre, within the square of half the width `half`.
blown_polygon <- function(sides, factor, half) {
  p <- half * cbind(c(-1, 1, 1, -1), c(-1, -1, 1, 1))
  at <- as.vector(sides$directions %*% sides$centre) + factor * sides$reach
  for (i in seq_along(at)) p <- clip_polygon(p, sides$directions[i, ], at[[i]])
  p[!duplicated(p), , drop = FALSE]
}

polygon_area <- function(p) {
  k <- nrow(p)
  if (k < 3) return(0)
  a <- t(p) - p[1, ]
  b <- a[, c(seq_len(k)[-1], 1L)]
  abs(sum(a[1, ] * b[2, ] - a[2, ] * b[1, ])) / 2
}

# -- ellipses: shapes from spreads along four directions -------------------------------------------------

# An ellipse is {c + r s (L w) : |w| <= 1}, s the units. `factor` is L, `inverse` takes rows in units to w.
# The short axis is 1 and the long one at most 10, along the angle `angle`.
ellipse_shape <- function(long = 1, angle = 0) {
  axes <- matrix(c(cos(angle), sin(angle), -sin(angle), cos(angle)), 2)
  list(factor = axes * rep(c(long, 1), each = 2), inverse = t(axes) / c(long, 1))
}

# The shape whose squared spreads along 0, 45, 90 and 135 degrees are nearest to `square`, errors being in
# proportion to these; a circle if there are none. Opposite pairs of a shape have one sum: that is the only
# condition. Whatever was drawn has a shape: nothing may fail here.
fitted_shape <- function(square) {
  if (sum(square^2) < 1e-200) return(ellipse_shape())
  sign <- c(1, -1, 1, -1)
  square <- square - sign * square^2 * sum(sign * square) / sum(square^2)
  mean <- (square[[1]] + square[[3]]) / 2
  along <- (square[[1]] - square[[3]]) / 2
  across <- (square[[2]] - square[[4]]) / 2
  apart <- sqrt(along^2 + across^2)
  if (mean + apart < 1e-200) return(ellipse_shape())
  ratio <- (mean + apart) / max(mean - apart, (mean + apart) / 100)
  ellipse_shape(sqrt(ratio), atan2(across, along) / 2)
}

# The shape of a public covariance, in units of its standard deviations.
public_shape <- function(prior) {
  if (is.null(prior$covariance)) return(ellipse_shape())
  sd <- sqrt(diag(prior$covariance))
  correlation <- prior$covariance[[1, 2]] / sd[[1]] / sd[[2]]
  fitted_shape(c(1, 1 + correlation, 1, 1 - correlation))
}

# The shape of the rows, from their interquartile ranges along four directions. PRIVATE: x.
draw_shape <- function(x, epsilon, prior, source) {
  z <- whiten_rows(x, region_frame(prior))
  directions <- line_directions(4L)
  each <- epsilon / 4 * (1 - 2^-40)
  spread <- vapply(1:4, function(i) {
    u <- directions[i, ]
    along <- u[[1]] * z[, 1] + u[[2]] * z[, 2]
    diff(draw_quantiles(matrix(along), c(0.25, 0.75), direction_prior(prior, u), each,
                        quantile_levels(2L, each), source)[1, ])
  }, 0)
  fitted_shape(spread^2)
}

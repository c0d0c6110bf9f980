# Exact laws of the exponential mechanism over halfspace depth, by slow means of their own.

# Directional depth counts of the rows of `points`: the least closed count over both signs.
slow_directional <- function(points, data, dirs) {
  depth <- rep(nrow(data), nrow(points))
  for (u in seq_len(nrow(dirs))) {
    y <- sort(data %*% dirs[u, ])
    q <- points %*% dirs[u, ]
    depth <- pmin(depth, findInterval(q, y), nrow(data) - findInterval(q, y, left.open = TRUE))
  }
  depth
}

# All directions that matter to exact planar depth: between the normals of pairs of rows and of
# (row, point) pairs; a fan fine enough for points off the data's lines by more than its step.
fan <- function(n) {
  angle <- pi * (seq_len(n) - 0.5) / n
  cbind(cos(angle), sin(angle))
}

# Halfspace depth of many points in the plane by angles, for points in general position.
slow_planar <- function(points, data) {
  n <- nrow(data)
  x <- lapply(data[, 1], `-`, points[, 1])
  y <- lapply(data[, 2], `-`, points[, 2])
  # rows that a half-turn from just after each row meets, and those that it does not
  ahead <- rep(list(0), n)
  for (i in seq_len(n)) for (j in seq_len(i - 1)) {
    left <- x[[i]] * y[[j]] - y[[i]] * x[[j]] > 0
    ahead[[i]] <- ahead[[i]] + left
    ahead[[j]] <- ahead[[j]] + !left
  }
  do.call(pmin, c(ahead, lapply(ahead, function(a) n - 1 - a)))
}

# Draws of the mechanism itself, many from one tree: a matrix.
draw_medians <- function(draws, x, epsilon, prior, directions = NULL, rng = "system", resolution = NULL) {
  x <- check_data(x)
  plan <- directions_plan(directions, ncol(x), "exact")
  prior <- prior_for(prior, ncol(x), colnames(x))
  .Call(ffi_median_exp, rng, x, prior_fields(prior, resolution), epsilon, plan$exact, plan$directions,
        as.integer(draws))$draws
}

# Correlated columns bring the shear of the sampler's boxes into play.
space_data <- function(d, n = 40) {
  base <- matrix(((seq_len(n * d) * 7919) %% 1009) / 504.5 - 1, n, d)
  base %*% (diag(0.4, d) + 0.6 * outer(seq_len(d), seq_len(d), `<=`))
}

# Slow twins of the restricted exponential mechanism on a small grid.

# Depth counts of the points of a grid of whole numbers, by brute force: closed half-lines, or all
# halfplanes whose edge passes near the point in a direction between those of rows.
slow_counts <- function(points, rows) {
  if (ncol(rows) == 1) {
    below <- outer(rows[, 1], points[, 1], `<=`)
    return(pmin(colSums(below), colSums(outer(rows[, 1], points[, 1], `>=`))))
  }
  apply(points, 1, function(p) {
    v <- sweep(rows, 2, p)
    at <- rowSums(v != 0) == 0
    v <- v[!at, , drop = FALSE]
    if (nrow(v) == 0) return(nrow(rows))
    # normals between those at which a row comes onto the edge
    angle <- atan2(v[, 2], v[, 1])
    turn <- sort(unique(round(c(angle + pi / 2, angle - pi / 2) %% (2 * pi), 9)))
    middle <- (turn + c(turn[-1], turn[[1]] + 2 * pi)) / 2
    sum(at) + min(vapply(middle, function(a) sum(v %*% c(cos(a), sin(a)) > 0), 0))
  })
}

grid_points <- function(low, high, d) unname(as.matrix(expand.grid(rep(list(low:high), d))) + 0)

# Points of the grid of depth 1 or more, 2 or more, and so on.
slow_volumes <- function(depth) rev(cumsum(rev(tabulate(depth, max(depth, 0)))))

# The mechanism's draw, many at once, and the private counts.
restricted_draws <- function(draws, rows, level, epsilon, rng = "system") {
  .Call(ffi_restricted, rng, rows + 0, as.integer(level), epsilon, as.integer(draws))
}

# The law of the draw over all points of the grid. `base`: the factor of the base level, which published
# code takes as that of the others.
slow_draw_law <- function(depth, level, epsilon, base = 1) {
  inside <- depth >= level
  above <- -expm1(-epsilon / 2)
  weight <- ifelse(inside, exp(epsilon * level / 2) * base, 0)
  for (l in seq_len(max(depth))) {
    if (l > level) weight <- weight + ifelse(depth >= l, exp(epsilon * l / 2) * above, 0)
  }
  weight / sum(weight)
}

# The law of the whole release: every point of the grid, and "failed" last.
slow_release_law <- function(depth, level, epsilon, epsilon_test, delta, margin, base = 1) {
  pass <- test_chance(margin, epsilon_test, delta)
  if (!any(depth >= level)) return(c(0 * depth, 1))
  c(pass * slow_draw_law(depth, level, epsilon, base), 1 - pass)
}

margin_of <- function(rows, level, epsilon, delta, u = NULL) {
  restricted_law(rows + 0, u, level, epsilon, delta, "system", 0L)$margin
}

# The margin from a table of counts.
margin_from <- function(counts, n, level, epsilon, delta) {
  v <- log(counts)
  lower <- if (level > length(v)) numeric(0) else v[level:length(v)]
  restricted_margin(v[seq_len(level)], lower, n, epsilon, delta)
}

# The number of each point in the grid.
cell_of <- function(points, grid) {
  match(do.call(paste, as.data.frame(points)), do.call(paste, as.data.frame(grid)))
}

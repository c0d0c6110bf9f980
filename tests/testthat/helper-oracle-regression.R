# Slow twins for the private deepest regression: depths of all lines, and all data sets on a small grid.

# The depth of every line through two rows, the largest depth, and the largest that no steepness takes away.
oracle_spreads <- function(x, y) {
  steep <- max(vapply(seq_along(x), function(i) {
    slope <- 1e5 * c(-1, 1) * max(1, abs(y), abs(x))
    max(oracle_rdepth(c(y[[i]] - slope[[1]] * x[[i]], slope[[1]]), x, y),
        oracle_rdepth(c(y[[i]] - slope[[2]] * x[[i]], slope[[2]]), x, y))
  }, 0))
  if (length(unique(x)) < 2) {
    return(list(lines = matrix(0, 0, 2), depth = numeric(), unbounded = steep, top = steep))
  }
  lines <- oracle_lines(x, y)
  depth <- apply(lines, 1, oracle_rdepth, x = x, y = y)
  list(lines = lines, depth = depth, unbounded = steep, top = max(depth, steep))
}

# The l1 diameter's bound of the clipped region of a level; `unbounded`: see above, 0 for a broken variant.
oracle_diameter <- function(o, level, lower, upper, unbounded = o$unbounded) {
  v <- o$lines[o$depth >= level, , drop = FALSE]
  if (level <= unbounded || level < 1 || nrow(v) == 0) return(sum(upper - lower))
  clip <- function(z, j) pmin(pmax(z, lower[[j]]), upper[[j]])
  axes <- diff(range(clip(v[, 1], 1))) + diff(range(clip(v[, 2], 2)))
  min(axes, max(diff(range(v[, 1] + v[, 2])), diff(range(v[, 1] - v[, 2]))))
}

# All multisets of n rows of a grid (cells x 2): counts, one data set a row; and how many rows two of
# them differ in.
all_datasets <- function(grid, n) {
  cells <- nrow(grid)
  bars <- t(utils::combn(n + cells - 1L, cells - 1L))
  counts <- t(apply(cbind(0L, bars, n + cells), 1, diff)) - 1L
  apart <- matrix(n, nrow(counts), nrow(counts))
  for (j in seq_len(cells)) apart <- apart - outer(counts[, j], counts[, j], pmin)
  list(grid = grid, counts = counts, apart = apart, n = n)
}

dataset <- function(all, i) all$grid[rep(seq_len(nrow(all$grid)), all$counts[i, ]), , drop = FALSE]

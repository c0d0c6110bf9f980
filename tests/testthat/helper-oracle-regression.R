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
  bars <- cbind(0L, bars, n + cells)
  counts <- bars[, -1] - bars[, -ncol(bars)] - 1L
  # a replaced row is one less in one place and one more in another
  apart <- unname(as.matrix(stats::dist(counts, "manhattan"))) / 2
  list(grid = grid, counts = counts, apart = apart, n = n)
}

dataset <- function(all, i) all$grid[rep(seq_len(nrow(all$grid)), all$counts[i, ]), , drop = FALSE]

# The weights along w = (-v, u) for the rows u of a matrix and all v between different u'x, and opposites.
oracle_along <- function(fit, x, y, u, weights = c(1, 1), tol = 1e-9) {
  r <- y - fit[[1]] - drop(x %*% fit[-1])
  r[abs(r) < tol] <- 0
  min(apply(u, 1, function(w) {
    along <- round(drop(x %*% w), 9)
    cuts <- sort(unique(along))
    cuts <- c(-Inf, (cuts[-1] + cuts[-length(cuts)]) / 2, Inf)
    min(vapply(cuts, function(v) {
      side <- sign(along - v)
      min(weights[[1]] * sum(side > 0 & r >= 0) + weights[[2]] * sum(side < 0 & r <= 0),
          weights[[1]] * sum(side < 0 & r >= 0) + weights[[2]] * sum(side > 0 & r <= 0))
    }, 0))
  }))
}

# All fits through as many rows as there are coefficients.
oracle_fits <- function(x, y) {
  design <- cbind(1, x)
  rows <- utils::combn(length(y), ncol(design), simplify = FALSE)
  fits <- lapply(rows, function(i) {
    if (abs(det(design[i, , drop = FALSE])) > 1e-9) solve(design[i, , drop = FALSE], y[i])
  })
  unname(do.call(rbind, fits))
}

# Data on a grid, so that x, u'x and residuals tie.
grid_data <- function(n, p, k) {
  list(x = matrix(sample(-k:k, n * p, TRUE), n), y = as.double(sample(-k:k, n, TRUE)))
}

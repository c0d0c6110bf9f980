# Slow naive twins of the kernels, straight from the definitions.

cross3 <- function(a, b) {
  c(a[[2]] * b[[3]] - a[[3]] * b[[2]], a[[3]] * b[[1]] - a[[1]] * b[[3]], a[[1]] * b[[2]] - a[[2]] * b[[1]])
}

# Every open cell of the directions that are orthogonal to no row of v, as sequences of vectors:
# the direction is the first plus a little of the second plus much less of the third.
oracle_cells <- function(v) {
  d <- ncol(v)
  if (d == 1) return(list(list(1), list(-1)))
  if (d == 2) {
    cells <- lapply(seq_len(nrow(v)), function(i) {
      u <- c(-v[i, 2], v[i, 1])
      list(list(u, v[i, ]), list(u, -v[i, ]), list(-u, v[i, ]), list(-u, -v[i, ]))
    })
    return(unlist(cells, recursive = FALSE))
  }
  v <- rbind(v, diag(3)) # more great circles only split the cells
  cells <- list()
  for (i in seq_len(nrow(v))) {
    for (j in seq_len(i - 1)) {
      u <- cross3(v[i, ], v[j, ])
      if (all(u == 0)) next
      for (w in list(v[i, ], v[j, ])) {
        e <- cross3(u, w)
        for (s in 0:7) {
          sign <- 1 - 2 * (bitwAnd(s, c(1, 2, 4)) > 0)
          cells[[length(cells) + 1]] <- list(sign[[1]] * u, sign[[2]] * e, sign[[3]] * w)
        }
      }
    }
  }
  cells
}

# Closed halfspace count at p; numbers within tol are zero. d <= 3.
oracle_count <- function(p, data, tol = 0) {
  v <- data - rep(p, each = nrow(data))
  here <- rowSums(abs(v) > tol) == 0
  v <- v[!here, , drop = FALSE]
  if (nrow(v) == 0) return(sum(here))
  inside <- vapply(oracle_cells(v), function(cell) {
    side <- numeric(nrow(v))
    for (u in cell) {
      t <- drop(v %*% u)
      t[abs(t) <= tol] <- 0
      side <- ifelse(side == 0, sign(t), side)
    }
    sum(side > 0)
  }, 0)
  sum(here) + min(inside)
}

oracle_halfspace <- function(points, data, tol = 0) {
  apply(points, 1, oracle_count, data = data, tol = tol) / nrow(data)
}

# The planar count at many points at once.
oracle_plane <- function(points, data, tol = 0) {
  apply(points, 1, function(p) {
    v <- data - rep(p, each = nrow(data))
    here <- rowSums(abs(v) > tol) == 0
    v <- v[!here, , drop = FALSE]
    if (nrow(v) == 0) return(sum(here))
    cross <- outer(v[, 1], v[, 2]) - outer(v[, 2], v[, 1])
    cross[abs(cross) <= tol] <- 0
    along <- tcrossprod(v)
    # for each row's line: the rows on a side of it, and on it the rows on a side of the point
    on <- cross == 0
    sides <- pmin(rowSums(cross > 0), rowSums(cross < 0))
    ends <- pmin(rowSums(on & along > 0), rowSums(on & along < 0))
    sum(here) + min(sides + ends)
  })
}

# Least closed count over given directions and their opposites.
oracle_directional <- function(points, data, u) {
  t <- data %*% t(u)
  s <- points %*% t(u)
  tie <- 1e-9
  apply(s, 1, function(at) {
    apart <- t - rep(at, each = nrow(t))
    min(colSums(apart >= -tie), colSums(apart <= tie))
  })
}

# All points where two lines through pairs of rows cross, and the rows: the corners of all regions.
oracle_corners <- function(x) {
  n <- nrow(x)
  if (n < 2) return(x)
  lines <- t(combn(n, 2, function(p) {
    d <- x[p[[2]], ] - x[p[[1]], ]
    c(-d[[2]], d[[1]], sum(c(-d[[2]], d[[1]]) * x[p[[1]], ]))
  }))
  lines <- unique(lines[rowSums(abs(lines[, 1:2, drop = FALSE])) > 0, , drop = FALSE])
  if (nrow(lines) < 2) return(x)
  pairs <- combn(nrow(lines), 2)
  a <- lines[pairs[1, ], , drop = FALSE]
  b <- lines[pairs[2, ], , drop = FALSE]
  det <- a[, 1] * b[, 2] - a[, 2] * b[, 1]
  z <- cbind(a[, 3] * b[, 2] - a[, 2] * b[, 3], a[, 1] * b[, 3] - a[, 3] * b[, 1]) / det
  rbind(x, z[abs(det) > 1e-9, , drop = FALSE])
}

# Centroid of the convex hull of points; of points on a line, the middle.
oracle_centroid <- function(v) {
  h <- v[grDevices::chull(v), , drop = FALSE]
  far <- as.matrix(stats::dist(h))
  middle <- colMeans(h[which(far == max(far), arr.ind = TRUE)[1, ], , drop = FALSE])
  if (nrow(h) < 3) return(middle)
  area <- 0
  moment <- c(0, 0)
  for (k in seq(2, nrow(h) - 1)) {
    a <- h[k, ] - h[1, ]
    b <- h[k + 1, ] - h[1, ]
    twice <- a[[1]] * b[[2]] - a[[2]] * b[[1]]
    area <- area + twice
    moment <- moment + twice * (a + b) / 3
  }
  if (abs(area) < 1e-9) middle else h[1, ] + moment / area
}

# Deepest count and centroid of the deepest region, of few points in the plane.
oracle_tukey_plane <- function(x) {
  corners <- oracle_corners(x)
  count <- oracle_plane(corners, x, 1e-9)
  list(count = max(count), point = oracle_centroid(corners[count == max(count), , drop = FALSE]))
}

# Datasets of n points with all kinds of ties.
degenerate_data <- function(n, d, kind) {
  x <- matrix(sample(0:4, n * d, TRUE), n, d)
  if (kind == "line") x <- outer(x[, 1], seq_len(d)) + 1
  if (kind == "plane" && d > 1) x[, d] <- x[, 1] + 1
  if (kind == "constant") x[, d] <- 2
  if (kind == "two values") x <- matrix(sample(0:1, n * d, TRUE), n, d)
  x
}
data_kinds <- c("grid", "line", "plane", "constant", "two values")

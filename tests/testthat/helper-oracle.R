# Slow naive twins of the kernels of depths, straight from the definitions.

# -- the plane, and data that are degenerate ------------------------------------------------------------

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

# -- simplices, hulls, regions --------------------------------------------------------------------------

# Slow twins of the geometric depths, straight from the definitions, for small whole numbers:
# all arithmetic below stays exact in doubles.

# Determinant of a small matrix of whole numbers, without division.
exact_det <- function(a) {
  a <- as.matrix(a)
  k <- nrow(a)
  if (k == 0) return(1)
  if (k == 1) return(a[1, 1])
  if (k == 2) return(a[1, 1] * a[2, 2] - a[1, 2] * a[2, 1])
  sum(vapply(seq_len(k), function(j) (-1)^(j + 1) * a[1, j] * exact_det(a[-1, -j, drop = FALSE]), 0))
}

# Whether p lies in the convex hull of the rows of v: nonnegative barycentric coordinates with
# respect to some affinely independent rows (Caratheodory), by Cramer's rule.
oracle_in_hull <- function(p, v) {
  n <- nrow(v)
  away <- t(v) - p
  # beyond all rows along an axis, or a row
  if (n == 0 || any(rowSums(away > 0) == n | rowSums(away < 0) == n)) return(FALSE)
  if (any(colSums(away != 0) == 0)) return(TRUE)
  for (size in seq_len(min(n, ncol(v) + 1))[-1]) {
    for (rows in utils::combn(n, size, simplify = FALSE)) {
      e <- t(v[rows[-1], , drop = FALSE]) - v[rows[1], ]
      q <- p - v[rows[1], ]
      g <- crossprod(e)
      det <- exact_det(g)
      if (det == 0) next
      right <- drop(crossprod(e, q))
      l <- vapply(seq_len(size - 1), function(j) {
        g[, j] <- right
        exact_det(g)
      }, 0)
      if (all(e %*% l == det * q) && all(l >= 0) && sum(l) <= det) return(TRUE)
    }
  }
  FALSE
}

oracle_simplicial <- function(x, data, tuples = t(utils::combn(nrow(data), ncol(data) + 1))) {
  apply(x, 1, function(p) {
    mean(apply(tuples, 1, function(rows) oracle_in_hull(p, data[rows, , drop = FALSE])))
  })
}

# Closed halfspace count by convex hulls: all rows but the most that an open halfspace beside p holds, and
# it holds those whose hull p is not in.
oracle_halfspace_hull <- function(p, data) {
  v <- data - rep(p, each = nrow(data))
  v <- v[rowSums(v != 0) > 0, , drop = FALSE]
  apart <- list(integer())
  for (size in seq_len(nrow(v))) {
    larger <- unique(unlist(lapply(apart, function(s) {
      lapply(setdiff(seq_len(nrow(v)), seq_len(max(s, 0))), function(i) c(s, i))
    }), recursive = FALSE))
    larger <- Filter(function(s) !oracle_in_hull(0 * p, v[s, , drop = FALSE]), larger)
    if (length(larger) == 0) return(nrow(data) - size + 1)
    apart <- larger
  }
  nrow(data) - nrow(v)
}

oracle_spatial <- function(x, data) {
  apply(x, 1, function(p) {
    v <- rep(p, each = nrow(data)) - data
    r <- sqrt(rowSums(v^2))
    u <- v / ifelse(r > 0, r, 1)
    sqrt(sum(colMeans(u)^2))
  })
}

# Regression depth by its definition: the fewest rows passed, closed, over splits between different x.
oracle_rdepth <- function(fit, x, y, tol = 1e-7) {
  r <- y - fit[[1]] - fit[[2]] * x
  r[abs(r) < tol] <- 0
  u <- sort(unique(x))
  cuts <- c(-Inf, (u[-1] + u[-length(u)]) / 2, Inf)
  min(vapply(cuts, function(t) {
    min(sum((x < t & r >= 0) | (x > t & r <= 0)), sum((x < t & r <= 0) | (x > t & r >= 0)))
  }, 0))
}

# All lines through two rows with different x, each once.
oracle_lines <- function(x, y) {
  rows <- t(utils::combn(length(x), 2))
  rows <- rows[x[rows[, 1]] != x[rows[, 2]], , drop = FALSE]
  slope <- (y[rows[, 2]] - y[rows[, 1]]) / (x[rows[, 2]] - x[rows[, 1]])
  lines <- cbind(y[rows[, 1]] - slope * x[rows[, 1]], slope, deparse.level = 0)
  lines[!duplicated(round(lines, 9)), , drop = FALSE]
}

# The polygon {depth >= level}: u'z is at most the level-th largest projection, for all directions across and
# along pairs of rows.
oracle_region <- function(data, level) {
  size <- 1 + 2 * max(abs(data))
  polygon <- size * rbind(c(-1, -1), c(1, -1), c(1, 1), c(-1, 1))
  n <- nrow(data)
  pairs <- expand.grid(seq_len(n), seq_len(n))
  d <- data[pairs[, 1], , drop = FALSE] - data[pairs[, 2], , drop = FALSE]
  d <- rbind(diag(2), -diag(2), d[rowSums(d^2) > 0, , drop = FALSE])
  d <- unique(rbind(d, cbind(-d[, 2], d[, 1])) / sqrt(rowSums(d^2)))
  for (k in seq_len(nrow(d))) {
    if (nrow(polygon) == 0) break
    polygon <- clip_polygon(polygon, d[k, ], sort(data %*% d[k, ], decreasing = TRUE)[[level]])
  }
  polygon
}

clip_polygon <- function(polygon, u, at) {
  m <- nrow(polygon)
  out <- NULL
  for (k in seq_len(m)) {
    v <- polygon[k, ]
    w <- polygon[k %% m + 1, ]
    a <- sum(u * v) - at
    b <- sum(u * w) - at
    if (a <= 1e-10) out <- rbind(out, v, deparse.level = 0)
    if ((a < -1e-10 && b > 1e-10) || (a > 1e-10 && b < -1e-10)) {
      out <- rbind(out, v + a / (a - b) * (w - v), deparse.level = 0)
    }
  }
  if (is.null(out)) matrix(0, 0, 2) else out
}

shoelace <- function(v) {
  if (nrow(v) < 3) return(0)
  w <- v[c(seq_len(nrow(v))[-1], 1), ]
  sum(v[, 1] * w[, 2] - w[, 1] * v[, 2]) / 2
}

# Opens a device that draws into a file, whose name is returned.
withr_png <- function() {
  file <- tempfile(fileext = ".png")
  grDevices::png(file)
  file
}

# -- the exponential mechanism over halfspace depth -----------------------------------------------------

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

# Draws of the mechanism itself, many at once: a matrix.
draw_medians <- function(draws, x, epsilon, prior, directions = NULL, rng = "system", resolution = NULL) {
  x <- check_data(x)
  plan <- directions_plan(directions, ncol(x))
  prior <- prior_for(prior, ncol(x), colnames(x))
  if (ncol(x) == 1) return(draw_middle(x, prior, epsilon, rng, as.integer(draws), resolution))
  .Call(ffi_median_exp, rng, x, prior_fields(prior, resolution), epsilon, plan$exact, plan$directions,
        as.integer(draws))$draws
}

# Correlated columns bring the shear of the sampler's boxes into play.
space_data <- function(d, n = 40) {
  base <- matrix(((seq_len(n * d) * 7919) %% 1009) / 504.5 - 1, n, d)
  base %*% (diag(0.4, d) + 0.6 * outer(seq_len(d), seq_len(d), `<=`))
}

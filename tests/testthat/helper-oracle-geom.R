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

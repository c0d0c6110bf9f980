# Slow twins of the geometric depths, straight from the definitions, for small whole numbers:
# all arithmetic below stays exact in doubles.

# Determinant of a small matrix of whole numbers, without division.
exact_det <- function(a) {
  a <- as.matrix(a)
  k <- nrow(a)
  if (k == 0) return(1)
  if (k == 1) return(a[1, 1])
  sum(vapply(seq_len(k), function(j) (-1)^(j + 1) * a[1, j] * exact_det(a[-1, -j, drop = FALSE]), 0))
}

# Whether p lies in the convex hull of the rows of v: nonnegative barycentric coordinates with
# respect to some affinely independent rows (Caratheodory), by Cramer's rule.
oracle_in_hull <- function(p, v) {
  n <- nrow(v)
  for (size in seq_len(min(n, ncol(v) + 1))) {
    for (rows in utils::combn(n, size, simplify = FALSE)) {
      e <- t(v[rows[-1], , drop = FALSE]) - v[rows[1], ]
      q <- p - v[rows[1], ]
      if (size == 1) {
        if (all(q == 0)) return(TRUE)
        next
      }
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
  v <- sweep(data, 2, p)
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

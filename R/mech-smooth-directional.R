# Depth along the axes and the diagonals of pairs of axes, in exact integers.
#
# METHOD: U = {e_i} and {e_i + e_j, e_i - e_j}, each with its opposite. {h_U >= l} is the set of real x
#   with y_(l) <= u'x <= y_(n-l+1) for u in U, y the sorted u'Z: constraints in at most two variables with
#   coefficients +-1. Over the nodes x_i, -x_i they are differences, and the set is not empty if and only
#   if no cycle of the graph is negative (Mine, 2006, section 4). Shortest paths are sums of integers
#   below 2^53: the largest level is exact, and so moves by at most one when a row is replaced.
# COST: d^2 sorts of n numbers, then log2(n) shortest-path problems of 2d nodes.
# DEGENERATE: ties, constant columns, n = 1: sets that are points or segments.
# REFERENCE: Mine, A. (2006), Higher-Order and Symbolic Computation 19, 31-100: difference bounds.

# Sorted projections: `value` has a column for each side; rows i, j (j = 0 for an axis) and sign of j.
directional_sides <- function(z) {
  d <- ncol(z)
  pairs <- if (d > 1) utils::combn(d, 2) else matrix(0L, 2, 0)
  side <- list(i = c(seq_len(d), pairs[1, ], pairs[1, ]), j = c(integer(d), pairs[2, ], pairs[2, ]),
               sign = c(integer(d), rep(1, ncol(pairs)), rep(-1, ncol(pairs))))
  value <- vapply(seq_along(side$i), function(s) {
    y <- z[, side$i[[s]]]
    if (side$j[[s]] > 0) y <- y + side$sign[[s]] * z[, side$j[[s]]]
    sort(y)
  }, numeric(nrow(z)))
  list(side = side, value = matrix(value, nrow(z)), d = d, n = nrow(z))
}

# Shortest paths between the nodes x_1, -x_1, x_2, ... of {h_U >= level}; NULL if it is empty.
# bound[u, v]: the largest value of node v minus node u.
directional_closure <- function(o, level) {
  low <- o$value[level, ]
  high <- o$value[o$n + 1L - level, ]
  bound <- matrix(Inf, 2 * o$d, 2 * o$d)
  diag(bound) <- 0
  plus <- function(i) 2L * i - 1L
  for (s in seq_along(o$side$i)) {
    i <- o$side$i[[s]]
    j <- o$side$j[[s]]
    if (j == 0) {
      bound[plus(i) + 1L, plus(i)] <- 2 * high[[s]]
      bound[plus(i), plus(i) + 1L] <- -2 * low[[s]]
    } else {
      # x_i + sign x_j = x_i - (node of -sign x_j)
      other <- if (o$side$sign[[s]] > 0) plus(j) + 1L else plus(j)
      same <- if (o$side$sign[[s]] > 0) plus(j) else plus(j) + 1L
      bound[other, plus(i)] <- bound[plus(i) + 1L, same] <- high[[s]]
      bound[plus(i), other] <- bound[same, plus(i) + 1L] <- -low[[s]]
    }
  }
  for (k in seq_len(2 * o$d)) {
    bound <- pmin(bound, outer(bound[, k], bound[k, ], `+`))
    if (any(diag(bound) < 0)) return(NULL)
  }
  bound
}

# Tight bounds of {h_U >= level}, not empty, along the sides, outward to whole numbers: every one is reached
# (strong closure: Mine, 2006, section 4.3).
directional_reach <- function(o, level) {
  bound <- directional_closure(o, level)
  node <- seq_len(2L * o$d)
  opposite <- node + c(1L, -1L)
  twice <- bound[cbind(opposite, node)] # of the node's double
  bound <- pmin(bound, outer(twice[opposite], twice, `+`) / 2)
  i <- 2L * o$side$i - 1L
  j <- ifelse(o$side$j == 0, i + 1L, 2L * o$side$j - (o$side$sign < 0))
  factor <- ifelse(o$side$j == 0, 2, 1)
  list(low = floor(-bound[cbind(i, j)] / factor), high = ceiling(bound[cbind(j, i)] / factor))
}

# The largest level that is not empty, and the mean of the solutions that the shortest paths from
# each node are: a point of its set.
directional_deepest <- function(o) {
  lo <- as.integer(ceiling(o$n / (o$d + 1)))
  hi <- o$n
  while (lo < hi) {
    middle <- lo + (hi - lo + 1L) %/% 2L
    if (is.null(directional_closure(o, middle))) hi <- middle - 1L else lo <- middle
  }
  bound <- directional_closure(o, lo)
  if (is.null(bound)) stop_status("internal") # the centrepoint theorem failed
  total <- colSums(bound)
  list(level = lo, point = (total[c(TRUE, FALSE)] - total[c(FALSE, TRUE)]) / (4 * o$d))
}

# Upper bounds of the l1 distance between a point of {h_U >= near} and one of {h_U >= level}, rounded to
# integers and then clipped to integer bounds; levels may be vectors, 0 stands for everything.
directional_diameter <- function(o, level, lower, upper, near = level) {
  clipped <- directional_clip(o, o$value, lower, upper)
  rank <- function(level, top) {
    level <- pmax(level, 1)
    clipped[if (top) o$n + 1 - level else level, , drop = FALSE]
  }
  width <- pmax(rank(level, TRUE) - rank(near, FALSE), rank(near, TRUE) - rank(level, FALSE))
  ifelse(level >= 1, directional_total(o, matrix(width, length(level))), sum(upper - lower))
}

directional_clip <- function(o, value, lower, upper) {
  for (j in seq_len(o$d)) value[, j] <- pmin(pmax(value[, j], lower[[j]]), upper[[j]])
  value
}

# The same for one pair of levels of at least 1, by tight bounds.
directional_tight <- function(o, level, lower, upper, near) {
  far <- lapply(directional_reach(o, level), matrix, nrow = 1)
  near <- lapply(directional_reach(o, near), matrix, nrow = 1)
  clip <- function(value) directional_clip(o, value, lower, upper)
  width <- pmax(clip(far$high) - clip(near$low), clip(near$high) - clip(far$low))
  directional_total(o, matrix(width, 1))
}

# Bounds of the l1 distance from those along each side (a column each), clipped along the axes.
directional_total <- function(o, width) {
  if (o$d == 1) return(pmax(width[, 1], 0))
  # |a| + |b| = max(|a + b|, |a - b|); rounding moves each coordinate by half a step and a little
  total <- 0
  pairs <- which(o$side$sign > 0)
  for (s in pairs) {
    across <- pmax(width[, s], width[, s + length(pairs)], 0) + 3
    axes <- pmax(width[, o$side$i[[s]]], 0) + pmax(width[, o$side$j[[s]]], 0)
    total <- total + pmin(across, axes)
  }
  total / (o$d - 1)
}

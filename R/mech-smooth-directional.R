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

# -- in the plane ----------------------------------------------------------------------------------

#
# METHOD: two families of halfspaces, "exact" (all of them; src/sens_tukey.c) and "directional" (24
#   directions with whole components). A region is an intersection of halfplanes with integer
#   coefficients; whether it is empty, and how far it reaches along the axes and the diagonals, is decided
#   in integers. Regions are nested, so the levels that are not empty are those up to the deepest.
# COST: exact: O(n^2 log n) and memory for n halfplanes a level; directional: 24 sorts.
# DEGENERATE: ties, collinear rows, regions that are points.
# REFERENCE: vignettes/proofs-smooth.Rmd, section 8.

# All directions with components of at most 4, up to their sign, the axes first.
plane_sides <- function() {
  u <- as.matrix(expand.grid(0:4, -4:4))
  divisor <- function(a, b) if (b == 0) a else divisor(b, a %% b)
  u <- u[mapply(divisor, u[, 1], abs(u[, 2])) == 1 & (u[, 1] > 0 | u[, 2] == 1), ]
  unname(rbind(diag(2), u[rowSums(u != 0) == 2, ]))
}

# A function of increasing levels and of the place of the one whose centre is wanted (0: none). Its value:
# found (not empty), reach (one column per level) and centre, see src/sens_tukey.h.
plane_regions <- function(z, method) {
  if (method == "exact") return(function(level, at = 0L) .Call(ffi_tukey_reach, z, level, at))
  sides <- plane_sides()
  value <- apply(sides, 1, function(u) sort(u[[1]] * z[, 1] + u[[2]] * z[, 2]))
  value <- matrix(value, nrow(z))
  function(level, at = 0L) .Call(ffi_tukey_sides, value, sides, level, at)
}

# Regions of the levels that the deepest points of data sets at distance k (`near`) and k + 1 may have,
# k = 0, ..., last.
# The largest level is decided by `regions`; `guess` saves time if it is right.
plane_reach <- function(regions, n, guess, last, reach = Inf) {
  minimum <- as.integer(ceiling(n / 3)) # reached by every data set: centrepoint theorem
  deepest <- as.integer(min(max(guess, minimum), n))
  found <- plane_levels(regions, n, deepest, last, reach)
  if (!found$right) {
    deepest <- plane_deepest(regions, minimum, n)
    found <- plane_levels(regions, n, deepest, last, reach)
  }
  if (!found$right) stop_status("internal")
  found
}

plane_levels <- function(regions, n, deepest, last, reach) {
  k <- 0:last
  wanted <- tukey_level(deepest, n, 2, 0:(last + 1), reach)
  level <- sort(unique(c(wanted[wanted >= 1], deepest, if (deepest < n) deepest + 1L)))
  out <- regions(as.integer(level), match(deepest, level))
  at <- match(wanted, level)
  list(right = identical(out$found, level <= deepest), level = deepest, centre = out$centre, k = k,
       near = out$reach[, at[k + 1], drop = FALSE], reach = out$reach[, at[-1], drop = FALSE])
}

# The largest level that is not empty; `low` is not.
plane_deepest <- function(regions, low, high) {
  while (low < high) {
    level <- as.integer(unique(round(seq(low + 1, high, length.out = 32))))
    found <- regions(level)$found
    low <- max(low, level[found])
    high <- min(high, level[!found] - 1L)
  }
  low
}

# The least depth of the deepest point of a data set at distance k; 0: any point. Depths of less than
# deepest - reach are left out (random DP).
tukey_level <- function(deepest, n, d, k, reach = Inf) {
  as.integer(pmax(deepest - 2 * k, ceiling(n / (d + 1)) - k, deepest - reach, 0))
}

# Upper bounds of the l1 distance between a point of a region and one of a region `near`, each rounded to
# integers and then clipped to integer bounds. The whole box where nothing is known (level 0).
plane_diameter <- function(reach, lower, upper, near = reach) {
  for (s in 1:4) {
    clip <- function(v) pmin(pmax(v, lower[[(s + 1) %/% 2]]), upper[[(s + 1) %/% 2]])
    sign <- if (s %% 2) 1 else -1
    reach[s, ] <- sign * clip(sign * reach[s, ])
    near[s, ] <- sign * clip(sign * near[s, ])
  }
  along <- function(s) pmax(reach[s, ] + near[s + 1, ], near[s, ] + reach[s + 1, ])
  # |a| + |b| = max(|a + b|, |a - b|), and rounding moves each of four coordinates by a half
  total <- pmin(along(1) + along(3), pmax(along(5), along(7)) + 3)
  ifelse(is.na(total), sum(upper - lower), total)
}

# A guess by floating point, which is nearly always right, and costs little.
plane_guess <- function(z, method) {
  if (method != "exact") return(0L)
  tryCatch(.Call(ffi_deepest_plane, z)$level, dpdepth_error = function(e) 0L)
}

# The Tukey median of integer data in the plane and its regions' extents, exactly in whole numbers.
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

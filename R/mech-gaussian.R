# Exact sums and integer noise: rows on a public lattice, so that sums are whole numbers without rounding and
# their sensitivity is exact.

# Places 0, ..., steps on the lattice between the bounds, each of its own value only. Infinite values are
# clipped; NaN is `other`, one number for each value.
lattice_place <- function(v, lower, upper, steps, other = rep_len(0, length(v))) {
  place <- pmin(pmax(round((v - lower) / (upper - lower) * steps), 0), steps)
  ifelse(is.nan(place), other, place)
}

# The largest power of two M for which sums of n values of size M are exact, and Gaussian noise for an l2
# sensitivity of `factor` M under rho-zCDP has a variance below 2^51. Public numbers only.
gaussian_steps <- function(n, rho, factor, most = 25) {
  bits <- floor(min(most, 51 - log2(n), (51 + log2(2 * rho)) / 2 - log2(factor)))
  if (bits < 4) {
    stop_input("epsilon", "so large that a lattice of doubles holds the noise", NULL,
               "Take a larger `epsilon` or `delta`.")
  }
  2^bits
}

# A variance c(num, den) of at least square / (2 rho), `square` a bound of the squared l2 sensitivity.
gaussian_variance <- function(square, rho) {
  variance <- square / (2 * rho) * (1 + 2^-40)
  den <- if (variance < 2^30) 2^20 else 1
  c(max(1, ceiling(variance * den)), den)
}

# `values` are whole numbers with an l2 sensitivity of sqrt(square): rho-zCDP.
add_gaussian <- function(values, square, rho, source) {
  variance <- gaussian_variance(square, rho)
  values + draw_gaussian_discrete(length(values), variance[[1]], variance[[2]], source)
}

# Whole numbers of l2 sensitivity `size` in units in which the noise's variance is below 2^51; rounding down
# adds one unit to each of `entries` numbers' moves.
coarse_query <- function(size, entries, rho) {
  unit <- 2^max(0, ceiling(log2(size) - (50 + log2(2 * rho)) / 2))
  sensitivity <- (size * (1 + 2^-40) / unit + if (unit > 1) sqrt(entries) else 0) * (1 + 2^-40)
  if (size / unit < 16) {
    stop_input("epsilon", "so large that a lattice of doubles holds the noise", NULL,
               "Take a larger `epsilon` or `delta`.")
  }
  list(unit = unit, square = sensitivity^2)
}

# Laws of the scans of intervals by their definition, and what could be wrong with them.

# P(stop at the first point of stretch k), or past all, of a scan over stretches of `len` points with one
# count each. `rho`: NULL, or the threshold's noise, to condition on it.
stretch_law <- function(count, len, t, rates, rho = NULL) {
  weight <- 1
  if (is.null(rho)) {
    rho <- 0:ceiling(60 / rates$rho)
    weight <- exp(-rates$rho * rho) * -expm1(-rates$rho)
  }
  passed <- rep(1, length(rho))
  out <- numeric(length(count) + 1)
  for (k in seq_along(count)) {
    stop <- pmin(1, exp(-rates$nu * (t + rho - count[[k]] + 1)))
    out[[k]] <- sum(weight * passed * stop)
    passed <- passed * exp(len[[k]] * log1p(-stop))
  }
  out[[k + 1]] <- sum(weight * passed)
  out
}

# The joint law of both scans' places for rows on 0, ..., side - 1: each grid has all points.
places_law <- function(x, side, t, rates, stretch = stretch_law) {
  down <- (side - 1):0
  first <- stretch(vapply(down, function(g) sum(x >= g), 0), rep(1, side), t, rates)
  law <- lapply(seq_along(first), function(i) {
    up <- 0:(if (i > 1) down[[i - 1]] else side - 1)
    first[[i]] * stretch(vapply(up, function(g) sum(x <= g), 0), rep(1, length(up)), t, rates)
  })
  unlist(law)
}

# The least and largest sets of n rows on 0, ..., side - 1, up to order.
row_sets <- function(n, side) {
  grid <- as.matrix(expand.grid(rep(list(seq_len(side) - 1), n)))
  unique(t(apply(grid, 1, sort)))
}

# The largest log ratio over all neighbours.
largest_loss <- function(n, side, t, rates, stretch = stretch_law) {
  sets <- row_sets(n, side)
  laws <- lapply(seq_len(nrow(sets)), function(i) log(places_law(sets[i, ], side, t, rates, stretch)))
  key <- apply(sets, 1, paste, collapse = " ")
  worst <- 0
  for (i in seq_len(nrow(sets))) for (k in seq_len(n)) for (v in seq_len(side) - 1) {
    if (v <= sets[i, k]) next
    other <- match(paste(sort(replace(sets[i, ], k, v)), collapse = " "), key)
    worst <- max(worst, abs(laws[[i]] - laws[[other]]))
  }
  worst
}

# P(B + nu - rho <= t) by sums over all three.
miss_probability <- function(n, p, t, rates) {
  z <- seq(-ceiling(45 / rates$rho), ceiling(45 / rates$nu))
  noise <- vapply(z, function(v) {
    rho <- seq(max(0, -v), max(0, -v) + ceiling(45 / rates$rho))
    sum(exp(-rates$rho * rho - rates$nu * (rho + v))) * expm1(-rates$rho) * expm1(-rates$nu)
  }, 0)
  sum(vapply(0:n, function(b) stats::dbinom(b, n, p) * sum(noise[z <= t - b]), 0))
}

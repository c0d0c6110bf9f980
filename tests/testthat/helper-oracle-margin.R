# Slow twins of the projection median's safety margin: the formulas with all order statistics, and
# brute force over replacements.

# Bounds of one direction as the package computes them, a row a level.
margin_bounds <- function(y, location, scale, levels) {
  out <- dpdepth:::projection_margin(matrix(y), matrix(1), location, scale, 1, 1, 1, 1e-6, levels, TRUE)
  structure(matrix(out$profile$bounds, levels),
            dimnames = list(NULL, c("lower", "upper", "location_shift", "least", "scale_shift")),
            center = c(out$center, out$spread))
}

# Location and scale of every column of m, by the package's kernels.
margin_centers <- function(m, location, scale) {
  center <- dpdepth:::as_center(location, scale, 0.25, NULL, nrow(m))
  storage.mode(m) <- "double"
  one <- matrix(1)
  apply(m, 2, function(y) {
    out <- .Call(dpdepth:::ffi_projection_margin, matrix(y), one, center, c(1, 2^-900), matrix(1, 1, 2), 0L,
                 FALSE)
    c(out$center, out$spread)
  })
}

# The tau that leaves condition (2) this room, and the rate c that goes with it: list(tau, rate).
tau_with_room <- function(room, d, count, eta, epsilon, delta) {
  tau <- room + 100 * eta
  for (step in 1:60) {
    law <- dpdepth:::projection_law(d, count, eta, tau, Inf, epsilon, delta)
    tau <- room + law$tail
  }
  list(tau = tau, rate = law$rate)
}

# Order statistics by rank, infinite outside.
twin_ranks <- function(y) {
  y <- sort(y)
  n <- length(y)
  function(r) ifelse(r < 1, -Inf, ifelse(r > n, Inf, y[pmin(pmax(r, 1), n)]))
}

twin_span <- function(at, low, high, K) {
  t <- 0:K
  max(at(high + t) - at(low + t - K))
}

# Median and MAD at distance K, over all windows.
twin_median_mad <- function(y, K) {
  n <- length(y)
  p <- (n + 1) %/% 2
  at <- twin_ranks(y)
  a <- at(p - K)
  b <- at(p + K)
  i <- seq_len(n - (p - K) + 1)
  top <- at(i + p - K - 1)
  least <- max(0, min(pmax((top - at(i)) / 2, a - at(i), top - b)))
  shift <- twin_span(at, p, p, K)
  scale_shift <- shift
  for (t in 0:K) for (l in seq_len(K)) {
    i <- 0:(n + 1 - p - t)
    e <- i + p + t
    m <- i + l
    M <- e - (K + 1 - l)
    low <- at(m) - at(i)
    up <- at(e) - at(M)
    scale_shift <- max(scale_shift, pmin((low + up) / 2, low + shift, up + shift,
                           (b - at(i)) - (at(M) - b), (at(e) - a) - (a - at(m))))
  }
  c(lower = a, upper = b, location_shift = shift, least = least, scale_shift = scale_shift)
}

# All data sets in which one row is replaced by a value of `grid`, or none, as columns.
one_replaced <- function(y, grid) {
  row <- rep(seq_along(y), each = length(grid))
  out <- matrix(y, length(y), length(row))
  out[cbind(row, seq_along(row))] <- grid
  cbind(y, out)
}

# The worst of what happens within K <= 2 replacements, by brute force: the same five numbers. `sorted`:
# the order of rows does not matter.
brute_reach <- function(y, grid, K, location, scale) {
  tidy <- function(m) {
    if (location != "mom") m <- apply(m, 2, sort)
    m[, !duplicated(apply(m, 2, paste, collapse = " ")), drop = FALSE]
  }
  inner <- if (K == 1) matrix(y) else tidy(one_replaced(y, grid))
  reach <- c(lower = Inf, upper = -Inf, location_shift = 0, least = Inf, scale_shift = 0)
  for (j in seq_len(ncol(inner))) {
    near <- margin_centers(tidy(one_replaced(inner[, j], grid)), location, scale)
    here <- margin_centers(inner[, j, drop = FALSE], location, scale)
    reach <- c(lower = min(reach[[1]], near[1, ]), upper = max(reach[[2]], near[1, ]),
               location_shift = max(reach[[3]], abs(near[1, ] - here[[1]])),
               least = min(reach[[4]], near[2, ]),
               scale_shift = max(reach[[5]], abs(near[2, ] - here[[2]])))
  }
  reach
}

projected_margin <- function(x, u, eta, tau, pair = c("median", "mad"), epsilon = 5, delta = 0.1,
                             levels = 30L) {
  dpdepth:::projection_margin(x, u, pair[[1]], pair[[2]], eta, tau, epsilon, delta, levels)
}

# The law of the release on a grid, up to a constant step.
law_on_grid <- function(at, u, center, spread, rate) {
  t <- at %*% t(u)
  o <- apply(abs(t - rep(center, each = nrow(t))) / rep(spread, each = nrow(t)), 1, max)
  w <- exp(-rate * (o - min(o)))
  w / sum(w)
}

# The largest divergence from the data set to `tries` neighbours that pull at the centre and at the ends,
# both ways.
worst_divergence <- function(x, u, margin, rate, epsilon, tries, points) {
  here <- law_on_grid(points, u, margin$center, margin$spread, rate)
  worst <- 0
  for (i in seq_len(tries)) {
    z <- x
    from <- sample(nrow(x), 1)
    z[from, ] <- switch(sample(3, 1), 1e3 * u[sample(nrow(u), 1), ] * sample(c(-1, 1), 1), colMeans(x),
                        x[sample(nrow(x), 1), ])
    other <- projected_margin(z, u, 1, 1)
    there <- law_on_grid(points, u, other$center, other$spread, rate)
    worst <- max(worst, hockey_stick(here, there, epsilon), hockey_stick(there, here, epsilon))
  }
  worst
}

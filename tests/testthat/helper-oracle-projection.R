# Slow twins of projections: depths, outlyingness, and the margin of the projection median.

# Projections of the rows of x on the rows of u: a matrix with a column for each direction. The
# sum runs over the columns in their order, as in the kernels.
twin_project <- function(x, u) {
  out <- matrix(0, nrow(x), nrow(u))
  for (j in seq_len(ncol(x))) out <- out + outer(x[, j], u[, j])
  out
}

# fun(y, t) is a univariate depth of t in the numbers y; `over` takes its values along directions.
twin_directional <- function(q, x, u, fun, over = mean) {
  y <- twin_project(x, u)
  t <- twin_project(q, u)
  vapply(seq_len(nrow(q)), function(i) over(vapply(seq_len(nrow(u)), function(k) fun(y[, k], t[i, k]), 0)), 0)
}

twin_irw <- function(q, x, u) {
  twin_directional(q, x, u, function(y, t) 2 * min(mean(y <= t), mean(y >= t)))
}
twin_idd <- function(q, x, u, smooth = Inf) {
  twin_directional(q, x, u, function(y, t) {
    g <- if (is.infinite(smooth)) mean(y <= t) else mean(plogis(smooth * (t - y)))
    g * (1 - g)
  })
}
twin_halfspace <- function(q, x, u) {
  twin_directional(q, x, u, function(y, t) min(mean(y <= t), mean(y >= t)), over = min)
}

# Locations and scales by their definitions.
# (sort() takes five times as long for a few numbers)
twin_sort <- function(y) sort.int(y, method = "quick")
twin_middle <- function(y) twin_sort(y)[(length(y) + 1) %/% 2]
twin_mad <- function(y) twin_middle(abs(y - twin_middle(y)))
twin_kept <- function(y, trim) {
  k <- floor(trim * length(y))
  twin_sort(y)[(k + 1):(length(y) - k)]
}
twin_huber <- function(y) {
  bend <- 1.345 * 1.482602218505602 * twin_mad(y)
  if (bend == 0) return(twin_middle(y))
  score <- function(t) sum(pmax(-1, pmin(1, (y - t) / bend)))
  uniroot(score, range(y) + c(-1, 1), tol = 1e-14)$root
}
twin_location <- function(y, location, trim = 0.25, blocks = ceiling(sqrt(length(y)))) {
  n <- length(y)
  switch(location,
    median = twin_middle(y),
    trimmed = mean(twin_kept(y, trim)),
    huber = twin_huber(y),
    mom = {
      ends <- floor(seq(0, blocks) * n / blocks)
      twin_middle(vapply(seq_len(blocks), function(b) mean(y[(ends[[b]] + 1):ends[[b + 1]]]), 0))
    }
  )
}
twin_scale <- function(y, scale, at, trim = 0.25) {
  n <- length(y)
  switch(scale,
    mad = twin_mad(y),
    iqr = sort(y)[n + 1 - ceiling(n / 4)] - sort(y)[ceiling(n / 4)],
    trimmed = mean(abs(twin_kept(y, trim) - at))
  )
}
twin_outlyingness <- function(q, x, u, location = "median", scale = "mad", trim = 0.25,
                                blocks = ceiling(sqrt(nrow(x)))) {
  twin_directional(q, x, u, function(y, t) {
    at <- twin_location(y, location, trim, blocks)
    gap <- abs(t - at)
    if (gap == 0) 0 else gap / twin_scale(y, scale, at, trim)
  }, over = max)
}

# Small data sets of every awkward kind, d = 1 to 3; whole numbers, so that projections on axes and
# sums of whole multiples are exact.
awkward_data <- function() {
  grid <- as.matrix(expand.grid(0:2, 0:2))
  dimnames(grid) <- NULL
  list(
    one_row = matrix(c(3, -1), 1),
    one_number = matrix(7),
    ties = matrix(c(1, 1, 1, 2, 2, 5, 5, 5, 5, 9)),
    few_rows = rbind(c(0, 1, 2), c(4, 1, 0)),
    duplicates = rbind(grid, grid[1:3, ], grid[1:3, ]),
    collinear = cbind(c(0, 1, 2, 3, 5), 2 * c(0, 1, 2, 3, 5)),
    constant_column = cbind(c(4, 4, 1, 7, 8, 2), 3),
    space = cbind(grid[rep(1:9, 2), ], rep(c(0, 1, 5, 0, 2, 8, 1, 3, 13), 2))
  )
}

# Heavy-tailed numbers that are the same everywhere and draw nothing: a Weyl sequence.
rcauchy_public <- function(n) {
  tan(pi * ((seq_len(n) * 0.6180339887498949 + 0.1) %% 1 - 0.5)) * (1 + sin(seq_len(n)))
}

# -- the margin --------------------------------------------------------------------------------

# brute force over replacements.

# Bounds of one direction as the package computes them: levels x (lower, upper, move, least, scale_shift).
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
  n <- length(y)
  y <- c(-Inf, twin_sort(y), Inf)
  function(r) y[pmin(pmax(r, 0), n + 1) + 1]
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
  o <- most_of_rows(abs(t - rep(center, each = nrow(t))) / rep(spread, each = nrow(t)))
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

# The private distribution function: its budget, the noise of its counts, and the half-width of its band.
#
# METHOD: ordered points z_1..z_m are drawn by the rank score of quantiles (mech-quantile.R) with epsilon_1.
#   The m counts #{rows <= z_j} get noise eta with P(eta) proportional to exp(-(epsilon_2 / 2)
#   sum_(j = 1..m+1) |eta_j - eta_(j-1)|), eta_0 = eta_(m+1) = 0. A replaced row moves two of the m + 1
#   numbers of rows between points by one, so that the exponent moves by epsilon_2 at most, and the
#   distribution's constant not.
#   Where D+ and D- are the largest differences between the data's distribution function and the population's,
#   max(n D+ + max eta, n D- + max -eta) <= t puts n times the population's within t of the noisy counts.

# Shares of epsilon, by simulation of normal, heavy-tailed and mixed distributions: with few rows, and with
# many, where points are many and drawn in levels.
ecdf_shares <- list(few = c(points = 0.45, counts = 0.55), many = c(points = 0.4, counts = 0.6))
# From this n epsilon on rows are many: below, levels lose more with wide limits than they gain.
ecdf_many <- 2200

# The most points; more would hardly narrow the band.
most_ecdf_points <- 999L

# All that is public. Points: few enough for their noise, many enough for narrow steps. No more than 100 is
# spent on counts, whose noise is then 0 for all purposes.
ecdf_budget <- function(n, epsilon) {
  if (epsilon < 1e-4) {
    stop_input("epsilon", "at least 1e-4 for a distribution function", format(epsilon),
               "It is shared by many points.")
  }
  many <- n * epsilon >= ecdf_many
  shares <- ecdf_shares[[if (many) "many" else "few"]]
  counts <- min(100, shares[["counts"]] * epsilon) * (1 - 2^-40)
  m <- as.integer(min(most_ecdf_points, max(1, floor((n * counts / if (many) 5 else 7)^(2 / 3)))))
  points <- shares[["points"]] * epsilon
  list(m = m, points = points, counts = counts, shares = shares, levels = ecdf_levels(m, points, many))
}

# The levels of the points. The band is narrow where neighbouring points are evenly apart. So the last level
# draws up to 15 at once and has most of the budget; those above it keep its outer blocks small, where points
# may run off into empty space.
ecdf_levels <- function(m, epsilon, many) {
  top <- max(9, ceiling((m + 1) / 16) - 1)
  if (!many || !cut_serves(15, 0.6 * epsilon)) return(quantile_levels(m, epsilon))
  above <- quantile_levels(top, 0.4 * epsilon)
  last <- ceiling((m + 1) / prod(above$split + 1)) - 1
  list(split = c(above$split, as.integer(last)), share = c(0.4 * above$share, 0.6))
}

# -- noise -------------------------------------------------------------------------------------------

# The rate epsilon / 2 of one step of the noise as c(num, den), not above it.
bridge_rate <- function(epsilon) rate_of(epsilon) * c(1, 2)

# One exact draw of the noise of m counts: m independent steps, and a last one back to 0, which is accepted
# with its weight. It takes no data.
draw_bridge <- function(m, epsilon, source) {
  rate <- bridge_rate(epsilon)
  repeat {
    eta <- cumsum(draw_laplace_discrete(m, rate[[1]], rate[[2]], source))
    if (draw_geometric_exp(1, rate[[1]], rate[[2]], source) >= abs(eta[[m]])) return(eta)
  }
}

# -- the distribution of the largest noise ---------------------------------------------------------

# P(max(0, eta_1, ..., eta_m) >= k) for k = 0, 1, ..., and past the last of them: upper bounds. By the
# overshoot's lack of memory and a reflection, with r = exp(-epsilon / 2) and q the distribution of a sum of m
#   steps, P(max >= k) = (1 - r)^2 sum_(s >= 0) (s + 1) r^s q(2 k + s) / P(m + 1 steps sum to 0),  k >= 1.
# q is the inverse Fourier transform of a positive function in closed form; at a period of `size` it is q and
# what lies whole periods away, which Chernoff bounds (`lost`). Rounding is below 1e-9, see the proofs.
bridge_tail <- function(m, epsilon) {
  a <- exp_ratio(bridge_rate(epsilon))
  reach <- ceiling(9 * sqrt(2 * m * a$r) / a$less + 60 / a$rate)
  size <- 2^ceiling(log2(2 * reach + 2))
  angle <- pi * (seq_len(size) - 1) / size
  q <- Re(stats::fft(exp(-m * log1p(4 * a$r * (sin(angle) / a$less)^2))))[1 + 0:reach] / size
  q <- pmax(q, 0)
  lost <- bridge_passing(m, a, reach)
  home <- a$less / (1 + a$r) * (q[[1]] + 2 * sum(a$r^seq_len(reach) * q[-1])) - lost
  twice <- stats::filter(stats::filter(rev(q), a$r, "recursive"), a$r, "recursive")
  slack <- 1e-9
  at <- seq(1, reach + 1, by = 2)
  list(tail = pmin(1, (a$less^2 * rev(as.vector(twice))[at] + lost) / home * (1 + slack) + slack),
       beyond = lost / home + slack)
}

# r and 1 - r by the rate.
exp_ratio <- function(rate) {
  h <- rate[[1]] / rate[[2]]
  list(rate = h, r = exp(-h), less = -expm1(-h))
}

# P(|S| > reach) for the sum of m steps, at most (Chernoff).
bridge_passing <- function(m, a, reach) {
  theta <- a$rate * (1:63) / 64
  log_moment <- 2 * log(a$less) - log1p(-exp(theta - a$rate)) - log1p(-exp(-theta - a$rate))
  min(1, 2 * exp(min(m * log_moment - theta * reach)))
}

# -- the half-width ----------------------------------------------------------------------------------

# P(n D+ > d) by Massart (1990), Theorem 1: exp(-2 d^2 / n) where that is at most one half; else 1. Whatever
# the distribution of the rows.
kolmogorov_tail <- function(d, n) {
  bound <- exp(-2 * pmax(d, 0)^2 / n)
  ifelse(bound <= 0.5, bound, 1)
}

# P(n D+ + max(0, eta) > t), at most.
deviation_tail <- function(t, n, noise) {
  k <- 0:min(length(noise$tail) - 1, ceiling(t) + 1)
  steps <- kolmogorov_tail(t - k, n)
  min(1, (steps[[1]] + sum(noise$tail[k[-1] + 1] * diff(steps))) * (1 + 1e-9) + noise$beyond)
}

# The least t, to a thousandth, that is exceeded on either side with a probability of at most 1 - level, or n.
ecdf_half_width <- function(n, m, epsilon, level) {
  # the first noise alone is at least n with a probability of at least exp(-epsilon n)/2
  if (exp(-epsilon * n) > 1 - level) return(n)
  noise <- bridge_tail(m, epsilon)
  fits <- function(t) 2 * deviation_tail(t, n, noise) <= 1 - level
  if (!fits(n)) return(n)
  low <- 0
  high <- n
  while (high - low > 1e-3 * (1 + 1e-3 * high)) {
    mid <- (low + high) / 2
    if (fits(mid)) high <- mid else low <- mid
  }
  high
}

# -- the staircase -----------------------------------------------------------------------------------

# From noisy counts at points in increasing order, for each point once: the nondecreasing numbers that are
# nearest to them in the largest difference, over n, and the band of half-width t. All that is released.
ecdf_staircase <- function(at, noisy, n, t = NULL) {
  minimum <- cummax(noisy)
  most <- rev(cummin(rev(noisy)))
  last <- !duplicated(at, fromLast = TRUE)
  low <- minimum[last]
  high <- most[!duplicated(at)]
  share <- function(v) pmin(1, pmax(0, v / n))
  middle <- (low + high) / 2
  band <- if (!is.null(t)) {
    # limits that cross do not hold the truth; they meet
    cbind(lower = share(pmin(low - t, middle)), upper = share(pmax(high + t, middle)))
  }
  list(at = at[last], estimate = share(middle), band = band)
}

# How many rows are at or below each point. With a resolution both are taken to its multiples. PRIVATE: x.
counts_below <- function(x, at, resolution = NULL) {
  atoms <- atoms_of(x)
  points <- as.vector(atoms$points)
  if (!is.null(resolution)) {
    points <- round(points / resolution)
    at <- round(at / resolution)
  }
  order <- order(points)
  c(0, cumsum(atoms$count[order]))[1 + findInterval(at, points[order])]
}

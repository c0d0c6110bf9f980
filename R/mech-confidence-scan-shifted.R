# Scans by shifted counts, of quantiles other than the median: the distribution at the truth, and thresholds.
#
# METHOD: for tau = above / (above + below) a split's rows count above + below each, less what is expected of
#   them: at the true fit such a score is -max over v of |2 W_v - W_n| at least, W a walk of n steps, +above
#   with chance below / (above + below) and -below else. Given W_n = s it stays within the bound m if W stays
#   from (s - m) / 2 to (s + m) / 2: a strip, whose transition matrix over above + below steps is raised to
#   its power. The distribution is taken at some m only, and counted as lower between them. A row moves the
#   score by 2 max(above, below).
# COST: some matrix products of (bound / (above + below)) rows a bound: seconds for 20,000 rows.
# REFERENCE: mech-confidence-scan.R; vignettes/proofs-region.Rmd, section 3.

# Bounds at which the distribution is taken, in standard deviations of W_n.
strip_bounds <- c(1.4, 1.7, 2, 2.2, 2.35, 2.5, 2.65, 2.8, 2.95, 3.1, 3.3, 3.6, 4, 4.5, 5.4)

shifted_rows_most <- 20000L

# By how much one row moves a score.
score_sensitivity <- function(weights) if (is.null(weights)) 1 else 2 * max(weights)

# P(max |2 W_v - W_n| <= m) for whole m, by a sum of products of positive numbers. Twice W - (s - m) / 2 lies
# from 0 to 2 m: its values at one time are 2 (above + below) apart, two classes of them by the parity of the
# steps upward.
strip_chance <- function(m, n, weights) {
  each <- sum(weights)
  up <- seq.int(0, n)
  up <- up[abs(each * up - weights[[2]] * n) <= m]
  total <- 0
  for (part in split(up, up %% 2)) {
    s <- each * part - weights[[2]] * n
    class <- (m - s[[1]]) %% (2 * each)
    period <- strip_steps(NULL, class, m, weights, each)
    at <- strip_steps(matrix_power(period, n %/% each), class, m, weights, n %% each)
    last <- (class - 2 * weights[[2]] * (n %% each)) %% (2 * each)
    total <- total + sum(at[cbind((m - s - class) / (2 * each) + 1, (m + s - last) / (2 * each) + 1)])
  }
  total
}

# A matrix whose columns are the values of `class` in the strip, `steps` steps later.
strip_steps <- function(at, class, m, weights, steps) {
  each <- sum(weights)
  size <- function(class) max(0, floor((2 * m - class) / (2 * each)) + 1)
  if (is.null(at)) at <- diag(size(class))
  for (step in seq_len(steps)) {
    to <- (class - 2 * weights[[2]]) %% (2 * each)
    down <- (class - 2 * weights[[2]] - to) / (2 * each) # -1 or 0
    out <- matrix(0, nrow(at), size(to))
    for (up in 0:1) {
      from <- seq_len(ncol(at))
      from <- from[from + down + up >= 1 & from + down + up <= ncol(out)]
      out[, from + down + up] <- out[, from + down + up] + at[, from] * (weights[[1 + up]] / each)
    }
    at <- out
    class <- to
  }
  at
}

matrix_power <- function(a, k) {
  out <- diag(nrow(a))
  while (k > 0) {
    if (k %% 2 == 1) out <- out %*% a
    k <- k %/% 2
    if (k > 0) a <- a %*% a
  }
  out
}

# For a walk in continuous time, which is near: 1 - 4 z (phi(z) + phi(3 z) + ...).
strip_chance_near <- function(z) {
  pmax(0, 1 - 4 * z * rowSums(outer(z, seq(1, 41, 2), function(z, j) stats::dnorm(z * j))))
}

# The distribution of the score at the truth from below: values, falling, and their chances; what is left
# counts as below all. `near`: for rules that need no more.
shifted_law <- function(n, weights, near = FALSE) {
  spread <- sqrt(prod(weights) * n)
  bounds <- unique(ceiling(strip_bounds * spread))
  if (near) return(list(score = -bounds, chance = diff(c(0, strip_chance_near(bounds / spread)))))
  key <- sprintf("shifted %.0f %d %d", n, weights[[1]], weights[[2]])
  if (is.null(intervals_found[[key]])) {
    within <- vapply(bounds, strip_chance, 0, n = n, weights = weights)
    assign(key, list(score = -bounds, chance = pmax(diff(c(0, within)), 0)), intervals_found)
  }
  intervals_found[[key]]
}

# The largest whole t with P(S + least of `scans` nu - rho <= t) <= alpha; rates a unit of the score. If there
# is none, any score halts a scan.
shifted_threshold <- function(n, alpha, rates, scans, weights, near = FALSE) {
  law <- shifted_law(n, weights, near)
  missed <- function(t) {
    sum(law$chance * noise_law(t - law$score, scans * rates[["nu"]], rates[["rho"]])) +
      max(0, 1 - sum(law$chance)) + 1e-8
  }
  lo <- -n * max(weights) - 1
  hi <- 1
  while (hi - lo > 1) {
    mid <- floor((lo + hi) / 2)
    if (missed(mid) <= alpha) lo <- mid else hi <- mid
  }
  lo
}

# Does hardly any scan halt at a quarter of the way from far fits to the best? As scan_serves().
shifted_serves_scan <- function(n, level, threshold, halt, sets, scans, weights) {
  sensitivity <- score_sensitivity(weights)
  if (n > shifted_rows_most || halt / sensitivity < 1e-6 || threshold / sensitivity < 1e-6) return(FALSE)
  rates <- scan_rates(threshold / sensitivity, halt / sensitivity)
  t <- shifted_threshold(n, 1 - level, rates, scans, weights, near = TRUE)
  sets * scans * (1 - noise_law(t + floor(0.75 * n * min(weights)), rates$nu, rates$rho)) < 0.1
}

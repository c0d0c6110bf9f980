# The restricted exponential mechanism: its level and the split of epsilon, from public numbers, and its
# safety margin.

# The share of epsilon for the test and the level t that a standard normal sample would pass with: the
# smallest share whose margin is twice the test's threshold (half for the data, half for the
# noise), or else the one that passes most often. Public numbers only.
restricted_plan <- function(n, d, epsilon, delta, level = NULL, share = NULL) {
  volume <- normal_profile(n, d)
  levels <- if (is.null(level)) plan_levels(n, length(volume)) else level
  best <- list(ease = -Inf)
  for (s in if (is.null(share)) plan_shares else share) {
    margins <- normal_margins(volume, levels, min(epsilon * (1 - s), most_draw_rate), delta)
    k <- which.max(margins)
    threshold <- ptr_threshold(epsilon * s, delta)
    # in units in which the noise has rate one
    ease <- (margins[[k]] - threshold) * epsilon * s
    if (ease > best$ease) {
      best <- list(level = levels[[k]], share = s, margin = margins[[k]], ease = ease,
                   pass = test_chance(margins[[k]], epsilon * s, delta))
    }
    if (margins[[k]] >= 2 * threshold) break
  }
  best$ease <- NULL
  best
}

plan_shares <- c(0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)

plan_levels <- function(n, deepest) {
  levels <- unique(round(n * seq(0.04, 0.34, by = 0.02)))
  levels <- levels[levels >= 2 & levels <= max(2, deepest)]
  if (length(levels) == 0) 2 else levels
}

# Margins of one table of volumes at several levels.
normal_margins <- function(volume, levels, epsilon, delta) {
  deepest <- length(volume)
  terms <- volume + epsilon * seq_along(volume) / 2 + log(-expm1(-epsilon / 2))
  # as tail_masses(), but all at once: what underflows counts as unsafe
  top <- max(terms, 0)
  mass <- c(top + log(rev(cumsum(rev(exp(terms - top))))), -Inf)
  vapply(levels, function(t) {
    if (t > deepest) return(0)
    bounds <- safety_bounds(volume, volume[t:deepest], mass[t:(deepest + 1)], epsilon, t)
    count_safe(bounds, delta, min_slack)
  }, 0)
}

# Below, levels that the draw leaves out might show.
min_restricted_delta <- 1e-100

# A count of 2 or more, or a share of the rows, rounded up.
check_restricted_level <- function(level, n) {
  if (is.null(level)) return(NULL)
  must <- sprintf("a whole number from 2 to %d, or a share of the rows below 1", n)
  if (!is_scalar_number(level)) stop_input("level", must, describe(level))
  if (!is.finite(level) || level <= 0 || level > n || level >= 1 && level != round(level) || level == 1) {
    stop_input("level", must, format(as.double(level)))
  }
  if (level < 1) level <- max(2, ceiling(level * n * (1 - 4 * .Machine$double.eps)))
  as.double(level)
}

# Beyond this the draw uses no more of its budget: weights stay within doubles.
most_draw_rate <- 256

# More than twice the rounding error of a bound's logarithm, by public numbers: each of up to n sums adds a
# unit of the last place of numbers up to epsilon n/2 + 128. (Logarithms of volumes of polytopes are off by
# 2^-37 at most: src/margin/restricted.c.)
min_slack <- 2^-16
safety_slack <- function(n, epsilon) max(min_slack, 2^-50 * (n + 16) * (epsilon * n / 2 + 128))

# The number of consecutive safe levels k = 0, 1, ... of n rows. `upper`: logarithms of the numbers of points
# of the regions of levels 1, ..., t; `lower`: of levels t, t + 1, ... as far as they have points; or
# nested bounds of them. PRIVATE; moves by at most one when a row is replaced: vignette("proofs-restricted").
restricted_margin <- function(upper, lower, n, epsilon, delta) {
  if (length(lower) == 0) return(0)
  bounds <- safety_bounds(upper, lower, tail_masses(lower, length(upper), epsilon), epsilon)
  count_safe(bounds, delta, safety_slack(n, epsilon))
}

# Logarithms of sum_{j >= l} V_j e^{epsilon j/2} (1 - e^{-epsilon/2}), l = t, ..., deepest + 1.
tail_masses <- function(lower, t, epsilon) {
  terms <- lower + epsilon * (t - 1 + seq_along(lower)) / 2 + log(-expm1(-epsilon / 2))
  rev(Reduce(log_add, rev(terms), -Inf, accumulate = TRUE))
}

log_add <- function(a, b) {
  if (a == -Inf) b else if (a > b) a + log1p(exp(b - a)) else b + log1p(exp(a - b))
}

# Logarithms of e^{epsilon (t+k)/2} [e^{-epsilon/2} V_{t-1-k} + (1 - e^{-epsilon/2}) V_{t-k}] / W_{t+k}, for
# the k >= 0 with t - 1 - k >= 1 and a region of level t + k.
safety_bounds <- function(upper, lower, mass, epsilon, t = length(upper)) {
  most <- min(t - 2, length(lower) - 1)
  if (most < 0) return(numeric(0))
  k <- 0:most
  base <- lower[1 + k] + epsilon * (t + k) / 2
  above <- mass[2 + k]
  weight <- pmax(base, above) + log1p(exp(-abs(base - above)))
  # a sum of two terms above 0: with expm1() of their difference it would cancel for large epsilon
  far <- upper[t - 1 - k] - epsilon / 2
  near <- upper[t - k] + log(-expm1(-epsilon / 2))
  epsilon * (t + k) / 2 + pmax(far, near) + log1p(exp(-abs(far - near))) - weight
}

# Stricter from one k to the next by `slack`, so that rounding cannot make the count jump. A bound that is no
# number, of infinite or empty regions, is not safe.
count_safe <- function(bounds, delta, slack) {
  k <- seq_along(bounds) - 1
  unsafe <- which(!(bounds <= log(delta) - slack * (1 + k)) %in% TRUE)
  if (length(unsafe) == 0) length(bounds) else unsafe[[1]] - 1
}

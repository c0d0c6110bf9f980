# Propose, test, release: the test's threshold and distribution; restricted exponential mechanisms: what they
# take, and a safety margin from the sizes of nested regions.

# Passes if margin + discrete Laplace noise exceeds the threshold. With margin 0 (an unsafe data set)
# that has probability at most delta. rng: see R/mech-noise.R.
ptr_test <- function(margin, epsilon, delta, rng) {
  rate <- test_rate(epsilon)
  margin + draw_laplace_discrete(1L, rate[[1]], rate[[2]], rng) > ptr_threshold(epsilon, delta)
}

# Beyond this the test uses no more of its budget: the sampler takes whole numbers below 2^53.
most_test_rate <- 4096

test_rate <- function(epsilon) rate_of(min(epsilon, most_test_rate))

# The least whole T with P(Z > T) = q^(T+1) / (1 + q) <= delta, q = exp(-rate). Logarithms are rounded
# outward: next to a tie T may be one too large, never too small.
ptr_threshold <- function(epsilon, delta) {
  rate <- test_rate(epsilon)[[1]] / test_rate(epsilon)[[2]]
  room <- -log(delta) - log1p(exp(-rate))
  max(0, ceiling(room * (1 + 1e-12) / rate + 1e-9) - 1)
}

# P(margin + noise passes), for each margin.
test_chance <- function(margin, epsilon, delta) {
  q <- exp(-epsilon)
  gap <- ptr_threshold(epsilon, delta) - margin
  ifelse(gap >= 0, q^(gap + 1) / (1 + q), 1 - q^(-gap) / (1 + q))
}

# -- restricted mechanisms ----------------------------------------------------------------------------

plan_shares <- c(0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)

# A hundredth of it is a rate that the samplers take.
min_restricted_epsilon <- 1e-4

check_restricted_epsilon <- function(x) {
  check_number(x, "epsilon", min_restricted_epsilon, 1e6, closed = c(TRUE, TRUE))
}

# Below, levels that the draw leaves out might show.
min_restricted_delta <- 1e-100

# Beyond this the draw uses no more of its budget: weights stay within doubles.
most_draw_rate <- 256

# More than twice the rounding error of a bound's logarithm, by public numbers: each of up to n sums adds a
# unit of the last place of numbers up to epsilon n/2 + 128.
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
safety_bounds <- function(upper, lower, mass, epsilon) {
  t <- length(upper)
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

# The safety margin of whole rows, each column ascending, at most `most`: PRIVATE. It moves by at most one
# when a row is replaced: vignette("proofs-axes"). `times`: for plans, how often the columns stand there.
restricted_axes_margin <- function(sorted, level, epsilon, delta, most, times = 1) {
  slack <- restricted_axes_slack(nrow(sorted), ncol(sorted) * times, epsilon)
  .Call(ffi_restricted_axes_margin, sorted, as.double(times), as.integer(level), epsilon,
        c(log(delta), slack, min(ceiling(most), nrow(sorted))))
}

# More than twice the rounding error of a bound's logarithm: src/margin/restricted_axes.c.
restricted_axes_slack <- function(n, d, epsilon) {
  max(2^-16, 2^-45 * (d + 16)^2 + 2^-48 * (epsilon * n + 256))
}

# A test that normal data pass so often serves.
min_pass <- 0.95

# Propose, test, release: the test's threshold and distribution.

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

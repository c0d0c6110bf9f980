# Propose, test, release: the private test of a safety margin.

# Passes if margin + discrete Laplace noise exceeds the threshold. With margin 0 (an unsafe data set)
# that has probability at most delta. rng: see R/noise.R.
ptr_test <- function(margin, epsilon, delta, rng) {
  rate <- rate_of(epsilon)
  margin + draw_laplace_discrete(1L, rate[[1]], rate[[2]], rng) > ptr_threshold(epsilon, delta)
}

# The least whole T with P(Z > T) = q^(T+1) / (1 + q) <= delta, q = exp(-rate). Logarithms are rounded
# outward: next to a tie T may be one too large, never too small.
ptr_threshold <- function(epsilon, delta) {
  rate <- rate_of(epsilon)[[1]] / rate_of(epsilon)[[2]]
  room <- -log(delta) - log1p(exp(-rate))
  max(0, ceiling(room * (1 + 1e-12) / rate + 1e-9) - 1)
}

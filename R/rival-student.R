# Student noise with three degrees of freedom on whole numbers, scaled to the smooth sensitivity of a median.
#
# METHOD: P(j) is proportional to (3 s^2 + j^2)^-2 over the whole numbers j. A shift by h costs at most
#   2 h/(sqrt(3) s), and a scale that is exp(b) times as large at most 4 b. So with b = epsilon/8 and
#   s = 4 S/(sqrt(3) epsilon), S a b-smooth bound of the sensitivity, the noise is pure epsilon-DP.
# ROUNDING: s is a whole number of at least 2^20, which pays 4 2^-20 of the budget; so does the sampler's
#   relative error, below 2^-40: `smoothness` is less than b by 2^-19.
# REFERENCE: Bun and Steinke (2019), Average-case averages; Nissim, Raskhodnikova and Smith (2007).

# Steps across the range that a Theil-Sen median is looked for in.
theilsen_steps <- 2^40

# Below, the rounding of the scale is not small beside the budget.
min_student_epsilon <- 1e-3

student_constants <- function(epsilon) {
  list(smoothness = epsilon / 8 - 2^-19, factor = 4 / (sqrt(3) * epsilon))
}

# A median's place with noise, clipped to the range. A row moves at most `matchings` of the values.
draw_median_smooth <- function(sorted, plan, source) {
  law <- student_law(sorted, plan)
  min(max(law$centre + draw_student(law$scale, source), 0), theilsen_steps)
}

# The centre and the scale, both whole numbers. PRIVATE.
student_law <- function(sorted, plan) {
  constants <- student_constants(plan$epsilon)
  found <- median_smooth_bound(sorted, plan$matchings, constants$smoothness)
  scale <- ceiling(max(found * constants$factor * (1 + 2^-40), 2^20))
  list(centre = sorted[[(length(sorted) + 1) %/% 2]], scale = scale)
}

# max over l of exp(-beta l) A(l), A(l) the longest window of (l + 1) k ranks that holds the median's rank.
# PRIVATE.
median_smooth_bound <- function(sorted, k, beta) {
  n <- length(sorted)
  rank <- (n + 1) %/% 2
  ends <- c(rep(0, n + 1), sorted, rep(theilsen_steps, n + 1))
  best <- 0
  l <- 0
  while (exp(-beta * l) * theilsen_steps > best) {
    h <- (l + 1) * k
    at <- n + 1 + rank + 0:min(h, n)
    length <- if (h > n) theilsen_steps else max(ends[at] - ends[at - h])
    best <- max(best, exp(-beta * l) * length)
    l <- l + 1
  }
  best
}

# A whole number (in size at least 2^52: rounded) with the distribution above, to a relative error of 2^-40.
# Size r is proposed in [0, s) or in [2^(b-1) s, 2^b s), b = 1, 2, ..., by fair coins; the weight
# relative to the proposal's is greatest at r = 2 s.
draw_student <- function(scale, source) {
  repeat {
    block <- 0
    while (draw_below(1L, 2, source) == 1) block <- block + 1
    times <- 2^max(0, block - 1) # the block's width, in scales
    r <- (block > 0) * times * scale + draw_wide(times * scale, source)
    negative <- draw_below(1L, 2, source) == 1
    kept <- times * 2^(block + 1) * 49 / 16 / (3 + (r / scale)^2)^2
    if (draw_bernoulli_double(1L, min(1, kept), source) && !(negative && r == 0)) {
      return(if (negative) -r else r)
    }
  }
}

# Uniform on 0, ..., size - 1; in 2^52 steps where that is more than 2^52.
draw_wide <- function(size, source) {
  if (size <= 2^52) draw_below(1L, size, source) else size * 2^-52 * draw_below(1L, 2^52, source)
}

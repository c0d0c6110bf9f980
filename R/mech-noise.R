# Exact integer draws, vectorised over independent repetitions: internal, for the mechanisms
# that add noise to counts and for the tests of the samplers.
#
# `num`, `den`: a rational number as two whole numbers of at most 2^53. The draws are whole
# numbers below 2^53 in size; a draw that a double cannot hold is an error, not a rounding.
# `rng`: "system", "R" or NULL for the option; in tests a tape or "broken" (src/r/host.h).

# Uniform on 0, ..., size - 1.
draw_below <- function(n, size, rng = NULL) draw_law(n, "below", size, rng)

# TRUE with probability num/den.
draw_bernoulli_ratio <- function(n, num, den, rng = NULL) {
  draw_law(n, "bernoulli_ratio", c(num, den), rng) == 1
}

# TRUE with probability p, exactly the double's value.
draw_bernoulli_double <- function(n, p, rng = NULL) {
  draw_law(n, "bernoulli_double", p, rng) == 1
}

# TRUE with probability exp(-num/den).
draw_bernoulli_exp <- function(n, num, den = 1, rng = NULL) {
  draw_law(n, "bernoulli_exp", c(num, den), rng) == 1
}

# TRUE with probability exp(-rate * gap / 2), rate = rate_of(epsilon).
draw_bernoulli_half_rate <- function(n, epsilon, gap, rng = NULL) {
  draw_law(n, "bernoulli_half_rate", c(epsilon, gap), rng) == 1
}

# P(G >= g) = exp(-g num/den), g = 0, 1, ...
draw_geometric_exp <- function(n, num, den = 1, rng = NULL) {
  draw_law(n, "geometric_exp", c(num, den), rng)
}

# P(z) proportional to exp(-|z| num/den), over the integers or over -bound, ..., bound.
draw_laplace_discrete <- function(n, num, den = 1, rng = NULL) {
  draw_law(n, "laplace_discrete", c(num, den), rng)
}
draw_laplace_truncated <- function(n, num, den, bound, rng = NULL) {
  draw_law(n, "laplace_truncated", c(num, den, bound), rng)
}

# P(z) proportional to exp(-z^2 / (2 sigma^2)), sigma^2 = var_num/var_den.
draw_gaussian_discrete <- function(n, var_num, var_den = 1, rng = NULL) {
  draw_law(n, "gaussian_discrete", c(var_num, var_den), rng)
}

# m numbers, P(z) proportional to exp(-max |z_j| num/den): one draw.
draw_cube_discrete <- function(m, num, den = 1, rng = NULL) {
  .Call(ffi_draw_cube, draw_source(rng), check_count(m, "m"), as.double(c(num, den)))
}

# The least bound that makes truncated discrete Laplace noise at the rate of epsilon
# (epsilon, delta)-private on a count of sensitivity one.
laplace_truncated_bound <- function(epsilon, delta) {
  .Call(ffi_laplace_truncated_bound, check_epsilon(epsilon), check_delta(delta))
}

# The rate c(num, den) that stands for epsilon, below it by 2^-34 and a little, and as
# dpd_rate_from_double() has it for epsilon below 1; exact in doubles for epsilon up to 8192.
rate_of <- function(epsilon) c(floor(check_epsilon(epsilon) * 2^40) - 64, 2^40)

draw_law <- function(n, law, parameters, rng) {
  .Call(ffi_draw, draw_source(rng), check_count(n, "n", 0L), law, as.double(parameters))
}

# As check_rng(), but lets the tests' sources through.
draw_source <- function(rng) {
  if (is.double(rng) || identical(rng, "broken")) rng else check_rng(rng)
}

# -- noise of whole numbers ------------------------------------------------------------------------

# A rate c(num, den) of at most epsilon / sensitivity. Below 2^-52 there is none: the plans of doors refuse
# before, and whatever comes here is a bug.
laplace_rate <- function(epsilon, sensitivity) {
  rate <- epsilon / sensitivity * (1 - 2^-40)
  den <- 2^(52 - max(0, ceiling(log2(rate))))
  num <- floor(rate * den)
  if (!isTRUE(num >= 1)) stop_status("internal")
  c(num, den)
}

# `values` are whole numbers that move by `sensitivity` at most, added up over all: epsilon-DP.
add_laplace <- function(values, sensitivity, epsilon, source) {
  rate <- laplace_rate(epsilon, sensitivity)
  values + draw_laplace_discrete(length(values), rate[[1]], rate[[2]], source)
}

# A random order of 1, ..., n, each as likely as any other. It is independent of the data and not released.
# (Ties among n random numbers would break the symmetry: then they are drawn anew.)
random_order <- function(n, source) {
  repeat {
    place <- draw_below(n, 2^53, source)
    if (!anyDuplicated(place)) return(order(place))
  }
}

# P(N + L >= x): a normal distribution and a Laplace distribution about 0.
normal_laplace_tail <- function(x, sd, scale) {
  if (sd == 0) return(exp(-x / scale) / 2)
  ratio <- sd / scale
  if (ratio > 1000) return(stats::pnorm(-x / sqrt(sd^2 + 2 * scale^2)))
  part <- function(sign) {
    exp(ratio^2 / 2 + sign * x / scale + stats::pnorm(-sign * x / sd - ratio, log.p = TRUE))
  }
  stats::pnorm(-x / sd) + (part(-1) - part(1)) / 2
}

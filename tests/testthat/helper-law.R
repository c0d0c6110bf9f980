# Exact laws of the noise, and distances between laws: slow, simple, independent of the C code.

# P(z) proportional to exp(-|z| num/den) over the integers, in closed form.
pmf_laplace_discrete <- function(z, num, den = 1) {
  rate <- num / den
  tanh(rate / 2) * exp(-abs(z) * rate)
}

# The same over -bound, ..., bound, normalised by the sum itself.
pmf_laplace_truncated <- function(z, num, den, bound) {
  rate <- num / den
  ifelse(abs(z) <= bound, exp(-abs(z) * rate), 0) / sum(exp(-abs(seq(-bound, bound)) * rate))
}

# P(z) proportional to exp(-z^2 / (2 var)); the sum is cut at 40 sigma, where exp(-800) is left.
pmf_gaussian_discrete <- function(z, var_num, var_den = 1) {
  var <- var_num / var_den
  support <- seq(0, ceiling(40 * sqrt(var)) + 1)
  weight <- exp(-support^2 / (2 * var))
  exp(-z^2 / (2 * var)) / (2 * sum(weight) - 1)
}

# P(G = g) when P(G >= g) = exp(-g num/den).
pmf_geometric_exp <- function(g, num, den = 1) exp(-g * num / den) * -expm1(-num / den)

# The least delta for which P(S) <= exp(eps) Q(S) + delta for every event S: one direction.
hockey_stick <- function(p, q, eps) sum(pmax(p - exp(eps) * q, 0))

# max |log p - log q|: the least pure epsilon, both directions. Infinite when one law puts mass
# where the other has none.
max_log_ratio <- function(p, q) {
  either <- p > 0 | q > 0
  max(abs(log(p[either]) - log(q[either])))
}

# Counts of whole numbers over low, ..., high; everything else in one last cell.
count_over <- function(x, low, high) {
  inside <- x >= low & x <= high
  c(tabulate(x[inside] - low + 1, high - low + 1), sum(!inside))
}

# P(w) of rounded Laplace noise of scale t: over the half-odd numbers.
pmf_half <- function(w, t) 0.5 * exp(-(abs(w) - 0.5) / t) * -expm1(-1 / t)

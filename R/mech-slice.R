# The middle slice of ranks whose interior points are medians up to alpha.
#
# METHOD: with probability 0.95 or more, for independent rows of any law, all of the ranks lo, ..., n + 1
#   - lo lie between the law's quantiles 1/2 - alpha and 1/2 + alpha: at most as many rows as Binomial(n,
#   1/2 - alpha) says lie below the former, and no more than lo - 1 do so but with probability 0.025.

check_alpha <- function(alpha) check_number(alpha, "alpha", 0, 0.5)

# c(lo, n + 1 - lo), public; all ranks without an alpha.
slice_ranks <- function(n, alpha = NULL) {
  if (is.null(alpha)) return(c(1, n))
  low <- stats::qbinom(0.975, n, 0.5 - alpha) + 1
  c(low, n + 1 - low)
}

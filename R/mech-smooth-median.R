# Smooth sensitivity of the median of one variable, as the calculator and the release share it.

# The value is max(least, S); `profile` is the most levels to return.
median_sensitivity <- function(x, lower, upper, beta, least = 0, profile = 0L) {
  n <- length(x)
  ends <- c(lower, pmin(pmax(sort(as.vector(x)), lower), upper), upper)
  count <- min(profile, n + 1L)
  out <- .Call(ffi_sens_median, matrix(ends), (n + 1L) %/% 2L, beta, least, count)
  out$profile <- relevant_levels(out$profile, out$value, beta, upper - lower)
  out
}

# A^(k) for k = 0, ..., count - 1 of one variable of integers. Beyond the first 2000 a window of twice the
# ranks stands in: nested too, and looked at for very small budgets only.
median_windows <- function(y, lower, upper, count) {
  n <- length(y)
  p <- (n + 1L) %/% 2L
  ends <- c(lower, pmin(pmax(sort(y), lower), upper), upper)
  first <- min(count, window_levels)
  near <- .Call(ffi_sens_median, matrix(ends), p, 1, Inf, as.integer(first))$profile
  k <- seq_len(count - first) + first - 1
  c(near, ends[pmin(p + k + 1, n + 1) + 1] - ends[pmax(p - k - 1, 0) + 1])
}

# More levels of windows than this are not looked at: they would cost K^2, and the regions' bounds serve
# there.
window_levels <- 2000L

# The part of a profile before the k at which not even the whole width could win.
relevant_levels <- function(profile, value, beta, whole) {
  k <- seq_along(profile) - 1L
  profile[exp(-beta * k) * whole >= value]
}

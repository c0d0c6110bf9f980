# Private histograms: the noise of counts, the threshold below which bins are not reported, and bins.
#
# METHOD: a replaced row leaves one bin and enters another, so that two counts move by one: noise at the
#   rate of epsilon/2 each. Of a public list of bins all counts are released. Of infinitely many bins
#   those without rows must never show: only bins with rows get noise, and a bin shows from a noisy count
#   of t on, t being the least with P(1 + Z >= t) <= delta. A bin that one row alone holds shows with
#   that probability.
# FLOATING POINT: which bin a row is in is a function of that row and public numbers, found by
#   comparisons with the bins' edges as doubles.
# REFERENCE: vignettes/proofs-unbounded.Rmd, sections 1 and 2.

# The rate of one count's noise, c(num, den).
histogram_rate <- function(epsilon, private) {
  laplace_rate(epsilon, if (private) 1 else 2)
}

# The least t with P(1 + Z >= t) = q^(t - 1) / (1 + q) <= delta, q = exp(-rate). Logarithms are rounded
# outward: next to a tie t may be one too large, never too small.
stability_threshold <- function(rate, delta) {
  rate <- rate[[1]] / rate[[2]]
  room <- -log(delta) - log1p(exp(-rate))
  1 + max(0, ceiling((room * (1 + 1e-12) + 1e-14) / rate))
}

# Noisy counts.
noisy_counts <- function(counts, rate, source) {
  counts + draw_laplace_discrete(length(counts), rate[[1]], rate[[2]], source)
}

# The bins that hold rows, rising, and how many. PRIVATE: bin, a number for each row, or for each `count`
# rows; equal numbers are one bin.
bin_counts <- function(bin, count = NULL) {
  bin <- bin + 0 # 0 for -0
  if (is.null(count)) {
    runs <- rle(sort(bin))
    return(list(bin = runs$values, count = runs$lengths))
  }
  order <- order(bin)
  runs <- rle(bin[order])
  total <- cumsum(count[order])[cumsum(runs$lengths)]
  list(bin = runs$values, count = diff(c(0, total)))
}

# The bins that are reported. PRIVATE: held, of bin_counts().
stable_bins <- function(held, rate, threshold, source) {
  noisy <- noisy_counts(held$count, rate, source)
  kept <- noisy >= threshold
  list(bin = held$bin[kept], count = noisy[kept])
}

# -- bins of equal width ---------------------------------------------------------------------------

# Rows farther than so many bins from the origin are in one of two unbounded bins.
most_bins <- 2^40

width_edge <- function(j, width, origin) origin + j * width

# The j with edge(j) <= x < edge(j + 1), each row by itself; edges increase, and the quotient is off by
# one at most.
width_bins <- function(x, width, origin) {
  clip <- function(j) pmin(pmax(j, -most_bins), most_bins)
  j <- clip(floor((x - origin) / width))
  j <- j - (width_edge(j, width, origin) > x)
  j <- j + (width_edge(j + 1, width, origin) <= x)
  clip(j)
}

width_ends <- function(j, width, origin) {
  list(from = ifelse(j <= -most_bins, -Inf, width_edge(j, width, origin)),
       to = ifelse(j >= most_bins, Inf, width_edge(j + 1, width, origin)))
}

# -- bins of doubling width ------------------------------------------------------------------------

# All powers of two that a double can be.
binades <- 2^(-1074:1023)

# 1, 2, ... for (0, 2^-1074], (2^-1074, 2^-1073], ..., (2^1023, Inf); 0 for 0; negative on the other side.
binade_bins <- function(x) {
  k <- findInterval(abs(x), binades, left.open = TRUE) + 1
  sign(x) * k
}

binade_ends <- function(k) {
  inner <- c(0, binades)[pmax(1, abs(k))]
  outer <- c(binades, Inf)[pmax(1, abs(k))]
  list(from = ifelse(k > 0, inner, ifelse(k < 0, -outer, 0)),
       to = ifelse(k > 0, outer, ifelse(k < 0, -inner, 0)))
}

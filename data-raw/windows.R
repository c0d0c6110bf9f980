# windows.R - the tail of the largest gap between order statistics K apart, for projection_constants().
#
# In the limit such a gap is a sum of K exponential variables, and the largest over 0 <= t <= K is that of
# K + 1 windows of 2 K of them. Prints P(largest > x)/P(Gamma(K) > x) at some quantiles, and the formula
# 1 + 1.1 K^0.62 that normal_reach() takes for it.

set.seed(2)
largest <- function(K, runs) {
  e <- matrix(stats::rexp(2 * K * runs), runs)
  sums <- cbind(0, t(apply(e, 1, cumsum)))
  do.call(pmax, lapply(0:K, function(t) sums[, K + 1 + t] - sums[, 1 + t]))
}
for (K in c(1, 2, 3, 5, 8, 12, 20, 35, 60, 100)) {
  w <- unlist(lapply(seq_len(if (K <= 20) 20 else 5), function(i) largest(K, 1e4)))
  tail <- c(1e-2, 1e-3, 2e-4)
  ratio <- tail / stats::pgamma(stats::quantile(w, 1 - tail), K, lower.tail = FALSE)
  cat(sprintf("K = %3d: %5.2f %5.2f %5.2f; ", K, ratio[[1]], ratio[[2]], ratio[[3]]),
      sprintf("formula %5.2f\n", 1 + 1.1 * K^0.62))
}

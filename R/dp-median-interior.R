# A median without bounds as an interior point of the middle slice of the rows.

# `alpha`: how far the release's rank may be from the median's. PRIVATE: x.
release_median_interior <- function(x, epsilon, delta, alpha = 0.25, ledger = NULL, rng = NULL) {
  x <- check_line(x)
  alpha <- check_alpha(alpha)
  ranks <- slice_ranks(nrow(x), alpha)
  if (ranks[[2]] <= ranks[[1]]) {
    stop_input("alpha", sprintf("so large that %d rows have a middle slice", nrow(x)), format(alpha),
               "Take a larger `alpha`, more rows, or another method.")
  }
  release_interior(x, epsilon, delta, ranks, ledger, rng, "median",
                   list(alpha = alpha, ranks = ranks))
}

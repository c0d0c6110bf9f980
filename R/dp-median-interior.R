# A median without bounds as an interior point of the middle slice of the rows.

# `alpha`: how far the release's rank may be from the median's.
median_interior_mechanism <- function() interior_mechanism(plan_slice, neighbours = "substitution")

plan_slice <- function(facts, given) {
  alpha <- check_alpha(given$alpha)
  ranks <- slice_ranks(facts$n, alpha)
  if (ranks[[2]] <= ranks[[1]]) {
    stop_input("alpha", sprintf("so large that %d rows have a middle slice", facts$n), format(alpha),
               "Take a larger `alpha`, more rows, or another method.")
  }
  interior_details(facts, given, ranks, "median", list(alpha = alpha, ranks = ranks))
}

release_median_interior <- function(x, epsilon, delta, alpha = 0.25, ledger = NULL, rng = NULL) {
  given <- list(x = x, epsilon = epsilon, delta = delta, alpha = alpha, na = "fail")
  release_by(median_interior_mechanism(), list(given = c(given, ledger = list(ledger), rng = list(rng))))
}

# A median without bounds as an interior point of the middle slice of the rows.

default_alpha <- 0.25

# `alpha`: how far the release's rank may be from the median's.
median_interior_mechanism <- function() interior_mechanism(plan_slice, neighbours = "substitution")

plan_slice <- function(facts, given) {
  check_size(matrix(0, 1, facts$d), max_d = 1L)
  alpha <- check_alpha(if (is.null(given$alpha)) default_alpha else given$alpha)
  ranks <- slice_ranks(facts$n, alpha)
  if (ranks[[2]] <= ranks[[1]]) {
    stop_input("alpha", sprintf("so large that %d rows have a middle slice", facts$n), format(alpha),
               "Take a larger `alpha`, more rows, or another method.")
  }
  interior_details(facts, given, ranks, "median", list(alpha = alpha, ranks = ranks))
}

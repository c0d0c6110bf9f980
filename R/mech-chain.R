# Markov chains: how many, and how long.

chain_size <- function(chains, steps, d, minimum = 1L, default = max(2000L, 300L * d)) {
  if (is.null(steps)) steps <- default
  list(chains = check_count(chains, "chains", upper = 1000L),
       steps = check_count(steps, "steps", lower = minimum, upper = 1e7))
}

# A release's chain runs for this long at the least.
min_chain_steps <- 1000L

# The least number that satisfies a condition; numbers that are found once.

# The least number that will do, to within the factor `ratio`, or NA. `step`: between the numbers looked at
# first; a small one finds short stretches that will do.
search_minimum <- function(will_do, low, high, ratio, step = 2) {
  while (!will_do(low * step)) {
    low <- low * step
    if (low * step > high) return(NA_real_)
  }
  bisect_minimum(will_do, low, low * step, ratio)
}

# The same between one that will not do and one that does.
bisect_minimum <- function(will_do, low, high, ratio) {
  while (high > low * ratio) {
    middle <- sqrt(low * high)
    if (will_do(middle)) high <- middle else low <- middle
  }
  high
}

# The least whole number from `low` up to `high` that will do, to within the share `within`, or NA.
search_count <- function(will_do, low, high = .Machine$integer.max, within = 0) {
  if (will_do(low)) return(low)
  repeat {
    if (low >= high) return(NA_real_)
    step <- min(2 * low, high)
    if (will_do(step)) break
    low <- step
  }
  # low will not do, step will
  while (step - low > max(1, within * step)) {
    middle <- floor((low + step) / 2)
    if (will_do(middle)) step <- middle else low <- middle
  }
  step
}

# The value that is known under `key` in the environment `memory`, or else what `make` makes, and from then on
# that: an interrupt leaves nothing behind.
remembered <- function(memory, key, make) {
  if (is.null(memory[[key]])) assign(key, make, memory)
  memory[[key]]
}

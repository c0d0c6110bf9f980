# The least number that satisfies a condition.

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

# The least whole number from `low` up to `high` that will do, or NA.
search_count <- function(will_do, low, high) {
  if (will_do(low)) return(low)
  repeat {
    if (low >= high) return(NA_real_)
    step <- min(2 * low, high)
    if (will_do(step)) break
    low <- step
  }
  # low will not do, step will
  while (step - low > 1) {
    middle <- floor((low + step) / 2)
    if (will_do(middle)) step <- middle else low <- middle
  }
  step
}

# The least number of rows that will do, to within a thousandth, or NA.
search_rows <- function(will_do, low, high = .Machine$integer.max) {
  step <- low
  while (!will_do(step)) {
    if (step >= high) return(NA_real_)
    low <- step
    step <- min(2 * step, high)
  }
  while (step - low > max(1, step / 1000)) {
    middle <- floor((low + step) / 2)
    if (will_do(middle)) step <- middle else low <- middle
  }
  step
}

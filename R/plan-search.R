# The least number that satisfies a monotone condition: what the planners share.

# The least number that will do, to within the factor `ratio`, or NA.
least_of <- function(will_do, low, high, ratio) {
  while (!will_do(low * 2)) {
    low <- low * 2
    if (low * 2 > high) return(NA_real_)
  }
  least_between(will_do, low, low * 2, ratio)
}

# The same between one that will not do and one that does.
least_between <- function(will_do, low, high, ratio) {
  while (high > low * ratio) {
    middle <- sqrt(low * high)
    if (will_do(middle)) high <- middle else low <- middle
  }
  high
}

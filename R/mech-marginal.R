# The budget of composed medians, one a variable.

# epsilon of each variable, rounded down, and the delta that is spent: public numbers only. Where basic
# composition gives as much, no delta is spent.
marginal_budget <- function(epsilon, delta, d) {
  down <- 1 - 2^-40
  basic <- epsilon / d * down
  rho <- if (delta > 0) zcdp_rho(epsilon, delta) else 0
  composed <- sqrt(8 * rho / d) * down
  if (composed <= basic) return(list(each = basic, delta = 0, rho = NULL))
  list(each = composed, delta = delta, rho = rho)
}

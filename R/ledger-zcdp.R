# Zero-concentrated differential privacy: how much of it an (epsilon, delta) budget buys.

# The largest rho, rounded down, such that rho-zCDP implies (epsilon, delta)-DP by
#   delta = min over a > 1 of exp((a - 1)(a rho - epsilon)) (1 - 1/a)^a/(a - 1)
# (Canonne, Kamath and Steinke, 2020, Corollary 13). Any a gives a valid rho, so that the search need not be
# exact; the terms' rounding errors are taken off the numerator.
zcdp_rho <- function(epsilon, delta) {
  rho_at <- function(t) { # a = 1 + exp(t)
    less <- exp(t)
    a <- 1 + less
    terms <- c(epsilon * less, log(delta), a * log1p(1 / less), t)
    (sum(terms) - 1e-13 * sum(abs(terms))) / (a * less)
  }
  # where to look; what is found is bounded by rho_at() alone, which holds for every t
  t <- seq(-20, 25, by = 0.05)
  less <- exp(t)
  at <- t[[which.max((epsilon * less + log(delta) + (1 + less) * log1p(1 / less) + t) / ((1 + less) * less))]]
  best <- stats::optimize(rho_at, at + c(-0.05, 0.05), maximum = TRUE)$objective
  max(0, best, rho_at(at)) * (1 - 1e-12)
}

# The least epsilon, rounded up, such that rho-zCDP implies (epsilon, delta)-DP by the same formula. Any order
# a gives a valid epsilon.
zcdp_epsilon <- function(rho, delta) {
  if (rho == 0 && delta >= 0) return(0)
  if (rho == Inf || delta <= 0) return(Inf)
  epsilon_at <- function(t) { # a = 1 + exp(t)
    less <- exp(t)
    a <- 1 + less
    terms <- c(-log(delta), -a * log1p(1 / less), -t) / less
    a * rho + sum(terms) + 1e-13 * (a * rho + sum(abs(terms)))
  }
  t <- seq(-20, 25, by = 0.05)
  at <- t[[which.min(vapply(t, epsilon_at, 0))]]
  best <- stats::optimize(epsilon_at, at + c(-0.05, 0.05))$objective
  max(0, min(best, epsilon_at(at))) * (1 + 1e-12)
}

# rho, rounded up, of draws whose log ratios between neighbours lie within ranges `each` wide, composed: those
# of the exponential mechanism at a rate of each/2 (Cesar and Rogers, 2021; Dong, Durfee and Rogers, 2020).
bounded_range_rho <- function(each) sum(each^2) / 8 * (1 + 1e-12)

# Composed medians, one per variable: epsilon of each, rounded down, and the delta that is spent, from public
# numbers only. Where basic composition gives as much, no delta is spent.
marginal_budget <- function(epsilon, delta, d) {
  down <- 1 - 2^-40
  basic <- epsilon / d * down
  rho <- if (delta > 0) zcdp_rho(epsilon, delta) else 0
  composed <- sqrt(8 * rho / d) * down
  if (composed <= basic) return(list(each = basic, delta = 0, rho = NULL))
  list(each = composed, delta = delta, rho = rho)
}

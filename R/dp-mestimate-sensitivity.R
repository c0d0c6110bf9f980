# The M-estimate with noise in proportion to its gross-error sensitivity: asymptotic, as published.
#
# METHOD: T(F_n) + gamma(T, F_n) 5 sqrt(2 log(n) log(2/delta)) / (epsilon n) N(0, I), in units of `scale`; the
#   sensitivity is that at the data. Estimate and noise are whole multiples of a public unit.
# REFERENCE: Avella-Medina (2021), section 3. Nothing is proved for finite n: the noise follows the data.

mestimate_asymptotic <- function(x, bounds, psi, budget, ledger, source) {
  delta <- check_delta(budget$delta)
  paid <- debit(ledger, "M-estimate (gross-error sensitivity)", nrow(x), budget$epsilon, delta, source,
                "asymptotic")
  unit <- 2^max(-20, ceiling(log2(bounds$distance)) - 20)
  fit <- mestimate_fit(x, bounds, psi)
  middle <- middle_of(bounds)
  factor <- 5 * sqrt(2 * log(max(2, nrow(x))) * log(2 / delta)) / (budget$epsilon * nrow(x))
  sd <- min(fit$gross_error * factor, 4 * bounds$distance) / unit
  places <- round((fit$estimate - middle) / bounds$scale / unit)
  noisy <- places + draw_gaussian_discrete(ncol(x), max(1, ceiling(sd^2)), 1, source)
  list(estimate = pmin(pmax(middle + noisy * unit * bounds$scale, bounds$lower), bounds$upper),
       paid = paid,
       mechanism = "discrete Gaussian noise in proportion to the gross-error sensitivity", details = list())
}

# The M-estimate with noise in proportion to its gross-error sensitivity: asymptotic, as published.
#
# METHOD: T(F_n) + gamma(T, F_n) 5 sqrt(2 log(n) log(2/delta)) / (epsilon n) N(0, I), in units of `scale`; the
#   sensitivity is that at the data. Estimate and noise are whole multiples of a public unit.
# REFERENCE: Avella-Medina (2021), section 3. Nothing is proved for finite n: the noise follows the data.

#' M-estimates with noise by gross-error sensitivity, for comparison
#'
#' The M-estimate with noise in proportion to its gross-error sensitivity, as published for large n: *no
#' privacy is proved* for any n, since the noise follows the data, and the release says "asymptotic". For data
#' that need protection, use [dp_mestimate()].
#'
#' @inheritParams dp_mestimate
#' @param x A numeric vector, matrix or data frame, one individual per row.
#' @param delta Between 0 and 1; much less than 1/n is usual.
#' @param na As in [dp_median()]; `"omit"` is refused.
#' @return A [`dp_release`][dp_release] with `guarantee = "asymptotic"`.
#' @inheritSection dp_median Errors
#' @references
#' Avella-Medina, M. (2021). Privacy-preserving parametric inference: a case for robust statistics. *JASA*
#' 116. \doi{10.1080/01621459.2019.1700130}
#' @seealso [dp_mestimate()], [sens_mestimate()].
#' @examples
#' # eruptions of Old Faithful: waiting times spread by about 15 minutes
#' rival_mestimate(faithful$waiting, epsilon = 1, delta = 1e-6, lower = 0,
#'                 upper = 180, scale = 15)
#' @export
rival_mestimate <- function(x, epsilon, delta, psi = c("huber", "tukey", "logistic"), lower = NULL,
                            upper = NULL, scale = NULL, tuning = NULL, ..., ledger = NULL, rng = NULL,
                            na = "fail") {
  release_by(sensitivity_mechanism(), door_call())
}

sensitivity_mechanism <- function() {
  new_mechanism(plan_sensitivity, draw_sensitivity, neighbours = "substitution",
                ready = function(rows, plan) plain_rows(rows))
}

plan_sensitivity <- function(facts, given) {
  delta <- check_delta(given$delta)
  bounds <- mestimate_limits(given, facts$d, facts$names)
  psi <- check_psi(given$psi, given$tuning, facts$d)
  list(label = "M-estimate (gross-error sensitivity)", what = "M-estimate", guarantee = "asymptotic",
       mechanism = "discrete Gaussian noise in proportion to the gross-error sensitivity", delta = delta,
       bounds = bounds, psi = psi, epsilon = given$epsilon,
       details = mestimate_details(psi, bounds, facts$variables))
}

# PRIVATE: rows.
draw_sensitivity <- function(rows, plan, source) {
  list(estimate = sensitivity_draw(rows, plan$bounds, plan$psi, plan$epsilon, plan$delta, source))
}

sensitivity_draw <- function(x, bounds, psi, epsilon, delta, source) {
  unit <- 2^max(-20, ceiling(log2(bounds$distance)) - 20)
  fit <- mestimate_fit(x, bounds, psi)
  middle <- middle_of(bounds)
  factor <- 5 * sqrt(2 * log(max(2, nrow(x))) * log(2 / delta)) / (epsilon * nrow(x))
  sd <- min(fit$gross_error * factor, 4 * bounds$distance) / unit
  places <- round((fit$estimate - middle) / bounds$scale / unit)
  noisy <- places + draw_gaussian_discrete(ncol(x), max(1, ceiling(sd^2)), 1, source)
  pmin(pmax(middle + noisy * unit * bounds$scale, bounds$lower), bounds$upper)
}

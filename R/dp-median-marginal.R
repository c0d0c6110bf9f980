# A median of each variable by itself: exact one-variable draws, composed.
#
# METHOD: the exponential mechanism of one variable at rate eps_j/2 is eps_j-DP and, since its log ratios lie
#   within a range of eps_j, eps_j^2/8-zCDP. d of them are (sum eps_j)-DP and (sum eps_j^2/8)-zCDP. Each
#   variable gets the same eps_j: the larger of epsilon/d and, where delta > 0, sqrt(8 rho/d), rho being what
#   (epsilon, delta) buys.
# REFERENCE: Cesar and Rogers (2021) for bounded range; Canonne, Kamath and Steinke (2020) for the conversion.

marginal_mechanism <- function() {
  new_mechanism(plan_marginal, draw_marginal, kinds = c("rows", "tally", "margins"))
}

plan_marginal <- function(facts, given) {
  n <- facts$n
  d <- facts$d
  refuse_resolution(given$resolution, "marginal")
  prior <- public_prior(given$prior, given$lower, given$upper, d, facts$names)
  refuse_dyadic(prior, "a median of each variable")
  budget <- marginal_budget(given$epsilon, given$delta, d)
  each <- check_marginal_epsilon(budget$each, given$epsilon, d)
  parts <- lapply(seq_len(d), function(j) marginal_prior(prior, j))
  steps <- vapply(seq_len(d), function(j) axes_steps(parts[[j]], facts$variables[[j]]), 0)
  resolved <- resolved_spread(median_failure(n, d, each, "marginal"), prior, steps, facts$variables)
  list(
    label = "median (of each variable)", what = "median", delta = budget$delta, parts = parts,
    mechanism = "exponential mechanism of each variable, composed", rho = bounded_range_rho(rep(each, d)),
    rate = monotone_epsilon(each, facts$private),
    details = c(list(prior = prior, depth = "of each variable", epsilon_each = each),
                if (!is.null(budget$rho)) list(rho = budget$rho), resolves_detail(resolved, facts$private),
                list(step = stats::setNames(steps, facts$variables))),
    warn = function(said) warn_limits(resolved, n, d, given$epsilon, prior, said)
  )
}

# PRIVATE: rows.
draw_marginal <- function(rows, plan, source) {
  list(estimate = vapply(seq_along(plan$parts), function(j) {
    draw_middle(column_of(rows, j), plan$parts[[j]], plan$rate, source)[[1]]
  }, 0))
}

# The prior of one variable: of a covariance, its variance counts.
marginal_prior <- function(prior, j) {
  prior$covariance <- NULL
  prior[] <- lapply(prior, function(v) unname(v[[j]]))
  prior
}

check_marginal_epsilon <- function(each, epsilon, d) {
  if (each >= 1e-6 && each <= 1e6) return(each)
  stop_input("epsilon", sprintf("from 1e-6 to 1e6 for each of %d variables", d), format(epsilon),
             "Each variable gets a part of it.")
}

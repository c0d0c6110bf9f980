# A median of each variable by itself: exact one-variable draws, composed.
#
# METHOD: the exponential mechanism of one variable at rate eps_j/2 is eps_j-DP and, since its log ratios lie
#   within a range of eps_j, eps_j^2/8-zCDP. d of them are (sum eps_j)-DP and (sum eps_j^2/8)-zCDP. Each
#   variable gets the same eps_j: the larger of epsilon/d and, where delta > 0, sqrt(8 rho/d), rho being what
#   (epsilon, delta) buys.
# REFERENCE: Cesar and Rogers (2021) for bounded range; Canonne, Kamath and Steinke (2020) for the conversion.

# For rows as rows_between() gives them.
release_marginal <- function(x, epsilon, delta, prior, neighbours = "substitution", ledger = NULL,
                             rng = NULL) {
  n <- size_between(neighbours, x)
  d <- ncol(x)
  epsilon <- check_epsilon(epsilon)
  prior <- prior_for(prior, d, names_of(x))
  refuse_dyadic(prior, "a median of each variable")
  source <- check_rng(rng)
  budget <- marginal_budget(epsilon, delta, d)
  each <- check_marginal_epsilon(budget$each, epsilon, d)
  names <- variable_names(x)
  parts <- lapply(seq_len(d), function(j) marginal_prior(prior, j))
  steps <- vapply(seq_len(d), function(j) axes_steps(parts[[j]], names[[j]]), 0)
  resolved <- resolved_spread(median_failure(n, d, each, "marginal"), prior, steps, names)
  paid <- debit(ledger, "median (of each variable)", n, epsilon, budget$delta, source,
                rho = bounded_range_rho(rep(each, d)), neighbours = neighbours,
                warn = warn_limits(resolved, n, d, epsilon, prior))
  rate <- monotone_epsilon(each, neighbours)
  drawn <- vapply(seq_len(d), function(j) {
    draw_middle(column_of(x, j), parts[[j]], rate, source)[[1]]
  }, 0)
  new_release(
    stats::setNames(drawn, names), paid,
    mechanism = "exponential mechanism of each variable, composed", n = n, d = d,
    details = c(
      list(what = "median", prior = prior, depth = "of each variable", epsilon_each = each),
      if (!is.null(budget$rho)) list(rho = budget$rho),
      resolves_detail(resolved, neighbours), list(step = stats::setNames(steps, names))
    )
  )
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

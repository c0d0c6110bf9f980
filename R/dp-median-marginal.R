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

# -- intervals of all variables --------------------------------------------------------------------

# dp_median(interval = ): pure, epsilon / d for each variable. The estimate is a point between the limits
# (interval_estimate()) and costs nothing.
median_interval_mechanism <- function() {
  new_mechanism(plan_median_intervals, draw_median_intervals, kinds = c("rows", "tally", "margins"))
}

# `simultaneous`: one level for all of them together, by Bonferroni's inequality.
plan_median_intervals <- function(facts, given) {
  n <- facts$n
  d <- facts$d
  epsilon <- given$epsilon
  limits <- given[c("prior", "lower", "upper")]
  prior <- if (all(vapply(limits, is.null, NA))) prior_for(prior_dyadic(), d, facts$names)
           else public_prior(given$prior, given$lower, given$upper, d, facts$names,
                             "prior_dyadic() is one without limits")
  level <- check_interval_level_given(given$interval)
  simultaneous <- given$simultaneous
  each <- if (simultaneous) 1 - (1 - level) / d else level
  resolution <- tally_resolution(facts$declared, given$resolution, prior)
  unit <- if (is_dyadic(prior)) resolution
  if (!is.null(unit)) {
    prior <- with_unit(prior, unit, facts$names)
    resolution <- NULL
  }
  names <- facts$variables
  parts <- lapply(seq_len(d), function(j) marginal_prior(prior, j))
  steps <- function(resolution = NULL) {
    vapply(seq_len(d), function(j) axes_steps(parts[[j]], names[[j]], resolution[j]), 0)
  }
  resolution <- check_multiples(resolution, d, names, steps)
  step <- stats::setNames(unname(steps(resolution)), names)
  check_interval_budget(n, epsilon, d)
  plans <- lapply(seq_len(d), function(j) {
    interval_plans(n, 0.5, each, epsilon / d, interval_reach(parts[[j]], resolution[j]))
  })
  all <- unlist(plans, recursive = FALSE)
  check_centred(all, prior, n, epsilon)
  resolved <- interval_resolves(all, parts, resolution, names)
  list(
    label = "median with interval", what = "median", plans = plans, parts = parts, resolution = resolution,
    mechanism = paste0(interval_mechanism, if (d > 1) ", for each variable, composed"),
    details = c(
      list(prior = prior, level = level, shares = interval_split(all), simultaneous = simultaneous,
           covers = median_covered(d, rounded_to(prior, resolution), simultaneous), resolves = resolved$at),
      unit_details(lattice_details(step, resolution), unit, prior)
    ),
    warn = function(said) warn_interval(all, is_dyadic(prior))
  )
}

# PRIVATE: rows.
draw_median_intervals <- function(rows, plan, source) {
  drawn <- lapply(seq_along(plan$parts), function(j) {
    draw_intervals(column_of(rows, j), plan$plans[[j]], plan$parts[[j]], source, plan$resolution[j])
  })
  list(estimate = vapply(drawn, `[[`, 0, "estimate"),
       interval = do.call(rbind, lapply(drawn, `[[`, "interval")))
}

median_covered <- function(d, rounded, simultaneous = FALSE) {
  if (simultaneous && d > 1) {
    return(paste0("the population's medians of the variables", rounded,
                  " (of a symmetric distribution these are its Tukey median)"))
  }
  paste0("the population's median", if (d > 1) " of its variable", rounded)
}

# The methods of dp_median() have no interval.
check_interval_method <- function(asked) {
  if (asked == "auto") return(invisible(NULL))
  stop_input("method", "\"auto\" where `interval` is given", dQuote(asked, FALSE),
             "An interval has a mechanism of its own: leave one of the two out.")
}

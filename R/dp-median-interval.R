# Medians with confidence intervals: one for each variable, the estimate taken from within.

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
                  " (of a symmetric law these are its Tukey median)"))
  }
  paste0("the population's median", if (d > 1) " of its variable", rounded)
}

# The methods of dp_median() have no interval.
check_interval_method <- function(asked) {
  if (asked == "auto") return(invisible(NULL))
  stop_input("method", "\"auto\" where `interval` is given", dQuote(asked, FALSE),
             "An interval has a mechanism of its own: leave one of the two out.")
}

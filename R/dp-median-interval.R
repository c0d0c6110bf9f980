# Medians with confidence intervals: one for each variable, the estimate taken from within.

# dp_median(interval = ): pure, epsilon / d for each variable. The estimate is a point between the limits
# (interval_estimate()) and costs nothing.
# `simultaneous`: one level for all of them together, by Bonferroni's inequality.
release_median_interval <- function(x, epsilon, prior, interval, resolution = NULL, simultaneous = FALSE,
                                    ledger = NULL, rng = NULL) {
  n <- nrow(x)
  d <- ncol(x)
  epsilon <- check_epsilon(epsilon)
  level <- check_interval_level_given(interval)
  check_flag(simultaneous, "simultaneous")
  each <- if (simultaneous) 1 - (1 - level) / d else level
  prior <- prior_for(prior, d, names_of(x))
  refuse_interval_dyadic(prior)
  resolution <- tally_resolution(x, resolution, prior)
  names <- variable_names(x)
  parts <- lapply(seq_len(d), function(j) marginal_prior(prior, j))
  steps <- function(resolution = NULL) {
    vapply(seq_len(d), function(j) axes_steps(parts[[j]], names[[j]], resolution[j]), 0)
  }
  resolution <- check_multiples(resolution, d, names, "exact", steps)
  step <- stats::setNames(unname(steps(resolution)), names)
  source <- check_rng(rng)
  check_interval_budget(n, epsilon, d)
  plans <- lapply(seq_len(d), function(j) {
    interval_plans(n, 0.5, each, epsilon / d, interval_reach(parts[[j]], resolution[j]))
  })
  all <- unlist(plans, recursive = FALSE)
  resolved <- interval_resolves(all, parts, resolution, names)

  paid <- debit(ledger, "median with interval", n, epsilon, 0, source,
                warn = warn_quantile_interval(all, resolved, n, epsilon))
  drawn <- lapply(seq_len(d), function(j) {
    draw_intervals(column_of(x, j), plans[[j]], parts[[j]], source, resolution[j])
  })
  new_release(
    stats::setNames(vapply(drawn, `[[`, 0, "estimate"), names), paid,
    interval = do.call(rbind, lapply(drawn, `[[`, "interval")),
    mechanism = paste0(interval_mechanism, if (d > 1) ", for each variable, composed"),
    n = n, d = d,
    details = c(
      list(what = "median", prior = prior, level = level, shares = interval_split(all),
           simultaneous = simultaneous, covers = median_covered(d, resolution, simultaneous),
           resolves = resolved$at),
      lattice_details(step, resolution)
    )
  )
}

median_covered <- function(d, resolution, simultaneous = FALSE) {
  rounded <- if (!is.null(resolution)) ", rounded to the resolution,"
  if (simultaneous && d > 1) {
    return(paste0("the population's medians of the variables", rounded,
                  " (of a symmetric law these are its Tukey median)"))
  }
  paste0("the population's median", if (d > 1) " of its variable", rounded)
}

# The methods that dp_median() has do not come with an interval.
check_interval_method <- function(asked) {
  if (asked == "auto") return(invisible(NULL))
  stop_input("method", "\"auto\" where `interval` is given", dQuote(asked, FALSE),
             "An interval has a mechanism of its own: leave one of the two out.")
}

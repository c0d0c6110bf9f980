# Quantiles with confidence intervals: what is public of the release.

# dp_quantile(interval = ): pure. Each of the different quantiles has an equal share of epsilon.
quantile_interval_plan <- function(n, probs, epsilon, level, simultaneous, limits) {
  sorted <- sort(unique(probs))
  m <- length(sorted)
  check_interval_budget(n, epsilon, m)
  each <- if (simultaneous) 1 - (1 - level) / m else level
  plans <- interval_plans(n, sorted, each, epsilon / m, interval_reach(limits$prior, limits$resolution))
  c(limits, list(
    sorted = sorted, plans = plans, guarantee = "pure", budget = list(delta = 0),
    mechanism = paste0(interval_mechanism, if (m > 1) ", for each quantile, composed"),
    label = if (m == 1) "quantile with interval" else sprintf("%d quantiles with intervals", m),
    details = c(
      list(what = if (length(probs) == 1) "quantile" else "quantiles", prior = limits$prior, probs = probs,
           level = level, simultaneous = simultaneous,
           covers = paste0("the population's quantile",
                           if (!is.null(limits$resolution)) ", rounded to the resolution,")),
      list(shares = interval_split(plans),
           resolves = max(vapply(plans, interval_resolves, 0, limits$prior, limits$resolution))),
      limits$step
    )
  ))
}

interval_mechanism <- "two one-sided scans with noisy thresholds"

# The worst of the intervals, before the debit.
warn_quantile_interval <- function(plans) {
  early <- vapply(plans, function(plan) max(plan$early), 0)
  warn_interval(plans[[which.max(early)]])
}

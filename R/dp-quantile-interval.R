# Quantiles with confidence intervals: what is public of the release.

# dp_quantile(interval = ): pure. Each of the different quantiles has an equal share of epsilon.
quantile_interval_plan <- function(n, probs, epsilon, level, simultaneous, limits) {
  sorted <- sort(unique(probs))
  m <- length(sorted)
  check_interval_budget(n, epsilon, m)
  each <- if (simultaneous) 1 - (1 - level) / m else level
  plans <- interval_plans(n, sorted, each, epsilon / m, interval_reach(limits$prior, limits$resolution))
  check_centred(plans, limits$prior, n, epsilon)
  resolved <- interval_resolves(plans, rep(list(limits$prior), m), limits$resolution)
  c(limits, list(
    sorted = sorted, plans = plans, resolved = resolved, guarantee = "pure", budget = list(delta = 0),
    mechanism = paste0(interval_mechanism, if (m > 1) ", for each quantile, composed"),
    label = if (m == 1) "quantile with interval" else sprintf("%d quantiles with intervals", m),
    details = c(
      list(what = if (length(probs) == 1) "quantile" else "quantiles", prior = limits$prior, probs = probs,
           level = level, simultaneous = simultaneous,
           covers = paste0("the population's quantile",
                           rounded_to(limits$prior, limits$resolution))),
      list(shares = interval_split(plans), resolves = max(resolved$at)),
      limits$step
    )
  ))
}

# What an interval covers is what the lattice has of it.
rounded_to <- function(prior, resolution) {
  if (is_dyadic(prior)) return(", rounded to the prior's unit,")
  if (!is.null(resolution)) ", rounded to the resolution,"
}

interval_mechanism <- "two one-sided scans with noisy thresholds"

# Quantiles with confidence intervals: how epsilon is split, the limits, and the estimates between them.

# dp_quantile(interval = ): pure. By a public rule either all of epsilon pays for the limits, and each
# estimate is a point between them that costs nothing, or half of it pays for draws of the quantiles.
quantile_interval_plan <- function(n, probs, epsilon, level, simultaneous, limits) {
  sorted <- sort(unique(probs))
  m <- length(sorted)
  each <- if (simultaneous) 1 - (1 - level) / m else level
  plans_at <- function(share) interval_plans(n, sorted, each, share * epsilon / m)
  check_interval_budget(n, epsilon, m)
  plans <- plans_at(1)
  drawn <- quantile_plan(probs, epsilon / 2, 0, limits)
  shares <- interval_split(n, epsilon, plans, drawn)
  if (shares[["estimate"]] > 0) plans <- plans_at(shares[["interval"]])
  drawn$mechanism <- paste0(
    if (shares[["estimate"]] > 0) paste0(drawn$mechanism, ", and "),
    "two one-sided scans with noisy thresholds", if (m > 1) " for each quantile, composed"
  )
  drawn$label <- paste(if (m == 1) "quantile with interval" else sprintf("%d quantiles with intervals", m))
  if (shares[["estimate"]] == 0) drawn$details$epsilon_each <- NULL
  drawn$details <- c(drawn$details, list(
    level = level, shares = shares, simultaneous = simultaneous,
    covers = paste0("the population's quantile",
                    if (!is.null(limits$resolution)) ", rounded to the resolution,")
  ))
  c(drawn, list(plans = plans, shares = shares))
}

# Points between finite limits are better than draws with a part of epsilon; beside infinite ones they are
# not. So half is spent on draws where a limit is more likely infinite than not and half serves to draw.
interval_split <- function(n, epsilon, plans, drawn) {
  early <- max(vapply(plans, function(plan) max(plan$early), 0))
  count <- length(plans)
  halves <- early > 0.5 && n * epsilon / (2 * count) > min_interval_budget &&
    epsilon / (2 * count) >= 1e-6 &&
    !quantile_beyond(n, drawn$sorted, drawn$budget$each, drawn$levels, drawn$prior)
  if (halves) c(estimate = 0.5, interval = 0.5) else c(estimate = 0, interval = 1)
}

# The worst of the intervals, before the debit.
warn_quantile_interval <- function(plans) {
  early <- vapply(plans, function(plan) max(plan$early), 0)
  warn_interval(plans[[which.max(early)]])
}

# PRIVATE: x. Estimates and limits in increasing order of `probs`; the split's parts compose.
draw_quantile_intervals <- function(x, plan, source) {
  m <- length(plan$sorted)
  limits <- t(vapply(plan$plans, function(each) {
    draw_interval(x, each, plan$prior, source, plan$resolution)[1, ]
  }, c(lower = 0, upper = 0)))
  points <- if (plan$shares[["estimate"]] > 0) {
    draw_quantiles(x, plan$sorted, plan$prior, plan$budget$each, plan$levels, source, 1L,
                   plan$resolution)[1, ]
  } else {
    vapply(seq_len(m), function(i) {
      interval_centre(limits[i, ], plan$plans[[i]]$weight, plan$prior, plan$resolution)
    }, 0)
  }
  list(estimate = ordered_between(points, limits), interval = limits)
}

# Points in increasing order, each between its limits (unless two intervals lie in the wrong order, which two
# that cover do not).
ordered_between <- function(points, limits) {
  lower <- cummax(limits[, 1])
  upper <- pmax(rev(cummin(rev(limits[, 2]))), lower)
  pmax(lower, pmin(upper, cummax(points)))
}

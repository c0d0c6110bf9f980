# What a release says of flags and levels of factors that few rows have: from public numbers.
#
# METHOD: a level whose rows are too few is noise, or makes the private test fail: how many that is follows
#   from n, epsilon and the method. Of declared factors a warning says so where levels that are equally
#   frequent would be. Exponential draws: mech-regression-indicators.R. Batches: those that determine the
#   coefficient; for intervals, that scans halt between the limits. A line through two values of the
#   regressor: a quarter of the rarer value's rows must be replaced to move the deepest line anywhere.
# REFERENCE: mech-regression-indicators.R, plan-regression-quantile.R, dp-regression-deepest.R.

# The plan with `details$rare`, how many rows a flag or a level needs, and a warning where one of a declared
# factor cannot have as many, were all its levels equally frequent.
with_levels <- function(plan, method, n, terms, shape) {
  p <- slope_count(terms)
  numbers <- p > sum(shape$indicators)
  plan$details$rare <- rare_text(method, plan, n, rows_of_level(method, plan, n, p), numbers)
  warn <- plan$warn
  plan$warn <- function(said) {
    heard <- FALSE
    withCallingHandlers(warn(said), dpdepth_warning_accuracy = function(w) heard <<- TRUE)
    if (!heard) warn_levels(method, plan, n, p, max(shape$indicators), said)
  }
  plan
}

# `numbers`: there are regressors that are no indicators.
rare_text <- function(method, plan, n, rows, numbers) {
  private <- isTRUE(plan$private)
  if (method == "medsweep") {
    return("slopes of a flag or factor that stands first in the formula are noise: put a number first")
  }
  if (rows > n / 2 && !private) return("flags and levels need more rows than there are: they may be noise")
  # where n is private, no part of it is shown
  few <- paste0(grouped(signif(rows, 2)), " rows have", if (!private) paste0(", ", percent_text(rows / n)))
  if (method == "deepest") {
    return(sprintf("where fewer than about %s, one of two values of the regressor, the noise is wide", few))
  }
  what <- if (!is.null(plan$each)) "may have limits as wide as the public ones"
          else if (!is.null(plan$interval)) "may be noise or have infinite limits" else "may be noise"
  alike <- method == "exponential" && numbers && is.null(plan$points) &&
    length(plan$units) > 1 && max(plan$units) == min(plan$units)
  paste0("flags and levels that fewer than about ", few, if (!private) ",", " ", what,
         if (alike) "; more, where regressors differ in size and `units` do not say so")
}

# The least number of rows of a level; n if there is none.
rows_of_level <- function(method, plan, n, p) {
  if (method == "exponential") {
    drawn <- drawn_level_rows(plan, is_dyadic(plan$prior))
    return(if (has_flag_limits(plan)) max(drawn, limits_level_rows(plan$interval[[1]], n)) else drawn)
  }
  if (method == "deepest") return(deepest_level_rows(plan))
  if (method == "medsweep") return(n)
  # to within a tenth
  shares <- 0.5 * 0.9^(0:60)
  serves <- vapply(shares, function(share) level_serves(method, plan, n, p, share, 1 - share), NA)
  if (!serves[[1]]) return(n)
  n * shares[[if (all(serves)) length(shares) else which(!serves)[[1]] - 1]]
}

# The rows of a level from which on one draw in 1000 is noise, with limits of 50 spreads to each side or none.
# `epsilon`, `tau` and `shifted`: of each quantile; the worst of them.
least_level_rows <- function(epsilon, tau = 0.5, shifted = FALSE, dyadic = FALSE) {
  half <- if (dyadic) dyadic_width else 50
  max(mapply(function(tau, shifted) {
    if (tau == 0.5) return(min_indicator_rows[[if (dyadic) "dyadic" else "limits"]] / epsilon)
    fails <- function(size) level_law(tau, shifted, exp(size), 1, epsilon, half)[["failure"]] - most_failure
    range <- log(c(20, 1000 / min(tau, 1 - tau)) / epsilon)
    exp(stats::uniroot(fails, range, tol = 1e-3)$root)
  }, tau, shifted))
}

# What a level needs of draws by depth, by whatever score they are.
drawn_level_rows <- function(plan, dyadic) {
  least_level_rows(level_epsilon(plan), plan$tau, lengths(plan$weights) == 3, dyadic)
}

# Does the plan have an interval of a median line's slope, by scans?
has_flag_limits <- function(plan) !is.null(plan$interval) && is.null(plan$interval[[1]]$weights)

# The rows of the rarer value from which on one of 100 of a flag's slopes has infinite limits; n if there are
# none.
limits_level_rows <- function(interval, n) {
  shares <- (25:1) / 50
  serves <- vapply(shares, function(share) flag_far(interval, n, share) < 0.01, NA)
  if (!serves[[1]]) n else n * min(shares[cumprod(serves) == 1])
}

# The noise is at least a hundredth of the limits below as many rows: see warn_wide_noise().
deepest_level_rows <- function(plan) {
  4 * max(0, log(200) - log(plan$constants$alpha)) / plan$constants$smoothness
}

level_serves <- function(method, plan, n, p, share, base, own = 1, failure = most_failure) {
  if (method == "deepest") return(n * min(share, base) >= deepest_level_rows(plan))
  if (method == "exponential") {
    half <- if (is_dyadic(plan$prior)) dyadic_width else 50
    found <- mapply(function(tau, shifted) {
      if (tau == 0.5) return(indicator_failure(n, p, level_epsilon(plan), share, half))
      level_law(tau, shifted, n * share, p, level_epsilon(plan), half)[["failure"]]
    }, plan$tau, lengths(plan$weights) == 3)
    lost <- if (has_flag_limits(plan)) flag_far(plan$interval[[1]], n, min(share, base)) else 0
    return(max(found) < failure && lost < max(failure, 0.01))
  }
  size <- n %/% plan$batches
  if (!is.null(plan$each)) {
    scan <- interval_plan_of(plan$batches, 0.5, plan$each, plan$share)
    return(usual_width(plan$batches, scan, indicator_tail(size, p + 1, share, base, own), 100) < 100)
  }
  # limits of a thousand spreads of a fit
  indicator_batches(plan$batches, size, p + 1, plan$epsilon * (1 - sum(plan$share)), share, base, own,
                if (is_dyadic(plan$prior)) dyadic_width else 1000)[["failure"]] < failure
}

# Before the debit, from public numbers: of levels that rows have alike; of the slope's limits where the only
# regressor is a flag, of one that three rows in ten have.
warn_levels <- function(method, plan, n, p, indicators, said = warned_numbers(plan$epsilon)) {
  limits <- method == "exponential" && has_flag_limits(plan)
  share <- if (limits) 0.3 else 1 / (indicators + 1)
  base <- if (limits) 1 - share else share
  if (method == "medsweep" ||
        level_serves(method, plan, n, p, share, base, indicators, if (limits) 0.01 else 0.05)) {
    return(invisible(NULL))
  }
  what <- if (!is.null(plan$each)) "is likely to have limits as wide as the public ones"
          else if (!is.null(plan$interval)) "may well be noise or have infinite limits"
          else "is likely to be noise"
  whose <- if (limits) "a flag that three rows in ten have"
           else sprintf("a flag or level that one row in %d has, as of a factor with so many levels,",
                        indicators + 1L)
  warn_dpdepth("accuracy", sprintf(paste(
    "With n = %s and epsilon = %s, %s %s (judged by these numbers alone). More rows, a larger epsilon%s%s",
    "would help; see plan_regression(shares =)."
  ), said$rows(grouped(n)), format(said$epsilon), whose, what, if (is_dyadic(plan$prior)) ", limits" else "",
  if (limits) " or no `interval`" else " or fewer levels"))
}

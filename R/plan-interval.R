# The expected width of private confidence intervals: public numbers only.
#
# METHOD: of one variable see mech-interval-width.R. Nested sets: the largest depth outside a set at distance
#   r from the deepest point is n depth(r) - k sqrt(n), k fitted to simulations.
# REFERENCE: mech-interval.R, mech-confidence-scan.R.

# Expected limits of the interval of one quantile of standard normal rows between bounds `half` from their
# median, of the plan that a door takes.
quantile_width <- function(n, prob, level, epsilon, half) {
  plan <- interval_plan(n, prob, level, epsilon)
  c(limits_width(n, plan, half), list(far = max(plan$early, plan_lost(plan, half))))
}

# The expected radius of nested sets. `radius`: decreasing, in units of `depth`, which gives depths as parts
# of n; `away`: quantiles of the centre's distance from the deepest point.
nested_radius <- function(n, t, radius, rates, depth, away) {
  mean(vapply(away, function(a) {
    before <- radius[c(1, seq_len(length(radius) - 1))]
    mean_limit(n * depth(pmax(0, radius - a)), before, t, rates)$at
  }, 0))
}

# Without privacy: from where on the depth is one that the truth's is below with chance 1 - level.
sign_radius <- function(n, level, depth) {
  t <- sum(depth_law(seq.int(0, floor(n / 2)), n) <= 1 - level) - 1
  if (n * depth(40) > t) return(Inf)
  stats::uniroot(function(r) n * depth(r) - t - 0.5, c(0, 40))$root
}

# What depth falls to at distance r from the deepest point of normal rows, in parts of n: of points of the
# plane and of the intercepts of lines; of the slopes of lines.
point_depth <- function(r) stats::pnorm(-r)
slope_depth <- function(r) 0.5 - atan(r) / pi

# Parts of equal chance of what lies between 0 and 1.
away_chances <- (seq_len(20) - 0.5) / 20

# The expected width of the disc's frame, in half widths of the prior, and that without privacy. `unit`: the
# larger spread in these.
disc_width <- function(n, epsilon, level, prior, unit) {
  plan <- region_plan(n, epsilon, level, prior)
  away <- stats::qgamma(away_chances, 2, rate = plan$centre * n * stats::dnorm(0) / 2)
  rates <- scan_rates(plan$threshold, plan$halt)
  c(width = 2 * unit * nested_radius(n, plan$t, plan$radius / unit, rates, point_depth, away),
    sampling = 2 * unit * sign_radius(n, level, point_depth))
}

# -- what plan_median(), plan_quantile() and plan_regression() do with `interval` ------------------

# The two of n, epsilon and the width that are given, checked, and the plan with the third: the least n up to
# `most`, or the least epsilon. `plan`: a data frame by n and epsilon; `reached`: the width by which it is
# judged, by the same. What the mechanism refuses gives no interval.
search_interval <- function(plan, reached, n, epsilon, width, error, most) {
  if (!is.null(error)) {
    stop_input("error", "NULL with `interval`", describe(error), "`width` is the width wanted of intervals.")
  }
  if (is.null(n) + is.null(epsilon) + is.null(width) != 1) {
    how <- "`n` and `epsilon` give the width to expect; `width` and one of them give the other."
    if (!is.null(n) && !is.null(epsilon)) stop_input("width", "NULL with `n` and `epsilon`", "given", how)
    stop_input(if (is.null(epsilon)) "epsilon" else "n",
               if (is.null(width)) "given, or `width` in its place" else "given with `width`", "missing", how)
  }
  if (!is.null(n)) n <- check_count(n, "n")
  if (!is.null(epsilon)) epsilon <- check_epsilon(epsilon)
  done <- function(n, epsilon) structure(plan(n, epsilon), plan = plan)
  if (is.null(width)) return(done(n, epsilon))
  width <- check_number(width, "width", 0)
  enough <- function(n, epsilon) {
    tryCatch(reached(n, epsilon) <= width, dpdepth_error_input = function(e) FALSE)
  }
  less <- "Ask for wider intervals, fewer of them or a lower level."
  if (is.null(n)) {
    # without privacy widths fall with the root of n
    sampling <- tryCatch(plan(10000L, epsilon)$sampling[[1]], dpdepth_error_input = function(e) 0)
    low <- min(max(4, floor(2000 * (sampling / width)^2)), most)
    n <- search_rows(function(v) enough(v, epsilon), low, most)
    if (is.na(n)) stop_input("width", "reachable with that `epsilon`", format(width), less)
    return(done(as.integer(n), epsilon))
  }
  epsilon <- search_minimum(function(v) enough(n, v), 1e-4, 1e3, 1 + 1e-3)
  if (is.na(epsilon)) stop_input("width", "reachable with that `n`", format(width), less)
  done(n, epsilon)
}

# The least number of rows that will do, to within a thousandth, or NA.
search_rows <- function(will_do, low, high) {
  step <- low
  while (!will_do(step)) {
    if (step >= high) return(NA_real_)
    low <- step
    step <- min(2 * step, high)
  }
  while (step - low > max(1, step / 1000)) {
    middle <- floor((low + step) / 2)
    if (will_do(middle)) step <- middle else low <- middle
  }
  step
}

new_interval_plan <- function(what, method, n, epsilon, level, found, assumed) {
  out <- data.frame(what = what, method = method, n = n, epsilon = epsilon, level = level,
                    width = found$width, sampling = found$sampling, far = found$far)
  structure(out, class = c("interval_plan", "dp_plan", "data.frame"), assumed = assumed)
}

# `width` alone says nothing.
check_no_width <- function(width) {
  if (is.null(width)) return(invisible(NULL))
  stop_input("width", "NULL without `interval`", describe(width),
             "Give `interval = 0.95` for the width of intervals.")
}

# Half widths of the limits of a scan, in standard deviations of the rows.
scan_reach <- function(prior, units) {
  (if (is_dyadic(prior)) units$half else scan_half(prior)) / units$spread
}

quantile_widths <- function(n, probs, level, epsilon, prior, spread) {
  check_interval_budget(n, epsilon, length(probs))
  units <- prior_units(prior, spread)
  each <- epsilon / length(probs)
  check_centred(interval_plans(n, probs, level, each), prior, n, epsilon)
  half <- scan_reach(prior, units)
  found <- lapply(probs, quantile_width, n = n, level = level, epsilon = each, half = half)
  f <- stats::dnorm(stats::qnorm(probs)) / units$spread
  list(width = units$spread * vapply(found, `[[`, 0, "width"), far = vapply(found, `[[`, 0, "far"),
       sampling = 2 * stats::qnorm(0.5 + level / 2) * sqrt(probs * (1 - probs) / n) / f)
}

# Means over variables, which differ in their limits' widths in spreads alone.
median_widths <- function(n, d, level, epsilon, prior, spread) {
  check_interval_budget(n, epsilon, d)
  check_centred(interval_plans(n, 0.5, level, epsilon / d), prior, n, epsilon)
  units <- prior_units(prior, spread)
  size <- rep_len(units$spread, d)
  reach <- rep_len(scan_reach(prior, units), d)
  kinds <- unique(reach)
  found <- lapply(kinds, function(half) quantile_width(n, 0.5, level, epsilon / d, half))[match(reach, kinds)]
  list(width = mean(size * vapply(found, `[[`, 0, "width")), far = max(vapply(found, `[[`, 0, "far")),
       sampling = mean(size) * 2 * stats::qnorm(0.5 + level / 2) * sqrt(pi / (2 * n)))
}

plan_median_interval <- function(n, d, epsilon, prior, spread, interval, width, error) {
  level <- check_interval_level_given(interval)
  plan <- function(n, epsilon) {
    units <- prior_units(prior, spread)
    out <- new_interval_plan(if (d == 1) "the median" else "each variable's median", "scans", n, epsilon,
                             level, median_widths(n, d, level, epsilon, prior, spread),
                             assumed_spread(prior, spread))
    if (d != 2 || n > disc_rows || is_dyadic(prior)) return(out)
    scale <- rep_len(prior_reach(prior)$scale, 2)
    region <- tryCatch(disc_width(n, epsilon, level, prior, max(units$spread / scale)),
                       dpdepth_error_input = function(e) NULL)
    if (is.null(region)) return(out)
    found <- list(width = mean(scale) * region[["width"]], far = NA_real_,
                  sampling = mean(scale) * region[["sampling"]])
    more <- new_interval_plan("both medians, a region", "discs", n, epsilon, level, found, NULL)
    structure(rbind(tidy(out), tidy(more)), class = class(out),
              assumed = attr(out, "assumed"))
  }
  reached <- function(n, epsilon) median_widths(n, d, level, epsilon, prior, spread)$width
  search_interval(plan, reached, n, epsilon, width, error, .Machine$integer.max)
}

plan_quantile_interval <- function(n, probs, epsilon, prior, spread, interval, width, error) {
  level <- check_interval_level_given(interval)
  plan <- function(n, epsilon) {
    new_interval_plan(quantile_names(probs), "scans", n, epsilon, level,
                      quantile_widths(n, probs, level, epsilon, prior, spread),
                      assumed_spread(prior, spread))
  }
  reached <- function(n, epsilon) max(quantile_widths(n, probs, level, epsilon, prior, spread)$width)
  search_interval(plan, reached, n, epsilon, width, error, .Machine$integer.max)
}

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
  wanted <- check_plan(n, epsilon, width, "width")
  enough <- function(n, epsilon) {
    tryCatch(reached(n, epsilon) <= wanted$error, dpdepth_error_input = function(e) FALSE)
  }
  wanted <- sought_plan(
    wanted, enough, "width", "Ask for wider intervals, fewer of them or a lower level.",
    rows = function(enough) {
      # without privacy widths fall with the root of n
      sampling <- tryCatch(plan(10000L, wanted$epsilon)$sampling[[1]], dpdepth_error_input = function(e) 0)
      search_count(enough, min(max(4, floor(2000 * (sampling / wanted$error)^2)), most), most, 1e-3)
    }, budgets = c(1e-4, 1e3, 1 + 1e-3)
  )
  structure(plan(wanted$n, wanted$epsilon), plan = plan)
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

# -- pictures --------------------------------------------------------------------------------------

#' Plan private confidence intervals
#'
#' With `interval = 0.95`, [plan_median()], [plan_quantile()] and [plan_regression()] compute the expected
#' width of the intervals of [dp_median()], [dp_quantile()] and [dp_regression()], beside the width without
#' privacy, or how many rows or how much epsilon a `width` needs. They use public numbers only, no data.
#'
#' @details
#' **Width.** Intervals end where a noisy count passes a threshold, which is exact and public. For normal rows
#' with standard deviation `spread` the counts are replaced by their expectations; the distributions of the
#' noises then give the expected limits. Quantiles are those of the normal distribution about the middle of
#' the limits (or about the prior's mean). Several quantiles, and several variables, share epsilon equally.
#' For regions and lines the depth outside a set of the scan is that of normal rows at that distance from the
#' released centre.
#'
#' **How good it is.** Mean widths of intervals at level 0.95 in simulations of 400 standard normal samples
#' (planned in brackets; bounds +-100 unless stated otherwise): the median at epsilon = 1, n = 200 .72 (.74; a
#' median, since one of 400 limits lay far out), 1000 .180 (.180), 5000 .0732 (.0728), 100,000 .0159 (.0160);
#' n = 100, bounds +-20 1.01 (.95); at epsilon = .2, n = 1000 .62 (.64); at epsilon = 4, n = 500 .238 (.234).
#' Other quantiles: p = .9, n = 500, bounds +-20 .490 (.479); p = .05, n = 1000 .417 (.410); p = .99, n =
#' 20,000 .132 (.130); p = .25, n = 5000, epsilon = .2, bounds +-10 .129 (.127).
#'
#' For regions, means of 30 to 50 samples at bounds +-50, epsilon = 1: n = 300 .797 (.787), 1000 .342 (.338),
#' 4000 .147 (.146); at epsilon = .3, n = 4000 .206 (.205). For lines see the table in
#' `vignette("proofs-region", "dpdepth")`. The limits of a line stand where one of a public row of slabs does,
#' of which each is three quarters as wide as the one before.
#'
#' **Flags.** `plan_regression(interval =, shares =)` is for the slope of a flag that such a share of the rows
#' has. Fits with a slope that is far off are still as deep as half of the rows without the flag. So `far` is
#' the chance that its limits are infinite, or that the slope is noise. A share of .15 of 1000 rows is enough
#' at epsilon = 1, one of .3 of 300 is not.
#'
#' For several regressors, means of 20 to 60 samples at bounds +-50. A slope of two at epsilon = 1: n = 1000
#' .80 (.80), 5000 .148 (.145), 20,000 .052 (.053); of five at epsilon = 2: n = 2000 .71 (.63), 20,000 .063
#' (.062); of eight at epsilon = 1: n = 20,000 .161 (.161); by pairs, of two at epsilon = 1: n = 2000 .475
#' (.499; a median), of three at epsilon = 2, n = 6000 .177 (.174). The slopes' regressors are taken as
#' independent and normal.
#'
#' `far` is the chance that a limit lies far out, where there are no rows; from 0.001 on `width` is a mean of
#' very unequal widths, below it is that of the others. Intervals that dp_median() and the others would
#' refuse, for few rows, are refused here too.
#' Intervals cover whether or not `spread` is right.
#' @return A data frame of class `interval_plan`, a row for each interval: `what`; `method`, `"scans"` for
#'   intervals of one variable, `"discs"` for the region of two variables that `dp_median(interval =, method =
#'   "exponential")` releases, `"slabs"` for lines, `"batches"` for several regressors, each interval by
#'   itself; `n`, `epsilon`, `level`; `width`, in the variable's units (averaged over variables); `sampling`,
#'   the width without privacy: of the interval by order statistics, for regions and lines of the region of
#'   points or lines deep enough, for several regressors of least squares; and `far` (`NA` for regions and
#'   lines, but for the slope of a flag). `tidy()` gives it as a plain data frame. `plot()` and `autoplot()`
#'   draw the widths at a tenth of n to ten times as many, dashed without privacy.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for numbers outside their ranges, for other than two of `n`,
#' `epsilon` and `width`, for too few rows, and for a `width` that no `n` or `epsilon` reaches.
#' @seealso `vignette("intervals", "dpdepth")`.
#' @examples
#' plan_median(n = 500, d = 1, epsilon = 1, lower = 0, upper = 180, spread = 14,
#'             interval = 0.95)
#'
#' # how many rows for an interval five units wide?
#' plan_median(d = 1, epsilon = 1, lower = 0, upper = 180, spread = 14,
#'             interval = 0.95, width = 5)$n
#'
#' plan_quantile(n = 5000, probs = c(0.1, 0.5, 0.9), epsilon = 1, lower = 0,
#'               upper = 100, spread = 10, interval = 0.95)
#'
#' plan_regression(n = 1000, p = 1, epsilon = 1, lower = -50, upper = 50,
#'                 interval = 0.95)
#' @name interval_plan
NULL

plan_shown.interval_plan <- function(x, digits) { # nolint: object_name_linter.
  list(
    title = sprintf("Expected width of intervals at level %s", format(x$level[[1]])),
    before = c(
      sprintf(paste(
        "width: mean, in the variables' units, beside that without privacy, if the data are normal with %s"
      ), attr(x, "assumed")),
      if (any(x$far > 0.1, na.rm = TRUE)) "With so few rows for this epsilon a limit will often lie far out."
    ),
    table = data.frame(interval = x$what, method = x$method, width = each_text(x$width, digits),
                       "without privacy" = each_text(x$sampling, digits), check.names = FALSE),
    left = TRUE
  )
}

picture.interval_plan <- function(x, ...) { # nolint: object_name_linter.
  against_n(x, "width", "width", with_point(
    sprintf("Expected width of %s%% intervals, epsilon = %s", format(100 * x$level[[1]]),
            format(x$epsilon[[1]], digits = 3))
  ))
}

# Private scales of one variable: the median absolute deviation or the distance of the quartiles.

#' Private scale
#'
#' Releases how widely one variable is spread, under pure differential privacy: its median absolute deviation,
#' or the distance of its quartiles. Both withstand outliers, and their error hardly depends on the limits.
#'
#' @inheritParams dp_quantile
#' @param lower,upper Public bounds of the variable, in its units: they say where its median can lie. Data
#'   outside them are welcome.
#' @param statistic `"mad"`, the median distance from the median; or `"iqr"`, the third quartile less the
#'   first.
#' @param interval `NULL`, or the level of a confidence interval, such as 0.95: see Intervals.
#' @param constant What the statistic is multiplied by. `NULL`: 1.4826 for `"mad"`, with which it is the
#'   standard deviation of a normal distribution, as [stats::mad()] has it; 1 for `"iqr"`.
#' @param resolution `NULL`, or the public step in which the variable is counted or measured, see
#'   [dp_quantile()].
#' @details
#' `"mad"`: two fifths of epsilon draw the median m, as [dp_quantile()] does, and three fifths the median of
#' the rows' distances from m. `"iqr"`: one draw of both quartiles. Of 300 normal rows at epsilon = 1 the
#' first has a root mean squared error of 0.08 standard deviations (0.067 without privacy).
#'
#' Where half of the rows or more have one value, the median absolute deviation is 0.
#'
#' The proof is in `vignette("proofs-ranks", "dpdepth")`.
#' @section Intervals: Limits cover the population's value with this probability in samples of any size and
#'   whatever the distribution, sampling and noise counted, if the rows are independent draws from it. For
#'   `"mad"` 0.35 of epsilon and a tenth of the risk buy an interval of the median; the rest counts rows in
#'   windows of growing radius about all points of it: 0.29 standard deviations wide for 1000 normal rows at
#'   epsilon = 1, 0.92 for 300, 0.09 for 5000. For `"iqr"` each quartile has an interval.
#'   `n * epsilon` must be above 80, for `"mad"` above 120; limits of use take some 300. With `resolution` the
#'   limits are those of the scale of the rounded values, which is at most one step off. An end is 0, or
#'   infinite, where a limit was met.
#' @return A [`dp_release`][dp_release], `"pure"`, with one number.
#' @inheritSection dp_median Errors
#' @section Warnings: As of [dp_quantile()].
#' @inherit dp_quantile references
#' @seealso [dp_quantile()], [plan_quantile()]; [dp_mestimate()], which takes a scale by this way.
#' @examples
#' dp_scale(faithful$waiting, epsilon = 1, lower = 0, upper = 200, resolution = 1)
#' dp_scale(faithful$waiting, epsilon = 2, lower = 0, upper = 200,
#'          statistic = "iqr", interval = 0.9)
#' @export
dp_scale <- function(x, epsilon, lower = NULL, upper = NULL, statistic = c("mad", "iqr"), interval = NULL,
                     constant = NULL, resolution = NULL, ..., neighbours = "substitution", id = NULL,
                     ledger = NULL, rng = NULL, na = "fail") {
  release_by(scale_mechanism(), door_call())
}

scale_mechanism <- function() {
  new_mechanism(plan_scales, draw_scale, read = function(given) one_variable(read_rows(given)),
                ready = function(rows, plan) {
                  if (plan$statistic == "iqr") check_many_rows(rows, 2L)
                  rows
                })
}

scale_words <- c(mad = "median absolute deviation", iqr = "interquartile range")

plan_scales <- function(facts, given) {
  statistic <- check_choice(given$statistic, names(scale_words), "statistic")
  constant <- given$constant
  if (is.null(constant)) constant <- if (statistic == "mad") 1.4826 else 1
  constant <- check_number(constant, "constant", 0)
  mean_bounds(given$lower, given$upper, 1, facts$names) # which refuses what is no pair of limits
  limits <- quantile_prior(NULL, given$lower, given$upper, given$resolution, facts)
  plan <- if (is.null(given$interval)) scale_plan(statistic, facts, given, limits)
          else scale_interval_plan(statistic, facts, given, limits)
  plan$details <- c(list(lower = unname(limits$prior$lower), upper = unname(limits$prior$upper),
                         constant = constant), plan$details, limits$step)
  what <- scale_words[[statistic]]
  c(plan, list(label = what, what = what, statistic = statistic, constant = constant,
               private = facts$private))
}

scale_plan <- function(statistic, facts, given, limits) {
  draws <- if (statistic == "mad") mad_plan(limits, given$epsilon)
           else list(quartiles = quantile_plan(c(0.25, 0.75), given$epsilon, 0, limits))
  all <- lapply(draws, function(plan) quantiles_resolved(facts$n, plan))
  worst <- all[[which.max(vapply(all, function(found) found$at, 0))]]
  list(
    draws = draws, rho = sum(vapply(draws, function(plan) plan$rho, 0)),
    mechanism = if (statistic == "mad") "exponential mechanism, of the median and of the distances from it"
                else draws$quartiles$mechanism,
    details = resolves_detail(worst, facts$private),
    warn = function(said) warn_quantile(worst, facts$n, said)
  )
}

scale_interval_plan <- function(statistic, facts, given, limits) {
  level <- check_interval_level_given(given$interval)
  plan <- if (statistic == "mad") mad_interval_plan(facts$n, given$epsilon, level, limits)
          else quantile_interval_plan(facts$n, c(0.25, 0.75), given$epsilon, level, TRUE, limits)
  plans <- if (statistic == "mad") plan[c("median", "windows")] else plan$plans
  # windows are counted at radii that fit the median's interval
  scans <- if (statistic == "mad") plans["median"] else plans
  resolved <- interval_resolves(scans, rep(list(limits$prior), length(scans)), limits$resolution)
  list(
    interval = plan, mechanism = paste0(interval_mechanism, ", composed"),
    details = list(level = level, simultaneous = FALSE, covers = paste0(
      "the population's ", scale_words[[statistic]], " times the constant",
      if (!is.null(limits$resolution)) " of the values rounded to the resolution"
    ), shares = if (statistic == "mad") mad_interval_split() else interval_split(plans),
    resolves = max(resolved$at)),
    warn = function(said) warn_interval(plans)
  )
}

# PRIVATE: rows.
draw_scale <- function(rows, plan, source) {
  drawn <- if (!is.null(plan$interval)) draw_scale_interval(rows, plan, source)
           else list(estimate = draw_one_scale(rows, plan, source))
  list(estimate = plan$constant * drawn$estimate,
       interval = if (!is.null(drawn$interval)) {
         plan$constant * matrix(drawn$interval, 1, dimnames = list(NULL, c("lower", "upper")))
       })
}

# PRIVATE: rows.
draw_one_scale <- function(rows, plan, source) {
  if (plan$statistic == "mad") return(draw_mad(rows, plan$draws, source, plan$private))
  of <- plan$draws$quartiles
  diff(draw_quantiles(rows, of$sorted, of$prior, of$budget$each, of$levels, source, 1L, of$resolution,
                      plan$private)[1, ])
}

# PRIVATE: rows.
draw_scale_interval <- function(rows, plan, source) {
  of <- plan$interval
  if (plan$statistic == "mad") return(draw_mad_interval(rows, of, source))
  drawn <- draw_intervals(rows, of$plans, of$prior, source, of$resolution)
  ends <- drawn$interval
  list(estimate = diff(drawn$estimate),
       interval = c(max(0, ends[2, 1] - ends[1, 2]), ends[2, 2] - ends[1, 1]))
}

# Private quantiles: one or many of one variable, by exact draws.

#' Private quantiles
#'
#' Releases one or many quantiles of one variable under pure epsilon-differential privacy: quartiles, deciles,
#' percentiles. They do not cross, their draws are exact, and data may have ties or be whole numbers.
#'
#' @inheritParams dp_median
#' @param x Data of one variable: a vector, or a matrix or data frame of one column; or a tally by
#'   `dp_tally()`, whose limits and resolution replace those that are left out (for several quantiles, at most
#'   1e8 rows where their number is public).
#' @param probs Which quantiles: at most 1000 numbers above 0 and below 1, in any order. They are public.
#' @param delta Zero for pure differential privacy. It is spent only where it makes the draws more accurate:
#'   with many quantiles and a large delta.
#' @param lower,upper Public bounds of the variable, in its units. They say where quantiles can lie. The data
#'   may lie outside; they count as data at the nearer limit.
#' @param prior Instead of bounds, a public prior by [prior_normal()], [prior_uniform()] or [prior_dyadic()].
#' @param interval `NULL`, or the level of a confidence interval for each quantile, such as 0.95: see
#'   Intervals. With bounds or a normal prior.
#' @param simultaneous With `interval` and several quantiles: `FALSE` for intervals that cover with this
#'   probability each, `TRUE` for wider ones that cover together.
#' @param resolution `NULL`, or the public step in which the variable is counted or measured: 1 for counts,
#'   0.1 for tenths; or `"type"`, see [dp_median()]. The released quantiles are multiples of it. Without it
#'   they lie on a very fine lattice.
#' @param neighbours As in [dp_median()]; `"add_remove"` where n is private, without intervals.
#' @param id `NULL`, or the person of each row: one row of each person is kept, see [dp_median()].
#' @param na `"fail"`: missing and infinite values are refused, which shows that there were some. Or public
#'   values that replace them, `"omit"`, or `"middle"`, with limits: see [dp_median()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' **Distribution.** For one quantile the score of z is the smaller of \#\{x <= z\} less n p and \#\{x >= z\}
#' less n (1 - p), rounded. One replaced row moves it by at most 1, and z is drawn with probability
#' proportional to `exp(epsilon * score / 2)` times the prior. Near the middle of a density f its root mean
#' squared error is 2 sqrt(2)/(epsilon n f). Several quantiles are scored by the numbers of rows between them,
#' which one replaced row moves by at most 1 in all: they are private together. Up to 19 are drawn at once,
#' fewer with a small epsilon. More are drawn in a tree, with a share of epsilon per level (the release names
#' the levels). The error in ranks grows slowly with their number, see [plan_quantile()]: ask for all
#' quantiles in one call, because each call costs epsilon.
#'
#' **Ties.** A value that many rows share is found if `resolution` names the step of the data, and mostly
#' without it. For several quantiles, rows are spread at random over cells of their lattice point, so that a
#' quantile whose rank lies within an atom is that atom.
#'
#' **Draws are exact** and always end, whatever the data. `vignette("proofs-quantile", "dpdepth")` has the
#' proof.
#' @return A [`dp_release`][dp_release] of class `dp_quantile`, `guarantee = "pure"` (`"approximate"` where
#'   delta was spent). `estimate` is named as by [stats::quantile()], in the order of `probs`.
#' @section Intervals: `interval = 0.95` releases limits that enclose the population's quantile with
#' probability 0.95 or more, in samples of any size, if the rows are independent draws from one distribution,
#' whatever it is. They account for sampling and for privacy's noise, and the release stays pure. Each of m
#' intervals gets a share of `epsilon / m`, and `n * epsilon / m` must be above 40. Each covers by itself;
#' with `simultaneous = TRUE` they cover together, each at level 1 - 0.05/m. For a whole distribution function
#' see [dp_ecdf()].
#'
#' The width hardly depends on the limits where n and epsilon suffice: a part of epsilon draws a centre, and
#' the scans start from there on a logarithmic scale. With fewer rows than some 170 / epsilon (of the median),
#' or where `resolution` makes the limits few steps wide, all of epsilon pays for scans of even steps between
#' the limits; [prior_dyadic()] in place of limits is refused there. The estimate is a point between the
#' limits, in which the centre has the weight of its share; it costs nothing more. The rule is public, and
#' `details$shares` says how epsilon was split. An infinite limit says that a public bound was met: the
#' estimate is then the centre, or the finite limit. For whole numbers, give `resolution`.
#' @inheritSection dp_median Errors
#' @section Warnings: If n, `probs`, epsilon and the limits alone imply that a quantile is hardly more than
#' noise as wide as the limits, a warning of class `dpdepth_warning_accuracy` says so before anything is
#' spent. For intervals the warning gives the percentage of releases that have an infinite limit, or one that
#' is more than five spreads off, for data whose spread is a fiftieth of the limits' width. At one percent or
#' less there is no warning.
#' @references
#' McSherry, F. and Talwar, K. (2007). Mechanism design via differential privacy. *FOCS*, Theorem 6.
#' \doi{10.1109/FOCS.2007.66}
#'
#' Smith, A. (2011). Privacy-preserving statistical estimation with optimal convergence rates. *STOC*,
#' section 3 (one quantile). \doi{10.1145/1993636.1993743}
#'
#' Gillenwater, J., Joseph, M. and Kulesza, A. (2021). Differentially private quantiles. *ICML*, section 4
#' (several by their gaps; the rate here is that of substitution). \doi{10.48550/arXiv.2102.08244}
#'
#' Kaplan, H., Schnapp, S. and Stemmer, U. (2022). Differentially private approximate quantiles. *ICML* (the
#' tree). \doi{10.48550/arXiv.2110.05429}
#' @examples
#' # quartiles of waiting times between eruptions, in whole minutes
#' quartiles <- dp_quantile(faithful$waiting, c(0.25, 0.5, 0.75), epsilon = 1,
#'                          lower = 0, upper = 200, resolution = 1)
#' quartiles
#'
#' # how surely are they known?
#' confint(dp_quantile(faithful$waiting, c(0.25, 0.5, 0.75), epsilon = 2,
#'                     lower = 0, upper = 200, resolution = 1, interval = 0.95))
#'
#' # deciles, and a picture
#' deciles <- dp_quantile(faithful$eruptions, 1:9 / 10, epsilon = 2, lower = 0,
#'                        upper = 60)
#' plot(deciles)
#' @seealso [plan_quantile()] before the data are looked at; [dp_median()] for several variables.
#' @export
dp_quantile <- function(x, probs = c(0.25, 0.5, 0.75), epsilon, delta = 0, lower = NULL, upper = NULL,
                        prior = NULL, interval = NULL, resolution = NULL, simultaneous = FALSE, ...,
                        neighbours = "substitution", id = NULL, ledger = NULL, rng = NULL, na = "fail") {
  release_by(quantile_mechanism(), door_call())
}

quantile_mechanism <- function() {
  new_mechanism(plan_quantiles, draw_asked_quantiles, kinds = c("rows", "tally", "cells"),
                read = function(given) one_variable(read_rows(given)), ready = ready_quantiles)
}

plan_quantiles <- function(facts, given) {
  probs <- check_probs(given$probs)
  if (!is.null(facts$fixed) && length(probs) > 1) {
    stop_input("probs", "one number with a tally in cells (`refine`)", describe(probs),
               "Ask for quantiles one by one, each with a share of epsilon.")
  }
  check_simultaneous(given$simultaneous, given$interval)
  limits <- quantile_prior(given$prior, given$lower, given$upper, given$resolution, facts)
  plan <- if (is.null(given$interval)) plan_quantiles_alone(facts, probs, given, limits)
          else plan_quantiles_between(facts, probs, given, limits)
  c(plan, list(asked = match(probs, plan$sorted), terms = quantile_names(probs), class = "dp_quantile",
               delta = plan$budget$delta))
}

plan_quantiles_alone <- function(facts, probs, given, limits) {
  plan <- quantile_plan(probs, given$epsilon, given$delta, limits)
  resolved <- quantiles_resolved(facts$n, plan)
  plan$details <- c(plan$details, resolves_detail(resolved, facts$private))
  plan$epsilon <- given$epsilon
  plan$private <- facts$private
  c(plan, warn = function(said) warn_quantile(resolved, facts$n, said))
}

plan_quantiles_between <- function(facts, probs, given, limits) {
  level <- check_interval_level_given(given$interval)
  plan <- quantile_interval_plan(facts$n, probs, given$epsilon, level, given$simultaneous, limits)
  c(plan, warn = function(said) warn_interval(plan$plans, is_dyadic(plan$prior)))
}

# PRIVATE: rows.
ready_quantiles <- function(rows, plan) {
  if (is.null(plan$plans)) check_many_rows(rows, length(plan$sorted))
  ranks <- quantile_ranks(nrow(rows), plan$sorted)
  opened(rows, c(ranks$below, ranks$above), plan$epsilon, to_ends = TRUE)
}

# PRIVATE: rows.
draw_asked_quantiles <- function(rows, plan, source) {
  if (!is.null(plan$plans)) {
    drawn <- draw_intervals(rows, plan$plans, plan$prior, source, plan$resolution)
    return(list(estimate = drawn$estimate[plan$asked], interval = drawn$interval[plan$asked, , drop = FALSE]))
  }
  drawn <- draw_quantiles(rows, plan$sorted, plan$prior, plan$budget$each, plan$levels, source, 1L,
                          plan$resolution, plan$private)
  list(estimate = drawn[1, plan$asked])
}

one_variable <- function(x) {
  if (ncol(x) == 1) return(x)
  stop_input("x", "data of one variable", sprintf("data of %d", ncol(x)), paste(
    "Choose a column, as in data[\"a\"], and give each variable a share of epsilon;",
    "dp_median() has the median of several."
  ))
}

# The prior of the one variable with its lattice; `facts`: the column's name, and the steps of a tally.
quantile_prior <- function(prior, lower, upper, resolution, facts) {
  name <- facts$variables
  prior <- public_prior(prior, lower, upper, 1, facts$names, "prior_dyadic() is one without limits")
  resolution <- tally_resolution(facts$declared, resolution, prior)
  unit <- if (is_dyadic(prior)) resolution
  if (!is.null(unit)) {
    prior <- with_unit(prior, resolution, facts$names)
    resolution <- NULL
  }
  lattice <- prior_lattice(prior, resolution, name, function(prior, resolution = NULL) {
    axes_steps(prior, name, resolution)
  })
  list(prior = prior, resolution = lattice$resolution, step = unit_details(lattice$step, unit, prior))
}

# Before the debit, from public numbers.
warn_quantile <- function(resolved, n, said) {
  numbers <- sprintf("n = %s and epsilon = %s", said$rows(n), format(said$epsilon, digits = 4))
  warn_resolved(resolved, n, numbers, what = "quantiles as far out as these", mends = quantile_mends)
}

quantile_mends <- paste("More rows, a larger epsilon, tighter limits, fewer `probs` or less extreme ones",
                        "would help; see plan_quantile()")

# `plan`: of quantile_plan().
quantiles_resolved <- function(n, plan) {
  resolved_spread(rank_failure(n, plan$sorted, plan$budget$each, plan$levels), plan$prior,
                  plan$step[[1]])
}

# The released ones, and no others.
#' @export
quantile.dp_quantile <- function(x, probs = NULL, ...) {
  check_dots(character(), "quantile()")
  if (is.null(probs)) return(x$estimate)
  names <- quantile_names(check_probs(probs))
  if (all(names %in% names(x$estimate))) return(x$estimate[names])
  stop_input("probs", sprintf("of those released: %s", toString(names(x$estimate))), "another one",
             "dp_ecdf() releases quantiles at all probabilities at once.")
}

# -- pictures --------------------------------------------------------------------------------------

#' Plots of private quantiles
#'
#' The released quantiles over their probabilities, as a private quantile function, or a private box plot:
#' a box from the quartiles, a line at the median, whiskers to two other quantiles. A thick line is a released
#' interval: of each quantile, or in a box that of the median. An infinite end is drawn to the public bound.
#'
#' @param x,object A release by [dp_quantile()].
#' @param type `"function"`: the quantile function, lines between the released points. `"box"`: a box plot,
#'   for a release with quantiles 0.25, 0.5 and 0.75; whiskers reach to the least and the largest released
#'   quantile, or to those of `whiskers`. No single rows are drawn, since none are released.
#' @param whiskers For `type = "box"`: `NULL`, or two of the released probabilities.
#' @param main,... For `plot()`: the title, and further arguments for [graphics::plot.default()].
#' @return `plot()` returns the release, invisibly; `autoplot()` a ggplot. A bad argument raises
#'   `dpdepth_error_input` (see [dpdepth-errors]).
#' @examples
#' release <- dp_quantile(faithful$eruptions, c(0.05, 0.25, 0.5, 0.75, 0.95),
#'                        epsilon = 2, lower = 0, upper = 60)
#' plot(release)
#' plot(release, type = "box")
#' @export
plot.dp_quantile <- function(x, type = c("function", "box"), whiskers = NULL, main = NULL, ...) {
  plot_picture(x, picture(x, type, whiskers), main, ...)
}

#' @rdname plot.dp_quantile
#' @method autoplot dp_quantile
#' @rawNamespace S3method(ggplot2::autoplot,dp_quantile)
autoplot.dp_quantile <- function(object, type = c("function", "box"), # nolint: object_name_linter.
                                 whiskers = NULL, ...) {
  check_dots(character(), "autoplot()")
  picture_ggplot(picture(object, type, whiskers))
}

picture.dp_quantile <- function(x, type = c("function", "box"), whiskers = NULL, # nolint: object_name_linter.
                                ...) {
  frame <- quantile_frame(x)
  box <- check_choice(type, c("function", "box"), "type") == "box"
  shown <- if (box) frame[frame$prob == 0.5, ] else frame
  at <- if (box) 1 else shown$prob
  layers <- list(
    if (box) box_layers(box_numbers(x, whiskers)),
    if (!is.null(x$interval)) interval_layer(at, shown$from, xend = at, yend = shown$to),
    if (!box) list(layer("lines", at, shown$estimate, colour = "grey60"), layer("points", at, shown$estimate))
  )
  new_picture(layers, title = plot_title(x), caption = plot_caption(x),
              x = if (box) picture_axis(limits = c(0, 2), shown = FALSE)
                  else picture_axis("probability", limits = c(0, 1)),
              y = picture_axis(if (box) "" else "quantile"))
}

# A box about 1, from five numbers.
box_layers <- function(z) {
  list(layer("segments", 1, z[c(1, 4)], xend = 1, yend = z[c(2, 5)], lty = 2),
       layer("segments", 0.8, z[c(1, 5)], xend = 1.2, yend = z[c(1, 5)]),
       layer("bars", 0.6, z[[2]], xend = 1.4, yend = z[[4]], fill = "grey85"),
       layer("segments", 0.6, z[[3]], xend = 1.4, yend = z[[3]], lwd = 3))
}

# `from`, `to`: the interval where there is one, infinite ends at the public range, or at the estimate.
quantile_frame <- function(x) {
  order <- order(x$details$probs)
  frame <- data.frame(prob = x$details$probs[order], estimate = unname(x$estimate)[order])
  if (is.null(x$interval)) return(frame)
  range <- public_range(x)
  frame$from <- finite_or(unname(x$interval[order, 1]), pmin(range$lower, frame$estimate))
  frame$to <- finite_or(unname(x$interval[order, 2]), pmax(range$upper, frame$estimate))
  frame
}

# The five numbers of a box, from released quantiles.
box_numbers <- function(x, whiskers) {
  frame <- unique(quantile_frame(x))
  if (is.null(whiskers)) whiskers <- range(frame$prob)
  whiskers <- sort(check_probs(whiskers))
  if (length(whiskers) != 2) {
    stop_input("whiskers", "NULL or two of the released probabilities", describe(whiskers))
  }
  wanted <- c(whiskers[[1]], 0.25, 0.5, 0.75, whiskers[[2]])
  found <- vapply(wanted, function(p) match(TRUE, abs(frame$prob - p) < 1e-9), 0L)
  if (anyNA(found[2:4])) {
    stop_input("type", "\"function\" for a release without the quantiles 0.25, 0.5 and 0.75", "\"box\"",
               "A box is made of these: ask dp_quantile() for them, with two more for the whiskers.")
  }
  if (anyNA(found) || whiskers[[1]] > 0.25 || whiskers[[2]] < 0.75) {
    stop_input("whiskers", "two of the released probabilities, one up to 0.25 and one from 0.75",
               NULL, "Leave it NULL for the outermost ones.")
  }
  frame$estimate[found]
}

# -- intervals -------------------------------------------------------------------------------------

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

# The planned error of private medians under public limits, and the rule that picks a method: public numbers.

#' Plan a private median
#'
#' Computes, from public numbers alone, the error that the methods of [dp_median()] are expected to add to the
#' sampling error, which of them `method = "auto"` takes, and whether the budget suffices at all.
#'
#' @param n The number of rows, or `NULL` for the smallest one that gives `error`. Several of `n` and
#'   `epsilon` give a plain data frame, see [dp_plan].
#' @param d The number of variables.
#' @param epsilon The privacy budget, or `NULL` for the smallest one that gives `error`.
#' @param delta Its delta, or 0.
#' @param lower,upper,prior Public limits or a prior, as in [dp_median()]; none of them for a median without
#'   limits.
#' @param spread A guess at the standard deviation of each variable, one number or one per variable, in the
#'   variable's units. `NULL` for a twentieth of the bounds' width, a tenth of a normal prior's standard
#'   deviation, or, without limits, 1: errors are then in units of the spread. Such a twentieth is no more
#'   than a placeholder: errors are in proportion to it, so give a guess. It must not be taken from the data.
#' @param error The error wanted of the method, when `n` or `epsilon` is sought.
#' @param method `"auto"`: all methods, `n` or `epsilon` being sought for the one that `dp_median(method =
#'   "auto")` takes. Or one of them, for its rows alone: `"exponential"`, `"axes"`, `"marginal"`, `"smooth"`,
#'   `"restricted"`, `"projection"` or `"interior"`.
#' @param depth,smooth The depth of the exponential mechanism, as in [dp_median_exponential()]. Depths other
#'   than `"halfspace"` need limits or a prior.
#' @param interval `NULL`, or the level of confidence intervals, such as 0.95: the plan is then that of their
#'   widths, see [interval_plan].
#' @param width With `interval`, the mean width wanted, when `n` or `epsilon` is sought.
#' @param ... For `method = "projection"`: `directions`, `location` and `scale`, as in
#'   [dp_median_projection()]. Other names are refused.
#' @details
#' **Error.** `error` is the root mean squared error per variable (averaged over variables) that privacy adds,
#' for normal data with independent variables and standard deviations `spread`, f = 1/(spread sqrt(2 pi))
#' being the density at the median:
#'
#' * `exponential`, halfspace depth: 2 sqrt(d + 1)/(epsilon n f), and what uneven distances between rows add;
#' * `axes`, depth along the axes: 2 sqrt((d + 1)(d + 2)/3)/(epsilon n f);
#' * `marginal`, d composed medians with epsilon_j each: 2 sqrt(2)/(epsilon_j n f), epsilon_j being the larger
#'   of epsilon/d and, with `delta`, sqrt(8 rho/d), rho the zero-concentrated budget that (epsilon, delta)
#'   buys.
#'
#' * `smooth`, smooth sensitivity, with limits and `delta`: no formula, but the noise that
#'   [dp_median_smooth()] would add for n normal rows, which are made of public [directions()] (above 10,000
#'   rows, by proportion); `smooth, marginal` with `region = "marginal"`. `smooth` is left out above ten
#'   variables, where the sorting takes long. It means `region = "directional"`, which has about the noise of
#'   `"exact"`.
#' * without limits: `axes` under [prior_dyadic()], with the error above; and, with `delta`, `restricted`, the
#'   restricted mechanism along the axes, with the error above at what its test leaves of epsilon; and
#'   `projection`, the projection median, where its test can be expected to pass for normal data (with
#'   probability 0.975): sqrt((d + 1) E h^-(d + 2)/E h^-d) s/c spreads, s being the scale of a standard normal
#'   variable, c the rate of the draw, and h the largest of as many cosines between a random vector and
#'   directions as there are `directions`.
#'
#' * without limits, with `delta`, for one variable: `interior`, a point near the median at the distance of
#'   the bins' edges, which does not fall with n; [plan_interior_point()] simulates how likely a release is.
#' * with another `depth`: `exponential` over that depth, the error of the density `exp(-epsilon alpha(t) / (2
#'   GS))` at distance t (in units of `spread`), alpha being the [discrepancy()] of the depth for normal data
#'   and GS what one replaced row moves it by. (Rank-weighted depth is flatter at its peak, since the medians
#'   along its directions do not meet; that is allowed for.)
#'
#' The sampling error of the median itself, 1.25 spread/sqrt(n), comes on top. The formulas are for large n:
#' they take the depth to be linear about its deepest point. With few directions the error of halfspace depth
#' is somewhat larger; with strongly correlated variables the error along the axes is larger.
#'
#' **Failures.** With few rows for the limits most of the probability lies far from the data: the release is
#' then noise as wide as the limits. `failure` is the chance that a draw lies beyond five spreads, in any
#' variable, for normal data; for the methods with a private test, the chance that the test fails. It falls by
#' the factor e with each 4/epsilon rows more. Where it is above 1/1000, `beyond` is `TRUE`, and `error` that
#' of the limits, or `Inf` without them; else `error` is that of draws that do not fail. The `n` or `epsilon`
#' found for an `error` is the least with which `failure` is at most 1/2000 (of a private test, 1/20). The
#' mean of a normal prior is assumed to lie one standard deviation from the data, the origin of a dyadic one a
#' thousand spreads. Where many rows tie, wide limits make failures more likely than planned. With 102 rows,
#' epsilon = 1 and limits of +-1e6, 0.03% is planned. If 45% of the rows are zeros and the others normal, 15%
#' fail; of counts with mean 2, 0.5%. With `resolution = 1` in [dp_median()] fewer than one in 100,000 fail
#' (`data-raw/ties.R`).
#'
#' A release does not know the spread. It says which spreads it resolves, that is, of which `failure` is at
#' most 1/100, and [dp_median()] warns (class `dpdepth_warning_accuracy`), before anything is spent, where
#' that is more than a fiftieth of the limits' width.
#' @return A data frame of class `median_plan`, one row per available method: `method`; `guarantee`; `n`, `d`,
#'   `epsilon`; `delta`, what it spends; `error`; `failure`; `beyond`, whether it fails in more than one of
#'   1000 draws, so that the prior and not the rows decides on the release; and `chosen`, whether
#'   `dp_median(method = "auto")` takes it, or, with a `method`, whether `error` is that of this row. `tidy()`
#'   gives it as a plain data frame.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for numbers outside their ranges, for other than two of `n`,
#' `epsilon` and what is wanted (`error` or `width`), and for one that no `n` or `epsilon` reaches.
#' @seealso [plan_regression()]; [interval_plan] for intervals.
#' @examples
#' plan_median(n = 1000, d = 3, epsilon = 1, lower = 0, upper = 100, spread = 10)
#'
#' # many variables: with a delta, medians of each variable cost less
#' plan_median(n = 10000, d = 100, epsilon = 1, delta = 1e-6, lower = -50,
#'             upper = 50, spread = 1)
#'
#' # what a depth with a flat peak costs
#' plan_median(n = 1000, d = 2, epsilon = 1, lower = 0, upper = 100, spread = 10,
#'             depth = "idd")
#'
#' # how many rows for an error of a tenth of a year? And by smooth sensitivity?
#' plan_median(epsilon = 0.5, lower = 0, upper = 120, spread = 20, error = 0.1)
#' plan_median(d = 1, epsilon = 0.5, delta = 1e-6, lower = 0, upper = 120,
#'             spread = 20, error = 0.1, method = "smooth")$n
#'
#' # rows that the projection median needs, with medians and with trimmed means
#' plan_median(d = 2, epsilon = 2, delta = 1e-6, error = 0.1,
#'             method = "projection", directions = 200)$n
#' plan_median(d = 2, epsilon = 2, delta = 1e-6, error = 0.1,
#'             method = "projection", directions = 200, location = "trimmed",
#'             scale = "trimmed")$n
#' @order 1
#' @export
plan_median <- function(n = NULL, d = 1, epsilon = NULL, delta = 0, lower = NULL, upper = NULL, prior = NULL,
                        spread = NULL, error = NULL, depth = "halfspace", smooth = NULL, interval = NULL,
                        width = NULL,
                        method = c("auto", "exponential", "axes", "marginal", "smooth", "restricted",
                                   "projection", "interior"), ...) {
  check_given(further = projection_plan_arguments)
  if (is_grid(n, epsilon)) return(plan_grid(n, epsilon, match.call(), parent.frame()))
  d <- check_count(d, "d", upper = 1e6)
  delta <- check_delta(delta, zero = TRUE)
  unlimited <- is.null(prior) && is.null(lower) && is.null(upper)
  prior <- if (unlimited) prior_for(prior_dyadic(), d) else public_prior(prior, lower, upper, d)
  spread <- check_plan_spread(spread, d)
  method <- check_plan_method(method, d, delta, prior, unlimited, depth, interval)
  check_dots(if (method == "projection") projection_plan_arguments,
             sprintf("`plan_median(method = \"%s\")`", method))
  if (!is.null(interval)) {
    if (!identical(depth, "halfspace")) {
      stop_input("depth", "\"halfspace\" with `interval`", describe(depth), "Leave one of the two out.")
    }
    return(plan_median_interval(n, d, epsilon, prior, spread, interval, width, error))
  }
  check_no_width(width)
  free <- unlimited || is_dyadic(prior)
  profile <- check_plan_depth(depth, smooth, d, free, if (!free) prior_units(prior, spread)$spread)
  wanted <- check_plan(n, epsilon, error)
  if (!is.null(profile) && !is.null(n)) check_depth_size(wanted$n, d, depth, arg = "n")
  task <- list(d = d, delta = delta, prior = prior, spread = spread, profile = profile, unlimited = unlimited,
               method = method, projection = list(...))
  if (method == "projection") check_projection_plan(d, ...)
  most <- if (is.null(profile)) .Machine$integer.max else most_depth_rows(depth, d)
  wanted <- sought_plan(wanted, function(n, epsilon) {
    errors <- plan_rows(task, n, epsilon, sought = TRUE)
    any(errors$chosen & plan_reaches(errors, wanted$error))
  }, less = "Ask for a larger error, or plan for fewer variables or tighter limits.",
  rows = function(enough) search_minimum(enough, 0.5, most, 1 + 1e-4), budgets = c(1e-6, 1e3, 1 + 1e-4))
  rows <- plan_rows(task, wanted$n, wanted$epsilon)
  if (nrow(rows) == 0) refuse_plan(method, wanted$n, d, wanted$epsilon)
  structure(rows, class = c("median_plan", "dp_plan", "data.frame"), assumed = assumed_spread(prior, spread),
            limits = if (!is_dyadic(prior)) prior_units(prior, spread), profile = profile, asked = method,
            after = c(
              if (!any(rows$method[rows$chosen] %in% tested_medians)) {
                failure_note(list(n = n, epsilon = epsilon), error, max(rows$error[rows$chosen], 0), wanted$n)
              },
              if (takes_steps(rows)) ties_note(prior, spread, "dp_median()")
            ))
}

# Is `resolution` the lattice that the planned draw comes from? For other methods it would not mend ties.
takes_steps <- function(rows) {
  any(sub(",.*", "", rows$method[rows$chosen]) %in% c("exponential", "axes", "restricted"))
}

check_plan_spread <- function(given, d) {
  if (is.null(given)) return(NULL)
  spread <- check_bound(given, d, "spread")
  guess <- "It is a guess at a standard deviation: leave it out if you have none."
  if (!all(spread > 0)) stop_input("spread", "above 0", describe_numbers(given, spread <= 0), guess)
  spread
}

# A method that these limits and this delta allow.
check_plan_method <- function(method, d, delta, prior, unlimited, depth, interval) {
  method <- check_choice(method, eval(formals(plan_median)$method), "method")
  if (method == "auto") return(method)
  shown <- sprintf("\"%s\"", method)
  refuse <- function(must, how) stop_input("method", must, shown, how)
  if (!is.null(interval)) refuse("\"auto\" with `interval`", "Leave one of the two out.")
  if (!identical(depth, "halfspace") && method != "exponential") {
    refuse("\"auto\" or \"exponential\" with another `depth`", "Leave one of the two out.")
  }
  if (method == "interior" && d > 1) refuse("a method for several variables", "It is for d = 1.")
  if (method %in% c("restricted", "projection", "interior")) {
    if (!unlimited) refuse("a method that takes limits", "Leave the limits out: it has no use for them.")
  } else if (method %in% c("marginal", "smooth") && is_dyadic(prior)) {
    refuse("a method without limits", "Give `lower` and `upper`.")
  }
  if (method == "smooth" && !inherits(prior, "dp_prior_uniform")) {
    refuse("a method that takes a prior", "Give `lower` and `upper` instead.")
  }
  if (delta == 0 && method %in% c("smooth", "restricted", "projection", "interior")) {
    refuse("a pure method with delta = 0", "Give a `delta` above 0.")
  }
  if (method == "exponential" && d > max_exact_variables && identical(depth, "halfspace")) "axes" else method
}

refuse_plan <- function(method, n, d, epsilon) {
  stop_input("method", sprintf("one that n = %s, d = %s and epsilon = %s allow", format(n), format(d),
                               format(epsilon, digits = 3)),
             sprintf("\"%s\"", method), "Plan for more rows, a larger `epsilon` or fewer variables.")
}

# The rows of a plan. `sought`: those alone that a search looks at.
plan_rows <- function(task, n, epsilon, sought = FALSE) {
  d <- task$d
  if (!is.null(task$profile)) return(depth_errors(n, d, epsilon, task$prior, task$spread, task$profile))
  if (task$method %in% c("smooth", "projection")) {
    rows <- if (task$method == "smooth") {
      smooth_errors(n, d, epsilon, task$delta, task$prior, task$spread, chosen = TRUE)
    } else {
      projection_error(n, d, epsilon, task$delta, task$spread, task$projection, chosen = TRUE)
    }
    return(if (is.null(rows)) no_plan_rows else rows)
  }
  if (is_dyadic(task$prior)) {
    rows <- unlimited_errors(n, d, epsilon, if (task$unlimited) task$delta else 0, task$spread)
  } else {
    rows <- median_errors(n, d, epsilon, task$delta, task$prior, task$spread)
    if (!sought && task$method == "auto") {
      rows <- rbind(rows, smooth_errors(n, d, epsilon, task$delta, task$prior, task$spread))
    }
  }
  # of one variable the two are the same draw
  if (task$method == "auto") return(if (d == 1) unlike_rows(rows) else rows)
  rows <- rows[sub(",.*", "", rows$method) == task$method, ]
  rows$chosen <- seq_len(nrow(rows)) == 1
  row.names(rows) <- NULL
  rows
}

unlike_rows <- function(rows) {
  if (!"exponential" %in% rows$method) return(rows)
  rows <- rows[rows$method != "axes", ]
  row.names(rows) <- NULL
  rows
}

no_plan_rows <- data.frame(method = character(), error = numeric(), failure = numeric(), beyond = logical(),
                           chosen = logical())

# The available methods, with their errors per variable, and which one "auto" takes.
median_errors <- function(n, d, epsilon, delta, prior, spread = NULL) {
  whole <- if (exact_median_serves(d)) "exponential" else "axes"
  budget <- marginal_budget(epsilon, delta, d)
  methods <- unique(c(whole, "axes", if (d > 1) "marginal"))
  units <- prior_units(prior, spread)
  f <- stats::dnorm(0) / units$spread
  line <- prior_line(prior, spread)
  failure <- vapply(methods, function(m) {
    median_failure(n, d, if (m == "marginal") budget$each else epsilon, m)(line)
  }, 0)
  noise <- vapply(methods, function(m) {
    each <- if (m == "marginal") budget$each else epsilon
    factor <- error_factor(m, epsilon, budget$each, d)
    root_mean_square(pmin(sqrt(4 * factor^2 + gap_variance(each)) / (n * f), units$wide))
  }, 0)
  beyond <- failure > most_failure
  noise[beyond] <- root_mean_square(units$wide)
  data.frame(
    method = methods,
    guarantee = ifelse(methods == "marginal" & budget$delta > 0, "approximate", "pure"),
    n = n, d = d, epsilon = epsilon, delta = ifelse(methods == "marginal", budget$delta, 0),
    error = unname(noise), failure = unname(failure), beyond = unname(beyond),
    chosen = methods == auto_median(n, d, epsilon, delta), row.names = NULL
  )
}

# The same over a depth other than halfspace depth.
depth_errors <- function(n, d, epsilon, prior, spread, profile) {
  units <- prior_units(prior, spread)
  reach <- rep_len(units$half / units$spread, d)
  # of the ball with the box's volume
  radius <- 2 / sqrt(pi) * exp(mean(log(reach)) + lgamma(d / 2 + 1) / d)
  failure <- profile_failure(profile, n, d, epsilon, radius)
  beyond <- failure > most_failure
  each <- pmin(units$wide, units$spread * profile_error(profile, n, d, epsilon, radius))
  data.frame(method = "exponential", guarantee = "pure", n = n, d = d, epsilon = epsilon, delta = 0,
             error = root_mean_square(rep_len(if (beyond) units$wide else each, d)), failure = failure,
             beyond = beyond, chosen = TRUE)
}

# The same without limits.
unlimited_errors <- function(n, d, epsilon, delta, spread = NULL) {
  f <- stats::dnorm(0) / (if (is.null(spread)) 1 else spread)
  noise <- function(epsilon) {
    root_mean_square(sqrt(4 * error_factor("axes", epsilon, NULL, d)^2 + gap_variance(epsilon)) / (n * f))
  }
  serves <- dyadic_serves(n, d, epsilon)
  failure <- median_failure(n, d, epsilon, "axes")(prior_line(prior_dyadic()))
  beyond <- failure > most_failure
  out <- data.frame(method = "axes", guarantee = "pure", n = n, d = d, epsilon = epsilon, delta = 0,
                    error = if (beyond) Inf else noise(epsilon), failure = failure, beyond = beyond,
                    chosen = serves || delta == 0)
  if (delta == 0 || n < 4 || epsilon < min_restricted_epsilon) return(out)
  plan <- restricted_axes_plan(n, d, epsilon, max(delta, min_restricted_delta))
  out <- rbind(out, data.frame(
    method = "restricted", guarantee = "approximate", n = n, d = d, epsilon = epsilon, delta = delta,
    error = noise(epsilon * (1 - plan$share)), failure = 1 - plan$pass, beyond = plan$pass < 0.5,
    chosen = !serves && plan$pass >= min_pass
  ))
  out <- rbind(out, projection_error(n, d, epsilon, delta, spread))
  if (d == 1) rbind(out, interior_error(n, epsilon, delta, spread)) else out
}

plan_shown.median_plan <- function(x, digits) { # nolint: object_name_linter.
  over <- if (!is.null(attr(x, "profile"))) paste(" over", median_depths[[attr(x, "profile")$depth]]$what)
  note <- ifelse(x$chosen & attr(x, "asked") == "auto", "<- auto", "")
  beyond <- ifelse(x$method == "restricted", "its test will fail",
                   ifelse(is.finite(x$error), "noise as wide as the limits", "noise of any size"))
  note[x$beyond] <- trimws(paste(note, beyond))[x$beyond]
  list(
    title = paste0("Expected error that privacy adds to a median", over),
    size = sprintf(", d = %s", grouped(x$d[[1]])),
    before = sprintf(paste(
      "error: root mean squared, a variable, in the variables' units, if the data are normal and independent",
      "with %s"
    ), attr(x, "assumed")),
    table = data.frame(method = x$method, guarantee = x$guarantee, delta = x$delta,
                       error = each_text(x$error, digits), failure = percent_text(x$failure), " " = note,
                       check.names = FALSE),
    left = TRUE, after = attr(x, "after")
  )
}

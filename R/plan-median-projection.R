# Default constants of the private projection median, and how large a sample it takes: public facts only.
#
# METHOD: at level k the largest move of a median is the largest gap between order statistics k + 1 apart near
#   the middle, in each of N directions. In units of 1/(n f), f being the normal density there, such a gap is
#   a sum of k + 1 exponential variables, and the largest of a window exceeds x with probability near
#   (1 + 1.1 (k + 1)^0.62) P(Gamma(k + 1) > x) (by simulation). Directions count as independent. Trimmed
#   means, trimmed deviations and Huber's location move by amounts that hardly vary.
#   The margin's law and the noise of the test then give the probability of passing. With trimmed deviations,
#   whose margins hardly vary, eta is then enlarged by a quarter, for data that are not quite normal.
#   tau = q + room: q is what the draw needs beyond the least outlyingness, and room the deviations of the N
#   locations from a common centre, at the normal and, in 16 steps, up to 0.42 more. The margin is the largest
#   over these tau: data whose locations deviate more are not unsafe, but need smaller gaps.
#   Where eta is large, which is where rows are few, a limit `centre` of these deviations makes c larger, up
#   to twice. It is the room at the normal and 0.42 more, or 0.1 if that makes c larger by half.

#' Plan a private projection median
#'
#' Computes how many rows, or how much epsilon, [dp_median_projection()] needs for its private test to pass
#' and for its noise to be small, and its default constants. No data are used: public facts only.
#'
#' **Constants.** The default `eta` is the least for which, at the standard normal in d dimensions, the test
#' passes with probability `pass`; `tau` goes with it. Any normal law with the same spread in each direction
#' gives the same. They follow from n, d, epsilon, delta, the number of directions, location and scale alone.
#' `eta` is enlarged, where that costs less than a third of c, the rate of the draw, so that the test passes
#' with probability of about 0.75 for normal data of which a quarter is in one place, however far away,
#' provided that location and scale withstand it. (Trimming by a quarter does not quite withstand it.) Of six
#' splits of epsilon between test and draw, from 1:3 to 1:1, the one with the largest c is taken.
#'
#' **Error.** `error` is the root mean squared distance, in standard deviations of normal data, that the
#' draw adds: sqrt(d (d + 1) E h^-(d + 2)/E h^-d) s/c, s being the scale of a standard normal variable and h
#' the largest of N cosines between a random vector and the directions. (With very many directions h
#' is 1, and the draw has density proportional to exp(-c |x|/s); with many variables this takes very many
#' directions.) The sampling error of the median, about sqrt(1.5 d/n), comes on top.
#'
#' **Which pair.** Median and MAD withstand nearly half of the data being wrong. At the normal, trimmed
#' means with trimmed deviations need a tenth of the noise and of the rows, since one row moves a mean of n/2
#' numbers by much less than the gap of dozens of order statistics; they withstand less than a quarter. The
#' median with trimmed deviations needs a third of the rows that it needs with the MAD.
#'
#' @param n The number of rows, or `NULL` for the least one.
#' @param d The number of variables.
#' @param epsilon The epsilon of the release, or `NULL` for the least one.
#' @param delta Its delta.
#' @param directions How many directions.
#' @param location,scale As in [dp_median_projection()].
#' @param pass The probability at the normal with which the test is to pass.
#' @param error The largest error (see above) that is acceptable, when `n` or `epsilon` is sought.
#' @param simulate How many normal data sets to try it on, for `pass_simulated`: each takes as long as a
#'   test, and has up to 2e7 numbers.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A data frame of class `projection_plan` with one row: `n`, `d`, `epsilon`, `delta`, `location`,
#'   `scale`; `feasible`, whether there are such constants (if not, the others are such that the test nearly
#'   always fails); `eta`, `tau` (the largest), `centre` (a limit of the deviations of locations; `Inf`
#'   without), `epsilon_test`, `epsilon_draw`, `rate` (c), `error`; and `pass_simulated` (`NA` without
#'   simulation), the mean probability with which the test passes for simulated data sets, drawn from R's
#'   stream. See [dp_plan] for its methods.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for a bad argument, and if no n up to 2^31 - 1 or no epsilon
#' up to 1000 will do.
#' @seealso [dp_median_projection()], [margin_projection()].
#' @examples
#' # how many rows for an error of 0.1 standard deviations?
#' plan_median_projection(d = 2, epsilon = 2, delta = 1e-6, directions = 200, error = 0.1)
#'
#' # the same with trimmed means
#' plan_median_projection(d = 2, epsilon = 2, delta = 1e-6, directions = 200, error = 0.1,
#'                        location = "trimmed", scale = "trimmed")
#'
#' # what does n = 50,000 give?
#' plan_median_projection(n = 50000, d = 10, epsilon = 2, delta = 2e-4, directions = 500)
#' @export
plan_median_projection <- function(n = NULL, d, epsilon = NULL, delta, directions = 1000L,
                                   location = "median", scale = "mad", pass = 0.975, error = 0.5,
                                   simulate = 0L, ...) {
  check_given()
  if (is.null(n) && is.null(epsilon)) {
    stop_input("n", "given, or `epsilon`", "missing", "Give one or both of the two.")
  }
  if (!is.null(n)) n <- check_count(n, "n")
  d <- check_count(d, "d", upper = 100L)
  if (!is.null(epsilon)) epsilon <- check_epsilon(epsilon)
  delta <- check_delta(delta)
  count <- check_directions_count(directions, d, TRUE, "directions")
  pair <- check_pair(location, scale)
  miss <- 1 - check_number(pass, "pass", 0, 1)
  error <- check_number(error, "error", 0)
  simulate <- check_count(simulate, "simulate", lower = 0L)
  if (!is.null(epsilon)) check_draw_epsilon(epsilon, delta)
  size <- sqrt(d * (d + 1) * few_directions(d, count)) * normal_scale(pair[[2]])
  plan <- function(n, epsilon) {
    # one row alone is refused by a release, and fails no less than two
    out <- projection_constants(max(n, 2), d, epsilon, delta, count, pair[[1]], pair[[2]], miss = miss)
    out$error <- size / out$rate
    out
  }
  enough <- function(p) p$feasible && p$error <= error
  if (is.null(n)) {
    n <- search_minimum(function(v) enough(plan(round(v), epsilon)), 10, .Machine$integer.max, 1.001)
    if (is.na(n)) stop_input("error", "reachable with that `epsilon`", format(error))
    n <- as.integer(ceiling(n))
  }
  if (is.null(epsilon)) {
    epsilon <- search_minimum(function(v) draw_has_rate(v, delta) && enough(plan(n, v)), 1e-3, 1000, 1.001)
    if (is.na(epsilon)) stop_input("error", "reachable with that `n`", format(error))
  }
  p <- plan(n, epsilon)
  rows <- data.frame(
    n = n, d = d, epsilon = epsilon, delta = delta, location = pair[[1]], scale = pair[[2]],
    feasible = p$feasible, eta = p$eta, tau = max(p$tau), centre = p$centre, epsilon_test = p$epsilon_test,
    epsilon_draw = p$epsilon_draw, rate = p$rate, error = p$error,
    pass_simulated = simulated_pass(simulate, n, d, delta, count, pair, p)
  )
  curve <- function(n, epsilon) {
    check_draw_epsilon(epsilon, delta)
    it <- plan(n, epsilon)
    c(if (it$feasible) it$error else NA, sqrt(1.5 * d / n))
  }
  new_plan(rows, "projection_plan", curve, "error that the draw adds", "sampling error, about",
           head = "Error that a private projection median adds",
           notes = c("error: root mean squared distance, in standard deviations of normal data",
                     if (!p$feasible) "With so few rows the test of a release hardly ever passes."))
}

# E h^-(d + 2)/E h^-d, h the largest of `count` cosines between a random vector and random directions.
few_directions <- function(d, count) {
  if (d == 1) return(1)
  p <- (seq_len(4000) - 0.5) / 4000
  h <- sqrt(stats::qbeta(p^(1 / max(count, 2 * d)), 0.5, (d - 1) / 2))
  mean(h^-(d + 2)) / mean(h^-d)
}

normal_scale <- function(scale) {
  switch(scale, mad = stats::qnorm(0.75), iqr = 2 * stats::qnorm(0.75), trimmed = 0.3247)
}

simulated_pass <- function(times, n, d, delta, count, pair, plan) {
  if (times == 0) return(NA_real_)
  if (as.double(n) * d > most_simulated) {
    stop_input("simulate", sprintf("0 with %s rows of %d variable%s", grouped(n), d, plural(d)),
               grouped(times),
               sprintf("Data sets that are made have up to %s numbers.", grouped(most_simulated)))
  }
  u <- directions(d, count)
  levels <- ptr_levels(plan$epsilon_test, delta)
  margins <- with_progress_bar("simulated data sets", vapply(seq_len(times), function(i) {
    move_progress(i - 1, times)
    x <- matrix(stats::rnorm(n * d), n) # public-rng: simulated data
    projection_margin(x, u, pair[[1]], pair[[2]], plan$eta, plan$tau, plan$epsilon_draw, delta, levels,
                      centre = plan$centre)$margin
  }, 0))
  mean(test_chance(margins, plan$epsilon_test, delta))
}

# The projection median serves about so many rows at epsilon = 1, and somewhat more with many variables.
rows_for_projection <- function(d) 2500 * sqrt(d)

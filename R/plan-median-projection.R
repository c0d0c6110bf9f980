# Default constants of the private projection median, and how large a sample it takes: public facts only.

#' Plan a private projection median
#'
#' Computes how many rows, or how much epsilon, [dp_median_projection()] needs for its private test to pass
#' and for its noise to be small, and its default constants. No data are used: public facts only.
#'
#' **Constants.** The default `eta` is the least for which, at the standard normal in d dimensions, the test
#' passes with probability `pass`; `tau` goes with it. (Outlyingness does not change when data are moved or
#' multiplied, and so any normal law with the same spread in each direction is as good.) They follow from
#' n, d, epsilon, delta, the number of directions, location and scale, by a formula:
#'
#' * At level k the largest move of a median is the largest gap between order statistics k + 1 apart near
#'   the middle, in each of N directions. In units of 1/(n f), f being the normal density there, such a
#'   gap is a sum of k + 1 exponential variables, and the largest of a window exceeds x with probability
#'   near (1 + 1.1 (k + 1)^0.62) P(Gamma(k + 1) > x) (by simulation). Directions count as independent.
#'   Trimmed means, trimmed deviations and Huber's location move by amounts that hardly vary.
#' * The margin's law and the noise of the test then give the probability of passing.
#'   With trimmed deviations, whose margins hardly vary, `eta` is then enlarged by a quarter, so that data
#'   that are not quite normal pass, too.
#' * tau = q + room: q is what the draw needs beyond the least outlyingness, and room the deviations of
#'   the N locations from a common centre, at the normal and, in 16 steps, up to 0.42 more. The margin is the
#'   largest over these tau: data whose locations deviate more are not unsafe, but need smaller gaps.
#' * Where `eta` is large, which is where rows are few, a limit `centre` of these deviations makes c larger,
#'   up to twice. It is the room at the normal and 0.42 more, or 0.1 if that makes c larger by half.
#' * `eta` is enlarged, where that costs less than a third of c, so that the test passes with probability of
#'   about 0.75 for normal data of which a quarter is in one place, however far away (with `pass` at the
#'   normal, or more then), provided that location and scale withstand it. (Trimming by a quarter does not
#'   quite withstand it.)
#' * Of six splits of epsilon between test and draw, from 1:3 to 1:1, the one with the largest c is taken.
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
#'   test.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A data frame of one row: `n`, `d`, `epsilon`, `delta`, `location`, `scale`; `feasible`, whether
#'   there are such constants (if not, the others are such that the test nearly always fails); `eta`,
#'   `tau` (the largest), `centre` (see above; `Inf` without), `epsilon_test`, `epsilon_draw`, `rate` (c),
#'   `error`; and `pass_simulated` (`NA`
#'   without simulation), the mean probability with which the test passes for simulated data sets, drawn
#'   from R's stream.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for a bad argument, and if no n up to 2^31 - 1 or no epsilon
#' up to 1000 will do.
#' @inherit dp_median_projection references
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
  if (is.null(n) && is.null(epsilon)) stop_input("n", "given, or epsilon", "NULL, as `epsilon`")
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
  plan <- function(n, epsilon) {
    out <- projection_constants(n, d, epsilon, delta, count, pair[[1]], pair[[2]], miss = miss)
    out$error <- sqrt(d * (d + 1) * few_directions(d, count)) * normal_scale(pair[[2]]) / out$rate
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
  data.frame(
    n = n, d = d, epsilon = epsilon, delta = delta, location = pair[[1]], scale = pair[[2]],
    feasible = p$feasible, eta = p$eta, tau = max(p$tau), centre = p$centre, epsilon_test = p$epsilon_test,
    epsilon_draw = p$epsilon_draw, rate = p$rate, error = p$error,
    pass_simulated = simulated_pass(simulate, n, d, delta, count, pair, p)
  )
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
  u <- directions(d, count)
  levels <- ptr_levels(plan$epsilon_test, delta)
  margins <- vapply(seq_len(times), function(i) {
    x <- matrix(stats::rnorm(n * d), n) # public-rng: simulated data
    projection_margin(x, u, pair[[1]], pair[[2]], plan$eta, plan$tau, plan$epsilon_draw, delta, levels,
                      centre = plan$centre)$margin
  }, 0)
  mean(test_chance(margins, plan$epsilon_test, delta))
}

# A test of the defaults may fail with the first probability at the normal, and with about the second where
# a quarter of the data is elsewhere: the deepest point is then up to 0.24 standard deviations of the others
# further from the locations, for what (1) has to pay. (In units of scales, which are larger there, it is up
# to 0.407: medians of three quarters of normal data and a far quarter are at 0.431, their MAD is 1.06.)
projection_miss <- c(0.025, 0.25)
projection_allowance <- 0.24

# How far the tau of the defaults reach beyond what the normal needs, at least and where it costs little, and
# how many they are.
projection_reach <- c(0.1, 0.42)
projection_taus <- 16L

# eta, tau, the limit `centre` of condition (2) and the split of epsilon, so that at the standard normal the
# test passes with probability 1 - miss; by formula, see the details of plan_median_projection(). What is not
# NULL is kept. `directions_count`: how many directions. list(eta, tau, centre, epsilon_test, epsilon_draw,
# rate, feasible); `feasible`: there are such constants; for those given, that the test passes there at least
# now and then.
projection_constants <- function(n, d, epsilon, delta, directions_count, location = "median", scale = "mad",
                                 eta = NULL, tau = NULL, miss = projection_miss[[1]]) {
  count <- if (d == 1) 1 else directions_count
  plan <- function(share, allowance, miss, reach) {
    test <- epsilon * share
    levels <- seq_len(min(ptr_levels(test, delta), max(1, n %/% 8)))
    # a margin that long passes with probability 0.994
    enough <- min(length(levels), ptr_threshold(test, delta) + ceiling(4.5 / test))
    normal <- normal_reach(n, levels, count, c(location, scale), enough)
    size <- list(d = d, count = directions_count, test = test, draw = epsilon - test, delta = delta)
    projection_plan(normal, size, allowance, eta, tau, miss, reach)
  }
  if (!is.null(eta) || !is.null(tau)) return(plan(0.5, 0, miss, projection_reach[[2]]))
  shares <- seq(0.25, 0.5, by = 0.05)
  plans <- lapply(shares, plan, 0, miss, projection_reach[[1]])
  usable <- vapply(plans, function(p) p$feasible, NA)
  if (!any(usable)) return(plans[[length(plans)]])
  chosen <- which.max(usable * vapply(plans, function(p) p$rate, 0))
  best <- plans[[chosen]]
  # for a quarter of the data anywhere, where it costs less than a third of the accuracy
  for (allowance in projection_allowance * c(1, 1 / 2, 1 / 4, 0)) {
    robust <- plan(shares[[chosen]], allowance, max(miss, projection_miss[[2]] * (allowance > 0)),
                   projection_reach[[2]])
    if (robust$feasible && robust$rate <= best$rate && robust$rate >= 2 / 3 * best$rate) return(robust)
  }
  best
}

# The constants for `size`: d, count (of directions), epsilons of the test and of the draw, delta. `normal`:
# from normal_reach(). `reach`: how far centres may be beyond the normal's, where c depends on it.
projection_plan <- function(normal, size, allowance, eta, tau, miss, reach) {
  centre <- normal$room + reach
  law_at <- function(eta, tau) {
    projection_law(size$d, size$count, eta, tau, centre, size$draw, size$delta)
  }
  # the least tau, which gives the normal its room: a fixed point, to which steps come from both sides
  least_tau <- function(eta) {
    if (!is.null(tau)) return(tau)
    at <- normal$room + 2 * eta * draw_tail(size$d, 1, size$draw, size$delta) / size$draw
    for (step in 1:20) {
      before <- at
      at <- normal$room + law_at(eta, at)$tail * (1 + 1e-6)
      if (abs(at - before) < 1e-7 * normal$room) break
    }
    at
  }
  passes_with <- function(eta, more, chance) {
    pass_probability(normal$safe(eta, least_tau(eta) + more), size$test, size$delta) >= chance
  }
  passes <- function(eta) passes_with(eta, allowance / min(normal$spread), 1 - miss)
  if (!is.null(eta)) {
    # constants that are given: infeasible where they fail nearly always, or (2) allows nothing
    at <- least_tau(eta)
    feasible <- at > law_at(eta, at)$tail && passes_with(eta, 0, 0.01)
  } else {
    low <- min(normal$move)
    high <- max(normal$move) * 2^10
    feasible <- passes(high)
    # without any that passes: one at which (1) holds and (2) does not
    eta <- if (feasible) normal$spare * bisect_minimum(passes, low, high, 1.002)
           else max(normal$move) * (2 + normal$room)
  }
  at <- least_tau(eta)
  law <- law_at(eta, at)
  if (is.null(tau)) {
    # a limit that c does not depend on costs nothing
    widest <- if (is.finite(law$centre)) reach else projection_reach[[2]]
    tau <- at + seq(0, widest, length.out = projection_taus)
  }
  list(eta = eta, tau = tau, centre = law$centre, epsilon_test = size$test, epsilon_draw = size$draw,
       rate = law$rate, feasible = feasible)
}

# P(the test passes) when P(margin >= m) = safe[[m]].
pass_probability <- function(safe, epsilon, delta) {
  safe <- cummin(safe)
  q <- exp(-epsilon)
  threshold <- ptr_threshold(epsilon, delta)
  noise <- (1 - q) / (1 + q) * q^abs(threshold + 1 - seq_along(safe))
  # the last of the levels stands for all margins beyond
  beyond <- if (length(safe) > threshold) q^(length(safe) - threshold) / (1 + q) else 0
  q^(threshold + 1) / (1 + q) + sum(safe * noise) + safe[[length(safe)]] * beyond
}

# What location and scale do at the standard normal, at distance m: see the details of
# plan_median_projection(). safe(eta, tau) is the probability that condition (1) holds in all
# directions, `room` an upper limit of the left side of (2) up to m = `enough`.
normal_reach <- function(n, m, count, pair, enough = length(m)) {
  at_median <- n * stats::dnorm(0)
  extreme <- stats::qnorm(0.002 / count, lower.tail = FALSE) / sqrt(n) # of N means, but for their deviation
  location <- normal_location(n, m, pair[[1]])
  usual <- m + 2 * sqrt(m) # spacings in a window of m, when they are many
  # the ranges of trimmed means and of Huber's location are sums of moves
  reach <- location$noise * m + cumsum(location$fixed * (location$fixed < 1e3))
  # parts of the location's move that the trimmed deviation moves by, besides that of one number
  share <- pmin(1, 4 / n * (m + at_median * (reach + 0.65 * extreme * (pair[[1]] != "median"))))
  far <- stats::qnorm(0.75) + m * outward_spacing(n, m) + 3 / sqrt(n) # the ends of the kept numbers
  number <- pmin(n / 2 * trimmed_shift(n, m), far + reach)
  spread <- switch(pair[[2]],
    mad = stats::qnorm(0.75) - (1.6 * m + 0.79 * sqrt(n)) / n,
    iqr = 2 * stats::qnorm(0.75) - (m / 0.318 + 1.57 * sqrt(n)) / n,
    # the mean distance of what is left of the kept numbers without m of them
    trimmed = 4 * (stats::dnorm(0) - stats::dnorm(stats::qnorm(pmax(0.75 - m / (2 * n), 0.5)))) -
      0.5 / sqrt(n)
  )
  spread <- pmax(spread, 1e-6)
  # scale's shift: coefficients of the largest window of m spacings, and what hardly varies
  windows <- switch(pair[[2]], mad = 1 / at_median, iqr = outward_spacing(n, m),
                    trimmed = share * location$noise)
  still <- if (pair[[2]] == "trimmed") number / (n / 2) + share * location$fixed else 0
  largest <- m + sqrt(2 * m * log(20 * count)) # in all directions
  smooth <- pair[[1]] %in% c("trimmed", "huber")
  together <- smooth || pair[[2]] == "trimmed" || all(pair == c("median", "mad"))
  noise <- function(tau) location$noise + if (together) tau * windows else 0
  fixed <- function(tau) location$fixed + tau * (still + if (together) 0 else windows * largest)
  safe <- function(eta, tau) {
    left <- eta * spread - fixed(tau)
    x <- ifelse(left > 0, left / pmax(noise(tau), 1e-300), 0)
    exp(-count * (1 + 1.1 * m^0.62) * stats::pgamma(x, m, lower.tail = FALSE))
  }
  list(safe = safe, room = (1.26 * extreme + reach[[enough]]) / spread[[enough]],
       move = (location$noise * usual + location$fixed) / spread, spread = spread,
       spare = if (pair[[2]] == "trimmed") 1.25 else 1)
}

# Moves of locations: coefficients of the largest window of m spacings, and what hardly varies.
normal_location <- function(n, m, location) {
  switch(location,
    median = list(noise = 0 * m + 1 / (n * stats::dnorm(0)), fixed = 0 * m),
    mom = mom_reach(n, m),
    trimmed = list(noise = 0 * m, fixed = trimmed_shift(n, m)),
    huber = list(noise = 0 * m, fixed = huber_reach(n, m))
  )
}

# A spacing outward of a quartile, on average over windows of m.
outward_spacing <- function(n, m) {
  (stats::qnorm(pmin(0.75 + m / n, 1 - 1 / n)) - stats::qnorm(0.75)) / m
}

trimmed_shift <- function(n, m) {
  (2 * stats::qnorm(0.75) + 2 * m * outward_spacing(n, m) + 6 / sqrt(n)) / (n / 2)
}

# Medians of means of ceiling(sqrt(n)) blocks: order statistics of so many normals.
mom_reach <- function(n, m) {
  blocks <- ceiling(sqrt(n))
  density <- stats::dnorm(stats::qnorm(pmin(0.5 + m / blocks, 1 - 1 / blocks)))
  # beyond half of the blocks nothing bounds the median
  list(noise = 1 / (sqrt(n * blocks) * density), fixed = ifelse(m < blocks / 2, 0, 1e6))
}

# The three steps of src/margin/huber.c at the normal.
huber_reach <- function(n, m) {
  bend <- 1.345
  share <- (m + 3.5 * sqrt(m)) / (n * 0.269) # change of the MAD by its size
  rough <- bend * (2 + 0.3 * n * share) / (0.39 * n)
  differ <- 2 * m + 4 * sqrt(0.18 * n) + 0.32 * n * cumsum(rough)
  bend * (2 + differ * share) / (0.8 * n)
}

# The projection median serves about so many rows at epsilon = 1, and somewhat more with many variables.
rows_for_projection <- function(d) 2500 * sqrt(d)

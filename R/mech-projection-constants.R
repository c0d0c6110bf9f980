# Default constants of the projection median: eta, tau and the split of epsilon, by formula.
#
# METHOD: at level k the largest move of a median is the largest gap between order statistics k + 1 apart near
#   the middle, in each of N directions. In units of 1/(n f), f being the normal density there, such a gap is
#   a sum of k + 1 exponential variables, and the largest of a window exceeds x with probability near
#   (1 + 1.1 (k + 1)^0.62) P(Gamma(k + 1) > x) (by simulation). Directions count as independent. Trimmed
#   means, trimmed deviations and Huber's location move by amounts that hardly vary.
#   The margin's distribution and the noise of the test then give the probability of passing. With trimmed
#   deviations, whose margins hardly vary, eta is then enlarged by a quarter, for data that are not quite
#   normal.
#   tau = q + room: q is what the draw needs beyond the least outlyingness, and room the deviations of the N
#   locations from a common centre, at the normal and, in 16 steps, up to 0.42 more. The margin is the largest
#   over these tau: data whose locations deviate more are not unsafe, but need smaller gaps.
#   Where eta is large, which is where rows are few, a limit `centre` of these deviations makes c larger, up
#   to twice. It is the room at the normal and 0.42 more, or 0.1 if that makes c larger by half.
#   Of six splits of epsilon between test and draw, from 1:3 to 1:1, the one with the largest c is taken.

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
# test passes with probability 1 - miss; by the formulas of METHOD. What is not
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
  first <- gamma_tail(size$d, log(size$delta))
  law_at <- function(eta, tau) {
    projection_law(size$d, size$count, eta, tau, centre, size$draw, size$delta, first)
  }
  # the least tau, which gives the normal its room: a fixed point of `wanted`, by secants that start where the
  # last ones ended
  beyond <- 2 * draw_tail(size$d, 1, size$draw, size$delta, first) / size$draw
  min_tau <- function(eta) {
    if (!is.null(tau)) return(tau)
    wanted <- function(at) normal$room + law_at(eta, at)$tail * (1 + 1e-6)
    at <- normal$room + eta * beyond
    to <- wanted(at)
    slope <- 0
    for (step in 1:20) {
      if (abs(to - at) < 1e-7 * normal$room) break
      before <- c(at, to)
      at <- if (is.finite(slope) && slope < 0.9) max(at + (to - at) / (1 - slope), normal$room) else to
      to <- wanted(at)
      slope <- (to - before[[2]]) / (at - before[[1]])
    }
    beyond <<- (to - normal$room) / eta
    to
  }
  passes_as <- pass_chances(length(normal$spread), size$test, size$delta)
  passes_with <- function(eta, more, chance) passes_as(normal$safe(eta, min_tau(eta) + more)) >= chance
  passes <- function(eta) passes_with(eta, allowance / min(normal$spread), 1 - miss)
  if (!is.null(eta)) {
    # constants that are given: infeasible where they fail nearly always, or (2) allows nothing
    at <- min_tau(eta)
    feasible <- at > law_at(eta, at)$tail && passes_with(eta, 0, 0.01)
  } else {
    low <- min(normal$shift)
    high <- max(normal$shift) * 2^10
    feasible <- passes(high)
    # without any that passes: one at which (1) holds and (2) does not
    eta <- if (feasible) normal$spare * bisect_minimum(passes, low, high, 1.002)
           else max(normal$shift) * (2 + normal$room)
  }
  at <- min_tau(eta)
  law <- law_at(eta, at)
  if (is.null(tau)) {
    # a limit that c does not depend on costs nothing
    widest <- if (is.finite(law$centre)) reach else projection_reach[[2]]
    tau <- at + seq(0, widest, length.out = projection_taus)
  }
  list(eta = eta, tau = tau, centre = law$centre, epsilon_test = size$test, epsilon_draw = size$draw,
       rate = law$rate, feasible = feasible)
}

# P(the test passes) when P(margin >= m) = safe[[m]] for m up to `levels`, as a function of `safe`.
pass_chances <- function(levels, epsilon, delta) {
  q <- exp(-epsilon)
  threshold <- ptr_threshold(epsilon, delta)
  noise <- (1 - q) / (1 + q) * q^abs(threshold + 1 - seq_len(levels))
  # the last of the levels stands for all margins beyond
  beyond <- if (levels > threshold) q^(levels - threshold) / (1 + q) else 0
  never_safe <- q^(threshold + 1) / (1 + q)
  function(safe) {
    safe <- cummin(safe)
    never_safe + sum(safe * noise) + safe[[levels]] * beyond
  }
}

# What location and scale do at the standard normal, at distance m, see METHOD. safe(eta, tau) is the
# probability that condition (1) holds in all directions, `room` an upper limit of the left side of (2) up to
# m = `enough`.
normal_reach <- function(n, m, count, pair, enough = length(m)) {
  at_median <- n * stats::dnorm(0)
  extreme <- stats::qnorm(0.002 / count, lower.tail = FALSE) / sqrt(n) # of N means, but for their deviation
  location <- normal_location(n, m, pair[[1]])
  usual <- m + 2 * sqrt(m) # spacings in a window of m, when they are many
  # the ranges of trimmed means and of Huber's location are sums of shifts
  reach <- location$noise * m + cumsum(location$fixed * (location$fixed < 1e3))
  # parts of the location's shift that the trimmed deviation shifts by, besides that of one number
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
  places <- -count * (1 + 1.1 * m^0.62)
  safe <- function(eta, tau) {
    left <- eta * spread - fixed(tau)
    x <- left / pmax(noise(tau), 1e-300)
    x[!(left > 0)] <- 0
    exp(places * stats::pgamma(x, m, lower.tail = FALSE))
  }
  list(safe = safe, room = (1.26 * extreme + reach[[enough]]) / spread[[enough]],
       shift = (location$noise * usual + location$fixed) / spread, spread = spread,
       spare = if (pair[[2]] == "trimmed") 1.25 else 1)
}

# Shifts of locations: coefficients of the largest window of m spacings, and what hardly varies.
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

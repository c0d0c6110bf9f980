# The private projection median: propose, test, release.

#' Private projection median
#'
#' Releases a point near the projection median (see [median_projection()]), without bounds on the data and
#' without moments: (epsilon, delta)-differentially private. A private test first decides whether the data are
#' safe for the draw. The median withstands nearly as many outliers as the projection median itself, and needs
#' samples in the thousands.
#'
#' @inheritParams dp_median
#' @param delta Between 1e-30 and 1; much less than 1/n is usual.
#' @param location,scale Of the projections, as in [depth_projection()]: `"median"`, `"trimmed"`, `"huber"`
#'   or `"mom"`; `"mad"`, `"iqr"` or `"trimmed"`.
#' @param eta,tau Public constants, fixed without looking at the data; `NULL` for defaults that depend on
#'   `n`, the number of variables and of directions, `epsilon`, `delta`, `location` and `scale` only, see
#'   Details.
#' @param directions How many public directions, or a matrix of unit rows made by [directions()]; missing
#'   axes are added.
#' @param units Public scales of the variables, one number or one per variable: directions see the data
#'   divided by them. `NULL` is 1.
#' @param resolution The release is rounded to whole multiples of this number (in `units`), or of the
#'   largest power of two below it.
#' @param try_anyway `TRUE` spends the budget even if, by public numbers, the draw may take very long (see
#'   Time), or the test nearly always fails for normal data (see Errors). It may pass for data whose
#'   projections are much more concentrated at their centre.
#' @param na `"fail"`: missing and infinite values are refused, which shows that there were some. Or public
#'   values that replace them, as in [dp_median()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' **Distribution.** Let T_u and S_u be location and scale of the projections on direction u, and
#' \eqn{O(x) = \max_u |u'x - T_u| / S_u}{O(x) = max over u of |u'x - T_u| / S_u} the outlyingness of x. The
#' density of the draw is proportional to \eqn{\exp(-c\,O(x))}{exp(-c O(x))}. Data are *safe* if a replaced
#' row changes O by at most `eta` wherever O is at most `tau` (for one of several public `tau`, unless it is
#' given); for safe data the draw is private. A private test with a part of `epsilon` decides whether the data
#' are safe; the draw has the other part, \eqn{\epsilon_1}. By default the test has between a quarter and a
#' half of `epsilon`, fixed by public numbers; if `eta` or `tau` is given, it has a half.
#'
#' The rate c is public: about \eqn{\epsilon_1 / (2 \eta)}, or up to twice that with one variable, along the
#' axes alone, or where the test also requires a point of small outlyingness (`centre` in the details).
#'
#' **The test.** The *safety margin* is a lower bound of the number of rows that must be replaced before the
#' data are unsafe. The test adds noise to it and compares the sum with a threshold. If the test fails,
#' nothing is released: the release says `released = FALSE`, its estimate is `NA`, and the budget is spent.
#' The same data with the same arguments will mostly fail again. More rows, or a larger `epsilon` or `delta`,
#' help.
#'
#' **Constants.** A smaller `eta` gives a more accurate draw and a test that fails more often. With the
#' defaults the test passes with high probability for normal data, also with a quarter of outliers. The
#' default `eta` is the least for which the test passes with probability 0.975 for standard normal data in d
#' dimensions. It is enlarged, where that costs less than a third of c, so that the test passes with
#' probability about 0.75 if a quarter of the data is in one place, however far away (trimming by a quarter
#' does not quite withstand this). [plan_median()] gives the number of rows that the defaults need and the
#' error, without data.
#'
#' **Which pair.** Trimmed means with trimmed deviations take many times less noise than median and MAD, and a
#' tenth of the rows; they withstand less than a quarter of outliers. The median with trimmed deviations is
#' between the two.
#'
#' **Units.** Over finitely many random directions outlyingness depends on units and correlations. If
#' variables have very different sizes, give rough public sizes as `units`, not taken from the data. Any units
#' are private; only the accuracy changes.
#'
#' **Time.** Up to ten variables a draw takes milliseconds (0.6 seconds at worst), with 15 variables at most a
#' second if c is below 100. More are refused without `try_anyway = TRUE`: with 20 variables a draw takes 0.3
#' seconds for normal data, and for contaminated data it may not end: interrupt it then (the budget is spent).
#' The time depends on the data; timing is outside the threat model. `rival_median(depth = "projection")` runs
#' a Markov chain, for which no privacy is proved.
#'
#' **Lattice.** The drawn point is rounded to the lattice after the draw. Rows more than 2^100 steps away are
#' moved to that distance. Data whose scale along some direction may be below 2^-100 steps are not safe. The
#' draw's error is proportional to the spread of the data: `details$resolves` is the lattice's step, and
#' missing where more than one draw in a hundred lies beyond five spreads of normal rows.
#' @return A [`dp_release`][dp_release] with `guarantee = "approximate"`, and `released = FALSE` if the test
#'   failed. Its `details` are public: `eta`, the largest `tau`, the `rate` c, the limit `centre` if there is
#'   one, the number of directions and the lattice's `step`.
#' @section Errors: As for [dp_median()]. An `epsilon` too small for `delta` or for rounding is also refused,
#' and so are public numbers (n, the number of variables and directions, epsilon, delta, location, scale, eta,
#' tau) with which the test cannot be expected to pass. By default this means that no `eta` makes the test
#' pass for normal data with probability 0.975. With `eta` or `tau` given, it means that the test passes for
#' normal data with probability below 0.01, or never. The error says how many rows, or which epsilon, would
#' do. Nothing is spent. `try_anyway = TRUE` goes on.
#' @references
#' Ramsay, K. and Spicker, D. (2024). Differentially private projection-depth-based medians
#' (The
#' mechanism; the bounds of its test are others.)
#'
#' Brunel, V.-E. and Avella-Medina, M. (2020). Propose, test, release: differentially private estimation
#' with high probability. \doi{10.48550/arXiv.2002.08774}
#' @seealso [plan_median()] before the data are looked at; [median_projection()] without privacy;
#' [dp_median_exponential()] under a prior; `vignette("proofs-projection-draw", "dpdepth")`.
#' @examples
#' # simulated measurements of 20,000 people: nobody to protect
#' x <- cbind(height = rnorm(20000, 170, 10), weight = rnorm(20000, 75, 14))
#' dp_median_projection(x, epsilon = 4, delta = 1e-5, directions = 100, units = 10)
#' @export
dp_median_projection <- function(x, epsilon, delta, location = "median", scale = "mad", eta = NULL,
                                 tau = NULL, directions = 1000L, units = NULL, resolution = 2^-20,
                                 try_anyway = FALSE, ..., id = NULL, ledger = NULL, rng = NULL, na = "fail") {
  release_by(projection_mechanism(), door_call())
}

projection_mechanism <- function() {
  new_mechanism(plan_projection_median, draw_projection_median, neighbours = "substitution", limits = FALSE,
                ready = function(rows, plan) plain_rows(rows))
}

# `exact`: is the draw exact? Else it is that of a chain.
plan_projection_median <- function(facts, given, exact = TRUE) {
  d <- facts$d
  check_size(matrix(0, min(facts$n, 2), d), min_n = 2L)
  own <- formals(dp_median_projection)
  option <- function(name) if (name %in% names(given)) given[[name]] else eval(own[[name]])
  try_anyway <- check_flag(option("try_anyway"), "try_anyway")
  plan <- plan_projection(facts$n, d, given$epsilon, given$delta, option("location"), option("scale"),
                          given$eta, given$tau, option("directions"))
  if (!try_anyway) {
    if (exact) check_projection_time(d, plan$rate)
    check_feasible(plan, facts$n, d, given$eta, given$tau)
  }
  resolution <- if (is.null(given$resolution)) 2^-20 else given$resolution
  lattice <- projection_lattice(facts, given$units, resolution)
  step <- stats::setNames(lattice$step * lattice$units, facts$variables)
  c(plan, list(
    label = "median (projection depth)", what = "median", lattice = lattice, sampler = "exact",
    mechanism = "exponential mechanism over outlyingness after a private test",
    details = c(
      list(advice = projection_advice, location = plan$location, scale = plan$scale, eta = plan$eta,
           tau = max(plan$tau), epsilon_test = plan$epsilon_test, rate = plan$rate,
           directions = nrow(plan$directions)),
      if (is.finite(plan$centre)) list(centre = plan$centre),
      list(step = step),
      # whatever the spread is, the draw goes with it
      if (projection_failure(d, plan) <= resolved_failure) list(resolves = step)
    )
  ))
}

# PRIVATE: rows.
draw_projection_median <- function(rows, plan, source) {
  law <- projection_margin(projection_rows(rows, plan$lattice), plan$directions, plan$location, plan$scale,
                           plan$eta, plan$tau, plan$epsilon_draw, plan$delta_draw, plan$levels,
                           floor = 2^-100 * plan$lattice$step, centre = plan$centre)
  passed <- ptr_test(law$margin, plan$epsilon_test, plan$delta, source)
  # after a failed test the draw that is thrown away is one of public shape: the same work, no data
  if (!passed) law <- list(center = 0 * law$center, spread = 0 * law$spread + 1)
  drawn <- draw_projections(1L, plan$directions, law$center, law$spread, plan$rate, plan$sampler, source,
                            plan$lattice$step, plan$size)
  list(estimate = drawn$draws[1, ] * plan$lattice$units, released = passed, exact = plan$sampler == "exact")
}

# The probability that a draw lies beyond five spreads of normal rows.
projection_failure <- function(d, plan) {
  size <- sqrt(few_directions(d, nrow(plan$directions))) * normal_scale(plan$scale)
  stats::pgamma(far_spreads * plan$rate / size, d, lower.tail = FALSE)
}

# Exact draws are practicable up to so many variables, the second with a rate that is not too large: beyond,
# their time depends on the data too much.
max_projection_exact <- c(10L, 15L)
max_projection_rate <- 100

check_projection_time <- function(d, rate) {
  if (d <= max_projection_exact[[1 + (rate <= max_projection_rate)]]) return(invisible(NULL))
  stop_input("x", "of at most ten variables (fifteen if c is at most 100)", d, paste(
    "With more the time of a draw depends on the data and may have no end; `try_anyway = TRUE` begins it all",
    "the same. Or give public limits (`lower` and `upper`) to dp_median(), or none."
  ))
}

# Refuses public numbers with which the test cannot be expected to pass.
check_feasible <- function(plan, n, d, eta, tau) {
  if (plan$feasible) return(invisible(NULL))
  will_do <- function(n, epsilon) {
    floor <- -2.01 * log1p(-plan$delta)
    epsilon > floor && projection_constants(n, d, epsilon, plan$delta, nrow(plan$directions), plan$location,
                                            plan$scale, eta, tau)$feasible
  }
  rows <- search_minimum(function(v) will_do(round(v), plan$epsilon), n / 2, 1e9, 1.02)
  loss <- search_minimum(function(v) will_do(n, v), plan$epsilon / 2, 100, 1.02)
  would <- c(if (!is.na(rows)) sprintf("%s rows", grouped(signif(ceiling(rows), 3))),
             if (!is.na(loss)) sprintf("an epsilon of %s", format(signif(loss, 3))))
  would <- if (length(would) == 0) "no number of rows below 10^9 and no epsilon below 100 would do"
           else paste("about", paste(would, collapse = " or about "), "would do")
  stop_input("epsilon", sprintf("large enough for the private test to pass (%s)", would),
             sprintf("%s with %d rows of %d variables", format(plan$epsilon), n, d), paste(
               "Another `location` and `scale` may need less, see plan_median();",
               "`try_anyway = TRUE` spends the budget all the same."
             ))
}

projection_advice <- paste(
  "More rows, or a larger epsilon or delta, make the test pass more often, see plan_median();",
  "a larger eta does, too, at the price of accuracy. Trying again spends the budget again."
)

# Everything that is public, from the checked arguments. epsilon_draw and delta_draw are a little less
# than the draw's share: the rest pays for rounding, see the proofs.
plan_projection <- function(n, d, epsilon, delta, location, scale, eta, tau, directions) {
  epsilon <- check_epsilon(epsilon)
  delta <- check_delta(delta)
  pair <- check_pair(location, scale)
  eta <- check_projection_constant(eta, "eta")
  tau <- check_projection_constant(tau, "tau")
  if (delta < 1e-30) stop_input("delta", "at least 1e-30", format(delta))
  check_projection_variables(d)
  u <- as_directions(directions, d, add_axes = TRUE)
  check_draw_epsilon(epsilon, delta)
  constants <- projection_constants(n, d, epsilon, delta, nrow(u), pair[[1]], pair[[2]], eta, tau)
  minimum <- 2^-28 - log1p(-delta)
  draw <- constants$epsilon_draw * (1 - 2^-10) - 2^-28
  if (draw <= minimum) {
    stop_input("epsilon", sprintf("above about %s for this `delta`", format(2.01 * minimum, digits = 2)),
               format(epsilon))
  }
  spare <- delta * (1 - 2^-20)
  law <- projection_law(d, nrow(u), constants$eta, constants$tau[[1]], constants$centre, draw, spare)
  rate <- law$rate
  # what the lattice of the draw costs, against what is set aside for it
  size <- rate * max(constants$tau) + 200 + d
  if (d * (d + 8) * size * 2^-33 > constants$epsilon_draw * 2^-10 + 2^-28 || size > 2^29) {
    stop_input("tau", "smaller, or `eta` larger", format(max(constants$tau)),
               "Their ratio is beyond the precision of the draw.")
  }
  list(epsilon = epsilon, delta = delta, location = pair[[1]], scale = pair[[2]], eta = constants$eta,
       tau = constants$tau, centre = law$centre, directions = u, epsilon_test = constants$epsilon_test,
       epsilon_draw = draw,
       delta_draw = spare, rate = rate, feasible = constants$feasible,
       levels = ptr_levels(constants$epsilon_test, delta))
}

# The public lattice, and the units.
projection_lattice <- function(facts, units, resolution) {
  given <- if (is.null(units)) 1 else units
  units <- check_bound(given, facts$d, "units", facts$names)
  if (any(units <= 0)) stop_input("units", "positive", describe_numbers(given, units <= 0))
  resolution <- check_number(resolution, "resolution", 2^-200, 2^200, closed = c(TRUE, TRUE))
  list(step = 2^floor(log2(resolution)), units = units)
}

# Rows in units; those beyond the lattice are moved to its end. Each row by itself, to the last bit: the
# margin's proof is about these numbers, so nothing that depends on other rows (a centre, say) is taken off.
projection_rows <- function(x, lattice) {
  limit <- 2^100 * lattice$step
  for (j in seq_len(ncol(x))) x[, j] <- pmin(pmax(x[, j] / lattice$units[[j]], -limit), limit)
  x
}

# The private regression: front door, and the deepest regression by smooth sensitivity.

#' Private regression
#'
#' Releases the coefficients of a robust regression under (epsilon, delta)-differential privacy, with noise
#' whose scale follows how far the coefficients could move when one row is replaced. The response and the
#' regressors need no bounds: only the coefficients do.
#'
#' @param formula A formula with an intercept whose variables are columns of `data`. Terms must be functions
#'   of each row by itself, such as `log(x)` or `I(x^2)`: terms that depend on all of the data, such as
#'   `poly(x, 2)` or `scale(x)`, are refused. The formula is public. See the section on formulas.
#' @param data A data frame, one individual a row: numeric and logical columns, and factors. **The levels of a
#'   factor are public**, see the section on factors.
#' @inheritParams dp_median_smooth
#' @param method `"deepest"`: the deepest regression, for one regressor. `"medsweep"`: Medsweep, for any
#'   number of regressors.
#' @param lower,upper Public bounds of the coefficients, intercept first: one number, or one a coefficient.
#'   Named ones are matched by name: then all coefficients are named, and `lower` and `upper` both are, or
#'   one of them is one number for all. With the deepest regression the widths are also the units in which
#'   the noise is spread evenly.
#' @param gamma `NULL`; or, for the deepest regression, a probability: the bounds are then taken from the
#'   data, and the guarantee is that of *random* differential privacy. See details.
#' @param ... For `"medsweep"`: `sweep_bounds`, the largest size of the slope of one regressor on another (one
#'   number, or a matrix; by default ratios of the widths of the coefficients' bounds), `max_iter`, how often
#'   the response is swept (1), and `tol`: the sweeps end when no released slope is larger.
#' @param na What is done with missing and infinite values of the columns that the formula uses. `"fail"`:
#'   the call is refused before anything is spent, and everybody who hears of it knows that there was such a
#'   value. One finite number stands for all of them (in a flag `FALSE` if it is 0, in a factor its first
#'   level); or numbers and levels named by columns, such as `list(age = 40, sex = "f")`, for columns that
#'   may lack some. `"drop"`: a public row stands for a row with such a value, with regressors 0 and the
#'   response in the middle of the intercept's bounds. Except for `"fail"` nothing tells of such values. No
#'   row is left out, since n is public and neighbours have the same: each row pulls toward what stands for
#'   it.
#' @details
#' **Deepest regression.** The estimate is the mean of the lines through two rows that have the greatest
#' regression depth, clipped to the bounds; see [regress_deepest()] and, for the smooth bound of its
#' sensitivity, [sens_deepest()]. Depths and the order of slopes are computed without rounding, in
#' O(n^2 log n) time: some seconds for 5,000 rows. Rows that share a value of the regressor make it harder to
#' be private: a regressor of few values needs more data.
#'
#' **Medsweep.** Median slopes, swept out one after the other, each released with its share of the budget: see
#' [regress_medsweep()] and [sens_medsweep()]. O(n log n) for each step, with any number of regressors.
#'
#' **Noise.** As in [dp_median_smooth()]: Laplace noise rounded to a public grid, drawn in whole numbers,
#' with the certified constants of [smooth_noise()] for two coefficients. Its scale depends on the data:
#' neither it nor anything derived from it is released, and [confint()] refuses. Releases beyond the
#' bounds are moved to them.
#'
#' **Wide bounds.** With few rows the bounds decide how much noise there is: they enter by the factor
#' exp(-beta k), k about n/3 for the deepest regression: the number of rows that must be replaced before the
#' fit can be anywhere. Once n is some hundred and beta k is large they may be very wide. There is a limit
#' from the arithmetic: the noise is at least 256 steps of a lattice that has up to 2^40 steps across the
#' bounds: its scale is at least a part in 2^32 of them, more for small epsilon (`details$step` is the step).
#'
#' **Random differential privacy.** With `gamma`, the bounds are the region of fits whose depth is less than
#' the greatest by at most 2 n kappa rows, so wide that, with probability 1 - gamma over the drawing of
#' independent rows from one law, it holds the estimate of another sample: (epsilon, delta, gamma)-random
#' differential privacy, *as published* (Cumings-Menon, 2022, Theorem 5). The published proof fails, since it
#' takes the region for fixed, while it moves with the data: the release says `guarantee = "unproved"`. (Of
#' the
#' medians made in the same way, far more pairs of neighbours than gamma are not indistinguishable: see
#' [dp_median_random()].) What can be shown: two neighbours are (epsilon,
#' delta)-indistinguishable if in both the smooth bound is attained before the region caps it. It is a much
#' weaker promise than that of public bounds, however wide, which cost little. `lower` and `upper` are then
#' optional; they fix the grid and limit the release, and are -1e6 and 1e6 by default. More than a thousand
#' rows are needed; fewer are refused, with the number that would do.
#' @section Formulas:
#' A formula is not evaluated as R code, but by a walk over it that knows these functions,
#' as base R has them: `+ - * / ^ %% %/%`, `== != < <= > >=`, `& | !`, `ifelse()`, `pmin()`, `pmax()`,
#' `log()`, `log2()`, `log10()`, `log1p()`, `exp()`, `expm1()`, `sqrt()`, `abs()`, `sign()`, `sin()`,
#' `cos()`, `tan()`, `asin()`, `acos()`, `atan()`, `sinh()`, `cosh()`, `tanh()`, `floor()`, `ceiling()`,
#' `round()`, `trunc()`, `as.numeric()`, `as.double()`, `as.integer()` and `I()`. Numbers in it are single;
#' text may only be compared with a factor, as in `I(f == "a")`. `:` makes an interaction of terms and
#' nothing else. Integers are computed as doubles. Variables of the session are not looked at.
#'
#' **What is not finite is 0.** A term, or the response, that is not finite in a row, such as `log(x)` where
#' x is 0 or a product that overflows, is 0 in that row, and `FALSE` if it is a flag: an error would answer
#' questions about single rows. (What happens on the way to a term does not matter: `1/exp(1000 * x)` is 0
#' for x = 1.) If 0 is a bad value, choose another, as in `log(pmax(x, 0.01))`. `predict()` does the same.
#'
#' Whether a formula is refused depends on it, on the names and types of columns and on declared levels, never
#' on a value.
#' @section Factors:
#' **Levels of factors are printed with the release: as names of coefficients, whether they occur or not.**
#' So they must not come from the data. `factor(x)` and `stringsAsFactors = TRUE` take the levels from the
#' data, and a level that one person has tells that this person is there; the package cannot see where levels
#' come from. Declare them, from what everybody may know:
#' `factor(x, levels = c("never", "former", "current"))`. (Values that are no such level become missing, see
#' `na`.) Columns of text are refused for that reason.
#' @return A [`dp_release`][dp_release] of class `dp_regression`, with `guarantee = "approximate"`, or
#'   `"unproved"` with `gamma`. Besides the methods of every release there are [predict()] for new data, and
#'   [residuals()] and [fitted()], which need the data again and return [`nonprivate`][nonprivate] results.
#' @section Errors:
#' As for [dp_median()]. Besides, more than one regressor with the deepest regression, terms as above, an
#' offset, and columns of text (make them factors with declared levels) are refused; with `na = "fail"`
#' missing and infinite values, too: that the call failed for such a value can be seen.
#' @references
#' Cumings-Menon, R. (2022). Differentially private estimation via statistical depth. Preprint, July 2022.
#' (Lemma 7, corrected, and Theorem 5: see `vignette("proofs-regression", "dpdepth")`.)
#'
#' Rousseeuw, P. J. and Hubert, M. (1999). Regression depth. *Journal of the American Statistical
#' Association 94*, 388-402. \doi{10.1080/01621459.1999.10474129}
#' @seealso [regress_deepest()] and [regress_medsweep()] without privacy; [dp_median_smooth()].
#' @examples
#' # eruptions of a geyser: minutes to wait against minutes of the last eruption
#' fit <- dp_regression(waiting ~ eruptions, faithful, epsilon = 4, delta = 1e-6,
#'                      lower = c(0, 0), upper = c(100, 50))
#' fit
#' predict(fit, data.frame(eruptions = c(2, 4)))
#'
#' # stations that reported an earthquake, by magnitude and depth in km
#' dp_regression(stations ~ mag + depth, quakes, epsilon = 4, delta = 1e-6, method = "medsweep",
#'               lower = c(-500, 0, -1), upper = c(500, 100, 1))
#' @export
dp_regression <- function(formula, data, epsilon, delta, method = c("deepest", "medsweep"), lower = NULL,
                          upper = NULL, gamma = NULL, ledger = NULL, rng = NULL, na = "fail", ...) {
  check_given(further = medsweep_arguments)
  call <- sanitize_call(match.call(), "data")
  method <- check_choice(method, c("deepest", "medsweep"), "method")
  frame <- public_frame(formula, data, na)
  terms <- c("(Intercept)", colnames(frame$x))
  # constant regressors have a law, too: whether there is one must not show
  check_regressor_spread(frame$x[, 0, drop = FALSE])
  if (method == "deepest" && length(terms) > 2) {
    stop_formula(sprintf("it has %d regressors, and the deepest regression takes one numeric regressor",
                         length(terms) - 1L), "Ask for method = \"medsweep\", which takes more.")
  }
  epsilon <- check_epsilon(epsilon)
  delta <- check_delta(delta)
  if (!is.null(gamma)) gamma <- check_delta(gamma, "gamma")
  bounds <- coefficient_bounds(lower, upper, terms, gamma)
  if (length(frame$incomplete) > 0) frame <- drop_rows(frame, bounds)
  check_dots(if (method == "medsweep") medsweep_arguments,
             sprintf("`dp_regression(method = \"%s\")`", method))
  source <- check_rng(rng)
  out <- if (method == "deepest") release_deepest(frame, bounds, epsilon, delta, gamma, ledger, source)
         else release_medsweep(frame, bounds, epsilon, delta, gamma, ledger, source, ...)
  release <- new_release(
    estimate = stats::setNames(out$estimate, terms), epsilon = epsilon, delta = delta, gamma = gamma,
    guarantee = coefficient_guarantee(gamma), mechanism = out$mechanism, n = nrow(frame$x),
    d = ncol(frame$x) + 1L, exact = out$exact, rng = source, call = call,
    details = c(
      list(what = switch(method, deepest = "deepest regression", "Medsweep regression"),
           formula = frame$kept$formula, lower = stats::setNames(bounds$lower, terms),
           upper = stats::setNames(bounds$upper, terms)),
      out$details,
      if (length(frame$kept$levels) > 0) frame$kept["levels"],
      if (length(frame$kept$ordered) > 0) frame$kept["ordered"],
      if (length(frame$kept$logical) > 0) frame$kept["logical"],
      if (!identical(na, "fail")) list(na = na_text(na))
    )
  )
  structure(release, class = c("dp_regression", class(release)))
}

# Random differential privacy as published has a proof that fails: vignettes/proofs-regression.Rmd.
coefficient_guarantee <- function(gamma) if (is.null(gamma)) "approximate" else "unproved"
# What `...` holds for Medsweep.
medsweep_arguments <- c("sweep_bounds", "max_iter", "tol")

# Bounds by position or by the coefficients' names.
coefficient_bounds <- function(lower, upper, terms, gamma) {
  if (!is.null(gamma)) {
    if (is.null(lower)) lower <- -1e6
    if (is.null(upper)) upper <- 1e6
  }
  for (arg in c("lower", "upper")) {
    if (is.null(get(arg))) {
      stop_input(arg, "given: public bounds of the coefficients", "missing",
                 "Give one number for all, or one a coefficient, the intercept first.")
    }
  }
  check_bounds(coefficient_names(lower, terms), coefficient_names(upper, terms), length(terms), names = terms)
}

# Bounds with the coefficients' names as they are: `intercept` and names without backticks will do, too, where
# no coefficient is named so.
coefficient_names <- function(v, terms) {
  if (!is.numeric(v) || is.null(names(v))) return(v)
  bare <- sub("^`(.*)`$", "\\1", terms)
  for (i in which(!names(v) %in% terms)) {
    at <- which(bare == names(v)[[i]])
    if (tolower(names(v)[[i]]) %in% "intercept") at <- which(terms == "(Intercept)")
    if (length(at) == 1) names(v)[[i]] <- terms[[at]]
  }
  v
}

release_medsweep <- function(frame, bounds, epsilon, delta, gamma, ledger, source, ...) {
  plan <- medsweep_plan(ncol(frame$x), bounds, epsilon, delta, gamma, ...) # refuses before the debit
  warn_hopeless(nrow(frame$x), epsilon, delta, source)
  warn_wide_noise(nrow(frame$x) / 2, 1, plan$constants)
  ledger_spend(ledger, epsilon, delta, "regression (Medsweep)", coefficient_guarantee(gamma))
  out <- run_medsweep(frame$x, frame$y, plan, source)
  c(out, list(mechanism = "Laplace noise scaled to smooth sensitivity, step by step"))
}

release_deepest <- function(frame, bounds, epsilon, delta, gamma, ledger, source) {
  constants <- smooth_constants(epsilon, delta, 2L)
  grid <- smooth_grid(bounds, fine_bits(bounds, constants))
  check_steps(grid$step, bounds)
  reach <- NULL
  if (!is.null(gamma)) {
    check_random_dp_n(nrow(frame$x), 2L, gamma, "regression", arg = "data")
    reach <- random_dp_reach(nrow(frame$x), 2L, gamma, "regression")
  }
  warn_hopeless(nrow(frame$x), epsilon, delta, source)
  if (is.null(gamma)) warn_wide_noise(nrow(frame$x) / 3, 2, constants)
  ledger_spend(ledger, epsilon, delta, "regression (deepest)", coefficient_guarantee(gamma))
  law <- deepest_law(frame$x[, 1], frame$y, grid, constants, reach)
  index <- law$centre + half_laplace(2L, law$scale, source)
  list(
    estimate = pmin(pmax((index + grid$origin) * grid$step, bounds$lower), bounds$upper), exact = TRUE,
    mechanism = "Laplace noise scaled to smooth sensitivity",
    details = c(list(alpha = constants$alpha, beta = constants$beta,
                     step = stats::setNames(grid$step, c("(Intercept)", colnames(frame$x)))),
                if (!is.null(gamma)) random_details(nrow(frame$x), gamma))
  )
}

random_details <- function(n, gamma) {
  list(kappa = random_dp_kappa(n, 2L, gamma, "regression"), variant = "(eps, delta, gamma)-RDP, as published")
}

# What the release's law depends on: the centre (integers, from the grid's origin) and the scale, a multiple
# of 2^-scale_bits. `reach`: for random DP, how many levels below the deepest the bounds are. PRIVATE.
deepest_law <- function(x, y, grid, constants, reach = NULL) {
  low <- grid$origin + grid$lower
  high <- grid$origin + grid$upper
  found <- deepest_spreads(x, y, grid$step)
  level <- found$depth - reach
  if (!is.null(reach) && level > found$unbounded) {
    low <- pmax(low, found$lo[level, 1:2] - 1)
    high <- pmax(low, pmin(high, found$hi[level, 1:2] + 1))
  }
  bound <- deepest_sensitivity(found, length(x), low, high, constants$smoothness)
  list(centre = deepest_centre(found, low, high) - grid$origin, scale = smooth_scale(bound, constants))
}

deepest_sensitivity <- function(found, n, low, high, beta) {
  max(exp(-beta * 0:n) * deepest_reaches(found, n, low, high))
}

# Upper bounds, in steps, of the l1 distance between the estimates of a data set at distance k and a
# neighbour of it, k = 0, ..., n: the one is in the region of level(k), the other in that of level(k + 1),
# so that the distance is less than the larger region's diameter, deepest_diameters(). The 3 steps are for
# rounding the estimates.
deepest_reaches <- function(found, n, low, high) {
  outer <- deepest_levels(found$depth, n)
  inner <- c(found$depth, utils::head(outer, -1))
  free <- found$unbounded + 1 # levels 0, ..., unbounded
  bounded <- seq_len(found$vertices) > found$unbounded
  lo <- rbind(matrix(-Inf, free, 4), found$lo[bounded, , drop = FALSE])
  hi <- rbind(matrix(Inf, free, 4), found$hi[bounded, , drop = FALSE])
  apart <- function(side, clip = identity) {
    pmax(clip(hi[outer + 1, side]) - clip(lo[inner + 1, side]),
         clip(hi[inner + 1, side]) - clip(lo[outer + 1, side]))
  }
  axis <- function(j) apart(j, function(v) pmin(pmax(v, low[[j]]), high[[j]]))
  across <- pmax(apart(3), apart(4)) + 3
  across[pmax(hi[, 3], hi[, 4], -lo[, 3], -lo[, 4])[outer + 1] >= diagonal_most] <- Inf
  pmin(axis(1) + axis(2), across)
}

# The mean of the deepest vertices, rounded, within the ends of these; the middle of the bounds where the
# deepest fits are unbounded, and the noise is as wide as the bounds.
deepest_centre <- function(found, low, high) {
  m <- found$vertices
  if (m <= found$unbounded) return(round((low + high) / 2))
  centre <- pmin(pmax(round(found$centre), found$lo[m, 1:2]), found$hi[m, 1:2])
  pmin(pmax(centre, low), high)
}

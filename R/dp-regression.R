# The private regression: its front door.

#' Private regression
#'
#' Releases the coefficients of a robust regression under differential privacy. The default draws a line (or
#' plane, or quantiles) from the exponential mechanism over regression depth: pure, with an exact draw, usable
#' from some hundred rows on, and hard to mislead by outliers. The response and the regressors need no bounds:
#' only the coefficients do, or predictions at points that you choose.
#'
#' @param formula A formula with an intercept whose variables are columns of `data` (the exponential mechanism
#'   of [dp_regression()] takes those without one, too). Terms must be functions of each row by itself, such
#'   as `log(x)` or `I(x^2)`: terms that depend on all of the data, such as `poly(x, 2)` or `scale(x)`, are
#'   refused. The formula is public. See the section on formulas.
#' @param data A data frame, one individual a row: numeric and logical columns, and factors; or `dp_tally()`.
#'   **The levels of a factor are public**, see the section on factors.
#' @inheritParams dp_median_smooth
#' @param delta Zero for pure differential privacy. A method that needs no delta spends none, and its release
#'   says `delta = 0`; the others need one above 0.
#' @param lower,upper Public bounds of the coefficients, intercept first: one number, or one a coefficient.
#'   Named ones are matched by name: then all coefficients are named, and `lower` and `upper` both are, or one
#'   of them is one number for all. With `at`, bounds of the predictions at these points instead.
#' @param prior Instead of bounds, a public prior by [prior_uniform()], [prior_normal()] or [prior_dyadic()],
#'   of the coefficients or, with `at`, of the predictions. `prior_dyadic(2^-20)` where nothing is given. A
#'   normal prior may have a covariance.
#' @param method `"auto"`: the method that these public numbers call for, see details. `"exponential"`: the
#'   exponential mechanism over regression depth. `"deepest"`: the deepest regression of one regressor by
#'   smooth sensitivity; `"medsweep"`: Medsweep by smooth sensitivity. These two need thousands of rows, and a
#'   `delta`; they are here for comparison. `"batches"`: least squares of disjoint batches of rows, for any
#'   number of regressors, with or without limits.
#' @param tau The quantile, or several increasing ones, of `"exponential"`: 0.5 for the median. Each is a
#'   fraction with a denominator of at most 1000.
#' @param interval `NULL`, or the level of limits for the coefficients, such as 0.95: see Intervals.
#' @param resolution `NULL`, or steps of the lattice of coefficients (not of columns: there is no `"type"`
#'   here). For `"exponential"` powers of two of which the coefficients or, with `at`, the predictions there
#'   are to be multiples, such as 1 where the response counts something: one number, one each, or some of them
#'   by name. See Whole numbers.
#' @param ... For `"exponential"`: `at`, public values of the regressors at p + 1 points, p the number of
#'   slopes (a data frame of the formula's variables, a matrix of regressors, or a vector for one of them):
#'   `lower`, `upper` or `prior` are then for the predictions there. With several regressors also
#'   `directions`, a count (100; 300 to 2400 for five regressors or more, see Markov chains) or a matrix by
#'   [directions()], and `units`, public sizes of the regressors in which directions apply: by default as the
#'   widths of the slopes' bounds or the range over `at` have it; `sampler`: `"exact"` (or `"auto"`), or
#'   `"mcmc"`, for more regressors, with `chains` (4) and `steps` (of each; at least 1000, by default
#'   `max(2000, 300 (p + 1))`).
#'
#'   For `"medsweep"`: `sweep_bounds`, the largest size of the slope of one regressor on another (one number,
#'   or a matrix; by default ratios of the widths of the coefficients' bounds), `max_iter`, how often the
#'   response is swept (1), and `tol`: the sweeps end when no released slope is larger. For `"batches"`:
#'   `at` as above, `size`, the rows of a batch, `seed` (1) of the public permutation, `simultaneous` and
#'   `pairs` (`FALSE`) of intervals, and, without limits, `unit`: the step of the coefficients' grid (2^-20).
#' @param neighbours As in [dp_median()]. `"add_remove"`, where n is private, is for `"exponential"`: see
#'   Private sizes.
#' @param id As in [dp_median()]; a column's name is one of `data`.
#' @param na What is done with missing and infinite values of the columns that the formula uses. `"fail"`: the
#'   call is refused before anything is spent, and everybody who hears of it knows that there was such a
#'   value. One finite number stands for all of them (in a flag `FALSE` if it is 0, in a factor its first
#'   level); or numbers and levels named by columns, such as `list(age = 40, sex = "f")`, for columns that may
#'   lack some. `"middle"`: a public row stands for a row with such a value, with regressors 0 and the
#'   response in the middle of the intercept's bounds. `"omit"`: rows without a value in a column of the
#'   formula are left out, as in [dp_median()], with the exponential mechanism. Except for `"fail"` nothing
#'   tells of such values. Each row that stays pulls toward what stands for it.
#' @details
#' **The law** (`"exponential"`). The regression depth of a fit is the least number of rows that must be taken
#' away before some fit is better everywhere (Rousseeuw and Hubert, 1999). A replaced row moves the depth h of
#' any fit by at most one, so the density proportional to `exp(epsilon * h / 2) * prior` is
#' epsilon-differentially private (McSherry and Talwar, 2007, Theorem 6). The draw is from this law itself, on
#' a public lattice (its `step` is in the release), by integer arithmetic; no noise is estimated, and no test
#' can fail. With several regressors rows are split along public `directions`: more are somewhat more accurate
#' and slower. `vignette("proofs-regression-exponential", "dpdepth")` has the proof.
#'
#' **Which method** (`"auto"`). With limits, the exponential mechanism up to the sizes of its exact draws, and
#' batches beyond where so many rows serve. Without limits, the exponential mechanism under [prior_dyadic()]
#' for one or two regressors; else batches, under that prior or, with `delta`, a private test; each where so
#' many rows serve; else the call is refused, and says how many rows would do. Arguments that one method alone
#' has, such as `size`, choose that one; `at` chooses draws by depth, and for intervals of several regressors
#' batches. [plan_regression()] says the same beforehand. `"auto"` takes neither `"deepest"` nor `"medsweep"`.
#'
#' **What is estimated.** The deepest line has half of the responses above and half below it over every half
#' line of the regressor. For a linear median it estimates that; where the true relation is curved, or errors
#' are skewed in one part only, it is neither least squares nor the line of least absolute deviations.
#'
#' **How accurate.** For normal regressor and errors with standard deviation s, bounds of -50 s to 50 s, the
#' median error of a prediction at the quartiles of x is about 0.10 s for n = 200 and epsilon = 1 (least
#' squares: 0.075 s). With n * epsilon below about 25 times the number of coefficients (for a quantile with 2
#' min(tau, 1 - tau) n * epsilon) the release is noise as wide as the limits: a warning of class
#' `dpdepth_warning_accuracy` says so before anything is spent, and the release, when it is printed. Wide
#' bounds cost little.
#'
#' **Predictions instead of coefficients** (`at`). What people know is often a prediction: a weight at 1.5 m
#' and at 2 m of height lies between 30 and 150 kg. `at = c(1.5, 2), lower = 30, upper = 150` says that, where
#' bounds of an intercept at a height of 0 would have to be wide. A data frame holds the formula's variables:
#' `at = data.frame(age = c(40, 60))` goes with `y ~ I(age - 40)`; a vector or matrix holds regressors, here
#' `c(0, 20)`.
#'
#' **Without limits** the draw is as exact and as pure, for up to two regressors. At epsilon = 1 about 160
#' rows serve for one regressor and 330 for two, as 1/epsilon, if coefficients lie within a thousand times the
#' errors' spread of 0. With fewer the release may be a line of any size, and nothing in it tells: a warning
#' says so before anything is spent.
#'
#' **Rare flags and levels.** For the coefficient of a flag, or a factor's level, the rows that have it count,
#' not n, and the data alone know how many they are. It takes 55/epsilon of them with limits, 85/epsilon
#' without, or the coefficient is about 0 or of any size. The release says so (`details$rare`), a warning
#' comes where so many rows are more than a factor's levels have on average, and [plan_regression()] takes
#' assumed `shares`. With `interval` the one regressor should be declared a flag, `TRUE` or `FALSE` or a
#' factor of two levels, not numbers 0 and 1: then the slope is drawn with 0.43 of epsilon, 0.6 with few rows,
#' and its scan has most of the rest. Its limits also take more rows: of 1000 at epsilon = 1, 160 in which the
#' flag is the rarer value; of 300, about half (by [plan_regression()] with `interval` and `shares`).
#'
#' **Quantiles** (`tau`), of up to four regressors, share epsilon evenly, and `coef()` gives a matrix, a
#' column a quantile. Each fit is drawn by itself, so that fits may cross: `predict()` puts the predictions
#' of a row in increasing order (Chernozhukov, Fernandez-Val and Galichon, 2010), the coefficients are left
#' as drawn. Extreme quantiles are much more accurate where n epsilon is large enough for counts less their
#' expectation (1440 rows for 0.9 at epsilon = 1): `details$depth` says so.
#'
#' **Whole numbers** (`resolution`). Fits whose coefficients, or predictions at the points `at`, are multiples
#' of a declared step, for responses that tie. It should be small beside the errors' spread, and so should a
#' slope's step times its regressor: where it is not, many fits are as good as one another. So give `at` with
#' it, or the intercept's step alone: `resolution = c("(Intercept)" = 1)`.
#'
#' **Intervals** (`interval = 0.95`) of one regressor hold the true coefficients, all together, with this
#' probability or more, in samples of any size, sampling and noise counted, if errors are independent and have
#' their quantile `tau` at zero for each value of the regressor; spread and shape may change with it. Where
#' such quantiles do not lie on a line the limits may be too narrow. With `at` predictions at the two points
#' have limits, and `predict(interval = "confidence")` gives those between them, narrow there. At epsilon = 1
#' medians take 260 rows, 0.75 takes 770 and 0.9 takes 2300; fewer are refused, and more than 200,000 (20,000
#' for other quantiles). An infinite limit says that a public bound was met, or that no line within the public
#' limits fits well enough. `vignette("proofs-region", "dpdepth")` has the proof.
#'
#' *Of several regressors* (`"batches"`) each coefficient has limits, with an equal share of epsilon; with
#' `simultaneous = TRUE` all cover together, as `predict(interval = "confidence")` needs. They cover in
#' samples of any size if errors are independent and each is **symmetric** about 0 given the regressors. With
#' `pairs = TRUE` slopes are fitted to differences of two rows, and covered also where errors have one law, of
#' whatever shape. **With skewed errors nothing else is promised.** With `at` predictions there are released
#' in place of coefficients, with limits that hold together. Limits or a prior are needed, and 40 k^2/epsilon
#' rows for k coefficients; several times as many for narrow limits. See `vignette("intervals", "dpdepth")`.
#'
#' **Through the origin** (`y ~ x - 1`). For one regressor half of the ratios y/x lie on each side of the
#' slope. `lower` and `upper` bound the slopes, `at` is not taken. The first factor has a column a level, as
#' in [stats::lm()]. The other methods fit intercepts, and refuse such formulas.
#'
#' **Private sizes** (`neighbours = "add_remove"`). The exponent is `epsilon * h`, since a row more lowers the
#' depth of no fit. A public row with regressors 0 and the response in the middle of its limits (0 without)
#' counts along. For draws without chains or intervals; `tau` with denominators up to 10. Choices and warnings
#' are those of 10,000 rows (of 2,000 for four regressors).
#'
#' **Limits of exact draws.** Up to four regressors, columns of factors counted singly: 2,000,000 rows for
#' one, 100,000 for two, 20,000 for three, 2,000 for four (10,000 by name, with a warning). More are refused,
#' by these public numbers alone. Most draws take seconds, the largest about half a minute; but the time
#' depends on the data, and **some data may take minutes or practically not end, which nothing public tells**:
#' with two regressors or more, limits so wide that they nearly outweigh the rows, or tight clusters beside
#' flags, above all where epsilon is large: a warning says which is quick. There other limits, a smaller
#' epsilon, fewer regressors or `method = "batches"` help. Formulas of four regressors that are known for it
#' are not drawn by `"auto"`, and by name with a warning of class `dpdepth_warning_time`. **The budget is
#' spent before the draw begins: an interrupted call has spent it.** `vignette("regression", "dpdepth")` has
#' the cases.
#'
#' **Markov chains** (`sampler = "mcmc"`) run on the same law, for any number of regressors, with limits or a
#' normal prior. That law is private; a state after a finite run has some other law, and how far it is off is
#' not known: the release says `guarantee = "stationary"`, and `exact = FALSE`. A chain may stay where it
#' started; look at [sampler_diagnostics()] on data that need no protection. With many regressors and few rows
#' fits far from the data outweigh those near them, and longer chains do not help: more `directions` do, whose
#' default goes by n, epsilon and p. See `vignette("regression", "dpdepth")`.
#'
#' **Batches.** Rows are dealt to batches at random, by a public seed, and the median of the batches' least
#' squares by depth along the axes is released: pure, with bounds or a prior, or with [prior_dyadic()] where
#' nothing is given. Where n is too small for that prior and `delta` is above 0, it is the restricted
#' mechanism (see [dp_median_restricted()]). The number of batches follows from public numbers. For three
#' regressors at epsilon = 1 and without limits about 1300 rows serve, for eight about 5500. An outlier spoils
#' its batch's fit: of m rows a batch and a share s of outliers about m s are off; half are too many. The
#' proof is in `vignette("proofs-axes", "dpdepth")`.
#'
#' **Deepest and Medsweep.** Laplace noise on a lattice, scaled to the smooth sensitivity of
#' [regress_deepest()] and, step by step, of [regress_medsweep()] ([sens_deepest()], [sens_medsweep()]). Its
#' scale depends on the data, and nothing of it is released. With few rows the bounds decide how much noise
#' there is; releases beyond them are moved to them. The deepest line takes O(n^2 log n) time, some seconds
#' for 5,000 rows, and more rows where the regressor has few values.
#' @section Formulas:
#' A formula is not evaluated as R code, but by a walk that knows these functions, as base R has them:
#' `+ - * / ^ %% %/%`, `== != < <= > >=`, `& | !`, `ifelse()`, `pmin()`, `pmax()`, `log()`, `log2()`,
#' `log10()`, `log1p()`, `exp()`, `expm1()`, `sqrt()`, `abs()`, `sign()`, `sin()`, `cos()`, `tan()`, `asin()`,
#' `acos()`, `atan()`, `sinh()`, `cosh()`, `tanh()`, `floor()`, `ceiling()`, `round()`, `trunc()`,
#' `as.numeric()`, `as.double()`, `as.integer()` and `I()`. Numbers in it are single; text may only be
#' compared with a factor, as in `I(f == "a")`. `:` makes an interaction of terms and nothing else. Integers
#' are computed as doubles. Variables of the session are not looked at.
#'
#' **What is not finite is 0.** A term, or the response, that is not finite in a row, such as `log(x)` where x
#' is 0, is 0 in that row, and `FALSE` if it is a flag: an error would answer questions about single rows. If
#' 0 is a bad value, choose another, as in `log(pmax(x, 0.01))`. `predict()` does the same.
#'
#' Whether a formula is refused depends on it, on the names and types of columns and on declared levels, never
#' on a value.
#' @section Factors:
#' **Levels of factors are printed with the release: as names of coefficients, whether they occur or not.** So
#' they must not come from the data. `factor(x)` and `stringsAsFactors = TRUE` take the levels from the data,
#' and a level that one person has tells that this person is there; the package cannot see where levels come
#' from. Declare them, from what everybody may know: `factor(x, levels = c("never", "former", "current"))`.
#' (Values that are no such level become missing, see `na`.) Columns of text are refused for that reason.
#' @return A [`dp_release`][dp_release] of class `dp_regression`, with `guarantee = "pure"`; `"approximate"`
#'   for `"deepest"` and `"medsweep"`. Besides the methods of every release there are [predict()] for new
#'   data, and [residuals()] and [fitted()], which need the data again and return [`nonprivate`][nonprivate]
#'   results.
#' @section Errors:
#' As for [dp_median()]. Besides, more than one regressor with the deepest regression, terms as above, an
#' offset, and columns of text (make them factors with declared levels) are refused; with `na = "fail"`
#' missing and infinite values, too: that the call failed for such a value can be seen.
#' @references
#' Chernozhukov, V., Fernandez-Val, I. and Galichon, A. (2010). Quantile and probability curves without
#' crossing. *Econometrica 78*, 1093-1125. \doi{10.3982/ECTA7880}
#'
#' Cumings-Menon, R. (2022). Differentially private estimation via statistical depth. Preprint, July 2022.
#' (Lemma 7, corrected: see `vignette("proofs-regression", "dpdepth")`.)
#'
#' McSherry, F. and Talwar, K. (2007). Mechanism design via differential privacy. *FOCS*, Theorem 6.
#' \doi{10.1109/FOCS.2007.66}
#'
#' Rousseeuw, P. J. and Hubert, M. (1999). Regression depth. *Journal of the American Statistical Association
#' 94*, 388-402. \doi{10.1080/01621459.1999.10474129}
#' @seealso [plan_regression()] before the data are looked at; [plot.dp_regression()] for pictures;
#'   [regress_deepest()] and [regress_medsweep()] without privacy; [dp_median_smooth()].
#' @examples
#' # eruptions of a geyser: minutes to wait against minutes of the last eruption
#' fit <- dp_regression(waiting ~ eruptions, faithful, epsilon = 1, lower = c(0, 0),
#'                      upper = c(100, 50))
#' fit
#' predict(fit, data.frame(eruptions = c(2, 4)))
#'
#' # the same, by what may be known of the waiting times after short and long eruptions; quartiles
#' quartiles <- dp_regression(waiting ~ eruptions, faithful, epsilon = 3, at = c(1, 5),
#'                            lower = 0, upper = 150, tau = c(0.25, 0.5, 0.75))
#' coef(quartiles)
#' predict(quartiles, data.frame(eruptions = c(2, 4)))
#'
#' # limits, and what is to be expected after short and long eruptions
#' limits <- dp_regression(waiting ~ eruptions, faithful, epsilon = 2, at = c(2, 4), lower = 0,
#'                         upper = 200, interval = 0.9)
#' confint(limits)
#' predict(limits, data.frame(eruptions = c(2, 3, 4)), interval = "confidence")
#'
#' # stations that reported an earthquake, by magnitude and depth in km
#' dp_regression(stations ~ mag + depth, quakes, epsilon = 1, lower = c(-500, 0, -1),
#'               upper = c(500, 100, 1))
#' @export
dp_regression <- function(formula, data, epsilon, delta = 0, lower = NULL, upper = NULL, prior = NULL,
                          method = c("auto", "exponential", "batches", "deepest", "medsweep"),
                          tau = 0.5, resolution = NULL, interval = NULL, ...,
                          neighbours = "substitution", id = NULL, ledger = NULL, rng = NULL, na = "fail") {
  release_by(regression_mechanism(), door_call("data", further = regression_arguments()))
}

regression_mechanism <- function() {
  new_mechanism(
    plan_regression_draw, draw_regression, data = "data", limits = FALSE, typed = FALSE, read = read_fits,
    ready = ready_fits, incomplete = function(x, given) incomplete_for(given$formula, x),
    facts = function(frame, given) {
      facts_of_frame(frame, given, private_regression_size(slope_count(frame$terms)))
    },
    na_text = function(na) {
      na_detail(na, "0 for the regressors, and the middle of the limits for the response,")
    }
  )
}

# PRIVATE: what is given.
read_fits <- function(given) {
  refuse_typed_fits(given$resolution)
  frame <- public_frame(given$formula, given$data, given$na, origin = TRUE, counted = TRUE)
  if (given$neighbours == "substitution") {
    # constant regressors have a distribution, too: whether there is one must not show
    check_regressor_spread(frame$x[, 0, drop = FALSE])
  } else if (nrow(frame$x) > most_private_fits) {
    stop_input("data", "data with at most 50,000,000 rows where n is private", "data with more")
  }
  frame
}

plan_regression_draw <- function(facts, given) {
  asked <- check_choice(given$method, c("auto", regression_methods), "method")
  limits <- stats::setNames(given[c("lower", "upper", "prior")], c("lower", "upper", "prior"))
  plan <- if (facts$private) plan_private_fit(asked, facts, given, limits)
          else plan_public_fit(asked, facts, given, limits)
  # of several quantiles, in increasing order
  terms <- if (length(plan$tau) > 1) tau_terms(facts$variables, plan$tau) else facts$variables
  bounds <- if (inherits(plan$bounds, "dp_prior")) list(prior = plan$bounds)
            else lapply(plan$bounds, stats::setNames, facts$variables)
  c(plan[names(plan) != "details"], list(
    terms = terms, class = "dp_regression", own = plan$details,
    details = c(list(formula = facts$kept$formula), bounds),
    told = c(if (!is.null(plan$resolved) && !facts$private) resolves_detail(plan$resolved),
             plan["why"][!is.null(plan$why)], frame_details(facts$kept))
  ))
}

plan_public_fit <- function(asked, facts, given, limits) {
  n <- facts$n
  terms <- facts$variables
  tau <- given$tau
  own <- if (!is.null(given$resolution)) list(resolution = given$resolution)
  named <- c(given$further, names(own), if (!is.null(given$interval)) "interval")
  led <- methods_with(named)
  method <- if (asked != "auto") asked
            else choose_regression(n, terms, limits, given$epsilon, given$delta, tau, led, facts$shape)
  if (!has_intercept(terms) && method != "exponential") stop_origin(sprintf("method = \"%s\"", method))
  if (asked == "auto") check_led_quantile(tau, method, named)
  engine <- regression_engine(method, facts$shape)
  refuse_strange(setdiff(given$further, engine$arguments), c(given$known, engine$arguments),
                 sprintf("`dp_regression(method = \"%s\")`", method))
  if (!"resolution" %in% engine$arguments) refuse_resolution(given$resolution, method)
  if (!is.null(given$interval)) own$interval <- check_interval_for(given$interval, method)
  further <- c(own, further_at(facts, given[given$further]))
  if (method == "exponential") {
    further$batches <- function() rows_of_batches(n, terms, limits, given$epsilon, given$delta)
  }
  # quoted: what is an expression would be evaluated here
  plan <- do.call(engine$plan, quote = TRUE,
                  c(list(n, terms, limits, given$epsilon, given$delta, tau), further))
  plan <- with_levels(plan, method, n, terms, facts$shape)
  led <- !identical(as.vector(tau), 0.5) || length(led) > 0
  check_draw_ends(asked, plan, n, terms, limits, given$epsilon, given$delta, led, facts$shape)
  slow <- is_slow_draw(n * given$epsilon, slope_count(terms), facts$shape, !has_limits(limits))
  caution <- suppressWarnings(accuracy_warnings(plan$warn()), classes = "dpdepth_warning")
  plan$why <- regression_reason(asked, method, given$delta, limits, plan, slow, caution)
  c(plan, list(run = engine$run, counted = counts_entries(method, plan)))
}

# PRIVATE: frame.
ready_fits <- function(frame, plan) {
  if (identical(plan$neighbours, "add_remove")) return(with_public_fit(frame, plan$middle))
  if (length(frame$incomplete) > 0) frame <- middle_in_rows(frame, plan$middle)
  if (plan$counted) frame else plain_frame(frame)
}

# PRIVATE: frame. What a method says of its draw comes before what was known of it.
draw_regression <- function(frame, plan, source) {
  drawn <- plan$run(frame$x, frame$y, replace(plan, "details", list(plan$own)), source)
  if (is.null(drawn$details)) drawn$details <- plan$own
  rare <- if (!"rare" %in% names(drawn$details)) plan$own[intersect("rare", names(plan$own))]
  drawn$details <- c(drawn$details, rare, plan$told)
  drawn
}

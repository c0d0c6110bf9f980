# The private regression: its front door.

#' Private regression
#'
#' Releases the coefficients of a robust regression under differential privacy. The default draws a line (or
#' plane, or quantiles) from the exponential mechanism over regression depth: pure, with an exact draw, usable
#' from some hundred rows on, and hard to mislead by outliers. The response and the regressors need no bounds;
#' the coefficients do, or predictions at points that you choose.
#'
#' @param formula A formula with an intercept whose variables are columns of `data` (the exponential mechanism
#'   of [dp_regression()] takes those without one, too). Terms must be functions of each row by itself, such
#'   as `log(x)` or `I(x^2)`: terms that depend on all of the data, such as `poly(x, 2)` or `scale(x)`, are
#'   refused. The formula is public. See Formulas in the help of [dp_regression()].
#' @param data A data frame, one individual per row: numeric and logical columns, and factors; or
#'   `dp_tally()`. **The levels of a factor are public**, see Factors in the help of [dp_regression()].
#' @inheritParams dp_median_smooth
#' @param delta Zero for pure differential privacy. A method that needs no delta spends none, and its release
#'   says `delta = 0`; the others need one above 0.
#' @param lower,upper Public bounds of the coefficients, intercept first: one number, or one per coefficient.
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
#'   here). For `"exponential"`: powers of two; the coefficients or, with `at`, the predictions there are
#'   multiples of them, such as 1 where the response counts something. One number, one each, or some of them
#'   by name. See [dp_regression_exponential()].
#' @param at `NULL`, or public values of the regressors at p + 1 points, p the number of slopes: a data frame
#'   of the formula's variables, a matrix of regressors, or a vector for one of them. `lower`, `upper` or
#'   `prior` are then for the predictions there. For `"exponential"` and `"batches"`.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @param neighbours As in [dp_median()]. `"add_remove"`, where n is private, is for `"exponential"`: see
#'   [dp_regression_exponential()].
#' @param id As in [dp_median()]; a column's name is one of `data`.
#' @param na What is done with missing and infinite values of the columns that the formula uses. `"fail"`: the
#'   call is refused before anything is spent, and the refusal shows that there was such a value. One finite
#'   number replaces all of them (in a flag `FALSE` if it is 0, in a factor its first level). Or give numbers
#'   and levels named by columns, such as `list(age = 40, sex = "f")`, for the columns that may lack values.
#'   `"middle"`: a public row, with regressors 0 and the response in the middle of the intercept's bounds,
#'   replaces a row with such a value. `"omit"`: rows without a value in a column of the formula are left out,
#'   as in [dp_median()], with the exponential mechanism. Except for `"fail"` nothing shows that there were
#'   such values. Each replaced row pulls toward its replacement, and in batches the fit of all its batch:
#'   with 8% of 1500 rows incomplete and `"middle"`, most 95% intervals of an intercept did not cover that of
#'   complete rows. Leave such rows out with `na.omit()` if it may be known how many they are.
#' @details
#' **Which method** (`"auto"`). With limits, the exponential mechanism for up to three coefficients (two
#' regressors with an intercept). With more coefficients, and beyond the sizes of exact draws, it is batches
#' where n is large enough: they take no longer for one data set than for another. With fewer rows up to four
#' regressors are drawn by the exponential mechanism all the same: most draws take seconds, and some do not
#' end, so a warning of class `dpdepth_warning_time` says so before anything is spent. At epsilon = 1 batches
#' serve from about 1000 rows for three regressors and 1400 for four; their error is then twice that of the
#' exponential mechanism, from 5000 rows on 1.3 times, and they are misled by outliers in most batches.
#' `method = "exponential"` takes it by name. Without limits, the exponential mechanism under [prior_dyadic()]
#' for one or two regressors; else batches, under that prior or, with `delta`, a private test; each where so
#' many rows serve; else the call is refused, and says how many rows would do. `at`, `resolution`, `tau` and a
#' private n choose draws by depth; intervals of several regressors come from batches. [plan_regression()]
#' says the same beforehand. `"auto"` takes neither `"deepest"` nor `"medsweep"`. An argument that only one
#' method has, such as the size of a batch, belongs to that method's function: [dp_regression_exponential()],
#' [dp_regression_batches()], [dp_regression_deepest()], [dp_regression_medsweep()].
#'
#' **What is estimated.** The deepest line has half of the responses above and half below it over every half
#' line of the regressor. For a linear median it estimates that; where the true relation is curved, or errors
#' are skewed in one part only, it is neither least squares nor the line of least absolute deviations.
#'
#' **How accurate.** For normal regressor and errors with standard deviation s, bounds of -50 s to 50 s, the
#' median error of a prediction at the quartiles of x is about 0.10 s for n = 200 and epsilon = 1 (least
#' squares: 0.075 s). With n * epsilon below about 25 times the number of coefficients (for a quantile, with 2
#' min(tau, 1 - tau) n * epsilon) the release is noise as wide as the limits. A warning of class
#' `dpdepth_warning_accuracy` says so before anything is spent, and so does the print of the release. Wide
#' bounds cost little.
#'
#' **Predictions instead of coefficients** (`at`). People often know a prediction: a weight at 1.5 m and at 2
#' m of height lies between 30 and 150 kg. `at = c(1.5, 2), lower = 30, upper = 150` says that, where bounds
#' of an intercept at a height of 0 would have to be wide. A data frame holds the formula's variables: `at =
#' data.frame(age = c(40, 60))` goes with `y ~ I(age - 40)`; a vector or matrix holds regressors, here `c(0,
#' 20)`.
#'
#' **Without limits** the draw is as exact and as pure, for up to two regressors. At epsilon = 1 about 160
#' rows serve for one regressor and 330 for two, as 1/epsilon, if coefficients lie within a thousand times the
#' errors' spread of 0. With fewer the release may be a line of any size, and nothing in it shows that. A
#' warning says so before anything is spent.
#'
#' **Rare flags and levels.** For the coefficient of a flag, or a factor's level, the rows that have it count,
#' not n, and their number is private. With fewer than 55/epsilon of them (85/epsilon without limits) the
#' coefficient is about 0 or of any size. The release says so (`details$rare`). A warning says so if a
#' factor's levels have fewer rows on average. [plan_regression()] takes assumed `shares`. With `interval` the
#' one regressor should be declared a flag, `TRUE` or `FALSE` or a factor of two levels, not numbers 0 and 1:
#' then the slope is drawn with 0.43 of epsilon, 0.6 with few rows, and its scan has most of the rest. Its
#' limits also take more rows: of 1000 at epsilon = 1, 160 in which the flag is the rarer value; of 300, about
#' half (by [plan_regression()] with `interval` and `shares`).
#'
#' **Intervals** (`interval = 0.95`). One regressor's are those of [dp_regression_exponential()], for any
#' errors with their quantile at zero; those of several come from [dp_regression_batches()] and need errors
#' that are symmetric. Both hold in samples of any size, sampling and noise counted. **For intervals of
#' predictions** (`predict(interval = "confidence")`) with several regressors call [dp_regression_batches()]
#' with `simultaneous = TRUE` or `at`: those of `dp_regression()` cover each coefficient by itself.
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
#' Only the formula, the names and types of columns and the declared levels decide whether a formula is
#' refused; values never do.
#' @section Factors: **Levels of factors are printed with the release: as names of coefficients, whether they
#' occur or not.** So they must not come from the data. `factor(x)` and `stringsAsFactors = TRUE` take the
#' levels from the data, and a level that only one person has reveals that this person is in the data. The
#' package cannot see where levels come from. Declare them, from public knowledge: `factor(x, levels =
#' c("never", "former", "current"))`. (Values that are no such level become missing, see `na`.) Columns of
#' text are refused for that reason.
#' @return A [`dp_release`][dp_release] of class `dp_regression`, with `guarantee = "pure"`; `"approximate"`
#'   for `"deepest"` and `"medsweep"`. Besides the methods of every release there are [predict()] for new
#'   data, and [residuals()] and [fitted()], which need the data again and return [`nonprivate`][nonprivate]
#'   results.
#' @section Errors: As for [dp_median()]. Besides, more than one regressor with the deepest regression, terms
#' as above, an offset, and columns of text (make them factors with declared levels) are refused; with `na =
#' "fail"` missing and infinite values, too, which shows that there was such a value.
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
#' fit <- dp_regression(waiting ~ eruptions, faithful, epsilon = 1,
#'                      lower = c(0, 0), upper = c(100, 50))
#' fit
#' predict(fit, data.frame(eruptions = c(2, 4)))
#'
#' # the same, by what may be known of the waiting times after short and long
#' # eruptions; quartiles
#' quartiles <- dp_regression(waiting ~ eruptions, faithful, epsilon = 3,
#'                            at = c(1, 5), lower = 0, upper = 150,
#'                            tau = c(0.25, 0.5, 0.75))
#' coef(quartiles)
#' predict(quartiles, data.frame(eruptions = c(2, 4)))
#'
#' # limits, and what is to be expected after short and long eruptions
#' limits <- dp_regression(waiting ~ eruptions, faithful, epsilon = 2,
#'                         at = c(2, 4), lower = 0, upper = 200, interval = 0.9)
#' confint(limits)
#' predict(limits, data.frame(eruptions = c(2, 3, 4)), interval = "confidence")
#'
#' # stations that reported an earthquake, by magnitude and depth in km
#' dp_regression(stations ~ mag + depth, quakes, epsilon = 1,
#'               lower = c(-500, 0, -1), upper = c(500, 100, 1))
#' @export
dp_regression <- function(formula, data, epsilon, delta = 0, lower = NULL, upper = NULL, prior = NULL,
                          method = c("auto", "exponential", "batches", "deepest", "medsweep"),
                          tau = 0.5, at = NULL, resolution = NULL, interval = NULL, ...,
                          neighbours = "substitution", id = NULL, ledger = NULL, rng = NULL, na = "fail") {
  release_by(regression_mechanism(), door_call("data"))
}

# `method`: of a function of its own; else it is asked for, or chosen by public facts.
regression_mechanism <- function(method = NULL) {
  new_mechanism(
    function(facts, given) plan_regression_draw(facts, given, method), draw_regression, data = "data",
    limits = FALSE, typed = FALSE, read = read_fits, ready = ready_fits,
    neighbours = if (is.null(method) || method == "exponential") neighbour_kinds else "substitution",
    incomplete = function(x, given) incomplete_for(given$formula, x),
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
  if (!given$private) {
    # constant regressors have a distribution, too: whether there is one must not show
    n <- nrow(frame$x)
    if (n < 2) stop_input("data", "data with at least 2 rows", sprintf("data with %d", n))
  } else if (nrow(frame$x) > most_private_fits) {
    stop_input("data", "data with at most 50,000,000 rows where n is private", "data with more")
  }
  frame
}

plan_regression_draw <- function(facts, given, method) {
  asked <- if (is.null(method)) check_choice(given$method, c("auto", regression_methods), "method")
           else method
  if (is.null(given$delta)) given$delta <- 0
  if (!"tau" %in% names(given)) given$tau <- 0.5
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
    stated = c(if (!is.null(plan$resolved) && !facts$private) resolves_detail(plan$resolved),
             plan["why"][!is.null(plan$why)], frame_details(facts$kept))
  ))
}

plan_public_fit <- function(asked, facts, given, limits) {
  n <- facts$n
  terms <- facts$variables
  tau <- given$tau
  with_interval <- !is.null(given$interval)
  # what draws by depth alone have
  by_depth <- !is.null(given$resolution) || !identical(as.vector(tau), 0.5) ||
    !is.null(given$at) && !with_interval
  method <- if (asked != "auto") asked
            else choose_regression(n, terms, limits, given$epsilon, given$delta, by_depth, with_interval)
  if (!has_intercept(terms) && method != "exponential") stop_origin(sprintf("method = \"%s\"", method))
  engine <- regression_engine(method, facts$shape)
  refuse_others(given, method, engine$arguments)
  own <- own_arguments(facts, given, engine$arguments)
  if (method == "exponential") {
    own$batches <- function() rows_of_batches(n, terms, limits, given$epsilon, given$delta)
  }
  # quoted: what is an expression would be evaluated here
  plan <- do.call(engine$plan, quote = TRUE,
                  c(list(n, terms, limits, given$epsilon, given$delta, tau), own))
  if (length(facts$shape$indicators) > 0) plan <- with_levels(plan, method, n, terms, facts$shape)
  check_draw_ends(asked, plan, n, terms, own$batches)
  if (asked == "auto") plan$why <- regression_reason(method, facts, given, limits, plan)
  c(plan, list(run = engine$run, counted = method == "exponential" && is.null(plan$interval)))
}

# PRIVATE: frame.
ready_fits <- function(frame, plan) {
  if (isTRUE(plan$private)) return(with_public_fit(frame, plan$middle))
  if (length(frame$incomplete) > 0) frame <- middle_in_rows(frame, plan$middle)
  if (plan$counted) frame else plain_frame(frame)
}

# PRIVATE: frame. What a method says of its draw comes before what was known of it.
draw_regression <- function(frame, plan, source) {
  drawn <- plan$run(frame$x, frame$y, replace(plan, "details", list(plan$own)), source)
  if (is.null(drawn$details)) drawn$details <- plan$own
  rare <- if (!"rare" %in% names(drawn$details)) plan$own[intersect("rare", names(plan$own))]
  drawn$details <- c(drawn$details, rare, plan$stated)
  drawn
}

# -- its methods --------------------------------------------------------------------------------------

# What the door knows of a method, whose file is R/dp-regression-<method>.R: its own arguments, and
#   plan(n, terms, limits, epsilon, delta, tau, ...): public numbers in; refuses before the debit, or
#     gives a list with epsilon and delta as they are spent, guarantee, what, mechanism, label (of the
#     ledger), middle (the response that stands for a row that is dropped; NULL: there is none), bounds
#     (list(lower, upper) of the coefficients, or a prior, or NULL), warn (a function of warned_numbers()),
#     details, tau where it has quantiles, and what run() wants. `limits` holds lower, upper and prior as
#     they were given.
#   run(x, y, plan, source): a list with estimate and exact, and, where they differ from the plan's,
#     mechanism, details and released.
regression_methods <- c("exponential", "batches", "deepest", "medsweep")

# `shape`: of the formula's columns, which sizes of batches go by, and intervals of a flag's slope.
regression_engine <- function(method, shape = plain_shape) {
  switch(method,
    exponential = list(plan = function(...) plan_exponential(..., flag = length(shape$indicators) > 0),
                       run = run_exponential, arguments = exponential_arguments),
    deepest = list(plan = plan_deepest, run = run_deepest, arguments = character()),
    medsweep = list(plan = plan_medsweep, run = run_medsweep, arguments = medsweep_arguments),
    batches = list(plan = function(...) plan_batches(..., shape = shape), run = run_batches,
                   arguments = batches_arguments)
  )
}

# What the door has for some methods only.
refuse_others <- function(given, method, arguments) {
  if (!"resolution" %in% arguments) refuse_resolution(given$resolution, method)
  for (argument in setdiff(c("interval", "at"), arguments)) {
    if (is.null(given[[argument]])) next
    stop_input(argument, sprintf("NULL with method = \"%s\"", method), describe_option(given[[argument]]),
               "Leave `method` out: \"exponential\" and \"batches\" have it.")
  }
}

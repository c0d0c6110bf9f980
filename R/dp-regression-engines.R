# The methods of dp_regression(): that of draws by depth, and what each of their files offers the door.

#' Private regression by depth
#'
#' Releases the coefficients of a line, plane or quantiles by the exponential mechanism over regression depth,
#' in an exact draw. It is what [dp_regression()] takes by default, with all of its arguments.
#'
#' @inheritParams dp_regression
#' @param directions With several regressors: along which public directions rows are split, a count (100; 300
#'   to 2400 for five regressors or more, see Markov chains) or a matrix by [directions()].
#' @param units Public sizes of the regressors in which directions apply: by default as the widths of the
#'   slopes' bounds or the range over `at` have it.
#' @param sampler `"exact"` (or `"auto"`), or `"mcmc"`, for more regressors: see Markov chains.
#' @param chains,steps Of `"mcmc"`: the number of chains, and of steps of each, at least 1000 and by default
#'   `max(2000, 300 (p + 1))`.
#' @details
#' **The law**. The regression depth of a fit is the least number of rows that must be taken
#' away before some fit is better everywhere (Rousseeuw and Hubert, 1999). A replaced row moves the depth h of
#' any fit by at most one, so the density proportional to `exp(epsilon * h / 2) * prior` is
#' epsilon-differentially private (McSherry and Talwar, 2007, Theorem 6). The draw is from this law itself, on
#' a public lattice (its `step` is in the release), by integer arithmetic; no noise is estimated, and no test
#' can fail. With several regressors rows are split along public `directions`: more are somewhat more accurate
#' and slower. `vignette("proofs-regression-exponential", "dpdepth")` has the proof.
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
#' @return A [`dp_release`][dp_release] of class `dp_regression`, as of [dp_regression()].
#' @section Errors: As for [dp_regression()].
#' @seealso [dp_regression()], whose help has formulas, factors and accuracy; [plan_regression()].
#' @examples
#' # planes split along 40 directions instead of 100
#' dp_regression_exponential(stations ~ mag + depth, quakes, epsilon = 1, lower = c(-500, 0, -1),
#'                           upper = c(500, 100, 1), directions = 40)
#' @export
dp_regression_exponential <- function(formula, data, epsilon, lower = NULL, upper = NULL, prior = NULL,
                                      tau = 0.5, at = NULL, directions = NULL, units = NULL,
                                      resolution = NULL, interval = NULL,
                                      sampler = c("auto", "exact", "mcmc"), chains = 4L, steps = NULL, ...,
                                      neighbours = "substitution", id = NULL, ledger = NULL, rng = NULL,
                                      na = "fail") {
  release_by(regression_mechanism("exponential"), door_call("data"))
}


# What the door knows of a method, whose file is R/dp-regression-<method>.R: its own arguments, and
#   plan(n, terms, limits, epsilon, delta, tau, ...): public numbers in; refuses before the debit, or
#     gives a list with epsilon and delta as they are spent, guarantee, what, mechanism, label (of the
#     ledger), middle (the response that stands for a row that is dropped; NULL: there is none), bounds
#     (list(lower, upper) of the coefficients, or a prior, or NULL), warn (a function without arguments),
#     details, tau where it has quantiles, and what run() wants. `limits` holds lower, upper and prior as
#     they were given.
#   run(x, y, plan, source): a list with estimate and exact, and, where they differ from the plan's,
#     mechanism, details and released.
regression_methods <- c("exponential", "batches", "deepest", "medsweep")

# `shape`: of the formula's columns, which sizes of batches go by, and intervals of a flag's slope.
regression_engine <- function(method, shape = plain_shape) {
  switch(method,
    exponential = list(plan = function(...) plan_exponential(..., flag = length(shape$dummies) > 0),
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

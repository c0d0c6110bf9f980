# Private regression by one method: the methods' own doors, with their own arguments.

#' Private regression by depth
#'
#' Releases the coefficients of a line, plane or quantiles by the exponential mechanism over regression depth,
#' in an exact draw. It is the default of [dp_regression()], with all of its arguments.
#'
#' @inheritParams dp_regression
#' @param formula A formula, with an intercept or without, whose variables are columns of `data`. It is
#'   public. See Formulas in the help of [dp_regression()].
#' @param tau The quantile, or several increasing ones, of the errors: 0.5 for the median. Each is a fraction
#'   with a denominator of at most 1000.
#' @param at `NULL`, or public values of the regressors at p + 1 points, p the number of slopes: a data frame
#'   of the formula's variables, a matrix of regressors, or a vector for one of them. `lower`, `upper` or
#'   `prior` are then for the predictions there.
#' @param resolution `NULL`, or powers of two of which the coefficients or, with `at`, the predictions there
#'   are to be multiples: one number, one each, or some of them by name. See Whole numbers.
#' @param neighbours As in [dp_median()]; for `"add_remove"` see Private sizes.
#' @param directions With several regressors: along which public directions rows are split, a count (100) or a
#'   matrix by [directions()].
#' @param units Public sizes of the regressors in which directions apply: by default from the widths of the
#'   slopes' bounds or the range over `at`.
#' @details
#' **Distribution.** The regression depth of a fit is the least number of rows that must be removed before
#' some other fit is better everywhere (Rousseeuw and Hubert, 1999). A replaced row moves the depth h of any
#' fit by at most one, so the density proportional to `exp(epsilon * h / 2) * prior` is epsilon-differentially
#' private (McSherry and Talwar, 2007, Theorem 6). The draw is from this distribution itself, on a public
#' lattice (its `step` is in the release), by integer arithmetic; no noise is estimated, and no test can fail.
#' With several regressors rows are split along public `directions`: more are somewhat more accurate and
#' slower. `vignette("proofs-regression-exponential", "dpdepth")` has the proof.
#'
#' **Quantiles** (`tau`), of up to four regressors, share epsilon evenly, and `coef()` gives a matrix, one
#' column per quantile. Each fit is drawn by itself, so fits may cross. `predict()` puts the predictions of a
#' row in increasing order (Chernozhukov, Fernandez-Val and Galichon, 2010); the coefficients are left as
#' drawn. Extreme quantiles are much more accurate where n epsilon is large enough for counts less their
#' expectation (1440 rows for 0.9 at epsilon = 1): `details$depth` says so.
#'
#' **Whole numbers** (`resolution`). Fits whose coefficients, or predictions at the points `at`, are multiples
#' of a declared step, for responses that tie. The step should be small compared with the errors' spread, and
#' so should a slope's step times its regressor. Otherwise many fits are equally good. So give `at` with it,
#' or the intercept's step alone: `resolution = c("(Intercept)" = 1)`.
#'
#' **Intervals** (`interval = 0.95`) of one regressor hold the true coefficients, all together, with this
#' probability or more, in samples of any size. Sampling and noise both count. Errors must be independent and
#' have their quantile `tau` at zero for each value of the regressor; their spread and shape may change with
#' it. Where such quantiles do not lie on a line, the limits may be too narrow. With `at` predictions at the
#' two points have limits, and `predict(interval = "confidence")` gives those between them, narrow there. At
#' epsilon = 1 medians take 260 rows, 0.75 takes 770 and 0.9 takes 2300; fewer are refused, and more than
#' 200,000 (20,000 for other quantiles). An infinite limit means that the scan reached a public bound, or that
#' no line within the public limits fits well enough. `vignette("proofs-region", "dpdepth")` has the proof.
#'
#' **Through the origin** (`y ~ x - 1`). For one regressor half of the ratios y/x lie on each side of the
#' slope. `lower` and `upper` bound the slopes, `at` is not taken. The first factor has one column per level,
#' as in [stats::lm()]. The other methods fit intercepts, and refuse such formulas.
#'
#' **Private sizes** (`neighbours = "add_remove"`). The exponent is `epsilon * h`, because one row more lowers
#' the depth of no fit. A public row with regressors 0 and the response in the middle of its limits (0 without
#' limits) is counted, too. Draws have no intervals, and `tau` has denominators up to 10. Choices and warnings
#' are those for 10,000 rows (2,000 for four regressors).
#'
#' **Limits of exact draws.** Up to four regressors, columns of factors counted singly: 2,000,000 rows for
#' one, 100,000 for two, 20,000 for three, 2,000 for four (10,000 by name, with a warning). More rows are
#' refused, from these public numbers alone. With one regressor and an intercept draws end for any data and
#' limits: most take less than a second, a million rows some seconds; the
#' longest of 300 nasty sets of 5,000 rows took 0.7 s. With more coefficients the time has no such bound:
#' **some data take very long, or practically do not end, which nothing public shows.**
#' With two or three coefficients nearly
#' all draws take less than a second; slow are rows on a smooth curve without errors (a response that is a
#' function of t, with regressors t and t^2): a second for 200 rows, some seconds for 500, about a minute for
#' 1000, and more beyond, or between very wide limits (more than 20 seconds for 100 rows and limits of 1e7).
#' With four and more most draws take seconds, the largest about half a minute; slow
#' are also tight clusters, few rows that tie, columns that nearly determine each other, and limits so wide
#' that they nearly outweigh the rows. So such a call warns with class `dpdepth_warning_time`, and where
#' epsilon is large the warning says which one is quick. A smaller epsilon,
#' fewer regressors or `method = "batches"` help. **The budget is spent before the draw begins: an
#' interrupted call has spent it.** `"auto"` of [dp_regression()] takes batches there, where n is large
#' enough. [rival_regression()] has a Markov chain for more regressors; no privacy is proved for it.
#' @return A [`dp_release`][dp_release] of class `dp_regression`, as of [dp_regression()].
#' @section Errors: As for [dp_regression()].
#' @seealso [dp_regression()], whose help has formulas, factors and accuracy; [plan_regression()].
#' @examples
#' # planes split along 40 directions instead of 100
#' dp_regression_exponential(stations ~ mag + depth, quakes, epsilon = 1,
#'                           lower = c(-500, 0, -1), upper = c(500, 100, 1),
#'                           directions = 40)
#' @export
dp_regression_exponential <- function(formula, data, epsilon, lower = NULL, upper = NULL, prior = NULL,
                                      tau = 0.5, at = NULL, directions = NULL, units = NULL,
                                      resolution = NULL, interval = NULL, ...,
                                      neighbours = "substitution", id = NULL, ledger = NULL, rng = NULL,
                                      na = "fail") {
  release_by(regression_mechanism("exponential"), door_call("data"))
}

#' Private regression by batches
#'
#' Releases the private median of the least squares fits of disjoint batches of rows, for any number of
#' regressors, with limits or without.
#'
#' @inheritParams dp_regression
#' @param delta Zero for pure differential privacy. Above 0 it is spent only where n is too small for a pure
#'   release without limits.
#' @param prior Instead of bounds, a public prior by [prior_uniform()], [prior_normal()] or [prior_dyadic()],
#'   without a covariance; `prior_dyadic(2^-20)` where nothing is given.
#' @param size `NULL`, or the rows of a batch.
#' @param seed The seed of the public permutation that deals rows to batches.
#' @param resolution Without limits: the step of the coefficients' lattice, 2^-20 by default; one number, or
#'   one for each coefficient.
#' @param simultaneous With `interval`: do the limits of all coefficients hold together?
#' @param pairs With `interval`: are slopes fitted to differences of two rows?
#' @details
#' A public seed deals the rows to batches at random. The median of the batches' least squares, by depth along
#' the axes, is released: pure, with bounds or a prior, or with [prior_dyadic()] if neither is given. Where n
#' is too small for that prior and `delta` is above 0, it is the restricted mechanism (see
#' [dp_median_restricted()]). The number of batches follows from public numbers. For three regressors at
#' epsilon = 1 and without limits about 1300 rows serve, for eight about 5500. An outlier spoils its batch's
#' fit: of m rows per batch and a share s of outliers about m s are off; half are too many. The proof is in
#' `vignette("proofs-axes", "dpdepth")`.
#'
#' **Intervals.** Each coefficient has limits, with an equal share of epsilon; with `simultaneous = TRUE` all
#' cover together, as `predict(interval = "confidence")` needs. They cover in samples of any size if errors
#' are independent and each is **symmetric** about 0 given the regressors. With `pairs = TRUE` slopes are
#' fitted to differences of two rows, and are also covered if all errors have one distribution, whatever its
#' shape. **With skewed errors nothing else is promised.** With `at` the predictions at these points replace
#' the coefficients, and their limits hold together. Limits or a prior are needed, and 40 k^2/epsilon rows for
#' k coefficients; several times as many for narrow limits. See `vignette("intervals", "dpdepth")`.
#' @return A [`dp_release`][dp_release] of class `dp_regression`, as of [dp_regression()].
#' @section Errors: As for [dp_regression()].
#' @seealso [dp_regression()], whose help has formulas, factors and accuracy; [plan_regression()].
#' @examples
#' # 100 batches of 10 stations each
#' dp_regression_batches(stations ~ mag + depth, quakes, epsilon = 2, lower = -500,
#'                       upper = 500, size = 10)
#' @export
dp_regression_batches <- function(formula, data, epsilon, delta = 0, lower = NULL, upper = NULL, prior = NULL,
                                  at = NULL, resolution = NULL, interval = NULL, size = NULL, seed = 1L,
                                  simultaneous = FALSE, pairs = FALSE, ..., id = NULL, ledger = NULL,
                                  rng = NULL, na = "fail") {
  release_by(regression_mechanism("batches"), door_call("data"))
}

#' Private deepest regression
#'
#' Releases the deepest regression of one regressor, with noise scaled to its smooth sensitivity. It needs
#' thousands of rows and a `delta`; [dp_regression()] needs neither, and this is here for comparison.
#'
#' @inheritParams dp_regression
#' @param delta Above 0; far less than 1/n is usual.
#' @param lower,upper Public bounds of the coefficients, the intercept first: one number, or one per
#'   coefficient.
#' @details
#' Laplace noise on a lattice, scaled to the smooth sensitivity of [regress_deepest()], see [sens_deepest()].
#' The noise's scale depends on the data, and nothing of it is released. With few rows the bounds decide how
#' much noise there is; releases beyond them are moved to them. It takes O(n^2 log n) time, some seconds for
#' 5,000 rows, and more rows where the regressor has few values.
#' @return A [`dp_release`][dp_release] of class `dp_regression` with `guarantee = "approximate"`.
#' @section Errors: As for [dp_regression()].
#' @seealso [dp_regression()], whose help has formulas and factors; [regress_deepest()] without privacy.
#' @examples
#' dp_regression_deepest(waiting ~ eruptions, faithful, epsilon = 8, delta = 1e-6,
#'                       lower = 0, upper = 100)
#' @export
dp_regression_deepest <- function(formula, data, epsilon, delta, lower, upper, ..., id = NULL, ledger = NULL,
                                  rng = NULL, na = "fail") {
  release_by(regression_mechanism("deepest"), door_call("data"))
}

#' Private Medsweep regression
#'
#' Releases the Medsweep regression, step by step, with noise scaled to smooth sensitivities. It needs
#' thousands of rows and a `delta`; [dp_regression()] needs neither, and this is here for comparison.
#'
#' @inheritParams dp_regression_deepest
#' @param sweep_bounds The largest size of the slope of one regressor on another: one number, or a matrix; by
#'   default ratios of the widths of the coefficients' bounds.
#' @param max_iter How often the response is swept.
#' @param tol The sweeps end when no released slope is larger.
#' @details
#' Laplace noise on a lattice, scaled to the smooth sensitivity of each step of [regress_medsweep()], see
#' [sens_medsweep()]. The noise's scale depends on the data, and nothing of it is released. With few rows the
#' bounds decide how much noise there is; releases beyond them are moved to them. The steps share the budget,
#' and each round of `max_iter` adds one for each regressor.
#' @return A [`dp_release`][dp_release] of class `dp_regression` with `guarantee = "approximate"`.
#' @section Errors: As for [dp_regression()].
#' @seealso [dp_regression()], whose help has formulas and factors; [regress_medsweep()] without privacy.
#' @examples
#' dp_regression_medsweep(waiting ~ eruptions, faithful, epsilon = 8, delta = 1e-6,
#'                        lower = 0, upper = 100)
#' @export
dp_regression_medsweep <- function(formula, data, epsilon, delta, lower, upper, sweep_bounds = NULL,
                                   max_iter = 1L, tol = 0, ..., id = NULL, ledger = NULL, rng = NULL,
                                   na = "fail") {
  release_by(regression_mechanism("medsweep"), door_call("data"))
}

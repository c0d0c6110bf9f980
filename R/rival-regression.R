# Published private regressions, for comparison: the door, and what it knows of each method.

#' Published private regressions, for comparison
#'
#' Private regressions from the literature, as yardsticks for [dp_regression()], which is more accurate or
#' promises more. All are released in corrected form: with exact sums and integer noise, and with the rows
#' clipped where a proof needs it.
#'
#' @inheritParams dp_regression
#' @param epsilon Privacy budget, one number from 1e-6 to 1e6; usual values lie between 0.1 and 10.
#' @param delta 0 for a pure method; for the others between 0 and 1, much less than 1/n.
#' @param method The method, see the table below.
#' @param x_lower,x_upper Public bounds of the regressors: one number for all, or one per column of the
#'   design. `"noisystats"`, `"gradient"` and `"adassp"` move values beyond to them; for `"theilsen"` they say
#'   where the two predictions are taken, and rows may lie beyond.
#' @param lower,upper Public bounds of the response; values beyond are moved to them. `"theilsen"` looks for
#'   its predictions in a range of twice their width about their middle. For `"chain"`, which takes a `prior`
#'   in their place, and `"random_dp"`, which needs none: bounds of the coefficients, one number for all or
#'   one per coefficient, the intercept first.
#' @param ... Arguments of the method, by their full names:
#'
#'   * `"theilsen"`: `type`, how the medians are released: `"exponential"`, by the exponential mechanism;
#'     `"widened"`, by the same with values counted as equal within `width`, so that many equal rows are no
#'     trouble; `"smooth"`, by noise with heavy tails, scaled to the smooth sensitivity. `matchings`, how many
#'     pairs a row is in (1): a count, or `"all"`; more pairs vary less, but each needs more noise. `width`: a
#'     public width in units of the response, by default a hundredth of that of its bounds.
#'   * `"gradient"`: `steps`, how many steps are taken (80); `clip`, where a row's gradient is clipped (1), in
#'     each of its two coordinates, with both variables in units of their bounds' widths.
#'   * `"tukeyem"`: `batches`, at least 8, each with more rows than there are regressors (1000/epsilon, or as
#'     many as there can be); `resolution`, the step of the public lattice (2^-16): one number, or one per
#'     coefficient, rounded down to powers of two. The lattice has 2^40 steps to each side of zero.
#'   * `"chain"`: `prior`, `tau`, `at` and `units`, as in [dp_regression_exponential()]; `directions`, with
#'     several regressors, a count or a matrix by [directions()]: by default 100, and 300 to 2400 for five
#'     regressors or more, by n, epsilon and their number; `chains` and `steps`, the number of chains (4) and
#'     of steps of each, at least 1000 and by default `max(2000, 300 (p + 1))` for p regressors.
#'   * `"random_dp"`: `gamma`, the probability, between 0 and 1, of data for which the published claim says
#'     nothing.
#' @param na As in [dp_regression()]; `"omit"` is refused. With `"middle"`, the middle of the bounds replaces
#'   a row with missing values; a row of zeros does where a method has no bounds of the rows.
#' @details
#' | `method` | guarantee | regressors | rows |
#' | --- | --- | --- | --- |
#' | `"theilsen"` | pure | one | from 4; at most 2000 with `matchings = "all"` |
#' | `"noisystats"` | pure | one | from 2 to 2^26 |
#' | `"gradient"` | approximate | one | from 2 |
#' | `"adassp"` | approximate | any number | from 2 to 2^26 |
#' | `"tukeyem"` | approximate | any number | 8 batches, each with more rows than regressors |
#' | `"chain"` | stationary | any number | from 4 |
#' | `"random_dp"` | unproved | one | from about 1000 |
#'
#' **Theil-Sen.** Each pair of rows of a random matching has a line, which has a value at the lower and at the
#' upper quartile of the regressor's bounds. The median of these values is released at both places, and the
#' line through the two. Published versions give each of the two medians the whole budget, drop pairs with
#' equal regressors, or cut an odd row off after shuffling so that other pairs change, too. Here each median
#' has half of the budget, a row is in `matchings` pairs whatever the data, and pairs that have no line count
#' half as very high and half as very low, by their public numbers.
#'
#' **Noisy sums** (`"noisystats"`). Least squares from two noisy sums, of products and of squares, and a noisy
#' mean. It serves where `n epsilon` is large against the spread of the regressor between its bounds. If the
#' noisy sum of squares is not above zero there is no slope: then nothing is released (`released = FALSE`),
#' and the budget is spent. Slopes beyond 2^20 widths of the response per width of the regressor are moved
#' there.
#'
#' **Noisy gradients.** Gradient descent with clipped gradients and Gaussian noise. The line is described by
#' its values at the quartiles of the regressor's bounds. A step moves by the noisy sum of the gradients over
#' the root of the squared lengths of all sums so far, within a range of twice the width of the response's
#' bounds (the published steps know no range, and go further astray). The line is the mean over the last half
#' of the steps.
#'
#' **Noisy sums with a ridge** (`"adassp"`). Least squares from noisy sums of squares and products, with a
#' ridge where the noise is large against them. The published method spends a third of its budget on the least
#' eigenvalue of the sums of squares; here it is bounded from the noisy sums, which costs nothing.
#'
#' **Batches** (`"tukeyem"`). Rows are dealt at random into batches, each batch has its least squares fit, and
#' a point of great depth along the axes among these fits is drawn if a private test finds that safe, as in
#' [dp_median_restricted()] along the axes, with half of the budget for the test. If the test fails, nothing
#' is released. Published code gives the shells of its draw other volumes, and jitters ties with
#' floating-point noise.
#'
#' **A Markov chain** (`"chain"`) over the distribution of [dp_regression_exponential()], for any number of
#' regressors, with limits or a normal prior. That distribution is private; a state after a finite run has
#' another one, at an unknown distance. A chain may stay where it started; look at [sampler_diagnostics()] on
#' data that need no protection. With many regressors and few rows fits far from the data outweigh those near
#' them, and longer chains do not help: more `directions` do. See `vignette("regression-simulations",
#' "dpdepth")`.
#'
#' **Random differential privacy.** The deepest regression with noise scaled to its smooth sensitivity, as
#' `dp_regression(method = "deepest")` releases it, with a region of deep fits of these data in place of the
#' bounds. The published proof fails, because the region moves with the data. The promise is much weaker than
#' that of public bounds, which cost little, however wide they are. `vignette("proofs-regression", "dpdepth")`
#' says what can be shown.
#'
#' The Gaussian noise of `"gradient"` and `"adassp"` is the least for `(epsilon, delta)` (Balle and Wang,
#' 2018). The proofs are in `vignette("proofs-rivals", "dpdepth")`.
#' @return A [`dp_release`][dp_release] of class `dp_regression`; [predict()] works.
#' @section Errors: As for [dp_regression()]. Arguments of another method are refused, and the error names
#'   that method.
#' @references
#' Alabi, D., McMillan, A., Sarathy, J., Smith, A. and Vadhan, S. (2022). Differentially private simple linear
#' regression. *Proceedings on Privacy Enhancing Technologies*. \doi{10.48550/arXiv.2007.05157}
#' (DPTheilSen, NoisyStats, DPGradDescent.)
#'
#' Amin, K., Joseph, M., Ribero, M. and Vassilvitskii, S. (2022). Easy differentially private linear
#' regression. \doi{10.48550/arXiv.2208.07353} (TukeyEM.)
#'
#' Balle, B. and Wang, Y.-X. (2018). Improving the Gaussian mechanism for differential privacy: analytical
#' calibration and optimal denoising. *ICML*. \doi{10.48550/arXiv.1805.06530}
#'
#' Cumings-Menon, R. (2022). Differentially private estimation via statistical depth. Preprint, July 2022,
#' Theorem 5. (Random differential privacy.)
#'
#' Wang, Y.-X. (2018). Revisiting differentially private linear regression: optimal and adaptive prediction
#' and estimation in unbounded domain. *UAI*. \doi{10.48550/arXiv.1803.02596} (AdaSSP.)
#' @seealso [dp_regression()].
#' @examples
#' rival_regression(waiting ~ eruptions, faithful, epsilon = 4,
#'                  method = "noisystats", x_lower = 1, x_upper = 6, lower = 30,
#'                  upper = 120)
#' rival_regression(stations ~ mag + depth, quakes, epsilon = 1, delta = 1e-6,
#'                  method = "adassp", x_lower = c(4, 0), x_upper = c(7, 700),
#'                  lower = 0, upper = 150)
#' @export
rival_regression <- function(formula, data, epsilon, delta = 0,
                             method = c("theilsen", "noisystats", "gradient", "adassp", "tukeyem", "chain",
                                        "random_dp"),
                             x_lower = NULL, x_upper = NULL, lower = NULL, upper = NULL, ...,
                             ledger = NULL, rng = NULL, na = "fail") {
  further <- unlist(lapply(rival_regressions, function(m) regression_rival(m)$arguments))
  door <- door_call("data", further)
  method <- check_choice(method, rival_regressions, "method")
  check_method_dots("rival_regression", method, rival_regressions, function(m) regression_rival(m)$arguments)
  release_by(regression_rival_mechanism(regression_rival(method), method), door)
}

regression_rival_mechanism <- function(rival, method) {
  boxed <- "x_lower" %in% rival$limits
  box <- c("x_lower", "x_upper", "lower", "upper")
  new_mechanism(
    neighbours = "substitution", data = "data", limits = FALSE, facts = facts_of_frame,
    read = function(given) {
      frame <- line_frame(given$formula, given$data, given$na, rival$min_n)
      if (rival$line) check_one_regressor(ncol(frame$x))
      frame
    },
    plan = function(facts, given) {
      delta <- check_method_delta(given$delta, rival$guarantee %in% c("pure", "stationary"), method)
      limits <- stats::setNames(given[box], box)
      check_method_limits(limits, rival$limits, method)
      if (boxed) limits <- regression_box(limits, facts$d - 1L, facts$variables[-1])
      plan <- do.call(rival$plan, c(list(facts$n, facts$variables, limits, given$epsilon, delta),
                                    given[intersect(rival$arguments, names(given))]), quote = TRUE)
      plan$details <- c(list(formula = facts$kept$formula), if (boxed) box_details(limits), plan$details)
      c(plan[setdiff(names(plan), c("label", "what", "guarantee", "delta"))],
        list(label = sprintf("regression (%s)", rival$label), what = rival$what, guarantee = rival$guarantee,
             delta = delta, limits = limits, class = "dp_regression", stated = frame_details(facts$kept)))
    },
    ready = function(frame, plan) {
      if (boxed) return(fill_middle(frame, plan$limits))
      if (length(frame$incomplete) > 0) middle_in_rows(frame, plan$middle) else frame
    },
    draw = function(frame, plan, source) {
      out <- rival$run(frame$x, frame$y, plan, source)
      out$details <- c(out$details, plan$stated)
      out
    },
    na_text = function(na) {
      na_detail(na, if (boxed) "the middle of the limits"
                    else "0 for the regressors, and the middle of the limits, or 0, for the response,")
    }
  )
}

rival_regressions <- c("theilsen", "noisystats", "gradient", "adassp", "tukeyem", "chain", "random_dp")

# What the door knows of a method, whose file is R/rival-regression-<method>.R: the ledger's label, the
#   release's `what` and guarantee, the least number of rows, whether it takes one regressor only (`line`),
#   which limits it takes, what `...` may hold, and
#   plan(n, terms, limits, epsilon, delta, ...): public numbers in; refuses before the debit, or gives a list
#     with mechanism, details, rho (of Gaussian noise), middle (without bounds of the rows: the response that
#     stands for an incomplete row), and what run() wants. `limits`: a box where rows have bounds, else as
#     they were given.
#   run(x, y, plan, source): a list with estimate and, where they matter, released and details.
regression_rival <- function(method) {
  box <- c("x_lower", "x_upper", "lower", "upper")
  rival <- switch(method,
    theilsen = list("Theil-Sen", "Theil-Sen regression", "pure", 4L, TRUE, box,
                    c("type", "matchings", "width"), plan_theilsen, run_theilsen),
    noisystats = list("noisy sums", "regression by noisy sums", "pure", 2L, TRUE, box, character(),
                      plan_noisystats, run_noisystats),
    gradient = list("noisy gradients", "regression by noisy gradients", "approximate", 2L, TRUE, box,
                    c("steps", "clip"), plan_gradient, run_gradient),
    adassp = list("noisy sums with a ridge", "regression by noisy sums with a ridge", "approximate", 2L,
                  FALSE, box, character(), plan_adassp, run_adassp),
    tukeyem = list("batches", "regression by batches", "approximate", 2L, FALSE, character(),
                   c("batches", "resolution"), plan_tukeyem, run_tukeyem),
    chain = list("chain", "regression by a Markov chain", "stationary", 4L, FALSE, c("lower", "upper"),
                 c("prior", "tau", "at", "directions", "units", "chains", "steps"), plan_chain_fit,
                 run_chain_fit),
    random_dp = list("random DP", "deepest regression", "unproved", 2L, TRUE, c("lower", "upper"), "gamma",
                     plan_random_fit, run_deepest)
  )
  stats::setNames(rival, c("label", "what", "guarantee", "min_n", "line", "limits", "arguments", "plan",
                           "run"))
}

check_one_regressor <- function(p) {
  if (p == 1) return(invisible(NULL))
  stop_formula(sprintf("it has %d regressors, and this method takes one numeric regressor", p),
               "method = \"adassp\" and method = \"tukeyem\" take more.")
}

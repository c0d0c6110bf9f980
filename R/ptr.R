# Propose, test, release: the private test of a safety margin, and the tool for any mechanism with one.

#' Propose, test, release
#'
#' Makes a private mechanism of one that is private for most data only: a test, itself private, finds out
#' whether the data are far from all for which it is not. For researchers who build another mechanism; the
#' package's own are [dp_median_projection()] and [dp_median_restricted()].
#'
#' The test passes if `margin` plus noise exceeds a threshold. Noise: discrete Laplace, P(z) proportional to
#' exp(-epsilon_test |z|) over the whole numbers, drawn exactly. Threshold: the least whole T for which
#' noise alone exceeds T with probability at most delta.
#'
#' @section What you must guarantee:
#' The result is (epsilon, delta)-differentially private, for data sets that differ in one row, provided
#' that
#'
#' 1. `margin` is a function of the data with values 0, 1, 2, ... that changes **by at most one** when any
#'    one row is replaced: for *every* pair of neighbours, as the computer computes it, rounding included.
#'    (The distance to the nearest unsafe data set has this property, and so has any bound made of nested
#'    bounds, see `vignette("proofs-projection", "dpdepth")`; a margin cut off at a public number still has
#'    it. A search that gives up early on some data, or a quantity that is only *usually* stable, has not.)
#' 2. Whenever `margin` is 1 or more for one of two neighbours, the laws P and P' of what `release` returns
#'    for the two are (epsilon_draw, delta)-close: P(A) <= exp(epsilon_draw) P'(A) + delta and P'(A) <=
#'    exp(epsilon_draw) P(A) + delta for every event A. It is not enough that this hold between data sets
#'    that both have a positive margin.
#' 3. `release` uses no randomness but what it is given (or draws of at least that quality: not
#'    [stats::rnorm()] and the like), and the length and names of what it returns, its run time and its
#'    errors and warnings do not depend on the data. What it does besides returning a value (files, prints,
#'    global variables) is not protected.
#' 4. `epsilon`, `delta`, `share`, `n` and all that `release` was set up with (such as a proposed scale of
#'    noise) were chosen without looking at the data.
#'
#' Here epsilon_test = `share` epsilon and epsilon_draw = (1 - `share`) epsilon.
#'
#' *Proof.* Take neighbours with margins M, M'. If one of them is 1 or more, the draws are (epsilon_draw,
#' delta)-close by 2, the tests epsilon_test-close by 1, and both are independent given the data: together
#' (epsilon, delta)-close. If both are 0, both tests pass with probability at most delta, and the outcome
#' "failed" has probabilities with a ratio of at most exp(epsilon_test). Hence (epsilon, delta) in each
#' case, and delta is paid once.
#'
#' @param margin The safety margin: one whole number, 0 for data at which `release` is not safe.
#' @param release A function of two arguments that makes the release and returns a numeric vector:
#'   `release(epsilon, laplace)`. `epsilon` is epsilon_draw. `laplace(center, sensitivity, epsilon)`
#'   returns `center` plus Laplace noise of scale `sensitivity / epsilon` for each coordinate, drawn in
#'   whole numbers on a public grid: between neighbours whose centers have at most that l1 distance, it is
#'   epsilon-close. Both are to be public. The function is called **whether or not** the test passes, so
#'   that both cases take the same work, and its result is dropped if not; it must cope with unsafe data.
#' @param epsilon,delta The budget: epsilon of at least 1e-6, and delta in (0, 1).
#' @param share The share of epsilon that the test gets.
#' @param n The number of rows, for the record.
#' @param ledger A [dp_ledger()] to debit, or `NULL`.
#' @param rng `"system"` or `"R"`, see [dpdepth_rng]; `NULL` for the option.
#' @return A [`dp_release`][dp_release]: `released` says whether the test passed; if not, the estimate is
#'   `NA`, of the same length and names, and the budget is spent all the same. `exact` is `TRUE` on your
#'   word. The `details` hold `epsilon_test`, `epsilon_draw` and the `threshold`. The margin is not in it.
#' @section Errors:
#' `dpdepth_error_input` for a bad argument, `dpdepth_error_budget` for a ledger that does not cover the
#' release: nothing is spent then. An error in `release` is passed on, and `dpdepth_error_release` raised if
#' it returns no numbers or asks `laplace` for what it cannot give; the budget is spent.
#' @references
#' Dwork, C. and Lei, J. (2009). Differential privacy and robust statistics. *STOC*, 371-380.
#' \doi{10.1145/1536414.1536466}
#' @seealso [sens_projection_margin()]
#' @examples
#' # The median waiting time with noise for a sensitivity of 4 minutes, if that is enough: the
#' # margin is the number of levels k at which the median cannot move further.
#' proposed <- 4
#' s <- sens_median(faithful$waiting, lower = 0, upper = 180, beta = 0.001)
#' margin <- sum(cumprod(s$profile$A <= proposed))
#' center <- sort(faithful$waiting)[[136]]
#' ptr(margin, function(epsilon, laplace) c(waiting = laplace(center, proposed, epsilon)),
#'     epsilon = 4, delta = 1e-4, n = 272)
#' @export
ptr <- function(margin, release, epsilon, delta, share = 0.5, n = NA, ledger = NULL, rng = NULL) {
  check_given()
  call <- sanitize_call(match.call(), c("margin", "release"))
  margin <- check_margin(margin)
  if (!is.function(release)) {
    stop_input("release", "a function of epsilon and a source of noise", describe(release))
  }
  epsilon <- check_epsilon(epsilon)
  delta <- check_delta(delta)
  share <- check_number(share, "share", 0, 1)
  n <- if (missing_value(n)) NA_integer_ else check_count(n, "n")
  test <- check_epsilon(epsilon * share, "epsilon")
  draw <- epsilon - test
  source <- check_rng(rng)

  ledger_spend(ledger, epsilon, delta, "propose, test, release")
  estimate <- release(draw, function(center, sensitivity, epsilon) {
    tryCatch(laplace_on_grid(center, sensitivity, epsilon, source), dpdepth_error_input = stop_spent)
  })
  passed <- ptr_test(margin, test, delta, source)
  if (!is.numeric(estimate)) stop_spent("`release` must be a function that returns numbers.")
  new_release(
    estimate, epsilon = epsilon, delta = delta, guarantee = "approximate",
    mechanism = "propose, test, release", n = n, d = length(estimate), exact = TRUE, released = passed,
    rng = source, call = call,
    details = list(epsilon_test = test, epsilon_draw = draw, threshold = ptr_threshold(test, delta))
  )
}

# An error after the debit is none of bad input, which promises that nothing was spent.
stop_spent <- function(error) {
  message <- if (is.character(error)) error else conditionMessage(error)
  stop_dpdepth("release", paste(message, "The budget is spent."))
}

# Its value is not for a message.
check_margin <- function(margin) {
  whole <- is_scalar_number(margin) && is.finite(margin) && margin == round(margin) && margin >= 0 &&
    margin < 2^52
  if (!whole) stop_input("margin", "one whole number of at least 0", describe_kind(margin))
  as.double(margin)
}

describe_kind <- function(x) if (is_scalar_number(x)) "another number" else describe(x)

# `center`, rounded to a grid of 2^-21 to 2^-20 of the scale, plus discrete Laplace noise on it, wider
# by what rounding may add to the distance of two centers: a step a coordinate.
laplace_on_grid <- function(center, sensitivity, epsilon, source) {
  epsilon <- check_epsilon(epsilon)
  sensitivity <- check_number(sensitivity, "sensitivity", 2^-900, 2^900)
  step <- 2^(floor(log2(sensitivity / epsilon)) - 20)
  scale <- ceiling((sensitivity / step + length(center)) / epsilon)
  noise <- draw_laplace_discrete(length(center), 1, scale, source)
  center[] <- (round(pmin(pmax(center / step, -2^52), 2^52)) + noise) * step
  center
}

# Passes if margin + discrete Laplace noise exceeds the threshold. With margin 0 (an unsafe data set)
# that has probability at most delta. rng: see R/noise.R.
ptr_test <- function(margin, epsilon, delta, rng) {
  rate <- test_rate(epsilon)
  margin + draw_laplace_discrete(1L, rate[[1]], rate[[2]], rng) > ptr_threshold(epsilon, delta)
}

# Beyond this the test uses no more of its budget: the sampler takes whole numbers below 2^53.
most_test_rate <- 4096
test_rate <- function(epsilon) rate_of(min(epsilon, most_test_rate))

# The least whole T with P(Z > T) = q^(T+1) / (1 + q) <= delta, q = exp(-rate). Logarithms are rounded
# outward: next to a tie T may be one too large, never too small.
ptr_threshold <- function(epsilon, delta) {
  rate <- test_rate(epsilon)[[1]] / test_rate(epsilon)[[2]]
  room <- -log(delta) - log1p(exp(-rate))
  max(0, ceiling(room * (1 + 1e-12) / rate + 1e-9) - 1)
}

# P(margin + noise passes), for each margin.
test_chance <- function(margin, epsilon, delta) {
  q <- exp(-epsilon)
  gap <- ptr_threshold(epsilon, delta) - margin
  ifelse(gap >= 0, q^(gap + 1) / (1 + q), 1 - q^(-gap) / (1 + q))
}

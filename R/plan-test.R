# The planned power of private sign tests: public numbers only.
#
# METHOD: the score's distribution under an effect, with the noise, against the critical scores of the
#   distribution under the hypothesis. Of one sample both distributions are exact. Of two samples and of a
#   trend the distribution under an effect is normal, with the moments of large samples from normal
#   distributions.

#' Plan a private test
#'
#' Computes the power of [dp_test()] against a given effect, beside that of the same test without privacy; or
#' how many rows, or how much epsilon, a wanted power needs. It uses public numbers only, no data.
#'
#' @param n The number of rows, of both samples together, or `NULL` for the least one that gives `power`.
#' @param epsilon The privacy budget, or `NULL` for the least one that gives `power`.
#' @param effect The effect to be found, for normal data: with `task = "one"` how far the median (for pairs,
#'   of their differences) is from `mu`, in standard deviations; with `"two"` how far apart two medians are;
#'   with `"trend"` the correlation, between -1 and 1.
#' @param power The least power wanted, below 1, when `n` or `epsilon` is sought.
#' @param task `"one"` for one sample and pairs, `"two"` for two samples of one size, `"trend"` for a formula.
#' @param level The level of the test, from 1e-6 to 0.5.
#' @param alternative `"two.sided"`; or `"greater"`, for a test of the side of the effect.
#' @param ... Must be empty.
#' @details
#' `power` is exact for one sample. For two samples and trends it is a normal approximation. Of 2000 tests of
#' 200 normal rows at epsilon = 1, 57.2% rejected for one sample and an effect of 0.2 (planned 57.7%), 74.9%
#' for two samples and 0.5 (74.0%), and 71.6% for a trend and 0.3 (72.4%).
#'
#' For other distributions: the power for one sample depends only on the share of rows above `mu`,
#' `pnorm(effect)`.
#' @return A data frame of class `test_plan` with one row: `n`, `epsilon`, `task`, `effect`, `level`,
#'   `alternative`, `power`, and `public`, the power without privacy. See [dp_plan] for its methods.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for numbers outside their ranges, for other than two of `n`,
#' `epsilon` and `power`, and for a `power` that no `n` or `epsilon` reaches.
#' @seealso [dp_test()].
#' @examples
#' plan_test(n = 200, epsilon = 1, effect = 0.2)
#'
#' # how many rows for a power of 80% ?
#' plan_test(epsilon = 1, effect = 0.2, power = 0.8)$n
#' @export
plan_test <- function(n = NULL, epsilon = NULL, effect, power = NULL, task = c("one", "two", "trend"),
                      level = 0.05, alternative = c("two.sided", "greater"), ...) {
  check_given()
  task <- check_choice(if (missing(task)) "one" else task, c("one", "two", "trend"), "task")
  alternative <- check_choice(if (missing(alternative)) "two.sided" else alternative,
                              c("two.sided", "greater"), "alternative")
  level <- check_number(level, "level", 1e-6, 0.5, closed = c(TRUE, TRUE))
  if (missing(effect)) stop_input("effect", "given", "missing", "Plans are of a test's power against it.")
  most <- if (task == "trend") 1 else 10
  effect <- abs(check_number(effect, "effect", -most, most))
  wanted <- check_plan(n, epsilon, power, "power")
  if (!is.null(power)) check_number(power, "power", 0, 1)
  power_at <- function(n, epsilon) {
    if (n < 2) return(0)
    test_power(n, rate_of(min(epsilon, 4096)), effect, task, level, alternative)
  }
  free_at <- function(n) power_at(n, 4096)
  wanted <- sought_power(wanted, power, power_at)
  rows <- data.frame(n = wanted$n, epsilon = wanted$epsilon, task = task, effect = effect, level = level,
                     alternative = alternative, power = power_at(wanted$n, wanted$epsilon),
                     public = free_at(wanted$n))
  words <- c(one = "a sign test of one sample", two = "a median test of two samples",
             trend = "a quadrant test of a trend")
  new_plan(rows, "test_plan", function(n, epsilon) c(power_at(n, epsilon), free_at(n)), "power",
           "without privacy", head = sprintf("Power of %s", words[[task]]),
           notes = "effect: in standard deviations (of a trend: the correlation), of normal data",
           log = FALSE)
}

# Power rises with n and epsilon but for steps of whole numbers.
sought_power <- function(wanted, power, power_at) {
  less <- "Ask for less power, or for a larger effect."
  if (is.null(wanted$n)) {
    n <- search_rows(function(v) power_at(v, wanted$epsilon) >= power, 2, 1e7)
    if (is.na(n)) stop_input("power", "reachable with that `epsilon`", format(power), less)
    wanted$n <- as.integer(n)
  }
  if (is.null(wanted$epsilon)) {
    epsilon <- search_minimum(function(v) power_at(wanted$n, v) >= power, 1e-4, 4096, 1 + 1e-3)
    if (is.na(epsilon)) stop_input("power", "reachable with that `n`", format(power), less)
    wanted$epsilon <- epsilon
  }
  wanted
}

# The chance of a p-value of at most `level`. Distributions are windows of whole scores, list(score, weight).
test_power <- function(n, rate, effect, task, level, alternative) {
  rate <- rate[[1]] / rate[[2]]
  sided <- alternative == "two.sided"
  if (task == "one") {
    null <- if (sided) fold_law(n, 0.5) else window_law(n, 0.5)
    seen <- if (sided) fold_law(n, stats::pnorm(effect)) else window_law(n, stats::pnorm(-effect))
    return(noisy_mass(seen, critical_score(null, rate, level), rate, "low"))
  }
  h <- n %/% 2
  at <- window_of(n, h / 2)
  null <- list(score = at, weight = stats::dhyper(at, h, n - h, h))
  seen <- if (task == "two") {
    p <- stats::pnorm(effect / 2)
    normal_law(n, h * p, sqrt(h * p * (1 - p) / 2))
  } else {
    q <- 2 / pi * asin(effect)
    normal_law(n, n * (1 + q) / 4, sqrt(n * (1 - q^2)) / 4)
  }
  each <- if (sided) level / 2 else level
  high <- noisy_mass(seen, critical_score(null, rate, each, "high"), rate, "high")
  if (!sided) return(high)
  high + noisy_mass(seen, critical_score(null, rate, each), rate, "low")
}

# Whole numbers of 0..n about a middle: what is outside weighs less than 1e-20.
window_of <- function(n, middle) {
  reach <- 5 * sqrt(n) + 10
  max(0, floor(middle - reach)):min(n, ceiling(middle + reach))
}

window_law <- function(n, p) {
  at <- window_of(n, n * p)
  list(score = at, weight = stats::dbinom(at, n, p))
}

# min(B, n - B), B binomial.
fold_law <- function(n, p) {
  law <- window_law(n, p)
  list(score = pmin(law$score, n - law$score), weight = law$weight)
}

# A normal distribution on whole numbers.
normal_law <- function(n, mean, sd) {
  at <- window_of(n, mean)
  weight <- stats::dnorm(at, mean, max(sd, 1e-6))
  if (sum(weight) == 0) weight[[which.min(abs(at - mean))]] <- 1
  list(score = at, weight = weight / sum(weight))
}

# The last score that is significant: that of test_p_value(), whose distribution has all of 0..n.
critical_score <- function(null, rate, level, tail = "low") {
  sign <- if (tail == "low") 1 else -1
  p <- function(z) noisy_tail(sign * (z - null$score), null$weight, rate) * (1 + 1e-9) + 1e-12
  middle <- round(sum(null$score * null$weight))
  far <- search_count(function(k) p(middle - sign * k) <= level, 1, 2^40)
  middle - sign * far
}

# The chance that a score with noise is at most `z`, or at least.
noisy_mass <- function(law, z, rate, tail) {
  noisy_tail(if (tail == "low") z - law$score else law$score - z, law$weight, rate)
}

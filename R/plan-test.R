# The planned power of private tests: public numbers only.
#
# METHOD: the score's distribution under an effect, with the noise, against the critical scores of the
#   distribution under the hypothesis. Of one sample both distributions are exact. Of two samples and of a
#   trend the distribution under an effect is normal, with the moments of large samples from normal
#   distributions. So it is of rank tests.

#' Plan a private test
#'
#' Computes the power of [dp_test()] against a given effect, beside that of the same test without privacy; or
#' how many rows, or how much epsilon, a wanted power needs. With `interval` it is a plan of the width of
#' limits. It uses public numbers only, no data.
#'
#' @param n The number of rows, of both samples together, or `NULL` for the least one that gives `power`.
#' @param epsilon The privacy budget, or `NULL` for the least one that gives `power`.
#' @param effect The effect to be found, for normal data: with `task = "one"` how far the median (for pairs,
#'   of their differences) is from `mu`, in standard deviations; with `"two"` and `"groups"` how far apart two
#'   medians are; with `"trend"` the correlation, between -1 and 1. Or a probability, see `effect_as`.
#' @param power The least power wanted, below 1, when `n` or `epsilon` is sought.
#' @param task `"one"` for one sample and pairs, `"two"` for two samples of one size, `"groups"` for a formula
#'   with two groups, planned as of one size, `"trend"` for another formula.
#' @param test Which test, as in [dp_test()]. The default is `"rank"`, with `"one"` `"sign"`. With `interval`,
#'   `"rank"` for limits of the shift, `"sign"` for those of the difference of medians.
#' @param share As in [dp_test()], of the rank test of two groups. With `interval`, the share of all rows that
#'   the smaller sample has, 0.5.
#' @param effect_as `"shift"`, as said above; or `"probability"`: `effect` is the probability that a row of
#'   one sample is above one of the other, or that a row or a difference is above `mu`.
#' @param level The level of the test, from 1e-6 to 0.5.
#' @param interval `NULL`, or the level of limits, for `task = "two"`: the plan is then that of their width,
#'   in standard deviations of the rows, see [interval_plan].
#' @param width With `interval`, the mean width wanted, when `n` or `epsilon` is sought.
#' @param alternative `"two.sided"`; or `"greater"`, for a test of the side of the effect.
#' @param ... Must be empty.
#' @details
#' `power` is exact for the sign test of one sample. Others are normal approximations. Of 2000 tests of 200
#' normal rows at epsilon = 1, 57.2% rejected for one sample and an effect of 0.2 (planned 57.7%), 74.9% for
#' the median test of two samples and 0.5 (74.0%), and 71.6% for a trend and 0.3 by `"quadrant"` (72.4%). Of
#' 1000 tests by Kendall's pairs 94.3% rejected (94.5%). Of Mann-Whitney tests of 200 rows and 0.5, 90.5%
#' rejected with two samples (90.1%) and 87.8% with two groups (88.2%); of signed-rank tests of 100 rows and
#' 0.3, 74.8% (73.5%).
#'
#' For other distributions: the power of the sign test of one sample depends only on the share of rows above
#' `mu`, `pnorm(effect)`, and that of Mann and Whitney's test mostly on the probability that x is above y.
#' @return A data frame of class `test_plan` with one row: `n`, `epsilon`, `task`, `test`, `effect` (as
#'   `effect_as` says), `level`, `alternative`, `power`, and `public`, the power without privacy. See
#'   [dp_plan] for its methods. With `interval` an [interval_plan].
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for numbers outside their ranges, for other than two of `n`,
#' `epsilon` and `power`, and for a `power` that no `n` or `epsilon` reaches.
#' @seealso [dp_test()].
#' @examples
#' plan_test(n = 200, epsilon = 1, effect = 0.2)
#'
#' # how many rows for a power of 80% ?
#' plan_test(epsilon = 1, effect = 0.2, power = 0.8)$n
#'
#' # to find that 64% of treated patients do better than an untreated one
#' plan_test(epsilon = 1, effect = 0.64, power = 0.8, task = "two",
#'           effect_as = "probability")$n
#'
#' # how wide are the limits of a shift, and those of the difference of medians?
#' plan_test(n = 600, epsilon = 1, interval = 0.95)
#' plan_test(n = 300, epsilon = 1, interval = 0.95, test = "sign", share = 0.3)
#' @export
plan_test <- function(n = NULL, epsilon = NULL, effect = NULL, power = NULL,
                      task = c("one", "two", "groups", "trend"), level = 0.05,
                      alternative = c("two.sided", "greater"), test = NULL, share = NULL,
                      effect_as = c("shift", "probability"), interval = NULL, width = NULL, ...) {
  check_given()
  if (is_grid(n, epsilon)) return(plan_grid(n, epsilon, match.call(), parent.frame()))
  if (!is.null(interval)) {
    unused <- c(effect = !is.null(effect), power = !is.null(power), alternative = !missing(alternative),
                effect_as = !missing(effect_as), level = !missing(level))
    refuse_power(names(unused)[unused], task = if (missing(task)) "two" else task)
    test <- check_choice(if (is.null(test)) "rank" else test, c("rank", "sign"), "test")
    return(plan_two_samples(n, epsilon, test, share, interval, width))
  }
  check_no_width(width)
  task <- check_choice(if (missing(task)) "one" else task, names(planned_tests), "task")
  test <- check_choice(if (is.null(test)) planned_tests[[task]][[1]] else test, planned_tests[[task]], "test")
  alternative <- check_choice(if (missing(alternative)) "two.sided" else alternative,
                              c("two.sided", "greater"), "alternative")
  level <- check_number(level, "level", 1e-6, 0.5, closed = c(TRUE, TRUE))
  share <- task_share(share, task, test)
  if (is.null(effect)) stop_input("effect", "given", "missing", "Plans are of a test's power against it.")
  given <- effect
  effect <- planned_effect(effect, task, if (missing(effect_as)) "shift" else effect_as)
  shift <- missing(effect_as) || identical(effect_as[[1]], "shift")
  wanted <- check_plan(n, epsilon, power, "power")
  if (!is.null(power)) check_number(power, "power", 0, 1)
  power_at <- function(n, epsilon) {
    if (n < 2) return(0)
    if (test %in% c("rank", "balance")) {
      return(rank_power(rank_setting(n, effect, task, test, share), epsilon, level, alternative))
    }
    test_power(n, rate_of(min(epsilon, 4096)), effect, task, level, alternative)
  }
  free_at <- function(n) power_at(n, 4096)
  # power rises with n and epsilon but for steps of whole numbers
  wanted <- sought_plan(wanted, function(n, epsilon) power_at(n, epsilon) >= wanted$error, "power",
                        "Ask for less power, or for a larger effect.",
                        rows = function(enough) search_count(enough, 2, 1e7, 1e-3),
                        budgets = c(1e-4, 4096, 1 + 1e-3))
  rows <- data.frame(n = wanted$n, epsilon = wanted$epsilon, task = task, test = test,
                     effect = if (shift) effect else as.double(given), level = level,
                     alternative = alternative, power = power_at(wanted$n, wanted$epsilon),
                     public = free_at(wanted$n))
  new_plan(rows, "test_plan", function(n, epsilon) c(power_at(n, epsilon), free_at(n)), "power",
           "without privacy", head = sprintf("Power of a %s", planned_words(task, test)),
           notes = if (shift) "effect: in standard deviations (of a trend: the correlation), of normal data"
                   else sprintf("effect: the probability that a row is above %s; a shift of %s deviations",
                                if (task == "one") "`mu`" else "one of the other sample",
                                format(effect, digits = 3)),
           log = FALSE)
}

# What a plan of limits has no use for.
refuse_power <- function(unused, task) {
  if (length(unused) > 0) {
    stop_input(unused[[1]], "left out with `interval`", "given",
               "A plan of limits tells their width, no power.")
  }
  if (!identical(task, "two")) {
    stop_input("task", "\"two\" with `interval`", describe(task), "Limits are of two samples.")
  }
}

# Of each task the tests that are planned, the default first.
planned_tests <- list(one = c("sign", "rank", "balance"), two = c("rank", "quadrant"),
                      groups = c("rank", "quadrant"), trend = c("rank", "quadrant"))

planned_words <- function(task, test) {
  of <- c(one = "one sample", two = "two samples", groups = "two groups", trend = "a trend")[[task]]
  kind <- if (test == "rank") c(one = "signed-rank", two = "Mann-Whitney", groups = "Mann-Whitney",
                                trend = "Kendall")[[task]]
          else if (test == "quadrant" && task == "two") "median" else test
  sprintf("%s test of %s", kind, of)
}

# In standard deviations, or a correlation.
planned_effect <- function(effect, task, as) {
  as <- check_choice(as, c("shift", "probability"), "effect_as")
  if (as == "shift") {
    most <- if (task == "trend") 1 else 10
    return(abs(check_number(effect, "effect", -most, most)))
  }
  if (task == "trend") stop_input("effect_as", "\"shift\" for a trend", "\"probability\"")
  abs(stats::qnorm(check_number(effect, "effect", 0, 1))) * if (task == "one") 1 else sqrt(2)
}

# The distribution of a rank score without effect, what a row moves it by, and under the effect mean and
# deviation, and at what it is cut.
rank_setting <- function(n, effect, task, test, share) {
  n <- as.double(n)
  if (task == "trend") return(c(list(law = kendall_law(n), sensitivity = n - 1), kendall_moments(n, effect)))
  if (task != "one") {
    a <- n %/% 2
    moments <- pairs_moments(a, n - a, effect)
    if (task == "two") {
      return(c(list(law = mann_whitney_law(a, n - a), sensitivity = n - a), moments))
    }
    unit <- groups_unit * groups_factor(a, n, share)
    law <- list(ends = 0, laws = list(group_law(a, n, share)))
    return(list(law = law, sensitivity = groups_move(n, share),
                mean = (2 * moments$mean - a * (n - a)) * unit, sd = 2 * moments$sd * unit,
                most = groups_unit * groups_cut(n)))
  }
  if (test == "rank") return(c(list(law = signed_rank_law(n), sensitivity = n), signed_moments(n, effect)))
  p <- stats::pnorm(effect)
  list(law = balance_law(n), sensitivity = 2, mean = n * (2 * p - 1), sd = 2 * sqrt(n * p * (1 - p)))
}

# Means over a standard normal variable.
normal_mean <- function(f) {
  z <- seq(-9, 9, length.out = 2001)
  sum(f(z) * stats::dnorm(z)) / sum(stats::dnorm(z))
}

# Of U for normal rows, x shifted up.
pairs_moments <- function(a, b, effect) {
  p <- stats::pnorm(effect / sqrt(2))
  # one x above two of y, or one y below two of x
  above_two <- normal_mean(function(z) stats::pnorm(z + effect)^2)
  list(mean = a * b * p, sd = sqrt(max(0, a * b * (p * (1 - p) + (a + b - 2) * (above_two - p^2)))))
}

# Of concordant pairs of normal variables with that correlation (Kendall and Gibbons, 1990, section 10.14).
kendall_moments <- function(n, effect) {
  pairs <- n * (n - 1) / 2
  one <- 2 / pi * asin(effect)
  two <- 2 / pi * asin(effect / 2)
  list(mean = pairs * (1 + one) / 2,
       sd = sqrt(pairs * max(0, 1 - one^2 + 2 * (n - 2) * (1 / 9 - two^2))) / 2)
}

# Of signed ranks (Lehmann, 1975, section 4.2).
signed_moments <- function(n, effect) {
  p <- stats::pnorm(effect)
  one <- stats::pnorm(sqrt(2) * effect)
  two <- normal_mean(function(z) stats::pnorm(z + 2 * effect)^2)
  variance <- n * p * (1 - p) + n * (n - 1) / 2 * (2 * (p - one)^2 + 3 * one * (1 - one)) +
    n * (n - 1) * (n - 2) * (two - one^2)
  list(mean = n * p + n * (n - 1) / 2 * one, sd = sqrt(max(variance, 0)))
}

rank_power <- function(setting, epsilon, level, alternative) {
  rate <- score_rate(epsilon, setting$sensitivity)
  rate <- rate[[1]] / rate[[2]]
  law <- setting$law
  sides <- if (alternative == "two.sided") 2 else 1
  middle <- floor(law$ends / 2)
  p <- function(k) symmetric_tail(middle - k, law, rate) * (1 + 1e-9) + 1e-12
  low <- middle - search_count(function(k) p(k) <= level / sides, 1, 2^50)
  z <- seq(-9, 9, length.out = 2001)
  score <- setting$mean + setting$sd * z
  if (!is.null(setting$most)) score <- pmin(pmax(score, -setting$most), setting$most)
  seen <- list(score = round(score), weight = stats::dnorm(z) / sum(stats::dnorm(z)))
  noisy_mass(seen, law$ends - low, rate, "high") + if (sides == 2) noisy_mass(seen, low, rate, "low") else 0
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
  seen <- if (task != "trend") {
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

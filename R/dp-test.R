# Private tests of ranks and signs: one noisy score, and a p-value that is a function of it.

#' Private tests: rank tests, sign tests, and a shift with limits
#'
#' Tests under pure differential privacy: of two samples or groups, of pairs, of one median, and of a trend.
#' One noisy score is released, and the p-value is computed from it. The level holds in finite samples: under
#' the hypothesis the p-value is at most alpha with probability at most alpha, noise and ties included,
#' whatever the distribution of the data (for two groups of more than 60 rows by computation, not by proof).
#'
#' @param x A vector of numbers, the sample, PRIVATE. Or a formula `y ~ x` of two columns of `data`, of
#'   numbers, flags or factors of two levels: does y go with x?
#' @param epsilon Privacy budget, one number from 1e-6 to 1e6.
#' @param y `NULL`, or a second sample, PRIVATE. With `paired = TRUE` one of the same individuals in the same
#'   order; else one of other individuals, and the numbers of both are public.
#' @param mu The median of the hypothesis, of one sample or of the differences `x - y` of pairs; of two
#'   samples the shift of `x` against `y`.
#' @param alternative `"two.sided"`, `"greater"` or `"less"`: of the median relative to `mu`; of `x` relative
#'   to `y + mu`; or whether y rises or falls with x.
#' @param paired Are `x` and `y` pairs?
#' @param data For a formula: a data frame, PRIVATE, of one individual per row; or a tally by [dp_tally()].
#' @param test `"rank"`, `"sign"`, `"balance"` or `"quadrant"`, see the table below. The default is `"rank"`
#'   for two samples, two groups, pairs and a trend, `"sign"` for one sample and wherever n is private.
#' @param share For the rank test of two groups: the least share of all rows that the smaller group may have
#'   without a loss of power, public, from 0.01 to 0.5, the default.
#' @param interval `NULL`, or a level. In place of a p-value the release is then the shift between two samples
#'   with limits of that level or, with `test = "sign"`, both medians and their difference.
#' @param lower,upper Public limits of that shift, or of both medians. Wide ones hardly matter.
#' @param resolution With `interval`: `NULL`, or the public step in which the values are counted or measured,
#'   see [dp_quantile()].
#' @param neighbours,ledger,rng As in [dp_median()]. `"add_remove"` is for the sign test of one sample and of
#'   pairs.
#' @param id As in [dp_median()]: for one sample, for pairs, and for a formula, of the rows of `data`. Not for
#'   two samples: their sizes are public, so nothing may decide in which of them a person is kept. Give a
#'   formula, or tallies that were counted with ids.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' | `test` | one sample, pairs | two samples, two groups | a trend |
#' |---|---|---|---|
#' | `"rank"` | signed ranks: symmetry about `mu` | Mann, Whitney: one distribution | Kendall: independence |
#' | `"balance"` | as many rows above `mu` as below | | |
#' | `"quadrant"` | | Mood: one distribution | Blomqvist: independence |
#' | `"sign"` | the median is `mu` | medians are alike | the median of y is the same for all x |
#'
#' **Which test?** Rank tests find shifts with fewer rows than all others: of two samples of 100 normal rows,
#' half a standard deviation apart, 90% at epsilon = 1, against 73% by Mood's test; of 200 rows of correlation
#' 0.3, 94% against 72% by the quadrant test. Take a sign test where the hypothesis is of medians alone: it
#' keeps its size where distributions differ in spread or shape. That is why one sample is tested by signs
#' unless you say otherwise; for pairs without an effect the differences are symmetric. Take `"balance"` where
#' many differences are 0: they are left out, as in McNemar's test, which it is for flags. There is no test of
#' several groups: one row can move the statistic of Kruskal and Wallis by 8 with three groups, where 6 is
#' significant, however many rows there are.
#'
#' **Scores.** Ranks: the number of pairs of a row of `x` and a row of `y` with the first one higher, as `W`
#' in `wilcox.test()`; the sum of the ranks of what is above `mu`, as `V`; the number of pairs of rows that
#' both variables of a trend order alike, as `T` in `cor.test(method = "kendall")`. One replaced row moves the
#' first by the size of the larger sample, the second by n, the third by n - 1. Ties and zeros are broken by
#' random numbers of no row, so that the distribution without an effect is that of data without ties. Signs,
#' of one sample: the number of rows at or above `mu`, at or below it, or the smaller of the two. Mood's test:
#' of the higher half of all rows, how many are of `x`; Blomqvist's: how many rows are in the higher half by x
#' and by y. One row moves these by one. Discrete Laplace noise in proportion makes each score
#' epsilon-private.
#'
#' **p-values.** The p-value is the probability, under the hypothesis, that the score with its noise is at
#' most the released one (or at least; or twice the smaller of both). Distributions of ranks are computed to
#' 1e-12 for any number of rows, which is the least p-value, printed as < 1e-11. Under the hypothesis of a
#' sign test of one sample the score is stochastically at least as large as a count of fair coins: ties at
#' `mu` make p-values larger, never too small. `vignette("proofs-tests", "dpdepth")` has the derivations.
#'
#' **How likely is x above y?** The score of Mann and Whitney's test of two samples says it: `details` and
#' `tidy()` have P(x > y) + P(x = y)/2 where `mu` is 0, `confint()` its limits at any level and those of
#' Cliff's delta, which is twice that less 1. They cost nothing more and hold for large samples.
#'
#' **A shift with limits** (`interval`). The estimate of Hodges and Lehmann, and limits by inversion of Mann
#' and Whitney's test, as by `wilcox.test(conf.int = TRUE)`: they cover in finite samples if both
#' distributions differ in a shift alone, ties or not. `lower` and `upper` are public limits of the shift. All
#' of epsilon is spent on the limits; a shift beyond them is rejected at their level. For pairs use
#' [dp_median()] of the differences.
#'
#' **A difference of medians with limits** (`interval` with `test = "sign"`), for distributions that differ in
#' more than a shift. Each median has an interval by all of epsilon, as each row is in one sample, and both
#' share the risk: the smaller sample may have the larger part (`details$risks`). So the limits of both
#' medians and of their difference hold together, in finite samples and for any two distributions. Where there
#' is but a shift its limits are about half as wide.
#'
#' **Only medians alike** (`test = "sign"` of two samples or a formula). The score is the regression depth of
#' the deepest horizontal line. It is small where some split of the rows by x has high values on one side and
#' low ones on the other. The test keeps its size where samples of one median differ in spread, or where
#' errors do along x, and finds far less. It takes neither `alternative` nor `mu`.
#'
#' **Two groups by a factor**, as in `extra ~ group`, or by a flag. The two levels are printed and public:
#' declare them, `factor(x, levels = c("a", "b"))`. The second is the higher one of `alternative`. Who is in
#' which group is private, and so are the groups' sizes. The rank test's score is normalised by the private
#' sizes, counted in 64ths, and the p-value is the largest over all sizes; of more than 60 rows some sizes
#' stand for the others, with room for what they may miss. Where one group may be much smaller, say so by
#' `share`. If sizes are public give two samples, which takes less noise. Rows of neither
#' level are missing values, and refused before anything is spent: leave them out first if it may be known
#' that there were some. Text is refused, since it has no declared levels.
#'
#' **A private size** (`neighbours = "add_remove"`). By the sign test of one sample or pairs two noisy counts
#' are released: of the rows that speak against the hypothesis and of the others. The score is their
#' difference, `details$counted` their sum. The p-value is the largest over the sizes that this sum leaves
#' open, among which the true one is with probability 0.9999, plus 0.0001 (Berger and Boos, 1994). Other tests
#' are refused: private numbers decide on the distribution of their scores. With 200 normal rows about 0.2
#' standard deviations the power was 53% to 59% at epsilon = 0.5 to 2, as with n public.
#' @return A [`dp_release`][dp_release] of class `dp_test`, with the noisy score as `estimate` and fields
#'   `p.value`, `alternative` and `method`; `tidy()` has `statistic`, `p.value`, `method` and `alternative`.
#'   `details$expected` has mean and standard deviation of the noisy score under the hypothesis, without
#'   ties. `plot()` and `autoplot()` draw the released score beside that distribution, with the scores of
#'   p-values up to 0.05. With `interval` a release of `shift` and its limits, in the units of the data, or
#'   one of class `dp_difference` with the numbers `median of x`, `median of y` and `difference`.
#' @inheritSection dp_median Errors
#' @references
#' Mann, H. B. and Whitney, D. R. (1947). On a test of whether one of two random variables is stochastically
#' larger than the other. *Annals of Mathematical Statistics* 18. \doi{10.1214/aoms/1177730491}
#'
#' Wilcoxon, F. (1945). Individual comparisons by ranking methods. *Biometrics Bulletin* 1.
#' \doi{10.2307/3001968}
#'
#' Kendall, M. G. (1938). A new measure of rank correlation. *Biometrika* 30. \doi{10.1093/biomet/30.1-2.81}
#'
#' Hodges, J. L. and Lehmann, E. L. (1963). Estimates of location based on rank tests. *Annals of Mathematical
#' Statistics* 34. \doi{10.1214/aoms/1177704172}
#'
#' Berger, R. L. and Boos, D. D. (1994). P values maximized over a confidence set for the nuisance parameter.
#' *Journal of the American Statistical Association* 89.
#'
#' Mood, A. M. (1950). *Introduction to the Theory of Statistics*, section 16.4. McGraw-Hill.
#'
#' Blomqvist, N. (1950). On a measure of dependence between two random variables. *Annals of Mathematical
#' Statistics* 21. \doi{10.1214/aoms/1177729754}
#' @examples
#' # was the median extra sleep above 0?
#' dp_test(sleep$extra, epsilon = 2, alternative = "greater")
#'
#' # do teeth grow longer with orange juice (OJ) or ascorbic acid (VC)? Groups of
#' # private sizes
#' dp_test(len ~ supp, epsilon = 2, data = ToothGrowth)
#'
#' # of public sizes: how likely are treated lengths above others, and by how much?
#' teeth <- split(ToothGrowth$len, ToothGrowth$supp)
#' confint(dp_test(teeth$OJ, epsilon = 2, y = teeth$VC))
#' dp_test(teeth$OJ, epsilon = 4, y = teeth$VC, interval = 0.9, lower = -50,
#'         upper = 50)
#' # both medians and their difference, where shapes may differ
#' dp_test(teeth$OJ, epsilon = 4, y = teeth$VC, test = "sign", interval = 0.9,
#'         lower = 0, upper = 100)
#'
#' # does the waiting time rise with the length of the eruption?
#' dp_test(waiting ~ eruptions, epsilon = 1, data = faithful,
#'         alternative = "greater")
#' @seealso [plan_test()] for the power beforehand; [dp_median()] with `interval`, whose limits invert such
#'   tests.
#' @order 1
#' @export
dp_test <- function(x, epsilon, y = NULL, mu = 0, alternative = c("two.sided", "greater", "less"),
                    paired = FALSE, data = NULL, test = NULL, share = NULL, interval = NULL, lower = NULL,
                    upper = NULL, resolution = NULL, ...,
                    neighbours = "substitution", id = NULL, ledger = NULL, rng = NULL) {
  door <- door_call(c("x", "y", "data"))
  paired <- check_flag(paired, "paired")
  refuse_tally_pairs(x, y, paired)
  refuse_unused(x, y, paired, data)
  if (paired && is.null(y)) stop_input("y", "given with paired = TRUE", "missing")
  door$given$formula <- inherits(x, "formula")
  door$given$one <- !door$given$formula && (is.null(y) || paired)
  refuse_limits(interval, lower, upper, resolution)
  release_by(if (is.null(interval)) test_mechanism()
             else if (identical(test, "sign")) medians_mechanism() else shift_mechanism(), door)
}

refuse_limits <- function(interval, lower, upper, resolution) {
  unused <- c(lower = !is.null(lower), upper = !is.null(upper), resolution = !is.null(resolution))
  if (!is.null(interval) || !any(unused)) return(invisible(NULL))
  stop_input(names(unused)[unused][[1]], "left out without `interval`", "given",
             "It is for limits of a shift or of medians. A p-value takes none.")
}

test_mechanism <- function() {
  new_mechanism(
    plan_score, draw_score, data = function(given) if (given$formula) "data" else "x",
    read = read_task, keep = keep_test_rows, limits = FALSE, incomplete = NULL,
    facts = function(rows, given) {
      c(rows[setdiff(names(rows), c("score", "counts"))], list(private = given$private))
    },
    persons = function(given) {
      if (given$formula) persons_detail(given$data) else samples_persons(given$x, given$y)
    },
    finish = function(release, plan, drawn) {
      release$p.value <- drawn$p
      release$alternative <- plan$alternative
      release$method <- plan$label
      release$null <- drawn$null
      release
    }
  )
}

# PRIVATE: what is given. A task: sizes, a score, by how much one row moves it, and its distribution.
read_task <- function(given) {
  mu <- check_number(given$mu, "mu")
  alternative <- check_choice(given$alternative, c("two.sided", "greater", "less"), "alternative")
  of <- task_kind(given)
  test <- task_test(given$test, of, given$private)
  share <- task_share(given$share, of, test)
  refuse_unfit(test, of, mu, alternative)
  if (given$private && !given$one) refuse_private_task(given$formula)
  task <- if (of == "groups" && test == "rank") groups_task(given$x, given$data, alternative, share)
          else if (of == "a trend" && test == "rank") kendall_task(given$x, given$data, alternative)
          else if (given$formula) trend_task(given$x, given$data, alternative, test)
          else if (given$private) private_sign_task(given$x, given$y, mu, alternative, given$paired)
          else if (!given$one) samples_task(given$x, given$y, mu, alternative, test)
          else if (test == "sign") sign_task(given$x, given$y, mu, alternative, given$paired)
          else signed_task(given$x, given$y, mu, alternative, test)
  c(list(alternative = alternative), task)
}

# What is tested, and by which tests, of which the first is the default.
tests_of <- list(
  "one sample" = c("sign", "rank", "balance"), pairs = c("rank", "sign", "balance"),
  "two samples" = c("rank", "quadrant", "sign"), groups = c("rank", "quadrant", "sign"),
  "a trend" = c("rank", "quadrant", "sign")
)

task_kind <- function(given) {
  if (!given$formula) return(if (!given$one) "two samples" else if (given$paired) "pairs" else "one sample")
  names <- trend_names(given$x)
  check_trend_data(names, given$data)
  # missing values first: a column of numbers that are all missing is one of flags for R
  if (is.data.frame(given$data)) trend_rows(names, given$data)
  if (is_two_levels(given$data, names[[2]])) "groups" else "a trend"
}

task_test <- function(test, of, private) {
  known <- if (private) "sign" else tests_of[[of]]
  if (is.null(test)) return(known[[1]])
  test <- check_choice(test, unique(unlist(tests_of)), "test")
  if (test %in% known) return(test)
  stop_input("test", paste0(paste(dQuote(known, FALSE), collapse = " or "), " for ", of,
                            if (private) " where n is private"), dQuote(test, FALSE))
}

task_share <- function(share, of, test) {
  if (is.null(share)) return(0.5)
  if (of != "groups" || test != "rank") {
    stop_input("share", "left out but for the rank test of two groups", "given",
               "It is the least share that the smaller group may have.")
  }
  check_number(share, "share", 0.01, 0.5, closed = c(TRUE, TRUE))
}

plan_score <- function(facts, given) {
  law <- if (!facts$private) facts$law()
  rate <- score_rate(given$epsilon, facts$sensitivity)
  decay <- rate[[1]] / rate[[2]]
  minimum <- function() {
    if (facts$private) private_p_value(facts$n, facts$n, decay, facts$alternative)
    else min_p_value(law, decay, facts$tail)
  }
  of <- if (is.null(facts$sensitivity)) "signs" else "ranks"
  list(
    label = facts$method, class = "dp_test", terms = "score", rate = rate,
    what = if (of == "ranks") "rank test" else "test of a median",
    law = law, tail = facts$tail, alternative = facts$alternative, private = facts$private,
    sizes = facts$sizes,
    mechanism = sprintf("discrete Laplace noise on %s of %s",
                        if (facts$private) "two counts" else "a score", of),
    stated = c(list(test = facts$method, hypothesis = facts$hypothesis), facts["direction"][of == "ranks"]),
    warn = function(said) warn_powerless(facts$n, minimum(), said)
  )
}

# The rate of the noise on a score that one row moves by `sensitivity`, or by 1.
score_rate <- function(epsilon, sensitivity) {
  epsilon <- min(epsilon, 4096)
  if (is.null(sensitivity)) return(rate_of(epsilon))
  if (epsilon / sensitivity < 2^-46) {
    stop_input("epsilon", "so large that doubles hold the noise", format(epsilon), "Take a larger `epsilon`.")
  }
  laplace_rate(epsilon, sensitivity)
}

# PRIVATE: task.
draw_score <- function(task, plan, source) {
  rate <- plan$rate
  decay <- rate[[1]] / rate[[2]]
  out <- if (plan$private) {
    private_sign_test(task, plan$alternative, rate, source)
  } else {
    score <- task$score(source) + draw_laplace_discrete(1, rate[[1]], rate[[2]], source)
    list(score = score, p = test_p_value(score, plan$law, decay, plan$tail),
         null = test_null(plan$law, decay, plan$tail))
  }
  list(estimate = out$score, p = out$p, null = out$null,
       details = c(list(p.value = out$p), plan$stated,
                   if (!is.null(plan$sizes)) superiority_details(out$score, plan$sizes, decay),
                   list(expected = out$null$moments, alternative = plan$alternative),
                   out["counted"][plan$private]))
}

# Of the scores that speak most against the hypothesis, without noise.
min_p_value <- function(law, rate, tail) {
  scores <- range(if (is.list(law)) law$laws[[1]]$score else which(law > 0) - 1)
  if (tail == "low") scores <- scores[[1]]
  if (tail == "high") scores <- scores[[2]]
  min(vapply(scores, test_p_value, 0, law, rate, tail))
}

# By the least p-value: of n and epsilon alone.
warn_powerless <- function(n, p, said) {
  if (n == 1 || p <= 0.05) return(invisible(NULL))
  warn_dpdepth("accuracy", with_point(sprintf(paste(
    "With n = %s and epsilon = %s the test hardly finds anything: of the clearest data, and without noise,",
    "the p-value is %s. More rows or a larger `epsilon` would help."
  ), said$rows(n), format(said$epsilon), format(p, digits = 2))))
}

# What would go unseen: a second sample or pairs beside a formula, data without one.
refuse_unused <- function(x, y, paired, data) {
  formula <- inherits(x, "formula")
  if (formula && is.data.frame(y) && is.null(data)) {
    stop_input("data", "given by name with a formula", "missing: a data frame stands in the place of `y`",
               "Write dp_test(wage ~ sex, data = d, epsilon = 1).")
  }
  if (formula && !is.null(y)) {
    stop_input("y", "left out with a formula", "given",
               "Give the data frame that has its columns by name, as `data`.")
  }
  if (formula && paired) {
    stop_input("paired", "left out with a formula", "TRUE", "Give the columns of pairs as `x` and `y`.")
  }
  if (!formula && !is.null(data)) {
    stop_input("data", "left out without a formula", "given",
               "Give a formula y ~ x, or the columns as `x` and `y`.")
  }
}

# A tally has no order of rows, so that nothing says which row of the other belongs to which of its own.
refuse_tally_pairs <- function(x, y, paired) {
  if (!paired) return(invisible(NULL))
  Map(refuse_counted, list(x, y), c("x", "y"), "rows with paired = TRUE",
      "a tally, which has no order of rows",
      "Make a tally of the differences, and test whether their median is 0.")
}

# Arguments that the test has no use for.
refuse_unfit <- function(test, of, mu, alternative) {
  if (of %in% c("groups", "a trend") && mu != 0) {
    stop_input("mu", "left out with a formula", "given", "It is for samples and for pairs.")
  }
  medians <- test == "sign" && !of %in% c("one sample", "pairs")
  if (medians && (mu != 0 || alternative != "two.sided")) {
    stop_input(if (mu != 0) "mu" else "alternative", sprintf("left out with test = \"sign\" of %s", of),
               "given", "That test has two sides and no shift.")
  }
}

# -- methods -----------------------------------------------------------------------------------------

#' @export
tidy.dp_test <- function(x, ...) {
  frame <- data.frame(statistic = unname(x$estimate), p.value = x$p.value, method = x$method,
                      alternative = x$alternative)
  if (is.null(x$details$superiority)) return(with_limits(frame, x, ...))
  tidy_superiority(cbind(estimate = x$details$superiority[["P(x > y)"]], frame), x, ...)
}

#' @rdname dp_test
#' @param object A private rank test of two samples.
#' @param parm,level For `confint()`: which of `"P(x > y)"` and `"Cliff's delta"`, and the level, 0.95.
#' @export
confint.dp_test <- function(object, parm, level = 0.95, ...) {
  if (is.null(object$details$superiority)) return(NextMethod())
  limits <- superiority_limits(object, check_number(level, "level", 0, 1))
  if (missing(parm)) limits else limits_named(limits, parm)
}

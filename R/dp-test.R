# Private sign tests: one noisy score, and a p-value that is a function of it.

#' Private tests of medians
#'
#' Sign tests under pure differential privacy: of one median, of paired differences, of two samples, and of a
#' trend. One noisy score is released, and the p-value is computed from it. The level holds in finite samples,
#' noise included: under the hypothesis the p-value is at most alpha with probability at most alpha, whatever
#' the distribution of the data.
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
#' @param hypothesis For two samples and a trend: `"law"`, the default, that both samples have one
#'   distribution, or that y and x are independent; or `"median"`, that medians alone are equal, whatever else
#'   differs. The latter test has far less power.
#' @param neighbours,ledger,rng As in [dp_median()]. `"add_remove"` is for one sample and for pairs.
#' @param id As in [dp_median()]: for one sample, for pairs, and for a formula, of the rows of `data`. Not for
#'   two samples: their sizes are public, so nothing may decide in which of them a person is kept. Give a
#'   formula, or tallies that were counted with ids.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' **Scores.** One sample: the number of rows at or above `mu`, at or below it, or the smaller of the two. Two
#' samples: of the higher half of all rows, how many are of `x`, as in the median test of Mood. A trend: how
#' many rows are in the higher half by x and by y, as in the quadrant test of Blomqvist. Where a tie lies at
#' the middle, rows are chosen at random. One replaced row moves each score by at most one, so that discrete
#' Laplace noise makes it epsilon-private.
#'
#' **p-values.** Under the hypothesis the score of one sample is stochastically at least as large as a count
#' of fair coins: ties at `mu` make p-values larger, never too small. The scores of two samples and of a trend
#' are hypergeometric, whatever the distribution of the rows and their ties. The p-value is the probability
#' that the score with its noise is at most the released one (or at least; or twice the smaller of both).
#' `vignette("proofs-interval", "dpdepth")` has the derivation.
#'
#' **Only medians alike.** With `hypothesis = "median"` the score is the regression depth of the deepest
#' horizontal line. It is small where some split of the rows by x has high values on one side and low ones on
#' the other. The test keeps its size where samples of one median differ in spread, or where errors do along
#' x, and is conservative. It takes neither `alternative` nor `mu`.
#'
#' **Power.** The noise has a standard deviation of about `1.4 / epsilon` rows. Sampling has `sqrt(n) / 2`,
#' and `sqrt(n) / 4` for two samples and a trend. Where n is large against `32 / epsilon^2`, little power is
#' lost against the same test without privacy. With two samples of 200 normal rows, one shifted by 0.3
#' standard deviations, the power is 53% at epsilon = 0.5 and 62% at 2, against 62% without privacy, and a
#' third with `hypothesis = "median"`. A formula does not know the groups' sizes: for two groups whose sizes
#' are public give two samples.
#'
#' **Two groups by a factor**, as in `extra ~ group`. Its two levels are printed and public: declare them,
#' `factor(x, levels = c("a", "b"))`. The second is the higher one of `alternative`. Who is in which group is
#' private, and so are the groups' sizes. Rows of neither level cause no error. They stand between the two as
#' a third group, and the test also finds a difference of that group. Text is refused, since it has no
#' declared levels.
#'
#' **A private size** (`neighbours = "add_remove"`). For one sample or pairs two noisy counts are released:
#' that of the rows against the hypothesis, and that of the others. The score is their difference,
#' `details$counted` their sum. The p-value is the largest over a range of sizes that contains the true one
#' with probability 0.9999, plus 0.0001 (Berger and Boos, 1994). Two samples and trends are refused: two
#' private numbers decide on the distribution of their counts. With 200 normal rows about 0.2 standard
#' deviations the power was 53% to 59% at epsilon = 0.5 to 2, as with n public.
#' @return A [`dp_release`][dp_release] of class `dp_test`, with the noisy score as `estimate` and fields
#'   `p.value`, `alternative` and `method`; `tidy()` has `statistic`, `p.value`, `method` and `alternative`.
#'   `details$expected` has mean and standard deviation of the noisy score under the hypothesis, without ties.
#'   `plot()` and `autoplot()` draw the released score beside that distribution, with the scores of p-values
#'   up to 0.05.
#' @inheritSection dp_median Errors
#' @references
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
#' # do teeth grow longer with orange juice (OJ) or ascorbic acid (VC)?
#' dp_test(len ~ supp, epsilon = 2, data = ToothGrowth)
#'
#' # does the waiting time rise with the length of the eruption?
#' dp_test(waiting ~ eruptions, epsilon = 1, data = faithful, alternative = "greater")
#' @seealso [plan_test()] for the power beforehand; [dp_median()] with `interval`, whose limits invert such
#'   tests.
#' @order 1
#' @export
dp_test <- function(x, epsilon, y = NULL, mu = 0, alternative = c("two.sided", "greater", "less"),
                    paired = FALSE, data = NULL, hypothesis = NULL, ...,
                    neighbours = "substitution", id = NULL, ledger = NULL, rng = NULL) {
  door <- door_call(c("x", "y", "data"))
  paired <- check_flag(paired, "paired")
  refuse_tally_pairs(x, y, paired)
  refuse_unused(x, y, paired, data)
  door$given$formula <- inherits(x, "formula")
  door$given$one <- !door$given$formula && (is.null(y) || paired)
  release_by(test_mechanism(), door)
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

# PRIVATE: what is given. A task: sizes, a score, and the distribution of what it is at least.
read_task <- function(given) {
  mu <- check_number(given$mu, "mu")
  alternative <- check_choice(given$alternative, c("two.sided", "greater", "less"), "alternative")
  hypothesis <- if (!is.null(given$hypothesis)) {
    check_choice(given$hypothesis, c("law", "median"), "hypothesis")
  }
  refuse_unfit(hypothesis, mu, alternative, given$formula, given$one)
  if (given$private && !given$one) refuse_private_task(given$formula)
  task <- if (given$formula) trend_task(given$x, given$data, alternative, hypothesis)
          else if (given$private) private_sign_task(given$x, given$y, mu, alternative, given$paired)
          else if (given$one) sign_task(given$x, given$y, mu, alternative, given$paired)
          else samples_task(given$x, given$y, mu, alternative, hypothesis)
  c(list(alternative = alternative), task)
}

plan_score <- function(facts, given) {
  rate <- rate_of(min(given$epsilon, 4096))
  decay <- rate[[1]] / rate[[2]]
  law <- if (!facts$private) facts$law()
  minimum <- function() {
    if (facts$private) private_p_value(facts$n, facts$n, decay, facts$alternative)
    else min_p_value(law, decay, facts$tail)
  }
  list(
    label = facts$method, what = "test of a median", class = "dp_test", terms = "score", rate = rate,
    law = law, tail = facts$tail, alternative = facts$alternative, private = facts$private,
    mechanism = sprintf("discrete Laplace noise on %s of signs",
                        if (facts$private) "two counts" else "a score"),
    stated = list(test = facts$method, hypothesis = facts$hypothesis),
    warn = function(said) warn_powerless(facts$n, minimum(), said)
  )
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
                   list(expected = out$null$moments, alternative = plan$alternative),
                   out["counted"][plan$private]))
}

# Of the scores that speak most against the hypothesis, without noise.
min_p_value <- function(law, rate, tail) {
  scores <- range(which(law > 0)) - 1
  if (tail == "low") scores <- scores[[1]]
  if (tail == "high") scores <- scores[[2]]
  min(vapply(scores, test_p_value, 0, law, rate, tail))
}

# By the least p-value: of n and epsilon alone.
warn_powerless <- function(n, p, said) {
  if (n == 1 || p <= 0.05) return(invisible(NULL))
  warn_dpdepth("accuracy", with_point(sprintf(paste(
    "With n = %s and epsilon = %s the test hardly finds anything: with all signs alike, and no noise,",
    "the p-value is %s. More rows or a larger `epsilon` would help."
  ), said$rows(n), format(said$epsilon), format(p, digits = 2))))
}

# What would go unseen: a second sample or pairs beside a formula, data without one.
refuse_unused <- function(x, y, paired, data) {
  formula <- inherits(x, "formula")
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

# What was given, with one row of each id.
keep_test_rows <- function(mechanism, given) {
  if (is.null(given$id)) return(given)
  if (given$formula) {
    check_trend_data(trend_names(given$x), given$data)
    given$data <- one_row_each(given$data, given$id, given$rng, function(data) {
      trend_rows(trend_names(given$x), data)
    })
  } else if (is.null(given$y)) {
    given$x <- one_row_each(given$x, given$id, given$rng, function(x) check_data(x, max_d = 1L))
  } else if (given$paired) {
    x <- check_data(given$x, max_d = 1L)
    y <- check_data(given$y, "y", max_d = 1L)
    check_same_rows(x, y)
    both <- one_row_each(unname(cbind(x, y)), given$id, given$rng, identity)
    given$x <- both[, 1]
    given$y <- both[, 2]
  } else {
    stop_input("id", "NULL with two samples, whose sizes are public", "given",
               "Give a formula, values ~ group, and a data frame of all rows; or tallies, counted with ids.")
  }
  given
}

# One row of each id in one sample or in both; a person may be in both.
samples_persons <- function(x, y) {
  of <- c(x = "id" %in% names(persons_detail(x)), y = "id" %in% names(persons_detail(y)))
  if (!any(of)) return(NULL)
  if (is.null(y) || all(of)) return(list(id = persons_text))
  list(id = sprintf("in `%s`: %s", names(which(of)), persons_text))
}

# Arguments that the test has no use for.
refuse_unfit <- function(hypothesis, mu, alternative, formula, one) {
  if (one && !is.null(hypothesis)) {
    stop_input("hypothesis", "left out for one sample and for pairs", "given", "It is about their median.")
  }
  if (formula && mu != 0) {
    stop_input("mu", "left out with a formula", "given", "It is for samples and for pairs.")
  }
  if (identical(hypothesis, "median") && (mu != 0 || alternative != "two.sided")) {
    stop_input(if (mu != 0) "mu" else "alternative", "left out with hypothesis = \"median\"", "given",
               "That test has two sides and no shift.")
  }
}

# -- tasks: sizes, a score that one replaced row moves by at most one, and the distribution of its bound ---

# law(): weight[k + 1] = P(S_0 = k), k = 0..n. tail: which scores speak against the hypothesis.
sign_task <- function(x, y, mu, alternative, paired) {
  x <- check_data(x, "x", max_d = 1L)
  n <- nrow(x)
  if (paired) {
    y <- check_data(y, "y", max_d = 1L)
    check_same_rows(x, y)
    x <- x - y
  }
  c(sign_words(mu, alternative, paired), list(
    n = n, d = 1L, tail = "low",
    score = function(source) {
      above <- sum(x >= mu)
      below <- sum(x <= mu)
      switch(alternative, two.sided = min(above, below), greater = below, less = above)
    },
    law = function() if (alternative == "two.sided") smaller_count(n) else stats::dbinom(0:n, n, 0.5)
  ))
}

samples_task <- function(x, y, mu, alternative, hypothesis) {
  x <- check_data(x, "x", max_d = 1L)
  y <- check_data(y, "y", max_d = 1L)
  sizes <- c(nrow(x), nrow(y))
  task <- list(n = sum(sizes), d = 1L)
  if (identical(hypothesis, "median")) {
    return(c(task, list(
      method = "sign test of two samples", hypothesis = "both samples have one median", tail = "low",
      score = function(source) samples_score(x, y), law = function() sum_law(sizes)
    )))
  }
  c(task, list(
    method = "median test of two samples", tail = test_tail(alternative),
    hypothesis = paste0("both samples have one law",
                        if (mu != 0) sprintf(", that of x shifted by %s", format(-mu))),
    score = function(source) mood_score(x - mu, y, source), law = function() mood_law(sizes)
  ))
}

test_tail <- function(alternative) switch(alternative, two.sided = "both", greater = "high", less = "low")

# Rows for which the deepest horizontal line is found in some seconds.
most_trend_rows <- 1000000L

trend_task <- function(formula, data, alternative, hypothesis) {
  names <- trend_names(formula)
  rows <- trend_rows(names, data) # of a tally in a random order
  n <- nrow(rows)
  of <- if (is.data.frame(data) && is.factor(data[[names[[2]]]])) "two groups" else "a trend"
  if (is.null(hypothesis) || hypothesis == "law") {
    return(c(list(n = n, d = 2L), list(
      method = paste("quadrant test of", of), tail = test_tail(alternative),
      hypothesis = sprintf("`%s` and `%s` are independent", names[[1]], names[[2]]),
      score = function(source) quadrant_score(rows[, 2], rows[, 1], source),
      law = function() quadrant_law(n)
    )))
  }
  if (n > most_trend_rows) {
    most <- sprintf("of at most %d rows for a formula with hypothesis = \"median\"", most_trend_rows)
    stop_input("data", most, sprintf("of %d", n), "For two groups give two samples, `x` and `y`.")
  }
  c(list(n = n, d = 2L), list(
    method = paste("sign test of", of), tail = "low",
    hypothesis = sprintf("`%s` has one median, given `%s`", names[[1]], names[[2]]),
    score = function(source) trend_score(rows[, 2], rows[, 1]), law = function() walk_law(n)
  ))
}

# -- scores and distributions -------------------------------------------------------------------------
# ---------------------------------------------------------------------------------

# Which of the values are the h highest; ties at the h-th are broken as by independent uniform keys, one per
# row.
higher_half <- function(v, source, h = length(v) %/% 2) {
  if (h == 0) return(logical(length(v)))
  minimum <- length(v) - h + 1
  cut <- sort(v, partial = minimum)[[minimum]]
  top <- v > cut
  tied <- which(v == cut)
  repeat {
    keys <- draw_below(length(tied), 2^52, source)
    if (!anyDuplicated(keys)) break
  }
  top[tied[order(keys)[seq_len(h - sum(top))]]] <- TRUE
  top
}

# Of the higher half of both samples, the rows of the first.
mood_score <- function(x, y, source) sum(higher_half(c(x, y), source)[seq_along(x)])

# The rows in the higher half by both variables.
quadrant_score <- function(x, y, source) sum(higher_half(x, source) & higher_half(y, source))

# The largest regression depth of a horizontal line in (x, y), in O(n log n). Whole numbers in the order of y
# have the same, and src/mech/slab_bound.c separates them: the line is a box of it without sides.
trend_score <- function(x, y) {
  rows <- list(y = match(y, sort(unique(y))), v = rep_len(1, length(y)), u = numeric(length(y)), along = x,
               room = numeric(length(y)))
  rows <- lapply(rows, function(column) as.matrix(as.double(column)))
  as.double(.Call(ffi_slab_bounds, rows, matrix(0), matrix(0), 0))
}

# The same for two values of x, with all lines at once.
samples_score <- function(x, y) {
  values <- sort(unique(c(x, y)))
  low <- lapply(list(x, y), function(v) findInterval(values, sort(v)))
  high <- lapply(list(x, y), function(v) length(v) - findInterval(values, sort(v), left.open = TRUE))
  max(pmin(high[[1]] + low[[2]], low[[1]] + high[[2]], high[[1]] + high[[2]], low[[1]] + low[[2]]))
}

# -- methods -----------------------------------------------------------------------------------------

#' @export
tidy.dp_test <- function(x, ...) {
  with_limits(data.frame(statistic = unname(x$estimate), p.value = x$p.value, method = x$method,
                         alternative = x$alternative), x, ...)
}

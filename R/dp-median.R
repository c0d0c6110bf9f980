# Private medians: the front door, which chooses a method by public facts.

#' A private median
#'
#' Releases the median of one variable, or the multivariate (Tukey) median of several, under differential
#' privacy. Give public limits if there are any: the release is then pure. Without limits it takes more rows,
#' or `delta`. The method is chosen by what you give and by the numbers of rows and variables; the release
#' says which and why.
#'
#' @param x Data, one individual per row: a vector, matrix or data frame of numbers or flags (`TRUE` counts as
#'   1); or a tally by `dp_tally()`.
#' @param epsilon Privacy budget, one number from 1e-6 to 1e6; usual values lie between 0.1 and 10.
#' @param delta Zero for pure differential privacy. A method that needs no delta spends none, and its
#'   release says `delta = 0`.
#' @param lower,upper Public bounds of each variable, in its units: one number, or one per variable. They say
#'   where the median can lie. The data may lie outside them.
#' @param prior Instead of bounds, a public prior by [prior_uniform()], [prior_normal()] or [prior_dyadic()].
#' @param method `"auto"`, see Details; `"exponential"` for [dp_median_exponential()], with bounds or a prior,
#'   or with `prior_dyadic(2^-20)` where neither is given;
#'   `"marginal"` for a median of each variable by itself, with bounds or a prior; `"smooth"` for
#'   [dp_median_smooth()], with bounds and `delta` above 0; `"restricted"` for
#'   [dp_median_restricted()] and `"projection"` for [dp_median_projection()], with neither bounds nor
#'   a prior, and `delta` above 0; `"interior"` likewise, for one variable: see Interior points.
#' @param resolution `NULL`, or the public steps in which the variables are counted or measured: one number
#'   for all, one per variable, or some of them by name, of which the released median is a multiple.
#'   `"type"`: integer and logical columns are counted in steps of 1. See Counts. For `"exponential"`,
#'   `"restricted"` and intervals; of `"projection"` one number.
#' @param interval `NULL`, or the level of a confidence interval for each variable's median, such as 0.95: see
#'   Intervals. With bounds or a prior, and `method = "auto"`; or `"exponential"` for a region of two
#'   variables.
#' @param simultaneous With `interval`: do the intervals of all variables hold together? See Intervals.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @param ledger A budget by [dp_ledger()] to spend from, or `NULL`.
#' @param rng `"system"` for operating-system entropy, `"R"` for R's stream (simulation only), or
#'   `NULL` for `getOption("dpdepth.rng")`. See [dpdepth_rng].
#' @param neighbours `"substitution"`: the promise is about data sets that differ in one row, and their size n
#'   is public. `"add_remove"`: the promise is about data sets of which one has a row more, and n is private:
#'   no message, choice or field depends on it, and data without any row have a release, too. For the
#'   exponential mechanism and for `"marginal"`, whose noise is then half as large as for the same epsilon
#'   under substitution (two thirds for simplicial depth of two variables). The other methods, and intervals,
#'   are for data of one size: `vignette("proofs-accounts", "dpdepth")` has a table of all releases. One thing
#'   shows of n: a function refuses data for which it has no room, as where memory is short. There is room for
#'   50 million rows in a regression, 2^20 over simplicial, 2^22 over spatial and 2^28 over smoothed dual
#'   depth; of a tally for 2^31 - 3 (several quantiles take 16 bytes of memory for each row), and for 2e7
#'   numbers where a method takes its rows.
#' @param id `NULL`: each row belongs to another person. Otherwise the ids of persons: a vector with a value
#'   for each row, PRIVATE, or a formula that names a column of `x`, such as `~person`, which is then no
#'   variable. One row of each id is kept, drawn at random, and the promise is about all rows of a person; `n`
#'   then counts ids, and their number is public (private with `"add_remove"`). With `na = "omit"` rows with
#'   missing values are left out first: a person keeps a complete row if there is one. Without `id`, what is
#'   epsilon-private for a row is k epsilon-private for a person with k rows: see [group_cost()],
#'   whose help also says which ids are alike.
#' @param na What is done with missing and infinite values. `"fail"`: the call is refused before anything is
#'   spent; the refusal shows that there was such a value. Finite numbers, one or one per variable (which may
#'   be named), replace the values; variables that names leave out must have all values. `"middle"`: the
#'   middle of the bounds, or the prior's mean, replaces each row with such a value; methods without limits
#'   have no such middle. With numbers and `"middle"` each such row pulls the estimate toward its replacement,
#'   and an interval covers the median of values that include the replacements. `"omit"`: rows with such a
#'   value are left out, and the median is that of the complete rows. Their number is private, so only methods
#'   that take `neighbours = "add_remove"` take `"omit"`. Under substitution the release consists of two steps
#'   with half of epsilon each, which costs nothing for medians over counts. The release names the rule
#'   whatever the data hold, and never whether there were such rows.
#' @details
#' **With bounds or a prior**, `"auto"` takes the method with the least expected error among those whose
#' guarantee is proved for an exact draw ([plan_median()] gives the errors):
#'
#' * the exponential mechanism over halfspace depth, pure, for up to three variables;
#' * the exponential mechanism over the depth along the axes, pure, for more
#'   (`directions = "axes"`, see [dp_median_exponential()]);
#' * with `delta` above 0 and many variables (about 30 at epsilon = 1 and delta = 1e-6), `"marginal"`.
#'
#' With a `resolution` it is an exponential mechanism. An argument that only one method has, such as
#' `directions`, belongs to that method's function. A tally supplies limits and a resolution that are left
#' out. For skewed variables the Tukey median differs from the medians of the single variables, which
#' `directions = "axes"` and `"marginal"` release.
#'
#' **Counts, flags and columns with many zeros** need `resolution`, the public step in which they are counted:
#' `resolution = c(age = 0.1, visits = 1, smokes = 1)`. Columns left out keep the default step. It must be
#' known without the data. Without it, a value that many rows share is one point of a very fine lattice; draws
#' then often lie beside it, where the depth is lower, and with depth along the axes, the least over
#' variables, that blurs *all other* variables, too. So the print of a release on this lattice says that whole
#' numbers need `resolution`. A coarse step, as of `"type"`, moves the Tukey median of several variables: with
#' many ties it differs from the medians of the single variables. For these take `directions = "axes"`.
#'
#' `resolution = "type"` counts columns of R's types integer and logical in steps of 1; others, and columns of
#' a class, keep the default step. A column's type is a property of all rows together: one 2.5 makes it
#' double. So this is a public declaration by the curator: the types were fixed before the rows were known, as
#' in a database, and not inferred from them, as readers of text files do. Types are never looked at without
#' it. A column that is `NA` throughout is logical unless it is given another type.
#'
#' **Without limits** `"auto"` takes
#'
#' * the exponential mechanism over the depth along the axes under [`prior_dyadic(2^-20)`][prior_dyadic]
#'   (`resolution`, if given, is its unit), pure and without a test, where n, the number of variables and
#'   epsilon suffice for that: from about 80 rows at epsilon = 1 for one variable, and 570 for ten. With
#'   fewer rows and `delta = 0` it is that, too, with a warning;
#' * else, with `delta` above 0, the restricted exponential mechanism along the axes
#'   ([dp_median_restricted()]), if n is large enough that normal data would pass its private test in 95% of
#'   cases;
#' * else none: the call is refused, and the error says what would help.
#'
#' The choice never looks at the data's values, and `"auto"` takes no Markov chain and no other method whose
#' guarantee is not proved.
#'
#' **Interior points.** `method = "interior"` releases, without any limits, a number between the rows of two
#' ranks, which are public (`details$ranks`): they lie between the quantiles 1/2 - `alpha` and 1/2 + `alpha`
#' of the distribution, with probability 0.95, `alpha` being 0.25; [dp_interior_point()] takes another
#' `alpha`. It takes about 700 rows at epsilon = 1 and delta = 1e-6. `"auto"` does not take it: other methods
#' need fewer rows and have smaller errors. It has no least spread (`details$resolves`): its bins are as wide
#' as the rows' distances, so it serves any spread, and the release says where it fails.
#'
#' **A median of each variable** (`"marginal"`) consists of d exact draws with epsilon_j each: the larger of
#' epsilon/d, which spends no delta, and sqrt(8 rho/d), rho being the zero-concentrated budget that (epsilon,
#' delta) implies. It is not the Tukey median: it does not follow rotations of the data. The proof is in
#' `vignette("proofs", "dpdepth")`.
#'
#' **Variables.** Leave out variables that others determine (the body mass index beside weight and height):
#' each variable costs accuracy, and such a variable adds no information. Where correlations are public
#' knowledge, a covariance in [prior_normal()] helps. To compare with a median without privacy, use the same
#' directions, see [median_tukey()].
#' @section Intervals: `interval = 0.95` releases limits with the population's median between them with
#' probability 0.95 or more, in samples of any size and whatever the distribution of the rows. All that is
#' assumed is that they are independent draws of one distribution. Privacy's noise and sampling both count.
#' The release is pure. Without limits it takes `prior_dyadic(2^-20)`, or the dyadic prior that you give. From
#' about 170 d / epsilon rows on, a part of epsilon draws a centre, the limits are sought about it, and the
#' width hardly depends on `lower` and `upper`. With fewer rows the width grows with them, where they are more
#' than some hundred spreads wide (`details$resolves` has the least safe spread). The estimate is a point
#' between the limits and costs nothing more. Near the middle of a smooth distribution it is about as good as
#' the median without interval; where the density falls quickly it leans to the longer tail. With several
#' variables each has its own interval at this level, for `epsilon / d`. With `simultaneous = TRUE` the
#' intervals are somewhat wider and cover together: they are the sides of a box that holds the point of the
#' variables' medians, which is the Tukey median if the distribution is symmetric about it. An infinite limit
#' says that a public bound was met. `n * epsilon / d` must be above 40. Whole numbers need `resolution`. See
#' `vignette("intervals", "dpdepth")`; the proof is in `vignette("proofs-interval", "dpdepth")`.
#'
#' *A region of two variables* (`method = "exponential"`). The draw by halfspace depth becomes the centre of
#' an ellipse that holds the population's median with this probability; the limits frame it. It is the set of
#' points centre + radius * unit * (shape %*% w), w of length up to 1: `details$region` has centre and radius,
#' `details$shape` the shape, and units are half widths of the bounds, or standard deviations of the prior.
#' The shape is that of the prior's covariance if it has one; else it is drawn first, with a tenth of epsilon,
#' where `n * epsilon` is 4000 or more, and a circle in these units with less. **The region assumes that
#' directions from the median are as likely as their opposites**, as they are where the distribution is
#' elliptical, whatever its tails. Where they are not, as in clusters of unlike sizes, the ellipse may be far
#' too small. If it is much smaller than the intervals of the variables, take these. Where many rows tie, give
#' `resolution`. At most 100,000 rows; `vignette("proofs-region", "dpdepth")` has the proof.
#' @return A [`dp_release`][dp_release]. Its `estimate` has one value per variable, in the variable's units.
#' @section Errors: A bad argument raises `dpdepth_error_input`, a spent ledger `dpdepth_error_budget`, a
#' failed entropy source `dpdepth_error_entropy`; then nothing has been released. See [dpdepth-errors].
#' @section Warnings: If n, d, epsilon and the limits alone imply that the release is hardly more than noise
#'   as wide as the limits, a warning of class `dpdepth_warning_accuracy` says so before anything is spent. It
#'   takes the data's standard deviation to be a twentieth of the limits' width; see [plan_median()].
#' @references
#' Canonne, C., Kamath, G. and Steinke, T. (2020). The discrete Gaussian for differential privacy. *NeurIPS*,
#' Corollary 13. \doi{10.48550/arXiv.2004.00010}
#'
#' Cesar, M. and Rogers, R. (2021). Bounding, concentrating, and truncating: unifying privacy loss composition
#' for data analytics. *ALT*. \doi{10.48550/arXiv.2004.07223}
#'
#' Ramsay, K., Jagannath, A. and Chenouri, S. (2022). Differentially private multivariate medians.
#' \doi{10.48550/arXiv.2210.06459}
#' @examples
#' # the median sepal of irises, under bounds that any botanist would grant
#' dp_median(iris[1:2], epsilon = 1, lower = 0, upper = c(20, 10))
#'
#' # the median waiting time for Old Faithful, and how surely it is known
#' confint(dp_median(faithful$waiting, epsilon = 1, lower = 0, upper = 180,
#'                   interval = 0.95))
#'
#' # counts: goals of 99 matches, in whole numbers
#' goals <- rep(c(0, 1, 2, 3, 5), c(20, 31, 27, 14, 7))
#' dp_median(goals, epsilon = 1, lower = 0, upper = 20, resolution = 1)
#'
#' # no bounds: eruptions of Old Faithful, duration and waiting time in minutes
#' dp_median(faithful, epsilon = 1)
#' @seealso [plan_median()] before the data are looked at. The methods themselves: [dp_median_exponential()],
#' [dp_median_smooth()], [dp_median_restricted()] and [dp_median_projection()]; [median_tukey()] without
#' privacy.
#' @export
dp_median <- function(x, epsilon, delta = 0, lower = NULL, upper = NULL, prior = NULL,
                      method = c("auto", "exponential", "marginal", "smooth", "restricted", "projection",
                                 "interior"),
                      resolution = NULL, interval = NULL, simultaneous = FALSE, ...,
                      neighbours = "substitution", id = NULL, ledger = NULL, rng = NULL, na = "fail") {
  release_by(median_mechanism(), door_call())
}

# The door's own part: rows of any kind, and the choice of a method by public facts.
median_mechanism <- function() {
  limited <- c("auto", "exponential", "marginal", "smooth")
  new_mechanism(NULL, NULL, kinds = c("rows", "tally", "margins", "cells", "projections"),
                choose = choose_mechanism,
                limits = function(given) is.character(given$method) && any(given$method[1] %in% limited))
}

choose_mechanism <- function(facts, given) {
  asked <- check_choice(given$method, eval(formals(dp_median)$method), "method")
  chosen <- chosen_median(facts, given, asked)
  method <- median_method(chosen)
  check_simultaneous(given$simultaneous, given$interval)
  plan <- method$plan
  method$plan <- function(facts, given) {
    made <- plan(facts, with_limits_of(chosen, given))
    made$details$why <- choice_reason(asked, chosen, given$delta, made, facts$d)
    made
  }
  method
}

median_method <- function(chosen) {
  switch(chosen, exponential = exponential_mechanism(), marginal = marginal_mechanism(),
         smooth = smooth_mechanism(), restricted = restricted_mechanism(),
         projection = projection_mechanism(), interior = median_interior_mechanism(),
         interval = median_interval_mechanism(), "interval (region)" = median_region_mechanism())
}

# By public facts: what is asked for, the kind of the data, neighbours, sizes, limits.
chosen_median <- function(facts, given, asked) {
  if (!is.null(facts$fixed)) {
    if (!asked %in% c("auto", "exponential")) {
      stop_input("method", "\"auto\" or \"exponential\" with a tally in cells or of projections",
                 dQuote(asked, FALSE))
    }
    return("exponential")
  }
  if (!is.null(given$interval)) {
    if (asked == "exponential" && facts$d == 2) return("interval (region)")
    check_interval_method(asked)
    return("interval")
  }
  if (facts$private) {
    if (asked == "auto") return("exponential")
    if (!asked %in% c("exponential", "marginal")) {
      refuse_private_size(sprintf("method = \"%s\"", asked))
    }
  }
  if (asked != "auto") return(asked)
  limits <- given[c("prior", "lower", "upper")]
  choose_median(facts$n, facts$d, given$epsilon, given$delta, limits[!vapply(limits, is.null, NA)],
                !is.null(given$resolution))
}

# Without limits the exponential mechanism has a dyadic prior.
with_limits_of <- function(chosen, given) {
  limits <- given[c("prior", "lower", "upper")]
  limits <- limits[!vapply(limits, is.null, NA)]
  if (chosen %in% c("restricted", "projection", "interior")) no_limits(limits)
  if (chosen == "interior") refuse_resolution(given$resolution, chosen)
  if (chosen == "exponential" && length(limits) == 0) given$prior <- prior_dyadic()
  given
}

# The method by public facts: limits, delta, epsilon, the size of the data; and whether values are counted in
# steps, which with limits is the exponential mechanism's.
choose_median <- function(n, d, epsilon, delta, limits, counted = FALSE) {
  if (length(limits) > 0) {
    if (counted || is_dyadic(limits$prior)) return("exponential")
    marginal <- auto_median(n, d, check_epsilon(epsilon), delta) == "marginal"
    return(if (marginal) "marginal" else "exponential")
  }
  if (delta == 0 || dyadic_serves(n, d, check_epsilon(epsilon))) return("exponential")
  epsilon <- check_restricted_epsilon(epsilon)
  if (restricted_serves(n, d, epsilon, delta)) return("restricted")
  stop_input("x", enough_rows(n, d, epsilon, delta), sprintf("data with %d row%s", n, plural(n)),
             "Or give `lower` and `upper`, with which fewer rows serve.")
}

# What "auto" takes under limits: the least error in units of 2/(n f), and the pure method when they tie.
auto_median <- function(n, d, epsilon, delta) {
  whole <- if (exact_median_serves(d)) "exponential" else "axes"
  if (delta == 0 || d == 1) return(whole)
  each <- marginal_budget(epsilon, delta, d)$each
  variance <- function(method, of) 4 * error_factor(method, epsilon, each, d)^2 + gap_variance(of)
  if (variance("marginal", each) < variance(whole, epsilon)) "marginal" else whole
}

error_factor <- function(method, epsilon, each, d) {
  switch(method,
    exponential = sqrt(d + 1) / epsilon,
    axes = sqrt((d + 1) * (d + 2) / 3) / epsilon,
    marginal = sqrt(2) / each
  )
}

# Where distances between rows vary as those of independent rows do, draws err by more than in equal ones: the
# variance in rows, beside 8 / epsilon^2, by simulation.
gap_variance <- function(epsilon) 2.9 / epsilon + 0.7

# Would normal data pass its test?
restricted_serves <- function(n, d, epsilon, delta) {
  n >= 4 && n <= most_axes_rows && d <= most_axes_variables && restricted_axes_passes(n, d, epsilon, delta)
}

# What would do, in a sentence for the error: the least size that is larger.
enough_rows <- function(n, d, epsilon, delta) {
  enough <- search_count(function(rows) {
    restricted_serves(rows, d, epsilon, delta) || dyadic_serves(rows, d, epsilon)
  }, n + 1, ceiling(2500 * sqrt(d) / epsilon)) # so many always serve
  sprintf("data with about %d rows for a median without limits with this `epsilon` and `delta`", enough)
}

# Why this method, in a sentence made of public facts only, and true of the release.
choice_reason <- function(asked, chosen, delta, plan, d) {
  if (asked != "auto") return("the method asked for")
  if (startsWith(chosen, "interval")) {
    return("with an interval, the estimate is a point between the limits and costs nothing")
  }
  if (chosen == "restricted") {
    return("no public limits are given, and it suits data of this size")
  }
  if (chosen == "marginal") {
    return(sprintf(paste("%s given with delta, and with this delta and d = %d variables a",
                         "median of each costs least"), what_is_given(plan$details$prior), d))
  }
  if (is_dyadic(plan$details$prior)) {
    return(paste("no public limits are given; a prior of shells of doubling width stands in for them, and",
                 "its guarantee is pure"))
  }
  given <- paste(what_is_given(plan$details$prior), "given")
  reason <- paste0(given, ", so a pure guarantee is to be had")
  if (delta > 0) reason <- paste0(reason, " and delta is not needed")
  resolution <- plan$details$resolution
  if (!is.null(resolution)) {
    numbers <- if (all(resolution == 1)) "whole numbers" else "multiples of the resolution"
    reason <- paste0(reason, sprintf("; the values were declared %s", numbers))
  }
  reason
}

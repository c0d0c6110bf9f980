# The method of dp_regression(method = "auto"), and exact draws over regression depth that may not end, which
# are refused or warned of: by public facts alone.

# Exact draws over regression depth where they are available, without limits where n suffices for them; else
# batches where n suffices. Where exact draws serve without limits no method has been seen clearly better:
# bench/unlimited.md. `by_depth`: are arguments given that these draws alone have? `interval`: is one asked
# for?
choose_regression <- function(n, terms, limits, epsilon, delta, by_depth = FALSE, interval = FALSE,
                              shape = plain_shape) {
  p <- slope_count(terms)
  if (by_depth) return("exponential")
  # one regressor: intervals that take no more than errors with median zero
  if (interval) return(if (has_intercept(terms) && p > 1) "batches" else "exponential")
  # other methods fit intercepts
  drawn <- has_limits(limits) || p > length(dyadic_regression_rows)
  if (!has_intercept(terms) && drawn) return("exponential")
  if (has_limits(limits)) {
    exact <- exact_regression_serves(n, p) && !draw_may_not_end(n * epsilon, p, shape)
    return(if (exact || !batches_serve(n, terms, limits, epsilon, delta)) "exponential" else "batches")
  }
  if (unlimited_draw_serves(n, terms, epsilon, shape)) return("exponential")
  if (batches_serve(n, terms, limits, epsilon, delta)) return("batches")
  stop_input("data", sprintf("data with %s rows for a regression without limits with %s coefficient%s",
                             unlimited_rows(n, terms, limits, epsilon, delta, shape), length(terms),
                             plural(length(terms))),
             sprintf("data with %s", grouped(n)),
             paste("Give `lower` and `upper`, public bounds of the coefficients, which serve fewer rows; see",
                   "plan_regression()."))
}

# A dyadic prior stands in for limits.
has_limits <- function(limits) {
  !is.null(limits$lower) || !is.null(limits$upper) || !(is.null(limits$prior) || is_dyadic(limits$prior))
}

unlimited_draw_serves <- function(n, terms, epsilon, shape = plain_shape) {
  p <- slope_count(terms)
  exact_regression_serves(n, p) && !draw_may_not_end(n * epsilon, p, shape) &&
    dyadic_regression_serves(n, length(terms) - 1L, epsilon)
}

batches_serve <- function(n, terms, limits, epsilon, delta) {
  d <- length(terms)
  if (!has_intercept(terms) || n < 4 * (d + 1) || n * epsilon < min_budget) return(FALSE)
  if (inherits(limits$prior, "dp_prior") && !is.null(limits$prior$covariance)) return(FALSE)
  choose_batches(n, d, epsilon, delta, batches_prior(limits, terms))$serves
}

# The least number of rows beyond n that would do.
unlimited_rows <- function(n, terms, limits, epsilon, delta, shape) {
  rows <- search_count(function(rows) {
    unlimited_draw_serves(rows, terms, epsilon, shape) || batches_serve(rows, terms, limits, epsilon, delta)
  }, n + 1, 2^50)
  grouped(rows)
}

# Why this method, from public facts only.
regression_reason <- function(method, facts, given, limits, plan) {
  if (method == "batches" && !is.null(plan$details$covers)) {
    return("intervals for several regressors come from batches")
  }
  if (!has_limits(limits)) {
    caution <- suppressWarnings(accuracy_warnings(plan$warn(warned_numbers(given$epsilon))),
                                classes = "dpdepth_warning")
    # an argument led to it, whatever the numbers of rows say: a draw that is noise
    return(switch(if (is.null(caution)) method else "led",
      exponential = paste("no public limits are given, and data of this size outweigh a prior without bounds",
                          "in a pure, exact draw, unless a regressor is 0 in all but some",
                          grouped(signif(drawn_level_rows(plan, dyadic = TRUE), 2)), "rows"),
      batches = paste("no public limits are given, and data of this size are enough for medians of",
                      "batches' fits"),
      paste0("arguments of method = \"", method, "\" are given")
    ))
  }
  slow <- method != "exponential" &&
    draw_may_not_end(facts$n * given$epsilon, slope_count(facts$variables), facts$shape)
  reason <- paste(what_is_given(limits$prior),
                  if (method == "exponential") "given, so a pure guarantee is to be had"
                  else if (slow) "given, and with such indicators of factors draws by depth may not end"
                  else "given, and for so many rows or regressors batches have an exact draw")
  if (given$delta > 0 && method == "exponential") paste0(reason, " and delta is not needed") else reason
}

# -- draws that may not end --------------------------------------------------------------------------------

# "auto" does not start such a draw; by name it is drawn, with a warning. Before the debit. `led`: another
# tau, or an argument, leads to this method with any number of rows.
check_draw_ends <- function(asked, plan, n, terms, limits, epsilon, delta, led, shape) {
  p <- slope_count(terms)
  drawn <- identical(plan$guarantee, "pure") && "directions" %in% names(plan)
  if (drawn && !exact_regression_serves(n, p)) {
    if (asked == "auto") check_exact_regression(n, p, !has_intercept(terms), tau = plan$tau)
    warn_dpdepth("time", sprintf(paste(
      "An exact draw with %d regressors and %s rows takes about half a minute.",
      "The budget is spent before the draw begins: an interrupted call has spent it."
    ), p, grouped(n)))
  }
  if (!drawn) return(invisible(NULL))
  if (!draw_may_not_end(n * epsilon, p, shape)) {
    if (is_steep_draw(n, p, level_epsilon(plan))) warn_steep_draw(n, p, plan)
    return(invisible(NULL))
  }
  if (asked == "auto") {
    refuse_endless(n, if (!led) rows_for_batches(n, terms, limits, epsilon, delta))
  }
  warn_dpdepth("time", paste(
    "An exact draw with so many indicators of factors, or products with them,",
    "may take very long, or practically not end (judged by the formula and declared levels alone).",
    "The budget is spent before the draw begins: an interrupted call has spent it.",
    "Fewer levels, or method = \"batches\", would help."
  ))
}

# Says which epsilon is quick, and what it costs. Nothing is drawn with less than what was asked for: that is
# the caller's choice.
warn_steep_draw <- function(n, p, plan) {
  draw <- level_epsilon(plan)
  quick <- largest_quick_epsilon(n, p)
  loss <- exponential_error(n, p, quick) / exponential_error(n, p, draw) - 1
  warn_dpdepth("time", sprintf(paste(
    "An exact draw with %d regressors and an epsilon of %s may take minutes: it is sought among the very",
    "deepest fits, which is quick for some data only.",
    "The budget is spent before the draw begins: an interrupted call has spent it.",
    "With an epsilon of %s it takes seconds%s; fewer regressors would help, too."
  ), p, format(plan$epsilon, digits = 2), format(plan$epsilon / draw * quick, digits = 2),
  if (identical(as.vector(plan$tau), 0.5)) sprintf(", and planned errors are at most %.1f%% larger",
                                                      ceiling(1000 * loss) / 10)
  else ""))
}

# In words; NULL where no number of them serves.
rows_of_batches <- function(n, terms, limits, epsilon, delta) {
  if (batches_serve(n, terms, limits, epsilon, delta)) return("which serves here")
  rows <- rows_for_batches(n, terms, limits, epsilon, delta)
  if (!is.na(rows)) sprintf("which takes %s rows (there are %s)", grouped(rows), grouped(n))
}

rows_for_batches <- function(n, terms, limits, epsilon, delta) {
  search_count(function(rows) batches_serve(rows, terms, limits, epsilon, delta), n + 1, 2^50)
}

# `rows`: with which batches serve; NULL or NA: none are known.
refuse_endless <- function(n, rows) {
  ways <- c(
    "merge levels or leave terms out",
    if (length(rows) == 1 && !is.na(rows)) {
      sprintf("have %s rows (there are %s), with which batches serve",
              grouped(rows), grouped(n))
    },
    "take method = \"exponential\" by name, which may not end in hours"
  )
  stop_input(
    "formula", "one whose exact draws are known to end, for method = \"auto\"",
    "one with indicators of several levels, or products with them, for which they may take very long",
    sprintf("What can be done: %s. Nothing is spent; see plan_regression().", paste(ways, collapse = "; or "))
  )
}

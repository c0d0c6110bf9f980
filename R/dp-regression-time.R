# Exact draws over regression depth that may not end: refused or warned of, from public facts alone.

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

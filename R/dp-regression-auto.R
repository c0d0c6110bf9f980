# The method of dp_regression(method = "auto"), and the caution for exact draws over regression depth that may
# not end: by public facts alone.

# Exact draws over regression depth where they are available and quick for nearly all data, without limits
# where n suffices for them; else batches where n suffices, and draws with a caution where it does not. Where
# exact draws serve without limits no method has been seen clearly better: bench/unlimited.md. `by_depth`: are
# arguments given that these draws alone have? `interval`: is one asked for?
choose_regression <- function(n, terms, limits, epsilon, delta, by_depth = FALSE, interval = FALSE) {
  p <- slope_count(terms)
  if (by_depth) return("exponential")
  # one regressor: intervals that take no more than errors with median zero
  if (interval) return(if (has_intercept(terms) && p > 1) "batches" else "exponential")
  # other methods fit intercepts
  drawn <- has_limits(limits) || p > length(dyadic_regression_rows)
  if (!has_intercept(terms) && drawn) return("exponential")
  if (has_limits(limits)) {
    exact <- exact_regression_serves(n, p) && draw_is_uncautioned(terms)
    return(if (exact || !batches_serve(n, terms, limits, epsilon, delta)) "exponential" else "batches")
  }
  if (unlimited_draw_serves(n, terms, epsilon)) return("exponential")
  if (batches_serve(n, terms, limits, epsilon, delta)) return("batches")
  stop_input("data", sprintf("data with %s rows for a regression without limits with %s coefficient%s",
                             unlimited_rows(n, terms, limits, epsilon, delta), length(terms),
                             plural(length(terms))),
             sprintf("data with %s", grouped(n)),
             paste("Give `lower` and `upper`, public bounds of the coefficients, which serve fewer rows; see",
                   "plan_regression()."))
}

# A dyadic prior stands in for limits.
has_limits <- function(limits) {
  !is.null(limits$lower) || !is.null(limits$upper) || !(is.null(limits$prior) || is_dyadic(limits$prior))
}

unlimited_draw_serves <- function(n, terms, epsilon) {
  exact_regression_serves(n, slope_count(terms)) && dyadic_regression_serves(n, length(terms) - 1L, epsilon)
}

batches_serve <- function(n, terms, limits, epsilon, delta) {
  d <- length(terms)
  if (!has_intercept(terms) || n < 4 * (d + 1) || n * epsilon < min_budget) return(FALSE)
  if (inherits(limits$prior, "dp_prior") && !is.null(limits$prior$covariance)) return(FALSE)
  choose_batches(n, d, epsilon, delta, batches_prior(limits, terms))$serves
}

# The least number of rows beyond n that would do.
unlimited_rows <- function(n, terms, limits, epsilon, delta) {
  rows <- search_count(function(rows) {
    unlimited_draw_serves(rows, terms, epsilon) || batches_serve(rows, terms, limits, epsilon, delta)
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
  reason <- paste(what_is_given(limits$prior),
                  if (method == "exponential") "given, so a pure guarantee is to be had"
                  else paste("given, and for so many rows or regressors batches have an exact draw that ends",
                             "for any data"))
  if (given$delta > 0 && method == "exponential") paste0(reason, " and delta is not needed") else reason
}

# -- draws that may not end --------------------------------------------------------------------------------

# Such a draw is made with a caution, before the debit: "auto" takes it only where batches do not serve, or an
# argument leads to it. `batches`: as of check_exact_regression().
check_draw_ends <- function(asked, plan, n, terms, batches = NULL) {
  if (!identical(plan$guarantee, "pure") || !"directions" %in% names(plan)) return(invisible(NULL))
  p <- slope_count(terms)
  if (asked == "auto") check_exact_regression(n, p, !has_intercept(terms), tau = plan$tau)
  quick <- if (is_steep_draw(n, p, level_epsilon(plan))) quick_text(n, p, plan)
  if (!draw_is_uncautioned(terms)) {
    rows <- if (is.function(batches) && has_intercept(terms) && identical(as.vector(plan$tau), 0.5)) batches()
    warn_unbounded_draw(
      sprintf("of %d coefficients", length(terms)),
      c(quick, sprintf("Fewer regressors%s would help.",
                       if (is.null(rows)) "" else sprintf(", or method = \"batches\", %s,", rows))),
      if (exact_regression_serves(n, p)) "seconds" else "half a minute"
    )
  } else if (!is.null(quick)) {
    said <- sprintf(paste("An exact draw with %d regressors and an epsilon of %s may take minutes: it is",
                          "sought among the very deepest fits, which is quick for some data only."),
                    p, format(plan$epsilon, digits = 2))
    warn_dpdepth("time", paste(said, spent_before, quick, "Fewer regressors would help, too."))
  }
}

# Which epsilon is quick, and what it costs. Nothing is drawn with less than what was asked for: that is the
# caller's choice.
quick_text <- function(n, p, plan) {
  draw <- level_epsilon(plan)
  quick <- largest_quick_epsilon(n, p)
  loss <- exponential_error(n, p, quick) / exponential_error(n, p, draw) - 1
  sprintf("With an epsilon of %s it takes seconds%s.", format(plan$epsilon / draw * quick, digits = 2),
          if (!identical(as.vector(plan$tau), 0.5)) ""
          else sprintf(", and planned errors are at most %.1f%% larger", ceiling(1000 * loss) / 10))
}

# In words; NULL where no number of them serves.
rows_of_batches <- function(n, terms, limits, epsilon, delta) {
  if (batches_serve(n, terms, limits, epsilon, delta)) return("which serves here")
  rows <- search_count(function(rows) batches_serve(rows, terms, limits, epsilon, delta), n + 1, 2^50)
  if (!is.na(rows)) sprintf("which takes %s rows (there are %s)", grouped(rows), grouped(n))
}

# The method of dp_regression(method = "auto"), by public facts alone.

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

# Why this method, from public facts only. NULL where it was asked for.
regression_reason <- function(asked, method, delta, limits, plan, slow = FALSE, caution = NULL) {
  if (asked != "auto") return(NULL)
  if (method == "batches" && !is.null(plan$details$covers)) {
    return("intervals for several regressors come from batches")
  }
  # an argument led to it, whatever the numbers of rows say: a draw that is noise
  led <- !has_limits(limits) && !is.null(caution)
  if (!has_limits(limits) || led) {
    return(switch(if (led) "led" else method,
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
                  else if (slow) "given, and with such indicators of factors draws by depth may not end"
                  else "given, and for so many rows or regressors batches have an exact draw")
  if (delta > 0 && method == "exponential") paste0(reason, " and delta is not needed") else reason
}

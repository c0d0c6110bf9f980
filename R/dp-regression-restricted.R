# The restricted exponential mechanism over regression depth: dp_regression(method = "restricted").
#
# METHOD: a line is drawn with probability proportional to exp(epsilon_draw h / 2) among those of regression
#   depth `level` or more, h being the closed count, if a private test of a safety margin passes. Rows and
#   lines are on a public grid, where the lines of each depth are counted exactly:
#   src/median/regression_regions.c.
# REFERENCE: vignettes/proofs-regression-restricted.Rmd.

# What is public, as dp_regression() asks for it; refuses before the debit.
plan_restricted <- function(n, terms, limits, epsilon, delta, tau, ...) {
  check_half(tau, "restricted")
  if (length(terms) > 2) {
    stop_formula(sprintf("it has %d regressors, and the restricted regression takes one numeric regressor",
                         length(terms) - 1L), "Leave `method` out, or take \"medsweep\", which takes more.")
  }
  for (arg in names(limits)) {
    if (!is.null(limits[[arg]])) {
      stop_input(arg, "NULL with method = \"restricted\", which needs no limits", describe(limits[[arg]]))
    }
  }
  plan <- restricted_regression_plan(n, epsilon, delta, ...)
  c(plan, list(
    guarantee = "approximate", what = "regression", label = "regression (restricted exponential mechanism)",
    middle = 0, bounds = NULL, warn = function() warn_doubtful_test(plan$pass)
  ))
}

# What `...` holds.
restricted_fit_arguments <- c("level", "share", "resolution", "try_anyway")

warn_doubtful_test <- function(pass) {
  if (pass >= 0.9) return(invisible(NULL))
  warn_dpdepth("accuracy", sprintf(paste(
    "By public numbers the private test passes in about %d%% of runs for normal data, and else nothing is",
    "released. Take more rows or a larger `epsilon`."
  ), round(100 * pass)))
}

# The sweep takes O(n^2 log n) time.
max_restricted_fit_rows <- 5000L

# Everything public, from the number of rows: refuses, before anything is spent, what cannot be expected to
# serve. `resolution`: steps of the grid of the regressor and of slopes, rounded down to powers of
# two; the response's and the intercept's is their product. `try_anyway`: spend the budget even if the test
# fails mostly.
restricted_regression_plan <- function(n, epsilon, delta, level = NULL, share = NULL, resolution = NULL,
                                       try_anyway = FALSE) {
  try_anyway <- check_flag(try_anyway, "try_anyway")
  epsilon <- check_restricted_epsilon(epsilon)
  delta <- check_number(delta, "delta", min_restricted_delta, 1, closed = c(TRUE, FALSE))
  check_restricted_fit_rows(n)
  level <- check_restricted_level(level, n)
  if (!is.null(share)) share <- check_number(share, "share", 0.01, 0.99, closed = c(TRUE, TRUE))
  resolution <- check_fit_resolution(resolution)
  plan <- restricted_fit_plan(n, epsilon, delta, level, share)
  if (!try_anyway) check_fit_chance(plan, n, epsilon, delta, level, share)
  test <- epsilon * plan$share
  list(n = n, epsilon = epsilon, delta = delta, level = plan$level, share = plan$share, pass = plan$pass,
       margin = plan$margin,
       epsilon_test = test, epsilon_draw = epsilon - test, rate = restricted_rate(epsilon - test),
       resolution = resolution)
}

check_restricted_fit_rows <- function(n) {
  if (n >= 4 && n <= max_restricted_fit_rows) return(invisible(NULL))
  stop_input("data", sprintf("of 4 to %d rows for method = \"restricted\"", max_restricted_fit_rows),
             sprintf("of %d", n), "Public limits of the coefficients serve any number of rows.")
}

default_fit_resolution <- c(x = 2^-16, slope = 2^-20)

check_fit_resolution <- function(resolution) {
  if (is.null(resolution)) return(default_fit_resolution)
  names <- names(default_fit_resolution)
  stats::setNames(check_resolution(resolution, 2L, names, default = default_fit_resolution), names)
}

# Refuses public numbers with which the test fails as often as not.
check_fit_chance <- function(plan, n, epsilon, delta, level, share) {
  if (plan$pass >= 0.5) return(invisible(NULL))
  will_do <- function(n, epsilon) {
    if (!is.null(level) && level > n) return(FALSE)
    restricted_fit_plan(n, epsilon, delta, level, share)$pass >= 0.5
  }
  enough <- function(v) v <= 2 * max_restricted_fit_rows && will_do(round(v), epsilon)
  rows <- if (is.null(level)) search_minimum(enough, n / 2, 2 * max_restricted_fit_rows, 1.02) else NA
  loss <- search_minimum(function(v) will_do(n, v), epsilon / 2, 1000, 1.02)
  if (!is.na(rows) && rows > max_restricted_fit_rows) rows <- NA
  would <- c(if (!is.na(rows)) sprintf("%d rows", as.integer(ceiling(rows))),
             if (!is.na(loss)) sprintf("an epsilon of %s", format(signif(loss, 3))))
  would <- if (length(would) == 0) "no number of rows that the method takes would do"
           else paste("about", paste(would, collapse = " or about "), "would do")
  stop_input(
    "epsilon",
    sprintf("large enough for the private test to pass in more than half of all runs (%s)", would),
    sprintf("%s with %d rows", format(epsilon), n),
    "Public limits of the coefficients (`lower` and `upper`) need no test."
  )
}

# list(estimate, exact, mechanism, details, released). All that looks at the data.
run_restricted_regression <- function(x, y, plan, source) {
  law <- restricted_fit_law(lattice_fit_rows(as.vector(x), y, plan$resolution), plan, source)
  passed <- ptr_test(law$margin, plan$epsilon_test, plan$delta, source)
  # by chance the test may pass where there is no law
  released <- passed && nrow(law$draws) > 0
  steps <- fit_steps(plan$resolution)
  estimate <- if (released) law$draws[1, ] * steps[c("intercept", "slope")] else c(NA_real_, NA_real_)
  list(
    estimate = unname(estimate), exact = TRUE, released = released,
    mechanism = "restricted exponential mechanism over regression depth",
    details = list(level = as.integer(plan$level), epsilon_test = plan$epsilon_test,
                   epsilon_draw = plan$epsilon_draw, resolution = steps)
  )
}

# Steps of the grids: a response is an intercept plus a slope times a regressor, in whole numbers of steps.
fit_steps <- function(resolution) {
  step <- resolution[[1]] * resolution[[2]]
  c(x = resolution[[1]], y = step, intercept = step, slope = resolution[[2]])
}

# Each row's indexes, a function of that row only. The grids reach 2^40 and 2^60 steps to each side.
lattice_fit_rows <- function(x, y, resolution) {
  steps <- fit_steps(resolution)
  cbind(pmin(pmax(round(x / steps[["x"]]), -2^40), 2^40), pmin(pmax(round(y / steps[["y"]]), -2^60), 2^60))
}

# The safety margin and draws, one a row, or none where there is no law. PRIVATE.
restricted_fit_law <- function(rows, plan, source, draws = 1L) {
  level <- as.integer(plan$level)
  found <- .Call(ffi_regression_restricted, source, rows, level, plan$rate, draws)
  margin <- restricted_fit_margin(found[[1]], level, nrow(rows), plan$rate, plan$delta)
  list(margin = margin, draws = found[[2]])
}

# `counts`: the numbers of grid fits of the levels 1, 2, ..., infinite for those without a bound.
restricted_fit_margin <- function(counts, level, n, rate, delta) {
  if (level > length(counts) || counts[[level - 1]] == Inf) return(0)
  volume <- log(counts)
  restricted_margin(volume[seq_len(level)], volume[level:length(volume)], n, rate, delta)
}

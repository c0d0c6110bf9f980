# The planned error of private regressions, and which one serves: public numbers only.

#' Plan a private regression
#'
#' What error of a coefficient the methods of [dp_regression()] may be expected to have, which of them the
#' default takes, and whether the rows and the budget suffice at all. From public numbers only: no data are
#' looked at.
#'
#' @inheritParams plan_median
#' @param p The number of regressors: columns, after factors are written out, without the intercept.
#' @param lower,upper,prior Public limits of the coefficients or a prior of them, as in [dp_regression()];
#'   none of them for a regression without limits.
#' @param spread A guess at the standard deviation of a regressor, in its unit.
#' @param noise A guess at the standard deviation of the errors, in the unit of the response. Neither must be
#'   taken from the data.
#' @param error The error wanted of the method that is taken, when `n` or `epsilon` is sought.
#' @details
#' **Error.** `error` is the root mean squared error of a slope, the sampling error included, for independent
#' normal regressors and normal errors. With q = p + 1 coefficients, in units of `noise/spread`:
#'
#' * `exponential`, the exponential mechanism over regression depth: (1 + 0.03 p) times the root of
#'   pi/(2 n) + (q + 1)/c^2, c = 0.159 epsilon n. The depth falls by n f E|x'b| with the distance b from its
#'   deepest point, f the errors' density at their median; the first factor, fitted to simulations,
#'   stands for what directions that are few lose.
#' * `batches`: least squares of disjoint batches of m rows have a t distribution with m - p degrees of
#'   freedom; their median along the axes has the sampling variance 1/(4 f^2 B) and, from privacy,
#'   (2/(epsilon B f))^2 (q + 1)(q + 2)/3, B = n/m being the number of batches. m is the one with the least
#'   error among those that serve. Without limits it is pure where [prior_dyadic()] serves; else, with
#'   `delta`, the restricted mechanism, whose test takes its share of epsilon.
#'
#' **Where it fails.** At n epsilon of less than about 50 every method fails. Beyond that `beyond` says
#' that the prior outweighs the rows, by the same rule as in [plan_median()]: the release is then noise as
#' wide as the limits, or of any size without them (`error` is then that of the limits, or `Inf`); or that the
#' test of the restricted mechanism will fail.
#' @return A data frame of class `regression_plan`, a row for each method that can be had: `method`;
#'   `guarantee`; `n`, `p`, `epsilon`; `delta`, what it spends; `batches`, their number or `NA`; `error`;
#'   `beyond`; and `chosen`: the exponential mechanism where there are limits and at most four regressors;
#'   else batches, which `dp_regression(method = "batches")` asks for, if they serve. `tidy()` gives it as a
#'   plain data frame.
#' @inheritSection dp_median Errors
#' @seealso [plan_median()]
#' @examples
#' plan_regression(n = 500, p = 3, epsilon = 1, lower = -50, upper = 50)
#'
#' # many regressors, no limits
#' plan_regression(n = 6000, p = 8, epsilon = 1)
#'
#' # how many rows for slopes within a tenth?
#' plan_regression(p = 1, epsilon = 1, lower = -50, upper = 50, error = 0.1)
#' @export
plan_regression <- function(n = NULL, p, epsilon = NULL, delta = 0, lower = NULL, upper = NULL, prior = NULL,
                            spread = 1, noise = 1, error = NULL, ...) {
  check_given()
  p <- check_count(p, "p", 0L, upper = 1e4)
  delta <- check_delta(delta, zero = TRUE)
  prior <- plan_regression_prior(lower, upper, prior, p + 1L)
  unit <- check_number(noise, "noise", 0) / check_number(spread, "spread", 0)
  wanted <- check_plan(n, epsilon, error)
  n <- wanted$n
  epsilon <- wanted$epsilon
  error <- wanted$error
  plan <- function(n, epsilon) regression_errors(n, p, epsilon, delta, prior, unit)
  enough <- function(n, epsilon) {
    errors <- plan(n, epsilon)
    any(errors$chosen & !errors$beyond & errors$error <= error)
  }
  if (is.null(n)) {
    n <- least_of(function(v) enough(ceiling(v), epsilon), 4, .Machine$integer.max, 1 + 1e-3)
    if (is.na(n)) stop_input("error", "reachable with that `epsilon`", format(error))
    n <- as.integer(ceiling(n))
  }
  if (is.null(epsilon)) {
    epsilon <- least_of(function(v) enough(n, v), 1e-4, 1e3, 1 + 1e-3)
    if (is.na(epsilon)) stop_input("error", "reachable with that `n`", format(error))
  }
  structure(plan(n, epsilon), class = c("regression_plan", "data.frame"), assumed = c(noise, spread))
}

plan_regression_prior <- function(lower, upper, prior, d) {
  if (is.null(prior) && is.null(lower) && is.null(upper)) return(prior_for(prior_dyadic(default_unit), d))
  if (is.null(prior)) {
    for (arg in c("lower", "upper")) {
      if (is.null(get(arg))) {
        stop_input(arg, "given with the other limit", "missing",
                   "Give both, or a `prior`, or none of them for a regression without limits.")
      }
    }
  }
  prior_for(public_prior(prior, lower, upper, d), d)
}

# The methods with their errors of a slope. `unit`: the errors' spread over that of a regressor.
regression_errors <- function(n, p, epsilon, delta, prior, unit) {
  d <- p + 1
  half <- if (!is_dyadic(prior)) stats::median(prior_units(prior)$half)
  lost <- n * epsilon < least_budget ||
    if (is_dyadic(prior)) !dyadic_regression_serves(n, p, epsilon)
    else regression_beyond(n, d, epsilon, half / unit)
  wide <- if (is_dyadic(prior)) Inf else sqrt(mean(prior_units(prior)$wide^2))
  exact <- exact_regression_serves(n, p) && !(is_dyadic(prior) && p > length(dyadic_regression_rows))
  taken <- exact && !(is_dyadic(prior) && lost)
  out <- data.frame(
    method = "exponential", guarantee = "pure", n = n, p = p, epsilon = epsilon, delta = 0,
    batches = NA_integer_, error = if (lost) wide else unit * exponential_error(n, p, epsilon), beyond = lost,
    chosen = taken
  )
  batches <- batches_errors(n, p, epsilon, delta, prior, unit, wide, !taken)
  alone <- !taken && !any(batches$chosen)
  restricted <- if (is_dyadic(prior)) restricted_errors(n, p, epsilon, delta, unit, alone)
  rbind(if (exact) out, batches, restricted)
}

# The same of the restricted draw of a line. `alone`: batches do not serve.
restricted_errors <- function(n, p, epsilon, delta, unit, alone) {
  if (!restricted_regression_is_had(n, p, epsilon, delta)) return(NULL)
  plan <- restricted_fit_plan(n, epsilon, delta)
  serves <- plan$pass >= least_pass
  data.frame(
    method = "restricted", guarantee = "approximate", n = n, p = p, epsilon = epsilon, delta = delta,
    batches = NA_integer_, error = unit * exponential_error(n, p, epsilon * (1 - plan$share)),
    beyond = !serves, chosen = alone && serves
  )
}

# One regressor, and what its test and its sweep take.
restricted_regression_is_had <- function(n, p, epsilon, delta) {
  p == 1 && delta >= least_restricted_delta && epsilon >= least_restricted_epsilon && n >= 4 &&
    n <= max_restricted_fit_rows
}

# The same of batches. `alone`: no other method is to be had.
batches_errors <- function(n, p, epsilon, delta, prior, unit, wide, alone) {
  out <- data.frame(
    method = "batches", guarantee = "pure", n = n, p = p, epsilon = epsilon, delta = 0, batches = NA_integer_,
    error = wide, beyond = TRUE, chosen = FALSE
  )
  if (n < 4 * (p + 2)) return(if (alone) out)
  choice <- choose_batches(n, p + 1, epsilon, delta, prior)
  pure <- choice$law == "exponential"
  serves <- choice$serves && n * epsilon >= least_budget
  if (!pure) {
    out$guarantee <- "approximate"
    out$delta <- delta
  }
  out$batches <- choice$batches
  if (serves || !pure) out$error <- unit * choice$error
  out$beyond <- !serves
  out$chosen <- alone && serves
  out
}

# Where an exact draw over regression depth takes at most about a minute: rows by the number of regressors.
exact_regression_rows <- c(2e6, 1e5, 2e4, 1e3)

exact_regression_serves <- function(n, p) {
  p <= length(exact_regression_rows) && n <= c(Inf, exact_regression_rows)[[p + 1]]
}

# Below this n epsilon every method fails.
least_budget <- 50

# In units of the errors' spread over the regressor's.
exponential_error <- function(n, p, epsilon) {
  rate <- epsilon * n * stats::dnorm(0) * sqrt(2 / pi) / 2
  (1 + 0.03 * p) * sqrt(pi / (2 * n) + (p + 2) / rate^2)
}

# Rows times epsilon from which on fewer than one draw in 1000 under prior_dyadic() has a depth below n/8, for
# one regressor and two, normal data whose coefficients lie 1000 spreads from the origin: bench/unlimited.R.
dyadic_regression_rows <- c(160, 330)

dyadic_regression_serves <- function(n, p, epsilon) {
  p <= length(dyadic_regression_rows) && n * epsilon >= c(80, dyadic_regression_rows)[[p + 1]]
}

# Does most of the probability lie where the depth is near zero? `half`: of the limits' width, in scales.
regression_beyond <- function(n, d, epsilon, half) {
  rate <- epsilon * n * stats::dnorm(0) * sqrt(2 / pi) / 2
  n * epsilon / 4 <= d * log(half * rate) - (d * log(d) - d)
}

#' @rdname plan_regression
#' @param x A plan.
#' @param digits Significant digits to print.
#' @export
print.regression_plan <- function(x, digits = 3L, ...) {
  writeLines(wrap_text(sprintf(
    "<regression_plan> Expected error of a slope, n = %s, p = %s, epsilon = %s",
    format(x$n[[1]], big.mark = ","), format(x$p[[1]], big.mark = ","),
    format(x$epsilon[[1]], digits = digits)
  )))
  writeLines(wrap_text(sprintf(paste(
    "error: root mean squared, sampling included, if errors are normal with standard deviation %s (`noise`)",
    "and regressors independent and normal with %s (`spread`)"
  ), format(attr(x, "assumed")[[1]], digits = digits), format(attr(x, "assumed")[[2]], digits = digits))))
  note <- ifelse(x$chosen, "<- auto", "")
  note[x$beyond] <- trimws(paste(note[x$beyond], "fails"))
  shown <- data.frame(method = x$method, guarantee = x$guarantee, delta = x$delta,
                      batches = ifelse(is.na(x$batches), "", format(x$batches)),
                      error = vapply(x$error, format, "", digits = digits), note = note)
  names(shown)[[6]] <- " "
  print(shown, row.names = FALSE, right = FALSE)
  if (x$n[[1]] * x$epsilon[[1]] < least_budget) {
    writeLines(wrap_text(sprintf("n epsilon is %s: below about %s every private regression fails.",
                                 format(x$n[[1]] * x$epsilon[[1]], digits = digits), format(least_budget))))
  }
  invisible(x)
}

#' @rdname plan_regression
#' @export
tidy.regression_plan <- function(x, ...) structure(x, class = "data.frame", assumed = NULL)

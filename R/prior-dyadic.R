# The prior without bounds: shells of doubling width about a public origin, for depth along the axes.

#' A public prior without bounds
#'
#' A prior for [dp_median()], [dp_quantile()] and [dp_regression()] where you know no limits. It divides each
#' variable's lattice of multiples of `unit` into the origin and 52 shells around it, each twice as wide as
#' the previous one. All shells have the same mass, so the prior favours no order of magnitude. The guarantee
#' is pure: no test can fail.
#'
#' @param unit The step of the lattice, in the units of the data: one number for all variables, or one for
#'   each, above zero. Take a step that is small compared with the expected spread (a thousandth of it, or a
#'   millionth), or the unit in which values are counted: 1 for whole numbers, 0.1 for tenths. The default is
#'   that of [dp_median()] without limits.
#' @param origin A guess of the median: one number, or one for each variable. It is rounded to a multiple of
#'   `unit`, at most 2^52 of them from zero.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' Values farther than 2^52 units from the origin are moved to that distance; at `unit = 2^-20` these are 4e9.
#' For [dp_regression()] by regression depth there are 44 shells, up to 1.7e7.
#'
#' **How many rows.** The prior is wide. With too few rows the release is noise of any size, and the release
#' does not show it. For normal data at epsilon = 1 and a median within 1000 standard deviations of the
#' origin, about 80 rows suffice for one variable, 300 for five and 570 for ten. Each further factor of 1000
#' needs about a third more, and the numbers are proportional to 1/epsilon. The functions that take this prior
#' warn before the debit if n, the number of variables and epsilon are too small (class
#' `dpdepth_warning_accuracy`). See [plan_median()].
#' @return An object of class `dp_prior_dyadic` and `dp_prior`, with fields `origin` and `unit`: double
#'   vectors of one length, in the units of the data.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for a `unit` that is not between 2^-900 and 2^900, an `origin`
#' that is not finite or more than 2^51 units from zero, and lengths that differ. Methods without a draw under
#' this prior refuse it before the debit: Markov chains, depth along other directions than the axes, exact
#' regressions with more than two regressors, regions, and intervals of several regressors or of so few rows
#' that no part of epsilon can draw a centre.
#' @references
#' McSherry, F. and Talwar, K. (2007). Mechanism design via differential privacy. *FOCS*, Theorem 6 (for any
#' prior). \doi{10.1109/FOCS.2007.66} For this prior see `vignette("proofs-axes", "dpdepth")`.
#' @seealso [prior_uniform()] and [prior_normal()], which need fewer rows, where you know limits.
#' @examples
#' prior_dyadic(unit = 0.01)
#'
#' # eruptions of Old Faithful: duration and waiting time in minutes, nothing known beforehand
#' dp_median_exponential(faithful, epsilon = 1, prior = prior_dyadic(0.01))
#' @export
prior_dyadic <- function(unit = 2^-20, origin = 0, ...) {
  check_given()
  fields <- check_prior_fields(origin, unit, c("origin", "unit"))
  check_unit(fields$unit, "unit", unit)
  far <- abs(fields$origin) > 2^51 * fields$unit
  if (any(far)) {
    stop_input("origin", "within 2^51 units of zero", describe_numbers(origin, far),
               "Take a larger `unit`, or move the origin of the data.")
  }
  structure(fields, class = c("dp_prior_dyadic", "dp_prior"))
}

check_unit <- function(unit, arg, given) {
  outside <- unit < 2^-900 | unit > 2^900
  if (any(outside)) {
    stop_input(arg, "from 2^-900 to 2^900", describe_numbers(given, outside),
               "It is the step of the lattice: a small part of the spread to be expected.")
  }
}

is_dyadic <- function(prior) inherits(prior, "dp_prior_dyadic")

# `resolution`, where it is given, is the unit.
with_unit <- function(prior, resolution, names) {
  if (is.null(resolution)) return(prior)
  filled <- fill_named(resolution, prior$unit, names)
  unit <- check_bound(filled, length(prior$unit), "resolution", names)
  check_unit(unit, "resolution", filled)
  prior_dyadic(unit, unname(prior$origin))
}

# Depth along the axes alone has draws under this prior: shells are too many and too wide for boxes.
dyadic_directions <- function(directions) {
  if (is.null(directions) || identical(directions, "axes")) return("axes")
  stop_input("directions", "NULL or \"axes\" with prior_dyadic()", describe(directions),
             "Along other directions there is no exact draw without limits: give bounds or another prior.")
}

# Refuses the prior where a method has no draw for it.
refuse_dyadic <- function(prior, method, was = "made by prior_dyadic()",
                          mend = "dp_median_exponential() takes it, along the axes.") {
  if (is_dyadic(prior)) stop_input("prior", sprintf("a uniform or normal prior for %s", method), was, mend)
}

# Scans of lines in several regressors begin at public ends.
refuse_interval_dyadic <- function(prior) {
  refuse_dyadic(prior, "an interval of several coefficients", "none, or made by prior_dyadic()",
                "Give `lower` and `upper`, or another `prior`.")
}

# -- whether the rows suffice -----------------------------------------------------------------------

# The probability that the depth along the axes of a draw is below n/8, for d columns of quantiles of one
# distribution with scale 1, `away` scales from the origin, at a unit of 2^-16 scales. From public numbers;
# rows beyond max_profile_rows are paid for by the rate, as the distribution depends on n epsilon.
dyadic_failure <- function(n, d, epsilon, away = 1000, quantiles = stats::qnorm) {
  shallow_chance(n, d, epsilon, quantiles, function(a, b) dyadic_mass((a + away) * 2^16, (b + away) * 2^16))
}

# The same under bounds that are `wide` scales to each side.
bounds_failure <- function(n, d, epsilon, wide = 1000, quantiles = stats::qnorm) {
  shallow_chance(n, d, epsilon, quantiles, function(a, b) pmin(pmax((b - a) / (2 * wide), 2^-52), 1))
}

# The same, where an interval of an axis has the prior mass that `mass_of` says.
shallow_chance <- function(n, d, epsilon, quantiles, mass_of) {
  rows <- min(n, max_profile_rows)
  rate <- epsilon * n / rows
  x <- quantiles((seq_len(rows) - 0.5) / rows)
  k <- seq_len((rows + 1) %/% 2)
  mass <- mass_of(x[k], x[rows + 1 - k])
  weight <- c(0, d * log(mass) + rate * k / 2 + log(-expm1(-rate / 2)))
  # of what is drawn from level k's box, the share in the box of depth n/8 is deep enough
  deepest <- max(1, ceiling(rows / 8))
  share <- exp(weight - max(weight))
  inside <- exp(d * (log(mass[[deepest]]) - c(0, log(mass[seq_len(deepest - 1)]))))
  sum(share[seq_len(deepest)] * (1 - inside)) / sum(share)
}

max_profile_rows <- 4000

# The prior's mass of the grid points from a to b.
dyadic_mass <- function(a, b) {
  a <- ceiling(a)
  b <- floor(b)
  side <- function(r) {
    r <- pmin(pmax(r, 0), 2^52 - 1)
    shell <- ifelse(r > 0, floor(log2(pmax(r, 1))) + 1, 1)
    ifelse(r > 0, (shell - 1 + (r - 2^(shell - 1) + 1) * 2^(1 - shell)) / 106, 0)
  }
  inside <- a <= 0 & b >= 0
  both <- side(b) + side(-a) + 1 / 53
  one <- ifelse(a > 0, side(b) - side(a - 1), side(-a) - side(-b - 1))
  pmax(ifelse(inside, both, one), 2^-60)
}

# The rule of dp_median(): is a draw less deep than n/8 so rare that no warning is needed?
dyadic_serves <- function(n, d, epsilon, quantiles = stats::qnorm) {
  n > 1 && dyadic_failure(n, d, epsilon, quantiles = quantiles) < 1e-3
}

# The least n that suffices, about.
dyadic_rows <- function(d, epsilon, quantiles = stats::qnorm) {
  size <- search_minimum(function(n) dyadic_serves(ceiling(n), d, epsilon, quantiles), 2, 2^50, 1 + 1e-3)
  ceiling(size)
}

# Before the debit, from public numbers.
warn_dyadic <- function(n, d, epsilon) {
  if (n == 1 || dyadic_serves(n, d, epsilon)) return(invisible(NULL))
  warn_dpdepth("accuracy", sprintf(paste(
    "With n = %d, d = %d and epsilon = %s the release may be noise of any size, and nothing in it would",
    "tell (judged by these numbers alone). Without limits, about %s rows serve; or give `lower` and `upper`,",
    "which serve fewer; see plan_median()."
  ), n, d, format(epsilon), grouped(dyadic_rows(d, epsilon))))
}

# At the distance 1 from its origin prior_dyadic() has at least the density of limits that wide: 106 shells.
dyadic_reach <- 106

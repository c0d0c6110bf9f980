# Public priors: where the analyst expects the centre, without the data.

#' Public priors for private medians
#'
#' An exponential mechanism draws its estimate from the prior, reweighted by how deep a point lies
#' in the data. The prior is *public*: it is part of the release, and it must be chosen without
#' looking at the data, from what everybody may know (a human height lies between 50 and 250 cm).
#' Its width also sets the unit and the lattice of the release. A wide prior costs little. A prior that
#' excludes the truth makes the estimate wrong, never less private.
#'
#' @param mean,sd Centre and standard deviation of a normal prior with independent coordinates,
#'   in the units of the data: one number for all variables, or one for each. `sd` is above zero.
#' @param covariance Instead of `sd`, the covariance matrix of a normal prior: symmetric and positive
#'   definite, one row and one column per variable, with names or without.
#' @param lower,upper Ends of the box of a uniform prior, in the units of the data: one number
#'   for all variables, or one for each. `lower` is below `upper` everywhere.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details Vectors may have the names of the data's columns; they are then matched by name, not by position.
#' A named vector names all variables: missing and unknown names are errors when the prior is used with data.
#' If one of two vectors is named, the other is named too, or is one number for all.
#'
#' **Covariance.** A covariance also sets the units in which depth is measured: with L its lower Cholesky
#' factor, a row x counts as \eqn{z = L^{-1}(x - mean)}{z = solve(L, x - mean)}, directions and axes are those
#' of z, and the released point is mapped back. Use it for variables that everybody knows to be correlated,
#' such as height and weight: random directions and the axes of z then fit the data better. A diagonal
#' covariance is the same prior as its standard deviations. `resolution` cannot be combined with a covariance
#' that is not diagonal. `dp_median(method = "marginal")` uses the standard deviations alone. Like every
#' prior, a covariance must not come from the data: take rounded numbers of a published study.
#' @return An object of class `dp_prior`: of `dp_prior_normal` with fields `mean` and `sd`, and `covariance`
#'   where one that is not diagonal was given, or of `dp_prior_uniform` with fields `lower` and `upper`. All
#'   but `covariance`, a matrix, are double vectors of one length. `format()` gives a line of text.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for ends that are not finite, lengths that differ, `sd <= 0`,
#' `lower >= upper`, and a covariance that is not symmetric, not positive definite (including a variable that
#' others determine up to a part in 10^10 of its variance), or with a variance outside 1e-200 to 1e200.
#' @references
#' McSherry, F. and Talwar, K. (2007). Mechanism design via differential privacy. *FOCS*, Theorem 6 (for any
#' prior). \doi{10.1109/FOCS.2007.66}
#' @examples
#' prior_normal(mean = 0, sd = 10)
#'
#' # weight in kg and height in cm of adults
#' prior_uniform(lower = c(weight = 30, height = 120),
#'               upper = c(weight = 250, height = 220))
#'
#' # tall people weigh more: a correlation of 0.5
#' covariance <- matrix(c(20^2, 0.5 * 20 * 12, 0.5 * 20 * 12, 12^2), 2)
#' prior_normal(mean = c(80, 170), covariance = covariance)
#' @name priors
NULL

#' @rdname priors
#' @export
prior_normal <- function(mean, sd = NULL, covariance = NULL, ...) {
  check_given()
  if (is.null(sd) == is.null(covariance)) {
    stop_input("sd", "given, or `covariance` in its place", if (is.null(sd)) "missing" else "given with it",
               "Give one of the two.")
  }
  if (!is.null(covariance)) return(covariance_prior(mean, covariance))
  fields <- check_prior_fields(mean, sd, c("mean", "sd"))
  if (any(fields$sd <= 0)) {
    stop_input("sd", "above 0", describe_numbers(sd, fields$sd <= 0),
               "Say how far from `mean` the median may well lie: too much is better than too little.")
  }
  wide <- !is.finite(abs(fields$mean) + 1000 * fields$sd)
  if (any(wide)) {
    stop_input("sd", "a width that does not overflow", describe_numbers(sd, wide), "Take other units.")
  }
  structure(fields, class = c("dp_prior_normal", "dp_prior"))
}

# The prior from a covariance matrix; a diagonal one is the prior from standard deviations, to the last bit.
covariance_prior <- function(mean, covariance) {
  mean <- check_finite_numbers(mean, "mean")
  covariance <- check_covariance(covariance)
  names <- colnames(covariance)
  if (!length(mean) %in% c(1L, nrow(covariance))) {
    stop_input("mean", sprintf("of length 1 or %d, the number of rows of `covariance`", nrow(covariance)),
               sprintf("of length %d", length(mean)), "Give one number for all variables, or one for each.")
  }
  sd <- stats::setNames(sqrt(diag(covariance)), names)
  single <- length(mean) == 1 && is.null(names(mean))
  mean <- if (single) rep_len(mean, length(sd)) else same_names(sd, mean, c("covariance", "mean"))[[2]]
  if (is.null(names)) names <- names(mean)
  plain <- prior_normal(stats::setNames(mean, names), stats::setNames(sd, names))
  if (all(covariance[lower.tri(covariance)] == 0)) return(plain)
  structure(list(mean = plain$mean, sd = plain$sd, covariance = covariance),
            class = c("dp_prior_normal", "dp_prior"))
}

# The prior of whitened rows.
whitened_prior <- function(prior) {
  if (is.null(prior$covariance)) return(prior)
  prior_normal(numeric(length(prior$mean)), 1)
}

#' @rdname priors
#' @export
prior_uniform <- function(lower, upper, ...) {
  check_given()
  fields <- check_prior_fields(lower, upper, c("lower", "upper"))
  check_ordered(fields$lower, fields$upper, c("lower", "upper"), length(lower) == 1 && length(upper) == 1)
  structure(fields, class = c("dp_prior_uniform", "dp_prior"))
}

is_dyadic <- function(prior) inherits(prior, "dp_prior_dyadic")

# The prior for data of d columns: fields of length d, matched by name where both are named.
prior_for <- function(prior, d, names = NULL, arg = "prior") {
  if (!inherits(prior, "dp_prior") || !is.list(prior)) {
    stop_input(arg, "made by prior_normal(), prior_uniform() or prior_dyadic()", describe(prior),
               "For public bounds write prior_uniform(lower, upper).")
  }
  # made anew, so that an object put together by hand meets the same checks
  prior <- if (is_dyadic(prior)) prior_dyadic(prior$unit, prior$origin)
           else if (!inherits(prior, "dp_prior_normal")) prior_uniform(prior$lower, prior$upper)
           else if (is.null(prior$covariance)) prior_normal(prior$mean, prior$sd)
           else prior_normal(prior$mean, covariance = prior$covariance)
  size <- length(prior[[1]])
  if (!size %in% c(1L, d)) {
    stop_input(arg, sprintf("a prior for %d variable%s, like the data", d, if (d == 1) "" else "s"),
               sprintf("one for %d", size), "Give one number for all variables, or one for each.")
  }
  fit <- function(x) match_names(spread_named(x, d, names, arg), names, arg)
  if (!is.null(prior$covariance) && length(names) > 0) {
    order <- name_order(names(prior$mean), names, arg)
    prior$covariance <- matrix(prior$covariance[order, order], d, dimnames = list(names, names))
  }
  vectors <- setdiff(names(prior), "covariance")
  prior[vectors] <- lapply(unclass(prior)[vectors], fit)
  prior
}

#' @export
format.dp_prior <- function(x, digits = 7L, ...) with_point(prior_text(x, digits))

prior_text <- function(x, digits) {
  field <- function(v) {
    if (length(unique(v)) == 1 && length(v) > 1) v <- v[[1]]
    text <- vapply(v, format, "", digits = digits)
    if (length(text) > 1) sprintf("(%s)", toString(text)) else text
  }
  d <- length(x[[1]])
  names <- if (!is.null(names(x[[1]]))) sprintf(" of %s", toString(names(x[[1]])))
           else if (d > 1) sprintf(" of %d variables", d) else ""
  if (inherits(x, "dp_prior_normal")) {
    return(sprintf("normal prior%s: mean %s, sd %s%s", names, field(x$mean), field(x$sd),
                   correlation_text(x$covariance, digits)))
  }
  if (is_dyadic(x)) {
    return(sprintf("dyadic prior%s: unit %s, origin %s", names, field(x$unit), field(x$origin)))
  }
  sprintf("uniform prior%s: from %s to %s", names, field(x$lower), field(x$upper))
}

correlation_text <- function(covariance, digits) {
  if (is.null(covariance)) return("")
  range <- range(stats::cov2cor(covariance)[lower.tri(covariance)])
  text <- unique(vapply(range, format, "", digits = min(digits, 3L)))
  if (length(text) == 1 && nrow(covariance) == 2) return(sprintf(", correlation %s", text))
  sprintf(", correlations from %s to %s", text[[1]], text[[length(text)]])
}

#' @export
print.dp_prior <- function(x, ...) {
  writeLines(strwrap(paste0("<dp_prior> ", format(x, ...)), getOption("width"), exdent = 2))
  invisible(x)
}

# The prior for data of d columns: of bounds or a prior, not both.
public_prior <- function(prior, lower, upper, d, names = NULL,
                         instead = "with enough rows a median needs none of them") {
  if (is.null(prior)) {
    if (is.null(lower) || is.null(upper)) {
      stop_input(if (is.null(lower)) "lower" else "upper", "given", "missing",
                 sprintf("Give both `lower` and `upper`, or a `prior`; %s.", instead))
    }
    return(bounds_prior(check_bounds(lower, upper, d, names = names), names))
  }
  if (!is.null(lower) || !is.null(upper)) {
    stop_input("prior", "NULL when `lower` or `upper` are given", describe(prior),
               "Leave one of the two out.")
  }
  prior_for(prior, d, names)
}

# The prior of bounds that check_bounds() gave.
bounds_prior <- function(bounds, names = NULL) {
  if (length(names) > 0) bounds <- lapply(bounds, stats::setNames, names)
  structure(bounds, class = c("dp_prior_uniform", "dp_prior"))
}

# For methods without limits: `limits`, by name, NULL where not given.
no_limits <- function(limits) {
  limits <- limits[!vapply(limits, is.null, NA)]
  if (length(limits) == 0) return(invisible(NULL))
  stop_input(names(limits)[[1]], "NULL for a method that takes no limits", describe(limits[[1]]),
             "Leave limits out, or take method = \"exponential\", which uses them.")
}

# Of each variable: half the width B, the standard deviation of the prior itself, and the spread to be
# expected.
prior_units <- function(prior, spread = NULL) {
  if (is_dyadic(prior)) {
    # that has the density of limits so wide: see prior_line()
    if (is.null(spread)) spread <- 1
    return(list(half = 1e3 * dyadic_reach / 2 * spread, wide = Inf, spread = spread))
  }
  normal <- inherits(prior, "dp_prior_normal")
  half <- if (normal) prior$sd * sqrt(pi / 2) else prior$upper / 2 - prior$lower / 2
  wide <- if (normal) prior$sd else half / sqrt(3)
  if (is.null(spread)) spread <- (if (normal) prior$sd else half) / 10
  list(half = unname(half), wide = unname(wide), spread = unname(spread))
}

# For a sentence: a normal prior has no limits.
what_is_given <- function(prior) {
  if (inherits(prior, "dp_prior_normal")) "a public prior is" else "public limits are"
}

# The assumptions of errors, for a print.
assumed_spread <- function(prior, spread) {
  if (is_dyadic(prior) && is.null(spread)) return("standard deviation 1 (`spread` says another)")
  sizes <- vapply(range(if (is.null(spread)) prior_units(prior)$spread else spread), format, "", digits = 3)
  text <- sprintf("standard deviation %s", paste(unique(with_point(sizes)), collapse = " to "))
  if (!is.null(spread)) return(paste(text, "(`spread`)"))
  of <- if (inherits(prior, "dp_prior_normal")) "a tenth of the prior's standard deviation"
        else "a twentieth of the bounds' width"
  sprintf("%s, %s: only a placeholder, as errors are in proportion to it; give your guess as `spread`", text,
          of)
}

# -- without bounds: shells of doubling width about a public origin, for depth along the axes ------

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
#' # eruptions of Old Faithful: duration and waiting time in minutes, nothing known
#' # beforehand
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

# At the distance 1 from its origin prior_dyadic() has at least the density of limits that wide: 106 shells.
dyadic_reach <- 106

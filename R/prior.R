# Public priors: where the analyst expects the centre, said without looking at the data.

#' Public priors for private medians
#'
#' An exponential mechanism draws its estimate from the prior, reweighted by how deep a point lies
#' in the data. The prior is *public*: it is part of the release, and it must be chosen without
#' looking at the data, from what everybody may know (a human height lies between 50 and 250 cm).
#' Its width also gives the unit and the grid of the release. A prior that is wide costs little; a
#' prior that excludes the truth makes the estimate wrong, never less private.
#'
#' @param mean,sd Centre and standard deviation of a normal prior with independent coordinates,
#'   in the units of the data: one number for all variables, or one each. `sd` is above zero.
#' @param lower,upper Ends of the box of a uniform prior, in the units of the data: one number
#'   for all variables, or one each. `lower` is below `upper` everywhere.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' Vectors may be named by the data's columns; they are then matched by name, not by place. A named vector
#' names all variables: one that leaves some out, and a name that the data lack, are errors when the prior
#' meets the data. Where one of two vectors is named the other is too, or is one number for all.
#' @return An object of class `dp_prior` (and `dp_prior_normal` with fields `mean` and `sd`, or
#'   `dp_prior_uniform` with fields `lower` and `upper`: double vectors of one length). `format()`
#'   gives a line of text.
#'
#'   Raises `dpdepth_error_input` (see [dpdepth-errors]) for ends that are not finite, lengths
#'   that differ, `sd <= 0` or `lower >= upper`.
#' @examples
#' prior_normal(mean = 0, sd = 10)
#'
#' # weight in kg and height in cm of adults
#' prior_uniform(lower = c(weight = 30, height = 120), upper = c(weight = 250, height = 220))
#' @name priors
NULL

#' @rdname priors
#' @export
prior_normal <- function(mean, sd, ...) {
  check_given()
  fields <- check_prior_fields(mean, sd, c("mean", "sd"))
  if (any(fields$sd <= 0)) {
    stop_input("sd", "above 0", format(min(fields$sd)),
               "Say how far from `mean` the median may well lie: too much is better than too little.")
  }
  if (!all(is.finite(abs(fields$mean) + 1000 * fields$sd))) {
    stop_input("sd", "a width that does not overflow", format(max(fields$sd)), "Take other units.")
  }
  structure(fields, class = c("dp_prior_normal", "dp_prior"))
}

#' @rdname priors
#' @export
prior_uniform <- function(lower, upper, ...) {
  check_given()
  fields <- check_prior_fields(lower, upper, c("lower", "upper"))
  check_ordered(fields$lower, fields$upper, c("lower", "upper"))
  structure(fields, class = c("dp_prior_uniform", "dp_prior"))
}

# The prior for data of d columns: fields of length d, matched by name where both are named.
prior_for <- function(prior, d, names = NULL, arg = "prior") {
  if (!inherits(prior, "dp_prior") || !is.list(prior)) {
    stop_input(arg, "made by prior_normal(), prior_uniform() or prior_dyadic()", describe(prior),
               "For public bounds write prior_uniform(lower, upper).")
  }
  # made anew, so that an object put together by hand meets the same checks
  prior <- if (is_dyadic(prior)) prior_dyadic(prior$unit, prior$origin)
           else if (inherits(prior, "dp_prior_normal")) prior_normal(prior$mean, prior$sd)
           else prior_uniform(prior$lower, prior$upper)
  size <- length(prior[[1]])
  if (!size %in% c(1L, d)) {
    stop_input(arg, sprintf("a prior for %d variable%s, as the data", d, if (d == 1) "" else "s"),
               sprintf("one for %d", size), "Give one number for all variables, or one for each.")
  }
  prior[] <- lapply(prior, function(x) match_names(spread_named(x, d, names, arg), names, arg))
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
    return(sprintf("normal prior%s: mean %s, sd %s", names, field(x$mean), field(x$sd)))
  }
  if (is_dyadic(x)) {
    return(sprintf("dyadic prior%s: unit %s, origin %s", names, field(x$unit), field(x$origin)))
  }
  sprintf("uniform prior%s: from %s to %s", names, field(x$lower), field(x$upper))
}

#' @export
print.dp_prior <- function(x, ...) {
  writeLines(strwrap(paste0("<dp_prior> ", format(x, ...)), getOption("width"), exdent = 2))
  invisible(x)
}

# Bounds or a prior, not both.
public_prior <- function(prior, lower, upper, d, names = NULL,
                         instead = "with enough rows a median needs none of them") {
  if (is.null(prior)) {
    if (is.null(lower) || is.null(upper)) {
      stop_input(if (is.null(lower)) "lower" else "upper", "given: a public limit of the median", "missing",
                 sprintf("Give both `lower` and `upper`, or a `prior`; %s.", instead))
    }
    bounds <- check_bounds(lower, upper, d, names = names)
    return(do.call(prior_uniform, lapply(bounds, stats::setNames, names)))
  }
  if (!is.null(lower) || !is.null(upper)) {
    stop_input("prior", "NULL when `lower` or `upper` are given", describe(prior),
               "Leave one of the two out.")
  }
  prior
}

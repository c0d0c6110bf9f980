# Public limits of the coefficients of a private regression: what its methods share.

# Bounds by position or by the coefficients' names.
coefficient_bounds <- function(limits, terms) {
  lower <- limits$lower
  upper <- limits$upper
  if (!is.null(limits$prior)) {
    stop_input("prior", "NULL for a method that takes bounds", describe(limits$prior),
               "Give `lower` and `upper` instead.")
  }
  for (arg in c("lower", "upper")) {
    if (is.null(get(arg))) {
      stop_input(arg, "given: public bounds of the coefficients", "missing",
                 "Give one number for all, or one for each coefficient, the intercept first.")
    }
  }
  check_bounds(coefficient_names(lower, terms), coefficient_names(upper, terms), length(terms), names = terms)
}

# Bounds with the coefficients' names as they are: `intercept` and names without backticks will do, too, where
# no coefficient is named so.
coefficient_names <- function(v, terms) {
  if (!is.numeric(v) || is.null(names(v))) return(v)
  bare <- sub("^`(.*)`$", "\\1", terms)
  for (i in which(!names(v) %in% terms)) {
    at <- which(bare == names(v)[[i]])
    if (tolower(names(v)[[i]]) %in% "intercept") at <- which(terms == "(Intercept)")
    if (length(at) == 1) names(v)[[i]] <- terms[[at]]
  }
  v
}

into_bounds <- function(x, bounds) pmin(pmax(x, bounds$lower), bounds$upper)

# For methods without quantiles but the median.
check_half <- function(tau, method) {
  if (!identical(as.vector(tau), 0.5)) {
    stop_input("tau", sprintf("0.5 for method = \"%s\", which fits medians", method), describe(tau),
               "Leave `method` out for other quantiles.")
  }
}

# The prior of the coordinates, uniform or normal: of the coefficients, or of predictions at the points.
coordinate_prior <- function(limits, terms, points) {
  names <- if (is.null(points)) terms
  k <- length(terms)
  if (!is.null(limits$prior)) {
    if (!is.null(limits$lower) || !is.null(limits$upper)) {
      stop_input("prior", "NULL when `lower` or `upper` are given", describe(limits$prior),
                 "Leave one of the two out.")
    }
    if (inherits(limits$prior, "dp_prior")) {
      limits$prior[] <- lapply(limits$prior, coefficient_names, terms)
    }
    return(prior_for(limits$prior, k, names))
  }
  if (is.null(limits$lower) && is.null(limits$upper)) return(prior_for(prior_dyadic(), k, names))
  for (arg in c("lower", "upper")) {
    if (is.null(limits[[arg]])) {
      what <- if (is.null(points)) "coefficients" else "predictions at the points `at`"
      stop_input(arg, sprintf("given: public bounds of the %s", what), "missing",
                 "Give one number for all, or one for each, the intercept first; or give a `prior`.")
    }
  }
  bounds <- check_bounds(coefficient_names(limits$lower, terms), coefficient_names(limits$upper, terms), k,
                         names = names)
  bounds_prior(bounds, names)
}

prior_middle <- function(prior) {
  unname(if (is_dyadic(prior)) prior$origin
         else if (inherits(prior, "dp_prior_normal")) prior$mean
         else prior$lower / 2 + prior$upper / 2)
}

middle_response <- function(prior, points) coefficients_of(prior_middle(prior), points)[[1]]

point_names <- function(p) sprintf("point %d", seq_len(p + 1L))

# The release's prior of predictions says of which points.
name_points <- function(prior, p) {
  vectors <- setdiff(names(prior), "covariance")
  prior[vectors] <- lapply(unclass(prior)[vectors], stats::setNames, point_names(p))
  if (!is.null(prior$covariance)) dimnames(prior$covariance) <- rep(list(point_names(p)), 2)
  prior
}

# What a release says about the points.
points_details <- function(points, prior) {
  if (is.null(points)) return(NULL)
  list(at = points$at, predictions = name_points(prior, ncol(points$at)))
}

# The names of what is released for each batch, and its prior.
batches_coordinates <- function(terms, points) if (is.null(points)) terms else point_names(length(terms) - 1L)

# The coefficients of a fit from its coordinates.
coefficients_of <- function(coordinates, points) {
  if (is.null(points)) return(coordinates)
  slopes <- as.vector(points$inverse %*% (coordinates[-1] - coordinates[[1]]))
  c(coordinates[[1]] - sum(points$at[1, ] * slopes), slopes)
}

# What was given for a method alone. Points `at` may be a data frame of the formula's variables, like new
# data; one whose columns are named as the regressors has these.
further_at <- function(facts, further) {
  at <- further$at
  bare <- function(names) sub("^`(.*)`$", "\\1", names)
  regressors <- setdiff(facts$variables, "(Intercept)")
  if (!is.data.frame(at) || setequal(bare(names(at)), bare(regressors))) return(further)
  used <- all.vars(str2lang(facts$kept$formula)[[3]])
  if (all(used %in% names(at))) further$at <- unname(new_rows(facts$kept, at, arg = "at")$x)
  further
}

# The method's own arguments, points as values of regressors.
own_arguments <- function(facts, given, arguments) {
  further_at(facts, given[intersect(arguments, names(given))])
}

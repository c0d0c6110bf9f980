# The public lattice of the exponential mechanism: steps, priors as the kernels take them, names of variables.

# The steps of the public grid; a prior too narrow for doubles has none. Public facts only.
lattice_steps <- function(prior, exact, names, resolution = NULL) {
  check_lattice_steps(.Call(ffi_median_steps, prior_fields(prior, resolution), exact), names, resolution)
}

# The steps of the public lattice, as lattice_steps(), along the axes. Public facts only.
axes_steps <- function(prior, names, resolution = NULL) {
  check_lattice_steps(.Call(ffi_axes_steps, prior_fields(prior, resolution)), names, resolution)
}

# NULL: the prior has no lattice; NA: the resolution has none.
check_lattice_steps <- function(step, names, resolution) {
  if (is.null(step)) {
    stop_input("prior", "wide enough for a lattice of doubles at its place", "narrower",
               paste("So must `lower` and `upper` be. Move the origin of the data near to them, or take",
                     "wider ones."))
  }
  if (anyNA(step)) {
    stop_input("resolution", "coarse enough for the bounds or prior, with a multiple inside them",
               describe_numbers(resolution, is.na(step)), "It is the step in which values are counted.")
  }
  stats::setNames(step, names)
}

# The public steps of the variables, declared by the analyst: NULL or d numbers above 0. `default`: a function
# that gives the steps of those whose names are left out.
check_multiples <- function(resolution, d, names, default) {
  if (is.null(resolution)) return(NULL)
  given <- fill_named(resolution, default, names)
  resolution <- check_bound(given, d, "resolution", names)
  if (any(resolution <= 0)) {
    stop_input("resolution", "above 0", describe_numbers(given, resolution <= 0),
               "It is the step in which values are counted.")
  }
  as.double(resolution)
}

# `resolution = "type"`: columns that R holds as integers or flags are counted in steps of 1, others by
# default. A column's type is all rows' together, as one 2.5 makes doubles of whole numbers: the caller's word
# says that it was declared, and without it no type is looked at. Classes may mean something else by their
# integers. The ids are to be out of `x`, the data as they were given.
typed_resolution <- function(resolution, x) {
  if (!is.character(resolution)) return(resolution)
  if (!identical(resolution, "type")) {
    stop_input("resolution", "NULL, numbers or \"type\"", describe_option(resolution, "type"))
  }
  refuse_counted(x, "resolution", "NULL or numbers with a tally", "\"type\"",
                 "Give it to dp_tally(), which has the columns.")
  counted <- function(column) typeof(column) %in% c("integer", "logical") && !is.object(column)
  if (!is.data.frame(x)) return(if (counted(x)) 1)
  whole <- vapply(x, function(column) counted(column) && is.null(dim(column)), NA)
  if (any(whole)) stats::setNames(rep_len(1, sum(whole)), own_names(names(x))[whole])
}

# Methods whose lattice is none of declared steps.
refuse_resolution <- function(resolution, method) {
  if (is.null(resolution)) return(invisible(NULL))
  stop_input("resolution", sprintf("NULL with method = \"%s\"", method), describe_option(resolution),
             "method = \"exponential\" has candidates that are multiples of it.")
}

# What a release says of the steps of its lattice: that they were declared; else what default ones do not
# serve.
lattice_details <- function(step, resolution, takes = TRUE) {
  if (!is.null(resolution)) return(list(resolution = step))
  c(list(step = step), if (takes && any(step < 1)) list(lattice = default_lattice))
}

# The same where the unit of a dyadic prior may have been declared, with the prior or by `resolution`.
unit_details <- function(details, unit, prior) {
  own <- is_dyadic(prior) && any(prior$unit != prior_dyadic()$unit)
  if (is.null(unit) && !own) details else details[names(details) != "lattice"]
}

default_lattice <- "the default, fine one: whole numbers need `resolution`"

# The prior as the kernels take it, the map that makes it so, the resolution of all variables, and what the
# release says of the lattice, whose steps are steps(prior, resolution).
prior_lattice <- function(prior, resolution, names, steps) {
  whitening <- if (!is.null(prior$covariance)) prior_whitening(prior)
  if (!is.null(whitening) && !is.null(resolution)) {
    must <- "NULL with a prior that has a covariance, whose lattice does not lie along the variables"
    stop_input("resolution", must, describe(resolution),
               "Give the prior standard deviations instead, or leave `resolution` out.")
  }
  resolution <- check_multiples(resolution, length(names), names, function() steps(prior))
  step <- lattice_details(steps(prior, resolution), resolution)
  if (!is.null(whitening)) {
    step <- list(step = steps(whitened_prior(prior))[[1]],
                 units = "of depth, directions and step: the Cholesky factor of the prior's covariance")
  }
  list(step = step, whitening = whitening, prior = whitened_prior(prior), resolution = resolution)
}

# For the C side: list(normal, a, b, resolution, dyadic), the last two only where there is something to say.
prior_fields <- function(prior, resolution = NULL) {
  if (is_dyadic(prior)) return(list(FALSE, prior$origin, prior$unit, numeric(0), TRUE))
  fields <- if (inherits(prior, "dp_prior_normal")) list(TRUE, prior$mean, prior$sd)
            else list(FALSE, prior$lower, prior$upper)
  c(fields, if (!is.null(resolution)) list(resolution))
}

variable_names <- function(x) {
  if (!is.null(colnames(x))) return(colnames(x))
  if (ncol(x) == 1) "x" else paste0("x", seq_len(ncol(x)))
}

bounding_directions <- function(d) {
  if (d == 1) return(matrix(1))
  if (d == 3) return(directions(3, 1000L))
  angle <- pi * (0:63) / 64
  cbind(cos(angle), sin(angle))
}

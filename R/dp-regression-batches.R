# Fits of disjoint batches, released by depth along the axes: the engine of dp_regression(method = "batches").
#
# METHOD: rows are dealt to batches by a public permutation; least squares of each batch; then the private
#   median of these fits by depth along the axes. Of the batches that do not determine a coefficient, such as
#   that of a flag that none of their rows has, one half counts below all candidates and one half above, so
#   that the median is that of the others. A row is in one batch, whose fit is a function of the batch's rows
#   alone: for each coefficient, neighbours' fits differ in one number as sets, and that is all that depth
#   along the axes looks at.
# REFERENCE: Amin, Joseph, Ribero and Vassilvitskii (2022), Easy differentially private linear regression;
#   vignettes/proofs-axes.Rmd, section 8.

# What is public, as dp_regression() asks for it; refuses before the debit.
plan_batches <- function(n, terms, limits, epsilon, delta, tau, size = NULL, seed = 1L, resolution = NULL,
                         interval = NULL, simultaneous = FALSE, pairs = FALSE, at = NULL,
                         shape = plain_shape) {
  check_half(tau, "batches")
  d <- length(terms)
  points <- check_at(at, terms)
  prior <- points_prior(limits, terms, points, resolution)
  size <- check_batch_size(size, n, d)
  seed <- check_count(seed, "seed", 0L)
  if (!is.null(interval)) {
    return(plan_batches_interval(interval, simultaneous, pairs, n, terms, epsilon, prior, size, seed, points,
                                 shape$indicators))
  }
  if (!isFALSE(simultaneous)) {
    stop_input("simultaneous", "left out without `interval`", describe(simultaneous))
  }
  if (!isFALSE(pairs)) stop_input("pairs", "left out without `interval`", describe(pairs))
  choice <- choose_batches(n, d, epsilon, delta, prior, size)
  coordinates <- batches_coordinates(terms, points)
  steps <- if (choice$law == "restricted") check_resolution(prior$unit, d, coordinates, "resolution")
           else axes_steps(prior, coordinates)
  pure <- choice$law == "exponential"
  list(
    epsilon = epsilon, delta = if (pure) 0 else delta, guarantee = if (pure) "pure" else "approximate",
    what = "regression by batches", label = "regression (batches)",
    rho = if (pure) bounded_range_rho(epsilon), middle = middle_response(prior, points),
    mechanism = paste(if (pure) "exponential" else "restricted exponential",
                      "mechanism over the depth of batches' least squares"),
    bounds = if (pure && is.null(points)) prior, warn = function(said) warn_batches(n, d, epsilon, choice),
    details = c(
      points_details(points, prior),
      list(batches = choice$batches, depth = "halfspace, along the axes", seed = seed),
      if (!pure) list(level = as.integer(choice$level), epsilon_test = epsilon * choice$share,
                      epsilon_draw = epsilon - epsilon * choice$share),
      list(step = stats::setNames(steps, coordinates))
    ),
    law = choice$law, batches = choice$batches, level = choice$level, share = choice$share, seed = seed,
    prior = prior, steps = unname(steps), points = points
  )
}

# The arguments that only this method has.
batches_arguments <- c("size", "seed", "resolution", "interval", "simultaneous", "pairs", "at")

# The release of n rows x (regressors without the intercept) and y. All arguments but the data come from
# plan_batches().
run_batches <- function(x, y, plan, source) {
  if (!is.null(plan$each)) return(run_batches_interval(x, y, plan, source))
  fits <- even_fits(x, y, plan$batches, plan$seed, plan$points)
  if (plan$law == "exponential") {
    drawn <- draw_axes(fits, plan$prior, plan$epsilon, source)[1, ]
    return(list(estimate = coefficients_of(drawn, plan$points), exact = TRUE, released = TRUE))
  }
  budget <- c(test = plan$epsilon * plan$share, draw = plan$epsilon - plan$epsilon * plan$share)
  drawn <- draw_restricted_axes(lattice_axes(fits, plan$steps), plan$level, budget, plan$delta, source)
  list(estimate = coefficients_of(drawn$point * plan$steps, plan$points), exact = TRUE,
       released = drawn$released)
}

# -- limits ------------------------------------------------------------------------------------------

points_prior <- function(limits, terms, points, resolution) {
  if (is.null(points) || is.null(limits$lower) && is.null(limits$upper)) {
    return(batches_prior(limits, batches_coordinates(terms, points), resolution))
  }
  refuse_steps(resolution)
  coordinate_prior(limits, terms, points)
}

# The prior of the coefficients: of bounds, as given, or the one without bounds.
batches_prior <- function(limits, terms, resolution = NULL) {
  if (is.null(limits$lower) && is.null(limits$upper)) {
    if (is.null(limits$prior)) {
      return(with_unit(prior_for(prior_dyadic(), length(terms), terms), resolution, terms))
    }
    refuse_steps(resolution)
    if (inherits(limits$prior, "dp_prior") && !is.null(limits$prior$covariance)) {
      stop_input("prior", "a normal prior with `sd` for method = \"batches\"", "one with a covariance",
                 "Fits are compared coefficient by coefficient.")
    }
    return(prior_for(limits$prior, length(terms), terms))
  }
  refuse_steps(resolution)
  bounds <- coefficient_bounds(limits, terms)
  prior_for(prior_uniform(bounds$lower, bounds$upper), length(terms), NULL)
}

refuse_steps <- function(resolution) {
  if (!is.null(resolution)) {
    stop_input("resolution", "NULL where limits or a prior are given", describe(resolution),
               "It is the step of the coefficients' lattice where neither is given.")
  }
}

# -- sizes, from public numbers -----------------------------------------------------------------------

check_batch_size <- function(size, n, d) {
  if (n < 4 * (d + 1)) {
    stop_input("data", sprintf("data with at least %d rows for batches with %d coefficients", 4 * (d + 1), d),
               sprintf("data with %d", n), "Use fewer terms, or another method.")
  }
  if (is.null(size)) NULL else check_count(size, "size", d, n %/% 4)
}

# The distribution, number of batches and, for the restricted one, level and share: without limits the one
# without a test where it serves. Of the sizes that serve, it takes the one with the least planned error.
choose_batches <- function(n, d, epsilon, delta, prior, size = NULL) {
  sizes <- if (is.null(size)) batch_sizes(n, d) else size
  best <- choose_batch_size(n, d, epsilon, sizes, "exponential", prior, delta)
  if (best$serves || delta == 0 || !is_dyadic(prior) || epsilon < min_restricted_epsilon) return(best)
  choose_batch_size(n, d, epsilon, sizes, "restricted", prior, max(delta, min_restricted_delta))
}

batch_sizes <- function(n, d) {
  sizes <- unique(round(seq(d + 1, 3 * d + 8, length.out = min(2 * d + 8, 25))))
  sizes[sizes <= n %/% 4]
}

choose_batch_size <- function(n, d, epsilon, sizes, law, prior, delta) {
  tried <- lapply(sizes, plan_batch_size, n = n, d = d, epsilon = epsilon, law = law, prior = prior,
                  delta = delta)
  serves <- vapply(tried, `[[`, NA, "serves")
  error <- vapply(tried, `[[`, 0, "error")
  # where none serves: the most batches of fits that have a spread
  if (!any(serves)) return(tried[[min(2, length(tried))]])
  error[!serves] <- Inf
  tried[[which.min(error)]]
}

plan_batch_size <- function(size, n, d, epsilon, law, prior, delta) {
  batches <- n %/% size
  quantiles <- fit_quantiles(size, d)
  out <- list(law = law, batches = as.integer(batches), serves = TRUE)
  drawn <- epsilon
  if (law == "restricted") {
    plan <- restricted_axes_plan(batches, d, epsilon, delta, quantiles = quantiles)
    out <- c(out[-3], serves = plan$pass >= min_pass, failure = 1 - plan$pass, plan[c("level", "share")])
    drawn <- epsilon * (1 - plan$share)
  } else {
    # the limits of a thousand spreads of a fit
    out$failure <- if (is_dyadic(prior)) dyadic_failure(batches, d, epsilon, quantiles = quantiles)
                   else bounds_failure(batches, d, epsilon, quantiles = quantiles)
    out$serves <- out$failure < most_failure
  }
  c(out, error = batches_error(batches, size, d, drawn))
}

# In the same units: the root mean squared error of a coefficient, sampling and privacy.
batches_error <- function(batches, size, d, epsilon) {
  freedom <- size - d + 1
  f <- sqrt(freedom) * stats::dt(0, freedom)
  sqrt(1 / (4 * f^2 * batches) + (2 / (epsilon * batches * f))^2 * (d + 1) * (d + 2) / 3)
}

# Before the debit, from public numbers.
warn_batches <- function(n, d, epsilon, choice) {
  if (choice$serves && n * epsilon >= min_budget) return(invisible(NULL))
  tested <- "the private test will hardly pass, and a failed test spends the budget"
  what <- if (choice$law == "restricted") tested
          else "the release may be noise as wide as the limits, or of any size without limits"
  warn_dpdepth("accuracy", sprintf(paste(
    "With n = %d, %d coefficients and epsilon = %s, %s (judged by these numbers alone). More rows, a larger",
    "epsilon, tighter limits or fewer terms would help; see plan_regression()."
  ), n, d, format(epsilon), what))
}

# -- intervals -------------------------------------------------------------------------------------

#
# METHOD: where errors are independent and symmetric about 0 given the regressors, a batch's least squares has
#   each true coefficient as a median, and batches are independent. So the scans of one variable
#   (mech-interval.R), over the fits of one coefficient, cover it; each coefficient has an equal share of
#   epsilon. Where a batch's regressors do not determine a coefficient, such as that of a flag that none of
#   its rows has, its fit lies at +-infinity, by a fair coin of the mechanism: on either side of the truth
#   with probability one half. Limits are moved outwards by a part of the public range, which rounding of
#   least squares does not exceed. Of two rows' difference the error is symmetric if both errors have one
#   distribution, whatever it is: with `pairs` slopes are fitted to such differences (mech-batches.R).
# REFERENCE: vignettes/proofs-interval.Rmd, section 7.

# What is public; refuses before the debit.
plan_batches_interval <- function(interval, simultaneous, pairs, n, terms, epsilon, prior, size, seed,
                                  points = NULL, indicators = integer()) {
  level <- check_interval_level_given(interval)
  simultaneous <- check_flag(simultaneous, "simultaneous")
  pairs <- check_flag(pairs, "pairs")
  refuse_point_pairs(points, pairs)
  # predictions, and coefficients with them, take limits that hold together
  simultaneous <- simultaneous || !is.null(points)
  refuse_interval_dyadic(prior)
  d <- length(terms)
  share <- epsilon / d
  each <- if (simultaneous) 1 - (1 - level) / d else level
  size <- check_interval_size(size, n, d, share, each, pairs, indicators)
  batches <- n %/% size
  scan <- interval_plan(batches, 0.5, each, share, batches_reach)
  parts <- lapply(seq_len(d), function(j) marginal_prior(prior, j))
  names <- batches_coordinates(terms, points)
  steps <- vapply(seq_len(d), function(j) axes_steps(parts[[j]], names[[j]]), 0)
  list(
    epsilon = epsilon, delta = 0, guarantee = "pure", what = "regression by batches",
    label = "regression (batches) with intervals", middle = middle_response(prior, points),
    mechanism = paste("two one-sided scans with noisy thresholds of batches' least squares, for each",
                      if (is.null(points)) "coefficient" else "prediction"),
    bounds = if (is.null(points)) prior, warn = function(said) warn_interval(list(scan)),
    details = c(points_details(points, prior), list(
      batches = as.integer(batches), seed = seed, step = stats::setNames(steps, names), level = level,
      shares = interval_split(list(scan)), simultaneous = simultaneous,
      covers = if (!is.null(points)) "the true coefficients and predictions"
               else if (simultaneous) "the true coefficients" else "its true coefficient",
      assumes = paste0("errors are independent and each is symmetric about 0 given the regressors",
                       if (pairs) {
                         "; of the slopes alone, also if errors have one distribution, whatever it is"
                       })
    )),
    points = points, pairs = pairs, batches = as.integer(batches), seed = seed, each = each, share = share,
    parts = parts
  )
}

refuse_point_pairs <- function(points, pairs) {
  if (is.null(points) || !isTRUE(pairs)) return(invisible(NULL))
  stop_input("pairs", "left out with `at`", "TRUE",
             "Pairs tell of slopes alone, and predictions take the intercept, too.")
}

# The release, as that of run_batches().
run_batches_interval <- function(x, y, plan, source) {
  fits <- sided_fits(x, y, plan, source)
  drawn <- lapply(seq_along(plan$parts), function(j) {
    quantile_interval(fits[, j, drop = FALSE], 0.5, plan$share, plan$parts[[j]], plan$each, source,
                      reach = batches_reach)
  })
  limits <- lapply(seq_along(drawn), function(j) {
    drawn[[j]]$interval + c(-1, 1) * rounding_room(plan$parts[[j]])
  })
  out <- list(estimate = vapply(drawn, `[[`, 0, "estimate"), exact = TRUE, interval = do.call(rbind, limits))
  if (is.null(plan$points)) return(out)
  rownames(out$interval) <- point_names(ncol(plan$points$at))
  out$details <- c(plan$details, list(region = points_region(out$interval, plan$points)))
  out$interval <- limits_of_points(out$interval, plan$points)
  out$estimate <- coefficients_of(out$estimate, plan$points)
  out
}

# What limits are moved outwards by.
rounding_room <- function(prior) {
  2^-30 * if (inherits(prior, "dp_prior_normal")) 72 * prior$sd else prior$upper - prior$lower
}

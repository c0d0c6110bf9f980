# Intervals of the coefficients of any number of regressors: scans of the fits of disjoint batches.
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
                       if (pairs) "; of the slopes alone, also if errors have one law, whatever it is")
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

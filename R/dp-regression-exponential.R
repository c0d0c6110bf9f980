# The exponential mechanism over regression depth: the engine of dp_regression(method = "exponential").
#
# METHOD: density proportional to exp(epsilon h / (2 max(above, below))) times a public prior, h the weighted
#   regression depth of a fit in counts of rows (twice that rate's divisor for shifted counts,
#   R/mech-regression-weights.R): mech/regression.c draws from it on a public lattice.
#   The coordinates are the coefficients, or predictions at public points (`at`) that give them. What is made
#   of a row is made of that row alone, in one order of operations. Without an intercept rows are split at a
#   projection of 0 only.
# COST: a line is drawn by cuts along the rows (mech/regression_plane.c): some hundred passes over part of
#   them, O(m^2) cells of m different rows at worst. Other draws cost about what 300 (one coefficient),
#   15,000 (three) and 200,000 (four) evaluations of h do.
# REFERENCE: McSherry and Talwar (2007); Rousseeuw and Hubert (1999).
# vignettes/proofs-regression-exponential.Rmd.

# The arguments that only this method has.
exponential_arguments <- c("at", "directions", "units", "resolution", "interval")

# What is public; refuses before the debit. `exact`: is the draw exact? Else it is that of a chain.
plan_exponential <- function(n, terms, limits, epsilon, delta, tau, at = NULL, directions = NULL,
                             units = NULL, resolution = NULL, interval = NULL, shift = TRUE, flag = FALSE,
                             batches = says_plan, exact = TRUE, ...) {
  p <- slope_count(terms)
  origin <- !has_intercept(terms)
  tau <- check_taus(tau, n)
  if (exact) check_exact_regression(n, p, origin, named_regression_rows, tau, batches)
  check_shares(epsilon, tau)
  points <- check_at(at, terms)
  prior <- coordinate_prior(limits, terms, points)
  if (exact) check_unlimited_regression(prior, p, origin, tau)
  units <- check_units(units, terms, prior, points)
  directions <- regression_directions(directions, p, n, min(quantile_worth(epsilon, tau)))
  coordinates <- if (is.null(points)) terms else point_names(p)
  whitening <- if (!is.null(prior$covariance)) prior_whitening(prior)
  if (!is.null(resolution)) {
    refuse_fit_steps(prior, whitening, resolution)
    resolution <- check_fit_steps(resolution, coordinates, prior)
  }
  drawn <- whitened_prior(prior)
  step <- regression_steps(drawn, resolution, coordinates)
  if (!is.null(interval)) {
    interval <- plan_line_intervals(interval, n, terms, epsilon, tau, drawn, whitening, points,
                                    lapply(tau, quantile_weights), flag)
  }
  share <- if (is.null(interval)) epsilon / length(tau) else interval[[1]]$centre
  shifted <- shift & shifted_serves(n, terms, share, tau, prior, nrow(directions))
  list(
    epsilon = epsilon, delta = 0, guarantee = "pure",
    label = "regression (exponential mechanism)",
    rho = if (is.null(interval)) bounded_range_rho(rep(epsilon / length(tau), length(tau))),
    what = if (identical(tau, 0.5)) "regression" else "quantile regression",
    mechanism = "exponential mechanism over regression depth",
    bounds = if (is.null(points)) prior, middle = if (origin) 0 else middle_response(prior, points),
    warn = function(said) warn_shallow(n, terms, share, tau, prior, nrow(directions), said),
    resolved = resolved_spread(fit_failure(n, p, share, tau), prior, step, coordinates),
    details = c(
      if (!is.null(points)) list(at = points$at, predictions = name_points(prior, p)),
      list(depth = paste0("regression depth", if (origin) " through the origin", ", ",
                          if (p == 1) "exact" else sprintf("along %d directions", nrow(directions)),
                          shifted_text(tau, shifted))),
      if (!identical(tau, 0.5)) list(tau = tau),
      if (!is.null(whitening)) {
        list(step = step[[1]], units = "of the step: the Cholesky factor of the prior's covariance")
      } else {
        lattice_details(step, NULL, exact && is.null(resolution) && !is_dyadic(prior))
      }
    ),
    tau = tau, weights = Map(quantile_weights, tau, shifted), prior = drawn,
    whitening = whitening, points = points, origin = origin, directions = directions, units = units,
    resolution = resolution, interval = interval
  )
}

# As median_failure(): a spread is that of the errors over a regressor's. `epsilon`: of each quantile.
fit_failure <- function(n, p, epsilon, tau) {
  worth <- min(quantile_worth(epsilon * length(tau), tau))
  function(line) exponential_failure(n, p, worth, exp(-mean(log(2 * line$density + line$point))))
}

run_exponential <- function(x, y, plan, source) {
  rows <- fit_rows(x, y, plan)
  if (!is.null(plan$interval)) return(run_with_interval(x, y, rows, plan, source))
  list(estimate = drawn_fits(plan, function(share, weights) {
    draw_fit(rows, plan$prior, share, weights, source, plan$resolution)
  }))
}

# The coefficients of all quantiles; draw(share, weights) gives the coordinates of one.
drawn_fits <- function(plan, draw) {
  share <- quantile_share(plan$epsilon, plan$tau)
  unlist(lapply(plan$weights, function(weights) drawn_coefficients(draw(share, weights), plan)))
}

drawn_coefficients <- function(z, plan) {
  if (!is.null(plan$whitening)) z <- color_points(t(z), plan$whitening)[1, ]
  as.vector(coefficients_of(z, plan$points))
}

# A share of each quantile's budget draws the line, the rest its limits.
run_with_interval <- function(x, y, rows, plan, source) {
  lines <- Map(function(interval, weights) {
    drawn <- draw_fit(rows, plan$prior, interval$centre, weights, source, plan$resolution)
    estimate <- drawn_coefficients(drawn, plan)
    list(estimate = estimate, limits = scan_line(x[, 1], y, estimate, interval, source))
  }, plan$interval, plan$weights)
  lines_with_limits(lines, plan)
}

# What the kernel takes of rows. PRIVATE.
fit_rows <- function(x, y, plan) {
  counts <- entry_counts(x)
  x <- atoms_of(x)$points
  fit <- if (plan$origin) unname(x)
         else if (is.null(plan$points)) with_ones(x) else coordinate_rows(x, plan$points)
  c(whiten_fits(fit, as.double(y), plan$whitening),
    list(projections(x, plan$directions, plan$units), plan$origin), if (!is.null(counts)) list(counts))
}

# The epsilon of each draw; where n is private its exponent is twice as large.
level_epsilon <- function(plan) {
  share <- if (is.null(plan$interval)) plan$epsilon / length(plan$tau) else plan$interval[[1]]$centre
  share * (1 + isTRUE(plan$private))
}

# One draw of the coordinates. `rows`: of fit_rows().
draw_fit <- function(rows, prior, epsilon, weights, source, resolution = NULL) {
  .Call(ffi_regression_draw, source, rows, prior_fields(prior, resolution), epsilon, weights, 1L)$draws[1, ]
}

# -- public rules ----------------------------------------------------------------------------------

says_plan <- function() "for which plan_regression() says how many rows do"

# `batches`: a function that says how many rows these need, in words, or gives NULL.
check_exact_regression <- function(n, p, origin = FALSE, most = exact_regression_rows, tau = 0.5,
                                   batches = says_plan) {
  if (p <= length(most) && n <= most[[p]]) return(invisible(NULL))
  median <- identical(as.vector(tau), 0.5)
  if (p > length(exact_regression_rows)) {
    others <- if (origin) NULL
              else if (!median) "leave `tau` out, for medians by method = \"batches\""
              else if (!is.null(rows <- batches())) paste0("take method = \"batches\", ", rows)
    stop_formula(sprintf("it has %d regressors, and exact draws over regression depth%s take at most %d", p,
                         if (median) "" else " (batches have medians only)",
                         length(exact_regression_rows)),
                 sprintf("%s.", paste(c("Leave some out", others), collapse = "; or ")))
  }
  stop_input("data", sprintf("data with at most %s rows for exact draws with %d regressor%s",
                             grouped(most[[p]]), p,
                             plural(p)),
             sprintf("data with %s", grouped(n)),
             if (origin || !median) "Take a random sample of the rows."
             else "Take method = \"batches\", or a random sample of the rows.")
}

# Without limits there are boxes for so many regressors.
check_unlimited_regression <- function(prior, p, origin = FALSE, tau = 0.5) {
  if (!is_dyadic(prior) || p <= length(dyadic_regression_rows)) return(invisible(NULL))
  stop_input("prior", sprintf("a uniform or normal prior for exact draws with %d regressors", p),
             "none, or made by prior_dyadic()",
             if (origin || !identical(as.vector(tau), 0.5)) "Give `lower` and `upper`."
             else paste("Give `lower` and `upper`, or take method = \"batches\", for which plan_regression()",
                        "says how many rows do without them."))
}

# Most of the probability lies where the depth is no more than by chance: nothing but the prior is released.
# The best fit of quantile tau has the weighted depth n tau (1 - tau) of weights tau and 1 - tau, and so the
# exponent epsilon n min(tau, 1 - tau) / 2: what 2 min(tau, 1 - tau) n rows have for the median.
warn_shallow <- function(...) {
  text <- shallow_text(...)
  if (!is.null(text)) warn_dpdepth("accuracy", text)
}

# `epsilon`: of each quantile. NULL where there is nothing to say.
shallow_text <- function(n, terms, epsilon, tau, prior, directions, said = warned_numbers(epsilon)) {
  p <- slope_count(terms)
  k <- length(terms)
  dyadic <- is_dyadic(prior)
  worth <- 2 * pmin(tau, 1 - tau) * epsilon
  few <- if (dyadic) !vapply(worth, function(worth) dyadic_regression_serves(n, k - 1L, worth), NA)
         else n * worth < 25 * k | far_fits_prevail(n, p, worth, directions)
  if (!any(few)) return(NULL)
  several <- length(tau) > 1
  numbers <- c(paste("n =", said$rows(grouped(n))), sprintf("%d regressor%s", p, plural(p)),
               if (several) sprintf("epsilon = %s for each quantile", format(epsilon))
               else sprintf("epsilon = %s", format(said$epsilon)),
               if (!several && tau != 0.5) sprintf("tau = %s", format(tau)))
  what <- if (all(few)) "the release is"
          else sprintf(if (sum(few) > 1) "the fits for tau = %s are" else "the fit for tau = %s is",
                       toString(vapply(tau[few], format, "")))
  with_point(sprintf(paste(
    "With %s and %s %s likely to be noise %s (judged by these numbers alone).",
    "More rows, a larger epsilon%s or fewer regressors would help; see plan_regression()."
  ), toString(numbers[-length(numbers)]), numbers[length(numbers)], what,
  if (dyadic) "of any size" else "as wide as the public limits",
  paste(c(if (dyadic) ", limits", if (p > length(exact_regression_rows)) ", more directions, tighter limits",
          if (several || tau != 0.5) ", quantiles nearer to the median"), collapse = "")))
}

# -- coordinates -----------------------------------------------------------------------------------

# The public points, p + 1 rows of p regressors, and the inverse of their differences from the first one.
check_at <- function(at, terms) {
  if (is.null(at)) return(NULL)
  if (!has_intercept(terms)) {
    stop_input("at", "NULL for a formula without an intercept", describe(at),
               "Give `lower` and `upper`, bounds of the slopes.")
  }
  p <- length(terms) - 1L
  must <- sprintf(paste("%d points: a data frame of the formula's variables, or a matrix of %d rows",
                        "and the columns %s"), p + 1L, p + 1L, quote_names(terms[-1]))
  if (p == 1 && is.null(dim(at))) {
    at <- matrix(check_finite_numbers(at, "at"), ncol = 1L, dimnames = list(NULL, terms[-1]))
  }
  if (!is_matrix_like(at)) stop_input("at", must, describe(at))
  at <- check_data(at, "at")
  if (nrow(at) != p + 1L || ncol(at) != p) {
    stop_input("at", must, sprintf("%d rows of %d columns", nrow(at), ncol(at)))
  }
  if (!is.null(colnames(at))) {
    names <- names(coefficient_names(stats::setNames(numeric(p), colnames(at)), terms))
    at <- at[, name_order(names, terms[-1], "at"), drop = FALSE]
  }
  at <- matrix(at, p + 1L, p, dimnames = list(NULL, terms[-1]))
  if (max(abs(at)) > slope_most) stop_input("at", "at most 2^200 in size", NULL, "Take larger units.")
  apart <- at[-1, , drop = FALSE] - rep(at[1, ], each = p)
  size <- apply(abs(apart), 2, max)
  # nearer ones do not determine a slope in doubles or on the lattice
  if (any(size < pmax(1 / slope_most, 2^-20 * apply(abs(at), 2, max)))) {
    stop_input("at", "points that differ in every regressor, by 2^-20 of their size and 2^-200",
               "nearer ones",
               "Take two values that many rows lie between.")
  }
  inverse <- tryCatch(solve(apart / rep(size, each = p)), error = function(e) NULL)
  if (is.null(inverse)) {
    stop_input("at", "points that do not lie in one hyperplane", "points that do",
               "Predictions at these points must determine a fit.")
  }
  list(at = at, inverse = inverse / size)
}

# Under a prior with a covariance coordinates are mean + L z, and z is drawn: the same fits, with rows times L
# and responses less the fit at the mean. Each row by itself, in one order of operations. PRIVATE.
whiten_fits <- function(fit, y, whitening) {
  if (is.null(whitening)) return(list(fit, y))
  out <- fit
  for (j in seq_len(ncol(fit))) {
    y <- bounded(y - whitening$mean[[j]] * fit[, j])
    column <- 0
    for (i in j:ncol(fit)) column <- bounded(column + whitening$factor[i, j] * fit[, i])
    out[, j] <- column
  }
  list(out, y)
}

# -- lattice ---------------------------------------------------------------------------------------

regression_steps <- function(prior, resolution, coordinates) {
  steps <- check_lattice_steps(.Call(ffi_regression_steps, prior_fields(prior, resolution)), NULL, resolution)
  stats::setNames(steps[seq_along(coordinates)], coordinates)
}

# Types are the columns', and these steps are the coefficients'.
refuse_typed_fits <- function(resolution) {
  if (!is.character(resolution)) return(invisible(NULL))
  stop_input("resolution", "NULL or powers of two, the steps of the coefficients",
             describe_option(resolution, "type"),
             "Types of columns do not say in which steps a slope is counted.")
}

# A resolution is of the lattice that lies along the coordinates, with limits.
refuse_fit_steps <- function(prior, whitening, resolution) {
  where <- c(if (is_dyadic(prior)) "prior_dyadic(), whose unit is the step",
             if (!is.null(whitening)) "a prior that has a covariance")
  if (length(where) > 0) {
    stop_input("resolution", paste("NULL with", where[[1]]), describe(resolution),
               "Leave one of the two out.")
  }
}

# Public steps of the coordinates, 0 for those that keep the lattice's own. Powers of two, no finer than
# these: then multiples are exact doubles, and the proof for the lattice's own steps holds.
check_fit_steps <- function(resolution, coordinates, prior) {
  out <- stats::setNames(numeric(length(coordinates)), coordinates)
  resolution <- coefficient_names(resolution, coordinates)
  named <- names(resolution)
  if (is.numeric(resolution) && !is.null(named)) {
    if (anyDuplicated(named) || !all(named %in% coordinates)) {
      stop_input("resolution", sprintf("named by some of %s", quote_names(coordinates)), "with other names")
    }
    out[named] <- check_bound(unname(resolution), length(named), "resolution", named)
  } else {
    out[] <- check_bound(resolution, length(coordinates), "resolution", coordinates)
    named <- coordinates
  }
  given <- out[named]
  listed <- function(v) toString(unique(vapply(v, format, "")))
  if (any(given <= 0 | given > 2^200)) stop_input("resolution", "above 0, at most 2^200", listed(given))
  if (any(log2(given) != round(log2(given)))) {
    stop_input("resolution", "powers of two, such as 1, 2 or 0.25",
               listed(given), "Their multiples are exact. For other steps, round what is released.")
  }
  own <- regression_steps(prior, NULL, coordinates)[named]
  if (any(given < own)) {
    stop_input("resolution", sprintf("at least %s, the steps that these limits have by themselves",
                                     listed(own)), listed(given))
  }
  unname(out)
}

# -- directions ------------------------------------------------------------------------------------

regression_directions <- function(directions, p, n, worth) {
  if (p == 1) {
    if (is.null(directions)) return(matrix(1))
    stop_input("directions", "NULL with one regressor, whose depth is exact", describe(directions))
  }
  if (is.null(directions)) directions <- default_fit_directions(p, n, worth)
  unclass(as_directions(directions, p, add_axes = TRUE))
}

# The units in which directions apply to the regressors: by their range over the points `at`; else, what a
# slope's bounds or standard deviation make of one another: a wide slope is that of a regressor in small
# numbers.
check_units <- function(units, terms, prior, points) {
  of_slope <- seq_along(terms) > has_intercept(terms)
  if (!is.null(units)) {
    given <- units
    units <- check_bound(given, sum(of_slope), "units", terms[of_slope])
    outside <- units <= 0 | units > slope_most | units < 1 / slope_most
    if (any(outside)) {
      stop_input("units", "above 0, between 2^-200 and 2^200", describe_numbers(given, outside),
                 "They are public sizes of the regressors, such as standard deviations.")
    }
    return(units)
  }
  if (!is.null(points)) return(apply(points$at, 2, function(v) diff(range(v))))
  width <- if (is_dyadic(prior)) prior$unit
           else if (!is.null(prior$covariance)) sqrt(diag(prior$covariance))
           else if (inherits(prior, "dp_prior_normal")) prior$sd
           else prior$upper - prior$lower
  width <- unname(width[of_slope])
  1 / (width / max(width))
}

# u'x in the units, for each direction: each row by itself, in one order of operations.
projections <- function(x, directions, units) {
  if (ncol(x) == 1) return(unname(x))
  scaled <- lapply(seq_len(ncol(x)), function(j) bounded(x[, j] / units[[j]]))
  out <- matrix(0, nrow(x), nrow(directions))
  for (u in seq_len(nrow(directions))) {
    for (j in seq_along(scaled)) out[, u] <- out[, u] + directions[u, j] * scaled[[j]]
  }
  out
}

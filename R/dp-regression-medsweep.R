# Medsweep regression by smooth sensitivity: the engine of dp_regression(method = "medsweep").

# What is public, as dp_regression() asks for it; refuses before the debit.
plan_medsweep <- function(n, terms, limits, epsilon, delta, tau, ...) {
  check_half(tau, "medsweep")
  delta <- check_delta(delta)
  bounds <- coefficient_bounds(limits, terms)
  plan <- medsweep_plan(length(terms) - 1L, bounds, epsilon, delta, ...)
  c(plan, list(
    epsilon = epsilon, delta = delta, guarantee = "approximate", what = "Medsweep regression",
    mechanism = "Laplace noise scaled to smooth sensitivity, step by step", label = "regression (Medsweep)",
    middle = bounds$lower[[1]] / 2 + bounds$upper[[1]] / 2, bounds = bounds,
    warn = function(said) warn_wide_noise(n / 2, 1, plan$constants)
  ))
}

# The arguments that only this method has.
medsweep_arguments <- c("sweep_bounds", "max_iter", "tol")

# The whole sweep, for any number of regressors.
#
# METHOD: median slopes of each regressor on the swept ones before it, of the response on each swept
#   regressor, and the median of what is left, each released by noise scaled to its smooth sensitivity.
#   Every step works on columns made, row by row, of the data and of what is released, so the steps compose.
# COST: a step costs what sens_medsweep() does; p (p - 1)/2 + p max_iter + 1 steps share the budget.
# DEGENERATE: constant regressors and regressors that others determine: the slope is a draw of its
#   distribution, and no error, which would reveal something about the data.
# REFERENCE: Cumings-Menon (2022), Differentially private estimation via statistical depth, Algorithm 4,
#   corrected: vignettes/proofs-medsweep.Rmd, section 5.
#
# x: n x p regressors, y: n responses, both finite. bounds: list(lower, upper), one per coefficient, the
# intercept first. sweep_bounds, max_iter, tol: see medsweep_plan(). All arguments but the data are
# checked by medsweep_plan(), which dp_regression() calls before the debit.
run_medsweep <- function(x, y, plan, source) {
  columns <- lapply(seq_len(ncol(x)), function(k) bounded(x[, k]))
  y <- bounded(y)
  swept <- release_regressors(columns, plan, source)
  slopes <- release_response(y, swept$z, swept$theta, plan, source)
  slopes <- into_bounds(back_substitute(slopes, swept$theta), plan$slopes)
  intercept <- release_intercept(sweep_out(y, columns, slopes), plan, source)
  list(estimate = c(intercept, slopes), details = plan$details, exact = TRUE)
}

# What is public: the bounds of all steps, the constants of one.
#
# sweep_bounds: the largest size of the slope of one regressor on another: one number, or a p x p matrix whose
#   entry [i, k], i < k, is for regressor k on regressor i. By default the ratio of the widths of
#   the bounds of coefficients i and k, which follows changes of units.
# max_iter: how often the response is swept. tol: it stops when no slope released in a round is larger.
medsweep_plan <- function(p, bounds, epsilon, delta, sweep_bounds = NULL, max_iter = 1L, tol = 0, ...) {
  if (...length() > 0) {
    stop_input("...", "`sweep_bounds`, `max_iter` or `tol` with method = \"medsweep\"", "another argument")
  }
  max_iter <- check_count(max_iter, "max_iter", upper = 1000L)
  tol <- check_number(tol, "tol", lower = 0, closed = c(TRUE, FALSE))
  bounds <- check_bounds(bounds$lower, bounds$upper, p + 1L)
  check_sizes(bounds)
  slopes <- lapply(bounds, function(b) b[-1])
  steps <- as.integer(p * (p - 1) / 2 + p * max_iter + 1)
  # shares that do not pass the whole by rounding
  constants <- smooth_constants(epsilon / steps * (1 - 2^-40), delta / steps * (1 - 2^-40), 1L)
  list(
    intercept = lapply(bounds, `[[`, 1L), slopes = slopes, constants = constants,
    max_iter = max_iter, tol = tol, limits = sweep_limits(sweep_bounds, slopes),
    details = list(releases = steps, alpha = constants$alpha, beta = constants$beta)
  )
}

# Coefficients and slopes beyond are refused, so that no product overflows (see slope_limit), and bounds
# too near each other for a lattice between them.
slope_most <- 2^200

check_sizes <- function(bounds) {
  size <- pmax(abs(bounds$lower), abs(bounds$upper))
  if (max(size) > slope_most) {
    stop_input("upper", "at most 2^200 in size, like `lower`", NULL,
               "Take larger units.")
  }
  width <- bounds$upper - bounds$lower
  if (any(width < 1 / slope_most | width < 1e-7 * size)) {
    stop_input("upper", "above `lower` by at least 2^-200 and 1e-7 of the size of the bounds", "nearer",
               "Move the origin of the data near to the bounds, or take wider ones.")
  }
}

sweep_limits <- function(sweep_bounds, slopes) {
  width <- slopes$upper - slopes$lower
  p <- length(width)
  if (is.null(sweep_bounds)) return(pmin(pmax(outer(width, width, `/`), 1 / slope_most), slope_most))
  must <- sprintf("one number above 0 or a %d x %d matrix of such, at most 2^200", p, p)
  ok <- is.numeric(sweep_bounds) && !is.object(sweep_bounds) &&
    (length(sweep_bounds) == 1 || identical(dim(sweep_bounds), c(p, p)))
  if (!ok) stop_input("sweep_bounds", must, describe(sweep_bounds))
  limits <- matrix(as.double(sweep_bounds), p, p)
  used <- if (length(sweep_bounds) == 1) limits else limits[upper.tri(limits)]
  if (!all(is.finite(used) & used >= 1 / slope_most & used <= slope_most)) {
    stop_input("sweep_bounds", must, "one with other numbers")
  }
  limits
}

# Regressors with the earlier ones swept out by released slopes, as sweep_regressors() of regress.R:
# columns[[k]] = z[[k]] + sum over i < k of theta[i, k] z[[i]], but for rounding.
release_regressors <- function(columns, plan, source) {
  p <- length(columns)
  theta <- matrix(0, p, p)
  z <- columns
  for (k in seq_len(p)[-1]) {
    before <- seq_len(k - 1L)
    for (i in before) {
      limit <- plan$limits[i, k]
      theta[i, k] <- release_slope(columns[[k]], z[[i]], list(lower = -limit, upper = limit), plan, source)
    }
    z[[k]] <- sweep_out(columns[[k]], z[before], theta[before, k])
  }
  list(z = z, theta = theta)
}

# Slopes of the response on the swept regressors.
release_response <- function(y, z, theta, plan, source) {
  total <- numeric(length(z))
  range <- swept_range(plan$slopes, theta)
  for (round in seq_len(plan$max_iter)) {
    change <- 0
    for (k in seq_along(z)) {
      room <- list(lower = range$lower[[k]] - total[[k]], upper = range$upper[[k]] - total[[k]])
      slope <- release_slope(y, z[[k]], room, plan, source)
      total[[k]] <- total[[k]] + slope
      y <- sweep_out(y, z[k], slope)
      change <- max(change, abs(slope))
    }
    if (change <= plan$tol) break
  }
  total
}

# The range of the slope on a swept regressor, b_k + sum over l > k of theta[k, l] b_l, for
# coefficients b within their bounds.
swept_range <- function(slopes, theta) {
  lower <- slopes$lower
  upper <- slopes$upper
  for (k in seq_along(lower)) {
    for (l in seq_along(lower)[seq_along(lower) > k]) {
      ends <- theta[k, l] * c(slopes$lower[[l]], slopes$upper[[l]])
      lower[[k]] <- lower[[k]] + min(ends)
      upper[[k]] <- upper[[k]] + max(ends)
    }
  }
  list(lower = lower, upper = upper)
}

# What public multiples of columns leave: each row by itself, in the columns' order.
sweep_out <- function(y, columns, slopes) {
  for (k in seq_along(columns)) y <- bounded(y - slopes[[k]] * columns[[k]])
  y
}

release_slope <- function(u, v, bounds, plan, source) {
  # an interval made of releases may have shrunk to a point by rounding
  if (bounds$lower >= bounds$upper) return(bounds$lower)
  lattice <- smooth_lattice(bounds, fine_bits(bounds, plan$constants))
  release_on_lattice(slope_law(u, v, lattice, plan$constants), lattice, bounds, source)
}

release_intercept <- function(residuals, plan, source) {
  lattice <- smooth_lattice(plan$intercept, fine_bits(plan$intercept, plan$constants))
  law <- smooth_law(lattice_rows(matrix(residuals), lattice), lattice, plan$constants)
  release_on_lattice(law, lattice, plan$intercept, source)
}

release_on_lattice <- function(law, lattice, bounds, source) {
  index <- law$centre + half_laplace(1L, law$scale, source)
  into_bounds((index + lattice$origin) * lattice$step, bounds)
}

# As smooth_law(): the centre (an integer) and the scale, a multiple of 2^-scale_bits. PRIVATE.
slope_law <- function(u, v, lattice, constants) {
  minimum <- constants$alpha * min_scale / 2^scale_bits
  found <- slope_sensitivity(u, v, lattice, constants$smoothness, minimum)
  list(centre = found$centre, scale = smooth_scale(found$value, constants))
}

# The planned error of medians by smooth sensitivity: public numbers only.
#
# METHOD: the noise is Laplace noise whose scale depends on the rows. It is found as dp_median_smooth() finds
#   it, for normal rows made of public directions about the middle of the limits, and the error from the
#   noise's distribution, clipped to the limits. Of more rows than planned_rows, n = s' s'' planned_rows,
#   those are looked at: the bound at distance k depends on k/n, so that s' times the smoothness stands for s'
#   times the rows; and near the median it is in proportion to the rows' distances, so that 1/s'' of the
#   spread stands for the rest.

# A row for the default region and, with several variables, for the median of each. NULL where the mechanism
# has no such release: without limits, with delta = 0, with an epsilon too small for its lattice, or limits
# too narrow for it.
smooth_errors <- function(n, d, epsilon, delta, prior, spread = NULL, chosen = FALSE) {
  if (delta == 0 || !inherits(prior, "dp_prior_uniform")) return(NULL)
  units <- prior_units(prior, spread)
  regions <- c(if (d <= planned_variables) "directional", if (d > 1) "marginal")
  bounds <- list(lower = unname(prior$lower), upper = unname(prior$upper))
  scales <- tryCatch({
    constants <- smooth_constants(epsilon, delta, d)
    lapply(regions, planned_noise, n, d, constants, bounds, units)
  }, dpdepth_error_input = function(e) NULL)
  if (is.null(scales)) return(NULL)
  noise <- vapply(scales, function(b) root_mean_square(clipped_laplace(b, rep_len(units$half, d))), 0)
  out <- data.frame(
    method = ifelse(regions == "marginal", "smooth, marginal", "smooth"), guarantee = "approximate", n = n,
    d = d, epsilon = epsilon, delta = delta, error = noise, failure = 0,
    beyond = noise >= root_mean_square(rep_len(units$wide, d)), chosen = chosen & seq_along(noise) == 1
  )
  # for the picture
  structure(out, noise = scales[[1]])
}

# Sorting along all pairs of more variables takes too long for a plan.
planned_variables <- 10L

planned_rows <- 10000L

# Variables that are looked at for a median of each: the bound is a sum over variables.
planned_columns <- 20L

# The scale of the noise in each variable, in its units: the root mean square over some sets of rows.
planned_noise <- function(region, n, d, constants, bounds, units) {
  apart <- d == 1 || region == "marginal"
  columns <- if (apart) unique(round(seq(1, d, length.out = min(d, planned_columns)))) else seq_len(d)
  lattice <- smooth_lattice(bounds, if (apart) fine_bits(bounds, constants) else lattice_bits)
  check_smooth_lattice(lattice, bounds)
  rows <- min(n, planned_rows)
  fewer <- min(n / rows, max(1, 0.02 / constants$smoothness))
  constants$smoothness <- fewer * constants$smoothness
  narrow <- units$spread * fewer * rows / n
  part <- lapply(lattice[c("step", "origin", "lower", "upper")], function(v) rep_len(v, d)[columns])
  part$bits <- lattice$bits
  middle <- rep_len((bounds$lower / 2 + bounds$upper / 2), d)[columns]
  sets <- planned_rows_of(rows, length(columns), max(1, if (apart) 10 %/% length(columns) else 5 %/% d))
  scale <- vapply(sets, function(x) {
    x <- sweep(sweep(x, 2, rep_len(narrow, d)[columns], `*`), 2, middle, `+`)
    method <- if (d == 1) "exact" else region
    smooth_law(lattice_rows(x, part), part, constants, method)$scale / 2^scale_bits
  }, 0)
  root_mean_square(scale) * (d / length(columns)) * rep_len(lattice$step, d)
}

# `count` sets of n rows of d variables, normal but for what 60 dimensions lack of infinitely many.
planned_rows_of <- function(n, d, count) {
  wide <- max(60L, d * count)
  last <- planned_found$last
  if (!identical(last$size, c(wide, n))) {
    last <- list(size = c(wide, n), rows = sqrt(wide) * directions(wide, n, type = "uniform"))
    # at once: an interrupt leaves no rows under the size of others
    planned_found$last <- last
  }
  lapply(seq_len(count), function(i) last$rows[, (i - 1) * d + seq_len(d), drop = FALSE])
}

# The last such rows, which all regions and a search for epsilon share.
planned_found <- new.env(parent = emptyenv())

# The root mean square of a Laplace variable of that scale that is clipped to -half..half.
clipped_laplace <- function(scale, half) scale * sqrt(2 * stats::pgamma(half / scale, 2))

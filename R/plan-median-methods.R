# The planned errors of private medians that have a private test and no limits: over projections, restricted
# along the axes, between the rows of two ranks. Public numbers only.

# -- the projection median ---------------------------------------------------------------------------

projection_plan_arguments <- c("directions", "location", "scale")

# What the release takes where nothing else is said.
check_projection_plan <- function(d, directions = 1000L, location = "median", scale = "mad") {
  list(count = check_directions_count(directions, d, TRUE, "directions"), pair = check_pair(location, scale))
}

# Its row of a plan; NULL where its test cannot be expected to pass.
projection_error <- function(n, d, epsilon, delta, spread, options = list(), chosen = FALSE) {
  too_few <- n < 2 || epsilon < min_restricted_epsilon || !draw_has_rate(epsilon, delta)
  if (too_few || d > max_projection_variables) return(NULL)
  asked <- do.call(check_projection_plan, c(d, options))
  plan <- projection_constants(n, d, epsilon, delta, asked$count, asked$pair[[1]], asked$pair[[2]])
  if (!plan$feasible) return(NULL)
  size <- root_mean_square(rep_len(if (is.null(spread)) 1 else spread, d))
  factor <- sqrt((d + 1) * few_directions(d, asked$count)) * normal_scale(asked$pair[[2]])
  data.frame(method = "projection", guarantee = "approximate", n = n, d = d, epsilon = epsilon, delta = delta,
             error = size * factor / plan$rate, failure = projection_miss[[1]], beyond = FALSE,
             chosen = chosen)
}

# E h^-(d + 2)/E h^-d, h the largest of `count` cosines between a random vector and random directions.
few_directions <- function(d, count) {
  if (d == 1) return(1)
  p <- (seq_len(4000) - 0.5) / 4000
  h <- sqrt(stats::qbeta(p^(1 / max(count, 2 * d)), 0.5, (d - 1) / 2))
  mean(h^-(d + 2)) / mean(h^-d)
}

normal_scale <- function(scale) {
  switch(scale, mad = stats::qnorm(0.75), iqr = 2 * stats::qnorm(0.75), trimmed = 0.3247)
}

# -- the restricted mechanism: level and split of epsilon --------------------------------------------

# The share of epsilon for the test and the level that d equal columns of quantiles of one distribution would
# pass with, the share `outliers` of the rows lying on one side of all others: the smallest share whose margin
# is twice the test's threshold, or else the one that passes most often. The distribution of n rows at epsilon
# is about that of n/s rows at s epsilon: no more than most_plan_rows are looked at. Public numbers only.
restricted_axes_plan <- function(n, d, epsilon, delta, outliers = 0, level = NULL, share = NULL,
                                 quantiles = stats::qnorm) {
  rows <- min(n, most_plan_rows)
  scale <- n / rows
  far <- ceiling(outliers * rows)
  at <- quantiles((seq_len(rows - far) - 0.5) / (rows - far))
  x <- matrix(c(pmin(pmax(round(at * 2^16), -2^50), 2^50), rep(2^50, far)))
  best <- list(ease = -Inf)
  for (s in if (is.null(share)) plan_shares else share) {
    threshold <- ptr_threshold(epsilon * s, delta)
    most <- 4 * threshold + 100 / (epsilon * s)
    levels <- if (is.null(level)) axes_levels(rows, scale, outliers, threshold) else round(level / scale)
    margins <- scale * vapply(levels, function(t) {
      restricted_axes_margin(x, min(max(t, 1), (rows + 1) %/% 2), scale * epsilon * (1 - s), delta,
                             most / scale, d)
    }, 0)
    serves <- margins >= 2 * threshold
    k <- if (any(serves)) which(serves)[[1]] else which.max(margins)
    ease <- (margins[[k]] - threshold) * epsilon * s
    if (ease > best$ease) {
      chosen <- if (is.null(level)) min(round(levels[[k]] * scale), (n + 1) %/% 2) else level
      best <- list(level = chosen, share = s, margin = margins[[k]], ease = ease,
                   pass = test_chance(sampled_margin * margins[[k]], epsilon * s, delta))
    }
    if (any(serves)) break
  }
  best$ease <- NULL
  best
}

most_plan_rows <- 4000

# Margins of samples are 7 to 10% below those of quantiles: bench/unlimited.md.
sampled_margin <- 0.92

# Levels of `rows` rows that stand for `scale` times as many: the outliers and as many rows as the test's
# threshold has must lie beyond the level's box.
axes_levels <- function(rows, scale, outliers, threshold) {
  deepest <- (rows + 1) %/% 2
  minimum <- if (outliers > 0) outliers * rows + (threshold + 5) / scale else 2
  levels <- unique(ceiling(rows * seq(0.04, 0.44, by = 0.02)))
  levels <- levels[levels >= max(2, minimum) & levels <= deepest]
  if (length(levels) == 0) min(max(2, ceiling(minimum)), deepest) else levels
}

restricted_axes_passes <- function(n, d, epsilon, delta, outliers = 0, quantiles = stats::qnorm) {
  plan <- restricted_axes_plan(n, d, epsilon, max(delta, min_restricted_delta), outliers,
                               quantiles = quantiles)
  plan$pass >= min_pass
}

# -- an interior point -------------------------------------------------------------------------------
#
# METHOD: the rows of the middle slice of a normal distribution, at equal distances in rank. Bins are as wide
#   as the power of two below the median distance of their pairs, and lie anywhere: chances and squares of the
#   distance from the centre to the nearest edge are averaged over 4 widths and 8 places.

# A row of plan_median(), or NULL where there is no slice of rows.
interior_error <- function(n, epsilon, delta, spread) {
  seen <- interior_average(n, interior_plan(epsilon, delta))
  if (is.null(seen)) return(NULL)
  data.frame(method = "interior", guarantee = "approximate", n = n, d = 1, epsilon = epsilon, delta = delta,
             error = (if (is.null(spread)) 1 else spread) * seen$error,
             failure = 1 - seen$chance, beyond = seen$chance < 0.5, chosen = FALSE)
}

interior_average <- function(n, plan, alpha = default_alpha) {
  ranks <- slice_ranks(n, alpha)
  if (ranks[[2]] <= ranks[[1]]) return(NULL)
  ends <- (ranks - c(1, 0)) / n
  rows <- stats::qnorm(ends[[1]] + (seq_len(200) - 0.5) / 200 * diff(ends))
  distance <- stats::median(abs(outer(rows, rows, "-")))
  cases <- expand.grid(phase = (0:3 + 0.5) / 4, offset = (0:7 + 0.5) / 8)
  width <- distance * 2^-cases$phase
  chance <- vapply(seq_along(width), function(i) {
    edges <- width[[i]] * (seq(-20, 20) + cases$offset[[i]])
    share <- diff(pmin(pmax((stats::pnorm(edges) - ends[[1]]) / diff(ends), 0), 1))
    two_bins(noise_tail(plan$threshold - round(share * diff(ranks)), plan$location))
  }, 0)
  off <- width * pmin(cases$offset, 1 - cases$offset)
  list(chance = mean(chance), error = sqrt(mean(off^2)))
}

# The probability that two bins or more are reported, which are so with these probabilities.
two_bins <- function(p) {
  none <- prod(1 - p)
  one <- sum(vapply(seq_along(p), function(i) p[[i]] * prod(1 - p[-i]), 0))
  max(0, 1 - none - one)
}

# -- over other depths -----------------------------------------------------------------------------

#
# METHOD: about the centre of normal rows depth falls by alpha(t) at distance t, which discrepancy() has as an
#   integral. The distribution of a release is about that of the density exp(-epsilon alpha(|x|)/(2 GS)) in
#   the ball with the volume of the limits' box, whose mean square is a quotient of two sums over log t.
#   Rank-weighted depth has a kink along each direction u, at the sample's median there, and these medians do
#   not meet in a point: they scatter about m_u = u'c, c the best point, with variance (1 - k) pi/(2 n), k =
#   (2 d/pi) E X asin(X), X a coordinate of a uniform direction, being the share that moves with c.

# alpha at standard normal rows, on a grid of log t; beyond 40 standard deviations depth falls no more.
depth_profile <- function(depth, d, slope) {
  remembered(profiles_found, sprintf("%s %d %a", depth, as.integer(d), slope), new_profile(depth, d, slope))
}

# Profiles by what they are of, for searches and refusals.
profiles_found <- new.env(parent = emptyenv())

new_profile <- function(depth, d, slope) {
  at <- exp(seq(log(1e-6), log(40), length.out = 200))
  kind <- switch(depth, idd_smooth = "idd", spatial_modified = "spatial modified", depth)
  # directions: of simplicial depth in space
  task <- list(distribution = "gaussian", scale = 1, smooth = slope, directions = 2000L)
  list(depth = depth, log_t = log(at), kink = if (depth == "irw" && d > 1) kink_profile(d),
       alpha = vapply(at, function(t) discrepancy_at(task, kind, d, t, search = FALSE)[[1]], 0))
}

# alpha over GS, that is in units of what one replaced row may move.
profile_loss <- function(profile, t, n, d) {
  alpha <- stats::approx(profile$log_t, profile$alpha, log(t), rule = 2)$y
  if (!is.null(profile$kink)) alpha <- alpha - kink_rounding(profile$kink, t, n)
  alpha / depth_sensitivity(n, d, profile$depth)
}

# What the scatter of the medians takes off the fall of rank-weighted depth: 2 f E(|m| - (|a - m| - |a|)), a
# the distance along a direction, f the density at the median. Tabled by t/s, s sqrt(n) the scatter.
kink_profile <- function(d) {
  angle <- (seq_len(400) - 0.5) * pi / 800
  weight <- cos(angle)^(d - 2) / sum(cos(angle)^(d - 2))
  shared <- 2 * d / pi * sum(weight * sin(angle) * angle)
  log_r <- seq(log(1e-3), log(1e3), length.out = 300)
  a <- outer(exp(log_r), sin(angle))
  # E|a - m| - |a| for a standard normal m
  over <- 2 * drop((stats::dnorm(a) - a * stats::pnorm(-a)) %*% weight)
  list(log_r = log_r, slope = 2 * stats::dnorm(0) - over, scatter = sqrt((1 - shared) * pi / 2))
}

kink_rounding <- function(kink, t, n) {
  s <- kink$scatter / sqrt(n)
  2 * stats::dnorm(0) * s * stats::approx(kink$log_r, kink$slope, log(t / s), rule = 2)$y
}

# The root mean squared error per variable, in standard deviations, of draws in a ball of that radius that do
# not fail, and the chance that one does.
profile_error <- function(profile, n, d, epsilon, radius) {
  law <- profile_law(profile, n, d, epsilon, radius)
  near <- law$t < far_spreads
  sqrt(sum((law$t^2 * law$weight)[near]) / sum(law$weight[near]) / d)
}

profile_failure <- function(profile, n, d, epsilon, radius) {
  law <- profile_law(profile, n, d, epsilon, radius)
  sum(law$weight[law$t >= far_spreads]) / sum(law$weight)
}

profile_law <- function(profile, n, d, epsilon, radius) {
  log_t <- seq(log(radius) - 30, log(radius), length.out = 1500)
  weight <- d * log_t - epsilon / 2 * profile_loss(profile, exp(log_t), n, d)
  list(t = exp(log_t), weight = exp(weight - max(weight)))
}

# NULL for halfspace depth, whose errors have formulas of their own. `size`: the variables' spreads.
check_plan_depth <- function(depth, smooth, d, unlimited, size) {
  depth <- check_choice(depth, c("halfspace", names(median_depths)), "depth")
  smooth <- check_smooth_steps(smooth, depth)
  if (depth == "halfspace") return(NULL)
  if (unlimited) {
    stop_input("depth", "\"halfspace\" without limits", sprintf("\"%s\"", depth),
               "Give limits, prior_uniform() or prior_normal() for other depths.")
  }
  if (d > most_depth_variables(depth)) {
    stop_input("d", sprintf("at most %d for depth = \"%s\"", most_depth_variables(depth), depth),
               sprintf("%d", d), "Take depth = \"halfspace\".")
  }
  depth_profile(depth, d, if (depth == "idd_smooth") smooth * exp(mean(log(size))) else Inf)
}

# -- smooth sensitivity ----------------------------------------------------------------------------

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

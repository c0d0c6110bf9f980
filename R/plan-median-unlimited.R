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

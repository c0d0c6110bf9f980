# The restricted exponential mechanism along the axes: level and split of epsilon, from public numbers.

# The share of epsilon for the test and the level that d equal columns of quantiles of one law would pass
# with, the share `outliers` of the rows lying on one side of all others: the smallest share whose margin is
# twice the test's threshold, or else the one that passes most often. The law of n rows at epsilon is about
# that of n/s rows at s epsilon: no more than most_plan_rows are looked at. Public numbers only.
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
    k <- which.max(margins)
    ease <- (margins[[k]] - threshold) * epsilon * s
    if (ease > best$ease) {
      chosen <- if (is.null(level)) min(round(levels[[k]] * scale), (n + 1) %/% 2) else level
      best <- list(level = chosen, share = s, margin = margins[[k]], ease = ease,
                   pass = test_chance(sampled_margin * margins[[k]], epsilon * s, delta))
    }
    if (margins[[k]] >= 2 * threshold) break
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

# The safety margin of whole rows, each column ascending, at most `most`: PRIVATE. It moves by at most one
# when a row is replaced: vignette("proofs-axes"). `times`: for plans, how often the columns stand there.
restricted_axes_margin <- function(sorted, level, epsilon, delta, most, times = 1) {
  slack <- restricted_axes_slack(nrow(sorted), ncol(sorted) * times, epsilon)
  .Call(ffi_restricted_axes_margin, sorted, as.double(times), as.integer(level), epsilon,
        c(log(delta), slack, min(ceiling(most), nrow(sorted))))
}

# More than twice the rounding error of a bound's logarithm: src/margin/restricted_axes.c.
restricted_axes_slack <- function(n, d, epsilon) {
  max(2^-16, 2^-45 * (d + 16)^2 + 2^-48 * (epsilon * n + 256))
}

# A test that normal data pass so often serves.
min_pass <- 0.95

restricted_axes_passes <- function(n, d, epsilon, delta, outliers = 0, quantiles = stats::qnorm) {
  plan <- restricted_axes_plan(n, d, epsilon, max(delta, min_restricted_delta), outliers,
                               quantiles = quantiles)
  plan$pass >= min_pass
}

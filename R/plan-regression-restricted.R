# The restricted exponential mechanism over regression depth: its level and the split of epsilon, from public
# numbers.

# Levels, as counts, of n rows whose regressor and errors are normal, and the logarithm of the areas of their
# regions (up to a constant, since nothing changes under affine maps): the region of level l has the area that
# fits of depth p or more have under the law, l = n p - c sqrt(n p (1 - p)). Area and c were fitted by
# data-raw/regression-restricted.R. Level 1 is unbounded: its area here stands for a very large one.
normal_fit_profile <- function(n) {
  p <- c(10^seq(-6, -2, length.out = 200), seq(0.0102, 0.4998, by = 2e-4))
  size <- 2 * log((0.5 - p) / p) - 0.35 + 6.07 * p - 4.15 * p^2 + 0.1 * p^3 + 4.23 * p^4
  count <- n * p - (0.3 + 0.75 * p) * sqrt(n * p * (1 - p))
  rising <- count > 0 & count >= cummax(count)
  deepest <- floor(max(count))
  if (deepest < 1 || sum(rising) < 2) return(numeric(0))
  stats::approx(count[rising], size[rising], seq_len(deepest), rule = 2, ties = "ordered")$y
}

# The share of epsilon for the test, and the level t: the first of these that there is. (a) The smallest share
# up to 0.3 with a level whose margin is twice the test's threshold T and that is n/4 + T or more, so that
# regressors with two values, whose levels are unbounded up to n/4, and a fifth of outliers are served too.
# (b) The smallest share with a level whose margin is 2 T. Of several levels in (a) and (b), the deepest.
# (c) What passes most often.
restricted_fit_plan <- function(n, epsilon, delta, level = NULL, share = NULL) {
  volume <- normal_fit_profile(n)
  levels <- if (is.null(level)) plan_fit_levels(n, length(volume)) else level
  shares <- if (is.null(share)) plan_shares else share
  pairs <- do.call(rbind, lapply(shares, function(s) {
    margin <- normal_margins(volume, levels, min(epsilon * (1 - s), most_draw_rate), delta)
    data.frame(level = levels, share = s, margin = margin, threshold = ptr_threshold(epsilon * s, delta))
  }))
  ample <- pairs$margin >= 2 * pairs$threshold
  broad <- ample & pairs$share <= 0.3 & pairs$level >= n / 4 + pairs$threshold
  if (any(broad)) ample <- broad
  ease <- (pairs$margin - pairs$threshold) * pairs$share
  best <- if (any(ample)) max(which(ample & pairs$share == min(pairs$share[ample]))) else which.max(ease)
  best <- pairs[best, ]
  list(level = best$level, share = best$share, margin = best$margin,
       pass = test_chance(best$margin, epsilon * best$share, delta))
}

plan_fit_levels <- function(n, deepest) {
  levels <- unique(round(n * seq(0.04, 0.34, by = 0.01)))
  levels <- levels[levels >= 2 & levels <= max(2, deepest)]
  if (length(levels) == 0) 2 else levels
}

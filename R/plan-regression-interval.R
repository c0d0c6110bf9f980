# The expected width of the intervals of a private regression: public numbers only.
#
# METHOD: of a line, nested sets as in plan-interval.R. Of its other quantiles the largest score outside a
#   slab at distance r is n D(r), D an integral over normal regressors and errors: of fits that are off by r
#   in the intercept, or by r in the slope and by what is best in the intercept. Of several regressors, or of
#   pairs, see mech-batches.R.
# REFERENCE: dp-regression-interval.R, dp-regression-batches.R.

# The expected widths of a line's intercept and slope, and those without privacy, of each quantile. `noise`,
# `unit`: the errors' spread, and over the regressor's.
line_widths <- function(n, epsilon, level, prior, noise, unit, tau = 0.5, shares = NULL) {
  share <- quantile_share(epsilon, tau)
  found <- lapply(tau, function(tau) line_width(n, share, level, prior, noise, unit, tau, shares))
  list(width = unlist(lapply(found, `[[`, "width")), sampling = unlist(lapply(found, `[[`, "sampling")),
       far = unlist(lapply(found, `[[`, "far")))
}

# `shares`: a row of check_shape()'s shares, of a regressor that is a flag; its slope's unit is the noise.
line_width <- function(n, epsilon, level, prior, noise, unit, tau = 0.5, shares = NULL) {
  plan <- plan_line_interval(level, n, c("(Intercept)", "x"), epsilon, tau, prior, NULL, NULL,
                             quantile_weights(tau), flag = !is.null(shares), near = TRUE)
  if (!is.null(shares)) unit <- noise
  depths <- line_depths(tau, shares)
  away <- line_scatter(n, plan$centre, tau, prior) * stats::qnorm(0.5 + away_chances / 2)
  if (!is.null(shares)) away <- away * sqrt(1 / shares$share^2 + 1 / shares$base^2) / 2
  one <- function(j, unit, depth) {
    range <- range(plan$corners[, j])
    rates <- scan_rates(plan$threshold, plan$halt[[j]])
    radius <- c(diff(range) * plan$ratio^seq.int(0, plan$sets - 1), 0) / unit
    alone <- if (tau == 0.5) sign_radius(n, level, depth) else shifted_radius(n, level, depth, plan$weights)
    c(min(diff(range), 2 * unit * nested_radius(n, plan$t, radius, rates, depth, away)), 2 * unit * alone)
  }
  found <- rbind(one(1, noise, depths$intercept), one(2, unit, depths$slope))
  # a slope that is noise, or whose limits are infinite
  far <- if (is.null(shares)) NA_real_
         else max(flag_far(plan, n, min(shares$share, shares$base)),
                  indicator_failure(n, 1, plan$centre, shares$share,
                                    diff(range(plan$corners[, 2])) / 2 / noise))
  list(width = found[, 1], sampling = found[, 2], far = c(NA_real_, far))
}

# The spread of a drawn coefficient about the deepest one, in the errors' spread.
line_scatter <- function(n, centre, tau, prior) {
  if (tau == 0.5) return(sqrt(3) / (centre * n * stats::dnorm(0) * sqrt(2 / pi) / 2))
  shifted <- shifted_serves(n, plan_terms(1), centre, tau, prior, 1L)
  quantile_law(tau, shifted, n, 1, centre, 1, 1L)[["scatter"]]
}

# What scores fall to outside of slabs, in parts of n.
line_depths <- function(tau, shares = NULL) {
  if (!is.null(shares)) {
    # by shifts of one value's rows
    depth <- function(share) function(r) 0.5 - share * (stats::pnorm(r) - 0.5)
    return(list(intercept = depth(shares$base), slope = depth(min(shares$share, shares$base))))
  }
  if (tau == 0.5) return(list(intercept = point_depth, slope = slope_depth))
  each <- sum(quantile_weights(tau))
  q <- stats::qnorm(tau)
  # the nearer side in chances
  list(intercept = function(r) -each * pmin(stats::pnorm(q + r) - tau, tau - stats::pnorm(q - r)),
       slope = function(r) -each * quantile_away(r, tau))
}

# E|P(error < q + c + r x) - tau| for the best c, by a public table.
quantile_away <- function(r, tau) {
  found <- remembered(intervals_found, sprintf("away %a", tau), {
    x <- stats::qnorm((seq_len(200) - 0.5) / 200)
    q <- stats::qnorm(tau)
    size <- c(0, 10^seq(-4, 4, length.out = 81))
    loss <- vapply(size, function(r) {
      of <- function(c) mean(abs(stats::pnorm(q + c + r * x) - tau))
      stats::optimize(of, c(-3, 3) * (r + 1e-9))$objective
    }, 0)
    list(size = size, loss = loss)
  })
  stats::approx(found$size, found$loss, r, rule = 2)$y
}

# Without privacy, as sign_radius().
shifted_radius <- function(n, level, depth, weights) {
  noiseless <- list(rho = 500, nu = 500)
  t <- shifted_threshold(n, 1 - level, noiseless, 1L, weights, near = TRUE)
  if (n * depth(40) > t) return(Inf)
  stats::uniroot(function(r) n * depth(r) - t - 0.5, c(0, 40))$root
}

# The same of one of d coefficients by batches; without privacy, that of least squares. An intercept is as
# accurate as a slope, where regressors have mean 0 and spread 1; with `pairs` it is not fitted to
# differences.
batches_width <- function(n, d, epsilon, level, noise, unit, pairs = FALSE, shape = plain_shape) {
  share <- epsilon / d
  size <- check_interval_size(NULL, n, d, share, level, pairs, shape$indicators)
  found <- coefficient_width(n, d, size, level, share)
  slope <- if (pairs) coefficient_width(n, d, size, level, share, pairs = TRUE) else found
  list(width = c(noise * found$width, unit * slope$width), far = found$far,
       sampling = c(noise, unit) * 2 * stats::qt(0.5 + level / 2, n - d) / sqrt(n))
}

# What plan_regression() does with `interval`.
plan_regression_interval <- function(n, p, epsilon, prior, spread, noise, interval, width, error, tau = 0.5,
                                     pairs = FALSE, shape = plain_shape) {
  level <- check_interval_level_given(interval)
  pairs <- check_flag(pairs, "pairs")
  batches <- p != 1 || pairs
  if (batches) {
    refuse_batches_tau(tau, pairs)
    refuse_interval_dyadic(prior)
  }
  tau <- check_taus(tau, if (is.null(n)) 4L else check_count(n, "n", shown = FALSE))
  if (!is.null(epsilon)) check_shares(check_epsilon(epsilon), tau)
  flag <- if (!batches && NROW(shape$shares) > 0) shape$shares[1, ]
  regressor <- if (is.null(flag)) sprintf("a regressor of %s (`spread`)", format(spread, digits = 3))
               else sprintf("a flag that %s%% of the rows have", format(100 * flag$share, digits = 2))
  assumed <- with_point(sprintf("errors of standard deviation %s (`noise`) and %s", format(noise, digits = 3),
                                regressor))
  if (!is.null(flag) && !identical(as.vector(tau), 0.5)) {
    stop_input("shares", "NULL with `interval` and a `tau` other than 0.5", format(flag$share))
  }
  widths <- function(n, epsilon) {
    if (batches) batches_width(n, p + 1, epsilon, level, noise, noise / spread, pairs, shape)
    else line_widths(n, epsilon, level, prior, noise, noise / spread, tau, flag)
  }
  plan <- function(n, epsilon) {
    new_interval_plan(tau_terms(c("intercept", "slope"), tau), if (batches) "batches" else "slabs", n,
                      epsilon, level, widths(n, epsilon), assumed)
  }
  # of slopes, the widest
  reached <- function(n, epsilon) max(widths(n, epsilon)$width[c(FALSE, TRUE)])
  search_interval(plan, reached, n, epsilon, width, error,
                  if (batches) .Machine$integer.max
                  else if (identical(tau, 0.5)) slab_rows_most else shifted_rows_most)
}

refuse_batches_tau <- function(tau, pairs) {
  if (identical(as.vector(tau), 0.5)) return(invisible(NULL))
  stop_input("tau", sprintf("0.5 for intervals %s, which are those of medians",
                            if (pairs) "by `pairs`" else "with several regressors"), describe(tau),
             "Plan for one regressor without `pairs`, or without `interval`.")
}

# Intervals of the coefficients of any number of regressors: scans of the fits of disjoint batches.
#
# METHOD: where errors are independent and symmetric about 0 given the regressors, a batch's least squares has
#   each true coefficient as a median, and batches are independent. So the scans of one variable
#   (mech-interval.R), over the fits of one coefficient, cover it; each coefficient has an equal share of
#   epsilon. Where a batch's regressors do not determine a coefficient, such as that of a flag that none of
#   its rows has, its fit lies at +-infinity, by a fair coin of the mechanism: on either side of the truth
#   with probability one half. Limits are moved outwards by a part of the public range, which
#   rounding of least squares does not exceed.
# REFERENCE: vignettes/proofs-interval.Rmd, section 7.

# What is public; refuses before the debit.
plan_batches_interval <- function(interval, simultaneous, n, terms, epsilon, prior, size, seed) {
  level <- check_interval_level_given(interval)
  simultaneous <- check_flag(simultaneous, "simultaneous")
  refuse_dyadic(prior, "an interval", "none, or made by prior_dyadic()", "Give `lower` and `upper`.")
  d <- length(terms)
  share <- epsilon / d
  each <- if (simultaneous) 1 - (1 - level) / d else level
  size <- check_interval_size(size, n, d, share, each)
  batches <- n %/% size
  scan <- interval_plan(batches, 0.5, each, share)
  parts <- lapply(seq_len(d), function(j) marginal_prior(prior, j))
  steps <- vapply(seq_len(d), function(j) interval_step(parts[[j]], terms[[j]]), 0)
  list(
    epsilon = epsilon, delta = 0, guarantee = "pure", what = "regression by batches",
    label = "regression (batches) with intervals", middle = batches_middle(prior)[[1]],
    mechanism = "two one-sided scans with noisy thresholds of batches' least squares, for each coefficient",
    bounds = prior, warn = function() warn_interval(scan),
    details = list(
      batches = as.integer(batches), seed = seed, step = stats::setNames(steps, terms), level = level,
      shares = c(estimate = 0, interval = 1), simultaneous = simultaneous,
      covers = if (simultaneous) "the true coefficients" else "its true coefficient",
      assumes = "errors are independent and each is symmetric about 0 given the regressors"
    ),
    batches = as.integer(batches), seed = seed, each = each, share = share, parts = parts
  )
}

# The release, as that of run_batches().
run_batches_interval <- function(x, y, plan, source) {
  fits <- sided_fits(x, y, plan, source)
  drawn <- lapply(seq_along(plan$parts), function(j) {
    quantile_interval(fits[, j, drop = FALSE], 0.5, plan$share, plan$parts[[j]], plan$each, source)
  })
  limits <- lapply(seq_along(drawn), function(j) {
    drawn[[j]]$interval + c(-1, 1) * rounding_room(plan$parts[[j]])
  })
  list(estimate = vapply(drawn, `[[`, 0, "estimate"), exact = TRUE, interval = do.call(rbind, limits))
}

# A fit a row; coefficients that a batch does not determine lie beyond all limits, on either side with
# probability one half. As many coins are drawn whatever the data are. PRIVATE.
sided_fits <- function(x, y, plan, source) {
  side <- (2 * draw_below(plan$batches, 2, source) - 1) * 2^1023
  fits <- batch_fits(x, y, plan$batches, plan$seed, rep_len(NA_real_, NCOL(x) + 1), partly = TRUE)
  none <- is.na(fits)
  fits[none] <- side[row(fits)[none]]
  fits
}

# What limits are moved outwards by.
rounding_room <- function(prior) {
  2^-30 * if (inherits(prior, "dp_prior_normal")) 72 * prior$sd else prior$upper - prior$lower
}

# -- the rows of a batch, from public numbers ---------------------------------------------------------

# Each of d coefficients has `share` of epsilon, and batches that many as an interval takes.
check_interval_size <- function(size, n, d, share, each) {
  if (share < 1e-6) {
    stop_input("epsilon", sprintf("at least 1e-6 for each of %d intervals", d), format(share * d))
  }
  least <- floor(least_interval_budget / share) + 1
  most <- floor(n / least)
  if (most < max(d, size)) {
    stop_input("interval", sprintf("NULL with so few rows for this `epsilon`, which %d intervals share", d),
               sprintf("asked for with %s rows and epsilon = %s", grouped(n), format(share * d)),
               sprintf("Intervals take at least %s batches, so %s rows with this `epsilon`%s.",
                       grouped(least), grouped(least * max(d, size)),
                       if (is.null(size)) "; or a larger `epsilon`, or fewer terms" else " and `size`"))
  }
  if (is.null(size)) choose_interval_size(n, d, share, each, most) else size
}

# The size with the least expected width for normal data; to within a few percent, found once.
choose_interval_size <- function(n, d, share, each, most) {
  key <- sprintf("batches %.0f %d %a %a", n, d, share, each)
  if (is.null(intervals_found[[key]])) {
    most <- min(most, 12 * d + 60)
    sizes <- unique(round(exp(seq(log(d), log(most), length.out = 16))))
    width <- vapply(sizes, function(size) {
      found <- coefficient_width(n, d, size, each, share, fine = FALSE)
      found$width * (1 + 4 * found$infinite)
    }, 0)
    assign(key, sizes[[which.min(width)]], intervals_found)
  }
  intervals_found[[key]]
}

# The expected width of a slope's interval, in units of the errors' spread over the regressor's, where both
# are normal: that of normal rows (limits_width()), quantile by quantile.
coefficient_width <- function(n, d, size, each, share, fine = TRUE) {
  batches <- n %/% size
  plan <- if (fine) interval_plan(batches, 0.5, each, share) else interval_plan_of(batches, 0.5, each, share)
  found <- limits_width(batches, plan, 100, fine)
  # the normal law's sixth standard deviation stands for all beyond
  found$width <- 2 * fit_quantiles(size, d)(stats::pnorm(min(found$width / 2, 6)))
  c(found, list(far = max(plan$early)))
}

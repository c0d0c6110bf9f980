# Indicators of flags and levels that few rows have: errors of their coefficients, by public rules.
#
# METHOD: a share s of the rows has the indicator, and a share b the reference level. Shifts of the levels'
#   fits by t and u lower regression depth by n f (s |t| + b |u|), f the errors' density at their median, so
#   that a draw's t and u have Laplace distributions with rates epsilon n s f / 2 and epsilon n b f / 2. A
#   level's fit that is anywhere costs n s / 2 of depth, and no more: limits outweigh it where that is little.
#   Batches: least squares of m rows determine the coefficient where both levels occur, with the variance
#   1/k + 1/l of k and l rows that have them.
# REFERENCE: mech-regression.R, mech-batches.R. Against simulations: see plan_regression().

# Root mean squared error of the coefficient, sampling included, in the errors' spread.
indicator_error <- function(n, p, epsilon, share, base) {
  rate <- epsilon * n * stats::dnorm(0) / 2
  sampling <- pi / (2 * n) * (1 / share + 1 / base)
  (1 + 0.03 * p) * sqrt(sampling + 2 * (p + 2) / 3 / rate^2 * (1 / share^2 + 1 / base^2))
}

# The chance that it is noise as wide as limits that are `half` of the errors' spread to each side.
indicator_failure <- function(n, p, epsilon, share, half) {
  rows <- n * share
  lost <- rows / 2 - 0.2 * (p - 1) * sqrt(rows)
  stats::plogis(log(half * epsilon * rows * stats::dnorm(0) / 2) - epsilon / 2 * lost)
}

# The rows times epsilon from which on that chance is below one in 1000, for limits of 50 spreads to each side
# and without limits.
min_indicator_rows <- c(limits = 55, dyadic = 85)

# -- other quantiles -------------------------------------------------------------------------------

# The score of a fit with the shift t of one level's rows is that of these rows plus that of the others: the
# least of what count above and below it, weighted or less what is expected (mech-regression-weights.R). So
# the shifts of two levels have distributions of their own, found by sums over a public grid. Of `rows` rows:
# mean and variance of the shift, in the errors' spread, and the chance that it is anywhere within the limits.
# Where one side of a far fit costs less than the other, draws go there.
level_law <- function(tau, shifted, rows, p, epsilon, half) {
  most <- max(tau, 1 - tau)
  rate <- epsilon * rows / (2 * most * (1 + shifted))
  size <- 10^seq(-4, 2, length.out = 241)
  t <- c(-rev(size), size)
  below <- stats::pnorm(stats::qnorm(tau) + t)
  score <- if (shifted) -abs(below - tau) else pmin(tau * (1 - below), (1 - tau) * below)
  best <- if (shifted) 0 else tau * (1 - tau)
  far <- if (shifted) -c(tau, 1 - tau) else c(0, 0)
  # each point of the grid stands for a part of its size
  law <- abs(t) * pmax(exp(rate * (score - best)) - exp(rate * (max(far) - best)), 0)
  near <- law * (abs(t) < 5) / sum(law[abs(t) < 5])
  mean <- sum(near * t)
  # as in indicator_error(): other regressors widen draws
  wider <- sqrt((p + 2) / 3)
  mass <- sum(law) * wider * log(10) * 6 / 240
  scatter <- sqrt(tau * (1 - tau) / rows) * if (shifted) 1 else sqrt((tau^2 + (1 - tau)^2) / 2)
  lost <- best - max(far) - 0.4 * (p - 1) * scatter
  odds <- log(half * sum(exp(rate * (far - max(far))))) - log(mass) - rate * lost
  c(mean = wider * mean, variance = wider^2 * sum(near * (t - mean)^2), failure = stats::plogis(odds))
}

# As indicator_error() and indicator_failure(). Draws by weighted counts lie nearer to the median, those of
# fewer rows by more. `epsilon`: of the quantile.
quantile_indicator <- function(n, p, epsilon, tau, shifted, share, base, half) {
  own <- level_law(tau, shifted, n * share, p, epsilon, half)
  other <- level_law(tau, shifted, n * base, p, epsilon, half)
  sampling <- tau * (1 - tau) / (n * stats::dnorm(stats::qnorm(tau))^2) * (1 / share + 1 / base)
  noise <- own[["variance"]] + other[["variance"]] + (own[["mean"]] - other[["mean"]])^2
  c(error = (1 + 0.03 * p) * sqrt(sampling + noise), failure = max(own[["failure"]], other[["failure"]]))
}

# -- batches ---------------------------------------------------------------------------------------

# Of least squares of `size` rows with d coefficients, of which the factor has `own`: the chance that it
# determines the indicator's, and the density at the truth of what it then is, that chance included.
indicator_fit <- function(size, d, share, base, own = 1) {
  others <- max(d - 1 - own, 0)
  freedom <- sqrt(max(size - others, 0.5) / size)
  if (size > 400) {
    known <- 1 - (1 - share)^size - (1 - base)^size + max(1 - share - base, 0)^size
    usual <- sqrt(size * share * base / (share + base))
    return(c(known = known, density = stats::dnorm(0) * known * usual * freedom))
  }
  with_flag <- seq_len(size - 1)
  have <- stats::dbinom(with_flag, size, share)
  # given k rows that have it, the others have the reference level with chance base / (1 - share)
  found <- vapply(with_flag, function(k) {
    l <- seq_len(size - k)
    chance <- stats::dbinom(l, size - k, min(1, base / (1 - share)))
    c(sum(chance), sum(chance * sqrt(k * l / (k + l))))
  }, numeric(2))
  c(known = sum(have * found[1, ]), density = stats::dnorm(0) * sum(have * found[2, ]) * freedom)
}

# The share of such fits at z and beyond, in the errors' spread: those that are not determined lie by halves
# on either side of everything.
indicator_tail <- function(size, d, share, base, own = 1) {
  fit <- indicator_fit(size, d, share, base, own)
  known <- fit[["known"]]
  spread <- stats::dnorm(0) * known / fit[["density"]]
  function(z) (1 - known) / 2 + known * stats::pnorm(-z / spread)
}

# As indicator_error() and indicator_failure(), of the median of so many batches' fits.
indicator_batches <- function(batches, size, d, epsilon, share, base, own, half) {
  fit <- indicator_fit(size, d, share, base, own)
  rate <- epsilon * batches * fit[["density"]] / 2
  # the depth lost where the coefficient is anywhere leaves the others that much room, too
  lost <- epsilon * batches * fit[["known"]] / 4
  c(error = sqrt(1 / (4 * batches * fit[["density"]]^2) + (d + 1) * (d + 2) / 3 / rate^2),
    failure = stats::plogis(log(half * rate) + (d - 1) * log(max(1, lost / d)) - lost))
}

# Levels that equally many rows have, by a formula and declared levels alone: a row for each count of
# indicators.
even_shares <- function(indicators) {
  indicators <- unique(indicators[indicators > 0])
  data.frame(share = 1 / (indicators + 1), base = 1 / (indicators + 1), own = indicators)
}

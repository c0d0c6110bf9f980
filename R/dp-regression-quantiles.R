# Quantiles of a private regression: their weights, and which of two scores a draw is by.
#
# METHOD: rows on or above a fit weigh `above` on one side of a split, those on or below it `below` on the
#   other, tau = above / (above + below). The score is the least weight over splits; or, shifted, the least
#   number of such rows less what is expected of it at the quantile, in parts of above + below. A row moves
#   the first by max(above, below) at most, the second by twice that.
# REFERENCE: vignettes/proofs-regression-exponential.Rmd, section 1.

# Is the draw of each quantile by the shifted score? It separates near fits better, and far ones worse: fits
# above the data (for a small tau, below) score n min(tau, 1 - tau) less than the best, of a sensitivity of 2
# max(tau, 1 - tau): what n rows with an epsilon of `worth` have for the median. Three times what a draw needs
# that is no noise under limits of 50 spreads, since limits may be wider. Else the weighted depth.
shifted_serves <- function(n, terms, epsilon, tau, prior, directions) {
  p <- slope_count(terms)
  k <- length(terms)
  worth <- epsilon * pmin(tau, 1 - tau) / pmax(tau, 1 - tau)
  enough <- if (is_dyadic(prior)) vapply(worth, function(w) dyadic_regression_serves(n, k - 1L, w), NA)
            else n * worth >= 80 * k & !far_fits_prevail(n, p, worth, directions)
  fits <- vapply(tau, function(tau) 2 * max(quantile_weights(tau)) * n <= 2^29, NA)
  has_intercept(terms) & tau != 0.5 & enough & fits
}

# What a release says of it.
shifted_text <- function(tau, shifted) {
  if (!any(shifted)) return("")
  sprintf(", counts less their expectation%s",
          if (all(shifted)) "" else paste(" for tau =", toString(vapply(tau[shifted], format, ""))))
}

# What each quantile has of epsilon: shares that do not pass the whole by rounding.
quantile_share <- function(epsilon, tau) {
  epsilon / length(tau) * (if (length(tau) > 1) 1 - 2^-40 else 1)
}

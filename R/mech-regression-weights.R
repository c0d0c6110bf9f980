# Quantiles of a private regression: checks, their weights as whole numbers, and which of two scores a draw is
# by.
#
# METHOD: rows on or above a fit weigh `above` on one side of a split, those on or below it `below` on the
#   other, tau = above / (above + below). The score is the least weight over splits; or, shifted, the least
#   number of such rows less what is expected of it at the quantile, in parts of above + below. A row moves
#   the first by max(above, below) at most, the second by twice that.
# REFERENCE: vignettes/proofs-regression-exponential.Rmd, section 1.

check_taus <- function(tau, n) {
  must <- "one or more increasing numbers between 0 and 1, fractions with denominators of at most 1000"
  if (!is.numeric(tau) || is.object(tau) || length(tau) == 0 || length(dim(tau)) > 1) {
    stop_input("tau", must, describe(tau))
  }
  if (!all(is.finite(tau)) || any(tau <= 0 | tau >= 1) || is.unsorted(tau, strictly = TRUE)) {
    stop_input("tau", must, if (length(tau) == 1) format(tau) else "numbers of which some are not")
  }
  tau <- as.vector(as.double(tau))
  for (k in seq_along(tau)) {
    weights <- quantile_weights(tau[[k]])
    was <- function() describe_numbers(tau, seq_along(tau) == k, digits = 15)
    if (is.null(weights)) stop_input("tau", must, was())
    if (max(weights) * n > 2^29) {
      stop_input("tau", "fractions with smaller denominators for so many rows", was())
    }
  }
  tau
}

# Each quantile's share must be an epsilon that the sampler takes; shares are rounded down.
check_shares <- function(epsilon, tau) {
  if (length(tau) > 1 && epsilon < length(tau) * 1.001e-6) {
    stop_input("epsilon", sprintf("at least %s for %d quantiles, which share it",
                                  format(length(tau) * 1.001e-6), length(tau)),
               format(epsilon), "Ask for fewer quantiles.")
  }
}

# Whole numbers above : below with tau = above / (above + below), and 1 where the score is shifted; NULL if
# there are none so small.
quantile_weights <- function(tau, shifted = FALSE) {
  whole <- 2:1000
  above <- round(tau * whole)
  # neither weight is 0: a tau nearer to 0 or 1 than 1 / 1000 has none
  fits <- which(abs(tau * whole - above) < 1e-9 & above > 0 & above < whole)
  if (length(fits) == 0) return(NULL)
  whole <- whole[[fits[[1]]]]
  c(as.integer(c(round(tau * whole), whole - round(tau * whole))), if (shifted) 1L)
}

tau_terms <- function(terms, tau) {
  if (length(tau) == 1) return(terms)
  paste0(rep(terms, length(tau)), ", tau ", rep(vapply(tau, format, ""), each = length(terms)))
}

# Is the draw of each quantile by the shifted score? It separates near fits better, and far ones worse: fits
# above the data (for a small tau, below) score n min(tau, 1 - tau) less than the best, of a sensitivity of
# 2 max(tau, 1 - tau): what n rows with an epsilon of `worth` have for the median. Three times what a draw
# needs that is no noise under limits of 50 spreads, since limits may be wider. Else the weighted depth.
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

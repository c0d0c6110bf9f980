# Plans of quantile regressions: a slope's error and the chance of noise for each tau, from public numbers.
#
# METHOD: for normal regressors and errors, the score of a fit at distance (a, s) from the quantile's, a in
#   the intercept and s in the slopes' length, is an integral, h(a, s). The distribution exp(epsilon h / (2
#   d)), d what a row moves the score by, has its mean square of a slope and its mass by sums over a public
#   grid of polar coordinates; against this mass stands that of the limits, where the score is what far fits
#   have.
# REFERENCE: mech-regression-weights.R; vignettes/proofs-regression-exponential.Rmd, section 1.

# A row for each quantile, which share epsilon, and for each share of the rows: the columns of
# regression_errors(), and tau and shifted.
tau_errors <- function(n, p, epsilon, tau, prior, unit, shape) {
  share <- epsilon / length(tau)
  directions <- default_fit_directions(p, n, min(quantile_worth(epsilon, tau)))
  terms <- plan_terms(p)
  exact <- exact_regression_serves(n, p)
  shifted <- exact & shifted_serves(n, terms, share, tau, prior, directions)
  half <- if (is_dyadic(prior)) dyadic_width * unit else stats::median(prior_units(prior)$half)
  found <- mapply(quantile_law, tau, shifted,
                  MoreArgs = list(n = n, p = p, epsilon = share, half = half / unit, directions = directions))
  wide <- if (is_dyadic(prior)) Inf else sqrt(mean(prior_units(prior)$wide^2))
  lost <- n * share < min_budget | found["failure", ] > most_failure
  held <- vapply(tau, function(tau) max(quantile_weights(tau)) * n <= 2^29, NA)
  out <- data.frame(
    method = "exponential", guarantee = "pure", tau = tau, shifted = shifted,
    n = n, p = p, epsilon = epsilon, delta = 0, batches = NA_integer_,
    error = ifelse(lost, wide, unit * found["error", ]), failure = found["failure", ], beyond = lost,
    chosen = exact & held
  )
  with_shares(out, c(shape, quantiles = length(tau)),
              if (is_dyadic(prior)) dyadic_width else half / shape$noise, wide, is_dyadic(prior))
}

plan_terms <- function(p) c("(Intercept)", paste0("x", seq_len(p)))

# What dp_regression() refuses of quantiles, with its words.
check_plan_taus <- function(tau, n, p, epsilon, prior) {
  tau <- check_taus(tau, if (is.null(n)) 4L else n)
  if (!is.null(epsilon)) check_shares(epsilon, tau)
  check_exact_regression(if (is.null(n)) 4L else n, p, tau = tau)
  check_unlimited_regression(prior, p, tau = tau)
  tau
}

# The root mean squared error of a slope, of fits that are near the data, and the chance that one is not.
# `half`: of the limits' width, in scales. `scatter`: of draws about the deepest fit.
quantile_law <- function(tau, shifted, n, p, epsilon, half, directions) {
  shape <- quantile_profile(tau, shifted)
  most <- max(tau, 1 - tau)
  rate <- epsilon * n / (2 * most * (1 + shifted))
  # on a logarithmic grid of radii; in parts of the distribution's peak
  law <- exp(rate * (shape$score - shape$best)) - exp(rate * (shape$far - shape$best))
  mass <- outer(shape$radius^(p + 1), sin(shape$angle)^(p - 1)) * pmax(law, 0)
  near <- mass * (shape$radius < 5)
  spread <- sum(near * outer(shape$radius, sin(shape$angle))^2) / sum(near) / p
  sphere <- log(2) + p / 2 * log(pi) - lgamma(p / 2)
  peak <- log(sum(mass) * shape$cell) + sphere + rate * (shape$best - shape$far)
  # the deepest fit of a sample is less deep, by what is that of the median there
  scatter <- sqrt(tau * (1 - tau) / n) * if (shifted) 1 else sqrt((tau^2 + (1 - tau)^2) / 2)
  far <- if (p > 1) far_log_weight(n, p, 2 * min(tau, 1 - tau) * epsilon, directions) else 0
  odds <- (p + 1) * log(2 * half) + far - peak + rate * 0.4 * p * scatter
  density <- stats::dnorm(stats::qnorm(tau))
  c(error = (1 + 0.03 * p) * sqrt(tau * (1 - tau) / (n * density^2) + spread), failure = stats::plogis(odds),
    scatter = sqrt(spread))
}

# The score in parts of n: its value on a grid, at the quantile, and far away. Found once for each tau.
quantile_profile <- function(tau, shifted) {
  remembered(intervals_found, sprintf("profile %a %d", tau, shifted), {
    angle <- (seq_len(48) - 0.5) / 48 * pi
    radius <- 10^seq(-4, 2, length.out = 121)
    x <- stats::qnorm((seq_len(100) - 0.5) / 100)
    score <- vapply(angle, function(angle) {
      away <- outer(radius * sin(angle), x) + radius * cos(angle)
      below <- stats::pnorm(stats::qnorm(tau) + away)
      rowMeans(ifelse(away > 0, quantile_part(tau, 1 - below, 1 - tau, shifted),
                      quantile_part(1 - tau, below, tau, shifted)))
    }, radius)
    list(angle = angle, radius = radius, score = score, cell = pi / 48 * log(10) / 20,
         best = if (shifted) 0 else tau * (1 - tau), far = if (shifted) -min(tau, 1 - tau) else 0)
  })
}

# What rows on one side of a split count, of which a share is on the side of the fit that counts.
quantile_part <- function(weight, share, expected, shifted) if (shifted) share - expected else weight * share

# What the print of a plan says where the door warns.
quantile_caution <- function(x) {
  plan <- attr(x, "plan")
  directions <- default_fit_directions(plan$p, x$n[[1]], min(quantile_worth(x$epsilon[[1]], plan$tau)))
  shallow_text(x$n[[1]], plan_terms(plan$p), x$epsilon[[1]] / length(plan$tau), plan$tau, plan$prior,
               directions)
}

# -- indicators ------------------------------------------------------------------------------------

# The columns that a formula makes of factors: indicators of each factor, and the shares of the rows that have
# them. `noise`: the errors' spread.
check_shape <- function(indicators, p, shares = NULL, noise = 1) {
  if (!is.numeric(indicators) || is.object(indicators) || length(indicators) == 0) {
    stop_input("indicators", "one or more whole numbers, the indicators of each factor", describe(indicators),
               "A factor of four levels has three.")
  }
  indicators <- vapply(as.vector(indicators), check_count, 0L, arg = "indicators", lower = 0L, upper = 1e4)
  indicators <- indicators[indicators > 0]
  flags <- length(indicators) == 0 && !is.null(shares)
  if (flags) indicators <- rep_len(1L, length(shares))
  if (sum(indicators) > p) {
    stop_input(if (flags) "shares" else "indicators",
               sprintf("together at most p = %d, since each is a regressor", p), sum(indicators))
  }
  list(indicators = indicators, noise = noise,
       shares = if (is.null(shares)) even_shares(indicators) else check_shares_given(shares, indicators))
}

# A row for each share and that of its reference level.
check_shares_given <- function(shares, indicators) {
  total <- sum(indicators)
  must <- sprintf("NULL, one number or %d, the share of the rows that have each indicator", total)
  if (!is.numeric(shares) || is.object(shares) || !length(shares) %in% c(1, total)) {
    stop_input("shares", must, describe(shares))
  }
  if (!all(is.finite(shares) & shares > 0 & shares < 1)) {
    stop_input("shares", "numbers between 0 and 1", "others", "A flag that 7 of 100 rows have has 0.07.")
  }
  shares <- rep_len(as.double(shares), total)
  factor <- rep(seq_along(indicators), indicators)
  base <- 1 - vapply(split(shares, factor), sum, 0)[factor]
  if (any(base <= 0)) {
    stop_input("shares", "below 1 together for the indicators of one factor", format(1 - min(base)),
               "The rest is the share of its first level.")
  }
  unique(data.frame(share = shares, base = unname(base), own = indicators[factor]))
}

# Below each method's row those of the indicators' shares. `wide`: the error where only the limits are known;
# `half`: of the limits' width, in the errors' spread.
with_shares <- function(out, shape, half, wide, dyadic) {
  if (is.null(out) || NROW(shape$shares) == 0) return(out)
  rows <- lapply(seq_len(nrow(out)), function(i) {
    each <- lapply(seq_len(nrow(shape$shares)), function(k) {
      share_row(out[i, ], shape$shares[k, ], shape$noise, half, wide, dyadic, shape$quantiles)
    })
    do.call(rbind, c(list(cbind(out[i, ], share = NA_real_)), each))
  })
  out <- do.call(rbind, rows)
  row.names(out) <- NULL
  first <- match("batches", names(out))
  out[c(names(out)[seq_len(first)], "share", setdiff(names(out)[-seq_len(first)], "share"))]
}

share_row <- function(row, share, noise, half, wide, dyadic, quantiles) {
  found <- if (row$beyond) c(error = wide, failure = row$failure)
           else share_error(row, share, half, dyadic, quantiles)
  failure <- 1 - (1 - row$failure) * (1 - found[["failure"]])
  most <- if (row$guarantee == "approximate") 1 - min_pass else most_failure
  row$error <- if (!row$beyond && failure <= most) noise * found[["error"]] else wide
  if (!row$beyond) row$failure <- failure
  row$beyond <- row$beyond || failure > most
  cbind(row, share = share$share)
}

# `quantiles`: how many share epsilon; NULL for the median alone.
share_error <- function(row, share, half, dyadic, quantiles = NULL) {
  if (!is.null(quantiles)) {
    return(quantile_indicator(row$n, row$p, row$epsilon / quantiles, row$tau, row$shifted, share$share,
                          share$base, half))
  }
  if (row$method == "batches") {
    # limits of a thousand spreads of a fit, as for the others
    return(indicator_batches(row$batches, row$n %/% row$batches, row$p + 1, row$epsilon, share$share,
                             share$base,
                         share$own, if (dyadic) dyadic_width else 1000))
  }
  rarest <- min(share$share, share$base)
  c(error = indicator_error(row$n, row$p, row$epsilon, share$share, share$base),
    failure = indicator_failure(row$n, row$p, row$epsilon, rarest, half))
}

# The errors of the coefficients of flags and levels in the plan of a private regression.

# The columns that a formula makes of factors: indicators of each factor, products, and the shares of the rows
# that have them. `noise`: the errors' spread.
check_shape <- function(indicators, products, p, shares = NULL, noise = 1) {
  if (!is.numeric(indicators) || is.object(indicators) || length(indicators) == 0) {
    stop_input("indicators", "one or more whole numbers, the indicators of each factor", describe(indicators),
               "A factor of four levels has three.")
  }
  indicators <- vapply(as.vector(indicators), check_count, 0L, arg = "indicators", lower = 0L, upper = 1e4)
  indicators <- indicators[indicators > 0]
  products <- check_count(products, "products", 0L, upper = 1e4)
  flags <- length(indicators) == 0 && !is.null(shares)
  if (flags) indicators <- rep_len(1L, length(shares))
  if (sum(indicators) + products > p) {
    stop_input(if (flags) "shares" else "indicators",
               sprintf("together with `products` at most p = %d, since each is a regressor", p),
               sum(indicators) + products)
  }
  list(indicators = indicators, products = products, noise = noise,
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

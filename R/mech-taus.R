# Quantiles that a regression is asked for: checks, and their weights as whole numbers.

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

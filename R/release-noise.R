# Limits of a release's noise alone, from its public distribution, at no cost. They do not cover sampling.
#
# METHOD: `details$noise_form` of a release has the distribution of the noise, whole numbers: "Laplace" with
# its rate (P(z) proportional to exp(-rate |z|)) or "Gaussian" with its variance; `unit`, what one of them
# moves each estimate by; `rounding`, what the rounding of rows may move it by; and `sums`, how many numbers
# with noise an estimate is computed from, which share the error probability. REFERENCE: Canonne, Kamath and
# Steinke (2020), Proposition 25, for Gaussian noise of many steps.

# The least k with P(|Z| <= k) >= level.
noise_reach <- function(law, level) {
  if (law$noise == "Laplace") {
    q <- exp(-law$rate)
    return(max(0, ceiling(log(2 / ((1 - level) * (1 + q))) / law$rate * (1 - 1e-12)) - 1))
  }
  sd <- sqrt(law$variance)
  # P(Z >= k + 1) is at most that of a normal variable at k
  if (sd > 2^12) return(ceiling(sd * stats::qnorm((1 - level) / 2, lower.tail = FALSE)))
  weight <- exp(-seq(0, ceiling(40 * sd) + 1)^2 / (2 * law$variance))
  beyond <- 2 * rev(cumsum(rev(weight)))[-1] / (2 * sum(weight) - 1)
  which(beyond <= 1 - level)[[1]] - 1
}

# A row for each estimate, columns "lower" and "upper".
noise_limits <- function(x, level) {
  law <- x$details$noise_form
  half <- noise_reach(law, 1 - (1 - level) / law$sums) * law$unit + law$rounding
  limits <- cbind(lower = x$estimate - half, upper = x$estimate + half)
  # a quotient of sums that lies between the bounds whatever the noise is
  if (law$sums > 1) limits[] <- pmin(pmax(limits, x$details$lower), x$details$upper)
  limits
}

has_noise_limits <- function(x) is.null(x$interval) && !is.null(x$details$noise_form)

noise_level <- function(level, arg) if (is.null(level)) 0.95 else check_number(level, arg, 0, 1)

# The certificate of a shift and a change of scale together: rigorous upper bounds of the
# hockey-stick divergence of product Laplace distributions.
#
# METHOD: P has centre alpha e_1, Q centre 0; the smaller scale is 1, the larger s = exp(lambda).
#   "up": P is the wider one, "down": Q is. The other d - 1 coordinates enter through their l1 norm
#   R, a Gamma(d - 1) variable: given R the divergence is that of one coordinate, at a threshold moved by the
#   log ratio of R's densities, which is monotone in R, so over a cell of R it is bounded by its value at
#   one end. Over an interval of ratios the densities are bounded by those of one end.
# REFERENCE: vignettes/proofs-smooth.Rmd, sections 3 and 4.

# Cells of R; more make the bound tighter, none makes it wrong.
divergence_cells <- 400L

# Rounding: relative and absolute, far above what the few operations below can lose.
divergence_pad <- function(value) value * (1 + 1e-9) + 1e-17

# One coordinate, P wider: integral of (p - exp(e) q)+, vectorised over e. lambda > 0.
divergence_up_line <- function(e, alpha, lambda) {
  kappa <- -expm1(-lambda)
  s <- exp(lambda)
  at_zero <- -alpha / s - lambda
  at_alpha <- alpha - lambda
  over <- pmax(e - at_zero, 0)
  left <- 0.5 * kappa * exp(-(alpha + over / kappa) / s)
  beyond <- 0.5 * kappa * exp(-pmax(e - at_alpha, 0) / (kappa * s))
  z <- pmin(over / (1 + 1 / s), alpha)
  between <- 1 - 0.5 * exp(-(alpha - z) / s) - 0.5 * exp(pmin(e, at_alpha) - z)
  out <- left + ifelse(e >= at_alpha, beyond, between)
  ifelse(e < at_zero, -expm1(pmin(e, 0)), out)
}

# One coordinate, Q wider. lambda >= 0.
divergence_down_line <- function(e, alpha, lambda) {
  kappa <- -expm1(-lambda)
  s <- exp(lambda)
  at_zero <- lambda - alpha
  at_alpha <- alpha / s + lambda
  over <- pmax(at_alpha - e, 0)
  below <- pmax(at_zero - e, 0)
  right <- ifelse(over > 0, over / kappa, 0) # beyond alpha; infinite for equal scales
  z <- ifelse(e >= at_zero, alpha - over / (1 + 1 / s), -ifelse(below > 0, below / kappa, 0))
  p <- 1 - 0.5 * exp(-right) - 0.5 * exp(-(alpha - z))
  upper_q <- 0.5 * exp(-(alpha + right) / s)
  q <- ifelse(z <= 0, 1 - upper_q - 0.5 * exp(pmin(z, 0) / s), 0.5 * exp(-pmax(z, 0) / s) - upper_q)
  # where nothing is above the threshold, no overflow of exp(e) either
  log_factor <- pmin(e, at_alpha)
  weighted <- ifelse(log_factor > 700, exp(log_factor + log(q)), exp(log_factor) * q)
  ifelse(over > 0, pmax(0, p - weighted), 0)
}

# Cells of R in units of the nearer distribution's scale: where they end, the probability of each by upper and
# by lower tails (whichever loses fewer digits), and what is beyond the last.
norm_cells <- function(d) {
  if (d == 1) return(NULL)
  far <- stats::qgamma(-60, d - 1, lower.tail = FALSE, log.p = TRUE)
  ends <- seq(0, far, length.out = divergence_cells + 1L)
  tail <- stats::pgamma(ends, d - 1, lower.tail = FALSE)
  list(ends = ends, upper = -diff(tail), lower = diff(stats::pgamma(ends, d - 1)),
       beyond = tail[[divergence_cells + 1L]])
}

# Upper bounds of the divergence at e in d coordinates.
divergence_up <- function(e, alpha, lambda, d, cells = norm_cells(d)) {
  if (d == 1) return(divergence_pad(divergence_up_line(e, alpha, lambda)))
  threshold <- e + (d - 1) * lambda - cells$ends[-1] * expm1(lambda)
  divergence_pad(sum(cells$upper * divergence_up_line(threshold, alpha, lambda)) + cells$beyond)
}

divergence_down <- function(e, alpha, lambda, d, cells = norm_cells(d)) {
  if (d == 1) return(divergence_pad(divergence_down_line(e, alpha, lambda)))
  # the last cell has no right end: its share is the upper tail
  share <- c(cells$lower, cells$beyond)
  threshold <- e - (d - 1) * lambda - cells$ends * expm1(-lambda)
  divergence_pad(sum(share * divergence_down_line(threshold, alpha, lambda)))
}

# Bound over all ratios exp(lambda), from <= lambda <= to, in both directions.
divergence_interval <- function(e, alpha, from, to, d, cells) {
  slack <- d * (to - from)
  max(exp(slack) * divergence_up(e - slack, alpha, to, d, cells),
      divergence_down(e - slack, alpha, from, d, cells))
}

# At one ratio, in both directions.
divergence_corner <- function(e, alpha, lambda, d, cells) {
  max(divergence_up(e, alpha, lambda, d, cells), divergence_down(e, alpha, lambda, d, cells))
}

# TRUE if the divergence at epsilon is proved to be at most delta for all shifts up to alpha times the
# smaller scale and all ratios within exp(+-beta). Intervals that do not pass are halved.
certify_noise <- function(alpha, beta, epsilon, delta, d, budget = 2000L) {
  cells <- norm_cells(d)
  stack <- list(c(0, beta))
  while (length(stack) > 0) {
    budget <- budget - 1L
    piece <- stack[[length(stack)]]
    stack[[length(stack)]] <- NULL
    if (divergence_interval(epsilon, alpha, piece[[1]], piece[[2]], d, cells) <= delta) next
    middle <- mean(piece)
    # no bound of a smaller interval can pass where its end does not
    if (budget <= 0 || diff(piece) < 1e-9 * beta) return(FALSE)
    if (divergence_corner(epsilon, alpha, middle, d, cells) > delta) return(FALSE)
    stack <- c(stack, list(c(piece[[1]], middle), c(middle, piece[[2]])))
  }
  TRUE
}

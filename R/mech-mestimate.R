# M-estimates of location without privacy, their influence functions and gross-error sensitivities.
#
# METHOD: widths of psi halve from the limits' to one scale, as in the private descent, then reweighting until
#   the centre rests. The influence function at x is M^-1 psi(x - T), M the mean derivative of psi at the
#   data, and its largest length is B over the least eigenvalue of M.
# REFERENCE: Hampel (1974); Huber (1981), sections 3.2 and 4.

# `bounds`: lower, upper, scale and distance.
mestimate_fit <- function(x, bounds, psi) {
  center <- bounds$lower / 2 + bounds$upper / 2
  wide <- max(0, ceiling(log2(bounds$distance / psi$tuning)))
  for (width in c(2^rev(seq_len(wide)), rep_len(1, 500))) {
    before <- center
    u <- unit_residuals(x, center, width * bounds$scale)
    weight <- psi_weight(psi, u$length)
    if (sum(weight) > 0) center <- center + width * bounds$scale * colSums(weight * u$u) / sum(weight)
    center <- pmin(pmax(center, bounds$lower), bounds$upper)
    if (width == 1 && all(abs(center - before) <= 1e-12 * bounds$scale)) break
  }
  slope <- mean_slope(x, center, bounds$scale, psi)
  minimum <- max(min(eigen(slope, symmetric = TRUE, only.values = TRUE)$values), 1 / nrow(x))
  list(estimate = center, slope = slope, gross_error = psi$bound / minimum)
}

unit_residuals <- function(x, center, unit) {
  u <- x
  for (j in seq_len(ncol(x))) u[, j] <- pmin(pmax((x[, j] - center[[j]]) / unit[[j]], -2^300), 2^300)
  list(u = u, length = sqrt(rowSums(u^2)))
}

# The mean derivative of psi at the rows: along a row psi'(r), across it psi(r)/r.
mean_slope <- function(x, center, scale, psi) {
  u <- unit_residuals(x, center, scale)
  along <- psi_slope(psi, u$length)
  across <- psi_weight(psi, u$length)
  direction <- u$u / pmax(u$length, 2^-500)
  crossprod(direction, (along - across) * direction) / nrow(x) + diag(mean(across), ncol(x))
}

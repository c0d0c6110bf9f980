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

# The chance that the noise of some step leads so far that those after it do not come back, and the mean
# square of what has not quite come back, in scales. The distance from the centre, in the width of a step, is
# followed over cells of 0.1; beyond 8 widths nothing comes back. `times`: of the noise.
descent_law <- function(plan, psi, distance, spread, times = 1) {
  cell <- 0.1
  at <- cell * (seq_len(81) - 1)
  edges <- c(-Inf, at[-1] - cell / 2, Inf)
  rows <- stats::qnorm((seq_len(25) - 0.5) / 25) * spread
  # the centre lies anywhere between the limits
  mass <- (at <= distance / plan$widths[[1]]) + 0
  mass <- mass / sum(mass)
  found <- list()
  for (t in seq_len(plan$steps)) {
    width <- plan$widths[[t]]
    sd <- signif(plan$sd_step[[t]] * times, 4)
    shrink <- width / plan$widths[[min(t + 1, plan$steps)]]
    key <- sprintf("%a %a %d", sd, shrink, if (width > 30 * spread) 0L else t)
    if (is.null(found[[key]])) {
      pull <- rowMeans(matrix(psi_value(psi, outer(at, rows / width, `+`)), 81))
      left <- at - pull / psi$bound * plan$sensitivity[[t]]
      found[[key]] <- descent_step(left, sd, shrink, edges, plan$noise)
    }
    mass <- drop(mass %*% found[[key]])
  }
  far <- at > min(5 * spread, 7.9)
  list(failure = plan$d * sum(mass[far]) / max(1, sum(mass)),
       late = sum((at^2 * mass)[at > 0.5 & !far]))
}

# From each cell to the cells of distances, in the next width; the last takes in what is lost, and keeps it.
descent_step <- function(left, sd, shrink, edges, noise) {
  below <- if (noise == "Gaussian") function(v) stats::pnorm(v / sd)
           else function(v) ifelse(v < 0, exp(v * sqrt(2) / sd) / 2, 1 - exp(-abs(v) * sqrt(2) / sd) / 2)
  up <- below(outer(-left, edges / shrink, `+`))
  down <- below(outer(-left, -edges / shrink, `+`))
  k <- length(left)
  # distances of either sign: the first cell has both sides of 0
  step <- (up[, -1] - up[, -(k + 1)]) + cbind(0, down[, 2:k] - down[, -(1:2)])
  step[, 1] <- up[, 2] - down[, 2]
  step[k, ] <- replace(numeric(k), k, 1)
  step
}

# -- psi -------------------------------------------------------------------------------------------

#
# METHOD: psi acts on the length r of a residual in units of a public scale, and keeps its direction:
#   psi(r)/r = 1 near 0 for all. Huber: min(1, c/r). Tukey's bisquare: (1 - (r/c)^2)^2 up to c, then 0.
#   Logistic: tanh(r/c)/(r/c).
# REFERENCE: Huber (1964); Beaton and Tukey (1974); Coleman et al. (1980) for the constants.

psi_kinds <- c("huber", "tukey", "logistic")

# The constants have 95% of the mean's efficiency for normal rows of one variable. For lengths of d variables:
# as large a share of normal rows is beyond.
psi_make <- function(kind, tuning = NULL, d = 1L) {
  if (is.null(tuning)) {
    tuning <- c(huber = 1.345, tukey = 4.685, logistic = 1.205)[[kind]]
    beyond <- stats::pchisq(tuning^2, 1, lower.tail = FALSE)
    if (d > 1) tuning <- sqrt(stats::qchisq(beyond, d, lower.tail = FALSE))
  }
  list(kind = kind, tuning = tuning,
       bound = if (kind == "tukey") tuning * 16 / (25 * sqrt(5)) else tuning)
}

check_psi <- function(psi, tuning, d = 1L) {
  kind <- check_choice(psi, psi_kinds, "psi")
  if (!is.null(tuning)) tuning <- check_number(tuning, "tuning", 0.1, 100, closed = c(TRUE, TRUE))
  psi_make(kind, tuning, d)
}

# psi(r)/r, r >= 0, each of its own r only. Infinite r have weight 0.
psi_weight <- function(psi, r) {
  s <- pmax(r / psi$tuning, 2^-500)
  switch(psi$kind, huber = 1 / pmax(1, s), tukey = (1 - pmin(s, 1)^2)^2, logistic = tanh(s) / s)
}

# psi(u) for a number of either sign.
psi_value <- function(psi, u) {
  r <- pmin(abs(u), 2^300)
  sign(u) * r * psi_weight(psi, r)
}

# The derivative of psi.
psi_slope <- function(psi, r) {
  s <- pmin(abs(r) / psi$tuning, 2^300)
  switch(psi$kind, huber = (s <= 1) + 0, tukey = ifelse(s < 1, (1 - s^2) * (1 - 5 * s^2), 0),
         logistic = 1 / cosh(pmin(s, 300))^2)
}

# By how much the mean of psi answers to a shift: its mean derivative for normal rows of d variables with
# standard deviations of `spread`, but at least 0.6: a step divides by it, and rows that agree answer by 1.
# Public numbers only. `spread`: one or several.
psi_answer <- function(psi, d = 1L, spread = 1) {
  lengths <- sqrt(stats::qchisq((seq_len(400) - 0.5) / 400, d))
  vapply(spread, function(times) {
    r <- times * lengths
    max(0.6, mean(psi_slope(psi, r) / d + (d - 1) / d * psi_weight(psi, r)))
  }, 0)
}

# Bounded score functions psi of M-estimation: weights, slopes, bounds and usual tuning constants.
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

# Slow twins of the restricted regression on a small grid of fits.

# Closed regression depth counts of the fits of a grid (intercept, slope), from the definition: all splits of
# the line, between different x and beyond all.
slow_fit_counts <- function(fits, rows) {
  u <- sort(unique(rows[, 1]))
  at <- c(u[[1]] - 1, (u[-1] + utils::head(u, -1)) / 2, utils::tail(u, 1) + 1)
  side <- sign(outer(rows[, 1], at, `-`))
  # whole numbers: sum of [r s >= 0] = (n + #{r = 0} + sum of sign(r) s)/2
  residual <- sign(rows[, 2] - outer(rows[, 1], fits[, 2]) - rep(fits[, 1], each = nrow(rows)))
  turned <- abs(crossprod(side, residual))
  (nrow(rows) + colSums(residual == 0) - apply(turned, 2, max)) / 2
}

fit_grid <- function(intercepts, slopes) unname(as.matrix(expand.grid(intercepts, slopes)) + 0)

# The largest closed depth of y among the rows of one x: the levels up to it are unbounded.
slow_unbounded <- function(rows) {
  max(tapply(rows[, 2], rows[, 1], function(y) {
    max(pmin(colSums(outer(y, y, `<=`)), colSums(outer(y, y, `>=`))))
  }))
}

# Counts of all levels, and draws.
restricted_fits <- function(draws, rows, level, rate, rng = "system") {
  .Call(ffi_regression_restricted, rng, unname(rows) + 0, as.integer(level), rate, as.integer(draws))
}

fit_margin_of <- function(rows, level, rate, delta) {
  restricted_fit_margin(restricted_fits(0, rows, 1, 1)[[1]], level, nrow(rows), rate, delta)
}

# Draws against the law by brute force: many fits at the base level, and few above.
restricted_fit_draw_is_wrong <- function(draws = 20000) {
  rows <- cbind(c(-3, -2, -1, 0, 0, 1, 2, 3, 3), c(2, -4, 5, -1, 3, 0, -3, 4, 1))
  grid <- fit_grid(-40:40, -12:12)
  depth <- slow_fit_counts(grid, rows)
  wrong <- function(level, rate) {
    found <- restricted_fits(draws, rows, level, rate)[[2]]
    by <- order(depth)
    counts <- tabulate(cell_of(found, grid), nrow(grid))
    law_pvalue(counts[by], slow_draw_law(depth, level, rate)[by]) < ALPHA
  }
  wrong(3, 0.3) || wrong(3, 0.8)
}

# Nearly on a line, or with ties of x, or with rows far away.
near_line <- function(n, kind = sample(4, 1), top = 5) {
  x <- if (kind == 1) sample(-top:top, n, TRUE) else rep_len(sample(-top:top), n)
  y <- c(0, 1, -1)[[sample(3, 1)]] * x / 2 + round(rnorm(n, sd = c(0.01, 0.4, 1, 2)[[kind]]))
  rows <- cbind(x, pmin(pmax(round(y), -4), 4))
  far <- sample(0:3, 1)
  if (far > 0) rows[seq_len(far), 2] <- sample(c(-4, 4), far, TRUE)
  rows
}

fit_neighbour <- function(rows, top = 5) {
  rows[sample(nrow(rows), 1), ] <- c(sample(-top:top, 1), sample(-4:4, 1))
  rows
}

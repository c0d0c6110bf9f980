# slabs.R - intervals of a line in region-coverage.R and tau-coverage.R, and widths without privacy.

# The width of the set of slopes with a fit of more than t rows' depth, or, with weights, shifted count.
free_width <- function(x, y, t, truth, weights = NULL) {
  rows <- inner("slab_rows")(x, y, c(0, 1), NULL, weights)
  bounds <- inner("ffi_slab_bounds")
  deep <- function(b) .Call(bounds, rows, as.matrix(b), as.matrix(b), 50)[[1]] > t
  end <- function(side) {
    low <- 0
    high <- 50
    for (i in 1:16) {
      middle <- (low + high) / 2
      if (deep(truth + side * middle)) low <- middle else high <- middle
    }
    high
  }
  end(1) + end(-1)
}

# Of the line with intercept 1 and slope 2: whether the private intervals hold it, the slope's width, and
# that without privacy if there is a threshold `t`.
line_interval <- function(d, epsilon, t, tau = 0.5, weights = NULL) {
  y <- 1 + 2 * d$x + d$e
  limits <- dp_regression(y ~ x, data.frame(x = d$x, y = y), epsilon, lower = -50, upper = 50, tau = tau,
                          interval = 0.95)$interval
  c(all(limits[, 1] <= 1:2 & 1:2 <= limits[, 2]), limits[2, 2] - limits[2, 1],
    if (is.null(t)) NA else free_width(d$x, y, t, 2, weights))
}

# Of such numbers, a row each replicate.
interval_summary <- function(v, cell) {
  finite <- is.finite(v[, 2])
  width <- mean(v[finite, 2])
  data.frame(runs = nrow(v), coverage = mean(v[, 1]), width = signif(width, 4), open = mean(!finite),
             ratio = if (all(is.na(v[, 3]))) NA else signif(width / mean(v[, 3], na.rm = TRUE), 4))
}

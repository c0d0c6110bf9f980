# What the published private regressions share: public limits, rows in them, the release of a line.

# Bounds of one column: of sizes whose products and quotients doubles hold.
line_bounds <- function(lower, upper, arg = c("lower", "upper"), d = 1L, names = NULL) {
  bounds <- check_bounds(lower, upper, d, arg, names)
  size <- pmax(abs(bounds$lower), abs(bounds$upper))
  width <- bounds$upper - bounds$lower
  if (any(size > 2^200)) {
    stop_input(arg[[2]], sprintf("at most 2^200 in size, like `%s`", arg[[1]]), NULL,
               "Take larger units of the data.")
  }
  if (any(width < 2^-200 | width < 1e-7 * size)) {
    must <- "above `%s` by at least 2^-200 and 1e-7 of the size of the bounds"
    stop_input(arg[[2]], sprintf(must, arg[[1]]), "nearer",
               "Move the origin of the data near to them, or take wider ones.")
  }
  bounds
}

# Bounds of the regressor and of the response, for a method that takes one regressor.
line_limits <- function(x_lower, x_upper, lower, upper) {
  list(x = line_bounds(x_lower, x_upper, c("x_lower", "x_upper")), y = line_bounds(lower, upper))
}

# The rows of a formula with one regressor, or, without `line`, with any number. Rows for which
# `na = "middle"` stands are in the middle of the bounds, which are those of all regressors.
line_frame <- function(formula, data, na, min_n = 2L, line = TRUE, counted = FALSE) {
  frame <- public_frame(formula, data, na, counted = counted)
  if (line && ncol(frame$x) != 1) {
    stop_formula(sprintf("it has %d regressors, and this method takes one numeric regressor", ncol(frame$x)),
                 "dp_regress_adassp() and dp_regress_tukeyem() take more.")
  }
  if (nrow(frame$x) < min_n) {
    stop_input("data", sprintf("a data frame with at least %d rows", min_n),
               sprintf("one with %d", nrow(frame$x)))
  }
  frame
}

middle_of <- function(bounds) bounds$lower / 2 + bounds$upper / 2

fill_middle <- function(frame, limits) {
  if (length(frame$incomplete) == 0) return(frame)
  for (j in seq_len(ncol(frame$x))) frame$x[frame$incomplete, j] <- middle_of(limits$x)[[j]]
  frame$y[frame$incomplete] <- middle_of(limits$y)
  frame
}

# The release of a fit. `out`: list(estimate, details, released).
line_release <- function(out, frame, limits, na, paid, what, mechanism, call) {
  terms <- c("(Intercept)", colnames(frame$x))
  range <- function(b) if (is.null(b)) NULL else c(lower = b$lower, upper = b$upper)
  kept <- frame$kept[c("levels", "ordered", "logical")]
  release <- new_release(
    stats::setNames(out$estimate, terms), paid, mechanism = mechanism, n = nrow(frame$x),
    d = ncol(frame$x) + 1L, released = !isFALSE(out$released), call = call,
    details = c(
      list(what = what, formula = frame$kept$formula),
      if (!is.null(limits)) list(regressor = range(limits$x), response = range(limits$y)),
      out$details, kept[lengths(kept) > 0],
      na_detail(na),
      frame$kept$of_tally
    )
  )
  structure(release, class = c("dp_regression", class(release)))
}

# Values as shares of the way between the bounds, clipped; each by itself.
unit_values <- function(v, bounds) pmin(pmax((v - bounds$lower) / (bounds$upper - bounds$lower), 0), 1)

# The intercept and the slope, in the data's units, of the line b + a u in the unit square.
line_from_unit <- function(intercept, slope, limits) {
  wide <- limits$x$upper - limits$x$lower
  high <- limits$y$upper - limits$y$lower
  slope <- high * slope / wide
  c(limits$y$lower + high * intercept - slope * limits$x$lower, slope)
}

# The line with values p at the two quartiles of the unit interval, as one of the unit square.
unit_line_at <- function(p) {
  slope <- 2 * (p[[2]] - p[[1]])
  c(p[[1]] - slope / 4, slope)
}

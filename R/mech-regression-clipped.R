# Regressions of rows that are clipped to public bounds of the regressors and of the response: the bounds, the
# rows, the release.

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

# Bounds of both sides of a formula of p regressors. `limits`: as given.
regression_box <- function(limits, p, names) {
  for (arg in c("x_lower", "x_upper", "lower", "upper")) {
    if (is.null(limits[[arg]])) stop_input(arg, "given: a public bound", "missing")
  }
  list(x = line_bounds(limits$x_lower, limits$x_upper, c("x_lower", "x_upper"), p, names),
       y = line_bounds(limits$lower, limits$upper))
}

# The rows of a formula.
line_frame <- function(formula, data, na, min_n = 2L, counted = FALSE) {
  frame <- public_frame(formula, data, na, counted = counted)
  if (nrow(frame$x) < min_n) {
    stop_input("data", sprintf("a data frame with at least %d rows", min_n),
               sprintf("one with %d", nrow(frame$x)))
  }
  frame
}

# More rows have no lattice for exact sums.
most_sum_rows <- 2^26

check_sum_rows <- function(n) {
  if (n <= most_sum_rows) return(invisible(NULL))
  stop_input("data", "a data frame with at most 2^26 rows", sprintf("one with %.0f", n))
}

middle_of <- function(bounds) bounds$lower / 2 + bounds$upper / 2

# Rows for which `na = "middle"` stands are in the middle of the bounds.
fill_middle <- function(frame, box) {
  if (length(frame$incomplete) == 0) return(frame)
  for (j in seq_len(ncol(frame$x))) frame$x[frame$incomplete, j] <- middle_of(box$x)[[j]]
  frame$y[frame$incomplete] <- middle_of(box$y)
  frame
}

# What a release says of the bounds.
box_details <- function(box) {
  lapply(list(regressor = box$x, response = box$y), function(b) c(lower = b$lower, upper = b$upper))
}

# -- one regressor: lines in the unit square ---------------------------------------------------

# Values as shares of the way between the bounds, clipped; each by itself.
unit_values <- function(v, bounds) pmin(pmax((v - bounds$lower) / (bounds$upper - bounds$lower), 0), 1)

# The intercept and the slope, in the data's units, of the line b + a u in the unit square.
line_from_unit <- function(intercept, slope, box) {
  wide <- box$x$upper - box$x$lower
  high <- box$y$upper - box$y$lower
  slope <- high * slope / wide
  c(box$y$lower + high * intercept - slope * box$x$lower, slope)
}

# The line with values p at the two quartiles of the unit interval, as one of the unit square.
unit_line_at <- function(p) {
  slope <- 2 * (p[[2]] - p[[1]])
  c(p[[1]] - slope / 4, slope)
}

# Units in which the columns of data are compared, and numbers stay finite.

# Data, points and directions as the kernels take them. Drawn directions are for columns in units of their
# spread: the powers of two of that unit, which change no comparison, go to the columns, and the
# rest to the directions. Given ones are for the data as they are, in the unit `common`.
in_units <- function(data, directions, common, x = data[0, , drop = FALSE]) {
  u <- as_directions(directions, ncol(data))
  unit <- rep_len(common, ncol(data))
  if (!is_matrix_like(directions)) {
    spread <- .Call(ffi_column_spread, data)
    # where single numbers are so large that they would overflow, not quite that unit
    unit <- 2^floor(log2(pmax(spread, apply(abs(rbind(data, x)), 2, max) * 2^-900)))
    u <- t(unit_columns(t(u) * pmin(unit / spread, 2^1000)))
  }
  list(data = data / rep(unit, each = nrow(data)), x = x / rep(unit, each = nrow(x)), u = u, unit = unit)
}

# A column with its middle at zero and its quartiles about one apart.
comparable <- function(x) {
  x <- x - stats::median(x)
  size <- stats::quantile(abs(x), c(0.5, 0.75, 0.9, 1), names = FALSE)
  if (size[[4]] == 0) x else x / size[size > 0][[1]]
}

# A power of two that brings numbers near the largest double down, so that their sums are finite.
huge_unit <- function(...) {
  size <- max(0, vapply(list(...), function(x) if (length(x) > 0) max(abs(range(x))) else 0, 0))
  if (size > 2^900) 2^200 else 1
}

# A power of two near the data's spread.
spread_unit <- function(data) {
  unit <- huge_unit(data)
  unit * 2^round(log2(stats::median(.Call(ffi_column_spread, data / unit))))
}

# The restricted exponential mechanism over three variables: whole directions, bounds of regions, draws.

# Directions of whole numbers: exact projections of indexes.
whole_directions <- function(directions) {
  if (is.null(directions)) directions <- 500L
  u <- as_directions(directions, 3, add_axes = TRUE)
  # the volumes' rounding error is for so many halfspaces
  if (nrow(u) > 1003) stop_input("directions", "at most 1000 for this method", nrow(u))
  round(2^10 * u)
}

# As restricted_law(), by halfspace depth along the directions u. PRIVATE.
restricted_space_law <- function(rows, u, level, rate, delta, source, draws) {
  found <- .Call(ffi_restricted_space, rows, u, level)
  draw <- function() {
    count <- if (length(found[[2]]) > 0) draws else 0L
    .Call(ffi_restricted_space_draw, source, rows, u, level, rate, count)
  }
  list(margin = restricted_margin(found[[1]], found[[2]], nrow(rows), rate, delta), draw = draw)
}

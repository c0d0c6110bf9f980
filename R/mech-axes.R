# The median by depth along the axes: level sets are boxes, so the draw is exact for any number of variables.

axes_plan <- function() {
  list(exact = FALSE, axes = TRUE, directions = NULL, label = "halfspace, along the axes")
}

# The steps of the public lattice, as lattice_steps(). Public facts only.
axes_steps <- function(prior, names, resolution = NULL) {
  check_lattice_steps(.Call(ffi_axes_steps, prior_fields(prior, resolution)), names, resolution)
}

# Exact draws, one a row, for a matrix x of doubles and a prior of as many variables: pure epsilon-DP each.
draw_axes <- function(x, prior, epsilon, source, draws = 1L, resolution = NULL) {
  .Call(ffi_median_axes, source, x, prior_fields(prior, resolution), epsilon, draws)
}

# One of them, and last the level in whose box it was drawn, which is not for release.
draw_axes_level <- function(x, prior, epsilon, source, resolution = NULL) {
  .Call(ffi_median_axes_level, source, x, prior_fields(prior, resolution), epsilon)
}

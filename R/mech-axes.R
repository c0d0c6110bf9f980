# Draws from nested boxes, exact for any number of variables: the median by depth along the axes, whose level
# sets are boxes; boxes that are given.

axes_plan <- function() {
  list(exact = FALSE, axes = TRUE, directions = NULL, label = "halfspace, along the axes")
}

# The steps of the public lattice, as lattice_steps(). Public facts only.
axes_steps <- function(prior, names, resolution = NULL) {
  check_lattice_steps(.Call(ffi_axes_steps, prior_fields(prior, resolution)), names, resolution)
}

# Exact draws, one a row, for a matrix x of doubles and a prior of as many variables: pure epsilon-DP each. By
# depth along the axes, or by `ranks`: whole numbers of rows at or below and at or above a quantile of one
# variable, and whether rows beyond the prior's support count as rows at its ends. scored: in a last column,
# not for release, the score that all points of a draw's box have at least.
draw_axes <- function(x, prior, epsilon, source, draws = 1L, resolution = NULL, ranks = NULL,
                      scored = FALSE) {
  if (!is.null(ranks)) ranks <- as.integer(ranks)
  .Call(ffi_median_axes, source, x, prior_fields(prior, resolution), epsilon, ranks, draws, scored)
}

# The same of the median of one variable by its depth: rows beyond the support are beyond all points.
draw_middle <- function(x, prior, epsilon, source, draws = 1L, resolution = NULL) {
  side <- ceiling(nrow(x) / 2)
  draw_axes(x, prior, epsilon, source, draws, resolution, ranks = c(side, side, FALSE))
}

# One exact draw from nested boxes of whole numbers, a level a row, the first one public: the law has weight
# exp(epsilon k/2) where k levels, counted after the first, hold the point.
draw_boxes <- function(low, high, epsilon, source, draws = 1L) {
  .Call(ffi_draw_boxes, source, as.matrix(low), as.matrix(high), epsilon, draws)
}

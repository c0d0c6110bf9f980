# Directional depths whose worst direction is improved for each point by a search on the sphere.

# Counts of halfspace depth; the search counts in full in each direction it tries. Drawn
# directions are for columns in units of their spread, as in the directional method.
count_refined <- function(x, data, directions) {
  if (ncol(data) == 1 || nrow(x) == 0) return(rep(Inf, nrow(x)))
  u <- as_directions(directions, ncol(data))
  if (!is_matrix_like(directions)) {
    u <- t(unit_columns(t(u) / .Call(ffi_column_spread, data)))
  }
  worst <- .Call(ffi_depth_integrated, x, data, u, 0L)[[2]]
  start <- refine_starts(x, data, u[worst, , drop = FALSE])
  .Call(ffi_refine, x, data, start, NULL)[[1]]
}

outlyingness_refined <- function(x, data, u, center) {
  found <- .Call(ffi_outlyingness, x, data, u, center, TRUE)
  if (ncol(data) == 1 || nrow(x) == 0) return(found[[1]])
  worst <- rbind(0, u)[found[[2]] + 1L, , drop = FALSE]
  start <- refine_starts(x, data, worst)
  pmax(found[[1]], .Call(ffi_refine, x, data, start, center)[[1]])
}

# Starts of the search, d numbers a start, the starts of a point together: the worst direction of
# a given set, the one in which the point is farthest by Mahalanobis' distance, and the one
# towards it from the coordinates' medians in units of their spread. Zero where there is none.
refine_starts <- function(x, data, worst) {
  middle <- apply(data, 2, stats::median)
  spread <- .Call(ffi_column_spread, data)
  inverse <- tryCatch(solve(stats::cov(data / rep(spread, each = nrow(data)))), error = function(e) NULL)
  toward <- list()
  if (!is.null(inverse) && all(is.finite(inverse))) {
    toward$distance <- unit_columns(inverse %*% ((t(x) - colMeans(data)) / spread) / spread)
  }
  if (length(toward) == 0) toward$middle <- unit_columns((t(x) - middle) / spread^2)
  if (!is.null(worst)) toward$worst <- t(worst)
  start <- array(0, c(ncol(data), length(toward), nrow(x)))
  for (k in seq_along(toward)) start[, k, ] <- toward[[k]]
  as.double(start)
}

# Directional depths whose worst direction is improved for each point by a search on the sphere.

# Halfspace depths; the search counts exactly in each direction it tries.
halfspace_refined <- function(x, data, u) {
  found <- .Call(ffi_depth_ranks, x, data, u, 0L)
  if (ncol(data) == 1 || nrow(x) == 0) return(found[[1]])
  start <- refine_starts(x, data, u[found[[2]], , drop = FALSE])
  count <- .Call(ffi_refine, x, data, start, NULL)[[1]]
  pmin(found[[1]], count / nrow(data))
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
  spread <- apply(data, 2, stats::mad)
  spread[spread == 0] <- 1
  inverse <- tryCatch(solve(stats::cov(data / rep(spread, each = nrow(data)))), error = function(e) NULL)
  toward <- list(unit_columns((t(x) - middle) / spread^2))
  if (!is.null(inverse) && all(is.finite(inverse))) {
    toward$distance <- unit_columns(inverse %*% ((t(x) - colMeans(data)) / spread) / spread)
  }
  if (!is.null(worst)) toward$worst <- t(worst)
  start <- array(0, c(ncol(data), length(toward), nrow(x)))
  for (k in seq_along(toward)) start[, k, ] <- toward[[k]]
  as.double(start)
}

# Columns of length one; those without a direction become zero.
unit_columns <- function(v) {
  v <- v / rep(apply(abs(v), 2, max), each = nrow(v))
  v <- v / rep(sqrt(colSums(v^2)), each = nrow(v))
  v[!is.finite(v)] <- 0
  v
}

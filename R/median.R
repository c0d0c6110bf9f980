# The Tukey median.

#' Tukey median
#'
#' A point of largest halfspace depth: the median of one variable, and a robust, affine equivariant centre of
#' several.
#'
#' **One variable.** The order statistic of rank `floor((n + 1)/2)`. When `n` is even [stats::median()]
#' takes the mean of two instead; a private median needs one.
#'
#' **Two variables, exact.** The centroid of the deepest region, a convex polygon that may be a segment
#' or a point. The region is found by cutting: each halfplane that bounds it passes through two
#' rows, and each is found in O(n).
#'
#' **Three variables, exact.** The centroid of the deepest region, a convex polytope with faces that pass
#' through three rows each; all such planes of the levels in question are found, O(n^3 log n). Data on a plane
#' or a line have the median of that plane or line.
#'
#' **Directional.** The deepest point of the smallest share of rows over the halfspaces with the given normal
#' vectors and their opposites; the coordinate axes are added to these. The deepest region is a polytope,
#' found by bisection over its level with linear programs; the result is the centre of a largest ball in it,
#' in coordinates divided by the interquartile ranges. When `directions` is a count, the directions are also
#' in these coordinates; a matrix of directions is for the data as they are.
#'
#' The depth of the result is at least `1/(d + 1)`, except for rounding. If rounding leaves the centre of a
#' region without interior below the region's depth, a deeper vertex of the region or row of the data is
#' returned instead. The depth along directions is an upper bound of halfspace depth, often far above it with
#' many variables; the attribute `depth_kind` says so.
#'
#' `"auto"` is exact for one and two variables, and for three with at most 200 rows; otherwise
#' directional. `"exact"` takes up to 1000 rows of three variables (seconds, and some hundred megabytes).
#'
#' The result depends on the data without any protection: it is not private. See [dp_median()].
#'
#' @inheritParams depth_halfspace
#' @param data The data: a numeric matrix or data frame with one row per individual, or a vector.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A numeric vector, named as the columns of the data are, with three attributes, the same for all
#'   `median_*()` functions: `depth`, the depth of the point (computed by the depth of that name, with the
#'   same method and directions); `depth_kind`, `"exact"` or the relation of a depth along directions to the
#'   depth itself; and `gap`, a proved bound by which another point may be deeper, or `NA`.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for a bad argument: no data, values that are missing,
#' infinite or not numeric, an exact method for more variables than it takes.
#' @references
#' Donoho, D. L. and Gasko, M. (1992). Breakdown properties of location estimates based on halfspace depth
#' and projected outlyingness. *Annals of Statistics 20*, 1803-1827. \doi{10.1214/aos/1176348890}
#'
#' Rousseeuw, P. J. and Ruts, I. (1998). Constructing the bivariate Tukey median. *Statistica Sinica 8*,
#' 827-839.
#' @seealso [depth_halfspace()]
#' @examples
#' median_tukey(faithful)
#'
#' # four measurements of the irises, along 1000 directions
#' median_tukey(iris[1:4])
#' @export
median_tukey <- function(data, method = c("auto", "exact", "directional"), directions = 1000L, ...) {
  check_given()
  data <- check_data(data, "data")
  d <- ncol(data)
  method <- check_choice(method, c("auto", "exact", "directional"), "method")
  if (method == "auto") method <- if (d <= 2 || d == 3 && nrow(data) <= 200) "exact" else "directional"
  if (method == "exact") check_exact_dimension(d, 3L)
  if (d > 1 && (method == "directional" || d == 3)) check_extent(data, "data")
  best <- if (d == 1) median_line(data)
          else if (method == "directional") median_directional(data, directions)
          else if (d == 2) median_plane(data)
          else median_space(data)
  # all rows at the point: then the depth is one, whatever the directions
  bound <- method == "directional" && d > 1 && best$count < nrow(data)
  new_median(best$point, data, best$count / nrow(data), if (bound) median_kinds[["bound"]] else "exact",
             if (bound) NA_real_ else 0)
}

# What `depth_kind` says of a depth that is not exact.
median_kinds <- c(bound = "upper bound: the depth along directions only",
                  mean = "mean over the directions only")

# A median as the median_*() functions return it.
new_median <- function(point, data, depth, kind, gap = NA_real_) {
  structure(stats::setNames(as.double(point), colnames(data)), depth = as.double(depth), depth_kind = kind,
            gap = gap)
}

median_line <- function(data) {
  p <- (nrow(data) + 1L) %/% 2L
  point <- matrix(sort(data, partial = p)[[p]])
  list(point = point, count = .Call(ffi_halfspace_exact, point, data))
}

median_plane <- function(data) {
  region <- .Call(ffi_deepest_plane, data)
  count <- function(points) .Call(ffi_halfspace_exact, points, data)
  deepest_of(region$points, region$level, data, count)
}

# Rows that the exact search in space takes: the planes of 1000 rows are some hundred megabytes.
max_space_rows <- 1000L

median_space <- function(data) {
  if (nrow(data) > max_space_rows) {
    must <- sprintf("\"directional\" (or \"auto\") for more than %d rows of three variables", max_space_rows)
    stop_input("method", must, "\"exact\"")
  }
  shape <- qr(scale(apply(data, 2, comparable), scale = FALSE), tol = 1e-9)
  if (shape$rank < 3) return(median_flat(data, shape$pivot[seq_len(shape$rank)]))
  count <- function(points) .Call(ffi_halfspace_exact, points, data)
  near <- median_directional(data, 1000L)
  start <- rbind(near$point, apply(data, 2, median_rank))
  attained <- max(count(start), ceiling(nrow(data) / 4))
  highest <- max(as.integer(attained), near$level)
  found <- with_progress_bar("Tukey median", .Call(ffi_deepest_space, data, as.integer(attained), highest))
  deepest_of(rbind(found[[2]], start), found[[1]], data, count)
}

# All rows are on a plane, a line or a point: the median of the columns that determine the position on it.
median_flat <- function(data, columns) {
  count <- function(points) .Call(ffi_halfspace_exact, points, data)
  if (length(columns) == 0) return(deepest_of(data[1, , drop = FALSE], nrow(data), data, count))
  part <- data[, columns, drop = FALSE]
  best <- if (length(columns) == 1) median_line(part) else median_plane(part)
  point <- matrix(0, 1, ncol(data))
  point[, columns] <- best$point
  rest <- setdiff(seq_len(ncol(data)), columns)
  fit <- stats::lm.fit(cbind(1, part), data[, rest, drop = FALSE])
  point[, rest] <- c(1, best$point) %*% fit$coefficients
  deepest_of(point, best$count, data, count)
}

median_directional <- function(data, directions) {
  u <- as_directions(directions, ncol(data), add_axes = TRUE)
  by_spread <- !is_matrix_like(directions)
  axes <- apply(u != 0, 2, function(on) which(on & rowSums(u != 0) == 1)[[1]]) - 1L
  best <- with_progress_bar("Tukey median", .Call(ffi_deepest_directional, data, u, by_spread, axes))
  count <- function(points) .Call(ffi_halfspace_directional, points, data, u, by_spread)
  c(deepest_of(best$points, best$level, data, count), level = best$level)
}

# The first of the points, if it attains the level; else the deepest of them and the data.
deepest_of <- function(points, level, data, count) {
  attained <- count(points[1, , drop = FALSE])
  if (attained >= level) return(list(point = points[1, ], count = attained))
  points <- rbind(points, colMeans(points), unname(data))
  attained <- count(points)
  best <- which.max(attained)
  list(point = points[best, ], count = attained[[best]])
}

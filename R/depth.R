# Halfspace depth.

# depth_halfspace(method = "auto") computes exactly in three and four dimensions while
# nrow(x) * nrow(data)^(d - 1) is at most this: about half a minute on two cores.
max_exact_space <- 2e10

#' Halfspace depth
#'
#' The halfspace depth (Tukey depth) of a point is the smallest share of the data in a closed
#' halfspace that holds the point: 1/2 or more at the centre of a symmetric distribution, 0
#' outside the convex hull. It does not change under affine transformations.
#'
#' **Exact.** One variable: ranks, in O(n log n). Two variables: O(n) for each point. Three variables:
#' O(n^2) for each point. Four variables: O(n^3) for each point. Ties, collinear points and points equal
#' to data are handled exactly: every row in the closed halfspace counts. Computations on whole numbers
#' (up to \eqn{2^{50}} in the plane, \eqn{2^{25}} in space and \eqn{2^{15}} in four dimensions) have no
#' rounding. For other numbers, rows and directions that differ by no more than rounding (some units in the
#' last place) are ties, so that data in tenths, or in other units of measurement, have the depths of the
#' whole numbers.
#'
#' **Directional.** The smallest share over the halfspaces with the given normal vectors and their
#' opposites: an upper bound of the depth that decreases to it with more directions. When
#' `directions` is a count, columns are first divided by their interquartile ranges, so that units of
#' measurement do not matter; a matrix of directions is for the data as they are.
#'
#' **Refined.** The directional depth, with the worst direction improved for each point by a search on the
#' sphere that counts exactly. It is still an upper bound, and much closer to the depth in more than a few
#' dimensions. It is deterministic and costs some hundred times O(n d) for each point.
#'
#' `"auto"` is exact for one and two variables, and for three and four while `nrow(x) * nrow(data)^(d - 1)`
#' is at most 2e10 (about half a minute on two cores); otherwise, and along a given matrix of
#' directions, directional.
#'
#' Computations run on [dpdepth_threads()] threads, with the same result for any number. The
#' result depends on the data without any protection: it is not private.
#'
#' @param x The points: a numeric matrix or data frame with one row per point. A vector is one point,
#'   or as many points as numbers when the data have one variable. Where both the points and the data have
#'   names of columns, these must be the same, and columns are matched by them, in whatever order.
#' @param data The data: a numeric matrix or data frame with one row per individual, or a vector.
#' @param method `"exact"`, `"directional"`, `"refined"`, or `"auto"`, see Details.
#' @param directions For the directional and refined methods: how many directions, or a matrix of unit rows as
#'   made by [directions()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A numeric vector with the depths of the rows of `x`, each a multiple of `1/nrow(data)`.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for a bad argument: no data, values that are missing,
#' infinite or not numeric, `x` and `data` of different dimensions or with differently named columns,
#' `"exact"` with more than four variables.
#' @references
#' Tukey, J. W. (1975). Mathematics and the picturing of data. *Proceedings of the International
#' Congress of Mathematicians 2*, 523-531.
#'
#' Rousseeuw, P. J. and Ruts, I. (1996). Algorithm AS 307: bivariate location depth. *Applied Statistics
#' 45*, 516-526. \doi{10.2307/2986073}
#'
#' Dyckerhoff, R. and Mozharovskyi, P. (2016). Exact computation of the halfspace depth.
#' *Computational Statistics and Data Analysis 98*, 19-30. \doi{10.1016/j.csda.2015.12.011}
#' @seealso [median_tukey()] for the deepest point.
#' @examples
#' # the eruptions of Old Faithful, and which of them lie deepest
#' depth <- depth_halfspace(faithful, faithful)
#' faithful[order(-depth)[1:3], ]
#'
#' # four measurements of iris flowers: along 1000 directions
#' summary(depth_halfspace(iris[1:4], iris[1:4], "directional"))
#' @export
depth_halfspace <- function(x, data, method = c("auto", "exact", "directional", "refined"),
                            directions = 1000L, ...) {
  check_given()
  data <- check_data(data, "data")
  d <- ncol(data)
  x <- check_points(x, d, names = colnames(data))
  method <- check_choice(method, c("auto", "exact", "directional", "refined"), "method")
  if (method == "auto") {
    exact <- d <= 2 || (d <= 4 && nrow(x) * as.double(nrow(data))^(d - 1) <= max_exact_space)
    exact <- exact && !is_matrix_like(directions)
    method <- if (exact) "exact" else "directional"
  }
  if (method == "exact") check_exact_dimension(d, 4L)
  count <- with_progress_bar("halfspace depth", if (method == "exact") {
    .Call(ffi_halfspace_exact, x, data)
  } else {
    .Call(ffi_halfspace_directional, x, data, as_directions(directions, d), !is_matrix_like(directions))
  })
  if (method == "refined") count <- pmin(count, count_refined(x, data, directions))
  count / nrow(data)
}

# Refuses the exact method in too many dimensions.
check_exact_dimension <- function(d, most) {
  if (d > most) {
    stop_input("method", sprintf("\"directional\" (or \"auto\") for data with more than %d columns", most),
               sprintf("\"exact\" with %d", d))
  }
}

# -- refined points --------------------------------------------------------------------------------

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

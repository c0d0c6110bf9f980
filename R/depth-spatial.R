# Spatial depth and the spatial median.

# Iterations the spatial median may take; some ten are usual.
max_spatial_steps <- 10000L

#' Spatial depth
#'
#' The spatial depth of a point is one minus the length of the mean of the unit vectors from the data
#' to the point: 1 at the spatial median (when it is not itself a row), near 0 far outside. A row at
#' the point adds the zero vector. The modified spatial depth is one minus the squared length.
#'
#' O(n d) for each point; no tuning, no projections, defined in any dimension. The depth does not change
#' under shifts, rotations and a common change of units of all variables, but it does when the
#' units of some variables change: bring them to comparable units first, by constants chosen without
#' looking at the data if a private mechanism is to follow. One replaced row changes the depth by at most
#' `2/n` (modified: `(4 (n - 1) + 1)/n^2`), and the deepest point breaks down only when half of the
#' rows are replaced.
#'
#' Computations run on [dpdepth_threads()] threads, with the same result for any number. The
#' result depends on the data without any protection: it is not private.
#'
#' (`ddalpha::depth.spatial(mah.estimate = "none")` agrees.)
#'
#' @inheritParams depth_halfspace
#' @param modified Whether to return the modified spatial depth.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A numeric vector with the depths of the rows of `x`, in `[0, 1]`.
#' @section Errors:
#' A bad argument raises `dpdepth_error_input`, see [dpdepth-errors].
#' @references
#' Chaudhuri, P. (1996). On a geometric notion of quantiles for multivariate data. *Journal of the American
#' Statistical Association 91*, 862-872. \doi{10.1080/01621459.1996.10476954}
#'
#' Vardi, Y. and Zhang, C.-H. (2000). The multivariate L1-median and associated data depth.
#' *Proceedings of the National Academy of Sciences 97*, 1423-1426. \doi{10.1073/pnas.97.4.1423}
#' @seealso [median_spatial()]
#' @examples
#' # four measurements of iris flowers, in centimetres all of them
#' depth <- depth_spatial(iris[1:4], iris[1:4])
#' iris[order(-depth)[1:3], ]
#'
#' depth_spatial(c(5.8, 3, 4.3, 1.3), iris[1:4], modified = TRUE)
#' @export
depth_spatial <- function(x, data, modified = FALSE, ...) {
  check_given()
  data <- check_data(data, "data", min_d = 1L)
  x <- check_points(x, ncol(data), names = colnames(data))
  modified <- check_flag(modified, "modified")
  norm <- with_progress_bar("spatial depth", .Call(ffi_spatial_norms, x, data))
  if (modified) 1 - norm^2 else 1 - norm
}

#' Spatial median
#'
#' The point with the least sum of distances to the data (geometric median, L1 median). It is unique
#' unless the data lie on a line; then all points between the two middle rows share the least
#' sum, and their middle is returned, which for one variable is [stats::median()].
#'
#' The method is Weiszfeld's, with the safeguard of Vardi and Zhang for iterates at a row, Newton's
#' steps where they go down, and a test whether the nearest row is the median: then that row is
#' returned exactly. It stops when the mean of the unit vectors from the point to the data is shorter
#' than `2^-44`, whatever the units of the data. O(n d^2) for each of some ten iterations, O(n d) above 64
#' variables.
#'
#' The median moves with the data under shifts, rotations and common changes of units. It breaks
#' down only when half of the rows are replaced. It depends on the data without any protection: it
#' is not private.
#'
#' @param data The data: a numeric matrix or data frame with one row per individual, or a vector.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @inherit median_tukey return
#' @inheritSection median_tukey Errors
#' @section Warnings: `dpdepth_warning_limit` if 10,000 iterations were not enough, see [dpdepth-warnings].
#' @references
#' Vardi, Y. and Zhang, C.-H. (2000). The multivariate L1-median and associated data depth.
#' *Proceedings of the National Academy of Sciences 97*, 1423-1426. \doi{10.1073/pnas.97.4.1423}
#'
#' Weiszfeld, E. (1937). Sur le point pour lequel la somme des distances de n points donnes est minimum.
#' *Tohoku Mathematical Journal 43*, 355-386.
#' @seealso [depth_spatial()], [median_tukey()]
#' @examples
#' median_spatial(iris[1:4])
#' colMeans(iris[1:4])
#' @export
median_spatial <- function(data, ...) {
  check_given()
  data <- check_data(data, "data", min_d = 1L)
  found <- .Call(ffi_spatial_median, data, max_spatial_steps)
  if (!found[[4]]) {
    text <- sprintf("The search for the spatial median stopped after %d iterations.", max_spatial_steps)
    warning(structure(class = c("dpdepth_warning_limit", "dpdepth_warning", "warning", "condition"),
                      list(message = text, call = NULL)))
  }
  point <- found[[1]]
  new_median(point, data, 1 - .Call(ffi_spatial_norms, matrix(point, 1), data), "exact")
}

# Depths that average over directions, and their medians.

#' Integrated rank-weighted and integrated dual depth
#'
#' Means over directions u of univariate depths of the projection \eqn{u'q}. Let \eqn{F_u(t)} be the share of
#' the projected data up to t and \eqn{F_u(t-)} the share below t.
#'
#' * `depth_irw()` is \eqn{2 \cdot mean_u \min(F_u(u'q), 1 - F_u(u'q-))}{2 mean over u of min(F_u, 1 - F_u-)}.
#' * `depth_idd()` is \eqn{mean_u F_u (1 - F_u)}{mean over u of F_u (1 - F_u)} at \eqn{u'q}. With a finite
#'   `smooth`, \eqn{G_u(t) = mean_i plogis(smooth (t - u'x_i))}{G_u(t) = mean over i of plogis(smooth (t -
#'   u'x_i))} takes the place of \eqn{F_u}. The depth is then a smooth function of the point, which
#'   [median_idd()] maximises by climbing.
#'
#' **Ties.** Both depths are as published, because their sensitivities depend on that. In `depth_irw()` rows
#' at the point count for both sides. Its largest value is one plus the mean share of rows that tie with the
#' point: a row in the middle may have depth `1 + 1/n` (and depth 2 where all rows are equal), and a point
#' that ties with no row has depth 1 at most. `depth_idd()` lies between 0 and 1/4 and counts rows at the
#' point as below it: the largest row has depth 0, the smallest `(n - 1)/n^2`, and mirroring the data changes
#' depths by up to the share of ties, `1/n` without duplicates. With each direction and its opposite,
#' `directions = rbind(u, -u)`, it is symmetric.
#'
#' **Units.** The rank depths do not depend on the unit of measurement as long as all variables share
#' it. `smooth` is in units of one over the data's: `depth_idd(c * x, c * data, smooth / c)` is the same
#' for all c. Variables in different units should be scaled first.
#'
#' **Precision.** Without smoothing, counts are whole numbers and exact, ties of the computed projections
#' included. (Along other directions than the axes, two rows that tie in exact arithmetic may differ in the
#' last bit of a projection.) With smoothing the error is below 1e-8.
#'
#' **Properties.** Averaged over all directions, the depths do not change under rotations, shifts and changes
#' of a common scale. They do change under other affine maps. They are robust: one row moves a depth by at
#' most 2/n (`depth_irw()`) or 1/n (`depth_idd()`, smoothed or not).
#'
#' **Cost.** O(N (n + m) d) for N directions and m points, without sorting, and O(n + m) memory per thread.
#' Smoothing adds `16 * smooth` times the range of the projections, at most 4096 + 2 n, for each
#' direction. Computations run on [dpdepth_threads()] threads with the same bits for any number.
#' The result depends on the data without any protection: it is not
#' private.
#'
#' @inheritParams depth_projection
#' @param smooth The slope of the steps, above 0; `Inf` for none. Ramsay et al. recommend 10 for data
#'   with standard deviations of about 1.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A numeric vector, one depth for each row of `x`.
#' @section Errors:
#' A bad argument raises `dpdepth_error_input`, see [dpdepth-errors].
#' @references
#' Ramsay, K., Durocher, S. and Leblanc, A. (2019). Integrated rank-weighted depth. *Journal of
#' Multivariate Analysis 173*, 51-69. \doi{10.1016/j.jmva.2019.02.001}
#'
#' Cuevas, A. and Fraiman, R. (2009). On depth measures and dual statistics. *Journal of Multivariate
#' Analysis 100*, 753-766. \doi{10.1016/j.jmva.2008.08.002}
#'
#' Ramsay, K., Jagannath, A. and Chenouri, S. (2022). Differentially private multivariate medians.
#' \doi{10.48550/arXiv.2210.06459}, definitions 8 to 10.
#' @seealso [median_irw()] and [median_idd()] for the deepest points.
#' @examples
#' # iris flowers: the shallowest ones by both
#' flowers <- scale(iris[1:4])
#' irw <- depth_irw(flowers, flowers)
#' idd <- depth_idd(flowers, flowers)
#' order(irw)[1:5]
#' order(idd)[1:5]
#'
#' # close to each other, once smoothed a little
#' summary(idd - depth_idd(flowers, flowers, smooth = 50))
#' @export
depth_irw <- function(x, data, directions = 1000L, ...) {
  check_given()
  data <- check_data(data, "data")
  x <- check_points(x, ncol(data), names = colnames(data))
  unit <- huge_unit(data, x)
  u <- as_directions(directions, ncol(data))
  with_progress_bar("depth", .Call(ffi_depth_integrated, x / unit, data / unit, u, 1L))[[1]]
}

#' @rdname depth_irw
#' @export
depth_idd <- function(x, data, smooth = Inf, directions = 1000L, ...) {
  check_given()
  data <- check_data(data, "data")
  x <- check_points(x, ncol(data), names = colnames(data))
  smooth <- check_smooth(smooth)
  u <- as_directions(directions, ncol(data))
  unit <- huge_unit(data, x)
  with_progress_bar("depth", if (is.infinite(smooth)) {
    .Call(ffi_depth_integrated, x / unit, data / unit, u, 2L)[[1]]
  } else {
    .Call(ffi_depth_smooth, x / unit, data / unit, u, smooth * unit)
  })
}

# The slope of the steps: positive, perhaps infinite.
check_smooth <- function(smooth) {
  if (is_scalar_number(smooth) && identical(as.double(smooth), Inf)) return(Inf)
  check_number(smooth, "smooth", 0)
}

#' Medians of the integrated depths
#'
#' Points of large [depth_irw()] or [depth_idd()] over the given directions.
#'
#' With finite `smooth`, the search follows the gradient of the smoothed integrated dual depth to its zero, by
#' steps of Newton's kind from the medians of the coordinates and from the deepest of some rows, and returns
#' the better end. Each direction's \eqn{G_u} and slope come from a table (error below 1e-8), computed once in
#' O(n d), so that a step costs O(N d) for any n.
#'
#' Without smoothing the depths are step functions. One variable: exact. More variables: a search from the
#' deepest row and from a smoothed depth's maximiser, by steps along axes and directions that are halved when
#' no step helps, with exact whole-number counts. The result is at least as deep as every row and as both
#' starts; a deeper point may exist. Where many points are equally deep one of them is returned, never their
#' mean, which can be less deep.
#'
#' @inheritParams depth_irw
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @inherit median_tukey return
#' @inheritSection median_tukey Errors
#' @inherit depth_irw references
#' @examples
#' median_idd(scale(swiss))
#' median_irw(swiss)
#' # the effect of an error in one row on the median, and on the mean
#' wrong <- swiss
#' wrong[1, ] <- 1e4
#' median_idd(wrong, smooth = 1) - median_idd(swiss, smooth = 1)
#' colMeans(wrong) - colMeans(swiss)
#' @export
median_idd <- function(data, smooth = 10, directions = 1000L, ...) {
  check_given()
  data <- check_data(data, "data")
  smooth <- check_smooth(smooth)
  u <- as_directions(directions, ncol(data))
  if (is.infinite(smooth)) return(median_ranks(data, u, 2L))
  unit <- huge_unit(data)
  found <- climb_smooth(data / unit, u, smooth * unit)
  new_median(found$point * unit, data, found$depth, mean_kind(data))
}

#' @rdname median_idd
#' @export
median_irw <- function(data, directions = 1000L, ...) {
  check_given()
  data <- check_data(data, "data")
  median_ranks(data, as_directions(directions, ncol(data)), 1L)
}

mean_kind <- function(data) if (ncol(data) == 1) "exact" else median_kinds[["mean"]]

# The best end of climbs from the coordinates' medians and the deepest of up to 200 rows. In a unit
# near the data's spread, so that squared gradients neither vanish nor overflow.
climb_smooth <- function(data, u, smooth) {
  unit <- spread_unit(data)
  data <- data / unit
  smooth <- smooth * unit
  rows <- data[unique(ceiling(seq_len(200) * nrow(data) / 200)), , drop = FALSE]
  centre <- apply(data, 2, function(v) sort(v, partial = (length(v) + 1) %/% 2)[[(length(v) + 1) %/% 2]])
  found <- .Call(ffi_median_smooth, data, u, smooth, rbind(centre, rows, deparse.level = 0))
  list(point = found[[1]] * unit, depth = found[[2]])
}

# Local search from the deepest row, or from the maximiser of a depth smoothed a little.
median_ranks <- function(data, u, kind) {
  unit <- huge_unit(data)
  data <- data / unit
  depth <- function(x) .Call(ffi_depth_integrated, x, data, u, kind)[[1]]
  at_rows <- depth(data)
  best <- which.max(at_rows)
  if (ncol(data) == 1) return(new_median(data[best, ] * unit, data, at_rows[[best]], "exact", 0))
  starts <- data[best, , drop = FALSE]
  spread <- stats::median(apply(data, 2, stats::mad))
  if (spread > 0) starts <- rbind(starts, climb_smooth(data, u, 5 / spread)$point)
  start <- starts[which.max(depth(starts)), , drop = FALSE]
  points <- rbind(start, .Call(ffi_median_ranks, data, u, kind, start))
  at_points <- depth(points)
  best <- which.max(at_points)
  new_median(points[best, ] * unit, data, at_points[[best]], mean_kind(data))
}

# Projection depth, outlyingness, and the median that goes with them.

#' Projection depth and outlyingness
#'
#' The outlyingness of a point is its largest distance to the centre of the data in units of
#' their spread, over many directions:
#' \deqn{O(q) = \max_u |u'q - T_u| / S_u,}{O(q) = max over u of |u'q - T_u| / S_u,}
#' where \eqn{T_u} and \eqn{S_u} are a location and a scale of the projections \eqn{u'x_i}. The projection
#' depth is \eqn{1/(1 + O(q))}. The distance is absolute: both sides of the centre count.
#'
#' **Locations**, by the order statistics \eqn{y_{(1)} \le \dots \le y_{(n)}}{y_(1) <= ... <= y_(n)} of the
#' projections:
#'
#' * `"median"`: \eqn{y_{(p)}}{y_(p)} with \eqn{p = \lfloor (n+1)/2 \rfloor}{p = floor((n+1)/2)}, always the
#'   projection of a row (unlike [stats::median()], which takes the mean of two for even `n`).
#' * `"trimmed"`: the mean without the `floor(trim * n)` smallest and largest.
#' * `"huber"`: the root of \eqn{\sum \psi((y_i - T)/c) = 0}{sum psi((y_i - T)/c) = 0} for Huber's psi cut at
#'   1 and \eqn{c = 1.345 \cdot 1.4826}{c = 1.345 * 1.4826} times the MAD.
#' * `"mom"`: the median (as above) of the means of `blocks` blocks of consecutive rows, which depends on the
#'   order of the rows.
#'
#' **Scales**, without a factor for consistency with the standard deviation at the normal (multiply an
#' outlyingness by the MAD with `qnorm(0.75)` = 0.6745 to get standard deviations):
#'
#' * `"mad"`: the p-th smallest distance to the median.
#' * `"iqr"`: the distance between the \eqn{\lceil n/4 \rceil}{ceiling(n/4)}-th smallest and largest.
#' * `"trimmed"`: the mean distance to the location of the projections that are not trimmed.
#'
#' **Scale zero.** Where more than half of the rows agree in a direction (a constant column), the MAD is
#' zero. A point at the location has ratio 0, any other has ratio `Inf` and depth
#' 0. Zero means zero to within the rounding of the projections, relative to the data's own size.
#'
#' **Directions.** With finitely many the outlyingness is a lower bound of the one over all
#' directions, and the depth an upper bound. When `directions` is a count, columns are first divided by their
#' interquartile ranges, so that units of measurement do not matter; a matrix of directions is for the data as
#' they are. `method = "refined"` improves two directions for each point by a search on the sphere: the worst
#' one and the one in which the point is farthest by Mahalanobis' distance. It is deterministic, never worse,
#' and costs some hundred times O(n d) for each point.
#'
#' **Properties.** Over all directions both are affine invariant; over a finite set they do not change when
#' the data are moved or multiplied by a number (each column by its own, when `directions` is a count). When
#' `n` is even, mirroring may change values a little. With median and MAD the depth has a breakdown point of
#' nearly one half; with `"trimmed"`, of about `trim`.
#'
#' **Cost.** O(N (n + m) d) for N directions and m points, O(n + m) memory per thread. Computations run on
#' [dpdepth_threads()] threads with the same bits for any number. The result depends on the data without any
#' protection: it is not private.
#'
#' **Other packages.** With the same directions and odd `n`, `mrfDepth::outlyingness()` (option
#' `stand = "MedMad"`) is `outlyingness()` divided by 1.4826, and `ddalpha::depth.projection()` agrees; for
#' even `n` both differ a little.
#'
#' @inheritParams depth_halfspace
#' @param location `"median"`, `"trimmed"`, `"huber"` or `"mom"`, see Details.
#' @param scale `"mad"`, `"iqr"` or `"trimmed"`.
#' @param directions How many directions, or a matrix of unit rows as made by [directions()].
#' @param method `"directional"`: over the given directions; `"refined"`: improved for each point.
#' @param trim The share trimmed at each end, at least 0 and below 1/2.
#' @param blocks How many blocks the median of means takes; `NULL` is `ceiling(sqrt(n))`.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A numeric vector, one number for each row of `x`: depths in \[0, 1\], or outlyingness
#'   from 0 to `Inf`.
#' @section Errors:
#' A bad argument raises `dpdepth_error_input`, see [dpdepth-errors].
#' @references
#' Zuo, Y. (2003). Projection-based depth functions and associated medians. *Annals of Statistics 31*,
#' 1460-1490. \doi{10.1214/aos/1065705115}
#'
#' Donoho, D. L. (1982). Breakdown properties of multivariate location estimators. Qualifying paper, Harvard
#' University; Stahel, W. A. (1981). Robuste Schatzungen. PhD thesis, ETH Zurich.
#'
#' Dyckerhoff, R., Mozharovskyi, P. and Nagy, S. (2021). Approximate computation of projection depths.
#' *Computational Statistics and Data Analysis 157*, 107166. \doi{10.1016/j.csda.2020.107166}
#' @seealso [median_projection()] for the deepest point.
#' @examples
#' # Swiss districts in 1888: the most outlying ones
#' out <- outlyingness(swiss, swiss)
#' head(sort(setNames(out, rownames(swiss)), decreasing = TRUE), 3)
#'
#' all.equal(depth_projection(swiss, swiss), 1 / (1 + out))
#' @export
depth_projection <- function(x, data, location = c("median", "trimmed", "huber", "mom"),
                             scale = c("mad", "iqr", "trimmed"), directions = 1000L,
                             method = c("directional", "refined"), trim = 0.25, blocks = NULL, ...) {
  check_given()
  1 / (1 + outlyingness(x, data, location, scale, directions, method, trim, blocks))
}

#' @rdname depth_projection
#' @export
outlyingness <- function(x, data, location = c("median", "trimmed", "huber", "mom"),
                         scale = c("mad", "iqr", "trimmed"), directions = 1000L,
                         method = c("directional", "refined"), trim = 0.25, blocks = NULL, ...) {
  check_given()
  data <- check_data(data, "data")
  d <- ncol(data)
  x <- check_points(x, d, names = colnames(data))
  center <- as_center(location, scale, trim, blocks, nrow(data))
  method <- check_choice(method, c("directional", "refined"), "method")
  task <- in_units(data, directions, huge_unit(data, x), x)
  outlyingness_of(task$x, task$data, task$u, center, method)
}

outlyingness_of <- function(x, data, u, center, method) {
  if (method == "directional") {
    return(with_progress_bar("outlyingness", .Call(ffi_outlyingness, x, data, u, center, FALSE)))
  }
  outlyingness_refined(x, data, u, center)
}

#' Projection median
#'
#' The point of least outlyingness, that is of largest projection depth (see [depth_projection()]):
#' the minimiser of \eqn{\max_u |q'u - T_u|/S_u}{max over u of |q'u - T_u|/S_u} over the given directions.
#'
#' For fixed directions this is a linear programme, which is solved by exchanges (the dual simplex method):
#' exact up to rounding, with a proof. Attribute `"gap"` is the difference between the outlyingness at the
#' point and a lower bound of that of all points, usually below 1e-12: no point's depth is larger by more.
#' When `directions` is a count, they are for columns divided by their interquartile ranges, as in
#' [depth_projection()]. Where several points are least outlying one of them is returned, never a mean of
#' them. Directions in which the scale is zero are met exactly, as far as they agree.
#'
#' Cost: O(N n d) for locations and scales, then O(N d) for each of about 3 d exchanges.
#'
#' @inheritParams depth_projection
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @inherit median_tukey return
#' @inheritSection median_tukey Errors
#' @references
#' Zuo, Y. (2003). Projection-based depth functions and associated medians. *Annals of Statistics 31*,
#' 1460-1490. \doi{10.1214/aos/1065705115}
#' @examples
#' median_projection(swiss)
#' colMeans(swiss)
#' @export
median_projection <- function(data, location = c("median", "trimmed", "huber", "mom"),
                              scale = c("mad", "iqr", "trimmed"), directions = 1000L, trim = 0.25,
                              blocks = NULL, ...) {
  check_given()
  data <- check_data(data, "data")
  center <- as_center(location, scale, trim, blocks, nrow(data))
  task <- in_units(data, directions, spread_unit(data))
  data <- task$data
  found <- .Call(ffi_median_projection, data, task$u, center)
  # where scales are zero, only a point without any rounding is at the location: perhaps a row
  near <- which.min(colSums((t(data) - found[[1]])^2))
  candidates <- rbind(found[[1]], data[near, ])
  out <- .Call(ffi_outlyingness, candidates, data, task$u, center, FALSE)
  best <- if (out[[2]] < out[[1]]) 2 else 1
  gap <- max(0, out[[best]] - found[[2]][[1]])
  kind <- if (ncol(data) == 1) "exact" else median_kinds[["bound"]]
  new_median(candidates[best, ] * task$unit, data, depth = 1 / (1 + out[[best]]), kind, gap)
}

# Locations and scales as the kernels take them: numbers of the kinds, and their constants.
as_center <- function(location, scale, trim, blocks, n) {
  locations <- c("median", "trimmed", "huber", "mom")
  scales <- c("mad", "iqr", "trimmed")
  location <- match(check_choice(location, locations, "location"), locations)
  scale <- match(check_choice(scale, scales, "scale"), scales)
  trim <- check_number(trim, "trim", 0, 0.5, closed = c(TRUE, FALSE))
  blocks <- if (is.null(blocks)) as.integer(ceiling(sqrt(n))) else check_count(blocks, "blocks", upper = n)
  as.double(c(location - 1, scale - 1, trim, 1.345, blocks))
}

# Smooth sensitivity of the Tukey median, by regions or by projections.

#' Smooth sensitivity of the Tukey median
#'
#' Computes a beta-smooth upper bound of the l1 distance by which the clipped Tukey median can move when one
#' row is replaced. It is [sens_median()] for several variables. For research only: the result depends on the
#' data without noise.
#'
#' @inheritParams sens_median
#' @param method `"exact"` (one or two variables; the default there): the regions of depth themselves.
#'   `"directional"` (the default for more variables): regions are bounded by projections on the axes and
#'   on the 2^(d-1) vectors of signs (for more than 15 variables, on the axes only).
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details Let m be the largest depth count and c0 = ceil(n/(d + 1)), which every data set reaches. After
#' K = k + 1 replacements a deepest point has old depth at least level = max(m - 2K, c0 - K). A^(k) is the
#' smaller of
#'
#' * the sum over the axes of the clipped widths of the region of that depth, and
#' * the l1 diameter of the region,
#'
#' and it is the sum of `upper - lower` when the level is below 1. The bounds are nested, hence smooth.
#'
#' `"exact"` takes the polygons of [depth_region()]: O(n^2 log n) up to 8000 rows, one level after the other
#' beyond. `"directional"` bounds both quantities. A point of at least that depth satisfies u'x <=
#' (u'X)_(n-level+1) along every u, so the l1 diameter is at most the largest of (s'X)_(n-level+1) -
#' (s'X)_(level) over the vectors of signs s. On normal data this is 1 to 2 times the exact diameter. (The
#' published bound, a diameter over the *data points* of that depth, is not a bound: regions of depth have
#' vertices that are not data points. `vignette("proofs-smooth", "dpdepth")` has a counterexample.)
#'
#' The estimate is a deepest point as [median_tukey()] finds it, then clipped: of halfspace depth for one and
#' two variables, of the depth along these directions for more. The depth is not maximised under the bounds,
#' where it might be below c0. [dp_median_smooth()] uses further, smaller bounds and decides all levels in
#' whole numbers.
#' @return As for [sens_median()]; `value` and `A` are sums over the variables, which should
#'   therefore have comparable units. `level` is that of the details, and 0 where A is the sum of `upper -
#'   lower`. Further fields: `depth`, which is m, and `method`.
#' @inheritSection sens_median Errors
#' @references
#' Amenta, N., Bern, M., Eppstein, D. and Teng, S.-H. (2000). Regression depth and center points.
#' *Discrete and Computational Geometry 23*, 305-323. (The bound c0.)
#'
#' Ruts, I. and Rousseeuw, P. J. (1996). Computing depth contours of bivariate point clouds. *Computational
#' Statistics and Data Analysis 23*, 153-168. \doi{10.1016/S0167-9473(96)00027-8}
#' @inherit sens_median references
#' @examples
#' s <- sens_tukey(faithful, lower = c(0, 0), upper = c(10, 180), beta = 0.05)
#' s
#' plot(s)
#' sens_tukey(faithful, lower = c(0, 0), upper = c(10, 180), beta = 0.05,
#'            method = "directional")
#' @export
sens_tukey <- function(x, lower, upper, beta, method = c("exact", "directional"), ...) {
  check_given()
  x <- check_data(x)
  d <- ncol(x)
  n <- nrow(x)
  bounds <- check_bounds(lower, upper, d, names = names_of(x))
  beta <- check_number(beta, "beta", 0)
  method <- if (missing(method) && d > 2) "directional"
            else check_choice(method, c("exact", "directional"), "method")
  if (method == "exact") check_exact_dimension(d, 2L)
  depth <- round(n * attr(deepest_for_signs(x), "depth"))
  k <- 0:n
  level <- tukey_level(depth, n, d, k + 1)
  a <- if (method == "exact" && d == 2) region_diameters(x, bounds, level, beta)
       else level_diameters(x, bounds)[level + 1]
  k <- k[seq_along(a)]
  best <- which.max(exp(-beta * k) * a)
  value <- exp(-beta * k[[best]]) * a[[best]]
  shown <- seq_along(relevant_levels(utils::head(a, 2000L), value, beta, sum(bounds$upper - bounds$lower)))
  new_nonprivate(value, k = k[[best]], beta = beta, depth = depth, method = method,
                 profile = data.frame(k = k[shown], level = level[shown], A = a[shown]),
                 what = "smooth sensitivity of the Tukey median")
}

# Of the clipped regions of these levels (0: the box), for as many of them as can relevant_levels.
region_diameters <- function(x, bounds, level, beta) {
  whole <- sum(bounds$upper - bounds$lower)
  a <- numeric()
  while (length(a) < length(level)) {
    part <- utils::head(level[seq_along(level) > length(a)], max(64, length(a)))
    more <- rep(whole, length(part))
    inside <- which(part >= 1)
    if (length(inside) > 0) {
      region <- depth_region(x, part[inside] / nrow(x))
      of <- region$vertices[match(part[inside], region$count)]
      empty <- vapply(of, NROW, 0L) == 0 # rounding may lose a region of numbers of very different sizes
      more[inside[!empty]] <- vapply(of[!empty], polygon_diameter, 0, bounds = bounds)
      if (any(empty)) more[inside[empty]] <- level_diameters(x, bounds)[part[inside[empty]] + 1]
    }
    a <- c(a, more)
    if (whole * exp(-beta * length(a)) <= max(exp(-beta * (seq_along(a) - 1)) * a)) break
  }
  a
}

# The lesser of the l1 diameter and the clipped widths.
polygon_diameter <- function(v, bounds) {
  width <- function(along) diff(range(along))
  clipped <- vapply(1:2, function(j) width(pmin(pmax(v[, j], bounds$lower[[j]]), bounds$upper[[j]])), 0)
  min(max(width(v[, 1] + v[, 2]), width(v[, 1] - v[, 2])), sum(clipped))
}

deepest_for_signs <- function(x) {
  d <- ncol(x)
  if (d <= 2) return(median_tukey(x))
  u <- rbind(diag(d), if (d <= 15) sign_vectors(d) / sqrt(d))
  median_tukey(x, "directional", u)
}

# One of each pair of opposite vectors of signs.
sign_vectors <- function(d) {
  unname(as.matrix(expand.grid(c(list(1), rep(list(c(-1, 1)), d - 1)))))
}

# Upper bounds of the l1 diameter of the clipped region of depth 0 (the box), 1, ..., n.
level_diameters <- function(x, bounds) {
  n <- nrow(x)
  level <- seq_len(n)
  axes <- numeric(n)
  for (j in seq_len(ncol(x))) {
    y <- sort(x[, j])
    inside <- function(v) pmin(pmax(v, bounds$lower[[j]]), bounds$upper[[j]])
    axes <- axes + pmax(0, inside(y[n + 1L - level]) - inside(y[level]))
  }
  if (ncol(x) == 1 || ncol(x) > 15) return(c(sum(bounds$upper - bounds$lower), axes))
  signs <- sign_vectors(ncol(x))
  across <- numeric(n)
  for (i in seq_len(nrow(signs))) {
    y <- sort(as.vector(x %*% signs[i, ]))
    across <- pmax(across, y[n + 1L - level] - y[level])
  }
  c(sum(bounds$upper - bounds$lower), pmin(axes, across))
}

# -- one variable ----------------------------------------------------------------------------------

#' Smooth sensitivity of a median
#'
#' Computes how far the clipped median can move when rows are replaced, with a weight of `exp(-beta)` for each
#' replaced row beyond the first. Divided by alpha, it is the smallest scale of the noise in a release by
#' smooth sensitivity. For research only: the result depends on the data without noise.
#'
#' `sens_median()` is for one variable. The estimate is the order statistic of rank p = floor((n + 1)/2),
#' clipped to the bounds. Let c_j be the clipped order statistics (the bounds themselves for j below 1 and
#' above n) and A^(k) = max over 0 <= t <= k + 1 of c_(p+t) - c_(p+t-k-1). The value is the maximum of
#' exp(-beta k) A^(k) over k = 0, ..., n. It is a beta-smooth upper bound of the local sensitivity.
#'
#' @param x Data, one row per individual: numeric, without missing values. `sens_median()` takes one variable.
#' @param lower,upper Public bounds of the median, in the units of the data: one number, or one per variable.
#'   The data may lie outside.
#' @param beta The smoothness, one number above 0, as from [dilation_beta()] or [smooth_noise()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return An object of class [`nonprivate`][nonprivate] with `value` (in the units of the data), the
#'   `k` that attains it, `beta`, and `profile`, a data frame with columns `k`, `level` and `A` and a row for
#'   each k that can attain the maximum (at most 2000). For `sens_median()`, `level` is p - k - 1: the lowest
#'   rank in the data of the median of a data set at distance k + 1 (below 1: the bound). `plot()` draws A^(k)
#'   and exp(-beta k) A^(k) against k.
#' @section Errors:
#' A bad argument raises `dpdepth_error_input`, see [dpdepth-errors].
#' @references
#' Nissim, K., Raskhodnikova, S. and Smith, A. (2007). Smooth sensitivity and sampling in private data
#' analysis. *STOC*, section 3.1. \doi{10.1145/1250790.1250803}
#' @seealso [dp_median_smooth()], [smooth_noise()]
#' @examples
#' s <- sens_median(faithful$waiting, lower = 0, upper = 180,
#'                  beta = dilation_beta(1, 1e-6, 1))
#' s
#' plot(s)
#' @export
sens_median <- function(x, lower, upper, beta, ...) {
  check_given()
  x <- check_data(x, max_d = 1L)
  bounds <- check_bounds(lower, upper, 1L, names = names_of(x))
  beta <- check_number(beta, "beta", 0)
  out <- median_sensitivity(x, bounds$lower, bounds$upper, beta, profile = 2000L)
  p <- (nrow(x) + 1L) %/% 2L
  k <- seq_along(out$profile) - 1L
  new_nonprivate(out$value, k = out$k, beta = beta,
                 profile = data.frame(k = k, level = p - k - 1L, A = out$profile),
                 what = "smooth sensitivity of the median")
}

picture.nonprivate <- function(x, ...) { # nolint: object_name_linter.
  if (is.null(x$profile)) stop_input("x", "a calculator's result with a profile", "one without")
  profile <- x$profile
  new_picture(list(
    rule(y = x$value, colour = "grey80"),
    step_layer(profile$k, profile$A, lty = 2, colour = "grey50", key = "A(k)"),
    step_layer(profile$k, exp(-x$beta * profile$k) * profile$A, lwd = 2, key = "exp(-beta k) A(k)"),
    if (x$k >= 0) layer("points", x$k, x$value)
  ), picture_axis("k, rows replaced"), picture_axis("sensitivity"), paste("NOT PRIVATE:", x$what))
}

# Influence functions, gross-error sensitivities and a bound of smooth sensitivities of M-estimates.

#' Influence function of an M-estimate
#'
#' The influence function is how far a row at a point moves an M-estimate, per share of rows there. It is
#' bounded for bounded psi. Its largest size is the gross-error sensitivity, the robust counterpart of a
#' sensitivity. For research only: the result depends on the data without noise.
#'
#' @param x Data: one numeric variable without missing values.
#' @param psi,tuning,scale As in [dp_mestimate()].
#' @param at Where the influence function is wanted: numbers. `NULL`: 201 points that span the data and
#'   three tuning constants to each side of the estimate.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return An object of class [`nonprivate`][nonprivate]. `value` holds the `estimate` T and the
#'   `gross_error_sensitivity`, in the units of the data; `curve` is a data frame with columns `x`,
#'   `influence`, psi((x - T)/s) s/m with m the mean of psi' at the data, and `fixed_share`, n times how far T
#'   moves when 1 of n + 1 rows is at x. `plot()` draws both curves.
#' @section Errors:
#' A bad argument raises `dpdepth_error_input`, see [dpdepth-errors].
#' @references
#' Hampel, F. R. (1974). The influence curve and its role in robust estimation. *JASA* 69.
#' \doi{10.1080/01621459.1974.10482962}
#' @seealso [sens_mestimate()], [dp_mestimate()]
#' @examples
#' f <- influence_function(faithful$waiting, scale = 15, psi = "tukey")
#' f
#' plot(f)
#' @export
influence_function <- function(x, psi = c("huber", "tukey", "logistic"), scale, tuning = NULL, at = NULL,
                               ...) {
  check_given()
  x <- check_data(x, max_d = 1L)
  check_extent(x, "x")
  psi <- check_psi(psi, tuning)
  scale <- check_number(scale, "scale", 2^-500, 2^500)
  bounds <- line_box(x, scale)
  fit <- mestimate_fit(x, bounds, psi)
  reach <- range(x, fit$estimate + c(-3, 3) * psi$tuning * scale)
  at <- if (is.null(at)) seq(reach[[1]], reach[[2]], length.out = 201) else check_finite_numbers(at, "at")
  influence <- psi_value(psi, (at - fit$estimate) / scale) * scale / fit$slope[[1]]
  # from the estimate itself, where psi has its width at once
  wide <- (bounds$upper - bounds$lower) * c(-2, 2)
  near <- list(lower = fit$estimate + wide[[1]], upper = fit$estimate + wide[[2]], scale = scale,
               distance = 0)
  with_row <- vapply(at, function(v) mestimate_fit(rbind(x, v), near, psi)$estimate, 0)
  object <- new_nonprivate(
    c(estimate = fit$estimate, gross_error_sensitivity = max(fit$gross_error * scale)),
    curve = data.frame(x = as.vector(at), influence = as.vector(influence),
                       fixed_share = (nrow(x) + 1) * (with_row - fit$estimate)),
    psi = psi$kind, what = sprintf("influence function of an M-estimate (%s)", psi$kind)
  )
  structure(object, class = c("nonprivate_influence", class(object)))
}

# Limits that do not bind: the data's range.
line_box <- function(x, scale) {
  ends <- range(x)
  list(lower = ends[[1]] - scale, upper = ends[[2]] + scale, scale = scale,
       distance = diff(ends) / scale / 2 + 1)
}

picture.nonprivate_influence <- function(x, ...) { # nolint: object_name_linter.
  curve <- x$curve[order(x$curve$x), ]
  new_picture(list(
    rule(x$value[["estimate"]], colour = "grey80"),
    layer("lines", curve$x, curve$influence, lwd = 2, key = "influence function"),
    layer("lines", curve$x, curve$fixed_share, lty = 2, lwd = 2, colour = "#D55E00",
          key = "one row more at x"),
    rule(y = c(-1, 1) * x$value[["gross_error_sensitivity"]], colour = "grey50", lty = 3,
         key = "gross-error sensitivity")
  ), picture_axis("x"), picture_axis("influence"), paste("NOT PRIVATE:", x$what))
}

#' Bound of the smooth sensitivity of an M-estimate
#'
#' Chaudhuri and Hsu's upper bound of the smooth sensitivity of an M-estimate with a monotone psi, by its
#' gross-error sensitivity near the data. For research only: the result depends on the data without noise, and
#' the bound holds with a probability.
#'
#' @details
#' With probability `1 - eta` over rows drawn independently from a distribution F, the smooth sensitivity is
#' at most the maximum of `2 G/n` and `(upper - lower) exp(-beta (sqrt(n log(2/eta)/2) - 1))`, where G is the
#' largest gross-error sensitivity, for a share of 1/n, of distributions within a = `sqrt(2 log(2/eta)/n)` of
#' F in the Kolmogorov distance. The function takes the empirical distribution for F and bounds G: the root T
#' of a distribution within a of it has a mean of psi at the data of at most 2 a B; there the mean slope of
#' psi is at least m, that at the data less 2 a; and G is at most B n/((n - 1) m). (The least slope is sought
#' on a lattice of 1000 points.) Where m is not above 0 the bound is the whole range of the limits.
#'
#' @inheritParams influence_function
#' @param scale,tuning As in [dp_mestimate()].
#' @param psi `"huber"` or `"logistic"`: the bisquare's estimating equation may have several roots.
#' @param lower,upper Public limits of the estimate.
#' @param beta The smoothness, as in [sens_median()].
#' @param eta The probability that the bound may fail for a sample.
#' @return An object of class [`nonprivate`][nonprivate] with `value`, the bound in the units of the data,
#'   `gross_error_sensitivity` at the data, `largest` (G), `radius` (a), `slope` (m), and both `terms` of the
#'   maximum.
#' @inheritSection influence_function Errors
#' @references
#' Chaudhuri, K. and Hsu, D. (2012). Convergence rates for differentially private statistical estimation.
#' *ICML*. \doi{10.48550/arXiv.1206.6395}
#' @seealso [influence_function()], [sens_median()], [smooth_noise()]
#' @examples
#' # for 272 rows the bound is wide, for ten times as many it is narrower
#' beta <- dilation_beta(1, 1e-6, 1)
#' sens_mestimate(faithful$waiting, scale = 15, lower = 0, upper = 180,
#'                beta = beta)
#' sens_mestimate(rep(faithful$waiting, 10), scale = 15, lower = 0, upper = 180,
#'                beta = beta)
#' @export
sens_mestimate <- function(x, lower, upper, beta, psi = c("huber", "logistic"), scale, tuning = NULL,
                           eta = 0.05, ...) {
  check_given()
  x <- check_data(x, min_n = 2L, max_d = 1L)
  bounds <- check_bounds(lower, upper, 1L, names = names_of(x))
  beta <- check_number(beta, "beta", 0)
  psi <- check_psi(check_choice(psi, c("huber", "logistic"), "psi"), tuning)
  scale <- check_number(scale, "scale", 2^-500, 2^500)
  eta <- check_number(eta, "eta", 0, 1)
  width <- bounds$upper - bounds$lower
  bounds <- c(bounds, list(scale = scale, distance = width / scale / 2))
  n <- nrow(x)
  fit <- mestimate_fit(x, bounds, psi)
  radius <- sqrt(2 * log(2 / eta) / n)
  slope <- min_slope(x, fit, bounds, psi, radius)
  largest <- if (slope > 0) psi$bound * scale / slope * n / (n - 1) else Inf
  terms <- c(near = 2 * largest / n, far = width * exp(-beta * (sqrt(n * log(2 / eta) / 2) - 1)))
  new_nonprivate(min(width, max(terms)), gross_error_sensitivity = fit$gross_error * scale,
                 largest = largest, radius = radius, slope = slope, terms = terms,
                 what = sprintf("bound of the smooth sensitivity of an M-estimate (%s)", psi$kind))
}

# The least mean slope of psi, in units of `scale`, at roots of distributions within `radius` of the data, and
# as far beyond as one row takes them.
min_slope <- function(x, fit, bounds, psi, radius) {
  n <- nrow(x)
  at <- unique(c(seq(bounds$lower, bounds$upper, length.out = 1000),
                 fit$estimate + bounds$scale * psi$tuning * seq(-2, 2, length.out = 1000)))
  at <- at[at >= bounds$lower & at <= bounds$upper]
  pull <- vapply(at, function(t) mean(psi_value(psi, (x - t) / bounds$scale)), 0)
  near <- at[abs(pull) <= 2 * psi$bound * (radius + 1 / n)]
  slopes <- vapply(c(near, fit$estimate), function(t) mean(psi_slope(psi, (x - t) / bounds$scale)), 0)
  min(slopes) - 2 * radius
}

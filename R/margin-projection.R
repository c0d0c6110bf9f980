# The safety margin of the projection median.

#' Safety margin of the projection median
#'
#' Computes the safety margin that the private test of [dp_median_projection()] compares with its threshold,
#' without the noise: a lower bound of the number of rows that must be replaced before the data are unsafe.
#' For research only: the result depends on the data without noise.
#'
#' For directions u let T_u and S_u be location and scale of the projections. The release is drawn with
#' density proportional to exp(-c O(x)), O(x) = max over u of |u'x - T_u|/S_u, with a public rate c. Consider
#' all data sets within k + 1 replaced rows. Let `lower` and `upper` bound their T_u and `least` bound their
#' S_u from below. Let `location_shift` and `scale_shift` bound the differences of T_u and of S_u between
#' neighbours, one of them within k replacements. Level k is safe if
#'
#' 1. ("sensitivity") max over u of (location_shift + tau scale_shift)/least <= eta, and
#' 2. ("centre") there is a point x with max over u of max(|x'u - lower|, |x'u - upper|)/least <= tau - q, and
#'    <= `centre` if c was chosen with that limit. Here q is somewhat below the 1 - delta quantile of the
#'    gamma distribution of shape d and rate c, such that the part of the draw's distribution beyond tau costs
#'    at most delta.
#'
#' The margin is the number of levels k = 0, 1, ... before the first level that is not safe. It changes by at
#' most one when a row is replaced. If it is not zero, the draws for the data and for any neighbour are
#' (epsilon_draw, delta)-close. `vignette("proofs-projection", "dpdepth")` has the bounds for each location
#' and scale, and the proofs.
#'
#' Condition 2 is a linear programme, solved with a certificate. It also counts as failed if the scale along a
#' variable may be 2^16 times the scale along some direction (take `units` of comparable size), if its least
#' value is above 256, or if some scale may be below 2^-900.
#'
#' @param x Data, one row per individual: numeric, without missing values.
#' @param epsilon,delta The guarantee of the release, from which the default constants follow.
#' @param location,scale As in [depth_projection()], with its defaults of `trim` and `blocks`.
#' @param eta,tau Numbers from 1e-100 to 1e100; `NULL` for the defaults, see [dp_median_projection()].
#'   There are several default values of `tau`. The margin is then the largest over them, which also changes
#'   by at most one. Choose both without looking at the data.
#' @param directions How many directions, or a matrix of unit rows as made by [directions()]; missing axes
#'   are added.
#' @param levels How many levels to examine. `NULL`: as many as can matter to the test.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return An object of class [`nonprivate`][nonprivate]; `value` is the margin, a number of rows (at most
#'   `levels`). Further fields: `binding`, the condition that fails at level k = `value` (`"sensitivity"`,
#'   `"centre"`, or `"none"` if all levels are safe); `k`, that level (`NA` for none); `direction`, the row of
#'   `directions` in which the first condition is worst there; `directions`; `constants`, a list of `eta`,
#'   `tau` (with the largest margin), `centre` (`Inf` for no limit), `epsilon_test`, `epsilon_draw`, `rate`
#'   (c) and `threshold` (the test passes if the margin plus noise is above it); `limit`, the right side of
#'   the second condition; and `profile`, a data frame with one row per level: `k`, `sensitivity` and `centre`
#'   (the left sides of the conditions), `location_shift` and `scale_shift` (the largest location_shift/least
#'   and scale_shift/least). `plot()` draws the left sides by their limits against k.
#' @section Errors:
#' A bad argument raises `dpdepth_error_input`, see [dpdepth-errors].
#' @references
#' Ramsay, K. and Spicker, D. (2024). Differentially private projection-depth-based medians. (The
#' mechanism; its bounds are others.)
#'
#' Brown, G., Gaboardi, M., Smith, A., Ullman, J. and Zakynthinou, L. (2021). Covariance-aware private mean
#' estimation without private covariance estimation. *NeurIPS 34*. (Safety.)
#'
#' Dwork, C. and Lei, J. (2009). Differential privacy and robust statistics. *STOC*, 371-380. (Propose,
#' test, release.) \doi{10.1145/1536414.1536466}
#' @seealso [ptr()], the general tool.
#' @examples
#' # places of earthquakes near Fiji, with constants for a sample that small
#' m <- margin_projection(quakes[c("lat", "long")], epsilon = 10, delta = 1e-3,
#'                        eta = 0.3, tau = 2.5, location = "trimmed",
#'                        scale = "trimmed", directions = 50)
#' m
#' m$binding
#' plot(m)
#' @export
margin_projection <- function(x, epsilon, delta, location = "median", scale = "mad", eta = NULL,
                              tau = NULL, directions = 1000L, levels = NULL, ...) {
  check_given()
  x <- check_data(x, min_n = 2L)
  check_projection_variables(ncol(x))
  epsilon <- check_epsilon(epsilon)
  delta <- check_delta(delta)
  pair <- check_pair(location, scale)
  eta <- check_projection_constant(eta, "eta")
  tau <- check_projection_constant(tau, "tau")
  u <- as_directions(directions, ncol(x), add_axes = TRUE)
  check_draw_epsilon(epsilon, delta)
  constants <- projection_constants(nrow(x), ncol(x), epsilon, delta, nrow(u), pair[[1]], pair[[2]], eta,
                                    tau)
  constants$threshold <- ptr_threshold(constants$epsilon_test, delta)
  levels <- if (is.null(levels)) ptr_levels(constants$epsilon_test, delta)
            else check_count(levels, "levels", upper = 100000L)
  out <- projection_margin(x, u, pair[[1]], pair[[2]], constants$eta, constants$tau, constants$epsilon_draw,
                           delta, levels, TRUE, centre = constants$centre)
  constants$tau <- out$tau
  margin_object(out, u, constants)
}

margin_object <- function(out, u, constants) {
  bounds <- out$profile$bounds # levels x (lower, upper, location_shift, least, scale_shift) x directions
  minimum <- matrix(bounds[, 4, ], dim(bounds)[[1]])
  ratio <- function(v) ifelse(minimum > 0 & v < Inf, v / minimum, Inf)
  location_shift <- ratio(matrix(bounds[, 3, ], nrow(minimum)))
  scale_shift <- ratio(matrix(bounds[, 5, ], nrow(minimum)))
  left <- location_shift + constants$tau * scale_shift
  highest <- function(m) apply(m, 1, max)
  k <- seq_len(nrow(minimum)) - 1L
  at <- if (out$binding == "none") NA_integer_ else out$margin
  profile <- data.frame(k = k, sensitivity = highest(left), centre = out$profile$value,
                        location_shift = highest(location_shift), scale_shift = highest(scale_shift))
  object <- new_nonprivate(
    out$margin, binding = out$binding, k = at,
    direction = if (!is.na(at)) which.max(left[at + 1, ]) else NA_integer_, directions = u,
    constants = constants[setdiff(names(constants), "feasible")], limit = out$room,
    profile = profile, what = "safety margin of the projection median"
  )
  structure(object, class = c("nonprivate_margin", class(object)))
}

picture.nonprivate_margin <- function(x, ...) { # nolint: object_name_linter.
  profile <- x$profile
  side <- function(left, limit) {
    left <- left / limit
    replace(left, !is.finite(left) | left > 1e3, NA)
  }
  new_picture(list(
    rule(y = 1, colour = "grey80"), rule(x$value - 0.5, colour = "grey80", lty = 3),
    step_layer(profile$k, side(profile$sensitivity, x$constants$eta), lwd = 2, key = "1. sensitivity"),
    step_layer(profile$k, side(profile$centre, max(x$limit, .Machine$double.xmin)), lty = 2, lwd = 2,
               colour = "#D55E00", key = "2. centre")
  ), picture_axis("k, rows replaced"), picture_axis("left side by limit"), paste("NOT PRIVATE:", x$what))
}

# The planned noise of private depths: public numbers only.

#' Plan private depths
#'
#' Computes the standard deviation of the noise that [dp_depth()] adds to the depth of each point; or how many
#' rows, or how much epsilon, a wanted error needs. It uses public numbers only, no data.
#'
#' @inheritParams dp_depth
#' @param n The number of rows, or `NULL` for the least one that gives `error`.
#' @param epsilon The privacy budget of all points together, or `NULL` for the least one that gives `error`.
#' @param points How many points are asked for, a whole number from 1 to 1e6.
#' @param d The number of variables, on which the noise of simplicial depth depends.
#' @param delta As in [dp_depth()]: with it the noise is Gaussian where that is less.
#' @param error The largest standard deviation wanted, when `n` or `epsilon` is sought.
#' @return A data frame of class `depth_plan` with one row: `n`, `epsilon`; `delta`, what is spent; `points`;
#'   `noise`, the noise's kind; `error`, its standard deviation, which is `noise_sd` of the release but for
#'   rounding; and `sampling`, `0.5/sqrt(n)`, about the most that the sampling error of a depth can be. See
#'   [dp_plan] for its methods.
#' @inheritSection plan_mean Errors
#' @seealso [dp_depth()].
#' @examples
#' plan_depth(n = 1000, epsilon = 1, points = 5)
#' plan_depth(epsilon = 1, points = 5, error = 0.01)$n
#' @export
plan_depth <- function(n = NULL, epsilon = NULL, points = 1L, d = 1L, depth = "halfspace", delta = 0,
                       error = NULL, ...) {
  check_given()
  if (is_grid(n, epsilon)) return(plan_grid(n, epsilon, match.call(), parent.frame()))
  delta <- check_delta(delta, zero = TRUE)
  points <- check_count(points, "points", 1L, 1e6)
  depth <- check_choice(depth, c("halfspace", names(median_depths)), "depth")
  d <- check_count(d, "d", 1L, if (depth == "simplicial") 3L else 1024L)
  wanted <- check_plan(n, epsilon, error)
  sd_of <- function(n, epsilon) {
    law <- depth_noise(points, epsilon, delta)
    # of halfspace depth noise is in whole rows
    whole <- depth == "halfspace" && law$name == "Laplace"
    sd <- if (whole) sqrt(2 * exp(-law$each)) / -expm1(-law$each) else law$sd
    sd * depth_sensitivity(n, d, depth)
  }
  enough <- function(n, epsilon) epsilon >= 1e-6 * points && sd_of(n, epsilon) <= error
  wanted <- sought_plan(wanted, enough)
  law <- depth_noise(points, wanted$epsilon, delta)
  rows <- data.frame(n = wanted$n, epsilon = wanted$epsilon, delta = law$delta, points = points,
                     noise = law$name, error = sd_of(wanted$n, wanted$epsilon),
                     sampling = 0.5 / sqrt(wanted$n))
  new_plan(rows, "depth_plan", function(n, epsilon) c(sd_of(n, epsilon), 0.5 / sqrt(n)),
           "error that privacy adds", "sampling error, at most",
           head = sprintf("Error that privacy adds to %s depth", gsub("_", " ", depth)),
           notes = "error: the noise's standard deviation, of a point's depth")
}

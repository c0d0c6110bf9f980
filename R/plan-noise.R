# The planned error of private means and histograms: the noise's standard deviation, from public numbers.

#' Plan a private mean
#'
#' Computes the standard deviation of the noise that [dp_mean()] adds, beside the mean's own error; or how
#' many rows, or how much epsilon, a wanted error needs. It uses public numbers only, no data.
#'
#' @inheritParams dp_mean
#' @param n The number of rows, or `NULL` for the least one that gives `error`.
#' @param epsilon The privacy budget, or `NULL` for the least one that gives `error`.
#' @param spread A guess at the standard deviation of each clipped variable, one number or one per variable;
#'   `NULL` for a twentieth of the bounds' width. It must not be taken from the data.
#' @param error The largest error wanted of a variable, when `n` or `epsilon` is sought.
#' @param neighbours As in [dp_mean()]. With `"add_remove"` `n` is a guess, and `error` is that of a mean at a
#'   bound; in the middle it falls to 0.7 of that.
#' @details
#' `error` is exact but for rounding to the lattice. It leaves out the bias of clipping.
#' @return A data frame of class `mean_plan`, one row per variable: `n`, `epsilon`; `delta`, what is spent;
#'   `noise`, the noise's kind; `error`, its standard deviation; and `sampling`, `spread/sqrt(n)`. See
#'   [dp_plan] for its methods.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for numbers outside their ranges, for other than two of `n`,
#' `epsilon` and `error`, and for an `error` that no `n` or `epsilon` reaches.
#' @seealso [dp_mean()], [plan_median()].
#' @examples
#' plan_mean(n = 1000, epsilon = 1, lower = 0, upper = 110, spread = 20)
#' plan_mean(epsilon = 0.5, lower = 0, upper = 110, error = 0.2)$n
#' @export
plan_mean <- function(n = NULL, epsilon = NULL, delta = 0, lower, upper, spread = NULL, error = NULL,
                      ..., neighbours = "substitution") {
  check_given()
  if (is_grid(n, epsilon)) return(plan_grid(n, epsilon, match.call(), parent.frame()))
  delta <- check_delta(delta, zero = TRUE)
  private <- check_neighbours(neighbours)
  wanted <- check_plan(n, epsilon, error)
  if (missing(lower)) lower <- NULL
  if (missing(upper)) upper <- NULL
  bounds <- mean_bounds(lower, upper, max(1L, length(lower), length(upper)), NULL)
  width <- bounds$upper - bounds$lower
  spread <- check_plan_spread(spread, length(width))
  assumed <- if (is.null(spread)) paste(
    "sampling: for standard deviations of a twentieth of the limits' distance, as no `spread` was given"
  )
  if (is.null(spread)) spread <- width / 20
  planned <- function(n, epsilon) {
    plan <- mean_plan(if (private) most_private_rows else n, epsilon, delta, bounds)
    list(plan = plan, error = plan$sd * plan$n / n, sampling = spread / sqrt(n))
  }
  wanted <- sought_plan(wanted, function(n, epsilon) max(planned(n, epsilon)$error) <= error)
  it <- planned(wanted$n, wanted$epsilon)
  rows <- data.frame(variable = seq_along(width), n = wanted$n, epsilon = wanted$epsilon,
                     delta = it$plan$delta, noise = it$plan$noise, error = it$error, sampling = it$sampling)
  curve <- function(n, epsilon) vapply(planned(n, epsilon)[c("error", "sampling")], root_mean_square, 0)
  new_plan(rows, "mean_plan", curve, "error that privacy adds", "sampling error",
           head = "Error that privacy adds to a mean",
           notes = c(
             "error: the noise's standard deviation in the variables' units, beside the sampling error",
             assumed
           ))
}

#' Plan a private histogram
#'
#' Computes the standard deviation of the noise in each count of [dp_histogram()], in rows and as a share of
#' n; for infinitely many bins also the share of the rows that a bin must hold to be reported. Or finds how
#' many rows, or how much epsilon, a wanted error needs. It uses public numbers only, no data.
#'
#' @inheritParams dp_histogram
#' @param n The number of rows, or `NULL` for the least one that gives `error`.
#' @param epsilon The privacy budget, or `NULL` for the least one that gives `error`.
#' @param delta 0 for public bins; above 0 for infinitely many bins.
#' @param error The largest error of a bin's share of the rows, when `n` or `epsilon` is sought.
#' @return A data frame of class `histogram_plan` with one row: `n`, `epsilon`, `delta`; `noise_sd` of a count
#'   in rows; `error`, that divided by n; `threshold`, the noisy count from which on a bin is reported, and
#'   `reported`, the share of rows with which it is so with probability 0.95 (both `NA` for public bins); and
#'   `sampling`, the standard deviation of a share of one half. See [dp_plan] for its methods.
#' @inheritSection plan_mean Errors
#' @seealso [dp_histogram()], [plan_ecdf()].
#' @examples
#' plan_histogram(n = 1000, epsilon = 1)
#' plan_histogram(n = 1000, epsilon = 1, delta = 1e-6)
#' @export
plan_histogram <- function(n = NULL, epsilon = NULL, delta = 0, error = NULL, ...,
                           neighbours = "substitution") {
  check_given()
  if (is_grid(n, epsilon)) return(plan_grid(n, epsilon, match.call(), parent.frame()))
  delta <- check_delta(delta, zero = TRUE)
  private <- check_neighbours(neighbours)
  wanted <- check_plan(n, epsilon, error)
  bins <- list(public = delta == 0)
  planned <- function(n, epsilon) histogram_plan(epsilon, delta, bins, private)
  wanted <- sought_plan(wanted, function(n, epsilon) planned(n, epsilon)$sd / n <= error)
  it <- planned(wanted$n, wanted$epsilon)
  shown <- NA_real_
  if (delta > 0) shown <- search_count(function(k) noise_tail(it$threshold - k, it$rate) >= 0.95, 1, 2^53)
  rows <- data.frame(n = wanted$n, epsilon = wanted$epsilon, delta = delta, noise_sd = it$sd,
                     error = it$sd / wanted$n, threshold = if (delta > 0) it$threshold else NA_real_,
                     reported = shown / wanted$n, sampling = 0.5 / sqrt(wanted$n))
  curve <- function(n, epsilon) c(planned(n, epsilon)$sd / n, 0.5 / sqrt(n))
  new_plan(rows, "histogram_plan", curve, "error of a bin's share", "sampling error",
           head = "Error that privacy adds to a histogram",
           notes = c(
             "noise_sd: of a count of rows; error: of a bin's share; sampling: of a share of one half",
             if (delta > 0) paste("threshold: the noisy count from which on a bin is reported; reported: the",
                                  "share with which it is so with probability 0.95")
           ))
}

# -- depths ----------------------------------------------------------------------------------------

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

# -- correlations ----------------------------------------------------------------------------------

#' Plan private correlations
#'
#' Gives the standard deviation of the noise that [dp_correlation()] adds to each Kendall's tau, beside the
#' sampling error, and which noise it takes; or how many rows, or how much epsilon, a wanted error takes. It
#' uses public numbers only, no data.
#'
#' @inheritParams dp_correlation
#' @param n The number of rows, or `NULL` for the least one that gives `error`.
#' @param d The number of variables.
#' @param epsilon The privacy budget, or `NULL` for the least one that gives `error`.
#' @param error The largest standard deviation wanted of the noise in a tau, when `n` or `epsilon` is sought.
#' @param interval `NULL`, or the level of the intervals that are planned.
#' @return A data frame of class `correlation_plan` with one row: `n`, `d`, `epsilon`; `delta`, what is spent;
#'   `noise`, its kind; `error`, its standard deviation in a tau; `sampling`, that of a tau of independent
#'   variables; and with `interval` the `width` of its limits about a tau of 0, and its `limits`, `"finite
#'   samples"` or `"asymptotic"`. See [dp_plan] for its methods.
#' @inheritSection plan_mean Errors
#' @seealso [dp_correlation()].
#' @examples
#' plan_correlation(n = 2000, epsilon = 1, interval = 0.95)
#' plan_correlation(n = 5000, d = 10, epsilon = 1, delta = 1e-6)
#' plan_correlation(d = 5, epsilon = 1, error = 0.02)$n
#' @export
plan_correlation <- function(n = NULL, d = 2, epsilon = NULL, delta = 0, interval = NULL, error = NULL, ...) {
  check_given()
  if (is_grid(n, epsilon)) return(plan_grid(n, epsilon, match.call(), parent.frame()))
  delta <- check_delta(delta, zero = TRUE)
  d <- check_count(d, "d", 2L)
  if (d > most_correlated) stop_input("d", sprintf("at most %d variables", most_correlated), format(d))
  if (!is.null(interval)) check_interval_level_given(interval)
  wanted <- check_plan(n, epsilon, error)
  if (!is.null(n)) check_count(n, "n", 2L, shown = FALSE)
  noise <- function(n, epsilon) {
    squared <- !is.null(interval) && d == 2 && n * epsilon >= variance_rows
    tau_noise(n, d, epsilon * if (squared) variance_shares[["tau"]] else 1, delta)
  }
  sampling <- function(n) sqrt(2 * (2 * n + 5) / (9 * n * (n - 1)))
  wanted <- sought_plan(wanted, function(n, epsilon) n > 1 && noise(n, epsilon)$sd <= error)
  it <- noise(wanted$n, wanted$epsilon)
  rows <- data.frame(n = wanted$n, d = d, epsilon = wanted$epsilon, delta = it$delta, noise = it$kind,
                     error = it$sd, sampling = sampling(wanted$n))
  if (!is.null(interval)) {
    rows <- cbind(rows, planned_tau_limits(wanted$n, d, wanted$epsilon, interval, it$law))
  }
  curve <- function(n, epsilon) {
    n <- max(2, n)
    c(noise(n, epsilon)$sd, sampling(n))
  }
  new_plan(rows, "correlation_plan", curve, "error that privacy adds", "sampling error",
           head = "Error that privacy adds to Kendall's tau",
           notes = paste("error: the noise's standard deviation in a tau, beside the sampling error of",
                         "independent variables"))
}

# Of independent variables without ties, for which a row's sum has the variance (n - 1) (n + 7) / 9.
planned_tau_limits <- function(n, d, epsilon, level, law) {
  if (d > 2 || n * epsilon < variance_rows) {
    ends <- proved_tau_limits(0, n, level, law)
    return(data.frame(width = ends[[2]] - ends[[1]], limits = "finite samples"))
  }
  square <- square_law(n, epsilon * variance_shares[["variance"]])
  squares <- n * (n - 1) * (n + 7) / 9 / 2^square$bits
  ends <- private_tau_limits(0, squares, n, level, law, square)
  data.frame(width = ends[[2]] - ends[[1]], limits = "asymptotic")
}

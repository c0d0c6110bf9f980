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

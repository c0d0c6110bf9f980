# The planned error of private correlations, from public numbers.

#' Plan private correlations
#'
#' Tells the standard deviation of the noise that [dp_correlation()] adds to each Kendall's tau, beside the
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
  if (!is.null(n)) check_count(n, "n", 2L)
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

# The private median without bounds, by the restricted exponential mechanism over depth along the axes.

#' Private median without bounds, by the restricted exponential mechanism
#'
#' Releases a median of any number of variables without bounds on the data and without moments, for samples of
#' a few hundred: (epsilon, delta)-differentially private. A private test first decides whether the data are
#' safe for the draw. The draw has probability proportional to `exp(epsilon_draw * h / 2)` on the points of
#' depth `level` or more, h being the depth along the axes: the least, over variables, of the numbers of rows
#' at or below a point and at or above it.
#'
#' @inheritParams dp_median_smooth
#' @param x Data, one individual per row: a numeric vector, matrix or data frame without missing values.
#' @param epsilon Privacy budget, one number from 1e-4 to 1e6; usual values lie between 0.1 and 10.
#' @param delta Between 1e-100 and 1; much less than 1/n is usual.
#' @param level The least depth of a released point: a number of rows (2 or more, at most half of the rows) or
#'   a share of them, chosen without looking at the data; `NULL` for the default.
#' @param share The share of `epsilon` that the test gets, from 0.01 to 0.99; `NULL` for the default.
#' @param resolution The step of the public lattice that rows and releases are rounded to, in the units of
#'   the data: one number, or one per variable (named or not; variables whose names are left out keep the
#'   default), rounded down to powers of two; or `"type"`, see [dp_median()]. `NULL`: 2^-16. The lattice has
#'   2^50 steps to each side of zero, and rows beyond are moved to its edge: the default serves medians up to
#'   1.7e10. A thousandth of the spread is fine enough.
#' @param outliers The share of rows, below 1/2, that may lie anywhere, all on one side of the others, without
#'   the test failing for them. It takes more rows.
#' @param na `"fail"`: missing and infinite values are refused, which shows that there were some. Or public
#'   values that replace them, as in [dp_median()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' **Test.** The draw is not private for data whose depth regions change much when a row is replaced. Depth
#' regions are boxes. Their sizes are known exactly, also for all data within some replaced rows, and give a
#' lower bound of the number of rows that must be replaced to obtain such data. This safety margin changes by
#' at most one when a row is replaced. The test adds noise to it and compares the sum with a threshold. A
#' failed test is a release with `released = FALSE`, and has spent the budget. The bound is sharper than the
#' published ones; see `vignette("proofs-axes", "dpdepth")`.
#'
#' **Default level and share.** They are chosen for normal samples of n rows: the smallest share of epsilon
#' for which the margin of such a sample is twice the test's threshold, and the lowest level with such a
#' margin; where there is none, those that pass most often. They depend on n, the number of variables, epsilon
#' and delta only. In data of two clusters the margin ends at the share of the smaller one: with few rows for
#' this epsilon, where clusters are likely, give a lower `level`.
#'
#' **How many rows.** Normal data pass at epsilon = 1 and delta = 1e-6 from about 253 rows (one variable), 282
#' (two), 446 (ten) or 1060 (fifty) on, and in proportion to 1/epsilon; with 20% of outliers from 554 (two).
#' The depth does not see how variables depend on each other. [prior_dyadic()] needs no test, no delta, and
#' for up to about eight variables fewer rows.
#'
#' **Exactness.** The data are on the lattice, so boxes have whole numbers of points, and points are drawn
#' uniformly in integers; only the choice among levels has weights that are rounded, and this is paid for. The
#' data may tie, or lie on a line. Time is O(d n log n). A released point lies among the rows, whatever their
#' spread: `details$resolves` is the lattice's step.
#' @return A [`dp_release`][dp_release] with `guarantee = "approximate"`. The `details` name the level (a
#'   count), `epsilon_test` and `epsilon_draw`, and the resolution: all of them public.
#' @inheritSection dp_median Errors
#' @references
#' Amin, K., Joseph, M., Ribero, M. and Vassilvitskii, S. (2022). Easy differentially private linear
#' regression. \doi{10.48550/arXiv.2208.07353}
#'
#' Brown, G., Gaboardi, M., Smith, A., Ullman, J. and Zakynthinou, L. (2021). Covariance-aware private mean
#' estimation without private covariance estimation. *NeurIPS*. \doi{10.48550/arXiv.2106.13329}
#' @seealso [dp_median_exponential()], which needs public limits and no delta.
#' @examples
#' # eruptions of Old Faithful, short ones and long ones: duration and waiting time
#' # in minutes
#' dp_median_restricted(faithful, epsilon = 2, delta = 1e-6, resolution = 0.01)
#' @export
dp_median_restricted <- function(x, epsilon, delta, level = NULL, share = NULL, resolution = NULL,
                                 outliers = 0, ..., id = NULL, ledger = NULL, rng = NULL, na = "fail") {
  release_by(restricted_mechanism(), door_call())
}

restricted_mechanism <- function() {
  # (a function: steps may be those of types, see planned_release())
  new_mechanism(plan_restricted_median, draw_restricted, neighbours = "substitution",
                limits = function(given) FALSE,
                ready = function(rows, plan) plain_rows(rows))
}

plan_restricted_median <- function(facts, given) {
  n <- facts$n
  d <- facts$d
  check_axes_size(n, d)
  epsilon <- check_restricted_epsilon(given$epsilon)
  delta <- check_number(given$delta, "delta", min_restricted_delta, 1, closed = c(TRUE, FALSE))
  level <- check_restricted_level(given$level, n)
  outliers <- if (is.null(given$outliers)) 0
              else check_number(given$outliers, "outliers", 0, 0.5, closed = c(TRUE, FALSE))
  share <- if (!is.null(given$share)) check_number(given$share, "share", 0.01, 0.99, closed = c(TRUE, TRUE))
  resolution <- check_resolution(if (is.null(given$resolution)) 2^-16 else given$resolution, d, facts$names,
                                 default = 2^-16)
  plan <- restricted_axes_plan(n, d, epsilon, delta, outliers, level, share)
  budget <- c(test = epsilon * plan$share, draw = epsilon - epsilon * plan$share)
  list(
    label = "median (restricted exponential mechanism)", what = "median", delta = delta, budget = budget,
    mechanism = "restricted exponential mechanism over halfspace depth", resolution = resolution,
    level = plan$level,
    details = c(list(depth = "halfspace, along the axes", level = as.integer(plan$level),
                     epsilon_test = budget[["test"]], epsilon_draw = budget[["draw"]], outliers = outliers,
                     resolution = stats::setNames(resolution, facts$variables),
                     resolves = stats::setNames(resolution, facts$variables)),
                if (is.null(given$resolution)) list(lattice = default_lattice)),
    warn = function(said) warn_restricted_axes(n, d, epsilon, plan$pass)
  )
}

# PRIVATE: rows.
draw_restricted <- function(rows, plan, source) {
  rows <- lattice_axes(rows, plan$resolution)
  drawn <- draw_restricted_axes(rows, plan$level, plan$budget, plan$delta, source)
  list(estimate = drawn$point * plan$resolution, released = drawn$released)
}

# The test and, where it passes, a draw: a point of whole numbers, or NA. For whole rows.
draw_restricted_axes <- function(rows, level, budget, delta, source) {
  sorted <- sort_columns(rows)
  threshold <- ptr_threshold(budget[["test"]], delta)
  # margins are cut off where the test passes for certain: public, and a cut margin moves no faster
  most <- 2 * threshold + ceiling(100 / budget[["test"]])
  margin <- restricted_axes_margin(sorted, level, budget[["draw"]], delta, most)
  if (!ptr_test(margin, budget[["test"]], delta, source)) {
    return(list(released = FALSE, point = rep(NA_real_, ncol(rows))))
  }
  list(released = TRUE, point = draw_from_level(sorted, level, budget[["draw"]], source)[1, ])
}

# Exact draws, one per row, from weight exp(epsilon h/2) where the depth h along the axes is at least `level`.
draw_from_level <- function(sorted, level, epsilon, source, draws = 1L) {
  ranks <- seq(level, nrow(sorted))
  draw_boxes(sorted[ranks, , drop = FALSE], sorted[nrow(sorted) + 1 - ranks, , drop = FALSE], epsilon, source,
             draws)
}

# Each row's indexes, a function of that row only: the order statistics' differences are exact.
lattice_axes <- function(x, resolution) {
  edge <- 2^50
  for (j in seq_len(ncol(x))) x[, j] <- pmin(pmax(round(x[, j] / resolution[[j]]), -edge), edge)
  unname(x)
}

sort_columns <- function(x) {
  for (j in seq_len(ncol(x))) x[, j] <- sort(x[, j])
  x
}

# Beyond, the rounding of levels' weights would show: src/mech/boxes.c.
most_axes_rows <- 2^24
most_axes_variables <- 2^20

check_axes_size <- function(n, d) {
  check_size(matrix(0, min(n, 4), d), min_n = 4L, max_d = most_axes_variables)
  if (n > most_axes_rows) {
    stop_input("x", sprintf("data with at most %d rows along the axes", most_axes_rows),
               sprintf("data with %d", n), "Without limits, prior_dyadic() serves so many rows.")
  }
}

# A count of 2 or more, at most the depth that every data set has; or a share of the rows, rounded up.
check_restricted_level <- function(level, n) {
  if (is.null(level)) return(NULL)
  most <- (n + 1) %/% 2
  must <- sprintf("a whole number from 2 to %d, or a share of the rows that comes to one", most)
  if (!is_scalar_number(level)) stop_input("level", must, describe(level))
  share <- isTRUE(level > 0 && level < 1)
  count <- if (share) max(2, ceiling(level * n * (1 - 4 * .Machine$double.eps))) else as.double(level)
  if (!is.finite(count) || count != round(count) || count < 2 || count > most) {
    stop_input("level", must, format(as.double(level)))
  }
  count
}

# Before the debit, from public numbers.
warn_restricted_axes <- function(n, d, epsilon, pass) {
  if (pass >= 0.5) return(invisible(NULL))
  warn_dpdepth("accuracy", sprintf(paste(
    "With n = %d, d = %d, epsilon = %s and this delta the private test will hardly pass, even for normal",
    "data (judged by these numbers alone), and a failed test spends the budget. Take more rows, a larger",
    "epsilon or fewer variables; see plan_median()."
  ), n, d, format(epsilon)))
}

# Steps that are powers of two, at most the given ones.
check_resolution <- function(resolution, d, names, arg = "resolution", default = NULL) {
  if (!is.null(default)) resolution <- fill_named(resolution, default, names)
  given <- resolution
  resolution <- check_bound(given, d, arg, names)
  must <- "from 2^-200 to 2^200"
  outside <- resolution < 2^-200 | resolution > 2^200
  if (any(outside)) {
    stop_input(arg, must, describe_numbers(given, outside),
               "Take a step that is small beside the data's units.")
  }
  2^floor(log2(resolution))
}

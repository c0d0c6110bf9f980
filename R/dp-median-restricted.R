# The private median by the restricted exponential mechanism over halfspace depth.

#' Private median without bounds, by the restricted exponential mechanism
#'
#' Releases a median without bounds on the data and without moments, for samples of a few hundred: (epsilon,
#' delta)-differentially private. A private test first decides whether the data are safe for the draw. The
#' draw has probability proportional to `exp(epsilon_draw * h / 2)` on the points of depth `level` or more, h
#' being the number of rows in the smallest halfspace that holds the point. For one and two
#' variables the law follows affine transformations, up to the lattice.
#'
#' @inheritParams dp_median_smooth
#' @param x Data of one to three variables (any number along the axes), one individual a row: a numeric
#'   vector, matrix or data frame without missing values.
#' @param epsilon Privacy budget, one number from 1e-4 to 1e6; usual values lie between 0.1 and 10.
#' @param delta Between 1e-100 and 1; much less than 1/n is usual.
#' @param level The least depth of a released point: a number of rows (2 or more) or a share of them (below
#'   1), chosen without looking at the data; `NULL` for the default.
#' @param share The share of `epsilon` that the test gets, from 0.01 to 0.99; `NULL` for the default.
#' @param resolution The step of the public lattice that rows and releases are rounded to, in the units of
#'   the data: one number, or one a variable (named or not; variables whose names are left out keep the
#'   default), rounded down to powers of two; or `"type"`, see [dp_median()]. `NULL`: 2^-16. The lattice has
#'   2^50 steps to each side of zero with one variable, 2^40 with two and 2^35 with three, and rows beyond are
#'   moved to its edge: the default serves medians up to 1.7e10, 1.6e7 and 5.2e5. A thousandth of the spread
#'   is fine enough for up to two variables, for three a ten-thousandth or less.
#' @param directions With three variables: public directions, a count or a matrix made by [directions()],
#'   along which depth is the least, at most 1000; missing axes are added. `NULL` stands for 500. They see
#'   the data in units of `resolution`. `"axes"`: the least depth along the axes, for any number of
#'   variables; see Details.
#' @param outliers With `directions = "axes"`: the share of rows, below 1/2, that may lie anywhere, all on one
#'   side of the others, without the test failing for them. It takes more rows.
#' @param na `"fail"`: missing and infinite values are refused, which shows that there were some. Or public
#'   values that stand for them, as in [dp_median()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' **Test.** The draw is not private for data whose depth regions change much when a row is replaced. The
#' sizes of the regions give a lower bound of the number of rows that must be replaced to obtain such data.
#' This safety margin changes by at most one when a row is replaced. The test adds noise to it and compares
#' the sum with a threshold. A failed test is a release with `released = FALSE`, and has spent the budget.
#' The bound is sharper than the published ones; see `vignette("proofs-restricted", "dpdepth")`.
#'
#' **Default level and share.** They are chosen for normal samples of n rows: the smallest share of epsilon
#' for which the margin of such a sample is twice the test's threshold, and the level with the largest
#' margin. They depend on n, the number of variables, epsilon and delta only.
#'
#' **Along the axes.** With `directions = "axes"` depth is the least, over variables, of the numbers of rows
#' at or below a point and at or above it. Depth regions are then boxes. Their sizes are known exactly, also
#' for all data within some replaced rows, so that the margin is sharper and the number of variables is not
#' limited. Normal data pass at epsilon = 1 and delta = 1e-6 from about 253 rows (one variable), 282 (two),
#' 446 (ten) or 1060 (fifty) on, and in proportion to 1/epsilon; with 20% of outliers from 554 (two). The
#' lattice has 2^50 steps to each side of zero. The depth does not see how variables depend on each other.
#' The proof is in `vignette("proofs-axes", "dpdepth")`. [prior_dyadic()] needs no test, no delta, and for up
#' to about eight variables fewer rows.
#'
#' **Exactness.** The data being on the lattice, the regions' lattice points are counted in integers and drawn
#' uniformly in integers; only the choice among levels has weights in doubles, whose rounding is paid for.
#' Data that tie, or lie on a line, are welcome. With three variables, depth is the directional depth, and the
#' test bounds the numbers of lattice points by volumes of polytopes, whose vertices are exact: regions
#' thinner than a step of the lattice count as empty, so data on a plane fail the test. Draws are exact as
#' before.
#'
#' **Cost.** O(n log n) for one variable. For two, O(n^2 log n) time and about 12 n^2 bytes. For three,
#' time and memory O(n N), N directions, and some milliseconds a level (how long it takes depends on the data;
#' timing is outside the threat model). At most 5000 rows of several variables.
#' @return A [`dp_release`][dp_release] with `guarantee = "approximate"`. The `details` name the level (a
#'   count), `epsilon_test` and `epsilon_draw`, and the resolution: all of them public.
#' @section Errors:
#' As for [dp_median()]. More than three variables, and more than 5000 rows of two or three, are refused, but
#' along the axes.
#' @references
#' Amin, K., Joseph, M., Ribero, M. and Vassilvitskii, S. (2022). Easy differentially private linear
#' regression. \doi{10.48550/arXiv.2208.07353}
#'
#' Brown, G., Gaboardi, M., Smith, A., Ullman, J. and Zakynthinou, L. (2021). Covariance-aware private mean
#' estimation without private covariance estimation. *NeurIPS*. \doi{10.48550/arXiv.2106.13329}
#' @seealso [dp_median_exponential()], which needs public limits and no delta.
#' @examples
#' # eruptions of Old Faithful: duration and waiting time in minutes
#' dp_median_restricted(faithful, epsilon = 2, delta = 1e-6, resolution = 0.01)
#' @export
dp_median_restricted <- function(x, epsilon, delta, level = NULL, share = NULL, resolution = NULL,
                                 directions = NULL, outliers = 0, ..., ledger = NULL, rng = NULL,
                                 na = "fail") {
  release_by(restricted_mechanism(), door_call())
}

restricted_mechanism <- function() {
  new_mechanism(plan_restricted_median, draw_restricted, neighbours = "substitution", limits = FALSE,
                ready = function(rows, plan) plain_rows(rows))
}

plan_restricted_median <- function(facts, given) {
  n <- facts$n
  d <- facts$d
  check_axes_size(n, d)
  epsilon <- check_restricted_epsilon(given$epsilon)
  delta <- check_number(given$delta, "delta", min_restricted_delta, 1, closed = c(TRUE, FALSE))
  level <- check_axes_level(given$level, n)
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
                     resolution = stats::setNames(resolution, facts$variables)),
                if (is.null(given$resolution)) list(lattice = default_lattice)),
    warn = function() warn_restricted_axes(n, d, epsilon, plan$pass)
  )
}

# PRIVATE: rows.
draw_restricted <- function(rows, plan, source) {
  rows <- lattice_axes(rows, plan$resolution)
  drawn <- draw_restricted_axes(rows, plan$level, plan$budget, plan$delta, source)
  list(estimate = drawn$point * plan$resolution, released = drawn$released)
}

# Rows of several variables: the sweep holds 12 bytes for each pair of rows.
max_restricted_rows <- 5000L

# A hundredth of it is a rate that the samplers take.
min_restricted_epsilon <- 1e-4

check_restricted_epsilon <- function(x) {
  check_number(x, "epsilon", min_restricted_epsilon, 1e6, closed = c(TRUE, TRUE))
}

check_restricted_size <- function(x) {
  check_size(x, min_n = 4L, max_d = 3L)
  if (ncol(x) > 1 && nrow(x) > max_restricted_rows) {
    stop_input("x", sprintf("data with at most %d rows for several variables", max_restricted_rows),
               sprintf("data with %d", nrow(x)), "For more, dp_median_projection() is at its best.")
  }
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

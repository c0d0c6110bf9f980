# The private interior point: a number between the smallest and the largest row, without bounds.

#' A private interior point
#'
#' Releases a number that is above the smallest row and not above the largest. It needs no bounds and no
#' prior: the data may have any location and spread. Every number that is released certainly has this
#' property, and it lies near the middle of the data. With `alpha` it is a median.
#'
#' @inheritParams dp_median
#' @param x One variable: a vector, or data with one column.
#' @param delta Above 0; far less than 1/n is usual.
#' @param alpha `NULL`: between the smallest and the largest row. Or a number below 1/2: between the rows of
#'   two ranks about the median's, see Interior points in [dp_median()], whose method `"interior"` has 0.25.
#'   Not with `"add_remove"`.
#' @param neighbours As in [dp_median()]. With `"add_remove"` n is private, and a bin's count needs half of
#'   the noise; data with few rows are not refused: the call then releases nothing.
#' @param na `"fail"`, or a public number that replaces missing and infinite values: see [dp_median()].
#' @param id `NULL`, or the person of each row: one row of each person is kept, see [dp_median()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' *Scale*, with a share of 0.35 of epsilon: rows are paired at random. The binade (2^j, 2^(j+1)] of the
#' median distance of pairs is drawn, among all binades of doubles. Pairs of equal rows do not count.
#'
#' *Location*, with the rest of epsilon and `delta`: a histogram with bins of width 2^j. It reports the bins
#' whose noisy counts reach a threshold (see [dp_histogram()]). The release is an edge between two reported
#' bins, the one nearest to the weighted median of the noisy counts. If fewer than two bins are reported,
#' nothing is released (`released = FALSE`), and the budget is spent.
#'
#' This is the algorithm of the paper below with other constants: it takes the median distance where the paper
#' takes the largest scale with a 32nd of the pairs, draws it without delta, and takes bins of that scale, not
#' of an eighth. With epsilon = 1 and delta = 1e-6 about 320 rows suffice for normal, uniform, Cauchy and
#' log-normal data and mixtures of two clusters, at any location and scale: see `vignette("unbounded",
#' "dpdepth")`, which also shows what needs fewer. [plan_interior_point()] gives chances of success.
#'
#' The proof is in `vignette("proofs-unbounded", "dpdepth")`, section 3.
#' @return A [`dp_release`][dp_release] with `guarantee = "approximate"`; if released, `details$width` is the
#'   width of the bins, a private measure of the data's spread.
#' @section Errors: As for [dp_median()]. Data with so few rows that even two equal clusters are unlikely to
#'   succeed are refused, before anything is spent.
#' @references
#' Aliakbarpour, M., Silver, R., Steinke, T. and Ullman, J. (2024). Differentially private medians and
#' interior points for non-pathological data. *ITCS*. \doi{10.48550/arXiv.2305.13440}
#' @seealso [dp_median()] without limits, which needs fewer rows; [rival_interior_point()].
#' @examples
#' dp_interior_point(faithful$waiting, epsilon = 2, delta = 1e-6)
#' @export
dp_interior_point <- function(x, epsilon, delta, alpha = NULL, ..., neighbours = "substitution", id = NULL,
                              ledger = NULL, rng = NULL, na = "fail") {
  release_by(if (is.null(alpha)) interior_mechanism(plan_interior) else median_interior_mechanism(),
             door_call())
}

plan_interior <- function(facts, given) {
  interior_details(facts, given, if (!facts$private) c(1L, facts$n), "interior point")
}

# The interior point as published: two histograms with truncated noise, and a number between two heavy bins.
#
# METHOD: rows are paired as they come. Of the binades (2^j, 2^(j+1)] of the pairs' distances those are kept
#   whose noisy count is above the noise's bound and a 32nd of the pairs; w is the lower end of the largest.
#   Of the bins [k w/8, (k+1) w/8) of the rows those are kept whose noisy count is above the bound. The lower
#   end of the right one of the two heaviest is above the smallest row and not above the largest. Each
#   histogram has half of the budget, each count half of that: a replaced row changes two.
# FLOATING POINT: widths are powers of two: no rounding. Noise is discrete.
# REFERENCE: Aliakbarpour, Silver, Steinke and Ullman (2024), Algorithm 1; vignettes/proofs-rivals.Rmd,
#   section 8.

#' Private interior point by truncated noise, for comparison
#'
#' A number above the smallest row and not above the largest, as published: a histogram of the distances of
#' pairs finds a scale, and one of the rows two bins that certainly hold rows. It takes about three times the
#' rows of [dp_interior_point()].
#'
#' @inheritParams dp_interior_point
#' @param x One variable: a vector, or data with one column. Rows are paired as they come, the first with the
#'   second: their order must not follow their values.
#' @param na `"fail"`, or a public number that stands for missing and infinite values: see [dp_median()].
#' @details
#' Noise is discrete Laplace, cut off where its tail is a quarter of delta over two bins: a bin without rows
#' never shows. The published proof holds for it, see `vignette("proofs-rivals", "dpdepth")`, section 8; the
#' guarantee is no weaker than that of [dp_interior_point()], which gives the scale no delta, takes it from
#' the median distance of pairs, and has bins eight times as wide.
#'
#' **Rows.** With epsilon = 1 and delta = 1e-6 a release is made of nine in ten data sets from about 850
#' normal rows on, and 750 uniform or Cauchy ones (seen in 200 data sets of each size); [dp_interior_point()]
#' takes about 260. Else nothing is released (`released = FALSE`), and the budget is spent.
#' @return A [`dp_release`][dp_release] with `guarantee = "approximate"`; if released, `details$width` is the
#'   width of the bins.
#' @section Errors: As for [dp_median()].
#' @references
#' Aliakbarpour, M., Silver, R., Steinke, T. and Ullman, J. (2024). Differentially private medians and
#' interior points for non-pathological data. *ITCS*, Algorithm 1. \doi{10.48550/arXiv.2305.13440}
#' @seealso [dp_interior_point()].
#' @examples
#' x <- qnorm(ppoints(2000))[order(sin(1:2000))]
#' rival_interior_point(x, epsilon = 2, delta = 1e-6)
#' @export
rival_interior_point <- function(x, epsilon, delta, ..., ledger = NULL, rng = NULL, na = "fail") {
  release_by(truncated_interior_mechanism(), door_call())
}

truncated_interior_mechanism <- function() {
  new_mechanism(plan_truncated_interior, draw_truncated_interior, neighbours = "substitution", limits = FALSE,
                read = function(given) read_bare(given, max_d = 1L),
                ready = function(rows, plan) plain_rows(rows))
}

plan_truncated_interior <- function(facts, given) {
  delta <- check_delta(given$delta)
  # more than 8192 has no rate of whole numbers; noise is 0 long before
  if (given$epsilon < 4e-6) stop_input("epsilon", "at least 4e-6 for two histograms", format(given$epsilon))
  each <- min(given$epsilon / 4, 8192)
  plan <- list(rate = rate_of(each), bound = laplace_truncated_bound(each, delta / 4 * (1 - 2^-40)))
  c(plan, list(
    label = "interior point (truncated noise)", what = "interior point", delta = delta,
    guarantee = "approximate", mechanism = "two histograms with truncated discrete Laplace noise",
    details = list(advice = "Fewer than two bins were heavy. dp_interior_point() takes fewer rows.",
                   noise_bound = plan$bound)
  ))
}

# PRIVATE: rows.
draw_truncated_interior <- function(rows, plan, source) {
  x <- pmin(pmax(as.vector(rows), -most_interior), most_interior)
  first <- seq_len(length(x) %/% 2) * 2L
  distance <- abs(x[first - 1L] - x[first])
  found <- heavy_bins(bin_counts(binade_bins(distance)), plan, length(first) / 32, source)
  largest <- if (length(found$bin) > 0) max(found$bin) else 0
  # all distances are 0, or none is heavy
  if (largest == 0) return(list(estimate = NA_real_, released = FALSE))
  width <- max(binade_ends(largest)$from / 8, 2^-1074)
  found <- heavy_bins(bin_counts(binary_floor(x, width)), plan, 0, source)
  if (length(found$bin) < 2) return(list(estimate = NA_real_, released = FALSE))
  two <- order(-found$count, found$bin)[1:2]
  list(estimate = max(found$bin[two]), details = list(width = width))
}

# The bins whose noisy counts are above the noise's bound and above `share`. PRIVATE: held, of bin_counts().
heavy_bins <- function(held, plan, share, source) {
  noise <- draw_laplace_truncated(length(held$count), plan$rate[[1]], plan$rate[[2]], plan$bound, source)
  noisy <- held$count + noise
  kept <- noisy > max(plan$bound, share)
  list(bin = held$bin[kept], count = noisy[kept])
}

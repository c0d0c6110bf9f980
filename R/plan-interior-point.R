# How many rows an interior point takes: by a theorem for any law, and by simulation for one.

#' Plan a private interior point
#'
#' Tells how likely [dp_interior_point()], or `dp_median(method = "interior")`, is to release something, or
#' how many rows make it likely: by simulation for a law that you name, and by a bound that holds for all laws
#' with two numbers in common. It uses public numbers only, no data.
#'
#' @param n The number of rows, or `NULL` for the least one.
#' @param epsilon,delta The privacy budget.
#' @param alpha `NULL` for an interior point of all rows; or as in [dp_median()], for the slice of them that
#'   `method = "interior"` takes.
#' @param success The probability of a release that is wanted.
#' @param law A function of n that draws n numbers, such as [stats::rcauchy()], for the simulation.
#' @param share,widths For the bound: see Details.
#' @param simulate How many data sets are made for each n that is tried, from R's stream.
#' @param ... Must be empty.
#' @details
#' **The bound.** Let Y be the distance of two independent rows, and suppose that they are never equal. Take
#' the binades (2^j, 2^(j+1)] that meet the range between the quartiles of Y: `widths` is their number.
#' Suppose that for each of them there are two bins 2^j wide that hold a share of `share` of the law each.
#' Then a release comes of n rows with a probability of at least `bound`, by Hoeffding's inequality for the
#' scale and exact binomial tails for the location (`vignette("proofs-unbounded", "dpdepth")`, section 4). The
#' defaults are those of a normal law in its worst position. It is for all rows; with `alpha` for as many
#' independent rows as the slice has.
#' @return A data frame of class `interior_plan` with one row: `n`; `rows`, those in the slice; `epsilon`,
#'   `delta`; `threshold`, the noisy count of a reported bin; `simulated`, the share of simulated data sets of
#'   which something was released; `bound`; and `n_bound`, the rows with which the bound reaches `success`.
#'   See [dp_plan] for its methods; the pictures are of the bound.
#' @section Errors: `dpdepth_error_input`, see [dpdepth-errors].
#' @seealso [plan_median()] for the methods that need fewer rows.
#' @examples
#' plan_interior_point(n = 400, epsilon = 1, delta = 1e-6, simulate = 50)
#' @export
plan_interior_point <- function(n = NULL, epsilon, delta, alpha = NULL, success = 0.95,
                                law = stats::rnorm, # public-rng: simulated data
                                share = 0.087, widths = 3L, simulate = 200L, ...) {
  check_given()
  if (!is.null(n)) n <- check_count(n, "n")
  plan <- interior_plan(check_epsilon(epsilon), check_delta(delta))
  if (!is.null(alpha)) alpha <- check_alpha(alpha)
  success <- check_number(success, "success", 0, 1)
  if (!is.function(law)) stop_input("law", "a function that makes numbers, such as rnorm()", describe(law))
  share <- check_number(share, "share", 0, 0.5, closed = c(FALSE, TRUE))
  widths <- check_count(widths, "widths")
  simulate <- check_count(simulate, "simulate")
  chance <- function(n) simulated_interior(n, plan, alpha, law, simulate)
  bound <- function(n) interior_bound(slice_size(n, alpha), plan, share, widths)
  if (is.null(n)) {
    n <- search_minimum(function(v) chance(ceiling(v)) >= success, 2, 1e6, 1.02)
    if (is.na(n)) stop_input("success", "reachable with up to 1,000,000 rows", format(success))
    n <- as.integer(ceiling(n))
  }
  enough <- search_count(function(n) bound(n) >= success, 2, 2^53)
  rows <- data.frame(n = n, rows = slice_size(n, alpha), epsilon = epsilon, delta = delta,
                     threshold = plan$threshold, simulated = chance(n), bound = bound(n), n_bound = enough)
  curve <- function(n, epsilon) {
    c(interior_bound(slice_size(n, alpha), interior_plan(epsilon, delta), share, widths), NA)
  }
  new_plan(rows, "interior_plan", curve, "probability of a release, at least", log = FALSE,
           head = "Probability that an interior point is released",
           notes = c("simulated: of the law that was named; bound: of all laws with two numbers in common",
                     sprintf("n_bound: the rows with which the bound reaches %s", format(success))))
}

slice_size <- function(n, alpha) {
  ranks <- slice_ranks(n, alpha)
  max(0, ranks[[2]] - ranks[[1]] + 1)
}

# The share of `simulate` data sets of which something is released.
simulated_interior <- function(n, plan, alpha, law, simulate) {
  ranks <- slice_ranks(n, alpha)
  if (ranks[[2]] < ranks[[1]]) return(0)
  with_progress_bar("simulated data sets", mean(vapply(seq_len(simulate), function(i) {
    move_progress(i - 1, simulate)
    x <- as.double(law(n))
    if (length(x) != n || !all(is.finite(x))) {
      stop_input("law", "a function that makes n finite numbers", "one that does not",
                 "Such as function(n) rnorm(n, 20, 5).")
    }
    !is.na(draw_interior(middle_rows(x, ranks), plan, "R")$point)
  }, NA)))
}

# The theorem's probability of a release, at least.
interior_bound <- function(n, plan, share, widths) {
  rate <- plan$scale[[1]] / plan$scale[[2]]
  pairs <- n %/% 2
  slack <- seq(0, 1 / 8, length.out = 200)
  scale <- min(4 * exp(-2 * pairs * slack^2) +
                 (length(binades) + 1) * exp(-rate * pairs * (1 / 4 - 2 * slack)))
  # the noise beyond `far` has probability below 1e-9
  far <- ceiling(21 / (plan$location[[1]] / plan$location[[2]]))
  z <- -far:far
  q <- exp(-plan$location[[1]] / plan$location[[2]])
  law <- (1 - q) / (1 + q) * q^abs(z)
  short <- sum(law * stats::pbinom(plan$threshold - 1 - z, n, share)) + 1e-9
  max(0, 1 - scale - 2 * widths * short)
}

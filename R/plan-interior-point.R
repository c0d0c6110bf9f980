# How many rows an interior point takes: by a theorem for any distribution, and by simulation for one.

#' Plan a private interior point
#'
#' Computes how likely [dp_interior_point()], or `dp_median(method = "interior")`, is to release something, or
#' how many rows make it likely: by simulation for a distribution that you name, and by a bound that holds for
#' all distributions with two numbers in common. It uses public numbers only, no data.
#'
#' @param n The number of rows, or `NULL` for the least one.
#' @param epsilon,delta The privacy budget.
#' @param alpha `NULL` for an interior point of all rows; or as in [dp_median()], for the slice of them that
#'   `method = "interior"` takes.
#' @param success The probability of a release that is wanted.
#' @param distribution A function of n that draws n numbers, such as [stats::rcauchy()], for the simulation.
#' @param share,widths For the bound: see Details.
#' @param simulate How many data sets are made for each n that is tried, from R's stream: up to 5000, of 2e7
#'   rows together at most; 0 for none, when `n = NULL` goes by the bound.
#' @param ... Must be empty.
#' @details
#' **The bound.** Let Y be the distance of two independent rows, and suppose that they are never equal. Take
#' the binades (2^j, 2^(j+1)] that meet the range between the quartiles of Y: `widths` is their number.
#' Suppose that for each of them there are two bins 2^j wide that hold a share of `share` of the distribution
#' each. Then a release comes of n rows with a probability of at least `bound`, by Hoeffding's inequality for
#' the scale and exact binomial tails for the location (`vignette("proofs-unbounded", "dpdepth")`, section 4).
#' The defaults are those of a normal distribution in its worst position. The bound is for all rows; with
#' `alpha`, for as many independent rows as the slice has.
#' @return A data frame of class `interior_plan` with one row: `n`; `rows`, those in the slice; `epsilon`,
#'   `delta`; `threshold`, the noisy count of a reported bin; `simulated`, the share of simulated data sets of
#'   which something was released, or `NA`; `bound`; and `n_bound`, the rows with which the bound reaches
#'   `success`. See [dp_plan] for its methods; the pictures are of the bound.
#' @section Errors: `dpdepth_error_input`, see [dpdepth-errors].
#' @seealso [plan_median()] for the methods that need fewer rows.
#' @examples
#' plan_interior_point(n = 400, epsilon = 1, delta = 1e-6, simulate = 50)
#' @export
plan_interior_point <- function(n = NULL, epsilon, delta, alpha = NULL, success = 0.95,
                                distribution = stats::rnorm, # public-rng: simulated data
                                share = 0.087, widths = 3L, simulate = 200L, ...) {
  check_given()
  if (is_grid(n, epsilon)) return(plan_grid(n, epsilon, match.call(), parent.frame()))
  if (!is.null(n)) n <- check_count(n, "n", shown = FALSE)
  plan <- interior_plan(check_epsilon(epsilon), check_delta(delta))
  if (!is.null(alpha)) alpha <- check_alpha(alpha)
  success <- check_number(success, "success", 0, 1)
  if (!is.function(distribution)) {
    stop_input("distribution", "a function that makes numbers, such as rnorm()", describe(distribution))
  }
  share <- check_number(share, "share", 0, 0.5, closed = c(FALSE, TRUE))
  widths <- check_count(widths, "widths")
  simulate <- check_count(simulate, "simulate", 0L, 5000L)
  bound <- function(n) interior_bound(slice_size(n, alpha), plan, share, widths)
  enough <- search_count(function(n) bound(n) >= success, 2, 2^53)
  if (!is.null(n)) check_simulated_rows(n, simulate)
  else if (simulate > 0) n <- interior_rows_sought(plan, alpha, distribution, simulate, success)
  else if (is.na(enough)) stop_input("success", "reachable by the bound", format(success))
  else n <- enough
  chance <- if (simulate > 0) mean(simulated_interior(n, plan, alpha, distribution, simulate)) else NA_real_
  rows <- data.frame(n = n, rows = slice_size(n, alpha), epsilon = epsilon, delta = delta,
                     threshold = plan$threshold, simulated = chance, bound = bound(n), n_bound = enough)
  curve <- function(n, epsilon) {
    c(interior_bound(slice_size(n, alpha), interior_plan(epsilon, delta), share, widths), NA)
  }
  new_plan(rows, "interior_plan", curve, "probability of a release, at least", log = FALSE,
           head = "Probability that an interior point is released",
           notes = c(paste("simulated: of the distribution that was named; bound: of all distributions with",
                           "two numbers in common"),
                     sprintf("n_bound: the rows with which the bound reaches %s", format(success))))
}

slice_size <- function(n, alpha) {
  ranks <- slice_ranks(n, alpha)
  max(0, ranks[[2]] - ranks[[1]] + 1)
}

# Numbers that a planner makes for one n: here of all data sets together, which takes some seconds.
most_simulated <- 2e7

check_simulated_rows <- function(n, simulate, rows = sprintf("n = %s", grouped(n))) {
  most <- most_simulated %/% n
  if (simulate <= most) return(invisible(NULL))
  stop_input("simulate", paste(if (most < 1) "0" else paste("at most", grouped(most)), "with", rows),
             grouped(simulate),
             "With simulate = 0 the bound alone is computed, which takes no time for any n.")
}

# The least n of which `success` of the simulated data sets are released.
interior_rows_sought <- function(plan, alpha, distribution, simulate, success) {
  # fewer cannot do, whatever the distribution
  least <- search_count(function(n) interior_chance_limit(slice_size(n, alpha), plan) >= success, 2, 2^53)
  most <- min(1e6, most_simulated %/% simulate)
  if (is.na(least)) stop_input("success", "reachable with any number of rows", format(success))
  check_simulated_rows(least, simulate, sprintf("the %s rows that any distribution takes", grouped(least)))
  # so many failures leave `success` of them
  lost <- sum((simulate - seq_len(simulate)) / simulate >= success)
  will_do <- function(n) {
    mean(simulated_interior(ceiling(n), plan, alpha, distribution, simulate, lost)) >= success
  }
  # doublings that begin at `least` or just below and end at `most`
  steps <- ceiling(log2(most / least)) + 1
  n <- if (least <= most) search_minimum(will_do, most / 2^steps, most, 1.02) else NA
  if (is.na(n)) {
    stop_input("success", sprintf("reachable with up to %s rows", grouped(most)), format(success),
               if (most < 1e6) "A smaller `simulate` looks further; simulate = 0 goes by the bound.")
  }
  as.integer(ceiling(n))
}

# No data of n rows have a larger chance: two bins are reported only if one is that holds no more than half of
# the rows. A count's chance is convex below the threshold, so that over such bins their sum is no larger than
# that of two halves and of single rows.
interior_chance_limit <- function(n, plan) {
  half <- n %/% 2
  if (half >= plan$threshold) return(1)
  min(1, 2 * noise_tail(plan$threshold - half, plan$location) +
        n * noise_tail(plan$threshold - 1, plan$location))
}

# Of which of `simulate` data sets something is released. More failures than `lost` end it: the rest are not
# counted.
simulated_interior <- function(n, plan, alpha, distribution, simulate, lost = simulate) {
  ranks <- slice_ranks(n, alpha)
  if (ranks[[2]] < ranks[[1]]) return(FALSE)
  with_progress_bar("simulated data sets", {
    released <- logical(simulate)
    for (i in seq_len(simulate)) {
      move_progress(i - 1, simulate)
      x <- as.double(distribution(n))
      if (length(x) != n || !all(is.finite(x))) {
        stop_input("distribution", "a function that makes n finite numbers", "one that does not",
                   "Such as function(n) rnorm(n, 20, 5).")
      }
      released[[i]] <- !is.na(draw_interior(middle_rows(x, ranks), plan, "R")$point)
      if (i - sum(released) > lost) break
    }
    released
  })
}

# The theorem's probability of a release, at least.
interior_bound <- function(n, plan, share, widths) {
  rate <- plan$scale[[1]] / plan$scale[[2]]
  pairs <- n %/% 2
  slack <- seq(0, 1 / 8, length.out = 200)
  scale <- min(4 * exp(-2 * pairs * slack^2) +
                 (length(binades) + 1) * exp(-rate * pairs * (1 / 4 - 2 * slack)))
  short <- few_chance(plan$threshold, n, share, plan$location[[1]] / plan$location[[2]]) + 1e-9
  max(0, 1 - scale - 2 * widths * short)
}

# P(N + Z < t), N binomial and Z a count's noise, to within 1e-9.
few_chance <- function(t, n, share, rate) {
  # the noise beyond has probability below 1e-9
  far <- ceiling(21 / rate)
  if (far > 1e4) return(few_chance_closed(t, n, share, rate))
  z <- -far:far
  q <- exp(-rate)
  sum((1 - q) / (1 + q) * q^abs(z) * stats::pbinom(t - 1 - z, n, share))
}

# The same at a small rate: Z's tails are geometric, and times q^N a binomial distribution is another one, by
# the binomial theorem: (1 + q) P = (1 + q) P(N < t) - q^t E(q^-N; N < t) + q^(1 - t) E(q^N; N >= t).
few_chance_closed <- function(t, n, share, rate) {
  # E(e^(sN); N < t) or of N >= t, times exp(shift), which is below P(N < t) or of N >= t
  tilted <- function(s, shift, lower) {
    # of what is so small logarithms would cancel
    if (stats::pbinom(t - 1, n, share, lower.tail = lower) < 1e-12) return(0)
    mass <- share * expm1(s)
    rest <- stats::pbinom(t - 1, n, share * exp(s) / (1 + mass), lower.tail = lower, log.p = TRUE)
    exp(shift + n * log1p(mass) + rest)
  }
  near <- tilted(-rate, (t - 1) * rate, FALSE) - tilted(rate, -t * rate, TRUE)
  stats::pbinom(t - 1, n, share) + near / (1 + exp(-rate))
}

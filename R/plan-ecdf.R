# The planned height of the band of a private distribution function: public numbers only.
#
# METHOD: half the width at a point is exact and public (mech-ecdf.R). Between two points the band reaches
#   from the lower limit at the first to the upper one at the second; points are taken to lie at equal
#   distances in rank but for their noise, counts without theirs.

#' Plan a private distribution function
#'
#' Computes the expected height of the band of [dp_ecdf()], beside the band without privacy; or how many rows,
#' or how much epsilon, a `height` needs. It uses public numbers only, no data.
#'
#' @param n The number of rows, or `NULL` for the least one that gives `height`.
#' @param epsilon The privacy budget, or `NULL` for the least one that gives `height`.
#' @param band The level of the simultaneous confidence band, from 0.5 to 0.9999.
#' @param height The largest mean height wanted, above 0 and below 1, when `n` or `epsilon` is sought.
#' @param lower,upper,prior Public limits or a prior, as in [dp_ecdf()]; without any, limits as tight as need
#'   be.
#' @param spread,resolution As in [dp_ecdf()], with limits or a prior.
#' @param ... Must be empty.
#' @details
#' The band's half width at a released point is a function of n, epsilon and the level alone. [dp_ecdf()]
#' reports the same number. Between points the band is higher by their distance, and it is lower near 0 and 1.
#' `height` is its mean over the distribution of the rows, provided that the distribution has no atoms. It
#' counts what a centre takes of epsilon where the limits are wide. It is 1 where they are more than 1000
#' times the `spread` and the rows are too few for a centre.
#'
#' In simulations of a normal distribution at level 0.95 whose `spread` was given, mean heights were 1.00 to
#' 1.06 times those planned for n epsilon from 300 on, between limits from 20 to 10 million spreads on each
#' side: see the table in `vignette("proofs-quantile", "dpdepth")`. Distributions with gaps or atoms have
#' higher bands. Without `spread` plans for wide limits and fewer rows are too hopeful: at n epsilon = 200 and
#' limits of 1000 spreads the height was 0.62, and 0.40 was planned.
#' @return A data frame of class `ecdf_plan` with one row: `n`, `epsilon`, `level`; `points`, how many are
#'   released; `half_width`, the band's at a point; `height`, its mean; and `sampling`, the height without
#'   privacy, by Massart's inequality; `centre`, the part of epsilon that finds a centre; `resolves`, what
#'   `details$resolves` of a release will say, if limits are given. `tidy()` gives it as a plain data frame.
#'   `plot()`
#'   and `autoplot()` draw the heights for a tenth of n to ten times n; the dashed line is without privacy.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for numbers outside their ranges, for other than two of `n`,
#' `epsilon` and `height`, and for a `height` that no `n` or `epsilon` reaches.
#' @references
#' Massart, P. (1990). The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality. *Annals of
#' Probability* 18, Theorem 1. \doi{10.1214/aop/1176990746}
#' @seealso [dp_ecdf()], [plan_quantile()].
#' @examples
#' plan_ecdf(n = 1000, epsilon = 1)
#'
#' # between very wide limits
#' plan_ecdf(n = 1000, epsilon = 1, lower = -1e7, upper = 1e7, spread = 1)
#'
#' # how many rows for a band of a tenth?
#' plan_ecdf(epsilon = 1, height = 0.1)$n
#' @export
plan_ecdf <- function(n = NULL, epsilon = NULL, band = 0.95, height = NULL, lower = NULL, upper = NULL,
                      prior = NULL, spread = NULL, resolution = NULL, ...) {
  check_given()
  if (is_grid(n, epsilon)) return(plan_grid(n, epsilon, match.call(), parent.frame()))
  band <- check_band_level(band)
  if (!is.null(spread)) spread <- check_number(spread, "spread", 0)
  limits <- plan_ecdf_limits(lower, upper, prior, resolution, spread)
  wanted <- check_plan(n, epsilon, height, "height")
  expected <- function(n, epsilon) ecdf_expected(n, epsilon, band, limits, spread)
  wanted <- sought_plan(wanted, function(n, epsilon) expected(n, epsilon)$height <= wanted$error, "height",
                        "Ask for a higher band, or a lower level.",
                        rows = function(enough) search_count(enough, 1, within = 1e-3),
                        budgets = c(1e-4, 1e3, 1 + 1e-3))
  n <- wanted$n
  epsilon <- wanted$epsilon
  out <- expected(n, epsilon)
  resolves <- if (!is.null(limits)) ecdf_plan(n, epsilon, NULL, limits, spread)$resolved$at
  out$resolves <- if (is.null(resolves)) NA_real_ else unname(resolves)
  structure(out, class = c("ecdf_plan", "dp_plan", "data.frame"), plan = expected)
}

check_band_level <- function(band) check_number(band, "band", 0.5, 0.9999, closed = c(TRUE, TRUE))

# NULL: limits as tight as need be.
plan_ecdf_limits <- function(lower, upper, prior, resolution, spread) {
  if (!is.null(lower) || !is.null(upper) || !is.null(prior)) {
    return(quantile_prior(prior, lower, upper, resolution, planned_facts(1L, 1L)))
  }
  for (arg in c("spread", "resolution")) {
    if (!is.null(get(arg))) {
      stop_input(arg, "left out without limits", describe(get(arg)),
                 "Give `lower` and `upper`, or a `prior`.")
    }
  }
}

# Between neighbouring points the band is higher by their distance in ranks: the mean of that, by the
# distribution of the rows, is the sum of its squares, the variance included. Where limits are too wide for
# the spread, points may lie anywhere.
ecdf_expected <- function(n, epsilon, band, limits = NULL, spread = NULL) {
  centre <- if (!is.null(limits)) ecdf_centre(n, epsilon, limits, spread)
  budget <- ecdf_budget(n, epsilon - sum(centre$epsilon))
  m <- budget$m
  t <- ecdf_half_width(n, m, budget$counts, band) / n
  at <- seq.int(0, m + 1) / (m + 1)
  height <- mean(pmin(1, at[-1] + t) - pmax(0, at[-(m + 2)] - t))
  height <- height + sum(gap_variances(m, budget$points, budget$levels)) / n^2
  if (!is.null(spread) && !is.null(limits) && is.null(centre$epsilon)) {
    height <- height * (1 + ecdf_run_off(n, epsilon, ecdf_width(limits$prior), spread))
    if (spread < centre$serves) height <- 1
  }
  sampling <- sqrt(log(2 / (1 - band)) / (2 * n))
  data.frame(n = as.integer(n), epsilon = epsilon, level = band, points = m, half_width = t,
             height = min(1, height), sampling = min(1, 2 * sampling), centre = sum(centre$epsilon) / epsilon)
}

# All that is public of a release.
ecdf_plan <- function(n, epsilon, band, limits, spread = NULL) {
  centre <- ecdf_centre(n, epsilon, limits, spread)
  budget <- ecdf_budget(n, epsilon - sum(centre$epsilon))
  probs <- seq_len(budget$m) / (budget$m + 1)
  points <- quantile_plan(probs, budget$points, 0, limits, budget$levels)
  t <- if (!is.null(band)) ecdf_half_width(n, budget$m, budget$counts, band)
  centred <- !is.null(centre$epsilon)
  # about a centre, the spreads that it was drawn for: of a dyadic prior, any
  resolved <- if (centred) list(at = centre$serves)
              else resolved_spread(ecdf_failure(n, points), points$prior, points$step[[1]])
  details <- c(
    list(what = "distribution function", limits = limits$prior,
         shares = c(centre$epsilon / epsilon, budget$shares * (1 - sum(centre$epsilon) / epsilon))),
    if (!is.null(band)) {
      list(level = band, simultaneous = TRUE, half_width = t / n,
           covers = paste0("the population's distribution function at all values",
                           if (!is.null(limits$resolution)) ", of the variable rounded to the resolution,"))
    },
    if (!is.null(resolved$at)) resolves_detail(resolved),
    # points about a centre have a lattice of their own
    if (!centred || !is.null(limits$resolution)) limits$step else limits$step["lattice"]
  )
  list(points = points, counts = budget$counts, m = budget$m, t = t, centre = centre, spread = spread,
       resolved = resolved, details = details)
}

# Of the points drawn first. Those with less than a tenth of the rows beyond may be noise: they add as much to
# the band's height.
ecdf_failure <- function(n, points) {
  first <- points$sorted[quantile_tree(length(points$sorted), points$levels)[[1]]$order]
  inner <- first[abs(first - 0.5) <= 0.4]
  rank_failure(n, inner, points$budget$each[1], list(split = length(inner), share = 1))
}

is_centred <- function(plan) !is.null(plan$centre$epsilon)

# Of the numbers of rows between neighbouring points, and beyond the outermost.
gap_variances <- function(m, epsilon, levels) {
  probs <- seq_len(m) / (m + 1)
  each <- quantile_budget(epsilon, 0, levels$share)$each
  covariance <- matrix(0, m + 2, m + 2)
  covariance[1 + seq_len(m), 1 + seq_len(m)] <- rank_covariance(m, each, levels, probs)
  left <- seq_len(m + 1)
  variance <- diag(covariance)
  variance[left] + variance[left + 1] - 2 * covariance[cbind(left, left + 1)]
}

plan_shown.ecdf_plan <- function(x, digits) { # nolint: object_name_linter.
  text <- function(v) format(v, digits = digits)
  list(title = sprintf("Expected height of a %s%% band", format(100 * x$level)), before = c(
    sprintf("%s in the mean (%s at a released point), beside %s without privacy; %d %s released.",
            text(x$height), text(min(1, 2 * x$half_width)), text(x$sampling), x$points,
            if (x$points == 1) "point is" else "points are"),
    if (x$centre > 0) sprintf("%s of epsilon finds the centre.", percent_text(x$centre)),
    if (!is.na(x$resolves)) with_point(paste0("resolves ", spreads_text(x$resolves, FALSE))),
    if (x$height == 1) "Limits too wide or rows too few: the band says nothing."
  ))
}

picture.ecdf_plan <- function(x, ...) { # nolint: object_name_linter.
  against_n(x, "height", "height of the band", with_point(
    sprintf("Expected height of a %s%% band, epsilon = %s", format(100 * x$level),
            format(x$epsilon, digits = 3))
  ))
}

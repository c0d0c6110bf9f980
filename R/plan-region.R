# The planned error of private depth regions in the plane: public numbers only.
#
# METHOD: for rows of a round normal distribution, in the units of the limits, a polygon's sides are off by
#   the sampling error of a quantile, correlated between directions as halfplanes overlap, and by the private
#   draw's error in ranks (plan-quantile.R), both taken as normal. The polygons that this gives at fixed,
#   public nodes are held against the population's disc, as dp_region() makes them: with measure = "mass" each
#   is blown up about its centre until it holds the level, but for the errors of the factor.
# REFERENCE: R/mech-region.R; vignettes/proofs-region.Rmd, section 6.

#' Plan a private bagplot
#'
#' Computes by how much the region of [dp_region()] is expected to differ from the population's, beside the
#' difference without privacy; or how many rows, or how much epsilon, an `error` needs. It uses public numbers
#' only, no data.
#'
#' @inheritParams dp_region
#' @param n The number of rows, or `NULL` for the least one that gives `error`.
#' @param epsilon The privacy budget, or `NULL` for the least one that gives `error`.
#' @param spread A guess at the standard deviation of the variables, in their units: one number, or one each;
#'   `NULL` for a twentieth of the bounds' width, or of a normal prior's standard deviation. It must not be
#'   taken from the data.
#' @param error The largest mean `area` wanted, when `n` or `epsilon` is sought: 0.1 for a tenth of the
#'   region's area.
#' @param d The number of variables: two.
#' @param ... Must be empty.
#' @details
#' `area` is the mean area in which the released region and the population's differ, as a part of the
#' latter's, for rows of a normal distribution that is round in units of the limits (or of a prior's
#' covariance). Long thin distributions do worse, and skew ones much worse with few rows: see the table in
#' `vignette("proofs-region", "dpdepth")`. `radius` is the root mean squared error of the region's radius,
#' over directions, as a part of it, and `centre` that of each coordinate of the median, in standard
#' deviations of the variable; sampling and privacy both count.
#'
#' In 200 simulated samples each at epsilon = 1 and limits of 50 standard deviations, `area` was (planned in
#' brackets): n = 1000 .138 (.150), 5000 .054 (.055); with 8 directions and n = 1000 .233 (.271), with 4 and
#' n = 5000 .0556 (.0551). Without privacy .0697 (.0691) and .0313 (.0311).
#' @return A data frame of class `region_plan` with one row: `n`, `epsilon`, `delta`; `directions` and
#'   `side_depth`, as [dp_region()] chooses them; `area`, `radius`, `centre`; `sampling`, the area without
#'   privacy; `failure`, the chance that a vertex lies more than five spreads off, at most 1/2000 with the `n`
#'   or `epsilon` found for an `error`; and `beyond`, whether that is above 1/1000. `tidy()`
#'   gives it as a plain data frame. `plot()` and `autoplot()` draw the areas at a tenth of n to ten times as
#'   many; the dashed line is without privacy.
#' @section Errors:
#' `dpdepth_error_input` (see [dpdepth-errors]) for numbers outside their ranges, for other than two of `n`,
#' `epsilon` and `error`, and for an `error` that no `n` or `epsilon` reaches.
#' @seealso [dp_region()], [plan_quantile()].
#' @examples
#' plan_region(n = 2000, epsilon = 1, lower = 0, upper = 100, spread = 10)
#'
#' # how many rows for a bag that is a tenth of its area off?
#' plan_region(epsilon = 1, lower = 0, upper = 100, spread = 10, error = 0.1)$n
#' @export
plan_region <- function(n = NULL, level = 0.5, epsilon = NULL, delta = 0, lower = NULL, upper = NULL,
                        prior = NULL, measure = c("mass", "depth"), directions = NULL, spread = NULL,
                        error = NULL, d = 2L, ...) {
  check_given()
  if (is_grid(n, epsilon)) return(plan_grid(n, epsilon, match.call(), parent.frame()))
  if (check_count(d, "d") != 2L) {
    stop_input("d", "2", format(d), "Regions are of two variables; plan_median() plans for more or fewer.")
  }
  measure <- check_choice(measure, c("mass", "depth"), "measure")
  level <- check_number(level, "level", 0, if (measure == "mass") 1 else 0.5)
  delta <- check_delta(delta, zero = TRUE)
  if (!is.null(directions)) directions <- check_count(directions, "directions", 2L, 64L)
  prior <- public_prior(prior, lower, upper, 2, instead = "a region needs them")
  refuse_dyadic(prior, "a region")
  if (!is.null(spread)) spread <- check_bound(spread, 2L, "spread")
  if (!is.null(spread) && any(spread <= 0)) {
    stop_input("spread", "above 0", describe_numbers(spread, spread <= 0))
  }
  wanted <- check_plan(n, epsilon, error)
  expected <- function(n, epsilon, free = TRUE) {
    region_expected(n, level, measure, epsilon, delta, directions, prior, spread, free)
  }
  enough <- function(n, epsilon) {
    plan <- depth_region_plan(n, level, measure, epsilon, delta, directions, prior)
    region_failure(n, plan)(prior_line(prior, spread)) <= planned_failure &&
      expected(n, epsilon, free = FALSE)$area <= wanted$error
  }
  wanted <- sought_plan(
    wanted, enough, less = "Ask for a larger error, or plan for a larger epsilon or more rows.",
    # what is drawn changes with n: more rows may have more directions, and fail more often
    rows = function(enough) search_minimum(enough, 4, 1e9, 1 + 1e-3, step = 1.1),
    budgets = c(1e-4, 1e3, 1 + 1e-3)
  )
  structure(expected(wanted$n, wanted$epsilon), class = c("region_plan", "dp_plan", "data.frame"),
            assumed = assumed_spread(prior, spread), plan = expected)
}

# `free`: is the area without privacy wanted?
region_expected <- function(n, level, measure, epsilon, delta, directions, prior, spread, free = TRUE) {
  plan <- depth_region_plan(n, level, measure, epsilon, delta, directions, prior)
  k <- nrow(plan$directions)
  radius <- if (measure == "mass") sqrt(-2 * log(1 - level)) else -stats::qnorm(level)
  found <- region_errors(n, plan$probs[[1]], k, plan$each, level, measure, radius)
  sampling <- if (free) region_errors(n, stats::pnorm(-radius), 16L, NULL, level, "depth", radius)$area
              else NA
  failure <- if (n < 2) 1 else region_failure(n, plan)(prior_line(prior, spread))
  data.frame(n = n, epsilon = epsilon, delta = plan$delta, directions = k, side_depth = plan$probs[[1]],
             area = found$area, radius = found$radius, centre = found$centre, sampling = sampling,
             failure = failure, beyond = failure > most_failure)
}

# The chance that a vertex fails, as a function of a line: with a median, since the centre is made of these;
# with two neighbouring sides, for one alone the others stand in; or with the factor.
region_failure <- function(n, plan) {
  law <- function(from) rank_failure(n, plan$probs, plan$each[[1]], quantile_levels(3L, plan$each[[1]]), from)
  median <- law(2L)
  side <- law(1L)
  last <- plan$each[[length(plan$each)]]
  # gauges have the spread of radii, in units of the sides' distance
  gauge <- 0.655 / (-stats::qnorm(plan$probs[[1]]) * most_gauge)
  last_draw <- rank_failure(n, plan$level, last, quantile_levels(1L, last))
  factor <- if (plan$measure == "mass") last_draw(line_of(gauge)) else 0
  width <- prior_width(direction_prior(plan$prior, c(1, 0)))
  function(line) {
    along <- apply(plan$directions, 1, function(u) {
      sqrt(sum((u * line$density * width)^2)) / prior_width(direction_prior(plan$prior, u))
    })
    lost <- vapply(along, function(density) c(median(line_of(density)), side(line_of(density))), numeric(2))
    pairs <- lost[2, ] * c(lost[2, -1], lost[2, 1])
    -expm1(sum(log1p(-c(pmin(lost[1, ], 1 - 1e-9), pmin(pairs, 1 - 1e-9), min(factor, 1 - 1e-9)))))
  }
}

# -- polygons of normal rows ------------------------------------------------------------------------------

region_nodes <- 200L

# Angles at which the polygons' radii are looked at.
region_angles <- 2 * pi * (seq_len(180) - 0.5) / 180

# Standard normal numbers, one row per node, always the same.
normal_nodes <- function(d) sqrt(d) * .Call(ffi_directions, as.integer(d), region_nodes, 1L, FALSE)

# The mean area between polygons and the disc, as a part of the disc's, and errors. `each`: of the draws; NULL
# without privacy.
region_errors <- function(n, depth, k, each, level, measure, radius) {
  q <- -stats::qnorm(depth)
  density <- n * stats::dnorm(q)
  draw <- normal_nodes(4 * k + 3)
  angle <- pi * (seq_len(2 * k) - 1) / k
  sampled <- draw[, 2 * k + seq_len(2 * k)] %*% symmetric_root(sampling_covariance(q, angle))
  away <- sampled * sqrt(n) / density
  middle <- centre_variance(k) / n
  if (!is.null(each)) {
    rank <- rank_covariance(3, each[[1]], quantile_levels(3L, each[[1]]), c(depth, 0.5, 1 - depth))
    sides <- matrix(c(rank[3, 3], -rank[1, 3], -rank[1, 3], rank[1, 1]), 2)
    for (i in seq_len(k)) {
      ends <- c(i, i + k)
      away[, ends] <- away[, ends] + draw[, ends] %*% symmetric_root(sides) / density
    }
    middle <- middle + 2 / k * rank[2, 2] / (n * stats::dnorm(0))^2
  }
  at <- pmax(q + away, 0.001)
  reach <- polygon_radii(at, angle)
  if (measure == "mass") {
    noise <- level * (1 - level) / n + 8 / (each[[length(each)]] * n)^2
    share <- pmin(pmax(level + sqrt(noise) * draw[, 4 * k + 3], level / 2), (1 + level) / 2)
    factor <- gauge_of(reach, share)
    centre <- sqrt(middle) * draw[, 4 * k + 1:2]
    about <- (1 - factor) * centre %*% rbind(cos(angle), sin(angle))
    reach <- polygon_radii(pmax(factor * at + about, 0.001), angle)
  }
  list(area = mean(abs(reach^2 / radius^2 - 1)), radius = sqrt(mean((reach / radius - 1)^2)),
       centre = sqrt(middle))
}

# Counts beyond the sides of standard normal rows, of one row.
sampling_covariance <- function(q, angle) {
  beyond <- both_past(q, angle[seq_len(length(angle) / 2 + 1)])
  apart <- abs(outer(seq_along(angle), seq_along(angle), `-`))
  apart <- pmin(apart, length(angle) - apart)
  matrix(beyond[apart + 1], length(angle)) - stats::pnorm(-q)^2
}

# P(u'z > q, v'z > q) for standard normal z and directions at an angle, in polar coordinates.
both_past <- function(q, angle) {
  vapply(angle, function(angle) {
    if (angle > pi - 1e-9) return(0)
    tail <- function(t) exp(-q^2 / 2 / cos(angle / 2 + t)^2)
    stats::integrate(tail, 0, (pi - angle) / 2, rel.tol = 1e-6)$value / pi
  }, 0)
}

# Of a coordinate of the point nearest to the median lines, of one row: signs' covariances over the density.
centre_variance <- function(k) {
  u <- line_directions(k)
  covariance <- asin(pmin(pmax(u %*% t(u), -1), 1)) / (2 * pi)
  (2 / k)^2 * sum(outer(u[, 1], u[, 1]) * covariance) / stats::dnorm(0)^2
}

symmetric_root <- function(a) {
  parts <- eigen(a, symmetric = TRUE)
  t(parts$vectors %*% (sqrt(pmax(parts$values, 0)) * t(parts$vectors)))
}

# How far polygons with sides `at`, a row each, reach from 0 at the angles.
polygon_radii <- function(at, angle) {
  out <- matrix(Inf, nrow(at), length(region_angles))
  for (i in seq_along(angle)) {
    seen <- cos(region_angles - angle[[i]])
    ahead <- which(seen > 1e-6)
    out[, ahead] <- pmin(out[, ahead], outer(at[, i], seen[ahead], `/`))
  }
  out
}

# The factors at which they hold these shares of standard normal rows.
gauge_of <- function(reach, share) {
  low <- numeric(nrow(reach))
  high <- rep_len(64, nrow(reach))
  for (step in seq_len(24)) {
    middle <- (low + high) / 2
    above <- 1 - rowMeans(exp(-(middle * reach)^2 / 2)) > share
    high <- ifelse(above, middle, high)
    low <- ifelse(above, low, middle)
  }
  high
}

# -- print and pictures -----------------------------------------------------------------------------------

plan_shown.region_plan <- function(x, digits) { # nolint: object_name_linter.
  text <- function(v) format(v, digits = digits)
  list(title = "Expected error of a private region", before = c(
    sprintf(paste(
      "It differs from the population's by %s of the area in the mean, beside %s without privacy; its radius",
      "is off by %s, and each coordinate of the median by %s standard deviations, if the data are normal",
      "with %s. %d directions, sides at depth %s."
    ), text(x$area), text(x$sampling), text(x$radius), text(x$centre), attr(x, "assumed"), x$directions,
    text(x$side_depth)),
    if (x$beyond) "It may be noise as wide as the limits: few rows for this epsilon."
  ))
}

picture.region_plan <- function(x, ...) { # nolint: object_name_linter.
  against_n(x, "area", "area that differs", with_point(
    sprintf("Expected error of a private region, epsilon = %s", format(x$epsilon, digits = 3))
  ), 9L)
}

# The exponential mechanism over a depth: a private median under a public prior.

#' Private median by the exponential mechanism
#'
#' Draws a point with probability proportional to `exp(epsilon * n * depth / 2)` times a public
#' prior: pure epsilon-differential privacy. For one variable this is a private median, for
#' several a private Tukey median. It needs no moments and survives outliers.
#'
#' @inheritParams dp_median
#' @param prior A public prior by [prior_uniform()] or [prior_normal()]; see there for matching names with the
#'   columns of `x`. Or [prior_dyadic()], if you can name no limits: then depth is along the axes.
#' @param lower,upper Instead of a prior, public bounds: those of a uniform prior.
#' @param depth The depth whose deepest point is the median: `"halfspace"`, `"simplicial"`, `"spatial"`,
#'   `"spatial_modified"`, `"irw"` (integrated rank-weighted), `"idd"` (integrated dual) or `"idd_smooth"`.
#' @param directions `NULL` for the default of the dimension; `"exact"` for halfspace depth itself
#'   (at most three variables); `"axes"` for the least depth along the axes (any number of variables);
#'   a count or a matrix made by [directions()] for the least depth along these directions, to which missing
#'   axes are added. Directions are those of coordinates divided by the prior's widths or standard deviations;
#'   with a covariance, of its Cholesky factor, see [prior_normal()].
#' @param resolution `NULL`, or the public steps in which the variables are counted or measured, in
#'   their units: one number for all, or one per variable. Numbers may be named by columns; columns that are
#'   not named then keep the default step. `"type"`, the curator's declaration that types are public: integer
#'   and logical columns in steps of 1, see [dp_median()]. Candidates are the multiples of the resolution, and
#'   rows are rounded to them: `resolution = 1` for counts and ages in years, 0.1 for tenths. With
#'   [prior_dyadic()] it takes the place of the prior's `unit`. It must be known without the data: neither a
#'   column's type (which a file's reader chooses by the values) nor the values are looked at for it. Not
#'   with a covariance.
#' @param smooth For `depth = "idd_smooth"`: the slope of the logistic steps, 10 by default, in units of one
#'   over the data's. Where the prior's scales differ, the data's units are those in which each scale is
#'   their geometric mean.
#' @param sampler `"auto"` refuses given directions for more than three variables, because a draw may take
#'   very long; `"exact"` tries.
#' @param neighbours As in [dp_median()]; `"add_remove"` where n is private.
#' @param na `"fail"`: missing and infinite values are refused, which shows that there were some. Or public
#'   values that replace them, `"omit"`, or `"middle"`, with limits: see [dp_median()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' **Depth.** The default is halfspace depth itself for one or two variables, the depth along 1000 public
#' directions for three, and the depth along the axes for more. All are equally private. With three variables,
#' `directions = "exact"` asks for halfspace depth; each evaluation then costs n^2, and draws may take
#' long for more than some hundred rows or a large epsilon, and practically not end where one variable is
#' nearly a function of another, such as inches and centimetres with few values. A warning says so, see Time.
#'
#' **Along the axes.** `directions = "axes"` takes the least, over variables, of the numbers of rows at or
#' below x and at or above x. Its level sets are boxes, so that the draw is exact for hundreds of variables,
#' within a second for 100 variables and 10,000 rows, and more accurate than medians of one variable each
#' ([plan_median()] has the errors). It does not see how variables depend on each other. With few rows for
#' many variables the draw comes from the prior, whatever the data. A normal prior has its tails raised to
#' 2^-60 of its mode. Halfspace medians of one variable are drawn in the same way. The proof is in
#' `vignette("proofs-axes", "dpdepth")`.
#'
#' **Lattice.** Rows and candidates are rounded to a public lattice, the multiples of `resolution` if it is
#' given. Else its step is a power of two fixed by the prior (the release names it), much finer than data. A
#' value that many people share is then one point among very many, and draws mostly fall beside it; with depth
#' along the axes the other variables are blurred, too. So counts, flags and columns with many zeros need
#' `resolution`. Rows far outside the prior are moved to the lattice's edge. Each row's rounding depends on
#' that row alone, so the guarantee is that of the rounded data, to the last bit. A normal prior is cut off at
#' 36 standard deviations.
#'
#' **Distribution.** The depth count h(x) is the least number of rows in a closed halfspace (or one along the
#' directions) that holds x. Replacing one row moves it by at most one at every x, so the density proportional
#' to `exp(epsilon * h(x) / 2) * prior(x)` is epsilon-differentially private (McSherry and Talwar, 2007,
#' Theorem 6). The sampler draws from it by integer arithmetic; `vignette("proofs", "dpdepth")` has the proof.
#'
#' **Other depths.** `depth` names other scores, all with pure epsilon-differential privacy and exact draws,
#' from the density proportional to `exp(epsilon * D(x) / (2 GS)) * prior(x)`, D being the depth of Ramsay,
#' Jagannath and Chenouri (2022) and GS what one replaced row moves it by at most (`vignette("proofs-depths",
#' "dpdepth")`). Simplicial depth takes up to three variables (with three, up to 100 rows), spatial depths up
#' to four, the others up to six, along 1000 public directions, fewer above 25,000 rows. Draws take seconds
#' for continuous data; for more variables there is halfspace depth along the axes, which is more accurate.
#' With simplicial depth a draw may practically not end where few rows differ (counts, flags: give
#' `resolution`) or where rows that tie lie near a line and epsilon is 5 or more; for three variables it is
#' noise as wide as the limits unless epsilon is far above 10.
#'
#' **Time.** A draw over halfspace depth along directions takes less than a second for up to eight variables
#' and 1000 rows, some seconds for ten variables and 10,000 rows, also where rows tie or lie near a
#' hyperplane. It grows with n times the number of directions. Some data take minutes or practically do not
#' end: two clusters, or rows near an oblique line, about as narrow as the lattice's step (in the plane where
#' they lie outside the limits, with seven variables or more anywhere); and more than ten variables. So
#' `"auto"` takes depth along the axes for more than three variables. Directions for these, `"exact"` for
#' three, and simplicial depth of several variables, for which no bound is known, are drawn with a warning of
#' class `dpdepth_warning_time`, from public numbers alone. **The budget is spent before the draw begins: an
#' interrupted call has spent it.**
#' @return A [`dp_release`][dp_release] with `guarantee = "pure"`.
#' @inheritSection dp_median Errors
#' @inheritSection dp_median Warnings
#' @references
#' McSherry, F. and Talwar, K. (2007). Mechanism design via differential privacy. *FOCS*, Theorem 6.
#' \doi{10.1109/FOCS.2007.66}
#'
#' Ramsay, K., Jagannath, A. and Chenouri, S. (2022). Differentially private multivariate medians,
#' section 2. \doi{10.48550/arXiv.2210.06459}
#' @examples
#' # sepal length and width of irises, in cm, with a prior that is public knowledge
#' dp_median_exponential(iris[1:2], epsilon = 1,
#'                       prior = prior_normal(mean = 5, sd = 5))
#' @export
dp_median_exponential <- function(x, epsilon, prior = NULL, depth = "halfspace", directions = NULL,
                                  resolution = NULL, sampler = c("auto", "exact"), smooth = NULL,
                                  lower = NULL, upper = NULL,
                                  ..., neighbours = "substitution", id = NULL, ledger = NULL, rng = NULL,
                                  na = "fail") {
  release_by(exponential_mechanism(), door_call())
}

# Of medians. `instead`: what one does who has no limits.
exponential_mechanism <- function() {
  new_mechanism(plan_exponential_median, draw_exponential_median, ready = ready_exponential_median,
                kinds = c("rows", "tally", "margins", "cells", "projections"))
}

plan_exponential_median <- function(facts, given) {
  n <- facts$n
  d <- facts$d
  epsilon <- given$epsilon
  depth <- if (is.null(given$depth)) "halfspace"
           else check_choice(given$depth, c("halfspace", names(median_depths)), "depth")
  sampler <- if (is.null(given$sampler)) "auto"
             else check_choice(given$sampler, c("auto", "exact"), "sampler")
  instead <- if ("method" %in% given$known) "with enough rows a median needs none of them"
             else "?dp_median says which medians need none"
  prior <- public_prior(given$prior, given$lower, given$upper, d, facts$names, instead)
  if (facts$private) check_private_depth(0, d, depth)
  counted <- counted_with(facts, given, depth)
  resolution <- tally_resolution(facts$declared, counted$resolution, prior)
  unit <- NULL
  directions <- counted$directions
  if (depth == "halfspace" && is_dyadic(prior)) {
    directions <- dyadic_directions(directions)
    unit <- resolution
    prior <- with_unit(prior, unit, facts$names)
    resolution <- NULL
  }
  names <- facts$variables
  if (!is.null(given$smooth)) check_smooth_steps(given$smooth, depth)
  plan <- if (!is.null(facts$directions)) {
    projected_plan(facts, prior, resolution)
  } else if (depth != "halfspace") {
    depth_plan(n, d, prior, depth, directions, resolution, given$smooth, names)
  } else {
    exponential_plan(n, d, epsilon, prior, directions, resolution, sampler, names)
  }
  law <- if (isTRUE(plan$axes)) "axes" else "exponential"
  resolved <- resolved_spread(median_failure(n, d, epsilon * depth_worth(depth, d), law), prior,
                              plan$step[[1]], names)
  c(plan[setdiff(names(plan), "label")], list(
    label = "median (exponential mechanism)", what = "median", rho = bounded_range_rho(epsilon), delta = 0,
    depth = depth, epsilon = epsilon, rate = monotone_epsilon(epsilon, facts$private),
    private = facts$private,
    mechanism = paste("exponential mechanism over",
                      if (depth == "halfspace") "halfspace depth" else median_depths[[depth]]$what),
    details = c(list(prior = prior, depth = plan$label), resolves_detail(resolved, facts$private),
                unit_details(plan$step, unit, prior)),
    warn = function(said) {
      warn_median_time(depth, d, plan)
      warn_limits(resolved, n, d, epsilon, prior, said)
    }
  ))
}

# A tally in cells or of projections says along which directions, and in which steps, it was counted.
counted_with <- function(facts, given, depth) {
  asked <- given[c("resolution", "directions")]
  names(asked) <- c("resolution", "directions")
  if (is.null(facts$fixed)) return(asked)
  axes <- facts$fixed == "axes"
  if (axes && facts$d == 1 && is.null(asked$directions)) asked$directions <- "axes"
  along <- if (axes) identical(asked$directions, "axes") else is.null(asked$directions)
  if (depth != "halfspace" || !along) {
    stop_input("directions", "those that the tally was counted along", "others",
               "Count the rows in another way, or take halfspace depth along these.")
  }
  if (!axes) asked["resolution"] <- list(facts$declared$resolution)
  asked
}

# PRIVATE: rows.
ready_exponential_median <- function(rows, plan) {
  # disclosed limits, where n is private
  if (plan$private) check_private_depth(nrow(rows), ncol(rows), plan$depth)
  # along a covariance's axes each coordinate is a sum of several variables
  if (!isTRUE(plan$axes) || !is.null(plan$whitening)) refuse_margins(rows)
  if (plan$private && plan$depth == "simplicial") rows <- with_corners(rows)
  if (!plan$depth %in% counted_depths) rows <- plain_rows(rows)
  opened(rows, c(0, 0), plan$epsilon)
}

# PRIVATE: rows.
draw_exponential_median <- function(rows, plan, source) {
  list(estimate = if (plan$depth == "halfspace") draw_exponential(rows, plan, plan$rate, source)
                  else draw_depth(rows, plan, plan$rate, source, plan$private))
}

# All that is public of a draw: the depth and its directions, the lattice, and the map that makes
# a prior with a covariance standard normal, whose coordinates are those of the depth and of the lattice.
exponential_plan <- function(n, d, epsilon, prior, directions, resolution, sampler, names) {
  # beyond that depth along the axes has exact draws; NULL: as directions_plan() has it
  if (is.null(directions) && sampler == "auto" && !exact_median_serves(d)) directions <- "axes"
  axes <- identical(directions, "axes")
  if (sampler == "auto" && !axes) check_draw_serves(n, d, epsilon)
  plan <- if (axes) list(exact = FALSE, label = "halfspace, along the axes")
          else directions_plan(directions, d)
  lattice <- prior_lattice(prior, resolution, names, function(prior, resolution = NULL) {
    if (axes || d == 1) axes_steps(prior, names, resolution)
    else lattice_steps(prior, plan$exact, names, resolution)
  })
  c(plan[c("exact", "directions", "label")], list(axes = axes), lattice)
}

# One draw. PRIVATE: the rows.
draw_exponential <- function(x, plan, epsilon, source) {
  turned <- !is.null(plan$whitening)
  if (turned) x <- on_entries(x, function(points) whiten_rows(points, plan$whitening))
  drawn <- if (plan$axes) draw_axes(x, plan$prior, epsilon, source, resolution = plan$resolution)
           else draw_halfspace(x, plan, epsilon, source)
  if (turned) color_points(drawn[1, , drop = FALSE], plan$whitening)[1, ] else drawn[1, ]
}

# PRIVATE: x.
draw_halfspace <- function(x, plan, epsilon, source) UseMethod("draw_halfspace")

#' @export
draw_halfspace.default <- function(x, plan, epsilon, source) {
  if (ncol(x) == 1) return(draw_middle(x, plan$prior, epsilon, source, resolution = plan$resolution))
  .Call(ffi_median_exp, source, x, prior_fields(plan$prior, plan$resolution), epsilon, plan$exact,
        plan$directions, 1L)$draws
}

#' @export
draw_halfspace.dp_projected <- function(x, plan, epsilon, source) {
  draw_projected(x, plan$prior, epsilon, source, plan$resolution)
}

# Whether an exact draw over halfspace depth is the rule, by public numbers alone: the one place that
# decides. The boxes that a draw takes grow about fourfold with each variable, and hardly with n or epsilon:
# seconds for eight with continuous data. But where rows tie or lie in a hyperplane a draw in four variables
# or more may take minutes, or practically not end; depth along the axes takes no time for any data.
exact_median_serves <- function(d) d <= max_exact_variables

check_draw_serves <- function(n, d, epsilon) {
  if (exact_median_serves(d)) return(invisible(NULL))
  stop_input("sampler", sprintf("\"exact\" where directions are given for %d variables", d), "\"auto\"",
             "A draw may then take very long; directions = \"axes\" draws at once.")
}

# Which depth: exact halfspace depth or its minimum over directions, by public sizes only.
# Directions are also what bounds the exact depth over a box.
directions_plan <- function(directions, d) {
  exact <- identical(directions, "exact")
  if (exact && d > 3) {
    stop_input("directions", "a count or a matrix for more than 3 variables", "\"exact\"")
  }
  if (is.null(directions)) exact <- d <= 2
  if (exact) return(list(exact = TRUE, directions = bounding_directions(d), label = "halfspace, exact"))
  if (is.null(directions)) directions <- max(1000L, d)
  set <- as_directions(directions, d, add_axes = TRUE)
  list(exact = FALSE, directions = set, label = sprintf("halfspace, along %d directions", nrow(set)))
}

# The epsilon at which halfspace depth would rise as much from far off to the middle, as a multiple.
depth_worth <- function(depth, d) if (depth == "halfspace") 1 else 2 * median_depths[[depth]]$peak(d)

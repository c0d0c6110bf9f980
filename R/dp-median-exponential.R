# The exponential mechanism over a depth: a private median under a public prior.

#' Private median by the exponential mechanism
#'
#' Draws a point with probability proportional to `exp(epsilon * n * depth / 2)` times a public
#' prior: pure epsilon-differential privacy. For one variable this is a private median, for
#' several a private Tukey median. It needs no moments and survives outliers.
#'
#' @inheritParams dp_median
#' @param prior A public prior by [prior_uniform()] or [prior_normal()]; see there for matching
#'   names with the columns of `x`. Or [prior_dyadic()], where no limits can be named: then depth is along
#'   the axes.
#' @param lower,upper Instead of a prior, public bounds: those of a uniform prior.
#' @param depth The depth whose deepest point is the median: `"halfspace"`, `"simplicial"`, `"spatial"`,
#'   `"spatial_modified"`, `"irw"` (integrated rank-weighted), `"idd"` (integrated dual) or `"idd_smooth"`.
#' @param directions `NULL` for the default of the dimension; `"exact"` for halfspace depth itself
#'   (at most three variables); `"axes"` for the least depth along the axes (any number of variables);
#'   `"frames"` for that along some orthonormal frames (see below; at most 50 variables); a count
#'   or a matrix made by [directions()] for the least depth along these directions, to which missing axes are
#'   added. Directions are those of coordinates divided by the prior's widths or standard deviations; with
#'   a covariance, of its Cholesky factor, see [prior_normal()].
#' @param resolution `NULL`, or the public steps in which the variables are counted or measured, in
#'   their units: one number for all, or one a variable. Numbers may be named by columns; columns that are
#'   not named then keep the default step. `"type"`, the curator's declaration that types are public: integer
#'   and logical columns in steps of 1, see [dp_median()]. Candidates are the multiples of the resolution, and
#'   rows are rounded to them: `resolution = 1` for counts and ages in years, 0.1 for tenths. With
#'   [prior_dyadic()] it takes the place of the prior's `unit`. It must be known without the data: neither a
#'   column's type (which a file's reader chooses by the values) nor the values are looked at for it. Only
#'   with exact draws, and not with a covariance.
#' @param smooth For `depth = "idd_smooth"`: the slope of the logistic steps, 10 by default, in units of one
#'   over the data's. Where the prior's scales differ, the data's units are those in which each scale is
#'   their geometric mean.
#' @param sampler `"auto"` and `"exact"`: a draw from the law itself. (`"auto"` refuses directions that are
#'   given for more than three variables, where such a draw may take very long; `"exact"` tries.) `"mcmc"`:
#'   the last state of a Markov chain, for which no privacy is proved; see below. `"langevin"`, for `depth =
#'   "idd_smooth"`: the chain of the paper, for comparison only, begun in the middle of the prior; its
#'   `guarantee` is `"unproved"`, since its law is not the mechanism's even in the limit.
#' @param chains,steps For `"mcmc"` and `"langevin"`: the number of chains and of steps a chain. By default
#'   four chains of `max(2000, 300 d)` steps, of `max(2000, 40 d)` for integrated depths; at least 1000. See
#'   [sampler_diagnostics()].
#' @param neighbours As in [dp_median()]; `"add_remove"` where n is private.
#' @param na `"fail"`: missing and infinite values are refused, which shows that there were some. Or public
#'   values that stand for them, `"omit"`, or `"middle"`, with limits: see [dp_median()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' **Depth.** The default is halfspace depth itself for one or two variables, the depth along 1000 public
#' directions for three, and the depth along the axes for more. All are equally private. With three variables,
#' `directions = "exact"` asks for halfspace depth; each evaluation then costs n^2, and draws may take
#' long for more than some hundred rows or a large epsilon, and practically not end where one variable is
#' nearly a function of another, such as inches and centimetres with few values.
#'
#' **Along the axes.** `directions = "axes"` takes the least, over variables, of the numbers of rows at or
#' below x and at or above x. Its level sets are boxes, so that the draw is exact for hundreds of variables,
#' within a second for 100 variables and 10,000 rows, and more accurate than medians of one variable each
#' ([plan_median()] has the errors). It does not see how variables depend on each other. With few rows for
#' many variables the draw comes from the prior, whatever the data. A normal prior has its tails raised to
#' 2^-60 of its mode. Exact draws of one variable are made in the same way. The proof is in
#' `vignette("proofs-axes", "dpdepth")`.
#'
#' **Along frames.** `directions = "frames"` takes the axes and other orthonormal frames, random but public:
#' ten for up to 20 variables, five for up to 30 and two for up to 50. Exact, pure, and a fifth more accurate
#' where rows are few (n below `(2 d / epsilon)^2`) but more than the prior outweighs. How long a draw takes
#' depends on the data: with correlated variables (unless the prior has their covariance), heavy tails, or
#' rows that tie, it may not end.
#'
#' **Lattice.** Rows and candidates are rounded to a public lattice, the multiples of `resolution` if it is
#' given. Else its step is a power of two fixed by the prior (the release names it), much finer than data. A
#' value that many people share is then one point among very many, and draws mostly fall beside it; with depth
#' along the axes the other variables are blurred, too. So counts, flags and columns with many zeros need
#' `resolution`. Rows far outside the prior are moved to the lattice's edge. Each row's rounding depends on
#' that row alone, so the guarantee is that of the rounded data, to the last bit. A normal prior is cut off at
#' 36 standard deviations.
#'
#' **Law.** The depth count h(x) is the least number of rows in a closed halfspace (or one along the
#' directions) that holds x. Replacing one row moves it by at most one at every x, so the density proportional
#' to `exp(epsilon * h(x) / 2) * prior(x)` is epsilon-differentially private (McSherry and Talwar, 2007,
#' Theorem 6). The sampler draws from it by integer arithmetic; `vignette("proofs", "dpdepth")` has the proof.
#'
#' **Other depths.** `depth` names other scores, all with pure epsilon-differential privacy and exact draws,
#' from the density proportional to `exp(epsilon * D(x) / (2 GS)) * prior(x)`, D being the depth of Ramsay,
#' Jagannath and Chenouri (2022) and GS what one replaced row moves it by at most (`vignette("proofs-depths",
#' "dpdepth")`). Simplicial depth takes up to three variables (of three 100 rows), spatial depths up to four,
#' the others up to six, by 1000 public directions, fewer above 25,000 rows. Draws take seconds for continuous
#' data; for more variables there are Markov chains on request, and halfspace depth along the axes, which is
#' more accurate. With simplicial depth a draw may practically not end where few rows differ (counts, flags:
#' give `resolution`) or where rows that tie lie near a line and epsilon is 5 or more; for three variables it
#' is noise as wide as the limits unless epsilon is far above 10.
#'
#' **Markov chains** (`sampler = "mcmc"`) run on the law above, started from the prior, for up to 1000
#' variables (spatial depths 255, simplicial depth three, with up to 200 rows). That law is private; a state
#' after a finite run has some other law, and how far it is off is not known: the release says `guarantee =
#' "stationary"`, and `exact = FALSE`. There are data for which a chain tells where one row lies while
#' diagnostics look well (`vignette("proofs", "dpdepth")`); such examples must be expected of any chain. Atoms
#' (many equal rows) that are not deep along the axes, or in combinations of variables, may be missed.
#'
#' **Time.** A draw over halfspace depth along directions takes less than a second for up to eight variables
#' and 1000 rows, some seconds for ten variables and 10,000 rows, also where rows tie or lie near a
#' hyperplane. It grows with n times the number of directions. What can take minutes or practically not end
#' depends on the data: two clusters, or rows near an oblique line, about as narrow as the lattice's step, in
#' the plane where they lie outside the limits, with seven variables or more anywhere; and more than ten
#' variables. So `"auto"` takes depth along the axes for more than three variables.
#' @return A [`dp_release`][dp_release] with `guarantee = "pure"`, or `"stationary"` with `sampler = "mcmc"`
#'   and `"unproved"` with `"langevin"`.
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
#' dp_median_exponential(iris[1:2], epsilon = 1, prior = prior_normal(mean = 5, sd = 5))
#' @export
dp_median_exponential <- function(x, epsilon, prior = NULL, depth = "halfspace", directions = NULL,
                                  resolution = NULL, sampler = c("auto", "exact", "mcmc", "langevin"),
                                  chains = 4L, steps = NULL, smooth = NULL, lower = NULL, upper = NULL,
                                  ..., neighbours = "substitution", ledger = NULL, rng = NULL, na = "fail") {
  check_given()
  call <- sanitize_call(match.call(), "x")
  if (chooses_rows(x, na = na)) return(release_chosen(dp_median_exponential, call, NULL))
  persons <- persons_detail(x)
  neighbours <- check_neighbours(neighbours)
  limits <- tally_limits(x, lower, upper, prior)
  lower <- limits$lower
  upper <- limits$upper
  resolution <- typed_resolution(resolution, x)
  x <- rows_between(neighbours, x, na, limits_middle(prior, lower, upper), margins = TRUE)
  prior <- public_prior(prior, lower, upper, ncol(x), names_of(x), "?dp_median says which medians need none")
  release <- release_exponential(x, epsilon, prior, depth, directions, resolution, sampler, chains, steps,
                                 smooth, neighbours, ledger, rng)
  as_called(release, call, c(na_detail(na), persons))
}

# For rows as rows_between() gives them. All but the rows is checked here.
release_exponential <- function(x, epsilon, prior, depth = "halfspace", directions = NULL, resolution = NULL,
                                sampler = c("auto", "exact", "mcmc", "langevin"), chains = 4L, steps = NULL,
                                smooth = NULL, neighbours = "substitution", ledger = NULL, rng = NULL) {
  n <- size_between(neighbours, x)
  d <- ncol(x)
  epsilon <- check_epsilon(epsilon)
  depth <- check_choice(depth, c("halfspace", names(median_depths)), "depth")
  prior <- prior_for(prior, d, names_of(x))
  if (is_projected(x)) {
    check_cells(x, list(resolution = resolution, directions = directions))
    if (depth != "halfspace") refuse_cells(x)
    if (!identical(sampler, depth_samplers)) check_choice(sampler, c("auto", "exact"), "sampler")
    resolution <- x$resolution
  } else if (is_cells(x)) {
    check_cells(x, list(resolution = resolution))
    if (d == 1 && is.null(directions)) directions <- "axes"
    if (depth != "halfspace" || !identical(directions, "axes")) refuse_cells(x)
  }
  resolution <- tally_resolution(x, resolution, prior, sampler)
  unit <- NULL
  if (depth == "halfspace" && is_dyadic(prior)) {
    directions <- dyadic_directions(directions)
    unit <- resolution
    prior <- with_unit(prior, unit, names_of(x))
    resolution <- NULL
  }
  names <- variable_names(x)
  private <- neighbours == "add_remove"
  if (private) check_private_depth(nrow(x), d, depth)
  plan <- if (is_projected(x)) {
    projected_plan(x, prior, resolution)
  } else if (depth == "halfspace") {
    check_smooth_steps(smooth, depth)
    exponential_plan(n, d, epsilon, prior, directions, resolution, sampler, names)
  } else {
    depth_plan(n, d, prior, depth, directions, resolution, smooth, sampler, names)
  }
  if (plan$sampler != "exact") refuse_private_size(neighbours, "a chain")
  # along a covariance's axes each coordinate is a sum of several variables
  if (!isTRUE(plan$axes) || !is.null(plan$whitening)) refuse_margins(x)
  if (private && depth == "simplicial") x <- with_corners(x)
  if (plan$sampler != "exact" || !depth %in% counted_depths || isTRUE(plan$frames)) x <- plain_rows(x)
  source <- check_rng(rng)
  size <- depth_chain_size(chains, steps, d, depth, minimum = min_chain_steps)
  if (depth == "halfspace" && plan$sampler == "mcmc") check_chain_memory(n, d, epsilon, plan$directions)
  resolved <- resolved_spread(median_failure(n, d, epsilon * depth_worth(depth, d),
                                             if (isTRUE(plan$axes)) "axes" else "exponential"),
                              prior, plan$step[[1]], names)

  if (is_cells(x)) x <- open_cells(x, c(0, 0), epsilon)
  paid <- debit(ledger, "median (exponential mechanism)", n, epsilon, 0, source,
                exponential_guarantees[[plan$sampler]], bounded_range_rho(epsilon), neighbours,
                warn_limits(resolved, n, d, epsilon, prior))
  rate <- monotone_epsilon(epsilon, neighbours)
  estimate <- if (depth == "halfspace") draw_exponential(x, plan, rate, source, size)
              else draw_depth(x, plan, rate, source, size, private)
  new_release(
    stats::setNames(estimate, names), paid,
    mechanism = paste("exponential mechanism over",
                      if (depth == "halfspace") "halfspace depth" else median_depths[[depth]]$what),
    n = n, d = d, exact = plan$sampler == "exact",
    details = c(
      list(what = "median", prior = prior, depth = plan$label),
      if (plan$sampler != "exact") list(chain = chain_label(plan$sampler, size)),
      resolves_detail(resolved, neighbours), unit_details(plan$step, unit)
    )
  )
}

# The law of a finite run of a chain is at an unknown distance from the mechanism's; Langevin's is another.
exponential_guarantees <- c(exact = "pure", mcmc = "stationary", langevin = "unproved")

chain_label <- function(sampler, size) {
  sprintf("%s%d chains of %d steps", if (sampler == "langevin") "Langevin, " else "", size$chains, size$steps)
}

# All that is public of a draw: the sampler, the depth and its directions, the lattice, and the map that makes
# a prior with a covariance standard normal, whose coordinates are those of the depth and of the lattice.
exponential_plan <- function(n, d, epsilon, prior, directions, resolution, sampler, names) {
  sampler <- if (identical(sampler, depth_samplers)) "auto"
             else check_choice(sampler, c("auto", "exact", "mcmc"), "sampler")
  if (is.null(directions)) directions <- default_directions(n, d, epsilon, sampler)
  axes <- identical(directions, "axes")
  frames <- identical(directions, "frames") && sampler != "mcmc"
  if (identical(directions, "frames")) directions <- frame_directions(d)
  sampler <- if (axes) axes_sampler(sampler) else if (frames) "exact"
             else choose_sampler(sampler, n, d, epsilon)
  plan <- if (axes) axes_plan()
          else if (frames) frames_plan(n, d)
          else directions_plan(directions, d, sampler)
  lattice <- prior_lattice(prior, resolution, names, sampler, function(prior, resolution = NULL) {
    if (axes || d == 1 && sampler == "exact") axes_steps(prior, names, resolution)
    else lattice_steps(prior, plan$exact, names, resolution)
  })
  c(plan[c("exact", "directions", "label")], list(axes = axes, frames = frames, sampler = sampler), lattice)
}

# One draw. PRIVATE: the rows.
draw_exponential <- function(x, plan, epsilon, source, size) {
  x <- on_entries(x, function(points) whiten_rows(points, plan$whitening))
  drawn <- if (is_projected(x)) {
    draw_projected(x, plan$prior, epsilon, source, plan$resolution)
  } else if (is_cells(x)) {
    draw_cells(x, function(rows) {
      draw_axes(rows, plan$prior, epsilon, source, resolution = plan$resolution, scored = TRUE)
    })
  } else if (plan$axes) {
    draw_axes(x, plan$prior, epsilon, source, resolution = plan$resolution)
  } else if (plan$frames) {
    draw_frames(x, plan$prior, plan$directions, epsilon, source, resolution = plan$resolution)
  } else if (plan$sampler == "exact" && ncol(x) == 1) {
    draw_middle(x, plan$prior, epsilon, source, resolution = plan$resolution)
  } else if (plan$sampler == "exact") {
    .Call(ffi_median_exp, source, x, prior_fields(plan$prior, plan$resolution), epsilon, plan$exact,
          plan$directions, 1L)$draws
  } else {
    .Call(ffi_median_chain, source, x, prior_fields(plan$prior), epsilon, plan$directions, size$chains,
          size$steps, FALSE)$draws
  }
  color_points(drawn[1, , drop = FALSE], plan$whitening)[1, ]
}

# Beyond that depth along the axes has exact draws; NULL: as directions_plan() has it.
default_directions <- function(n, d, epsilon, sampler) {
  if (sampler == "auto" && !exact_median_serves(n, d, epsilon)) "axes"
}

# Never a chain unless it is asked for: no privacy is proved for a finite run of one.
choose_sampler <- function(sampler, n, d, epsilon) {
  if (sampler != "auto") return(sampler)
  if (!exact_median_serves(n, d, epsilon)) {
    stop_input("sampler", sprintf("\"exact\" or \"mcmc\" where directions are given for %d variables", d),
               "\"auto\"",
               paste("An exact draw may then take very long, and for a chain no privacy is proved;",
                     "directions = \"axes\" draws at once."))
  }
  "exact"
}

# Which depth: exact halfspace depth or its minimum over directions, by public sizes only.
# Directions are also what bounds the exact depth over a box.
directions_plan <- function(directions, d, sampler) {
  exact <- identical(directions, "exact")
  if (exact && d > 3) {
    stop_input("directions", "a count or a matrix for more than 3 variables", "\"exact\"")
  }
  if (exact && sampler == "mcmc" && d > 1) {
    stop_input("directions", "a count or a matrix with sampler = \"mcmc\"", "\"exact\"")
  }
  if (is.null(directions)) exact <- d == 1 || (sampler == "exact" && d == 2)
  if (exact) return(list(exact = TRUE, directions = bounding_directions(d), label = "halfspace, exact"))
  if (is.null(directions)) directions <- max(1000L, d)
  set <- as_directions(directions, d, add_axes = TRUE)
  list(exact = FALSE, directions = set, label = sprintf("halfspace, along %d directions", nrow(set)))
}

# The chain keeps the order statistics of all ranks that can carry weight, along all directions:
# at most 400 MB, judged by public facts.
check_chain_memory <- function(n, d, epsilon, directions) {
  ranks <- min(n, 2 * (24 * d + 740) / epsilon + n / 20)
  most <- floor(24 * 2^20 / ranks)
  if (nrow(directions) > most) {
    stop_input("directions", sprintf("at most %d for sampler = \"mcmc\" with this n and epsilon", most),
               nrow(directions))
  }
}

# The epsilon at which halfspace depth would rise as much from far off to the middle, as a multiple.
depth_worth <- function(depth, d) if (depth == "halfspace") 1 else 2 * median_depths[[depth]]$peak(d)

# The exponential mechanism over halfspace depth: a private median under a public prior.

#' Private median by the exponential mechanism
#'
#' Draws a point with probability proportional to `exp(epsilon * n * depth / 2)` times a public
#' prior: pure epsilon-differential privacy. In one dimension this is a private median, in
#' several a private Tukey median: it needs no moments and survives outliers.
#'
#' @inheritParams dp_median
#' @param depth The depth whose deepest point is the median: `"halfspace"`.
#' @param prior A public prior by [prior_uniform()] or [prior_normal()]; see there for matching
#'   names with the columns of `x`. Or [prior_dyadic()], where no limits can be named: then depth is along
#'   the axes.
#' @param directions `NULL` for the default of the dimension; `"exact"` for halfspace depth itself
#'   (at most three variables); a count or a matrix made by [directions()] for the directional depth,
#'   the least depth along these directions only. Missing axes are added. Coordinates are divided
#'   by the prior's widths (or standard deviations) before directions apply to them.
#'   `"axes"`: the least depth along the axes, for any number of variables; see Details.
#' @param resolution `NULL`, or the public steps in which the variables are counted or measured, in
#'   their units: one number for all, or one a variable, named or not. Candidates are then the multiples of
#'   the resolution, and rows are rounded to them: `resolution = 1` for counts and ages in years, 0.1 for
#'   tenths. With [prior_dyadic()] it takes the place of the prior's `unit`. It must be known without the
#'   data: neither the column's type (which a file's reader chooses by
#'   the values) nor the values are looked at for it. Only with exact draws.
#' @param sampler `"auto"` and `"exact"`: a draw from the law itself. (`"auto"` refuses directions that are
#'   given for more than three variables, where such a draw may take very long; `"exact"` tries.) `"mcmc"`:
#'   the last state of a Markov chain, for which no privacy is proved; see below.
#' @param chains,steps For `"mcmc"`: the number of chains and of steps a chain. By default four
#'   chains of `max(2000, 300 d)` steps; at least 1000. See [sampler_diagnostics()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @details
#' **Law.** Let h(x) be the depth count of x: the least number of rows in a closed halfspace that
#' holds x, n times halfspace depth. Replacing one row moves h by at most one at every x, so the
#' density proportional to `exp(epsilon * h(x) / 2) * prior(x)` is epsilon-differentially private
#' (McSherry and Talwar, 2007, Theorem 6).
#'
#' **Grid.** Rows and candidates are rounded to a public grid, the multiples of `resolution` if it is
#' given. Else its step is a power of two fixed by the prior (the release names it), much finer than data:
#' a value that many people share is then one point among very many, and draws mostly fall beside it. So
#' integers need `resolution = 1`. Rows far outside the prior are moved to the grid's edge. Each row's
#' rounding depends on that row alone, so the guarantee is that of the rounded data, to the last bit.
#' A normal prior is cut off at 36 standard deviations.
#'
#' **Depth.** The default is halfspace depth itself for one or two variables, and the directional depth
#' over 1000 public directions for more: as private, and above halfspace depth. With three variables,
#' `directions = "exact"` asks for halfspace depth; each evaluation then costs n^2, and draws may take
#' long for more than some hundred rows or a large epsilon.
#'
#' **Along the axes.** `directions = "axes"` takes for h(x) the least, over variables, of the numbers
#' of rows at or below x and at or above x. It is as private as the other depths, and its level sets
#' are boxes: the draw is exact for hundreds of variables, within a second for 100 variables and 10,000
#' rows. Near the middle of normal data with standard deviation s privacy adds a root mean squared
#' error of about `5 s / (epsilon n) * sqrt((d + 1) (d + 2) / 3)` to each of d variables, 2.1 (d = 10)
#' to 2.4 (d = 100) times less than d private medians of one variable at `epsilon / d` each. It does
#' not see how variables depend on each other. With few rows for many variables the draw comes from the
#' prior, whatever the data: about where `n epsilon / 4` is below `d log(B epsilon n / (2 d s))`,
#' bounds +-B. A normal prior has its tails raised to 2^-60 of its mode. The proof is in
#' `vignette("proofs-axes", "dpdepth")`.
#'
#' **Exactness.** The exact sampler draws from the law by integer arithmetic on an adaptive tree of boxes.
#' The vignette `vignette("proofs", "dpdepth")` has the proof. How long it takes depends on
#' the data; timing is outside the threat model.
#'
#' **Markov chains** (`sampler = "mcmc"`). Hit-and-run, radial lines and independent proposals, started from
#' the prior, on the law above. That law is private; a state after a finite run has some other law, and how
#' far it is off is not known: the release says `guarantee = "stationary"`, and `exact = FALSE`. A chain that
#' started at a deep point of the data showed where one row lay between two tight clusters of eight
#' variables, and diagnostics did not tell. Such examples must be expected of any chain. This one finds atoms
#' (many equal rows) by the depth along the axes: atoms that are not deep along the axes, and atoms in
#' combinations of variables, may be missed.
#'
#' **Time.** A draw over halfspace depth takes seconds for up to eight variables with continuous data. Where
#' rows tie or lie near a hyperplane (counts, 0/1 columns), a draw in four variables or more may take minutes
#' or practically not end; that depends on the data, so `"auto"` takes depth along the axes there. Declare
#' `resolution` for such columns.
#' @return A [`dp_release`][dp_release] with `guarantee = "pure"`, or `"stationary"` with `sampler = "mcmc"`.
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
dp_median_exponential <- function(x, epsilon, depth = "halfspace", prior, directions = NULL,
                                  resolution = NULL, sampler = c("auto", "exact", "mcmc"), chains = 4L,
                                  steps = NULL, ledger = NULL, rng = NULL, na = "fail", ...) {
  check_given()
  call <- sanitize_call(match.call(), "x")
  x <- replace_missing(x, na, limits_middle(prior))
  d <- ncol(x)
  epsilon <- check_epsilon(epsilon)
  depth <- check_choice(depth, "halfspace", "depth")
  prior <- prior_for(prior, d, colnames(x))
  sampler <- check_choice(sampler, c("auto", "exact", "mcmc"), "sampler")
  if (is_dyadic(prior)) directions <- dyadic_directions(directions)
  if (is.null(directions)) directions <- default_directions(nrow(x), d, epsilon, sampler)
  axes <- identical(directions, "axes")
  sampler <- if (axes) axes_sampler(sampler) else choose_sampler(sampler, nrow(x), d, epsilon)
  if (is_dyadic(prior)) {
    prior <- with_unit(prior, resolution, colnames(x))
    resolution <- NULL
  }
  resolution <- check_multiples(resolution, d, colnames(x), sampler)
  plan <- if (axes) axes_plan() else plan_depth(directions, d, sampler)
  source <- check_rng(rng)
  size <- chain_size(chains, steps, d, least = least_chain_steps)
  step <- if (axes) axes_steps(prior, variable_names(x), resolution)
          else lattice_steps(prior, plan$exact, variable_names(x), resolution)
  if (sampler == "mcmc") check_chain_memory(nrow(x), d, epsilon, plan$directions)
  warn_limits(nrow(x), d, epsilon, prior, if (axes) "axes" else "exponential")
  guarantee <- if (sampler == "exact") "pure" else "stationary"

  warn_hopeless(nrow(x), epsilon, 0, source)
  ledger_spend(ledger, epsilon, 0, "median (exponential mechanism)", guarantee)
  drawn <- if (axes) {
    list(draws = draw_axes(x, prior, epsilon, source, resolution = resolution))
  } else if (sampler == "exact") {
    .Call(ffi_median_exp, source, x, prior_fields(prior, resolution), epsilon, plan$exact,
          plan$directions, 1L)
  } else {
    .Call(ffi_median_chain, source, x, prior_fields(prior), epsilon, plan$directions, size$chains,
          size$steps, FALSE)
  }
  new_release(
    estimate = stats::setNames(drawn$draws[1, ], variable_names(x)), epsilon = epsilon,
    guarantee = guarantee, mechanism = "exponential mechanism over halfspace depth",
    n = nrow(x), d = d, exact = sampler == "exact", rng = source, call = call,
    details = c(
      list(what = "median", prior = prior, depth = plan$label),
      if (sampler == "mcmc") list(chain = sprintf("%d chains of %d steps", size$chains, size$steps)),
      stats::setNames(list(step), if (is.null(resolution)) "step" else "resolution")
    )
  )
}

# Beyond that depth along the axes has exact draws; NULL: as plan_depth() has it.
default_directions <- function(n, d, epsilon, sampler) {
  if (sampler == "auto" && !exact_median_serves(n, d, epsilon)) "axes"
}

# Never a chain unless it is asked for: no privacy is proved for a finite run of one.
choose_sampler <- function(sampler, n, d, epsilon) {
  if (sampler != "auto") return(sampler)
  if (!exact_median_serves(n, d, epsilon)) {
    must <- paste("\"exact\" (a draw may then take very long) or \"mcmc\" (no privacy is proved for it)",
                  "where directions are given for %d variables; `directions = \"axes\"` draws at once")
    stop_input("sampler", sprintf(must, d), "\"auto\"")
  }
  "exact"
}

# Which depth: exact halfspace depth or its minimum over directions, by public sizes only.
# Directions are also what bounds the exact depth over a box.
plan_depth <- function(directions, d, sampler) {
  exact <- identical(directions, "exact")
  if (exact && d > 3) {
    stop_input("directions", "a count or a matrix: exact depth takes at most 3 variables", "\"exact\"")
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

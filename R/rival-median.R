# Published private medians without a proof that holds, for comparison: the door, and what it knows of each
# method.

#' Published private medians without proof, for comparison
#'
#' Medians from the literature for which no privacy is proved as they can be computed: states of Markov chains
#' after finite runs, and random differential privacy. Their releases say so. For data that need protection,
#' use [dp_median()].
#'
#' @inheritParams dp_median
#' @param delta 0 for the chains; for `"random_dp"` and `depth = "projection"` between 0 and 1.
#' @param method The method, see the table below.
#' @param lower,upper,prior For the chains: public bounds, or a prior by [prior_uniform()] or
#'   [prior_normal()]. `"random_dp"` and `depth = "projection"` take none.
#' @param ... Arguments of the method, by their full names:
#'
#'   * `"chain"` and `"langevin"`: `depth`, as in [dp_median_exponential()], or `"projection"`; `"langevin"`
#'     has `"idd_smooth"` and `"projection"`. `directions`, a count or a matrix by [directions()] (1000, fewer
#'     above 25,000 rows, for depths along directions). `smooth`, as in [dp_median_exponential()]. `chains`
#'     and `steps`, the number of chains and of steps per chain: by default four chains of `max(2000, 300 d)`
#'     steps, of `max(2000, 40 d)` for integrated depths; at least 1000. See [sampler_diagnostics()]. With
#'     `depth = "projection"` also `location`, `scale`, `eta`, `tau`, `units`, `resolution` and `try_anyway`,
#'     as in [dp_median_projection()].
#'   * `"random_dp"`: `gamma`, the probability, between 0 and 1, of data for which the published claim says
#'     nothing; `region`, as in [dp_median_smooth()] without `"marginal"`; `range`, a public number (2^20):
#'     values beyond `-range` and `range` are moved there, and the step of the lattice is `range` over 2^29,
#'     rounded down to a power of two. It must be chosen without looking at the data.
#' @param na As in [dp_median()]; `"omit"` is refused. With `"middle"` the middle of the limits replaces a
#'   missing value; 0 with `"random_dp"`.
#' @details
#' | `method` | guarantee | for |
#' | --- | --- | --- |
#' | `"chain"` | stationary | up to 1000 variables (spatial depths 255; simplicial depth 3) |
#' | `"langevin"` | unproved | smoothed integrated dual depth, up to 1000 variables; projections |
#' | `"random_dp"` | unproved | from 20 rows for one variable at gamma = 0.05, 580 for two, 1625 for three |
#'
#' **Markov chains** run on the distribution of [dp_median_exponential()], from the prior. That distribution
#' is private; a state after a finite run has another one, at an unknown distance. There are data for which a
#' chain shows where one row lies while diagnostics look well (`vignette("proofs", "dpdepth")`); such examples
#' must be expected of any chain. Atoms (many equal rows) that are not deep along the axes, or in combinations
#' of variables, may be missed. The Langevin chain is that of the paper, begun in the middle of the prior; its
#' distribution is not the mechanism's even in the limit. With `depth = "projection"` a chain stands in for
#' the draw of [dp_median_projection()], after its private test: for more variables than exact draws take (up
#' to 100).
#'
#' **Random differential privacy** releases a median as [dp_median_smooth()] does, but with a central region
#' of the data in the place of the bounds. The published claim is (epsilon, delta)-differential privacy for
#' data of probability 1 - gamma, if the rows are independent draws from one distribution. *The published
#' proof fails, and the claim is false as printed.*
#'
#' *The region.* One variable: from the order statistic of rank floor(n/2 - n kappa) to that of rank
#' ceil(n/2 + n kappa), and one step more to both sides, with kappa = sqrt((1 - log gamma)/n). Several
#' variables: the region of depth m - ceil(2 n kappa), m being the largest depth, with the kappa of the
#' published Theorem 3. The extent of the region caps the bound of how far the estimate may move. n must be
#' such that the region is always bounded; fewer rows are refused.
#'
#' *Why it is unproved.* The published proof treats the region as fixed, but the region moves with the data:
#' at epsilon = 1 and gamma = 0.05, with 30 Cauchy rows, about 15 of 100 pairs of neighbours are not
#' (1, 1e-6)-indistinguishable. For neighbours drawn independently from one distribution at gamma = 0.05 the
#' share was 18% for 500 normal rows at epsilon = 0.1, and 31 to 41% for 50 rows at epsilon = 0.25. That is
#' far above gamma.
#'
#' *What holds.* Two neighbours are indistinguishable if in both the smooth bound is attained before the cap.
#' With 500 rows of a normal, a uniform or a Cauchy distribution and epsilon = 1 this was so in all pairs
#' tried. It is not so for smaller epsilon, and for heavier tails nothing is promised at any n. With public
#' bounds, however wide, [dp_median_smooth()] promises more, with little more noise. See
#' `vignette("proofs-smooth", "dpdepth")`, section 9.
#' @return A [`dp_release`][dp_release], with `exact = FALSE` for the chains, and `gamma` for `"random_dp"`.
#' @section Errors: As for [dp_median()]. Arguments of another method are refused, and the error names that
#'   method.
#' @references
#' Differentially private estimation via statistical depth (2022), preprint, Theorems 3 and 4. (Random
#' differential privacy.)
#'
#' Hall, R., Wasserman, L. and Rinaldo, A. (2013). Random differential privacy. *Journal of Privacy and
#' Confidentiality 4*(2).
#'
#' Ramsay, K., Jagannath, A. and Chenouri, S. (2022). Differentially private multivariate medians,
#' section 2. \doi{10.48550/arXiv.2210.06459} (The chains.)
#'
#' Wei, F. and Dudley, R. M. (2012). Two-sample Dvoretzky-Kiefer-Wolfowitz inequalities. *Statistics and
#' Probability Letters 82*, 636-644.
#' @seealso [dp_median()], [dp_median_exponential()], [dp_median_smooth()].
#' @examples
#' rival_median(iris[1:4], epsilon = 1, lower = 0, upper = 20, directions = 50,
#'              steps = 1000)
#' rival_median(faithful$waiting, epsilon = 4, delta = 1e-6, method = "random_dp",
#'              gamma = 0.05)
#' @export
rival_median <- function(x, epsilon, delta = 0, method = c("chain", "langevin", "random_dp"), lower = NULL,
                         upper = NULL, prior = NULL, ..., ledger = NULL, rng = NULL, na = "fail") {
  taken <- function(method) c(median_rival(method)$arguments, median_rival(method, "projection")$arguments)
  door <- door_call(further = unlist(lapply(rival_medians, taken)))
  method <- check_choice(method, rival_medians, "method")
  depth <- if ("depth" %in% dots_names(environment())) list(...)$depth
  rival <- median_rival(method, depth)
  check_method_dots("rival_median", method, rival_medians, taken, rival$arguments)
  release_by(median_rival_mechanism(rival, method), door)
}

median_rival_mechanism <- function(rival, method) {
  limited <- length(rival$limits) > 0
  new_mechanism(
    neighbours = "substitution", limits = limited, ready = function(rows, plan) plain_rows(rows),
    read = if (limited) read_rows else function(given) {
      replace_missing(given$x, given$na, function(d, names) numeric(d))
    },
    plan = function(facts, given) {
      limits <- given[c("lower", "upper", "prior")]
      names(limits) <- c("lower", "upper", "prior")
      check_method_limits(limits, rival$limits, method)
      delta <- check_method_delta(given$delta, limited, method)
      columns <- matrix(0, 0, facts$d, dimnames = if (length(facts$names) > 0) list(NULL, facts$names))
      plan <- do.call(rival$plan, c(list(facts$n, columns, limits, given$epsilon, delta),
                                    given[intersect(rival$arguments, names(given))]), quote = TRUE)
      c(plan[setdiff(names(plan), c("label", "what", "guarantee", "delta"))],
        list(label = sprintf("median (%s)", rival$label), what = "median", guarantee = rival$guarantee,
             delta = delta))
    },
    draw = rival$run
  )
}

rival_medians <- c("chain", "langevin", "random_dp")

# As regression_rival(), with plan(n, columns, limits, epsilon, delta, ...), `columns` being the data without
# rows, and run(x, plan, source). A method without limits takes a delta.
median_rival <- function(method, depth = NULL) {
  projection <- identical(depth, "projection")
  limits <- if (!projection) c("lower", "upper", "prior")
  chain <- c("depth", "directions", "chains", "steps",
             if (projection) projection_arguments else "smooth")
  run <- if (projection) draw_projection_median else run_median_chain
  rival <- switch(method,
    chain = list("chain", "stationary", limits, chain,
                 if (projection) plan_projection_chain else plan_median_chain, run),
    langevin = list("Langevin chain", "unproved", limits, chain,
                    if (projection) plan_projection_langevin else plan_median_langevin, run),
    random_dp = list("random DP", "unproved", NULL, c("gamma", "region", "range"), plan_median_random,
                     run_median_random)
  )
  stats::setNames(rival, c("label", "guarantee", "limits", "arguments", "plan", "run"))
}

projection_arguments <- c("location", "scale", "eta", "tau", "units", "resolution", "try_anyway")

# Has the Markov chain of a private median converged? A non-private look.

#' Convergence of the chain behind `sampler = "mcmc"`
#'
#' Runs the hit-and-run chains that [dp_median_exponential()] would run and reports, for every variable,
#' the split R-hat and the effective sample size of their second halves. These are functions of
#' the data and of many states of the chain: they are **not private** and must not be released. A
#' release itself carries no diagnostics, for the same reason. Use this on data of the same shape
#' that nobody needs to protect, to choose `steps`.
#'
#' @inheritParams dp_median_exponential
#' @param directions `NULL`, a count or a matrix made by [directions()], as in [dp_median_exponential()].
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A `nonprivate` object; `$value` is a data frame with a row a variable and columns
#'   `variable`, `rhat` (near 1 when the chains agree; below 1.01 is good) and `ess` (effective number of
#'   independent draws).
#' @inheritSection dp_median Errors
#' @references
#' Vehtari, A., Gelman, A., Simpson, D., Carpenter, B. and Buerkner, P.-C. (2021).
#' Rank-normalization, folding, and localization: an improved R-hat. *Bayesian Analysis*, 16(2).
#' \doi{10.1214/20-BA1221}
#' @examples
#' # simulated data: nobody to protect
#' x <- matrix(rnorm(2000), ncol = 4)
#' sampler_diagnostics(x, epsilon = 1, prior = prior_uniform(-10, 10), directions = 100, steps = 500)
#' @export
sampler_diagnostics <- function(x, epsilon, prior, directions = NULL, chains = 4L, steps = NULL, rng = NULL,
                                ...) {
  check_given()
  x <- check_data(x)
  epsilon <- check_epsilon(epsilon)
  prior <- prior_for(prior, ncol(x), colnames(x))
  refuse_dyadic(prior, "a Markov chain")
  plan <- plan_depth(directions, ncol(x), "mcmc")
  size <- chain_size(chains, steps, ncol(x))
  lattice_steps(prior, FALSE, NULL)
  check_chain_memory(nrow(x), ncol(x), epsilon, plan$directions)
  if (size$steps < 8) stop_input("steps", "at least 8 for diagnostics", size$steps)
  trace <- .Call(ffi_median_chain, check_rng(rng), x, prior_fields(prior), epsilon, plan$directions,
                 size$chains, size$steps, TRUE)$trace
  new_nonprivate(chain_summary(trace, variable_names(x)), what = "convergence of the hit-and-run chains")
}

# Split R-hat and effective size of the second halves of chains (steps x chains x variables).
chain_summary <- function(trace, names) {
  steps <- nrow(trace)
  half <- trace[seq(steps %/% 2 + 1, steps), , , drop = FALSE]
  data.frame(variable = names, rhat = apply(half, 3, split_rhat), ess = apply(half, 3, effective_size))
}

#' Convergence of the chain behind the projection median
#'
#' Runs the chains that [dp_median_projection()] runs with `sampler = "mcmc"` (or `"langevin"`) and reports,
#' for
#' every variable, the split R-hat and the effective sample size of their second halves, as
#' [sampler_diagnostics()] does for the exponential mechanism. The result is **not private**: use it on data
#' of the
#' same shape that nobody needs to protect, to choose `steps`.
#'
#' @inheritParams dp_median_projection
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return A `nonprivate` object; `$value` is a data frame with a row a variable and columns
#'   `variable`, `rhat` (near 1 when the chains agree; below 1.01 is good) and `ess` (effective number of
#'   independent draws).
#' @inheritSection dp_median_projection Errors
#' @references
#' Vehtari, A., Gelman, A., Simpson, D., Carpenter, B. and Buerkner, P.-C. (2021).
#' Rank-normalization, folding, and localization: an improved R-hat. *Bayesian Analysis*, 16(2).
#' \doi{10.1214/20-BA1221}
#' @examples
#' x <- matrix(rnorm(20000), ncol = 4)
#' projection_diagnostics(x, epsilon = 2, delta = 1e-5, directions = 100, steps = 500)
#' @export
projection_diagnostics <- function(x, epsilon, delta, location = "median", scale = "mad", eta = NULL,
                                   tau = NULL, directions = 1000L, sampler = c("mcmc", "langevin"),
                                   units = NULL, chains = 4L, steps = NULL, rng = NULL, ...) {
  check_given()
  x <- check_data(x)
  sampler <- check_choice(sampler, c("mcmc", "langevin"), "sampler")
  size <- chain_size(chains, steps, ncol(x))
  if (size$steps < 8) stop_input("steps", "at least 8 for diagnostics", size$steps)
  plan <- plan_projection(nrow(x), ncol(x), epsilon, delta, location, scale, eta, tau, directions)
  grid <- projection_grid(x, units, 2^-30)
  law <- projection_margin(projection_rows(x, grid), plan$directions, plan$location, plan$scale,
                           plan$eta, plan$tau, plan$epsilon_draw, plan$delta_draw, 1L)
  trace <- draw_projections(1L, plan$directions, law$center, law$spread, plan$rate, sampler, check_rng(rng),
                            size = size, step = grid$step, trace = TRUE)$trace
  new_nonprivate(chain_summary(trace, grid$names), what = "convergence of the chains")
}

# Halves each chain (columns), so that a drift within a chain shows as one between chains.
split_chains <- function(draws) {
  half <- nrow(draws) %/% 2
  cbind(draws[seq_len(half), , drop = FALSE], draws[seq(nrow(draws) - half + 1, nrow(draws)), , drop = FALSE])
}

split_rhat <- function(draws) {
  draws <- split_chains(draws)
  m <- nrow(draws)
  within <- mean(apply(draws, 2, stats::var))
  if (within == 0) return(if (all(draws == draws[1])) 1 else Inf)
  sqrt((m - 1) / m + stats::var(colMeans(draws)) / within)
}

# Geyer's initial positive sequence of the pooled autocorrelations of split chains.
effective_size <- function(draws) {
  draws <- split_chains(draws)
  m <- nrow(draws)
  within <- mean(apply(draws, 2, stats::var))
  if (within == 0) return(NA_real_)
  total <- within * (m - 1) / m + stats::var(colMeans(draws))
  covariance <- rowMeans(apply(draws, 2, function(v) {
    stats::acf(v, lag.max = m - 1, type = "covariance", plot = FALSE)$acf[, 1, 1]
  }))
  rho <- 1 - (within - covariance) / total
  rho[[1]] <- 1
  pairs <- rho[seq(1, m - 1, 2)] + rho[seq(2, m, 2)]
  stop_at <- which(pairs < 0)
  if (length(stop_at) > 0) pairs <- pairs[seq_len(stop_at[[1]] - 1)]
  length(draws) / max(2 * sum(pairs) - 1, 1 / log10(length(draws)))
}

# Has the Markov chain of a private median converged? A non-private look.

#' Convergence of Markov chains
#'
#' Runs the chains that [rival_median()] or [rival_regression()] would run, and reports the split R-hat and
#' the effective sample size of their second halves for each variable. Use it to choose `steps`, on data of
#' the same shape that nobody needs to protect: the result is **not private**, since it depends on the data
#' and on many states of the chain. A release carries no diagnostics for that reason.
#'
#' @inheritParams dp_median
#' @param delta For `method = "projection"`: as in [dp_median_projection()].
#' @param lower,upper,prior Except for `method = "projection"`: public bounds, or a prior.
#' @param method Whose chain it is: `"exponential"` for [rival_median()], `"projection"` for its `depth =
#'   "projection"`, `"regression"` for [rival_regression()], with a data frame `x`.
#' @param directions A count, a matrix made by [directions()], or `NULL` for the median's default.
#' @param sampler `"mcmc"`; or, for the projection median and for `depth = "idd_smooth"`, `"langevin"`.
#' @param chains,steps The number of chains and of steps per chain, at least 8; by default those of the
#'   release.
#' @param ... For `method = "exponential"`: `depth` and `smooth`, as in [rival_median()]. For
#'   `method = "projection"`: `location`, `scale`, `eta`, `tau` and `units`, as in
#'   [dp_median_projection()]. For `method = "regression"`: `formula`, which is needed, `tau` (one), `at` and
#'   `units` as in [dp_regression_exponential()]. Other names are refused.
#' @return A [`nonprivate`][nonprivate] object. Its `value` is a data frame with one row per variable and
#'   columns `variable`, `rhat` (near 1 when the chains agree; below 1.01 is good) and `ess` (effective
#'   number of independent draws).
#' @inheritSection dp_median Errors
#' @references
#' Vehtari, A., Gelman, A., Simpson, D., Carpenter, B. and Buerkner, P.-C. (2021).
#' Rank-normalization, folding, and localization: an improved R-hat. *Bayesian Analysis*, 16(2).
#' \doi{10.1214/20-BA1221}
#' @examples
#' # simulated data: nobody to protect
#' x <- matrix(rnorm(2000), ncol = 4)
#' sampler_diagnostics(x, epsilon = 1, lower = -10, upper = 10, directions = 100,
#'                     steps = 500)
#'
#' x <- matrix(rnorm(20000), ncol = 4)
#' sampler_diagnostics(x, epsilon = 2, delta = 1e-5, method = "projection",
#'                     directions = 100, steps = 500)
#' @export
sampler_diagnostics <- function(x, epsilon, delta = 0, lower = NULL, upper = NULL, prior = NULL,
                                method = c("exponential", "projection", "regression"), directions = NULL,
                                sampler = c("mcmc", "langevin"), chains = 4L, steps = NULL, ..., rng = NULL) {
  check_given(further = c(exponential_settings, projection_settings, regression_settings))
  method <- check_choice(method, c("exponential", "projection", "regression"), "method")
  if (method == "regression") {
    check_dots(regression_settings, "`sampler_diagnostics(method = \"regression\")`")
    sampler <- check_choice(sampler, c("mcmc", "langevin"), "sampler")
    if (sampler != "mcmc") {
      stop_input("sampler", "\"mcmc\" for method = \"regression\"", dQuote(sampler, FALSE))
    }
    return(regression_diagnostics(x, epsilon, list(lower = lower, upper = upper, prior = prior), directions,
                                  chains, steps, rng, ...))
  }
  x <- check_data(x)
  check_dots(if (method == "projection") projection_settings else exponential_settings,
             sprintf("`sampler_diagnostics(method = \"%s\")`", method))
  sampler <- check_choice(sampler, c("mcmc", "langevin"), "sampler")
  source <- check_rng(rng)
  trace <- if (method == "exponential") {
    exponential_trace(x, epsilon, public_prior(prior, lower, upper, ncol(x), names_of(x), "see ?dp_median"),
                      directions, sampler, chains, steps, source, ...)
  } else {
    no_limits(list(lower = lower, upper = upper, prior = prior))
    size <- look_size(chain_size(chains, steps, ncol(x)))
    projection_trace(x, epsilon, delta, directions, sampler, size, source, ...)
  }
  new_nonprivate(chain_summary(trace, variable_names(x)), what = "convergence of the chains")
}

look_size <- function(size) {
  if (size$steps < 8) stop_input("steps", "at least 8 for diagnostics of a chain", size$steps, "Try 2000.")
  size
}

# What `...` may hold.
exponential_settings <- c("depth", "smooth")
projection_settings <- c("location", "scale", "eta", "tau", "units")
regression_settings <- c("formula", "tau", "at", "units")

# The same of a regression's coefficients, or of its predictions `at`. PRIVATE.
regression_diagnostics <- function(data, epsilon, limits, directions, chains, steps, rng, formula = NULL,
                                   tau = 0.5, at = NULL, units = NULL) {
  frame <- public_frame(formula, data, "fail", origin = TRUE)
  terms <- frame$terms
  plan <- plan_chain_fit(nrow(frame$x), terms, limits[c("lower", "upper")], check_epsilon(epsilon), 0,
                         limits$prior, check_number(tau, "tau", 0, 1), at, directions, units)
  plan$size <- chain_size(chains, steps, length(terms), minimum = 8L)
  trace <- fit_chains(fit_rows(frame$x, frame$y, plan), plan, plan$epsilon, plan$weights[[1]],
                      check_rng(rng), trace = TRUE)$trace
  names <- if (is.null(plan$points)) terms else point_names(length(terms) - 1L)
  new_nonprivate(chain_summary(trace, names), what = "convergence of the chains")
}

# States of the chains, steps x chains x variables. PRIVATE.
exponential_trace <- function(x, epsilon, prior, directions, sampler, chains, steps, source,
                              depth = "halfspace", smooth = NULL) {
  epsilon <- check_epsilon(epsilon)
  n <- nrow(x)
  d <- ncol(x)
  names <- variable_names(x)
  depth <- check_choice(depth, c("halfspace", names(median_depths)), "depth")
  size <- look_size(depth_chain_size(chains, steps, d, depth))
  if (sampler == "langevin" && depth != "idd_smooth") {
    stop_input("sampler", sprintf("\"mcmc\" for depth = \"%s\"", depth), "\"langevin\"",
               "The published Langevin chain is for depth = \"idd_smooth\".")
  }
  plan <- median_chain_plan(n, d, epsilon, prior, depth, directions, smooth, names, sampler == "langevin")
  color_trace(median_chains(x, plan, epsilon, source, size, trace = TRUE)$trace, plan$whitening)
}

# States in the coordinates of the data.
color_trace <- function(trace, whitening) {
  size <- dim(trace)
  array(color_points(matrix(trace, ncol = size[[3]]), whitening), size)
}

projection_trace <- function(x, epsilon, delta, directions, sampler, size, source, location = "median",
                             scale = "mad", eta = NULL, tau = NULL, units = NULL) {
  if (is.null(directions)) directions <- 1000L
  plan <- plan_projection(nrow(x), ncol(x), epsilon, delta, location, scale, eta, tau, directions)
  lattice <- projection_lattice(list(d = ncol(x), names = names_of(x)), units, 2^-30)
  law <- projection_margin(projection_rows(x, lattice), plan$directions, plan$location, plan$scale,
                           plan$eta, plan$tau, plan$epsilon_draw, plan$delta_draw, 1L)
  draw_projections(1L, plan$directions, law$center, law$spread, plan$rate, sampler, source,
                   size = size, step = lattice$step, trace = TRUE)$trace
}

# Split R-hat and effective size of the second halves of chains (steps x chains x variables).
chain_summary <- function(trace, names) {
  steps <- nrow(trace)
  half <- trace[seq(steps %/% 2 + 1, steps), , , drop = FALSE]
  data.frame(variable = names, rhat = apply(half, 3, split_rhat), ess = apply(half, 3, effective_size))
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

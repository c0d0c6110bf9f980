# Markov chains over depths: the engines of rival_median(method = "chain") and "langevin".

# Public numbers; refuses before the debit. See regression_rival() for what a plan holds.
plan_median_chain <- function(n, columns, limits, epsilon, delta, depth = "halfspace", directions = NULL,
                              smooth = NULL, chains = 4L, steps = NULL, langevin = FALSE) {
  d <- ncol(columns)
  prior <- public_prior(limits$prior, limits$lower, limits$upper, d, names_of(columns), "see ?rival_median")
  depth <- check_choice(depth, c("halfspace", names(median_depths)), "depth")
  names <- variable_names(columns)
  plan <- median_chain_plan(n, d, epsilon, prior, depth, directions, smooth, names, langevin)
  size <- depth_chain_size(chains, steps, d, depth, minimum = min_chain_steps)
  resolved <- resolved_spread(median_failure(n, d, epsilon * depth_worth(depth, d), "exponential"), prior,
                              plan$step[[1]], names)
  c(plan[names(plan) != "step"], list(
    epsilon = epsilon, size = size, rho = bounded_range_rho(epsilon),
    warn = function(said) warn_limits(resolved, n, d, epsilon, prior),
    mechanism = paste("exponential mechanism over",
                      if (depth == "halfspace") "halfspace depth" else median_depths[[depth]]$what),
    details = c(list(prior = prior, depth = plan$label, chain = chain_label(size, langevin)),
                resolves_detail(resolved), plan$step[setdiff(names(plan$step), "lattice")])
  ))
}

plan_median_langevin <- function(n, columns, limits, epsilon, delta, depth = "idd_smooth", ...) {
  if (!identical(depth, "idd_smooth")) {
    stop_input("depth", "\"idd_smooth\" or \"projection\" for a Langevin chain", describe(depth))
  }
  plan_median_chain(n, columns, limits, epsilon, delta, depth, ..., langevin = TRUE)
}

run_median_chain <- function(x, plan, source) {
  drawn <- median_chains(x, plan, plan$epsilon, source, plan$size)$draws
  list(estimate = color_points(drawn, plan$whitening)[1, ], exact = FALSE)
}

# depth = "projection": the test of dp_median_projection(), and a chain in the place of its draw.
plan_projection_chain <- function(n, columns, limits, epsilon, delta, depth, ..., chains = 4L, steps = NULL,
                                  langevin = FALSE) {
  d <- ncol(columns)
  size <- chain_size(chains, steps, d, min_chain_steps)
  facts <- list(n = n, d = d, names = names_of(columns), variables = variable_names(columns))
  plan <- plan_projection_median(facts, list(epsilon = epsilon, delta = delta, ...), exact = FALSE)
  plan$sampler <- if (langevin) "langevin" else "mcmc"
  plan$size <- size
  plan$details$chain <- chain_label(size, langevin)
  plan
}

plan_projection_langevin <- function(...) plan_projection_chain(..., langevin = TRUE)

# The depth, its directions, the prior and the map that makes it standard. Chains draw from a continuum; the
# lattice's steps are what exact draws would have.
median_chain_plan <- function(n, d, epsilon, prior, depth, directions, smooth, names, langevin = FALSE) {
  refuse_dyadic(prior, "a Markov chain")
  smooth <- check_smooth_steps(smooth, depth)
  lattice <- prior_lattice(prior, NULL, names, function(prior, resolution = NULL) {
    lattice_steps(prior, FALSE, names)
  })
  if (depth == "halfspace") {
    set <- chain_halfspaces(directions, d)
    check_chain_memory(n, d, epsilon, set)
    label <- sprintf("halfspace, along %d directions", nrow(set))
  } else {
    check_depth_size(n, d, depth, most_chain_variables(depth), rows = most_chain_rows(depth, d))
    set <- depth_directions(n, d, depth, directions)
    label <- median_depth_label(depth, set)
  }
  c(list(kind = depth, directions = set, label = label, smooth = smooth, langevin = langevin), lattice)
}

chain_halfspaces <- function(directions, d) {
  if (d == 1) return(matrix(1))
  if (is.character(directions)) {
    stop_input("directions", "NULL, a count or a matrix", describe(directions),
               "dp_median_exponential() draws along the axes.")
  }
  as_directions(if (is.null(directions)) max(1000L, d) else directions, d, add_axes = TRUE)
}

# The last state of all chains that is released, one row, and with `trace` all states. PRIVATE.
median_chains <- function(x, plan, epsilon, source, size, trace = FALSE) {
  x <- whiten_rows(x, plan$whitening)
  if (plan$kind == "halfspace") {
    return(.Call(ffi_median_chain, source, x, prior_fields(plan$prior), epsilon, plan$directions, size$chains,
                 size$steps, trace))
  }
  .Call(ffi_depth_chain, source, x, prior_fields(plan$prior), epsilon, match(plan$kind, names(median_depths)),
        plan$directions, plan$smooth, c(size$chains, size$steps, as.integer(plan$langevin)), trace)
}

# The chain over halfspace depth keeps the order statistics of all ranks that can carry weight, along all
# directions: at most 400 MB, judged by public facts.
check_chain_memory <- function(n, d, epsilon, directions) {
  ranks <- min(n, 2 * (24 * d + 740) / epsilon + n / 20)
  most <- floor(24 * 2^20 / ranks)
  if (nrow(directions) > most) {
    stop_input("directions", sprintf("at most %d for a chain with this n and epsilon", most),
               nrow(directions))
  }
}

# What kernels have room for.
most_chain_variables <- function(depth) {
  switch(depth, simplicial = 3L, spatial = , spatial_modified = 255L, 1000L)
}

# Of simplicial depth in space a score takes n^2 log n operations: four chains of 200 rows take a minute.
most_chain_rows <- function(depth, d) {
  if (depth == "simplicial" && d == 3) 200 else most_depth_rows(depth, d)
}

# Langevin steps, over depths that are sums over directions, move all variables at once.
depth_chain_size <- function(chains, steps, d, depth, minimum = 1L) {
  if (!depth %in% c("irw", "idd", "idd_smooth")) return(chain_size(chains, steps, d, minimum))
  chain_size(chains, steps, d, minimum, default = max(2000L, 40L * d))
}

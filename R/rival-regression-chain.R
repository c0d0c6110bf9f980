# Markov chains over regression depth: the engine of rival_regression(method = "chain").
#
# METHOD: a chain on the distribution of dp_regression_exponential(), for any number of regressors, which is
#   private; a state after a finite run has another one, at an unknown distance.

# Public numbers; refuses before the debit. See regression_rival() for what a plan holds.
plan_chain_fit <- function(n, terms, limits, epsilon, delta, prior = NULL, tau = 0.5, at = NULL,
                           directions = NULL, units = NULL, chains = 4L, steps = NULL) {
  size <- chain_size(chains, steps, length(terms), min_chain_steps)
  limits$prior <- prior
  if (!has_limits(limits)) {
    stop_input("prior", "a uniform or normal prior for a Markov chain", "none, or made by prior_dyadic()",
               "Give `lower` and `upper`, or prior_normal(). dp_regression() needs neither.")
  }
  plan <- plan_exponential(n, terms, limits, epsilon, delta, tau, at, directions, units, shift = FALSE,
                           exact = FALSE)
  check_chain_work(n, plan$directions)
  c(plan[setdiff(names(plan), c("warn", "details"))], list(
    size = size, terms = tau_terms(terms, plan$tau),
    warn = function(said) {
      plan$warn(said)
      warn_chain_time(n, size, length(plan$tau))
    },
    details = c(if (!is.null(plan$bounds)) list(prior = plan$bounds), plan$details,
                list(chain = chain_label(size)), resolves_detail(plan$resolved))
  ))
}

# PRIVATE: x, y.
run_chain_fit <- function(x, y, plan, source) {
  rows <- fit_rows(x, y, plan)
  list(exact = FALSE, estimate = drawn_fits(plan, function(share, weights) {
    fit_chains(rows, plan, share, weights, source)$draws[1, ]
  }))
}

# The last states of all chains; with `trace` all states, which are not for release. `rows`: of fit_rows().
fit_chains <- function(rows, plan, epsilon, weights, source, trace = FALSE) {
  .Call(ffi_regression_chain, source, rows, prior_fields(plan$prior), epsilon, weights,
        c(plan$size$chains, plan$size$steps), trace)
}

# Each row is put in order along each direction: at most 800 MB, judged by public sizes.
check_chain_work <- function(n, directions) {
  most <- floor(chain_cells / n)
  if (nrow(directions) > most) {
    stop_input("directions", sprintf("at most %s with %s rows", format(most, scientific = FALSE),
                                     grouped(n)), nrow(directions))
  }
}

# Of chains' steps times rows, from which on they take more than about ten seconds.
quick_chain_work <- 4e7

warn_chain_time <- function(n, size, quantiles) {
  work <- n * size$chains * size$steps * quantiles
  if (work < quick_chain_work) return(invisible(NULL))
  warn_dpdepth("time", sprintf(paste(
    "Chains of so many steps over %s rows take about %s seconds. Fewer `chains` or `steps` take less.",
    "The budget is spent before they begin: an interrupted call has spent it."
  ), grouped(n), grouped(signif(work / quick_chain_work * 10, 1))))
}

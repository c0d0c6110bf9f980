# Between a plan and its draw: what is said of a release before anything is spent, and the debit.

# `n`: rows, NA where it is private and nothing stands for it. `warn`: what the plan warns of, evaluated here
# and nowhere before. Value: what new_release() takes as `paid`: what was spent and promised, and what was
# said of accuracy, which stays with the release.
debit <- function(ledger, label, n, epsilon, delta, source,
                  guarantee = if (delta > 0) "approximate" else "pure", rho = NULL,
                  neighbours = "substitution", warn = NULL) {
  asked <- asked_cost(ledger, epsilon, delta)
  caution <- accuracy_warnings({
    warn_hopeless(n, asked$epsilon, asked$delta, source)
    tell_assumed(neighbours, warn, epsilon, asked$epsilon)
  })
  ledger_spend(ledger, epsilon, delta, label, guarantee, rho)
  list(epsilon = epsilon, delta = delta, guarantee = guarantee, rng = source, neighbours = neighbours,
       caution = caution)
}

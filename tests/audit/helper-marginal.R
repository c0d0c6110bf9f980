# Exact laws of composed medians, and the audits of what dp_median() promises by its rule.

# Does some pair's composition pass delta?
marginal_budget_is_wrong <- function() {
  for (case in list(c(1, 1e-6, 30), c(1, 0.05, 2), c(1, 0, 2))) {
    budget <- marginal_budget(case[[1]], case[[2]], case[[3]])
    for (pair in line_pairs) {
      if (composed_delta(pair, budget$each, case[[3]], case[[1]]) > case[[2]] + 1e-12) return(TRUE)
    }
  }
  FALSE
}

# Draws of the front door against the law of one variable with its share of epsilon.
marginal_draws_are_wrong <- function(draws = 1000) {
  # alike, so that each release gives two draws of one law
  x <- matrix(c(2, 4, 5, 9), 4, 2)
  limits <- prior_uniform(c(0, 0), c(10, 10))
  weight <- c(2, 2, 1, 4, 1) * exp(c(0, 1, 2, 1, 0)) # 2 each; between 0, 2, 4, 5, 9 and 10
  draw <- function() coef(dp_median(x, 4, prior = limits, method = "marginal"))
  suppressWarnings(drawn_wrong(draws, draw, function(found) {
    law_pvalue(as.vector(table(cut(found, c(-Inf, 2, 4, 5, 9, Inf)))), weight / sum(weight))
  }))
}

# Is a chain called private, or a pure release weak, or does a ledger not say which is which?
chain_is_called_private <- function() {
  x <- matrix(sin(1:800), ncol = 8)
  ledger <- dp_ledger(100)
  auto <- suppressWarnings(dp_median(x, 1, lower = -2, upper = 2, ledger = ledger))
  chain <- suppressWarnings(rival_median(x, 1, lower = -2, upper = 2, directions = 10, steps = 1000,
                                         ledger = ledger))
  !auto$exact || auto$guarantee != "pure" || chain$exact || chain$guarantee != "stationary" ||
    glance(chain)$proved || !grepl("no privacy is proved", format(chain)[[1]]) ||
    !identical(grepl("stationary", as.data.frame(ledger)$label), c(FALSE, TRUE))
}

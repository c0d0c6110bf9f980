# Private regression of data whose size is private: the exponential mechanism, whose depth can only rise when
# a row is added.
#
# METHOD: as R/private-data.R has it. Of quantiles rows weigh `above` or `below`, and depth rises by the
#   larger of them at most. Counts less their expectation would move both ways: they are not taken.
# REFERENCE: vignettes/proofs-accounts.Rmd, section 4.

# Sums of weights are whole numbers below 2^29: with weights up to 9, of 59 million rows. Data with more rows
# are refused, which shows that they have more. The help says so: it is a limit of the machine, like memory.
most_private_weight <- 9L
most_private_fits <- 5e7

plan_private_fit <- function(asked, facts, given, limits) {
  if (!asked %in% c("auto", "exponential")) {
    refuse_private_size(sprintf("method = \"%s\"", asked))
  }
  own <- own_arguments(facts, given, exponential_arguments)
  terms <- facts$variables
  plan <- do.call(plan_exponential, quote = TRUE, c(
    list(facts$n, terms, limits, given$epsilon, 0, given$tau), own,
    shift = FALSE, batches = batches_take_public_n
  ))
  check_private_taus(plan$tau)
  plan$private <- TRUE
  if (length(facts$shape$indicators) > 0) {
    plan <- with_levels(plan, "exponential", facts$n, terms, facts$shape)
  }
  check_draw_ends(asked, plan, facts$n, terms)
  plan$why <- if (asked == "auto") "n is private, and a row more can only make a fit deeper"
  plan$epsilon <- monotone_shares(given$epsilon, length(plan$tau))
  c(plan, list(run = run_exponential))
}

batches_take_public_n <- function() "which serves complete rows (na.omit()) if n may be public"

# What plans and warnings take for n: no more than exact draws do by public rules.
private_regression_size <- function(p) {
  most <- if (p <= length(exact_regression_rows)) exact_regression_rows[[p]] else private_size
  as.integer(min(private_size, most))
}

# Of draws of m quantiles, each of which gets an equal share of epsilon.
monotone_shares <- function(epsilon, m) {
  if (m == 1) return(monotone_epsilon(epsilon))
  m * monotone_epsilon(epsilon / m * (1 - 2^-40))
}

check_private_taus <- function(tau) {
  heaviest <- vapply(tau, function(tau) max(quantile_weights(tau)), 0L)
  if (all(heaviest <= most_private_weight)) return(invisible(NULL))
  stop_input("tau", "fractions with denominators of at most 10 where n is private",
             describe_numbers(tau, heaviest > most_private_weight, digits = 15))
}

# The public row below the others; rows for which `na = "middle"` stands are like it. PRIVATE: frame.
with_public_fit <- function(frame, middle) {
  if (length(frame$incomplete) > 0) frame <- middle_in_rows(frame, middle)
  frame$x <- and_row(frame$x, numeric(ncol(frame$x)))
  frame$y <- c(frame$y, if (is.null(middle)) 0 else middle)
  frame
}

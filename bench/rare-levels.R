# Coefficients of flags that few rows have: what plan_regression(shares =) expects against simulated draws.
#
# Usage: Rscript bench/rare-levels.R; writes bench/rare-levels.md. About three minutes of processor time.

source("bench/common.R")
library(dpdepth)
ns <- asNamespace("dpdepth")
dpdepth_threads(1)

# Errors of the flag's coefficient, which is 0, of four draws from each of some data sets: normal errors and
# other regressors, epsilon = 1, limits of 50.
flag_errors <- function(n, p, tau, share, sets) {
  terms <- c("(Intercept)", paste0("x", seq_len(p)))
  plan <- ns$plan_exponential(n, terms, list(lower = -50, upper = 50), 1, 0, tau, NULL)
  unlist(lapply(seq_len(sets), function(i) {
    x <- cbind(seq_len(n) <= round(n * share), matrix(stats::rnorm(n * (p - 1)), n)) + 0
    colnames(x) <- terms[-1]
    rows <- ns$fit_rows(x, stats::rnorm(n), plan)
    .Call(ns$ffi_regression_draw, "R", rows, ns$prior_fields(plan$prior), 1, plan$weights[[1]], 4L)$draws[, 2]
  }))
}

# An error beyond 6 is a failure.
row <- function(n, p, tau, share, sets = 60) {
  set.seed(n + p)
  seen <- flag_errors(n, p, tau, share, sets)
  plan <- plan_regression(n, p, 1, lower = -50, upper = 50, tau = tau, shares = share)
  plan <- utils::tail(plan[is.element(plan$method, "exponential"), ], 1)
  near <- seen[abs(seen) < 6]
  error <- sqrt(mean(near^2))
  told <- plan$failure < 0.01
  cells <- c(format(tau), grouped(n), format(share), p,
             if (isTRUE(plan$shifted)) "less expected" else "weighted",
             if (told) sprintf("%.3f", plan$error) else "", if (told) sprintf("%.3f", error) else "",
             if (told) sprintf("%.2f", error / plan$error) else "",
             sprintf("%.0f%%", 100 * plan$failure), sprintf("%.0f%%", 100 * mean(abs(seen) >= 6)))
  list(text = paste0("| ", paste(cells, collapse = " | "), " |"), ratio = if (told) error / plan$error)
}
grouped <- function(n) format(n, big.mark = ",")

cells <- expand.grid(p = 1:2, share = c(0.05, 0.1, 0.3), n = c(500, 1500, 4000),
                     tau = c(0.5, 0.75, 0.9, 0.95))
rows <- Map(row, cells$n, cells$p, cells$tau, cells$share)
ratios <- unlist(lapply(rows, `[[`, "ratio"))

write_page("rare-levels", c(
  "# Flags that few rows have: planned and simulated", "",
  paste(ran_on("one thread"), "Made by `bench/rare-levels.R`."), "",
  "The coefficient of a flag that a share s of the rows has, with normal errors of standard deviation 1,",
  "p - 1 normal regressors beside it, epsilon = 1 and limits of 50: what `plan_regression(tau =, shares =)`",
  "expects against four draws of each of 60 data sets. A draw fails if its error is above 6; `error` is the",
  "root mean square of the others, where fewer than 1% are planned to fail. There simulated errors were",
  sprintf("%.2f to %.2f times those planned in %d cells, the largest but one %.2f (each to within about a",
          min(ratios), max(ratios), length(ratios), sort(ratios, decreasing = TRUE)[[2]]),
  "tenth, but where one of the draws is noise just below 6, which alone makes the ratio large).", "",
  "| tau | n | s | p | counts | error planned | simulated | ratio | fail, planned | simulated |",
  "|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|", vapply(rows, `[[`, "", "text")
))

# Do plans keep their word? Releases at the n that a plan finds, at settings off the beaten track.
#
# METHOD: tests/audit/helper-plans.R, whose settings the audit of plans uses, too.
#
# Usage: make simulations FIGURE=plan-failures, or Rscript data-raw/plan-failures.R, with the package
# installed; some two minutes of processor time. Writes vignettes/plan-failures.csv.

source("data-raw/figures.R")
source("tests/audit/helper-plans.R")

run_setting <- function(i) {
  set.seed(20261124 + i)
  row <- plan_outcome(plan_settings[[i]], pick(plan_settings[[i]]$runs, 2L))
  row$failure <- signif(row$failure, 2)
  row$error <- signif(row$error, 3)
  row$ratio <- round(row$ratio, 2)
  row$error_sd <- NULL
  row
}
settings <- pick(seq_along(plan_settings), 1L)
write_figure(do.call(rbind, lapply(settings, run_setting)), "plan-failures")

# The private regressions in the design of a paper: writes vignettes/regression-paper.csv.
#
# Usage: make simulations FIGURE=regression-paper, or Rscript data-raw/regression-paper.R [replicates, 100]
# (ten minutes of processor time)
#
# Section 5 of Cumings-Menon (2022): y = 1 + 2 x + v, x and v from one law; 100 replicates; delta = 1e-6;
# limits [-50, 50] of both coefficients. Methods that need a box of the data get the smallest [-c, c]^2 that
# holds a share psi of the rows, which costs them nothing, and lose the rows beyond it. Errors of the line
# at the quartiles of the law of x. All methods see the same data. (The deepest line, Medsweep and fits
# without privacy in the same design: regression-accuracy.R.)

source("data-raw/regression-methods.R")
source("data-raw/boxed-rows.R")
epsilons <- c(4, 12)

draw_rows <- function(law, n) {
  remember_searches()
  draw_line(law, n)
}

# The errors of a method at both epsilons, NA where it is refused or releases nothing.
errors_of <- function(fit, psi) {
  force(fit)
  force(psi)
  function(data, law) {
    used <- boxed_rows(data, psi)
    at <- at_quartiles(law)
    as.vector(vapply(epsilons, function(epsilon) {
      found <- attempt(fit, used$data, epsilon, used$box)
      if (is.null(found)) c(NA, NA) else as.vector(at %*% (stats::coef(found) - c(1, 2)))
    }, c(0, 0)))
  }
}
methods <- data.frame(
  name = c("exponential", "batches", "NoisyStats", "NoisyStats, twice the noise", "Theil-Sen",
           "Theil-Sen, one matching", "gradient", "NoisyStats", "Theil-Sen", "NoisyStats", "Theil-Sen"),
  psi = c(NA, NA, 0.98, 0.98, 0.98, 0.98, 0.98, 0.95, 0.95, 1, 1)
)
methods <- pick(methods, methods[c(1, 2, 5), ])
estimates <- Map(errors_of, c(ours, boxed)[methods$name], methods$psi)
names(estimates) <- paste(methods$name, methods$psi, sep = "|")

design <- expand.grid(n = c(50, 100, 200, 300, 400, 500), law = names(laws), stringsAsFactors = FALSE)
found <- simulate_figure("regression-paper", cells_of(design), draw_rows, estimates, replicates = runs(100))
table <- by_cell(found, function(v, cell) {
  rbind(cbind(epsilon = epsilons[[1]], error_summary(v[, 1:2])),
        cbind(epsilon = epsilons[[2]], error_summary(v[, 3:4])))
})
which <- match(table$estimate, names(estimates))
table <- data.frame(table[c("law", "n")], method = methods$name[which], psi = methods$psi[which],
                    table[c("epsilon", "replicates", "failed", "mse", "mse_se", "median_abs")])
write_figure(table[do.call(order, c(unname(table[1:5]), method = "radix")), ], "regression-paper", na = "")

# Accuracy of the private regressions against the non-private ones: writes vignettes/regression-accuracy.csv.
#
# Usage: make simulations FIGURE=regression-accuracy (three minutes of processor time)
#
# The design is that of section 5 of Cumings-Menon (2022): y = 1 + 2 x + v, x and v from one law; errors of
# the fitted line at the 0.25 and 0.75 quantiles of the law of x, both together; bounds [-50, 50] of both
# coefficients; delta = 1e-6. 200 replicates instead of 100. All methods see the same data.
# mse_se: the standard error of the mean squared error over the replicates, each with its two quartiles.

source("data-raw/regression-methods.R")
epsilons <- c(4, 12)

draw_rows <- function(law, n) {
  remember_searches()
  draw_line(law, n)
}

# Errors at the quartiles of the law of x.
errors_of <- function(fit, law) as.vector(at_quartiles(law) %*% (stats::coef(fit) - c(1, 2)))
public <- function(fit) {
  force(fit)
  function(data, law) errors_of(fit(y ~ x, data), law)
}
released <- function(method, epsilon) {
  force(method)
  force(epsilon)
  function(data, law) {
    errors_of(dp_regression(y ~ x, data, epsilon, delta, method = method, lower = -50, upper = 50), law)
  }
}
methods <- expand.grid(method = c("deepest", "Medsweep"), epsilon = epsilons, stringsAsFactors = FALSE)
estimates <- c(
  lapply(list("least squares" = stats::lm, deepest = regress_deepest, Medsweep = regress_medsweep), public),
  stats::setNames(Map(released, tolower(methods$method), methods$epsilon),
                  paste(methods$method, methods$epsilon, sep = ":"))
)

design <- expand.grid(n = c(50, 100, 200, 300, 400, 500), law = names(laws), stringsAsFactors = FALSE)
found <- simulate_figure("regression-accuracy", cells_of(design), draw_rows, estimates,
                         replicates = runs(200))
table <- by_cell(found, function(v, cell) {
  squared <- rowMeans(v^2)
  data.frame(mse = mean(squared), mse_se = stats::sd(squared) / sqrt(nrow(v)),
             median_abs = stats::median(abs(v)))
})
parts <- strsplit(table$estimate, ":")
table$method <- vapply(parts, `[`, "", 1)
table$epsilon <- as.numeric(vapply(parts, `[`, "", 2))
table <- table[order(match(table$law, names(laws)), !is.na(table$epsilon), table$epsilon, table$method,
                     table$n), ]
for (column in c("mse", "mse_se", "median_abs")) table[[column]] <- signif(table[[column]], 4)
write_figure(table[c("law", "n", "method", "epsilon", "mse", "mse_se", "median_abs")], "regression-accuracy",
             na = "")

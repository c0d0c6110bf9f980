# Private methods for a line against each other: prediction errors, 200 replicates.
#
# Usage: Rscript bench/rivals.R [replicates]; writes bench/rivals.md. A method is one line of `methods`.

source("bench/common.R")

replicates <- as.integer(c(commandArgs(TRUE), "200")[[1]])
sizes <- c(100, 200, 500)
budgets <- c(0.5, 1)
delta <- 1e-6
at <- c(0.25, 0.75)

# x ~ N(.5, .05), y = .5 x + .2 + N(0, .005), known to lie in the unit square.
draw_rows <- function(n) {
  x <- stats::rnorm(n, 0.5, 0.05)
  data.frame(x = x, y = 0.5 * x + 0.2 + stats::rnorm(n, 0, 0.005))
}

rival <- function(method, d, e, delta = 0, ...) {
  dpdepth::rival_regression(y ~ x, d, e, delta, method, 0, 1, 0, 1, ...)
}
theilsen <- function(d, e, ...) rival("theilsen", d, e, ...)

# Each gives a fit that predict() knows, from data and epsilon.
methods <- list(
  "least squares, not private" = function(d, e) lm(y ~ x, d),
  "dp_regression()" = function(d, e) dpdepth::dp_regression(y ~ x, d, e, at = at, lower = 0, upper = 1),
  "noisy sums" = function(d, e) rival("noisystats", d, e),
  "Theil-Sen, 1 matching" = theilsen,
  "Theil-Sen, 5 matchings" = function(d, e) theilsen(d, e, matchings = 5),
  "Theil-Sen, 10 matchings" = function(d, e) theilsen(d, e, matchings = 10),
  "Theil-Sen, all pairs" = function(d, e) theilsen(d, e, matchings = "all"),
  "Theil-Sen, 10, widened" = function(d, e) theilsen(d, e, type = "widened", matchings = 10),
  "Theil-Sen, 3, smooth" = function(d, e) theilsen(d, e, type = "smooth", matchings = 3),
  "noisy gradients" = function(d, e) rival("gradient", d, e, delta),
  "noisy gradients, clip 0.1" = function(d, e) rival("gradient", d, e, delta, clip = 0.1),
  "noisy sums with a ridge" = function(d, e) rival("adassp", d, e, delta),
  "batches" = function(d, e) dpdepth::rival_regression(y ~ x, d, e, delta, "tukeyem")
)

# Errors of both predictions; NA where nothing was released.
errors_of <- function(fit) predict(fit, data.frame(x = at)) - (0.5 * at + 0.2)

options(dpdepth.rng = "R") # a simulation
run <- function(method, n, epsilon) {
  set.seed(n)
  vapply(seq_len(replicates), function(i) as.vector(errors_of(method(draw_rows(n), epsilon))), c(0, 0))
}

shown <- function(e) {
  if (all(is.na(e))) return("fails")
  text <- sprintf("%s / %s", format(signif(sqrt(mean(e^2, na.rm = TRUE)), 2)),
                  format(signif(stats::median(abs(e), na.rm = TRUE), 2)))
  failed <- mean(is.na(e[1, ]))
  if (failed > 0) sprintf("%s (%.0f%% fail)", text, 100 * failed) else text
}

cases <- expand.grid(n = sizes, epsilon = budgets)
started <- proc.time()[[1]]
cells <- vapply(methods, function(method) {
  vapply(seq_len(nrow(cases)), function(i) shown(run(method, cases$n[[i]], cases$epsilon[[i]])), "")
}, character(nrow(cases)))
spent <- proc.time()[[1]] - started

write_page("rivals", c(
  "# Private methods for a line", "",
  "Made by bench/rivals.R. Root mean squared / median absolute error of predictions at x = 0.25 and 0.75",
  sprintf("over %d replicates; x ~ N(0.5, 0.05), y = 0.5 x + 0.2 + N(0, 0.005), bounds [0, 1], delta = %s",
          replicates, format(delta)),
  "where one is needed. Where a test or a denominator may fail, errors are of what was released.", "",
  ran_on(sprintf("%.0f s of processor time", spent)), "",
  sprintf("| method | %s |",
          paste(sprintf("n = %d, epsilon = %g", cases$n, cases$epsilon), collapse = " | ")),
  paste0("|---|", strrep("---|", nrow(cases))),
  sprintf("| %s | %s |", names(methods), apply(cells, 2, paste, collapse = " | "))
))

# Coverage and width of slopes' intervals by batches, with differences of pairs of rows and without: writes
# vignettes/pairs-coverage.csv.
#
# Usage: make simulations FIGURE=pairs-coverage, or Rscript data-raw/pairs-coverage.R [runs]
# coverage: the least of the two slopes' at level 0.95, each by itself; width: the median over runs, of both.

source("data-raw/figures.R")

normal <- function(n) matrix(rnorm(2 * n), n) # public-rng: simulated data
skew <- function(n) rexp(n) - 1 # public-rng: simulated data
truth <- c(1, -2, 3)
line <- function(x, e) list(x = x, y = as.vector(cbind(1, x) %*% truth + e))
laws <- list(
  normal = function(n) line(normal(n), rnorm(n)), # public-rng: simulated data
  "skew errors and x" = function(n) line(exp(normal(n)), skew(n)),
  "lognormal errors and x" = function(n) line(exp(normal(n)), exp(1.5 * rnorm(n))) # public-rng: data
)

batches <- function(n, pairs) {
  inner("plan_batches")(n, c("(Intercept)", "x1", "x2"), list(lower = -50, upper = 50), 1, 0, 0.5,
                        interval = 0.95, pairs = pairs)
}

slopes <- function(rows, n, pairs, replicate) {
  plan <- batches(n, pairs)
  plan$seed <- replicate
  limits <- inner("run_batches")(rows$x, rows$y, plan, inner("check_rng")("R"))$interval[-1, ]
  c(limits[, 1] <= truth[-1] & truth[-1] <= limits[, 2], limits[, 2] - limits[, 1])
}

whole <- runs(2000)
settings <- data.frame(law = names(laws)[c(1:3, 2)], n = c(2000, 2000, 2000, 20000),
                       replicates = c(whole, whole, whole, min(whole, 400)))
design <- cbind(settings[rep(1:4, each = 2), ], pairs = c(TRUE, FALSE))
found <- simulate_figure("pairs-coverage", cells_of(design), laws, list(slopes = slopes))
table <- by_cell(found, function(v, cell) {
  data.frame(batches = batches(cell$n, cell$pairs)$batches, runs = nrow(v),
             coverage = min(colMeans(v[, 1:2])), infinite = mean(is.infinite(v[, 3:4])),
             width = signif(median(v[, 3:4]), 4))
})
write_figure(table[c("law", "n", "pairs", "batches", "runs", "coverage", "infinite", "width")],
             "pairs-coverage")

# Coverage and width of the limits of a shift: writes vignettes/shift-coverage.csv.
#
# Usage: make simulations FIGURE=shift-coverage, or Rscript data-raw/shift-coverage.R [runs]
# The true shift is 1; limits of it are +-`limit`, at level 0.95 and epsilon = 1. `width`: the median over
# runs; `wilcox`: that of wilcox.test(conf.int = TRUE) of one run in forty.

source("data-raw/figures.R")

halves <- function(n) round(2 * rnorm(n)) / 2 # public-rng: simulated data
laws <- list(
  normal = function(n, m) list(x = rnorm(n) + 1, y = rnorm(m)), # public-rng: simulated data
  "normal, to one half" = function(n, m) list(x = halves(n) + 1, y = halves(m)),
  "Poisson, 1" = function(n, m) list(x = rpois(n, 1) + 1, y = rpois(m, 1)), # public-rng: simulated data
  Cauchy = function(n, m) list(x = rcauchy(n) + 1, y = rcauchy(m)) # public-rng: simulated data
)
limits <- function(x, limit, replicate) {
  private <- suppressWarnings(dp_test(x$x, 1, x$y, interval = 0.95, lower = -limit, upper = limit, rng = "R"))
  plain <- if (replicate %% 40 == 1 && length(x$x) <= 1000) {
    diff(suppressWarnings(stats::wilcox.test(x$x, x$y, conf.int = TRUE))$conf.int)
  } else {
    NA
  }
  c(private$interval, plain)
}

of <- function(law, n, m, limit = 100) data.frame(law, n, m, limit)
design <- rbind(
  of("normal", 300, 300), of("normal", 300, 300, 1e6), of("normal", 1000, 1000),
  of("normal", 1000, 1000, 1e6), of("normal", 1700, 300), of("normal", 100, 100),
  of("normal, to one half", 300, 300), of("Poisson, 1", 300, 300), of("Cauchy", 300, 300),
  of("normal, to one half", 500, 100)
)
design$replicates <- runs(2000)
found <- simulate_figure("shift-coverage", cells_of(design), laws, list(limits = limits), seed = 31)
table <- by_cell(found, function(v, cell) {
  width <- v[, 2] - v[, 1]
  data.frame(runs = nrow(v), coverage = mean(v[, 1] <= 1 & 1 <= v[, 2]), infinite = mean(is.infinite(width)),
             width = signif(stats::median(width), 3),
             wilcox = signif(stats::median(v[, 3], na.rm = TRUE), 3))
})
write_figure(table[c("law", "n", "m", "limit", "runs", "coverage", "infinite", "width", "wilcox")],
             "shift-coverage")

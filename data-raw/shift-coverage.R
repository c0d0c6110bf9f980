# Coverage and width of the limits of a shift, and of a difference of medians: writes
# vignettes/shift-coverage.csv.
#
# Usage: make simulations FIGURE=shift-coverage, or Rscript data-raw/shift-coverage.R [runs]
# The true shift, or difference, is 1; limits of it, or of both medians, are +-`limit`, at level 0.95 and
# epsilon = 1. `width`: the median over runs; `wilcox`, beside limits of a shift of 1000 rows at most: that of
# wilcox.test(conf.int = TRUE) of one run in forty. The last two laws differ in more than a shift.

source("data-raw/figures.R")

halves <- function(n) round(2 * rnorm(n)) / 2 # public-rng: simulated data
laws <- list(
  normal = function(n, m) list(x = rnorm(n) + 1, y = rnorm(m)), # public-rng: simulated data
  "normal, to one half" = function(n, m) list(x = halves(n) + 1, y = halves(m)),
  "Poisson, 1" = function(n, m) list(x = rpois(n, 1) + 1, y = rpois(m, 1)), # public-rng: simulated data
  Cauchy = function(n, m) list(x = rcauchy(n) + 1, y = rcauchy(m)), # public-rng: simulated data
  "half at 0" = function(n, m) list(x = half_at_0(n) + 1, y = half_at_0(m)),
  "normal, sd 1 and 3" = function(n, m) list(x = rnorm(n) + 1, y = 3 * rnorm(m)), # public-rng: simulated data
  "exponential, normal" = function(n, m) list(x = rexp(n) + 1 - log(2), y = rnorm(m)) # public-rng: data
)
half_at_0 <- function(n) rexp(n) * rbinom(n, 1, 0.5) # public-rng: simulated data

private <- function(rows, limit, ...) {
  suppressWarnings(dp_test(rows$x, 1, rows$y, interval = 0.95, lower = -limit, upper = limit, ..., rng = "R"))
}
limits <- list(
  shift = function(rows, limit, replicate) {
    plain <- if (replicate %% 40 == 1 && length(rows$x) <= 1000) {
      diff(suppressWarnings(stats::wilcox.test(rows$x, rows$y, conf.int = TRUE))$conf.int)
    } else {
      NA
    }
    c(private(rows, limit)$interval, plain)
  },
  medians = function(rows, limit) c(private(rows, limit, test = "sign")$interval["difference", ], NA)
)

of <- function(law, n, m, limit = 100, estimate = names(limits)) data.frame(law, n, m, limit, estimate)
design <- rbind(
  of("normal", 300, 300), of("normal", 300, 300, 1e6), of("normal", 1000, 1000),
  of("normal", 1700, 300), of("normal", 100, 100),
  of("normal, to one half", 300, 300), of("normal, to one half", 500, 100), of("Poisson, 1", 300, 300),
  of("Cauchy", 300, 300), of("half at 0", 300, 300),
  of("normal, sd 1 and 3", 300, 300, estimate = "medians"), of("normal, sd 1 and 3", 210, 90, 100, "medians"),
  of("exponential, normal", 300, 300, estimate = "medians")
)
design$replicates <- runs(2000)
found <- simulate_figure("shift-coverage", cells_of(design, 2L), laws, limits, seed = 31)
table <- by_cell(found, function(v, cell) {
  width <- v[, 2] - v[, 1]
  data.frame(runs = nrow(v), coverage = mean(v[, 1] <= 1 & 1 <= v[, 2]), infinite = mean(is.infinite(width)),
             width = signif(stats::median(width), 3),
             wilcox = signif(stats::median(v[, 3], na.rm = TRUE), 3))
})
names(table)[names(table) == "estimate"] <- "of"
table <- table[order(table$of, decreasing = TRUE), ]
write_figure(table[c("of", "law", "n", "m", "limit", "runs", "coverage", "infinite", "width", "wilcox")],
             "shift-coverage")

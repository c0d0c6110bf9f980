# Coverage and mean height of the band of a private distribution function: writes vignettes/ecdf-coverage.csv.
#
# Usage: make simulations FIGURE=ecdf-coverage, or Rscript data-raw/ecdf-coverage.R [runs]
# The height is averaged over the law of the data. Without privacy: 2 * 1.358 / sqrt(n).
# The committed table has the same laws and settings, and was made before the script stood on
# simulate_releases().

source("data-raw/figures.R")

atoms <- c(-1, 0, 0, 3)
# public-rng: simulated data
laws <- list(
  normal = list(r = stats::rnorm, cdf = stats::pnorm, lower = -100, upper = 100),
  atoms = list(r = function(n) ifelse(stats::runif(n) < 0.5, sample(atoms, n, TRUE), stats::rnorm(n)),
               cdf = function(x) (stats::pnorm(x) + findInterval(x, atoms) / 4) / 2,
               lower = -100, upper = 100),
  integers = list(r = function(n) sample(0:20, n, TRUE), cdf = function(x) findInterval(x, 0:20) / 21,
                  lower = 0, upper = 50, resolution = 1)
)

band <- function(x, law, epsilon) {
  law <- laws[[law]]
  d <- suppressWarnings(dp_ecdf(x, epsilon, lower = law$lower, upper = law$upper, band = 0.95,
                                resolution = law$resolution))
  truth <- law$cdf(d$details$at)
  height <- c(d$interval[, "upper"], 1) - c(0, d$interval[, "lower"])
  c(covers = all(d$interval[, "lower"] <= truth & truth <= d$interval[, "upper"]),
    height = sum(diff(c(0, truth, 1)) * height), error = max(abs(d$estimate - truth)))
}

design <- expand.grid(epsilon = c(0.2, 1, 4), n = c(200, 1000, 5000), law = names(laws),
                      stringsAsFactors = FALSE)
design <- cells_of(design[design$n * design$epsilon >= 100, ])
found <- simulate_figure("ecdf-coverage", design, lapply(laws, `[[`, "r"), band, replicates = runs(1000),
                         seed = 20241)
table <- by_cell(found, function(v, cell) {
  data.frame(runs = nrow(v), coverage = mean(v[, "covers"]), height = signif(mean(v[, "height"]), 3),
             largest_error = signif(mean(v[, "error"]), 3))
})
write_figure(table[c("law", "n", "epsilon", "runs", "coverage", "height", "largest_error")], "ecdf-coverage")

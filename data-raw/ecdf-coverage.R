# Coverage and mean height of the band of a private distribution function: writes vignettes/ecdf-coverage.csv.
#
# Usage: make simulations FIGURE=ecdf-coverage, or Rscript data-raw/ecdf-coverage.R [runs]
# The height is averaged over the law of the data. Without privacy: 2 * 1.358 / sqrt(n).

source("data-raw/figures.R")

# public-rng: simulated data
mixed <- function(n, p, one, other) ifelse(stats::runif(n) < p, one(n), other(n))
laws <- list(
  normal = list(r = stats::rnorm, cdf = stats::pnorm),
  lognormal = list(r = stats::rlnorm, cdf = stats::plnorm),
  Cauchy = list(r = stats::rcauchy, cdf = stats::pcauchy),
  bimodal = list(r = function(n) mixed(n, 0.5, function(n) stats::rnorm(n, -50, 0.1), stats::rnorm),
                 cdf = function(x) (stats::pnorm(x, -50, 0.1) + stats::pnorm(x)) / 2),
  Poisson = list(r = function(n) stats::rpois(n, 3), cdf = function(x) stats::ppois(x, 3), resolution = 1),
  atom = list(r = function(n) mixed(n, 0.6, function(n) rep(0, n), stats::rnorm),
              cdf = function(x) 0.6 * (x >= 0) + 0.4 * stats::pnorm(x))
)

band <- function(x, law, limits, epsilon) {
  law <- laws[[law]]
  d <- suppressWarnings(dp_ecdf(x, epsilon, lower = -limits, upper = limits, band = 0.95,
                                resolution = law$resolution, spread = 1))
  truth <- law$cdf(d$details$at)
  height <- c(d$interval[, "conf.high"], 1) - c(0, d$interval[, "conf.low"])
  c(covers = all(d$interval[, "conf.low"] <= truth & truth <= d$interval[, "conf.high"]),
    height = sum(diff(c(0, truth, 1)) * height), error = max(abs(d$estimate - truth)))
}

sizes <- data.frame(n = c(300, 500, 1000, 5000, 200, 5000), epsilon = c(1, 1, 1, 1, 4, 0.2))
design <- merge(merge(sizes, data.frame(limits = c(20, 1e5, 1e7))), data.frame(law = names(laws)))
design <- cells_of(design[design$law == "normal" | design$limits > 20 & design$n %in% c(500, 1000), ])
found <- simulate_figure("ecdf-coverage", design, lapply(laws, `[[`, "r"), band, replicates = runs(1000),
                         seed = 20241)
table <- by_cell(found, function(v, cell) {
  planned <- plan_ecdf(cell$n, cell$epsilon, lower = -cell$limits, upper = cell$limits, spread = 1,
                       resolution = laws[[cell$law]]$resolution)
  data.frame(runs = nrow(v), coverage = mean(v[, "covers"]), height = signif(mean(v[, "height"]), 3),
             planned = signif(planned$height, 3), largest_error = signif(mean(v[, "error"]), 3))
})
write_figure(table[c("law", "limits", "n", "epsilon", "runs", "coverage", "height", "planned",
                     "largest_error")], "ecdf-coverage")

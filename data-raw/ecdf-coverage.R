# Coverage and mean height of the band of a private distribution function: writes vignettes/ecdf-coverage.csv.
#
# Usage: make simulations FIGURE=ecdf-coverage (two minutes of processor time)
# The height is averaged over the law of the data. Without privacy: 2 * 1.358 / sqrt(n).

source("data-raw/figures.R")

atoms <- c(-1, 0, 0, 3)
laws <- list(
  normal = list(r = stats::rnorm, cdf = stats::pnorm, lower = -100, upper = 100),
  atoms = list(r = function(n) ifelse(stats::runif(n) < 0.5, sample(atoms, n, TRUE), stats::rnorm(n)),
               cdf = function(x) (stats::pnorm(x) + findInterval(x, atoms) / 4) / 2,
               lower = -100, upper = 100),
  integers = list(r = function(n) sample(0:20, n, TRUE), cdf = function(x) findInterval(x, 0:20) / 21,
                  lower = 0, upper = 50, resolution = 1)
)

band <- function(x, law, epsilon) {
  l <- laws[[law]]
  dp_ecdf(x, epsilon, lower = l$lower, upper = l$upper, band = 0.95, resolution = l$resolution)
}

measure <- list(
  coverage = function(release, law) {
    truth <- laws[[law]]$cdf(release$details$at)
    all(release$interval[, "lower"] <= truth & truth <= release$interval[, "upper"])
  },
  height = function(release, law) {
    truth <- laws[[law]]$cdf(release$details$at)
    sum(diff(c(0, truth, 1)) * (c(release$interval[, "upper"], 1) - c(0, release$interval[, "lower"])))
  },
  largest_error = function(release, law) max(abs(release$estimate - laws[[law]]$cdf(release$details$at)))
)

cells <- expand.grid(epsilon = c(0.2, 1, 4), n = pick(c(200, 1000, 5000), 200), law = names(laws),
                     stringsAsFactors = FALSE)
found <- simulate_figure("ecdf-coverage", subset(cells, n * epsilon >= 100), lapply(laws, `[[`, "r"), band,
                         measure, replicates = pick(1000, 2), seed = 20241)
s <- summary(found)
of <- function(name) s$mean[s$measure == name]
write_figure(data.frame(s[s$measure == "coverage", c("law", "n", "epsilon")], runs = found$replicates,
                        coverage = of("coverage"), height = signif(of("height"), 3),
                        largest_error = signif(of("largest_error"), 3)), "ecdf-coverage")

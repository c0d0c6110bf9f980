# Coverage and width of intervals of a line's quantiles: writes vignettes/tau-coverage.csv.
#
# Usage: make simulations FIGURE=tau-coverage, or Rscript data-raw/tau-coverage.R [runs, 2000]
# coverage: how often the intervals of intercept and slope together held the truth; width: mean over runs of
# the slope's, where it was finite; open: how often it was infinite; ratio: to the mean width of the same test
# without privacy, over 50 runs.

source("data-raw/figures.R")
source("data-raw/slabs.R")

# Errors whose quantile tau is 0, given x.
# public-rng: simulated data
settings <- list(
  normal = function(n, tau) list(x = rnorm(n), e = rnorm(n) - qnorm(tau)),
  "skew, heteroscedastic" = function(n, tau) {
    x <- runif(n, -1, 2)
    list(x = x, e = (rexp(n) - qexp(tau)) * (0.2 + abs(x)))
  },
  "discrete x, rounded" = function(n, tau) {
    list(x = sample(0:2, n, TRUE), e = pmax(pmin(round(rt(n, 2) - qt(tau, 2), 1), 40), -40))
  }
)

estimates <- function(d, n, tau, epsilon, replicate) {
  weights <- inner("quantile_weights")(tau)
  t <- inner("shifted_threshold")(n, 0.05, list(rho = 500, nu = 500), 1, weights)
  line_interval(d, epsilon, if (replicate <= 50) t, tau, weights)
}

design <- data.frame(law = names(settings)[c(1:3, 1)], n = c(1000, 1000, 1000, 3000),
                     tau = c(0.75, 0.25, 0.75, 0.9), epsilon = 1)
found <- simulate_figure("tau-coverage", cells_of(design), settings, estimates, replicates = runs(2000, 1))
table <- by_cell(found, interval_summary)
names(table)[names(table) == "law"] <- "setting"
write_figure(table[c("setting", "n", "tau", "epsilon", "runs", "coverage", "width", "open", "ratio")],
             "tau-coverage")

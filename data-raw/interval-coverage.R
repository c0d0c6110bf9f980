# Coverage of private intervals of quantiles over simulated data: writes vignettes/interval-coverage.csv.
#
# Usage: make simulations FIGURE=interval-coverage, or Rscript data-raw/interval-coverage.R [runs]
# For a law with an interval of quantiles, the least coverage of its two ends counts.

source("data-raw/figures.R")

# r: n draws; q: quantiles of probability p, one or the two ends
laws <- list(
  normal = list(r = stats::rnorm, q = qnorm, lower = -100, upper = 100),
  cauchy = list(r = rcauchy, q = qcauchy, lower = -100, upper = 100),
  lognormal = list(r = rlnorm, q = qlnorm, lower = 0, upper = 100),
  uniform = list(r = runif, q = identity, lower = 0, upper = 1),
  exponential = list(r = rexp, q = qexp, lower = 0, upper = 50),
  "two atoms" = list(r = function(n) sample(c(-1, 1), n, TRUE), lower = -100, upper = 100,
                     q = function(p) if (p == 0.5) c(-1, 1) else if (p < 0.5) -1 else 1),
  clustered = list(r = function(n) ifelse(runif(n) < 0.5, runif(n, -1e-3, 0), runif(n, 50, 60)),
                   lower = -100, upper = 100,
                   q = function(p) {
                     if (p == 0.5) c(0, 50) else if (p < 0.5) 1e-3 * (2 * p - 1) else 50 + 20 * (p - 0.5)
                   }),
  integers = list(r = function(n) sample(0:20, n, TRUE), q = function(p) ceiling(21 * p) - 1, lower = 0,
                  upper = 20, resolution = 1)
)

limits <- function(x, law, n, epsilon, prob) {
  law <- laws[[law]]
  prior <- prior_uniform(law$lower, law$upper)
  plan <- inner("interval_plan")(n, prob, 0.95, epsilon, inner("interval_reach")(prior, law$resolution))
  inner("draw_interval")(matrix(as.double(x)), plan, prior, "R", law$resolution)[1, 1:2]
}

design <- expand.grid(prob = c(0.05, 0.5, 0.9), epsilon = c(0.2, 1, 4), n = c(50, 200, 1000),
                      law = names(laws), stringsAsFactors = FALSE)
design <- cells_of(design[design$n * design$epsilon > 40, ])
found <- simulate_figure("interval-coverage", design, lapply(laws, `[[`, "r"), limits,
                         replicates = runs(2000), seed = 20240)
table <- by_cell(found, function(v, cell) {
  q <- laws[[cell$law]]$q(cell$prob)
  covered <- vapply(q, function(theta) mean(v[, 1] <= theta & theta <= v[, 2]), 0)
  data.frame(runs = nrow(v), coverage = min(covered), infinite_lower = mean(v[, 1] == -Inf),
             infinite_upper = mean(v[, 2] == Inf), width = signif(median(v[, 2] - v[, 1]), 4))
})
write_figure(table[c("law", "n", "epsilon", "prob", "runs", "coverage", "infinite_lower", "infinite_upper",
                     "width")], "interval-coverage")

# Coverage of private intervals of quantiles over simulated data: writes vignettes/interval-coverage.csv.
#
# Usage: Rscript data-raw/interval-coverage.R [runs]
# For a law with an interval of quantiles, the least coverage of its two ends counts.

library(dpdepth)
draw <- getFromNamespace("draw_interval", "dpdepth")
plan <- getFromNamespace("interval_plan", "dpdepth")
runs <- c(as.integer(commandArgs(TRUE)), 2000L)[[1]]

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

cell <- function(law, n, epsilon, prob) {
  l <- laws[[law]]
  p <- plan(n, prob, 0.95, epsilon)
  prior <- prior_uniform(l$lower, l$upper)
  limits <- vapply(seq_len(runs), function(i) {
    draw(matrix(as.double(l$r(n))), p, prior, "R", l$resolution)[1, ]
  }, c(0, 0))
  covered <- vapply(l$q(prob), function(theta) mean(limits[1, ] <= theta & theta <= limits[2, ]), 0)
  width <- limits[2, ] - limits[1, ]
  data.frame(law = law, n = n, epsilon = epsilon, prob = prob, runs = runs, coverage = min(covered),
             infinite_lower = mean(limits[1, ] == -Inf), infinite_upper = mean(limits[2, ] == Inf),
             width = signif(median(width), 4))
}

set.seed(20240)
file <- file.path("vignettes", "interval-coverage.csv")
done <- NULL
for (law in names(laws)) for (n in c(50, 200, 1000)) for (epsilon in c(0.2, 1, 4)) {
  if (n * epsilon <= 40) next
  for (prob in c(0.05, 0.5, 0.9)) {
    done <- rbind(done, cell(law, n, epsilon, prob))
    write.csv(done, file, row.names = FALSE)
  }
}
print(done[order(done$coverage)[1:10], ])

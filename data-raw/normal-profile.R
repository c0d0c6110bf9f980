# How deep the regions of normal samples are: what normal_profile() (R/mech-failure.R) is fitted to.
#
# Usage: Rscript data-raw/normal-profile.R, with the package installed; about a minute. Prints, for d = 2 and
# some n, the level as a share of n, p = pnorm(-r) for the radius r of the disc that has the mean
# logarithm of the region's area, and c = (n p - level)/sqrt(n p (1 - p)). The formula takes c = 0.25 +
# p, above most of them (deeper regions are then a little smaller than in truth, and a plan is a little
# wary). It serves d = 3 as well, where a look at three sample sizes (not made here) found c from -0.1 to
# 0.8 and, for the deepest regions, 1.2.
# Nothing private: simulated data.
library(dpdepth)
set.seed(1)

slack_of <- function(n, runs) {
  areas <- replicate(runs, depth_region(matrix(rnorm(2 * n), n))$area, simplify = FALSE)
  deepest <- min(lengths(areas))
  size <- rowMeans(log(vapply(areas, function(a) a[seq_len(deepest)], numeric(deepest))))
  p <- stats::pnorm(-sqrt(exp(size) / pi))
  level <- seq_len(deepest)
  at <- unique(pmax(1, round(deepest * c(0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1))))
  data.frame(n = n, level = level[at] / n, p = p[at], c = ((n * p - level) / sqrt(n * p * (1 - p)))[at])
}

found <- do.call(rbind, Map(slack_of, c(60, 150, 400, 1000), c(200, 100, 50, 20)))
print(round(found, 3), row.names = FALSE)
cat("share of c at most 0.25 + p:", mean(found$c <= 0.25 + found$p), "\n")

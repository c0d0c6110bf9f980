# A published private interval of the median beside the one of this package: writes
# vignettes/published-interval.csv.
#
# Usage: Rscript data-raw/published-interval.R [runs]
#
# METHOD: Drechsler, Globus-Harris, McMillan, Sarathy and Smith (2022), the exponential mechanism for both
#   ends. The rows up to the population's median are m ~ Binomial(n, 1/2). An end is drawn at rank k, with
#   probability proportional to exp(-e |rank - k| / 2) on the rows spread by the granularity g, e = epsilon/2
#   each. k is the highest rank at which
#     sum_m P(m) min(1, (range - 2 g)/(2 g) exp(-rate |m - k|)) [m > k] + P(m <= k)
#   is at most alpha/2, and the mirrored one. As published (by the authors' code) rate = epsilon, where the
#   draw has epsilon/4; with that rate the interval covers. Both cost epsilon, if a replaced row moves a rank
#   by one.

library(dpdepth)
runs <- c(as.integer(commandArgs(TRUE)), 2000L)[[1]]
options(dpdepth.rng = "R")

# The rank of the lower end; that of the upper one is n minus it.
end_rank <- function(n, range, g, rate, alpha = 0.05) {
  m <- 0:n
  p <- stats::dbinom(m, n, 0.5)
  fails <- vapply(seq_len(n %/% 2), function(k) {
    sum(p * ifelse(m <= k, 1, pmin(1, (range - 2 * g) / (2 * g) * exp(-rate * (m - k)))))
  }, 0)
  max(1, which(fails <= alpha / 2))
}

# The exponential mechanism at rank k, rows up to it moved down by g and the others up.
draw_end <- function(sorted, k, lower, upper, g, e) {
  n <- length(sorted)
  z <- c(lower, sorted, upper)
  low <- seq_len(k + 1)
  z[low] <- pmax(lower, z[low] - g)
  z[-low] <- pmin(upper, z[-low] + g)
  weight <- log(diff(z)) - e / 2 * abs(0:n - k)
  i <- which.max(weight - log(-log(stats::runif(n + 1)))) # public-rng: a simulation
  stats::runif(1, z[[i]], z[[i + 1]]) # public-rng: a simulation
}

published <- function(x, k, epsilon, lower, upper, g) {
  sorted <- sort(pmin(upper, pmax(lower, x)))
  c(draw_end(sorted, k, lower, upper, g, epsilon / 2) - g,
    draw_end(sorted, length(x) - k, lower, upper, g, epsilon / 2) + g)
}

# Both have the median 0; of the second half of the rows lie within 0.01 below it, the rest anywhere up to
# 100.
laws <- list(
  normal = stats::rnorm,
  "half clustered" = function(n) {
    u <- stats::runif(n, -0.5, 0.5) # public-rng: simulated data
    ifelse(u < 0, 0.02 * u, 200 * u)
  }
)

cell <- function(law, n, epsilon, half, g) {
  k <- vapply(list(epsilon, epsilon / 4), function(rate) end_rank(n, 2 * half, g, rate), 0)
  found <- replicate(runs, {
    x <- laws[[law]](n)
    ours <- suppressWarnings(confint(dp_median(x, epsilon, lower = -half, upper = half, interval = 0.95)))
    rbind(ours[1, ], published(x, k[[1]], epsilon, -half, half, g),
          published(x, k[[2]], epsilon, -half, half, g))
  })
  covers <- apply(found[, 1, ] <= 0 & found[, 2, ] >= 0, 1, mean)
  width <- rowMeans(found[, 2, ] - found[, 1, ])
  data.frame(law = law, n = n, epsilon = epsilon, bounds = half, granularity = g, runs = runs,
             interval = c("dp_median()", "as published", "published, made valid"),
             coverage = covers, width = signif(width, 3))
}

set.seed(20243)
done <- NULL
for (law in names(laws)) for (n in c(200, 500, 1000)) {
  done <- rbind(done, cell(law, n, 1, 100, 0.01))
  write.csv(done, file.path("vignettes", "published-interval.csv"), row.names = FALSE)
}
print(done)

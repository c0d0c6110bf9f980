# A published private interval of the median beside the one of this package: writes
# vignettes/published-interval.csv.
#
# Usage: make simulations FIGURE=published-interval (half a minute of processor time)
#
# METHOD: Drechsler, Globus-Harris, McMillan, Sarathy and Smith (2022), the exponential mechanism for both
#   ends. The rows up to the population's median are m ~ Binomial(n, 1/2). An end is drawn at rank k, with
#   probability proportional to exp(-e |rank - k| / 2) on the rows spread by the granularity g, e = epsilon/2
#   each. k is the highest rank at which
#     sum_m P(m) min(1, (range - 2 g)/(2 g) exp(-rate |m - k|)) [m > k] + P(m <= k)
#   is at most alpha/2, and the mirrored one. As published (by the authors' code) rate = epsilon, where the
#   draw has epsilon/4; with that rate the interval covers. Both cost epsilon, if a replaced row moves a rank
#   by one.

source("data-raw/figures.R")

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

published <- function(x, n, rate) {
  k <- ranks[[paste(n, rate)]]
  sorted <- sort(pmin(half, pmax(-half, x)))
  c(draw_end(sorted, k, -half, half, granularity, epsilon / 2) - granularity,
    draw_end(sorted, n - k, -half, half, granularity, epsilon / 2) + granularity)
}

epsilon <- 1
half <- 100
granularity <- 0.01
sizes <- pick(c(200, 500, 1000), 200)
settings <- expand.grid(n = sizes, rate = c(epsilon, epsilon / 4))
ranks <- Map(function(n, rate) end_rank(n, 2 * half, granularity, rate), settings$n, settings$rate)
names(ranks) <- paste(settings$n, settings$rate)

# Both have the median 0; of the second half of the rows lie within 0.01 below it, the rest anywhere up to
# 100.
laws <- list(
  normal = stats::rnorm,
  "half clustered" = function(n) {
    u <- stats::runif(n, -0.5, 0.5) # public-rng: simulated data
    ifelse(u < 0, 0.02 * u, 200 * u)
  }
)

intervals <- list(
  "dp_median()" = function(x) {
    confint(dp_median(x, epsilon, lower = -half, upper = half, interval = 0.95))[1, ]
  },
  "as published" = function(x, n) published(x, n, epsilon),
  "published, made valid" = function(x, n) published(x, n, epsilon / 4)
)
measure <- list(coverage = function(estimate) estimate[[1]] <= 0 && estimate[[2]] >= 0,
                width = function(estimate) estimate[[2]] - estimate[[1]])

found <- simulate_figure("published-interval", list(n = sizes), laws, intervals, measure,
                         replicates = pick(1000, 2), seed = 20243)
s <- summary(found)
width <- s$mean[s$measure == "width"]
s <- s[s$measure == "coverage", ]
write_figure(data.frame(s[c("law", "n")], epsilon = epsilon, bounds = half, granularity = granularity,
                        runs = s$replicates, interval = s$estimate, coverage = s$coverage,
                        width = signif(width, 3)), "published-interval")

# Private intervals of medians: widths, errors and speed beside those without privacy. (Power of tests:
# data-raw/test-power.R.)
#
# Usage: Rscript bench/intervals.R; writes bench/intervals.md. About a minute. Simulated data only.
library(dpdepth)
source("bench/common.R")
options(dpdepth.rng = "R")
dpdepth_threads(1)
set.seed(1)
runs <- 300

# The sign interval without privacy: order statistics.
sign_interval <- function(x, level = 0.95) {
  k <- stats::qbinom((1 - level) / 2, length(x), 0.5)
  sort(x)[c(k, length(x) + 1 - k)]
}

width_row <- function(n, epsilon, target, half = 100) {
  found <- replicate(runs, {
    x <- stats::rnorm(n) # public-rng: simulated data
    r <- dp_median(x, epsilon, lower = -half, upper = half, interval = 0.95)
    limits <- confint(r)
    plain <- sign_interval(x)
    c(diff(limits[1, ]), limits[[1]] > 0 || limits[[2]] < 0, diff(plain), coef(r),
      coef(dp_median(x, epsilon, lower = -half, upper = half)), stats::median(x))
  })
  rms <- sqrt(rowMeans(found[4:6, ]^2))
  sprintf("| %s | %s | %s | %.3f | %s | %.3f | %.3f | %.3f | %.3f | %.3f |", format(n, big.mark = ","),
          epsilon, format(half), stats::median(found[1, ]), target, stats::median(found[3, ]),
          mean(found[2, ]), rms[[1]], rms[[2]], rms[[3]])
}
halves <- c(50, 1e4, 1e7)
aims <- list(list(200, 1, ".75"), list(500, 1, ".29"), list(1000, 1, ""), list(5000, 1, ".076"))
cases <- c(unlist(lapply(aims, function(aim) lapply(halves, function(half) c(aim, half))), recursive = FALSE),
           list(list(1000, 0.2, ""), list(5000, 0.2, ""), list(100, 4, ""), list(500, 4, ""),
                list(1000, 4, "")))
widths <- vapply(cases, function(case) do.call(width_row, case), "")

speed_row <- function(n) {
  x <- stats::rnorm(n) # public-rng: simulated data
  ours <- system.time(dp_median(x, 1, lower = -100, upper = 100, interval = 0.95), gcFirst = TRUE)
  plain <- system.time(stats::median(x), gcFirst = TRUE)
  sprintf("| %s | %.3f | %.3f |", format(n, big.mark = ",", scientific = FALSE), sum(ours[1:2]),
          sum(plain[1:2]))
}
speed <- vapply(c(1e3, 1e5, 1e6, 1e7), speed_row, "")

write_page("intervals", c(
  "# Private intervals of medians", "", ran_on("one thread"),
  sprintf("Made by `bench/intervals.R`; %d runs a row.", runs), "",
  "## Widths and errors", "",
  "Median widths of 95% intervals of the median, N(0, 1), by half the width of the bounds:",
  "`dp_median(interval = 0.95)`;",
  "what was aimed at; the sign interval of order statistics without privacy. Share of private intervals that",
  "miss. Root mean squared errors: of the estimate that comes with the interval, of `dp_median()` without",
  "interval at the same epsilon, and of the sample median.", "",
  "| n | epsilon | bounds | width | aim | not private | misses | error | without interval | sample median |",
  "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|", widths, "",
  "## Seconds of processor time", "", "| n | with an interval | R's median() |", "|---:|---:|---:|", speed
))

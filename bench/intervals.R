# Private intervals of medians and sign tests: widths, errors, power and speed beside those without privacy.
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

width_row <- function(n, epsilon, target) {
  found <- replicate(runs, {
    x <- stats::rnorm(n) # public-rng: simulated data
    r <- dp_median(x, epsilon, lower = -100, upper = 100, interval = 0.95)
    limits <- confint(r)
    plain <- sign_interval(x)
    c(diff(limits[1, ]), limits[[1]] > 0 || limits[[2]] < 0, diff(plain), coef(r),
      coef(dp_median(x, epsilon, lower = -100, upper = 100)), stats::median(x))
  })
  rms <- sqrt(rowMeans(found[4:6, ]^2))
  sprintf("| %s | %s | %.3f | %s | %.3f | %.3f | %.3f | %.3f | %.3f |", format(n, big.mark = ","), epsilon,
          mean(found[1, ]), target, mean(found[3, ]), mean(found[2, ]), rms[[1]], rms[[2]], rms[[3]])
}
cases <- list(list(200, 1, ".51"), list(500, 1, ".28"), list(1000, 1, ".18"), list(5000, 1, ".076"),
              list(1000, 0.2, ".40"), list(5000, 0.2, ""), list(100, 4, ""), list(500, 4, ""),
              list(1000, 4, ""))
widths <- vapply(cases, function(case) do.call(width_row, case), "")

# Power at the level 0.05; the tests without privacy: binomial, and Mood's of the common median.
power_row <- function(kind, n, epsilon, shift) {
  half <- n / 2
  p <- replicate(runs, {
    x <- stats::rnorm(n) # public-rng: simulated data
    group <- rep(0:1, each = half)
    if (kind == "one sample") {
      c(dp_test(x + shift, epsilon)$p.value, stats::binom.test(sum(x + shift > 0), n)$p.value)
    } else {
      y <- x + shift * group
      ours <- if (kind == "two samples") dp_test(y[group == 0], epsilon, y = y[group == 1])
              else dp_test(y ~ group, epsilon, data = data.frame(y, group))
      c(ours$p.value, stats::fisher.test(group, y > stats::median(y))$p.value)
    }
  })
  power <- rowMeans(p <= 0.05)
  sprintf("| %s | %d | %s | %s | %.3f | %.3f |", kind, n, epsilon, shift, power[[1]], power[[2]])
}
settings <- expand.grid(n = c(100, 400), epsilon = c(0.5, 2), shift = c(0, 0.3),
                        kind = c("one sample", "two samples", "trend"), stringsAsFactors = FALSE)
power <- with(settings, mapply(power_row, kind, n, epsilon, shift))

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
  "Mean widths of 95% intervals of the median, N(0, 1), bounds -100 and 100: `dp_median(interval = 0.95)`;",
  "what was aimed at; the sign interval of order statistics without privacy. Share of private intervals that",
  "miss. Root mean squared errors: of the estimate that comes with the interval, of `dp_median()` without",
  "interval at the same epsilon, and of the sample median.", "",
  "| n | epsilon | width | aim | not private | misses | error | without interval | sample median |",
  "|---:|---:|---:|---:|---:|---:|---:|---:|---:|", widths, "",
  "## Power of sign tests at the level 0.05", "",
  "Normal data, shifted in the whole (one sample) or in one half (the others). Without privacy: the binomial",
  "test and Fisher's test of the halves beside the common median.", "",
  "| test | n | epsilon | shift | private | not private |", "|:---|---:|---:|---:|---:|---:|", power, "",
  "## Seconds of processor time", "", "| n | with an interval | R's median() |", "|---:|---:|---:|", speed
))

# The restricted exponential mechanism: speed, how often its test passes, and errors.
#
# Usage: Rscript bench/restricted.R; writes bench/restricted.md. Some minutes. Simulated data only.
library(dpdepth)
source("bench/common.R")
old <- options(dpdepth.rng = "R")
set.seed(1)
delta <- 1e-6

laws <- list(
  "normal" = function(n, d) matrix(stats::rnorm(n * d), n),
  "a quarter at 5" = function(n, d) matrix(stats::rnorm(n * d), n) + 5 * (seq_len(n) <= n / 4),
  "Cauchy" = function(n, d) matrix(stats::rnorm(n * d), n) / abs(stats::rnorm(n)),
  "exponential" = function(n, d) matrix(stats::rexp(n * d), n)
)

# Seconds of processor time, one thread, median of `runs`.
seconds <- function(n, d, epsilon, runs = 5) {
  dpdepth_threads(1)
  on.exit(dpdepth_threads(2))
  times <- replicate(runs, {
    x <- laws$normal(n, d)
    sum(system.time(dp_median_restricted(x, epsilon, delta), gcFirst = TRUE)[1:2])
  })
  stats::median(times)
}

# Published code, exact depth, on two cores of a machine of this kind.
speed <- data.frame(d = c(2, 2, 3, 3), n = c(500, 1000, 200, 300), published = c(5.4, 39.6, 130, 493))
speed <- rbind(speed, data.frame(d = c(1, 1, 2, 3), n = c(1000, 1e6, 3000, 1000), published = NA))
speed$seconds <- mapply(seconds, speed$n, speed$d, 2)

sizes <- format(speed$n, big.mark = ",", trim = TRUE, scientific = FALSE)
speed_rows <- sprintf("| %d | %s | %.3f | %s | %s |", speed$d, sizes, speed$seconds,
                      ifelse(is.na(speed$published), "", speed$published),
                      ifelse(is.na(speed$published), "", sprintf("%.0f", speed$published / speed$seconds)))

# Root mean squared error a coordinate.
rms <- function(estimates) sqrt(mean(estimates^2, na.rm = TRUE))

accuracy <- function(d, n, epsilon, law, runs) {
  plan <- dpdepth:::restricted_plan(n, d, epsilon, delta)
  box <- prior_uniform(-10, 10)
  found <- replicate(runs, {
    x <- laws[[law]](n, d)
    c(coef(dp_median_restricted(x, epsilon, delta)),
      if (law == "normal") coef(dp_median_exponential(x, epsilon, prior = box)) else rep(NA, d),
      median_tukey(x))
  })
  part <- function(k) found[(k - 1) * d + seq_len(d), , drop = FALSE]
  ours <- part(1)
  error <- function(e) if (law == "exponential" || all(is.na(e))) "" else sprintf("%.3f", rms(e))
  sprintf("| %d | %d | %s | %s | %d, %.2f | %.1f | %.1f | %s | %s | %s |", d, n, epsilon, law, plan$level,
          plan$share, 100 * plan$pass, 100 * mean(!is.na(ours[1, ])), error(ours), error(part(2)),
          error(part(3)))
}

cases <- list(
  list(1, 300, 1.5, "normal", 100), list(1, 500, 1, "normal", 100), list(1, 500, 1, "Cauchy", 100),
  list(2, 200, 2, "normal", 100), list(2, 300, 2, "normal", 200), list(2, 500, 1, "normal", 200),
  list(2, 1000, 0.5, "normal", 40), list(2, 1000, 1, "normal", 40),
  list(2, 500, 1, "a quarter at 5", 100), list(2, 500, 1, "Cauchy", 100), list(2, 500, 1, "exponential", 100),
  list(2, 300, 2, "a quarter at 5", 100), list(2, 300, 2, "Cauchy", 100), list(2, 300, 2, "exponential", 100),
  list(3, 200, 2, "normal", 15), list(3, 300, 2, "normal", 15), list(3, 300, 2, "Cauchy", 15)
)
accuracy_rows <- vapply(cases, function(case) do.call(accuracy, case), "")

lines <- c(
  "# The restricted exponential mechanism", "",
  ran_on(sprintf("%d cores", parallel::detectCores())),
  "Made by `bench/restricted.R`. delta = 1e-6 everywhere.", "",
  "## Speed", "",
  "The whole release of standard normal data at epsilon = 2: seconds of processor time on one thread,",
  "medians of 5 runs. Published: the code of the restricted mechanism with exact depth, as measured on two",
  "cores of such a machine when this work was planned (not in this run). With three variables ours is over",
  "500 directions.", "",
  "| d | n | seconds | published | times faster |", "|---:|---:|---:|---:|---:|", speed_rows, "",
  "## Passing and errors", "",
  "Default level and share of epsilon for the test; pass rates in percent as planned for normal data and",
  "as observed; root mean squared errors a coordinate, of runs that passed. BoxEM: the exponential mechanism",
  "on a box from -10 to 10 with all of epsilon (`dp_median_exponential()`), on the same data. Tukey: without",
  "privacy. 100 runs a row; 200 for d = 2 and normal with n = 300 and 500, 40 with n = 1000; 15 for d = 3.",
  "",
  "| d | n | epsilon | law | level, share | planned | passed | error | BoxEM | Tukey |",
  "|---:|---:|---:|---|---|---:|---:|---:|---:|---:|", accuracy_rows
)
write_page("restricted", lines)
options(old)

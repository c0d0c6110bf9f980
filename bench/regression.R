# The private deepest regression: seconds and peak memory by the number of rows, without privacy and with.
#
# Usage: Rscript bench/regression.R; writes bench/regression.md. About a minute. Each row runs in a process of
# its own, on one thread, so that its peak memory is its own and seconds are those of one core.

source("bench/common.R")
sizes <- c(500, 1000, 2000, 5000)
goals <- c("0.05", "", "", "10")

# Processor seconds (user), medians of five: the smooth bound (which finds the estimate as well), the release
# with constants that are known, the non-private fit; then the peak in MB.
measure <- function(n) {
  code <- sprintf(
    paste(
      "options(dpdepth.threads = 1L); set.seed(1); d <- data.frame(x = rnorm(%d)); d$y <- d$x + rnorm(%d);",
      "library(dpdepth); seconds <- function(f) median(replicate(5, system.time(f(), gcFirst = TRUE)[[1]]));",
      "bound <- seconds(function() sens_deepest(d$x, d$y, -50, 50, 0.1));",
      "release <- seconds(function() dp_regression(y ~ x, d, 4, 1e-6, lower = -50, upper = 50));",
      "fit <- seconds(function() regress_deepest(y ~ x, d));",
      "cat(bound, release, fit, peak_mb())"
    ),
    n, n
  )
  as.numeric(in_fresh_r(code))
}

table <- mapply(function(n, goal) {
  got <- measure(n)
  sprintf("| %s | %.3f | %s | %.3f | %.3f | %.0f |", format(n, big.mark = ","), got[[1]], goal, got[[2]],
          got[[3]], got[[4]])
}, sizes, goals)
lines <- c(
  "# The private deepest regression", "",
  ran_on("one thread"),
  "Standard normal regressor and errors. Processor seconds, medians of 5 runs. *Bound*: the exact smooth",
  "sensitivity at every depth, over all n(n - 1)/2 lines. *Release*: dp_regression() with everything, after",
  "the constants of this epsilon and delta were chosen once. *Fit*: regress_deepest(), without privacy.",
  "The peak memory is that of the whole R process. Made by `bench/regression.R`.", "",
  "| n | bound | goal | release | fit | peak MB |", "|---:|---:|---:|---:|---:|---:|", table
)
write_page("regression", lines)

# Medians by smooth sensitivity: seconds of dp_median_smooth() and sens_tukey() by size.
#
# Usage: Rscript bench/smooth.R; writes bench/smooth.md. About a minute. Seconds are of processor time on one
# thread, so that other load matters less.

library(dpdepth)
source("bench/common.R")
dpdepth_threads(1)

normal <- function(n, d) {
  set.seed(1)
  matrix(stats::rnorm(n * d), n)
}

seconds <- function(run, times = 5) {
  stats::median(replicate(times, sum(system.time(run(), gcFirst = TRUE)[1:2])))
}

release <- function(x, method, epsilon = 1) {
  function() dp_median_smooth(x, epsilon, 1e-6, -10, 10, region = method)
}

goals <- rbind(
  data.frame(task = "n = 100,000, d = 5, directional", n = 1e5, d = 5, method = "directional", goal = 1),
  data.frame(task = "n = 2000, d = 2, exact", n = 2000, d = 2, method = "exact", goal = 2),
  data.frame(task = "n = 100,000, d = 2, directional", n = 1e5, d = 2, method = "directional", goal = NA),
  data.frame(task = "n = 100,000, d = 5, marginal", n = 1e5, d = 5, method = "marginal", goal = NA),
  data.frame(task = "n = 1,000,000, d = 1", n = 1e6, d = 1, method = "auto", goal = NA)
)
shown <- vapply(seq_len(nrow(goals)), function(i) {
  g <- goals[i, ]
  s <- seconds(release(normal(g$n, g$d), g$method))
  sprintf("| %s | %.2f | %s |", g$task, s, if (is.na(g$goal)) "" else g$goal)
}, "")

# Seconds over sizes and the power of the size in the last step.
curve <- function(task, stated, sizes, run, times = 3) {
  s <- vapply(sizes, function(n) seconds(run(n), times), 0)
  last <- length(sizes) - 0:1
  power <- diff(log(rev(s[last]))) / diff(log(rev(sizes[last])))
  sprintf("| %s | %s | %s | %.1f | %s |", task, toString(format(sizes, big.mark = ",", trim = TRUE)),
          toString(signif(s, 2)), power, stated)
}
calculator <- function(n) {
  x <- normal(n, 2)
  function() sens_tukey(x, -10, 10, 0.04)
}
curves <- c(
  curve("d = 2, exact, by n", "n^2 log n", c(500, 1000, 2000, 4000),
        function(n) release(normal(n, 2), "exact")),
  curve("d = 2, directional, by n", "n log n", c(1e4, 1e5, 1e6),
        function(n) release(normal(n, 2), "directional")),
  curve("n = 10,000, directional, by d", "d^2", c(5, 10, 20),
        function(d) release(normal(1e4, d), "directional")),
  curve("d = 5, marginal, by n", "n log n", c(1e4, 1e5, 1e6), function(n) release(normal(n, 5), "marginal")),
  curve("d = 1, by n", "n log n", c(1e5, 1e6, 4e6), function(n) release(normal(n, 1), "auto")),
  curve("sens_tukey(), exact, by n", "n^2 log n", c(500, 1000, 2000), calculator)
)

lines <- c(
  "# Medians by smooth sensitivity", "",
  ran_on(sprintf("%d cores, one thread", parallel::detectCores())),
  "Standard normal data, epsilon = 1, delta = 1e-6, bounds -10 and 10. Medians of 5 runs (3 for the curves),",
  "in seconds of processor time. Made by `bench/smooth.R`.", "",
  "| task | seconds | goal |", "|---|---:|---:|", shown, "",
  "## Growth", "", "Seconds over sizes, the power of the size in the last step, and the stated cost.", "",
  "| task | sizes | seconds | power | stated |", "|---|---|---|---:|---|", curves
)
write_page("smooth", lines)

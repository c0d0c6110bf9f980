# The private median, end to end: seconds and peak memory of dp_median() by size.
#
# Usage: Rscript bench/median.R; writes bench/median.md. About a minute. Each row runs in a process of
# its own, so that its peak memory is its own.

source("bench/common.R")
rows <- list(
  list(task = "d = 1, n = 1,000,000, exact depth", n = 1e6, d = 1, directions = "NULL", goal = 1),
  list(task = "d = 2, n = 100,000, exact depth", n = 1e5, d = 2, directions = "NULL", goal = 2),
  list(task = "d = 2, n = 100,000, 1000 directions", n = 1e5, d = 2, directions = "1000", goal = 2),
  list(task = "d = 3, n = 100,000, 1000 directions", n = 1e5, d = 3, directions = "1000", goal = 5),
  list(task = "d = 3, n = 1,000,000, 1000 directions", n = 1e6, d = 3, directions = "1000", goal = 2),
  list(task = "d = 5, n = 10,000, 1000 directions", n = 1e4, d = 5, directions = "1000", goal = NA,
       sampler = "exact"),
  list(task = "d = 7, n = 10,000, 1000 directions", n = 1e4, d = 7, directions = "1000", goal = NA,
       sampler = "exact"),
  list(task = "d = 10, n = 10,000, 1000 directions", n = 1e4, d = 10, directions = "1000", goal = 5,
       fun = "rival_median")
)

# Runs a row in a fresh R; the last line it prints is the medians of five times, by the clock and of all
# processors together, and the peak in MB.
measure <- function(row) {
  code <- sprintf(
    paste(
      "set.seed(1); x <- matrix(rnorm(%d), ncol = %d);",
      "run <- function() dpdepth::%s(x, 1, lower = -10, upper = 10, directions = %s%s);",
      "times <- replicate(5, { t <- system.time(run(), gcFirst = TRUE); c(t[[3]], t[[1]] + t[[2]]) });",
      "cat(apply(times, 1, median), peak_mb(), run()$exact)"
    ),
    as.integer(row$n * row$d), row$d, if (is.null(row$fun)) "dp_median" else row$fun, row$directions,
    if (is.null(row$sampler)) "" else sprintf(", sampler = '%s'", row$sampler)
  )
  in_fresh_r(code)
}

table <- vapply(rows, function(row) {
  got <- measure(row)
  sprintf("| %s | %.2f | %.2f | %s | %.0f | %s |", row$task, as.numeric(got[[1]]), as.numeric(got[[2]]),
          if (is.na(row$goal)) "" else row$goal, as.numeric(got[[3]]),
          if (got[[4]] == "TRUE") "exact" else "Markov chain")
}, "")
lines <- c(
  "# The private median", "",
  ran_on(sprintf("%d cores, %d threads; load %s", parallel::detectCores(), dpdepth::dpdepth_threads(),
                 machine_load())),
  "Standard normal data, epsilon = 1, uniform prior on -10..10. Medians of 5 runs; the peak memory is",
  "that of the whole R process, data included. On a machine that is shared (a load above 2) seconds by the",
  "clock tell little, those of processors what an idle one would take on one thread. Made by",
  "`bench/median.R`.", "",
  "| task | seconds | of processors | goal | peak MB | draw |", "|---|---:|---:|---:|---:|---|", table
)
write_page("median", lines)

# The private projection median, end to end: seconds and peak memory of dp_median_projection().
#
# Usage: Rscript bench/projection-median.R; writes bench/projection-median.md. About two minutes. Each
# row runs in a process of its own, so that its peak memory is its own.

source("bench/common.R")
rows <- list(
  list(d = 2, count = 500, sampler = "exact", goal = 0.5, published = 34),
  list(d = 10, count = 500, sampler = "exact", goal = 1, published = 38),
  list(d = 20, count = 1000, sampler = "mcmc", goal = 3, published = 77),
  list(d = 20, count = 1000, sampler = "exact", goal = NA, published = 77)
)
runs <- 7

# Runs a row in a fresh R. The last line printed: elapsed and CPU seconds of a release, of its draw alone,
# the peak in MB before and after.
measure <- function(row) {
  code <- sprintf("d <- %d; count <- %d; sampler <- '%s'; runs <- %d", row$d, row$count, row$sampler, runs)
  code <- c(code, deparse(quote({
    library(dpdepth)
    dpdepth_threads(2)
    set.seed(1)
    n <- 50000
    x <- matrix(rnorm(n * d), n)
    before <- peak_mb()
    run <- function() {
      if (sampler == "exact") dp_median_projection(x, 2, 10 / n, directions = count, try_anyway = TRUE)
      else rival_median(x, 2, 10 / n, depth = "projection", directions = count, try_anyway = TRUE)
    }
    time <- replicate(runs, {
      t <- system.time(run(), gcFirst = TRUE)
      c(t[[3]], t[[1]] + t[[2]])
    })
    after <- peak_mb()
    ns <- asNamespace("dpdepth")
    u <- directions(d, count)
    center <- apply(u, 1, function(v) median(x %*% v))
    spread <- apply(u, 1, function(v) mad(x %*% v, constant = 1))
    rate <- run()$details$rate
    size <- ns$chain_size(4L, NULL, d)
    alone <- replicate(runs, {
      system.time(ns$draw_projections(1L, u, center, spread, rate, sampler, "system", size = size))[[3]]
    })
    cat(median(time[1, ]), median(time[2, ]), median(alone), before, after)
  })))
  as.numeric(in_fresh_r(code))
}

found <- lapply(rows, measure)
# what a shared machine takes by the clock says nothing
clock <- function(v, form) if (as.numeric(machine_load()) > 2) "" else sprintf(form, v)
table <- mapply(function(row, m) {
  sprintf("| d = %d, %d directions, %s | %s | %s | %.2f | %s | %d | %.0f | %.0f |", row$d, row$count,
          if (row$sampler == "exact") "exact" else "Markov chain", clock(m[[1]], "%.2f"),
          if (is.na(row$goal)) "" else format(row$goal), m[[2]], clock(m[[3]], "%.3f"), row$published,
          m[[5]] - m[[4]], 50000 * row$count * 8 / 2^20)
}, rows, found)

write_page("projection-median", c(
  "# The private projection median", "",
  ran_on("two threads"),
  "Standard normal data, n = 50,000, epsilon = 2, delta = 10/n. Medians of 7 runs. *Seconds* are those of",
  "the whole release: locations, scales and the safety margin, the test, the draw; *draw* is the draw alone.",
  "*Published*: the authors' notebooks on a slice of an H100 GPU. *Memory* is what the R process grew by at",
  sprintf("its peak, against a matrix of all projections. Load at the end: %s (above 2: seconds by the",
          machine_load()),
  "clock are left out; CPU seconds are shared by two threads). Made by `bench/projection-median.R`.", "",
  "| task | seconds | goal | CPU seconds | draw | published | memory, MB | n x N, MB |",
  "|---|---:|---:|---:|---:|---:|---:|---:|", table
))

# Private Medsweep regression: seconds of the whole sweep and of the smooth sensitivity of one slope, by size.
#
# Usage: Rscript bench/medsweep.R; writes bench/medsweep.md. About ten seconds. Times are of one core (user
# time, medians), so that other work on the machine disturbs them little.

source("bench/common.R")
set.seed(1)
seconds <- function(f, times) {
  stats::median(replicate(times, system.time(f(), gcFirst = TRUE)[["user.self"]]))
}

# Repeated within one measurement where one run is too short for the clock.
timed <- function(f) {
  once <- system.time(f())[["user.self"]]
  inner <- max(1, ceiling(0.2 / max(once, 0.001)))
  seconds(function() for (i in seq_len(inner)) f(), 5) / inner
}

linear <- function(n, p) {
  x <- matrix(rnorm(n * p), n)
  list(x = x, y = drop(1 + 2 * rowSums(x)) + rnorm(n))
}

measure <- function(n, p, goal) {
  d <- linear(n, p)
  bounds <- list(lower = rep(-50, p + 1), upper = rep(50, p + 1))
  plan <- function() dpdepth:::medsweep_plan(p, bounds, 4, 1e-6)
  fit <- function() dpdepth:::run_medsweep(d$x, d$y, plan(), "system")
  data.frame(
    n = n, p = p, steps = plan()$details$releases, fit = timed(fit), plan = timed(plan),
    slope = timed(function() dpdepth::sens_medsweep(d$y, d$x[, 1], -50, 50, 0.05)), goal = goal
  )
}

rows <- list(c(500, 1), c(500, 3), c(2000, 1), c(2000, 3), c(10000, 1), c(10000, 3))
goal <- function(r) if (all(r == c(500, 1))) "0.05" else ""
table <- do.call(rbind, lapply(rows, function(r) measure(r[[1]], r[[2]], goal(r))))
lines <- c(
  "# Private Medsweep regression", "",
  ran_on("one core"),
  "Standard normal regressors and errors, epsilon = 4, delta = 1e-6, bounds -50..50, one round. User time in",
  "seconds, medians of 5 runs. *fit*: the whole release; *constants*: what of it is public, the certified",
  "constants of the noise; *profile*: `sens_medsweep()` of one slope, every level, on a finer grid.",
  "Made by `bench/medsweep.R`.", "",
  "| n | regressors | releases | fit | goal | constants | profile |", "|---:|---:|---:|---:|---:|---:|---:|",
  sprintf("| %d | %d | %d | %.3f | %s | %.3f | %.3f |", as.integer(table$n), as.integer(table$p), table$steps,
          table$fit, table$goal, table$plan, table$slope)
)
write_page("medsweep", lines)

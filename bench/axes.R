# Depth along the axes: seconds and memory of a release by size, and its error beside that of its rivals.
#
# Usage: Rscript bench/axes.R; writes bench/axes.md. About three minutes on an idle machine. Each row of times
# runs in a process of its own, so that its peak memory is its own.

source("bench/common.R")
library(dpdepth)
ns <- asNamespace("dpdepth")
dpdepth_threads(1)

# -- times ---------------------------------------------------------------------------------------------

sizes <- list(
  list(d = 1, n = 1e6, goal = NA), list(d = 1, n = 1e7, goal = NA), list(d = 20, n = 1e4, goal = NA),
  list(d = 20, n = 1e5, goal = NA), list(d = 100, n = 1e4, goal = 1), list(d = 1000, n = 1e4, goal = NA)
)

measure <- function(row, prior) {
  code <- sprintf(
    paste(
      "set.seed(1); library(dpdepth); x <- matrix(rnorm(%d), ncol = %d);",
      "run <- function() dp_median_exponential(x, 1, prior = %s, directions = 'axes');",
      "before <- peak_mb(); time <- replicate(5, sum(system.time(run(), gcFirst = TRUE)[1:2]));",
      "cat(median(time), peak_mb() - before)"
    ),
    as.integer(row$n * row$d), as.integer(row$d), prior
  )
  as.numeric(in_fresh_r(code))
}

times <- vapply(sizes, function(row) {
  uniform <- measure(row, "prior_uniform(-50, 50)")
  normal <- measure(row, "prior_normal(0, 10)")
  sprintf("| %d | %s | %.2f | %.2f | %s | %.0f |", row$d, format(row$n, big.mark = ",", scientific = FALSE),
          uniform[[1]], normal[[1]], if (is.na(row$goal)) "" else row$goal, uniform[[2]])
}, "")

# -- errors --------------------------------------------------------------------------------------------

settings <- list(
  list(d = 2, n = 1000, runs = 300), list(d = 5, n = 1000, runs = 100), list(d = 7, n = 1000, runs = 30),
  list(d = 10, n = 1e4, runs = 100), list(d = 20, n = 1e4, runs = 100), list(d = 50, n = 1e4, runs = 20),
  list(d = 100, n = 1e4, runs = 10)
)
box <- 50

box_prior <- function(d) prior_uniform(rep(-box, d), rep(box, d))

# One release each of the rivals, as points, for standard normal rows.
draw_rivals <- function(x, with_halfspace) {
  n <- nrow(x)
  d <- ncol(x)
  z <- cbind(
    sample = apply(x, 2, function(v) sort(v)[[(n + 1) %/% 2]]),
    axes = ns$draw_axes(x, box_prior(d), 1, "R")[1, ],
    composed = apply(x, 2, function(v) ns$draw_axes(matrix(v), box_prior(1), 1 / d, "R"))
  )
  if (!with_halfspace) return(cbind(z, halfspace = NA))
  cbind(z, halfspace = coef(dp_median_exponential(x, 1, prior = box_prior(d), rng = "R", sampler = "exact")))
}

# Root mean squared errors a coordinate: of privacy alone (from the sample's median), and total.
errors_of <- function(row) {
  runs <- row$runs
  set.seed(row$d)
  drawn <- replicate(runs, draw_rivals(matrix(stats::rnorm(row$n * row$d), row$n), row$d <= 7))
  drawn <- array(drawn, c(row$d, 4, runs))
  root <- function(z) sqrt(apply(z^2, 2, mean))
  apart <- sweep(drawn, c(1, 3), drawn[, 1, ])
  list(privacy = root(apart), total = root(drawn))
}

errors <- vapply(settings, function(row) {
  e <- errors_of(row)
  theory <- 2 / (row$n * stats::dnorm(0)) * sqrt((row$d + 1) * (row$d + 2) / 3)
  cell <- function(v) if (is.na(v)) "" else sprintf("%.4f", v)
  sprintf("| %d | %s | %d | %.4f | %.4f | %.4f | %.2f | %s | %.4f | %.4f | %.4f | %s |", row$d,
          format(row$n, big.mark = ","), as.integer(row$runs), theory, e$privacy[[2]], e$privacy[[3]],
          e$privacy[[3]] / e$privacy[[2]], cell(e$privacy[[4]]), e$total[[1]], e$total[[2]], e$total[[3]],
          cell(e$total[[4]]))
}, "")

lines <- c(
  "# Depth along the axes", "",
  ran_on(sprintf("%d cores, one thread; load %s", parallel::detectCores(), machine_load())),
  "Standard normal data, epsilon = 1, `dp_median_exponential(directions = \"axes\")`. Made by",
  "`bench/axes.R`.",
  "", "## Seconds a release", "",
  "Processor time, medians of 5 runs, uniform prior on -50..50 and normal prior with standard deviation 10;",
  "MB are what releases add to the peak memory of a process that holds the data.", "",
  "| d | n | uniform | normal | goal | MB |", "|---:|---:|---:|---:|---:|---:|", times, "",
  "## Errors", "",
  "Root mean squared errors a coordinate, bounds -50..50. Privacy: the distance from the sample's median,",
  "with (2 / (epsilon n f)) sqrt((d + 1)(d + 2) / 3) as theory for the axes, f = 0.399 the density there.",
  "Composed: d medians of one variable, each exact, pure, at epsilon / d. Halfspace: the exact draw, for up",
  "to seven variables; its own centre in the sample is another.",
  "Total: the distance from the population's median, the sample's own error included.",
  "A release a sample.", "",
  paste("| d | n | samples | theory | axes | composed | composed / axes | halfspace |",
        "total: sample | axes | composed | halfspace |"),
  "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|", errors
)
write_page("axes", lines)

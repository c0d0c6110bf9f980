# Private medians over other depths, and private depths of points: seconds and proposals of a draw.
#
# Usage: Rscript bench/depth-medians.R; writes bench/depth-medians.md. About two minutes on an idle machine.

source("bench/common.R")
library(dpdepth)
ns <- asNamespace("dpdepth")
dpdepth_threads(1)

rows_of <- function(n, d, law = "normal") {
  set.seed(1)
  x <- matrix(stats::rnorm(n * d), n)
  if (law == "correlated") x %*% (0.3 * diag(d) + 0.7) else x
}

box_prior <- function(d) prior_uniform(rep(-50, d), rep(50, d))

# Seconds of processor time a call, and proposals and boxes of a draw, medians of `draws`.
one_draw <- function(row) {
  x <- rows_of(row$n, row$d, row$law)
  plan <- ns$depth_plan(row$n, row$d, box_prior(row$d), row$depth, row$directions, NULL, NULL,
                        ns$variable_names(x))
  draw <- function() {
    time <- sum(system.time(out <- .Call(
      ns$ffi_depth_median, "system", x, ns$prior_fields(plan$prior), row$epsilon,
      match(row$depth, names(ns$median_depths)), plan$directions, plan$smooth, FALSE, 1L
    ), gcFirst = TRUE)[1:2])
    c(time, out$counts)
  }
  apply(replicate(5, draw()), 1, stats::median)
}

draw_row <- function(row, goal = "") {
  found <- one_draw(row)
  sprintf("| %s | %d | %s | %s | %s | %s | %.2f | %s | %.0f | %.0f |", row$depth, row$d,
          format(row$n, big.mark = ","), if (is.null(row$directions)) "" else row$directions, row$law,
          format(row$epsilon), found[[1]], goal, found[[2]], found[[4]])
}

case <- function(depth, d, n, directions = NULL, epsilon = 1, law = "normal") {
  list(depth = depth, d = d, n = n, directions = directions, epsilon = epsilon, law = law)
}

goals <- c(
  draw_row(case("idd", 3, 10000, 1000), 2), draw_row(case("irw", 3, 10000, 1000), 2),
  draw_row(case("idd", 3, 10000, 1000, law = "correlated"), 2),
  draw_row(case("irw", 3, 10000, 1000, law = "correlated"), 2),
  draw_row(case("idd_smooth", 3, 10000, 1000)),
  draw_row(case("simplicial", 2, 1000), 2), draw_row(case("simplicial", 2, 1000, law = "correlated"), 2),
  draw_row(case("spatial", 2, 10000), 5), draw_row(case("spatial", 2, 10000, law = "correlated"), 5),
  draw_row(case("spatial_modified", 2, 10000)), draw_row(case("spatial", 4, 1000))
)

# How the tree of boxes grows with the variables.
growth <- unlist(lapply(2:6, function(d) {
  vapply(c("idd", "irw", "idd_smooth"), function(depth) draw_row(case(depth, d, 10000, 300)), "")
}))

# A release by chains of the default number and length.
chain_row <- function(depth, d, n, directions = NULL, goal = "") {
  x <- rows_of(n, d)
  time <- sum(system.time(
    r <- rival_median(x, 10, prior = box_prior(d), depth = depth, directions = directions), gcFirst = TRUE
  )[1:2])
  sprintf("| %s | %d | %s | %s | %s | %.1f | %s |", depth, d, format(n, big.mark = ","),
          if (is.null(directions)) "" else directions, r$details$chain, time, goal)
}

chains <- c(
  chain_row("idd_smooth", 100, 10000, 1000, 5), chain_row("idd_smooth", 20, 10000, 1000),
  chain_row("idd", 100, 10000, 1000), chain_row("irw", 20, 10000, 1000), chain_row("spatial", 20, 1000),
  suppressWarnings(chain_row("simplicial", 3, 200)) # noise as wide as the limits
)

depth_row <- function(depth, d, n, points, directions = NULL) {
  x <- rows_of(n, d)
  z <- rows_of(points, d) / 2
  time <- stats::median(replicate(3, sum(system.time(
    dp_depth(z, x, 1, depth, delta = 1e-6, directions = directions), gcFirst = TRUE
  )[1:2])))
  sprintf("| %s | %d | %s | %d | %.2f |", depth, d, format(n, big.mark = ","), as.integer(points), time)
}

values <- c(
  depth_row("halfspace", 2, 10000, 100), depth_row("halfspace", 5, 10000, 100, 1000),
  depth_row("simplicial", 2, 10000, 100), depth_row("spatial", 20, 10000, 100),
  depth_row("irw", 20, 10000, 100, 1000), depth_row("idd_smooth", 20, 10000, 100, 1000)
)

head <- c("| depth | d | n | directions | rows | epsilon | seconds | goal | proposals | boxes |",
          "|:---|---:|---:|---:|:---|---:|---:|---:|---:|---:|")
lines <- c(
  "# Private medians over other depths, and private depths of points", "",
  ran_on(sprintf("%d cores, one thread; load %s", parallel::detectCores(), machine_load())),
  "Made by `bench/depth-medians.R`.", "",
  "## A draw", "",
  "`dp_median_exponential(depth =)`, bounds -50..50: processor time, proposals and boxes of the tree, the",
  "medians of 5 draws. Correlated: each variable is the sum of all, .7 each and .3 of its own.", "",
  head, goals, "",
  "## As variables are added", "",
  "Standard normal rows, 300 directions.", "", head, growth, "",
  "## Chains", "",
  "`rival_median()`, epsilon = 10, standard normal rows: processor time of a release.", "",
  "| depth | d | n | directions | chains | seconds | goal |", "|:---|---:|---:|---:|:---|---:|---:|", chains,
  "",
  "## Depths of points", "",
  "`dp_depth()`, epsilon = 1, delta = 1e-6: processor time, medians of 3.", "",
  "| depth | d | n | points | seconds |", "|:---|---:|---:|---:|---:|", values
)
write_page("depth-medians", lines)

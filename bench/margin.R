# margin.R - the projection median's safety margin: how often the test passes by default, and its time.
#
# Usage: Rscript bench/margin.R [library]   writes bench/margin.md
# n = 50,000, delta = 10/n. For each law of the data, the mean over data sets of the probability with which
# the test passes, given the margin (no noise is drawn). Seconds of CPU for one margin, and of
# wall-clock time.

args <- commandArgs(TRUE)
library(dpdepth, lib.loc = if (length(args) > 0) args[[1]])
source("bench/common.R")
dpdepth_threads(2)
n <- 50000
delta <- 10 / n

laws <- list(
  normal = function(d) matrix(rnorm(n * d), n),
  `a quarter at 5` = function(d) {
    x <- matrix(rnorm(n * d), n)
    x[seq_len(n / 4), ] <- x[seq_len(n / 4), ] + 5
    x
  },
  Cauchy = function(d) matrix(rnorm(n * d), n) / abs(rnorm(n))
)
rows <- list()
run <- function(d, count, epsilon, law, location = "median", scale = "mad", runs = 10) {
  plan <- dpdepth:::projection_constants(n, d, epsilon, delta, count, location, scale)
  noise <- plan_median(n, d, epsilon, delta, method = "projection", directions = count, location = location,
                       scale = scale)$error
  u <- directions(d, count)
  levels <- dpdepth:::ptr_levels(plan$epsilon_test, delta)
  out <- vapply(seq_len(runs), function(i) {
    x <- laws[[law]](d)
    time <- system.time(m <- dpdepth:::projection_margin(x, u, location, scale, plan$eta, plan$tau,
                                                         plan$epsilon_draw, delta, levels)$margin)
    c(m, dpdepth:::test_chance(m, plan$epsilon_test, delta), time[["user.self"]], time[["elapsed"]])
  }, numeric(4))
  rows[[length(rows) + 1]] <<- data.frame(
    d = d, N = count, epsilon = epsilon, pair = paste(location, scale, sep = ", "), law = law,
    c = signif(plan$rate, 3), margin = paste(range(out[1, ]), collapse = " to "),
    pass = sprintf("%.3f", mean(out[2, ])),
    error = signif(d * noise^2, 2), cpu = round(median(out[3, ]), 2),
    wall = round(median(out[4, ]), 2)
  )
  print(rows[[length(rows)]])
}

set.seed(1)
for (law in names(laws)) {
  run(2, 500, 2, law)
  run(10, 500, 2, law)
  run(20, 1000, 2, law, runs = 6)
}
for (epsilon in c(5, 10)) run(10, 500, epsilon, "normal", runs = 20)
run(10, 500, 2, "normal", "median", "iqr")
run(10, 500, 2, "normal", "trimmed", "trimmed")
run(10, 100, 2, "normal", "huber", "mad", runs = 4)
run(10, 500, 2, "normal", "mom", "mad", runs = 4)

table <- do.call(rbind, rows)
line <- function(cells) paste0("| ", paste(cells, collapse = " | "), " |")
write_page("margin", c(
  "# The projection median's safety margin", "",
  ran_on("two threads"), "Made by `bench/margin.R`.",
  sprintf("Load of the machine at the end: %s (above 2: shared; the CPU seconds are then the ones to read).",
          machine_load()), "",
  "n = 50,000, delta = 10/n, default constants. `c`: rate of the draw.",
  "`pass`: mean probability that the test passes.",
  "`error`: squared distance that the draw adds at the normal, in variances. Seconds for one margin.", "",
  line(names(table)), line(rep("---", ncol(table))), apply(table, 1, function(r) line(trimws(r)))
))

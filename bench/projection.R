# projection.R - times of the directional depths and their medians, against other packages.
#
# Usage: Rscript bench/projection.R [library]   writes bench/projection.md
# Medians of wall-clock times on two threads; peers with as many directions. Rows whose peer is not
# installed have no ratio.

args <- commandArgs(TRUE)
library(dpdepth, lib.loc = if (length(args) > 0) args[[1]])
dpdepth_threads(2)

# Median seconds of some runs.
seconds <- function(expr, runs = 9) {
  expr <- substitute(expr)
  at <- parent.frame()
  stats::median(vapply(seq_len(runs), function(i) system.time(eval(expr, at))[["elapsed"]], 0))
}
has <- function(package) requireNamespace(package, quietly = TRUE)
rows <- list()
add <- function(what, ours, peer = NA, peer_name = "", target = "") {
  rows[[length(rows) + 1]] <<- data.frame(what, ours, peer, peer_name, target)
  cat(sprintf("%-70s %8.3f %8.3f %s\n", what, ours, peer, peer_name))
}

set.seed(1)
x <- matrix(rnorm(1e5), 1e4, 10)
u <- directions(10, 1000)

ours <- seconds(depth_projection(x, x, directions = u))
if (has("ddalpha")) {
  add("projection depth, n = 10,000, d = 10, all points", ours,
      seconds(ddalpha::depth.projection(x, x, num.directions = 1000), 3), "ddalpha", "0.12 s; 4 times")
}
if (has("mrfDepth")) {
  add("projection depth, n = 10,000, d = 10, all points", ours,
      seconds(mrfDepth::projdepth(x, x, options = list(type = "Rotation", ndir = 1000)), 3), "mrfDepth",
      "2.5 times")
}
add("  trimmed mean and trimmed deviation", seconds(depth_projection(x, x, "trimmed", "trimmed", u), 3))
add("  Huber and MAD", seconds(depth_projection(x, x, "huber", directions = u), 3))
add("  median of means and IQR", seconds(depth_projection(x, x, "mom", "iqr", u), 3))

peer <- NA
if (has("mrfDepth")) {
  peer <- seconds(mrfDepth::hdepth(x, x, options = list(type = "Rotation", ndir = 1000, approx = TRUE)), 3)
}
add("directional halfspace depth, n = 10,000, d = 10, all points",
    seconds(depth_halfspace(x, x, "directional", u)), peer, "mrfDepth", "0.21 s; 10 times")
add("integrated rank-weighted depth, n = 10,000, d = 10, all points", seconds(depth_irw(x, x, u)))
add("integrated dual depth, the same", seconds(depth_idd(x, x, Inf, u)))
add("smoothed integrated dual depth (10), the same", seconds(depth_idd(x, x, 10, u)))

add("projection median, n = 10,000, d = 10", seconds(median_projection(x, directions = u)))
add("integrated rank-weighted median, n = 10,000, d = 10", seconds(median_irw(x, u), 3))
wide <- matrix(rnorm(1e6), 1e4, 100)
v <- directions(100, 1000)
add("smoothed IDD median, n = 10,000, d = 100", seconds(median_idd(wide, 10, v)), target = "0.5 s")
dpdepth_threads(1)
add("  on one thread", seconds(median_idd(wide, 10, v)))
dpdepth_threads(2)
plain <- system.time(crossprod(t(wide), t(v)))[["elapsed"]]
add("  R's matrix product alone (reference BLAS), for comparison", plain)

# refined directions: how far off are the random ones?
some <- seq(1, 1e4, by = 50)
rough <- depth_halfspace(x[some, ], x, "directional", u)
time <- system.time(fine <- depth_halfspace(x[some, ], x, "refined", u))[["elapsed"]]
add("refined halfspace depth, n = 10,000, d = 10, 200 points", time)
time <- system.time(far <- outlyingness(x[some, ], x, directions = u, method = "refined"))[["elapsed"]]
add("refined outlyingness, the same", time)
population <- pnorm(-sqrt(rowSums(x[some, ]^2)))

# cost curves
curve <- data.frame()
for (n in c(1e3, 1e4, 1e5)) {
  for (d in c(5, 20)) {
    for (count in c(250, 1000)) {
      y <- matrix(rnorm(n * d), n)
      w <- directions(d, count)
      curve <- rbind(curve, data.frame(
        n = n, d = d, directions = count, projection = seconds(depth_projection(y, y, directions = w), 3),
        irw = seconds(depth_irw(y, y, w), 3), smoothed = seconds(depth_idd(y, y, 10, w), 3)
      ))
    }
  }
}

rows <- do.call(rbind, rows)
load <- if (file.exists("/proc/loadavg")) sub(" .*", "", readLines("/proc/loadavg")) else "unknown"
cpu <- sub(".*: ", "", grep("model name", readLines("/proc/cpuinfo"), value = TRUE)[[1]])
commit <- system("git rev-parse --short HEAD", intern = TRUE)
number <- function(x, digits = 3) ifelse(is.na(x), "", formatC(x, digits = digits, format = "f"))
line <- function(...) paste0("| ", paste(..., sep = " | "), " |")
writeLines(c(
  "# Directional depths and their medians", "",
  sprintf("%s, two threads, R %s, commit %s. Median seconds; 1000 directions. Made by bench/projection.R.",
          cpu, getRversion(), commit),
  sprintf("Load of the machine at the end: %s (above 2: shared, two threads suffer).", load), "",
  line("", "ours", "peer", "", "ratio", "target"), "|---|---|---|---|---|---|",
  line(rows$what, number(rows$ours), number(rows$peer), ifelse(is.na(rows$peer), "", rows$peer_name),
       number(rows$peer / rows$ours, 1), rows$target), "",
  "## Refined directions", "",
  sprintf(paste("Mean depth of 200 of 10,000 standard normal points in ten dimensions:",
                "along 1000 random directions %s, refined %s, in the population %s."),
          number(mean(rough), 5), number(mean(fine), 5), number(mean(population), 5)),
  sprintf("Median: %s, %s, %s. Mean outlyingness of the same: %s, %s, %s.",
          number(median(rough), 5), number(median(fine), 5), number(median(population), 5),
          number(mean(outlyingness(x[some, ], x, directions = u))), number(mean(far)),
          number(mean(sqrt(rowSums(x[some, ]^2)) / qnorm(0.75)))), "",
  "## Cost in n, d and N", "",
  "Stated: O(N n d), all n rows being points. Selections and counts outweigh projections.", "",
  line("n", "d", "N", "projection depth", "integrated rank-weighted", "smoothed integrated dual"),
  "|---|---|---|---|---|---|",
  line(formatC(curve$n, format = "d", big.mark = ","), curve$d, curve$directions, number(curve$projection),
       number(curve$irw), number(curve$smoothed))
), "bench/projection.md")

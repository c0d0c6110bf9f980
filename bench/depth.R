# Halfspace depth and Tukey median against ddalpha and mrfDepth, on the same data in one run.
#
# Usage: Rscript bench/depth.R; writes bench/depth.md. Takes some minutes, nearly all of it the peers'.

seconds <- function(f, times) {
  median(replicate(times, system.time(f(), gcFirst = TRUE)[["elapsed"]]))
}

# The largest disagreement in counts, so that a time is not that of another number.
differ <- function(ours, theirs, n) sprintf("%d", max(abs(round(n * ours) - round(n * theirs))))

row <- function(task, ours, peers, n = NULL) {
  own <- seconds(ours, 5)
  one <- data.frame(task = task, package = "dpdepth", seconds = own, ratio = 1, differ = "")
  for (name in names(peers)) {
    value <- NULL
    time <- seconds(function() value <<- peers[[name]](), 1)
    one <- rbind(one, data.frame(task = task, package = name, seconds = time, ratio = time / own,
                                 differ = if (is.null(n)) "" else differ(ours(), value, n)))
  }
  one
}

main <- function() {
  set.seed(1)
  plane <- matrix(rnorm(20000), ncol = 2)
  space <- matrix(rnorm(3000), ncol = 3)
  small <- plane[1:1000, ]
  five <- matrix(rnorm(50000), ncol = 5)
  own <- dpdepth::depth_halfspace
  peer <- function(x) {
    list(
      ddalpha = function() ddalpha::depth.halfspace(x, x, exact = TRUE),
      mrfDepth = function() mrfDepth::hdepth(x, x)$depthZ
    )
  }
  rbind(
    row("exact depth, d = 2, n = 10,000, all points", function() own(plane, plane, "exact"),
        peer(plane), 10000),
    row("exact depth, d = 3, n = 1000, all points", function() own(space, space, "exact"),
        peer(space), 1000),
    row("1000 directions, d = 5, n = 10,000, all points", function() own(five, five, "directional"),
        list(ddalpha = function() {
          ddalpha::depth.halfspace(five, five, exact = FALSE, num.directions = 1000)
        })),
    row("Tukey median, d = 2, n = 1000", function() dpdepth::median_tukey(small),
        list(mrfDepth = function() mrfDepth::hdepthmedian(small))),
    row("Tukey median, d = 2, n = 10,000", function() dpdepth::median_tukey(plane), list()),
    row("Tukey median, 1000 directions, d = 5, n = 10,000", function() dpdepth::median_tukey(five),
        list())
  )
}

machine <- function() {
  info <- if (file.exists("/proc/cpuinfo")) readLines("/proc/cpuinfo") else character()
  model <- sub(".*: ", "", grep("^model name", info, value = TRUE))
  if (length(model) == 0) R.version$platform else model[[1]]
}

table <- main()
commit <- system2("git", c("rev-parse", "--short", "HEAD"), stdout = TRUE)
lines <- c(
  "# Halfspace depth and Tukey median against peers", "",
  sprintf("%s, %d cores, dpdepth on %d threads; %s; ddalpha %s, mrfDepth %s; commit %s.",
          machine(), parallel::detectCores(), dpdepth::dpdepth_threads(), R.version.string,
          packageVersion("ddalpha"), packageVersion("mrfDepth"), commit),
  "Standard normal data; the same for all. Medians of 5 runs for dpdepth, one run for peers.",
  "The last column is the largest difference of the counts n * depth; directions are each package's own.",
  "The machine was shared with other work, and the timer shows 0.001 s: the shortest times are coarse.",
  "Made by `bench/depth.R`.", "",
  "| task | package | seconds | times dpdepth's | counts differ by |", "|---|---|---:|---:|---:|",
  sprintf("| %s | %s | %.3g | %.1f | %s |", table$task, table$package, table$seconds, table$ratio,
          table$differ)
)
writeLines(lines, "bench/depth.md")
cat(lines, sep = "\n")

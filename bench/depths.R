# Every depth, median, region and regression against other packages, and what they cost, in one run.
#
# Usage: Rscript bench/depths.R [small]; writes bench/depths.md. Takes some ten minutes, nearly all of it the
# peers'; "small" runs it on next to no data, to see that it works, and writes nothing. Medians of five runs
# on two threads, peers once, with as many directions; peers that are not installed have no rows.

small <- identical(commandArgs(TRUE), "small")
size <- function(n) if (small) max(100, n %/% 100) else n

library(dpdepth)
source("bench/common.R")
dpdepth_threads(2)
# TukeyRegion looks for ddalpha on the search path, and opens a window unless told not to
options(rgl.useNULL = TRUE)
suppressWarnings(suppressPackageStartupMessages(require("TukeyRegion", quietly = TRUE)))

# Seconds by the clock and of all processors together.
clock <- function(f) {
  time <- system.time(f(), gcFirst = TRUE)
  c(time[["elapsed"]], time[["user.self"]] + time[["sys.self"]])
}
both_times <- function(f, times = 5) apply(replicate(times, clock(f)), 1, stats::median)
seconds <- function(f, times = 5) both_times(f, times)[[1]]

# One run of a peer: its time and what it found, or why there is none.
run_peer <- function(f) {
  value <- NULL
  time <- tryCatch(clock(function() value <<- f()), error = conditionMessage)
  list(time = time, value = value)
}

# Our time, each installed peer's, and the largest difference of the results where they are comparable.
# Peers are named by their packages, with a remark after a comma if need be.
row <- function(task, ours, peers = list(), goal = "", compare = NULL) {
  own <- both_times(ours)
  message(sprintf("%-65s %8.3f", task, own[[1]]))
  show <- function(time) sprintf("%.3g", time)
  one <- data.frame(task = task, package = "dpdepth", seconds = show(own[[1]]), cpu = show(own[[2]]),
                    ratio = "", goal = goal, differ = "")
  for (name in names(peers)) {
    if (!requireNamespace(sub(",.*", "", name), quietly = TRUE)) next
    got <- run_peer(peers[[name]])
    failed <- is.character(got$time)
    differ <- if (failed) got$time
              else if (is.null(compare)) ""
              else sprintf("%.2g", compare(ours(), got$value))
    one <- rbind(one, data.frame(
      task = "", package = name, seconds = if (failed) "" else show(got$time[[1]]),
      cpu = if (failed) "" else show(got$time[[2]]),
      ratio = if (failed) "" else sprintf("%.1f", got$time[[1]] / max(own[[1]], 5e-4)), goal = "",
      differ = differ
    ))
  }
  one
}

largest <- function(a, b) max(abs(a - b))
normal <- function(n, d) matrix(rnorm(n * d), ncol = d)

halfspace_rows <- function() {
  plane <- normal(size(10000), 2)
  space <- normal(size(1000), 3)
  four <- normal(if (small) 20 else 200, 4)
  ten <- normal(size(10000), 10)
  u <- directions(10, size(1000))
  exact <- function(x, with_mrf) {
    peers <- list(ddalpha = function() ddalpha::depth.halfspace(x, x, exact = TRUE))
    if (with_mrf) peers$mrfDepth <- function() mrfDepth::hdepth(x, x)$depthZ
    peers
  }
  rbind(
    row("halfspace exact, d = 2, n = 10,000, all points", function() depth_halfspace(plane, plane, "exact"),
        exact(plane, TRUE), compare = largest),
    row("halfspace exact, d = 3, n = 1000, all points", function() depth_halfspace(space, space, "exact"),
        exact(space, TRUE), compare = largest),
    row("halfspace exact, d = 4, n = 200, all points", function() depth_halfspace(four, four, "exact"),
        exact(four, FALSE), "10 times", largest),
    row("halfspace, 1000 directions, d = 10, n = 10,000, all points",
        function() depth_halfspace(ten, ten, "directional", u),
        list(
          mrfDepth = function() {
            mrfDepth::hdepth(ten, ten, options = list(type = "Rotation", ndir = nrow(u), approx = TRUE))
          },
          ddalpha = function() ddalpha::depth.halfspace(ten, ten, exact = FALSE, num.directions = nrow(u)),
          DepthProc = function() DepthProc::depthTukey(ten, ten, ndir = nrow(u), exact = FALSE)
        ), "10 times the better")
  )
}

projection_rows <- function() {
  x <- normal(size(10000), 10)
  u <- directions(10, size(1000))
  rbind(
    row("projection, 1000 directions, d = 10, n = 10,000, all points",
        function() depth_projection(x, x, directions = u),
        list(
          ddalpha = function() ddalpha::depth.projection(x, x, num.directions = nrow(u)),
          mrfDepth = function() mrfDepth::projdepth(x, x, options = list(type = "Rotation", ndir = nrow(u))),
          DepthProc = function() DepthProc::depthProjection(x, x, ndir = nrow(u))
        ), "4 times ddalpha, 2.5 times the best"),
    row("the same: trimmed mean, trimmed deviation",
        function() depth_projection(x, x, "trimmed", "trimmed", u)),
    row("the same: Huber, MAD", function() depth_projection(x, x, "huber", directions = u)),
    row("the same: median of means, IQR", function() depth_projection(x, x, "mom", "iqr", u)),
    row("integrated rank-weighted, the same data", function() depth_irw(x, x, u)),
    row("integrated dual, the same data", function() depth_idd(x, x, Inf, u)),
    row("smoothed (10) integrated dual, the same data", function() depth_idd(x, x, 10, u)),
    row("projection median, the same data", function() median_projection(x, directions = u)),
    row("integrated rank-weighted median, the same data", function() median_irw(x, u))
  )
}

smooth_rows <- function() {
  x <- normal(size(10000), 100)
  u <- directions(100, size(1000))
  both <- row("smoothed integrated dual median, d = 100, n = 10,000", function() median_idd(x, 10, u),
              goal = "0.5 s")
  dpdepth_threads(1)
  one <- row("the same on one thread", function() median_idd(x, 10, u))
  dpdepth_threads(2)
  rbind(both, one, row("R's matrix product of these data and directions alone", function() x %*% t(u)))
}

other_rows <- function() {
  plane <- normal(size(10000), 2)
  ten <- normal(size(10000), 10)
  some <- plane[seq_len(size(1000)), ]
  part <- plane[seq_len(size(1200)), ]
  simplicial <- function(data) {
    list(ddalpha = function() ddalpha::depth.simplicial(some, data, exact = TRUE))
  }
  levels <- seq_len(floor(0.48 * nrow(some))) / nrow(some)
  rbind(
    row("simplicial, d = 2, n = 10,000, 1000 points", function() depth_simplicial(some, plane),
        simplicial(plane), "10 times", largest),
    row("simplicial, d = 2, n = 1200, 1000 points", function() depth_simplicial(some, part), simplicial(part),
        compare = largest),
    row("spatial, d = 10, n = 10,000, all points", function() depth_spatial(ten, ten),
        list(ddalpha = function() ddalpha::depth.spatial(ten, ten, mah.estimate = "none")),
        "20 times", largest),
    row("spatial median, d = 10, n = 10,000", function() median_spatial(ten)),
    row("Tukey median, d = 2, n = 1000", function() median_tukey(some),
        list(mrfDepth = function() mrfDepth::hdepthmedian(some)$median,
             TukeyRegion = function() TukeyRegion::TukeyMedian(some)$barycenter), "20 times", largest),
    row("Tukey median, d = 3, n = 200, exact",
        function() median_tukey(ten[seq_len(size(200)), 1:3], "exact")),
    row("all contours, d = 2, n = 1000", function() depth_region(some),
        list(mrfDepth = function() mrfDepth::depthContour(some, alpha = levels, type = "hdepth"),
             TukeyRegion = function() {
               lapply(seq_along(levels), function(k) TukeyRegion::TukeyRegion(some, k, retVertices = TRUE))
             }),
        "10 times")
  )
}

# The deepest of all lines through two rows, by mrfDepth's regression depth.
enumerate_lines <- function(x, y) {
  pairs <- utils::combn(length(x), 2)
  slope <- (y[pairs[2, ]] - y[pairs[1, ]]) / (x[pairs[2, ]] - x[pairs[1, ]])
  max(mrfDepth::rdepth(cbind(x, y), cbind(y[pairs[1, ]] - slope * x[pairs[1, ]], slope))$depthZ)
}

regression_rows <- function() {
  x <- rnorm(size(2000))
  y <- x + rnorm(length(x))
  first <- seq_len(size(500))
  ten <- normal(size(10000), 10)
  response <- ten[, 1] + rnorm(nrow(ten))
  proc <- function(x, y) DepthProc::deepReg2d(x, y)@depth / length(x)
  rbind(
    row("deepest regression, n = 500", function() regress_deepest(y[first] ~ x[first])$depth,
        list("mrfDepth, all lines" = function() enumerate_lines(x[first], y[first]),
             DepthProc = function() proc(x[first], y[first])), "5 times (DepthProc: 0.19 s)", largest),
    row("deepest regression, n = 2000", function() regress_deepest(y ~ x)$depth,
        list(DepthProc = function() proc(x, y)), "50 times (DepthProc: 15 s)", largest),
    row("Medsweep, 10 regressors, n = 10,000", function() regress_medsweep(response ~ ten))
  )
}

# What projection depth adds to the peak memory of a process of its own, in MB.
memory <- function() {
  call <- c(dpdepth = "dpdepth::depth_projection(x, x, directions = %d)",
            ddalpha = "ddalpha::depth.projection(x, x, num.directions = %d)",
            mrfDepth = "mrfDepth::projdepth(x, x, options = list(type = 'Rotation', ndir = %d))")
  call <- call[vapply(names(call), requireNamespace, NA, quietly = TRUE)]
  if (!file.exists("/proc/self/status")) return(data.frame(package = names(call), mb = NA))
  peak <- vapply(call, function(text) {
    code <- sprintf(paste(
      "set.seed(1); x <- matrix(rnorm(%d), ncol = 10);",
      "for (p in c('dpdepth', 'ddalpha', 'mrfDepth')) requireNamespace(p, quietly = TRUE);",
      "gc(); before <- peak_mb(); got <- %s; cat(peak_mb() - before)"
    ), size(10000) * 10, sprintf(text, as.integer(size(1000))))
    as.numeric(in_fresh_r(code))
  }, 0)
  data.frame(package = names(call), mb = peak)
}

# How far off random directions are, and refined ones.
refined <- function() {
  x <- normal(size(10000), 10)
  u <- directions(10, size(1000))
  some <- x[seq(1, nrow(x), by = 50), , drop = FALSE]
  size_of <- sqrt(rowSums(some^2))
  line <- function(task, rough, fine, population, time) {
    data.frame(task = task, rough = sprintf("%.4g", mean(rough)), fine = sprintf("%.4g", mean(fine)),
               population = sprintf("%.4g", mean(population)), seconds = sprintf("%.3g", time))
  }
  half <- out <- list()
  half$time <- system.time(half$value <- depth_halfspace(some, x, "refined", u))[["elapsed"]]
  out$time <- system.time(out$value <- outlyingness(some, x, directions = u, method = "refined"))[["elapsed"]]
  rbind(
    line("halfspace depth", depth_halfspace(some, x, "directional", u), half$value, pnorm(-size_of),
         half$time),
    line("outlyingness", outlyingness(some, x, directions = u), out$value, size_of / qnorm(0.75), out$time)
  )
}

# Times over sizes, and the power of the size that the last step shows.
curve <- function(task, sizes, run, stated) {
  time <- vapply(sizes, function(n) seconds(run(if (small) max(10, n %/% 100) else n), 3), 0)
  message(sprintf("%-65s %s", task, toString(time)))
  k <- length(sizes)
  power <- log(time[[k]] / time[[k - 1]]) / log(sizes[[k]] / sizes[[k - 1]])
  data.frame(task = task, sizes = toString(format(sizes, big.mark = ",", trim = TRUE, scientific = FALSE)),
             seconds = toString(sprintf("%.2g", time)), power = sprintf("%.1f", power), stated = stated)
}

# Curves in n, in d and in the number of directions of one directional depth.
directional_curves <- function(name, depth) {
  at <- function(n, d, count) {
    x <- normal(n, d)
    u <- directions(d, count)
    function() depth(x, u)
  }
  rbind(
    curve(paste0(name, ", d = 5, 250 directions, by n"), c(1e3, 1e4, 1e5), function(n) at(n, 5, 250), "n"),
    curve(paste0(name, ", n = 10,000, 250 directions, by d"), c(5, 20, 80),
          function(d) at(size(10000), d, size(250)), "d, beside selections"),
    curve(paste0(name, ", n = 10,000, d = 5, by directions"), c(250, 1000, 4000),
          function(count) at(size(10000), 5, count), "N")
  )
}

other_curves <- function() {
  few <- function(x, k) x[seq_len(min(k, nrow(x))), , drop = FALSE]
  rbind(
    curve("halfspace exact, d = 2, 100 points, by n", c(1e3, 1e4, 1e5), function(n) {
      x <- normal(n, 2)
      function() depth_halfspace(few(x, 100), x, "exact")
    }, "n"),
    curve("halfspace exact, d = 3, 20 points, by n", c(250, 500, 1000), function(n) {
      x <- normal(n, 3)
      function() depth_halfspace(few(x, 20), x, "exact")
    }, "n^2"),
    curve("halfspace exact, d = 4, 4 points, by n", c(100, 200, 400), function(n) {
      x <- normal(n, 4)
      function() depth_halfspace(few(x, 4), x, "exact")
    }, "n^3"),
    curve("simplicial, d = 2, 100 points, by n", c(1e3, 1e4, 1e5), function(n) {
      x <- normal(n, 2)
      function() depth_simplicial(few(x, 100), x)
    }, "n"),
    curve("simplicial, d = 3, 20 points, by n", c(100, 400, 1600), function(n) {
      x <- normal(n, 3)
      function() depth_simplicial(few(x, 20), x)
    }, "n^2"),
    curve("simplicial, d = 5, 100 points, n = 1000, by tuples", c(1e4, 1e5, 4e5), function(tuples) {
      x <- normal(1000, 5)
      function() depth_simplicial(few(x, 100), x, tuples = tuples)
    }, "tuples"),
    curve("spatial, n = 10,000, 1000 points, by d", c(5, 20, 80), function(d) {
      x <- normal(size(10000), d)
      function() depth_spatial(few(x, 1000), x)
    }, "d"),
    curve("spatial median, d = 5, by n", c(1e3, 1e4, 1e5), function(n) {
      x <- normal(n, 5)
      function() median_spatial(x)
    }, "n"),
    curve("Tukey median, d = 3, by n", c(100, 200, 400), function(n) {
      x <- normal(n, 3)
      function() median_tukey(x, "exact")
    }, "n^3 log n"),
    curve("all contours, by n", c(500, 1000, 2000, 4000), function(n) {
      x <- normal(n, 2)
      function() depth_region(x)
    }, "n^2 log n"),
    curve("deepest regression, by n", c(500, 1000, 2000, 4000), function(n) {
      x <- rnorm(n)
      y <- x + rnorm(n)
      function() regress_deepest(y ~ x)
    }, "n^2 log n")
  )
}

versions <- function(packages) {
  there <- packages[vapply(packages, requireNamespace, NA, quietly = TRUE)]
  text <- sprintf("%s %s", there, vapply(there, function(p) format(utils::packageVersion(p)), ""))
  lacking <- setdiff(packages, there)
  toString(c(text, if (length(lacking) > 0) paste("not installed:", lacking)))
}

# A data frame as the lines of a table, its names being the heads.
as_table <- function(frame, heads) {
  c(sprintf("| %s |", paste(heads, collapse = " | ")), sprintf("|%s", strrep("---|", length(heads))),
    do.call(paste, c(list("|"), lapply(frame, paste, "|"))))
}

set.seed(1)
table <- rbind(halfspace_rows(), projection_rows(), smooth_rows(), other_rows(), regression_rows())
held <- memory()
off <- refined()
growth <- rbind(
  directional_curves("halfspace", function(x, u) depth_halfspace(x, x, "directional", u)),
  directional_curves("projection", function(x, u) depth_projection(x, x, directions = u)),
  directional_curves("integrated rank-weighted", function(x, u) depth_irw(x, x, u)),
  directional_curves("smoothed integrated dual", function(x, u) depth_idd(x, x, 10, u)),
  other_curves()
)
lines <- c(
  "# The depth library against its peers", "",
  ran_on(sprintf("%d cores, two threads", parallel::detectCores()),
         versions(c("ddalpha", "mrfDepth", "TukeyRegion", "DepthProc"))),
  sprintf("Load of the machine at the end: %s (above 2: shared, and two threads suffer).", machine_load()),
  "",
  "Standard normal data, the same for all. Medians of five runs for dpdepth, one run for peers. The last",
  "column is the largest difference of the results where they are comparable; directions are",
  "each package's own.",
  "ddalpha's number of triangles overflows with n = 10,000; with n = 1200 it does not. DepthProc's deepest",
  "line may be a row or two less deep than the deepest. The timer shows 0.001 s. TukeyRegion has left the",
  "package registry: its last source, 0.1.6.3, was built by hand. DepthProc needs np, whose present release",
  "(by way of crs) needs a later C++ than this R's default: it was built with np 0.60-17.",
  "Where the seconds of dpdepth by the clock are no fewer than those of processors, its two threads had one",
  "processor between them, the other being taken. Made by `bench/depths.R`.", "",
  as_table(table, c("task", "package", "seconds", "of processors", "times dpdepth's", "goal",
                    "results differ by")),
  "", "## Memory", "",
  "What projection depth, n = 10,000, d = 10, 1000 directions, all points, adds to a process's peak.", "",
  as_table(transform(held, mb = sprintf("%.1f", mb)), c("package", "MB")),
  "", "## Refined directions", "",
  "Means over 200 of 10,000 standard normal points in ten dimensions, from 1000 random directions on.", "",
  as_table(off, c("", "random directions", "refined", "population", "seconds to refine")),
  "", "## Growth", "",
  "Seconds over sizes, the power of the size in the last step, and the stated cost.", "",
  as_table(growth, c("task", "sizes", "seconds", "power", "stated"))
)
if (small) cat(lines, sep = "\n") else write_page("depths", lines)

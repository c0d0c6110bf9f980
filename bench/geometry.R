# Simplicial and spatial depth, regions, regression and four dimensions against peers, in one run.
#
# Usage: Rscript bench/geometry.R; writes bench/geometry.md. Takes some minutes, nearly all of it the peers'.

seconds <- function(f, times) {
  median(replicate(times, system.time(f(), gcFirst = TRUE)[["elapsed"]]))
}

# Our time, each peer's, and the largest difference of the results where they are comparable.
row <- function(task, ours, peers = list(), compare = NULL) {
  own <- seconds(ours, 5)
  one <- data.frame(task = task, package = "dpdepth", seconds = own, ratio = 1, differ = "")
  for (name in names(peers)) {
    value <- NULL
    time <- seconds(function() value <<- peers[[name]](), 1)
    differ <- if (is.null(compare)) "" else sprintf("%.2g", compare(ours(), value))
    one <- rbind(one, data.frame(task = task, package = name, seconds = time, ratio = time / own,
            differ = differ))
  }
  one
}

largest <- function(a, b) max(abs(a - b))

# The deepest of all lines through two rows, by mrfDepth's regression depth.
enumerate_lines <- function(x, y) {
  pairs <- utils::combn(length(x), 2)
  slope <- (y[pairs[2, ]] - y[pairs[1, ]]) / (x[pairs[2, ]] - x[pairs[1, ]])
  max(mrfDepth::rdepth(cbind(x, y), cbind(y[pairs[1, ]] - slope * x[pairs[1, ]], slope))$depthZ)
}

against_peers <- function() {
  set.seed(1)
  plane <- matrix(rnorm(20000), ncol = 2)
  ten <- matrix(rnorm(100000), ncol = 10)
  four <- matrix(rnorm(800), ncol = 4)
  small <- plane[1:1000, ]
  x <- rnorm(2000)
  y <- x + rnorm(2000)
  first <- seq_len(500)
  rbind(
    row("simplicial, d = 2, n = 10,000, 1000 points",
        function() dpdepth::depth_simplicial(plane[1:1000, ], plane),
        list(ddalpha = function() ddalpha::depth.simplicial(plane[1:1000, ], plane, exact = TRUE)), largest),
    row("simplicial, d = 2, n = 1200, 1000 points",
        function() dpdepth::depth_simplicial(plane[1:1000, ], plane[1:1200, ]),
        list(ddalpha = function() ddalpha::depth.simplicial(plane[1:1000, ], plane[1:1200, ], exact = TRUE)),
        largest),
    row("spatial, d = 10, n = 10,000, all points", function() dpdepth::depth_spatial(ten, ten),
        list(ddalpha = function() ddalpha::depth.spatial(ten, ten, mah.estimate = "none")), largest),
    row("spatial median, d = 10, n = 10,000", function() dpdepth::median_spatial(ten)),
    row("halfspace exact, d = 4, n = 200, all points",
        function() dpdepth::depth_halfspace(four, four, "exact"),
        list(ddalpha = function() ddalpha::depth.halfspace(four, four, exact = TRUE)), largest),
    row("all contours, d = 2, n = 1000", function() dpdepth::depth_region(small),
        list(mrfDepth = function() mrfDepth::depthContour(small, alpha = seq_len(480) / 1000,
                type = "hdepth"))),
    row("Tukey median, d = 2, n = 1000", function() dpdepth::median_tukey(small),
        list(mrfDepth = function() mrfDepth::hdepthmedian(small)),
        function(a, b) max(abs(as.vector(a) - b$median))),
    row("Tukey median, d = 3, n = 200, exact", function() dpdepth::median_tukey(ten[1:200, 1:3], "exact")),
    row("deepest regression, n = 500", function() dpdepth::regress_deepest(y[first] ~ x[first]),
        list("mrfDepth, all lines" = function() enumerate_lines(x[first], y[first])),
        function(a, b) abs(a$depth - b)),
    row("deepest regression, n = 2000", function() dpdepth::regress_deepest(y ~ x)),
    row("Medsweep, 10 regressors, n = 10,000", function() {
      dpdepth::regress_medsweep(ten[, 1] + plane[, 1] ~ ten)
    })
  )
}

# Times over sizes, and the power of the size that the last step shows.
curve <- function(task, sizes, run, stated) {
  time <- vapply(sizes, function(n) {
    f <- run(n)
    seconds(f, 3)
  }, 0)
  k <- length(sizes)
  power <- log(time[[k]] / time[[k - 1]]) / log(sizes[[k]] / sizes[[k - 1]])
  data.frame(task = task, sizes = toString(format(sizes, big.mark = ",", trim = TRUE)),
             seconds = toString(sprintf("%.2g", time)), power = sprintf("%.1f", power), stated = stated)
}

normal <- function(n, d) matrix(rnorm(n * d), ncol = d)

curves <- function() {
  set.seed(2)
  rbind(
    curve("simplicial, d = 2, 100 points, by n", c(1e3, 1e4, 1e5), function(n) {
      x <- normal(n, 2)
      function() dpdepth::depth_simplicial(x[1:100, ], x)
    }, "n"),
    curve("simplicial, d = 3, 20 points, by n", c(100, 400, 1600), function(n) {
      x <- normal(n, 3)
      function() dpdepth::depth_simplicial(x[1:20, ], x)
    }, "n^2"),
    curve("simplicial, d = 5, 100 points, n = 1000, by tuples", c(1e4, 1e5, 4e5), function(tuples) {
      x <- normal(1000, 5)
      function() dpdepth::depth_simplicial(x[1:100, ], x, tuples = tuples)
    }, "tuples"),
    curve("spatial, n = 10,000, 1000 points, by d", c(5, 20, 80), function(d) {
      x <- normal(1e4, d)
      function() dpdepth::depth_spatial(x[1:1000, ], x)
    }, "d"),
    curve("spatial median, d = 5, by n", c(1e3, 1e4, 1e5), function(n) {
      x <- normal(n, 5)
      function() dpdepth::median_spatial(x)
    }, "n"),
    curve("halfspace, d = 4, 4 points, by n", c(100, 200, 400), function(n) {
      x <- normal(n, 4)
      function() dpdepth::depth_halfspace(x[1:4, ], x, "exact")
    }, "n^3"),
    curve("all contours, by n", c(500, 1000, 2000, 4000), function(n) {
      x <- normal(n, 2)
      function() dpdepth::depth_region(x)
    }, "n^2 log n"),
    curve("deepest regression, by n", c(500, 1000, 2000, 4000), function(n) {
      x <- rnorm(n)
      y <- x + rnorm(n)
      function() dpdepth::regress_deepest(y ~ x)
    }, "n^2 log n"),
    curve("Tukey median, d = 3, by n", c(100, 200, 400), function(n) {
      x <- normal(n, 3)
      function() dpdepth::median_tukey(x, "exact")
    }, "n^3 log n")
  )
}

machine <- function() {
  info <- if (file.exists("/proc/cpuinfo")) readLines("/proc/cpuinfo") else character()
  model <- sub(".*: ", "", grep("^model name", info, value = TRUE))
  if (length(model) == 0) R.version$platform else model[[1]]
}

table <- against_peers()
growth <- curves()
commit <- system2("git", c("rev-parse", "--short", "HEAD"), stdout = TRUE)
lines <- c(
  "# Simplicial and spatial depth, regions, regression and four dimensions against peers", "",
  sprintf("%s, %d cores, dpdepth on %d threads; %s; ddalpha %s, mrfDepth %s; commit %s.",
          machine(), parallel::detectCores(), dpdepth::dpdepth_threads(), R.version.string,
          packageVersion("ddalpha"), packageVersion("mrfDepth"), commit),
  "Standard normal data; the same for all. Medians of 5 runs for dpdepth, one run for peers.",
  "The last column is the largest difference of the results. With n = 10,000 ddalpha's number of triangles",
  "overflows; with n = 1200 it does not. Peers not to be had for this R: DepthProc, TukeyRegion, depth.",
  "Made by `bench/geometry.R`.", "",
  "| task | package | seconds | times dpdepth's | results differ by |", "|---|---|---:|---:|---:|",
  sprintf("| %s | %s | %.3g | %.1f | %s |", table$task, table$package, table$seconds, table$ratio,
          table$differ),
  "", "## Growth", "",
  "Seconds over sizes, the power of the size in the last step, and the stated cost.", "",
  "| task | sizes | seconds | power | stated |", "|---|---|---|---:|---|",
  sprintf("| %s | %s | %s | %s | %s |", growth$task, growth$sizes, growth$seconds, growth$power,
    growth$stated)
)
writeLines(lines, "bench/geometry.md")
cat(lines, sep = "\n")

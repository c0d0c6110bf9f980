# Comparing groups and associations: power, errors, widths and time beside DPrivStats, DPpack and no privacy.
#
# Usage: Rscript bench/comparing.R [runs]; writes bench/comparing.md. Some minutes. Simulated data only.
# All methods see the same data. DPrivStats and DPpack, if installed, get public bounds; with the data's own
# range, which DPrivStats takes by default, releases would have no guarantee. To install them:
# Rscript tools/packages.R install DPrivStats DPpack
library(dpdepth)
source("bench/common.R")
old <- options(dpdepth.rng = "R")
dpdepth_threads(1)
given <- suppressWarnings(as.integer(commandArgs(TRUE)[1]))
runs <- if (is.na(given)) 1000L else given
peer <- requireNamespace("DPrivStats", quietly = TRUE)
other <- requireNamespace("DPpack", quietly = TRUE)
peer_names <- c("DPrivStats", "DPpack")[c(peer, other)]
peers <- paste(peer_names, vapply(peer_names, function(name) format(utils::packageVersion(name)), ""))
set.seed(40)

likert <- function(n, p) sample(1:5, n, TRUE, p)
settings <- list(
  list("normal, shift 0.5", TRUE, function() list(x = rnorm(100, 0.5), y = rnorm(100)), c(-5, 5)),
  list("normal, shift 0.5, limits 20 times as wide", TRUE,
       function() list(x = rnorm(100, 0.5), y = rnorm(100)), c(-100, 100)),
  list("five grades", TRUE, function() {
    list(x = likert(100, c(0.1, 0.15, 0.25, 0.3, 0.2)), y = likert(100, c(0.2, 0.25, 0.25, 0.2, 0.1)))
  }, c(1, 5)),
  list("normal, no shift", FALSE, function() list(x = rnorm(100), y = rnorm(100)), c(-5, 5)),
  list("five equal grades, 200 and 40", FALSE, function() {
    list(x = likert(200, rep(0.2, 5)), y = likert(40, rep(0.2, 5)))
  }, c(1, 5)),
  list("exponential against itself, 160 and 40", FALSE,
       function() list(x = rexp(160), y = rexp(40)), c(0, 10))
)

p_values <- function(s, bounds) {
  theirs <- function(f) if (peer) f(s$x, s$y, epsilon = 1, bounds = bounds)$p.value else NA
  c(rank = dp_test(s$x, 1, s$y)$p.value, quadrant = dp_test(s$x, 1, s$y, test = "quadrant")$p.value,
    t = theirs(DPrivStats::dp_t_test), ks = theirs(DPrivStats::dp_ks_test),
    wilcox = wilcox.test(s$x, s$y, exact = FALSE)$p.value)
}
# Quietly: of accuracy and of ties.
quietly <- function(code) suppressWarnings(suppressMessages(code))
share <- function(p) sprintf("%.3f", mean(p <= 0.05, na.rm = TRUE))

tests <- vapply(settings, function(setting) {
  p <- quietly(replicate(runs, p_values(setting[[3]](), setting[[4]])))
  sprintf("| %s | %s | %s |", setting[[1]], if (setting[[2]]) "power" else "size",
          paste(apply(p, 1, share), collapse = " | "))
}, "")

trend <- function(r) {
  p <- quietly(replicate(runs, {
    x <- rnorm(200)
    rows <- data.frame(x, y = r * x + sqrt(1 - r^2) * rnorm(200))
    c(dp_test(y ~ x, 1, data = rows)$p.value, dp_test(y ~ x, 1, data = rows, test = "quadrant")$p.value,
      cor.test(rows$x, rows$y, method = "kendall", exact = FALSE)$p.value)
  }))
  sprintf("| %s | %s | %s |", format(r), if (r == 0) "size" else "power",
          paste(apply(p, 1, share), collapse = " | "))
}
trends <- vapply(c(0.3, 0), trend, "")

# A correlation of 0.5. DPpack has covariances and variances: a third of epsilon for each.
rms <- function(error) sprintf("%.3f", sqrt(mean(error^2)))
theirs_correlation <- function(x, y, bound) {
  if (!other) return(NA)
  both <- DPpack::covDP(x, y, 1 / 3, -bound, bound, -bound, bound)
  each <- c(DPpack::varDP(x, 1 / 3, -bound, bound), DPpack::varDP(y, 1 / 3, -bound, bound))
  min(1, max(-1, both / sqrt(prod(pmax(each, 1e-9)))))
}
correlation <- function(n) {
  found <- quietly(replicate(runs, {
    x <- rnorm(n)
    y <- 0.5 * x + sqrt(0.75) * rnorm(n)
    c(dp_correlation(cbind(x, y), 1, method = "sine")$estimate, theirs_correlation(x, y, 5),
      theirs_correlation(x, y, 100), cor(x, y))
  }))
  sprintf("| %d | %s |", n, paste(apply(found - 0.5, 1, rms), collapse = " | "))
}
correlations <- vapply(c(200, 500, 2000), correlation, "")

# The difference of medians of two samples with no row in common: each median has all of epsilon.
medians <- function(n, bound) {
  found <- quietly(replicate(runs, {
    x <- rnorm(n, 1)
    y <- rnorm(n)
    difference <- function(f) f(x) - f(y)
    range <- c(-bound, bound)
    c(difference(function(v) dp_median(v, 1, lower = -bound, upper = bound)$estimate),
      if (peer) difference(function(v) DPrivStats::dp_median(v, 1, bounds = range)$estimate) else NA,
      if (other) difference(function(v) DPpack::medianDP(v, 1, -bound, bound)) else NA, difference(median))
  }))
  sprintf("| %d | %d | %s |", n, bound, paste(apply(found - 1, 1, rms), collapse = " | "))
}
differences <- c(medians(100, 5), medians(100, 100), medians(300, 100))

# Limits: coverage and median width. DPrivStats has a t interval of the difference of means by its own test.
width_runs <- runs %/% 4
limits <- function(n, m, shape) {
  found <- quietly(replicate(width_runs, {
    x <- rnorm(n) + 1
    y <- shape(m)
    medians <- dp_test(x, 1, y, test = "sign", interval = 0.95, lower = -100, upper = 100)$interval[3, ]
    c(dp_test(x, 1, y, interval = 0.95, lower = -100, upper = 100)$interval, medians,
      wilcox.test(x, y, conf.int = TRUE, exact = FALSE)$conf.int)
  }))
  text <- function(v) sprintf("%.2f (%.3f)", median(v[2, ] - v[1, ]), mean(v[1, ] <= 1 & 1 <= v[2, ]))
  paste(text(found[1:2, ]), text(found[3:4, ]), text(found[5:6, ]), sep = " | ")
}
wide <- function(n) 3 * rnorm(n)
skewed <- function(n) rexp(n, 1) - log(2)
widths <- c(
  sprintf("| normal, 300 and 300 | %s |", limits(300, 300, rnorm)),
  sprintf("| normal, 90 and 210 | %s |", limits(90, 210, rnorm)),
  sprintf("| sd 1 and 3, 90 and 210 | %s |", limits(90, 210, wide)),
  sprintf("| normal and exponential, 600 and 600 | %s |", limits(600, 600, skewed))
)

seconds <- function(code) {
  sprintf("%.4f", median(replicate(9, system.time(for (i in 1:5) quietly(code()))[["user.self"]] / 5)))
}
x <- rnorm(1000)
y <- rnorm(1000)
rows <- data.frame(x, y)
times <- c(
  rank = seconds(function() dp_test(x, 1, y)), Kendall = seconds(function() dp_test(y ~ x, 1, data = rows)),
  t = if (peer) seconds(function() DPrivStats::dp_t_test(x, y, epsilon = 1, bounds = c(-5, 5))) else "-",
  wilcox = seconds(function() wilcox.test(x, y)), cor = seconds(function() cor.test(x, y, method = "kendall"))
)

write_page("comparing", c(
  "# Comparing groups and associations", "",
  ran_on("one thread", peers), "",
  "## Tests of two samples", "",
  sprintf("Rejections at the level 0.05, epsilon = 1, %d runs, 100 rows in each sample where none are", runs),
  "named.",
  "`dp_test()` takes no limits. DPrivStats gets the limits -5 and 5, -100 and 100, 1 and 5, or 0 and 10.", "",
  "| data | | `dp_test()` | `test = \"quadrant\"` | DPrivStats t | DPrivStats KS | `wilcox.test()` |",
  "|---|---|---|---|---|---|---|", tests, "",
  "## Tests of a trend", "",
  sprintf("200 normal rows, epsilon = 1, %d runs.", runs), "",
  "| correlation | | `dp_test(y ~ x)` | `test = \"quadrant\"` | `cor.test(method = \"kendall\")` |",
  "|---|---|---|---|---|", trends, "",
  "## Correlations and medians", "",
  sprintf("Root mean squared errors, epsilon = 1, %d runs. Two normal variables with correlation 0.5:", runs),
  "`dp_correlation()` takes no limits; DPpack gives two variances and a covariance, a third of epsilon each.",
  "",
  "| rows | `dp_correlation(method = \"sine\")` | DPpack, limits 5 | limits 100 | `cor()` |",
  "|---|---|---|---|---|", correlations, "",
  "The difference of the medians of two normal samples, by a release of each median:", "",
  "| rows each | limits | `dp_median()` | DPrivStats | DPpack | `median()` |",
  "|---|---|---|---|---|---|", differences, "",
  "## Limits", "",
  "Median width, and coverage of a difference of medians of 1 in brackets, level 0.95, epsilon = 1,",
  sprintf("%d runs, limits -100 and 100. Where shapes differ a shift is not what the data have, and only the",
          width_runs),
  "second column promises to cover.", "",
  "| data | shift | difference of medians, `test = \"sign\"` | `wilcox.test(conf.int = TRUE)` |",
  "|---|---|---|---|", widths, "",
  "## Processor time", "",
  "Seconds a call, 1000 rows in each sample, or 1000 rows.", "",
  "| `dp_test(x, 1, y)` | `dp_test(y ~ x)` | DPrivStats t | `wilcox.test()` | `cor.test()` |",
  "|---|---|---|---|---|", sprintf("| %s |", paste(times, collapse = " | "))
))
options(old)

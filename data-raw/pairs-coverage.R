# Coverage and width of slopes' intervals by batches, with differences of pairs of rows and without: writes
# vignettes/pairs-coverage.csv.
#
# Usage: Rscript data-raw/pairs-coverage.R [runs]
# coverage: the least of the two slopes' at level 0.95, each by itself; width: the median over runs, of both.
library(dpdepth)
inner <- function(name) getFromNamespace(name, "dpdepth")
plan_batches <- inner("plan_batches")
run_batches <- inner("run_batches")
runs <- c(as.integer(commandArgs(TRUE)), 2000L)[[1]]
file <- "vignettes/pairs-coverage.csv"

normal <- function(n) matrix(rnorm(2 * n), n)
skew <- function(n) rexp(n) - 1
cells <- list(
  list(law = "normal", n = 2000, x = normal, e = rnorm),
  list(law = "skew errors and x", n = 2000, x = function(n) exp(normal(n)), e = skew),
  list(law = "lognormal errors and x", n = 2000, x = function(n) exp(normal(n)),
       e = function(n) exp(1.5 * rnorm(n))),
  list(law = "skew errors and x", n = 20000, x = function(n) exp(normal(n)), e = skew, runs = 400)
)

cover <- function(cell, pairs) {
  truth <- c(1, -2, 3)
  plan <- plan_batches(cell$n, c("(Intercept)", "x1", "x2"), list(lower = -50, upper = 50), 1, 0, 0.5, NULL,
                       interval = 0.95, pairs = pairs)
  count <- min(runs, cell$runs)
  source <- inner("check_rng")("R")
  out <- vapply(seq_len(count), function(i) {
    x <- cell$x(cell$n)
    plan$seed <- i
    limits <- run_batches(x, as.vector(cbind(1, x) %*% truth + cell$e(cell$n)), plan, source)$interval[-1, ]
    c(limits[, 1] <= truth[-1] & truth[-1] <= limits[, 2], limits[, 2] - limits[, 1])
  }, numeric(4))
  row <- data.frame(law = cell$law, n = cell$n, pairs = pairs, batches = plan$batches, runs = count,
                    coverage = min(rowMeans(out[1:2, ])), infinite = mean(is.infinite(out[3:4, ])),
                    width = signif(median(out[3:4, ]), 4))
  write.table(row, file, sep = ",", row.names = FALSE, col.names = !file.exists(file),
              append = file.exists(file))
}

set.seed(1)
unlink(file)
for (cell in cells) for (pairs in c(TRUE, FALSE)) cover(cell, pairs)

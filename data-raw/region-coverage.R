# Coverage and width of intervals of lines and of regions in the plane: writes vignettes/region-coverage.csv.
#
# Usage: make simulations FIGURE=region-coverage, or Rscript data-raw/region-coverage.R [runs, 2000]
# coverage: how often all intervals together, or the region, held the truth; width: mean over runs of a
# line's slope (in the plane: of a disc of the same area; of a box: of a side); open: how often it was
# infinite; ratio: to the width without privacy, of the same test (in the plane to the mean width over
# directions), over 50 runs.
# In the committed table the rows of a normal law in the plane and in a box were made before the script stood
# on simulate_releases(), with the same laws and settings.

source("data-raw/figures.R")
source("data-raw/slabs.R")

# public-rng: simulated data
lines <- list(
  normal = function(n) list(x = rnorm(n), e = rnorm(n)),
  heteroscedastic = function(n) {
    x <- rnorm(n)
    list(x = x, e = rnorm(n) * (0.1 + abs(x)^2))
  },
  "discrete x" = function(n) list(x = sample(0:2, n, TRUE), e = rnorm(n)),
  "skew errors" = function(n) list(x = rexp(n), e = rexp(n) - log(2)),
  "rounded, heavy tails" = function(n) list(x = round(rnorm(n), 1), e = round(rt(n, 1), 1))
)
planes <- list(
  normal = function(n) cbind(rnorm(n), rnorm(n)),
  "correlated .9" = function(n) {
    x <- rnorm(n)
    cbind(x, 0.9 * x + sqrt(0.19) * rnorm(n), deparse.level = 0)
  },
  "heavy tails" = function(n) cbind(rnorm(n), rnorm(n)) / abs(rnorm(n)),
  atoms = function(n) matrix(sample(c(-1, 0, 0, 0, 1), 2 * n, TRUE), n)
)
boxes <- list(
  normal = function(n) matrix(rnorm(3 * n), n) + rnorm(n),
  lognormal = function(n) exp(matrix(rnorm(3 * n), n) + rnorm(n)) - 1,
  "atoms beside the median" = function(n) {
    matrix(ifelse(runif(3 * n) < 0.5, -runif(3 * n, 0, 0.01), 3 + rexp(3 * n)), n)
  }
)

threshold <- function(n) inner("scan_threshold")(n, 0.05, list(rho = 500, nu = 500))

# Without privacy: mean distance from the truth to the lines that bound the region of depths above t.
free_diameter <- function(x, t) {
  along <- inner("disc_rows_along")(x, c(0, 0), c(1, 1))
  width <- 2 * mean(along[nrow(x) - t, ])
  if (width > 1e-6) width else NA
}

plane_region <- function(x, setting, n, epsilon, t) {
  # without a step the draw finds no atom, and the region about it is wide
  fit <- dp_median(x, epsilon, lower = -50, upper = 50, interval = 0.95, method = "exponential",
                   resolution = if (setting == "atoms") 1)
  radius <- fit$details$region[[1, "radius"]] * 50
  within <- sum(solve(fit$details$shape, coef(fit))^2) <= radius^2
  c(within, 2 * radius * sqrt(det(fit$details$shape)), if (is.null(t)) NA else free_diameter(x, t))
}

# All sides together, of variables whose medians are 0 (or, of atoms, anything from 0 to 3).
box_region <- function(x, setting, epsilon) {
  top <- if (setting == "atoms beside the median") 3 else 0
  box <- dp_median(x, epsilon, lower = -50, upper = 50, interval = 0.95, simultaneous = TRUE)$interval
  c(all(box[, 1] <= top & box[, 2] >= 0 & (top > 0 | box[, 1] <= 0)), mean(box[, 2] - box[, 1]), NA)
}

draw_rows <- function(what, setting, n) {
  switch(what, line = lines, plane = planes, boxes)[[setting]](n)
}
region <- function(rows, what, setting, n, epsilon, replicate) {
  t <- if (replicate <= 50) threshold(n)
  switch(what, line = line_interval(rows, epsilon, t), plane = plane_region(rows, setting, n, epsilon, t),
         box_region(rows, setting, epsilon))
}

cells <- function(what, setting, n, epsilon) data.frame(what, setting, n, epsilon)
# the last ones with a private shape
design <- rbind(
  cells("line", "normal", 1000, 1), cells("line", names(lines), 300, 1),
  cells("plane", names(planes), 300, 1),
  cells("plane", "normal", 1000, 1), cells("box, d = 3", names(boxes), 300, 2),
  cells("plane", names(planes)[1:3], 1000, 4)
)
design <- pick(design, design[c(6, 10, 12), ])
found <- simulate_figure("region-coverage", design, draw_rows, region, replicates = runs(2000, 1))
table <- by_cell(found, interval_summary)
write_figure(table[c("what", "setting", "n", "epsilon", "runs", "coverage", "width", "open", "ratio")],
             "region-coverage")

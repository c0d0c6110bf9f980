# Coverage and width of intervals of lines and of regions in the plane: vignettes/region-coverage.csv.
#
# Rscript data-raw/region-coverage.R [runs]: 2000 runs of each setting by default, each row written as it
# comes. coverage: how often all intervals together, or the region, held the truth; width: mean over runs
# of a line's slope (in the plane: of a disc of the same area; of a box: of a side); open: how often it
# was infinite; ratio: to the width without privacy, of the same test (in the plane to the mean width over
# directions).
library(dpdepth)
options(dpdepth.rng = "R")
runs <- as.integer(c(commandArgs(TRUE), 2000)[[1]])
file <- "vignettes/region-coverage.csv"

skewed <- function(n) rexp(n) - log(2)
lines <- list(
  normal = function(n) list(x = rnorm(n), e = rnorm(n)),
  heteroscedastic = function(n) {
    x <- rnorm(n)
    list(x = x, e = rnorm(n) * (0.1 + abs(x)^2))
  },
  "discrete x" = function(n) list(x = sample(0:2, n, TRUE), e = rnorm(n)),
  "skew errors" = function(n) list(x = rexp(n), e = skewed(n)),
  "rounded, heavy tails" = function(n) list(x = round(rnorm(n), 1), e = round(rt(n, 1), 1))
)

# Without privacy: slopes with a fit of more than t rows' depth.
free_width <- function(x, y, t, truth) {
  rows <- dpdepth:::slab_rows(x, y, c(0, 1), NULL)
  deep <- function(b) .Call(dpdepth:::ffi_slab_bounds, rows, as.matrix(b), as.matrix(b), 50)[[1]] > t
  end <- function(side) {
    low <- 0
    high <- 50
    for (i in 1:16) {
      middle <- (low + high) / 2
      if (deep(truth + side * middle)) low <- middle else high <- middle
    }
    high
  }
  end(1) + end(-1)
}

write_row <- function(row) {
  write.table(row, file, sep = ",", row.names = FALSE, col.names = !file.exists(file),
              append = file.exists(file))
}

run_line <- function(name, n, epsilon) {
  t <- dpdepth:::scan_threshold(n, 0.05, list(rho = 500, nu = 500))
  out <- vapply(seq_len(runs), function(i) {
    d <- lines[[name]](n)
    y <- 1 + 2 * d$x + d$e
    limits <- dp_regression(y ~ x, data.frame(x = d$x, y = y), epsilon, lower = -50, upper = 50,
                            interval = 0.95)$interval
    width <- limits[2, 2] - limits[2, 1]
    c(all(limits[, 1] <= 1:2 & 1:2 <= limits[, 2]), width, if (i <= 50) free_width(d$x, y, t, 2) else NA)
  }, numeric(3))
  finite <- is.finite(out[2, ])
  write_row(data.frame(what = "line", setting = name, n = n, epsilon = epsilon, runs = runs,
                       coverage = mean(out[1, ]), width = mean(out[2, finite]), open = mean(!finite),
                       ratio = mean(out[2, finite]) / mean(out[3, ], na.rm = TRUE)))
}

planes <- list(
  normal = function(n) cbind(rnorm(n), rnorm(n)),
  "correlated .9" = function(n) {
    x <- rnorm(n)
    cbind(x, 0.9 * x + sqrt(0.19) * rnorm(n), deparse.level = 0)
  },
  "heavy tails" = function(n) cbind(rnorm(n), rnorm(n)) / abs(rnorm(n)),
  atoms = function(n) matrix(sample(c(-1, 0, 0, 0, 1), 2 * n, TRUE), n)
)

# Without privacy: mean distance from the truth to the lines that bound the region of depths above t.
free_diameter <- function(x, t) {
  along <- dpdepth:::disc_rows_along(x, c(0, 0), c(1, 1))
  width <- 2 * mean(along[nrow(x) - t, ])
  if (width > 1e-6) width else NA
}

run_plane <- function(name, n, epsilon) {
  t <- dpdepth:::scan_threshold(n, 0.05, list(rho = 500, nu = 500))
  out <- vapply(seq_len(runs), function(i) {
    x <- planes[[name]](n)
    # without a step the draw finds no atom, and the region about it is wide
    fit <- dp_median(x, epsilon, lower = -50, upper = 50, interval = 0.95, method = "exponential",
                     resolution = if (name == "atoms") 1)
    radius <- fit$details$region[[1, "radius"]] * 50
    within <- sum(solve(fit$details$shape, coef(fit))^2) <= radius^2
    c(within, 2 * radius * sqrt(det(fit$details$shape)), if (i <= 50) free_diameter(x, t) else NA)
  }, numeric(3))
  finite <- is.finite(out[2, ])
  write_row(data.frame(what = "plane", setting = name, n = n, epsilon = epsilon, runs = runs,
                       coverage = mean(out[1, ]), width = mean(out[2, finite]), open = mean(!finite),
                       ratio = mean(out[2, finite]) / mean(out[3, ], na.rm = TRUE)))
}

boxes <- list(
  normal = function(n, d) matrix(rnorm(d * n), n) + rnorm(n),
  lognormal = function(n, d) exp(matrix(rnorm(d * n), n) + rnorm(n)) - 1,
  "atoms beside the median" = function(n, d) {
    matrix(ifelse(runif(d * n) < 0.5, -runif(d * n, 0, 0.01), 3 + rexp(d * n)), n)
  }
)

# All sides together, of d variables whose medians are 0 (or, of atoms, anything from 0 to 3).
run_box <- function(name, d, n, epsilon) {
  top <- if (name == "atoms beside the median") 3 else 0
  out <- vapply(seq_len(runs), function(i) {
    box <- dp_median(boxes[[name]](n, d), epsilon, lower = -50, upper = 50, interval = 0.95,
                     simultaneous = TRUE)$interval
    c(all(box[, 1] <= top & box[, 2] >= 0 & (top > 0 | box[, 1] <= 0)), mean(box[, 2] - box[, 1]))
  }, numeric(2))
  finite <- is.finite(out[2, ])
  write_row(data.frame(what = sprintf("box, d = %d", d), setting = name, n = n, epsilon = epsilon,
                       runs = runs, coverage = mean(out[1, ]), width = mean(out[2, finite]),
                       open = mean(!finite), ratio = NA))
}

set.seed(1)
unlink(file)
run_line("normal", 1000, 1)
for (name in names(lines)) run_line(name, 300, 1)
for (name in names(planes)) run_plane(name, 300, 1)
run_plane("normal", 1000, 1)
for (name in names(boxes)) run_box(name, 3, 300, 2)
# with a private shape
for (name in names(planes)[1:3]) run_plane(name, 1000, 4)

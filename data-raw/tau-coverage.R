# Coverage and width of intervals of a line's quantiles: vignettes/tau-coverage.csv.
#
# Rscript data-raw/tau-coverage.R [runs]: 2000 runs of each setting by default, each row written as it comes.
# coverage: how often the intervals of intercept and slope together held the truth; width: mean over runs of
# the slope's, where it was finite; open: how often it was infinite; ratio: to the mean width of the same test
# without privacy, over 50 runs.
library(dpdepth)
options(dpdepth.rng = "R")
runs <- as.integer(c(commandArgs(TRUE), 2000)[[1]])
file <- "vignettes/tau-coverage.csv"

# Errors whose quantile tau is 0, given x.
settings <- list(
  normal = function(n, tau) list(x = rnorm(n), e = rnorm(n) - qnorm(tau)),
  "skew, heteroscedastic" = function(n, tau) {
    x <- runif(n, -1, 2)
    list(x = x, e = (rexp(n) - qexp(tau)) * (0.2 + abs(x)))
  },
  "discrete x, rounded" = function(n, tau) {
    list(x = sample(0:2, n, TRUE), e = pmax(pmin(round(rt(n, 2) - qt(tau, 2), 1), 40), -40))
  }
)

# Without privacy: slopes with a fit whose shifted count is above t.
free_width <- function(d, y, t, weights) {
  rows <- dpdepth:::slab_rows(d$x, y, c(0, 1), NULL, weights)
  deep <- function(b) .Call(dpdepth:::ffi_slab_bounds, rows, as.matrix(b), as.matrix(b), 50)[[1]] > t
  end <- function(side) {
    low <- 0
    high <- 50
    for (i in 1:16) {
      middle <- (low + high) / 2
      if (deep(2 + side * middle)) low <- middle else high <- middle
    }
    high
  }
  end(1) + end(-1)
}

run_setting <- function(name, n, tau, epsilon = 1) {
  weights <- dpdepth:::quantile_weights(tau)
  t <- dpdepth:::shifted_threshold(n, 0.05, list(rho = 500, nu = 500), 1, weights)
  out <- vapply(seq_len(runs), function(i) {
    d <- settings[[name]](n, tau)
    y <- 1 + 2 * d$x + d$e
    limits <- dp_regression(y ~ x, data.frame(x = d$x, y = y), epsilon, lower = -50, upper = 50, tau = tau,
                            interval = 0.95)$interval
    c(all(limits[, 1] <= 1:2 & 1:2 <= limits[, 2]), limits[2, 2] - limits[2, 1],
      if (i <= 50) free_width(d, y, t, weights) else NA)
  }, numeric(3))
  finite <- is.finite(out[2, ])
  row <- data.frame(setting = name, n = n, tau = tau, epsilon = epsilon, runs = runs,
                    coverage = mean(out[1, ]), width = mean(out[2, finite]), open = mean(!finite),
                    ratio = mean(out[2, finite]) / mean(out[3, ], na.rm = TRUE))
  write.table(row, file, sep = ",", row.names = FALSE, col.names = !file.exists(file),
              append = file.exists(file))
}

set.seed(1)
unlink(file)
run_setting("normal", 1000, 0.75)
run_setting("skew, heteroscedastic", 1000, 0.25)
run_setting("discrete x, rounded", 1000, 0.75)
run_setting("normal", 3000, 0.9)

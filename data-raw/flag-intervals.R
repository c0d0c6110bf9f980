# Slopes of numbers and of flags with and without intervals: writes vignettes/flag-intervals.csv.
#
# Usage: make simulations FIGURE=flag-intervals, or Rscript data-raw/flag-intervals.R [runs]
# y = 1 + x + N(0, 1), x normal or a flag that a share of the rows has; limits of about +-100.
# error: root mean squared of the slope; without: the same without an interval; planned: of flags, the mean
# width, and the chance of infinite limits.

source("data-raw/figures.R")

# public-rng: simulated data
draw <- function(n, share) {
  x <- if (is.na(share)) stats::rnorm(n) else stats::runif(n) < share
  data.frame(x = x, y = 1 + x + stats::rnorm(n))
}

slope <- function(d, n, share, epsilon) {
  half <- 100 * stats::runif(1, 0.7, 1.4)
  fit <- function(...) suppressWarnings(dp_regression(y ~ x, d, epsilon, lower = -half, upper = half, ...))
  with <- fit(interval = 0.95)
  limits <- with$interval[2, ]
  c(with = with$estimate[[2]] - 1, without = fit()$estimate[[2]] - 1, finite = all(is.finite(limits)),
    width = diff(limits)[[1]], covers = limits[[1]] <= 1 && 1 <= limits[[2]])
}

size <- function(v) signif(sqrt(mean(v^2)), 3)
design <- data.frame(n = c(300, 500, 1000, 2000, 4000, 300, 500, 1000, 1000, 1000, 2000), epsilon = 1,
                     share = c(rep(NA, 5), 0.3, 0.5, 0.1, 0.15, 0.3, 0.15))
design <- cells_of(design)
times <- runs(150)
set.seed(20245)
table <- do.call(rbind, lapply(seq_len(nrow(design)), function(i) {
  cell <- design[i, ]
  v <- t(replicate(if (cell$n > 1000) ceiling(times / 3) else times,
                   slope(draw(cell$n, cell$share), cell$n, cell$share, cell$epsilon)))
  planned <- plan_regression(cell$n, 1, cell$epsilon, lower = -100, upper = 100, interval = 0.95,
                             shares = if (!is.na(cell$share)) cell$share)
  data.frame(cell, runs = nrow(v), error = size(v[, "with"]), without = size(v[, "without"]),
             finite = signif(mean(v[, "finite"]), 3), median_width = signif(stats::median(v[, "width"]), 3),
             coverage = signif(mean(v[, "covers"]), 3), planned_width = signif(planned$width[[2]], 3),
             planned_far = signif(planned$far[[2]], 2))
}))
write_figure(table, "flag-intervals")

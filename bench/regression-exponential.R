# The private regression by the exponential mechanism: errors and times.
#
# Usage: Rscript bench/regression-exponential.R [replicates]; writes bench/regression-exponential.md.

source("bench/common.R")

replicates <- as.integer(c(commandArgs(TRUE), "200")[[1]])
options(dpdepth.rng = "R") # a simulation
quietly <- function(code) suppressWarnings(code, classes = "dpdepth_warning")
line <- function(name, ...) sprintf("| %s | %s |", name, paste(c(...), collapse = " | "))
digits <- function(x) format(signif(x, 2))

# -- predictions on the unit square: x ~ N(.5, .05), y = .5 x + .2 + N(0, .005), outliers at y = 1 -------

at <- c(0.25, 0.75)
draw_rows <- function(n, share) {
  x <- stats::rnorm(n, 0.5, 0.05)
  y <- 0.5 * x + 0.2 + stats::rnorm(n, 0, 0.005)
  data.frame(x = x, y = replace(y, seq_len(round(share * n)), 1))
}
predictions <- function(n, epsilon, share, fit) {
  set.seed(n)
  e <- vapply(seq_len(replicates), function(i) {
    as.vector(quietly(predict(fit(draw_rows(n, share), epsilon), data.frame(x = at)))) - (0.5 * at + 0.2)
  }, c(0, 0))
  sqrt(mean(e^2, na.rm = TRUE))
}
fits <- list(
  function(d, e) dpdepth::dp_regression(y ~ x, d, e, at = at, lower = 0, upper = 1),
  function(d, e) dpdepth::rival_regression(y ~ x, d, e, 0, "theilsen", 0, 1, 0, 1, matchings = 5),
  function(d, e) stats::lm(y ~ x, d)
)
cases <- data.frame(n = c(100, 200, 200, 200), epsilon = c(1, 1, 0.5, 1), share = c(0, 0, 0, 0.2),
                    wanted = c(0.006, 0.0035, 0.005, 0.02))
squares <- vapply(seq_len(nrow(cases)), function(i) {
  found <- vapply(fits, function(fit) predictions(cases$n[[i]], cases$epsilon[[i]], cases$share[[i]], fit), 0)
  name <- sprintf("n = %d, epsilon = %g, %g%% outliers", cases$n[[i]], cases$epsilon[[i]],
                  100 * cases$share[[i]])
  line(name, cases$wanted[[i]], vapply(found, digits, ""))
}, "")

# -- standard normal regressors and errors, coefficients in [-50, 50] ----------------------------------

normal_rows <- function(n, p) {
  x <- matrix(stats::rnorm(n * p), n)
  data.frame(y = stats::rnorm(n), x)
}
coefficients <- function(n, p, epsilon, runs, fit, size) {
  set.seed(n + p)
  e <- vapply(seq_len(runs), function(i) size(fit(normal_rows(n, p), epsilon)), 0)
  stats::median(e)
}
ours <- function(d, e) stats::coef(quietly(dpdepth::dp_regression(y ~ ., d, e, lower = -50, upper = 50)))
plain <- function(d, e) stats::coef(stats::lm(y ~ ., d))
# the line at the quartiles of x, or the slopes
quartiles <- function(b) mean(abs(b[[1]] + c(-1, 1) * stats::qnorm(0.75) * b[[2]]))
slopes <- function(b) sqrt(mean(b[-1]^2))
normals <- c(
  line("n = 200, p = 1, epsilon = 1, median error at the quartiles", 0.11,
       digits(coefficients(200, 1, 1, replicates, ours, quartiles)),
       digits(coefficients(200, 1, 1, replicates, plain, quartiles))),
  line("n = 500, p = 3, epsilon = 1, median root mean square of slopes", 0.075,
       digits(coefficients(500, 3, 1, replicates %/% 5, ours, slopes)),
       digits(coefficients(500, 3, 1, replicates %/% 5, plain, slopes)))
)

# -- quantiles: standard normal, the line of quantile tau at the quartiles of x -------------------------

shapes <- data.frame(n = c(1000, 2000, 4000, 4000), tau = c(0.9, 0.9, 0.9, 0.95))
quantiles <- vapply(seq_len(nrow(shapes)), function(i) {
  tau <- shapes$tau[[i]]
  how <- NULL
  at_tau <- function(d, e) {
    fit <- quietly(dpdepth::dp_regression(y ~ ., d, e, lower = -50, upper = 50, tau = tau))
    how <<- if (grepl("less their expectation", fit$details$depth)) "less their expectation" else "weighted"
    stats::coef(fit) - c(stats::qnorm(tau), 0)
  }
  error <- coefficients(shapes$n[[i]], 1, 1, replicates, at_tau, quartiles)
  line(sprintf("n = %d, tau = %g", shapes$n[[i]], tau), how, digits(error))
}, "")

# -- times ---------------------------------------------------------------------------------------

# By name, as so many rows are with four regressors.
seconds <- function(n, p, runs) {
  set.seed(n)
  d <- normal_rows(n, p)
  release <- function() {
    quietly(dpdepth::dp_regression(y ~ ., d, 1, lower = -50, upper = 50, method = "exponential"))
  }
  apply(vapply(seq_len(runs), function(i) system.time(release())[c(3, 1)], c(0, 0)), 1, stats::median)
}
timed <- data.frame(n = c(1000, 20000, 1e6, 1000, 1000, 10000), p = c(1, 1, 1, 2, 3, 4),
                    runs = c(9, 5, 1, 9, 5, 3), wanted = c("0.02", "0.5", "20", "0.1", "1", "none"))
times <- vapply(seq_len(nrow(timed)), function(i) {
  line(sprintf("n = %s, p = %d", format(timed$n[[i]], big.mark = ",", scientific = FALSE), timed$p[[i]]),
       timed$wanted[[i]], vapply(seconds(timed$n[[i]], timed$p[[i]], timed$runs[[i]]), digits, ""))
}, "")

peak <- in_fresh_r("set.seed(1)
d <- data.frame(x = stats::rnorm(1e6), y = stats::rnorm(1e6))
invisible(gc())
before <- peak_mb()
fit <- dpdepth::dp_regression(y ~ x, d, 1, lower = -50, upper = 50, rng = 'R')
cat(round(peak_mb() - before))")

write_page("regression-exponential", c(
  "# The private regression by the exponential mechanism", "",
  sprintf("Made by bench/regression-exponential.R with %d replicates.", replicates), "",
  ran_on("two threads"), "",
  "Root mean squared error of predictions at x = 0.25 and 0.75: x ~ N(0.5, 0.05), y = 0.5 x + 0.2 +",
  "N(0, 0.005), predictions in [0, 1], outliers at y = 1.", "",
  "| case | aim | dp_regression() | Theil-Sen, 5 matchings | least squares, not private |",
  "|---|---|---|---|---|",
  squares, "", "Standard normal regressors and errors, coefficients in [-50, 50].", "",
  "| case | aim | dp_regression() | least squares, not private |", "|---|---|---|---|", normals, "",
  "Quantiles, the same data, epsilon = 1: median error of the line at the quartiles of x. Counts less their",
  "expectation are taken from n epsilon = 1440 on for tau = 0.9, from 3040 on for 0.95.", "",
  "| case | counts | error |", "|---|---|---|", quantiles, "",
  sprintf("Seconds of a release at epsilon = 1, median, by the clock, at a load of %s.", machine_load()), "",
  "| case | aim | seconds | of the processor |", "|---|---|---|---|", times, "",
  sprintf("Memory of the release with n = 1,000,000 beside its data: %s MB (aim: 200 MB).", peak)
))

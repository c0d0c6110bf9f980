# Limits of correlations and scales: how often they cover, and how wide they are. Writes rank-coverage.csv.
#
# Usage: make simulations FIGURE=rank-coverage, or Rscript data-raw/rank-coverage.R [runs]; some ten minutes
# of processor time. Nominal level .95, epsilon 1. error: root mean squared of the estimate, in the law's
# standard deviations for scales; without: the same without privacy.

source("data-raw/figures.R")

# public-rng: simulated data
likert <- cumsum(c(0.1, 0.15, 0.3, 0.3, 0.15))
pair <- function(x, e, rho) cbind(a = x, b = rho * x + sqrt(1 - rho^2) * e)
laws <- list(
  "independent" = list(tau = 0, draw = function(n) pair(stats::rnorm(n), stats::rnorm(n), 0)),
  "normal, correlation .6" = list(tau = 2 / pi * asin(0.6),
                                  draw = function(n) pair(stats::rnorm(n), stats::rnorm(n), 0.6)),
  "normal, correlation .95" = list(tau = 2 / pi * asin(0.95),
                                   draw = function(n) pair(stats::rnorm(n), stats::rnorm(n), 0.95)),
  "five grades, alike for .4" = list(tau = NA, draw = function(n) {
    a <- findInterval(stats::runif(n), likert)
    b <- ifelse(stats::runif(n) < 0.4, a, findInterval(stats::runif(n), likert))
    cbind(a = a, b = b)
  }),
  "flags of 1 in 10" = list(tau = 0, draw = function(n) {
    cbind(a = stats::runif(n) < 0.1, b = stats::runif(n) < 0.1)
  }),
  "monotone" = list(tau = 1, draw = function(n) cbind(a = stats::rcauchy(n), b = NA))
)
# of grades: by the joint law
joint <- 0.4 * diag(diff(c(0, likert))) + 0.6 * tcrossprod(diff(c(0, likert)))
k <- seq_len(nrow(joint))
signs <- outer(k, k, function(i, j) sign(i - j))
laws[["five grades, alike for .4"]]$tau <- sum(joint * (signs %*% joint %*% t(signs)))

one_tau <- function(name, n) {
  law <- laws[[name]]
  x <- law$draw(n) + 0
  if (name == "monotone") x[, 2] <- x[, 1]^3
  r <- dp_correlation(x, 1, interval = 0.95, rng = "R")
  own <- inner("concordances")(x, 0) / inner("count_pairs")(n)
  c(r$estimate - law$tau, own - law$tau, r$interval, law$tau)
}

scale_laws <- list(
  normal = list(mad = stats::qnorm(0.75), iqr = 2 * stats::qnorm(0.75), draw = stats::rnorm),
  exponential = list(mad = 0.4812118251, iqr = log(3), draw = stats::rexp),
  Cauchy = list(mad = 1, iqr = 2, draw = stats::rcauchy)
)
one_scale <- function(name, n, statistic, half) {
  law <- scale_laws[[name]]
  x <- law$draw(n) + 3
  truth <- law[[statistic]] * if (statistic == "mad") 1.4826 else 1
  of <- function(...) dp_scale(x, 1, -half, half, statistic, rng = "R", ...)
  own <- if (statistic == "mad") stats::mad(x) else stats::IQR(x)
  r <- suppressWarnings(of(interval = 0.95))
  c(suppressWarnings(of())$estimate - truth, own - truth, r$interval, truth)
}

summary_of <- function(v) {
  rms <- function(e) signif(sqrt(mean(e^2)), 3)
  data.frame(runs = ncol(v), error = rms(v[1, ]), without = rms(v[2, ]),
             width = signif(stats::median(v[4, ] - v[3, ]), 3),
             coverage = mean(v[3, ] <= v[5, ] + 1e-9 & v[5, ] <= v[4, ] + 1e-9))
}

times <- runs(2000)
set.seed(20301)
taus <- cells_of(expand.grid(law = names(laws), n = c(100, 500, 2000), stringsAsFactors = FALSE))
scales <- cells_of(rbind(
  expand.grid(law = names(scale_laws), n = c(300, 1000), statistic = "mad", half = 20,
              stringsAsFactors = FALSE),
  expand.grid(law = "normal", n = c(300, 1000), statistic = c("mad", "iqr"), half = c(20, 1000),
              stringsAsFactors = FALSE)[3:6, ],
  data.frame(law = "normal", n = 5000, statistic = "mad", half = 20)
))
tau_rows <- lapply(seq_len(nrow(taus)), function(i) {
  cell <- taus[i, ]
  v <- replicate(times, one_tau(cell$law, cell$n))
  cbind(statistic = "tau", cell, half = NA, summary_of(v))
})
scale_rows <- lapply(seq_len(nrow(scales)), function(i) {
  set.seed(20303 + i)
  cell <- scales[i, ]
  v <- replicate(times, one_scale(cell$law, cell$n, cell$statistic, cell$half))
  cbind(cell[c("statistic", "law", "n", "half")], summary_of(v))
})
write_figure(do.call(rbind, c(tau_rows, scale_rows)), "rank-coverage")

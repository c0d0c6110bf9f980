# Without limits: the rows that medians and regressions need, and their errors.
#
# Usage: Rscript bench/unlimited.R; writes bench/unlimited.md. About six minutes on an idle machine.

source("bench/common.R")
library(dpdepth)
ns <- asNamespace("dpdepth")
dpdepth_threads(1)
set.seed(1)

# -- the dyadic prior ------------------------------------------------------------------------------------

along_axes <- function(z, x) {
  min(vapply(seq_along(z), function(j) min(sum(x[, j] <= z[[j]]), sum(x[, j] >= z[[j]])), 0))
}

# The share of draws less deep than n/8, over samples of 20 draws each.
shallow <- function(n, d, away, samples) {
  mean(replicate(samples, {
    x <- matrix(stats::rnorm(n * d), n) + away
    z <- ns$draw_axes(x, ns$prior_for(prior_dyadic(2^-16), d), 1, "R", 20L)
    mean(apply(z, 1, along_axes, x) < n / 8)
  }))
}

dyadic <- vapply(c(1, 2, 5, 10, 20, 50), function(d) {
  rows <- function(away) {
    ceiling(ns$search_minimum(function(n) ns$dyadic_failure(ceiling(n), d, 1, away) < 1e-3, 2, 1e5, 1.002))
  }
  n <- c(rows(1), rows(1000))
  share <- c(shallow(n[[1]], d, 1, 100), shallow(n[[2]], d, 1000, 100))
  sprintf("| %d | %d | %.4f | %d | %.4f |", d, n[[1]], share[[1]], n[[2]], share[[2]])
}, "")

# -- the restricted mechanism ----------------------------------------------------------------------------

restricted <- function(n, d, outliers = 0, samples = 60) {
  plan <- ns$restricted_axes_plan(n, d, 1, 1e-6, outliers)
  far <- ceiling(outliers * n)
  margins <- replicate(samples, {
    x <- rbind(matrix(stats::rnorm((n - far) * d), ncol = d), matrix(1e3, far, d))
    ns$restricted_axes_margin(ns$sort_columns(round(x * 2^16)), plan$level, 1 - plan$share, 1e-6, n)
  })
  sprintf("| %d | %s | %d | %d | %.2f | %.0f | %.1f | %.3f |", d, outliers, n, plan$level, plan$share,
          plan$margin, mean(margins), mean(ns$test_chance(margins, plan$share, 1e-6)))
}
sizes <- list(c(253, 1), c(282, 2), c(359, 5), c(446, 10), c(618, 20), c(1060, 50), c(554, 2, 0.2),
              c(1159, 20, 0.2))
tests <- vapply(sizes, function(s) restricted(s[[1]], s[[2]], if (length(s) > 2) s[[3]] else 0), "")

errors <- vapply(c(2, 10, 20), function(d) {
  found <- replicate(60, {
    x <- matrix(stats::rnorm(1000 * d), ncol = d)
    tested <- coef(dp_median_restricted(x, 1, 1e-6, rng = "R"))
    pure <- coef(suppressWarnings(dp_median(x + 500, 1, rng = "R"))) - 500
    c(mean(tested^2), mean(pure^2), mean(apply(x, 2, stats::median)^2))
  })
  sprintf("| %d | %s |", d, paste(sprintf("%.3f", sqrt(rowMeans(found))), collapse = " | "))
}, "")

# -- batches ---------------------------------------------------------------------------------------------

batches <- vapply(list(c(3, 2400), c(8, 6000), c(3, 1300), c(8, 5500), c(1, 500)), function(s) {
  p <- s[[1]]
  b <- c(7, seq(-20, 20, length.out = p))
  fit <- function(...) {
    x <- as.data.frame(matrix(stats::rnorm(s[[2]] * p), s[[2]]))
    x$y <- b[[1]] + drop(as.matrix(x) %*% b[-1]) + stats::rnorm(s[[2]])
    r <- suppressWarnings(dp_regression(y ~ ., x, 1, ..., method = "batches", rng = "R"))
    c(mean((coef(r) - b)^2), r$details$batches)
  }
  none <- rowMeans(replicate(60, fit()))
  bounds <- rowMeans(replicate(60, fit(lower = -50, upper = 50)))
  sprintf("| %d | %d | %.0f | %.3f | %.0f | %.3f | %.3f |", p, s[[2]], none[[2]], sqrt(none[[1]]),
          bounds[[2]], sqrt(bounds[[1]]), 1 / sqrt(s[[2]]))
}, "")

# -- lines and planes under the dyadic prior ---------------------------------------------------------------

slope_rows <- function(n, p, away) {
  x <- matrix(stats::rnorm(n * p), n)
  data.frame(y = away + away * rowSums(x) + stats::rnorm(n), x)
}

# The share of fits less deep than n/8, over samples of 20 draws each.
shallow_fits <- function(n, p, away, samples) {
  terms <- c("(Intercept)", paste0("X", seq_len(p)))
  plan <- ns$plan_exponential(n, terms, list(), 1, 0, 0.5)
  mean(replicate(samples, {
    d <- slope_rows(n, p, away)
    x <- as.matrix(d[-1])
    fits <- .Call(ns$ffi_regression_draw, "R", ns$fit_rows(x, d$y, plan), ns$prior_fields(plan$prior), 1,
                  c(1L, 1L), 20L)$draws
    mean(depth_regression(fits, x, d$y) < 1 / 8)
  }))
}

lines <- vapply(list(c(160, 1, 100), c(330, 2, 50)), function(s) {
  share <- vapply(c(1, 1000), function(away) shallow_fits(s[[1]], s[[2]], away, s[[3]]), 0)
  sprintf("| %d | %d | %d | %.4f | %.4f |", s[[2]], s[[1]], 20 * s[[3]], share[[1]], share[[2]])
}, "")

# Root mean squared errors of a slope.
slope_errors <- function(n, p, away, samples = 30) {
  found <- replicate(samples, {
    d <- slope_rows(n, p, away)
    error <- function(b) mean((b[-1] - away)^2)
    fit <- function(method) {
      error(coef(suppressWarnings(dp_regression(y ~ ., d, 1, method = method, rng = "R"))))
    }
    c(fit("exponential"), fit("batches"), error(coef(stats::lm(y ~ ., d))))
  })
  shown <- sprintf("%.2g", sqrt(rowMeans(found)))
  sprintf("| %d | %d | %d | %s |", p, n, away, paste(shown, collapse = " | "))
}
fits <- vapply(list(c(200, 1, 1), c(200, 1, 1000), c(400, 1, 1), c(400, 1, 1000), c(1000, 1, 1),
                    c(1000, 1, 1000), c(400, 2, 1), c(400, 2, 1000), c(1000, 2, 1), c(1000, 2, 1000)),
               function(s) slope_errors(s[[1]], s[[2]], s[[3]]), "")

write_page("unlimited", c(
  "# Without limits, along the axes", "",
  paste(ran_on("one thread"), "Standard normal data, epsilon = 1. Made by `bench/unlimited.R`."), "",
  "## prior_dyadic(): rows from which a draw less deep than n/8 has a chance below 1e-3", "",
  "On columns of normal quantiles, by the formula that `dp_median()` goes by; beside it the share of 2000",
  "draws on samples of that size. The unit is 2^-16 standard deviations. (The origin, 1 sd away, has",
  "depth 0.16 n in each column: of many columns of a sample one has less than n/8. The rule goes by",
  "1000 sd.)",
  "",
  "| d | median 1 sd from the origin | share | 1000 sd | share |", "|---:|---:|---:|---:|---:|", dyadic, "",
  "## dp_median_restricted(): delta = 1e-6", "",
  "Margins as planned on quantiles, and of 60 samples; the chance to pass.", "",
  "| d | outliers | n | level | share | planned | samples | passes |",
  "|---:|---:|---:|---:|---:|---:|---:|---:|", tests, "",
  "Root mean squared errors a coordinate, n = 1000, 60 samples. (For 20 variables the dyadic prior needs",
  "1107 rows, and `dp_median()` warns: with fewer, draws of any size occur.)", "",
  "| d | restricted | pure, 500 sd from the origin | sample median |", "|---:|---:|---:|---:|", errors, "",
  "## dp_regression(method = \"batches\"): root mean squared error of a coefficient, 60 samples", "",
  "Normal regressors and errors with standard deviation 1, coefficients up to 20. Bounds: -50 to 50.", "",
  "| p | n | batches, no limits | error | batches, bounds | error | 1/sqrt(n) |",
  "|---:|---:|---:|---:|---:|---:|---:|", batches, "",
  "## dp_regression() under prior_dyadic(): draws by regression depth", "",
  "The share of draws less deep than n/8 where `auto` begins to take it; coefficients 1 and 1000 times the",
  "errors' standard deviation, at a unit of 2^-20 of it.", "",
  "| p | n | draws | share, at 1 | at 1000 |", "|---:|---:|---:|---:|---:|", lines, "",
  "Root mean squared error of a slope, 30 samples.",
  "`auto` takes the exponential mechanism at each of these sizes, and batches nowhere that their error is of",
  "the order of 1e8.", "",
  "| p | n | coefficients | exponential | batches | least squares, not private |",
  "|---:|---:|---:|---:|---:|---:|", fits
))

# The private regressions on real data: writes vignettes/regression-chains.csv.
#
# Usage: make simulations FIGURE=regression-chains, with the package survival (a minute of processor time)
#
# survival::flchain, the men: free light chains of immunoglobulin in the blood, lambda ~ kappa (mg/dL). In
# each replicate n men are drawn; the error is that of the line at kappa = 1 and at kappa = 2, both together,
# against the deepest line of all men. Limits [-b, b] of both coefficients. Medsweep gets kappa centered at
# 1.5.
#
# what = "epsilon": by epsilon and n; "bound": by b, with epsilon = 2 and n = 500.
# The committed table is of 22 November 2026: it has the same laws and settings, and other samples, as it was
# made before the script stood on simulate_releases().

source("data-raw/figures.R")
shipped <- new.env()
utils::data("flchain", package = "survival", envir = shipped)
men <- shipped$flchain[shipped$flchain$sex == "M", c("kappa", "lambda")]
men <- pick(men, men[1:60, ])
men$above <- men$kappa - 1.5
truth <- c(cbind(1, 1:2) %*% stats::coef(regress_deepest(lambda ~ kappa, men)))
epsilons <- pick(c(0.5, 1, 2, 4), c(1, 2))

draw_rows <- function(n) {
  remember("deepest_spreads", 1)
  remember("smooth_constants", 20)
  men[sample(nrow(men), n), ] # public-rng: a simulation
}

# The errors of two fits at each epsilon, or at epsilon = 2.
errors_of <- function(fit, what) {
  each <- if (what == "epsilon") epsilons else 2
  suppressWarnings(as.vector(abs(vapply(each, fit, c(0, 0)) - truth)))
}
estimates <- list(
  exponential = function(data, what, bound) {
    errors_of(function(epsilon) {
      fit <- dp_regression(lambda ~ kappa, data, epsilon, lower = -bound, upper = bound)
      c(cbind(1, 1:2) %*% stats::coef(fit))
    }, what)
  },
  Medsweep = function(data, what, bound) {
    errors_of(function(epsilon) {
      fit <- dp_regression(lambda ~ above, data, epsilon, 1e-6, method = "medsweep", lower = -bound,
                           upper = bound)
      c(cbind(1, c(-0.5, 0.5)) %*% stats::coef(fit))
    }, what)
  },
  "not private" = function(data, what) {
    if (what == "bound") return(NA_real_)
    abs(c(cbind(1, 1:2) %*% stats::coef(regress_deepest(lambda ~ kappa, data))) - truth)
  }
)

design <- rbind(data.frame(what = "epsilon", n = c(2000, 1000, 500, 250, 100), bound = 10),
                data.frame(what = "bound", n = 500, bound = 10^(0:6)))
design <- pick(design, transform(design[5, ], n = 50))
found <- simulate_figure("regression-chains", design, draw_rows, estimates, replicates = runs(50))
table <- by_cell(found, function(v, cell) {
  # two errors a fit
  fit <- rep(seq_len(max(1, ncol(v) / 2)), each = min(2, ncol(v)))
  typical <- vapply(split(v, fit[col(v)]), stats::median, 0)
  each <- if (length(typical) > 1) epsilons else if (cell$what == "epsilon") NA else 2
  data.frame(epsilon = each, median_abs = signif(typical, 3))
})
table <- table[!is.na(table$median_abs), ]
names(table)[names(table) == "estimate"] <- "method"
table <- table[order(table$what, table$method, table$n, table$epsilon, table$bound), ]
write_figure(table[c("what", "n", "epsilon", "bound", "method", "median_abs")], "regression-chains", na = "")

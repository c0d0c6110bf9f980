# The private regressions against each other: writes vignettes/regression-settings.csv.
#
# Usage: make simulations FIGURE=regression-settings, or Rscript data-raw/regression-settings.R [replicates,
# 100] (half an hour of processor time)
#
# epsilon from 0.1 to 2, n from 50 to 20,000, outliers, unequal variances, a regressor of five values, and up
# to eight regressors; y = 1 + 2 (x1 + x2 + ...) + v. Boxes are public: [-5, 5] for a regressor, [-20, 20] for
# the response. Errors at the quartiles of x; with several regressors those of the slopes. All methods see the
# same data.
# The committed table has the same laws and settings; its rows of one and three regressors, and those without
# outliers of all but four, are of 22 November 2026, before the script stood on simulate_releases(): other
# samples.

source("data-raw/regression-methods.R")
box <- list(x = c(-5, 5), y = c(-20, 20))

# What is wrong with the rows: regressors and errors are standard normal but where `kind` says otherwise.
# Outliers: a cluster at x = 3 (each regressor), y = -15.
outliers <- c("5% outliers" = 0.05, "10% outliers" = 0.1, "20% outliers" = 0.2)
kinds <- c("normal", names(outliers), "errors with spread 0.2 + |x|", "x of five values")

# public-rng: simulated data
draw_rows <- function(kind, p, n) {
  remember_searches()
  x <- matrix(if (kind == "x of five values") sample(0:4, n, TRUE) else stats::rnorm(n * p), n,
              dimnames = list(NULL, if (p > 1) paste0("x", seq_len(p)) else "x"))
  spread <- if (kind == "errors with spread 0.2 + |x|") 0.2 + abs(x[, 1]) else 1
  y <- 1 + 2 * rowSums(x) + spread * stats::rnorm(n)
  bad <- seq_len(if (kind %in% names(outliers)) round(outliers[[kind]] * n) else 0)
  x[bad, ] <- 3 + stats::rnorm(length(bad) * p, 0, 0.1)
  y[bad] <- -15 + stats::rnorm(length(bad), 0, 0.1)
  data.frame(x, y = y)
}

errors_of <- function(fit, kind, p) {
  if (p > 1) return(unname(stats::coef(fit)[-1]) - 2)
  at <- if (kind == "x of five values") c(1, 3) else stats::qnorm(c(0.25, 0.75))
  as.vector(cbind(1, at) %*% (stats::coef(fit) - c(1, 2)))
}

# Which methods serve: those that take n^2 log n up to 500 or 1000 rows; what knows one regressor only; the
# exponential mechanism up to four regressors. With four and 20% of outliers in a tight cluster a draw takes
# 10 to 15 seconds of processor time.
methods <- c(ours, boxed[setdiff(names(boxed), "gradient")], list(TukeyEM = tukeyem))
serving <- function(n, p) {
  slow <- c(if (n > 1000) c("deepest", "gradient, clipped at 0.25"))
  line <- if (p > 1) c("deepest", setdiff(names(boxed), "AdaSSP"))
  far <- c(if (p > 4) "exponential", if (p > 3) "Medsweep") # 45 steps: hopeless, and slow
  c("least squares", setdiff(names(methods), c(slow, line, far)))
}

# The errors of a method at all epsilons of the cell, NA where it is refused or releases nothing.
few <- c(0.1, 0.5, 1, 2)
epsilons_of <- function(epsilons) if (epsilons == "few") few else 1
estimates <- lapply(methods, function(method) {
  force(method)
  function(data, kind, p, epsilons) {
    unlist(lapply(epsilons_of(epsilons), function(epsilon) {
      fit <- attempt(method, data, epsilon, box)
      if (is.null(fit)) rep(NA_real_, max(p, 2)) else errors_of(fit, kind, p)
    }))
  }
})
estimates[["least squares"]] <- function(data, kind, p) errors_of(stats::lm(y ~ ., data), kind, p)

whole <- runs(100)
case <- function(kind, n, p, epsilons = "one", times = whole) {
  data.frame(kind = kind, n = n, p = p, epsilons = epsilons, replicates = pmin(whole, times))
}
# the last ones with fewer replicates, where a draw takes seconds
cases <- rbind(
  case("normal", c(50, 200, 500, 1000, 5000, 20000), 1, "few"),
  case(rep(kinds[-1], each = 2), c(200, 500), 1), case("normal", c(500, 2000, 6000), 8),
  case("normal", c(200, 1000), 2), case("normal", 500, 3),
  case("normal", c(4000, 5000, 5500), 5:7, times = 30),
  case(rep(names(outliers), each = 2), 500, 2:3, times = 20),
  case(c("normal", names(outliers)), 500, 4, times = 30), case("normal", 1000, 4, times = 30),
  case(rep(names(outliers), each = 4), c(4000, 5000, 5500, 6000), 5:8, times = 30)
)
cases <- cells_of(cases)
sets <- Map(serving, cases$n, cases$p)
sets <- pick(sets, lapply(sets, `[`, c(1, 2, 3, 9)))
design <- cbind(cases[rep(seq_along(sets), lengths(sets)), ], estimate = unlist(sets), row.names = NULL)
found <- simulate_figure("regression-settings", design, draw_rows, estimates)
table <- by_cell(found, function(v, cell) {
  each <- if (ncol(v) > max(cell$p, 2)) few else 1
  parts <- split(seq_len(ncol(v)), rep(seq_along(each), each = max(cell$p, 2)))
  cbind(epsilon = each, do.call(rbind, lapply(parts, function(k) error_summary(v[, k, drop = FALSE]))))
})
names(table)[names(table) == "estimate"] <- "method"
table$epsilon[table$method == "least squares"] <- NA
table <- table[c("kind", "p", "n", "method", "epsilon", "replicates", "failed", "mse", "mse_se",
                 "median_abs")]
write_figure(table[do.call(order, c(unname(table[1:5]), method = "radix")), ], "regression-settings", na = "")

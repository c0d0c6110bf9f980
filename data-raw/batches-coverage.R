# Coverage and width of intervals of several regressors: writes vignettes/batches-coverage.csv.
#
# Usage: make simulations FIGURE=batches-coverage, or Rscript data-raw/batches-coverage.R [runs]
# Beside them the sign interval of the same batches' fits, and that of lm(), both without privacy.

source("data-raw/figures.R")

# public-rng: simulated data
normal <- function(n, p) matrix(rnorm(n * p), n)
correlated <- function(n, p) sqrt(0.9) * rnorm(n) + sqrt(0.1) * normal(n, p)
plain <- function(x) rnorm(nrow(x))
skew <- function(x) rexp(nrow(x)) - 1

# Widths are those of the first slope, and of the others.
# x: regressors; e: errors given them; promised: whether the coverage is proved
cells <- list(
  list(law = "normal", n = 1000, p = 2, x = normal, e = plain),
  list(law = "normal", n = 500, p = 2, epsilon = 2, x = normal, e = plain),
  list(law = "normal", n = 5000, p = 5, x = normal, e = plain),
  list(law = "normal", n = 6000, p = 8, x = normal, e = plain, epsilon = 2),
  list(law = "spread grows with x", n = 1000, p = 2, x = normal, e = function(x) rnorm(nrow(x)) * x[, 1]^2),
  list(law = "Cauchy", n = 1000, p = 2, x = normal, e = function(x) rcauchy(nrow(x))),
  list(law = "signs, whole x", n = 1000, p = 2, x = function(n, p) matrix(sample(0:3, n * p, TRUE), n),
       e = function(x) sample(c(-1, 1), nrow(x), TRUE)),
  list(law = "no errors, whole x", n = 1000, p = 2,
       x = function(n, p) matrix(sample(0:3, n * p, TRUE), n), e = function(x) numeric(nrow(x))),
  list(law = "a flag of a half", n = 3000, p = 3, e = plain,
       x = function(n, p) cbind(rbinom(n, 1, 0.5), normal(n, 2))),
  list(law = "a flag of a tenth", n = 6000, p = 3, e = plain,
       x = function(n, p) cbind(rbinom(n, 1, 0.1), normal(n, 2))),
  list(law = "correlated .9", n = 2000, p = 3, x = correlated, e = plain),
  list(law = "skew errors", n = 2000, p = 2, x = normal, e = skew, promised = "slopes"),
  list(law = "skew errors and x", n = 2000, p = 2, x = function(n, p) exp(normal(n, p)), e = skew,
       promised = "none"),
  list(law = "skew errors and x", n = 20000, p = 2, x = function(n, p) exp(normal(n, p)), e = skew,
       promised = "none", runs = 400L),
  list(law = "skew errors and x", n = 20000, p = 2, x = function(n, p) exp(normal(n, p)), e = skew,
       promised = "none", size = 60, runs = 400L)
)

sign_interval <- function(fits) {
  m <- nrow(fits)
  k <- qbinom(0.025, m, 0.5)
  apply(fits, 2, function(v) {
    v <- sort(v)
    v[[m - k + 1]] - v[[k]]
  })
}

plan_of <- function(cell) {
  terms <- c("(Intercept)", paste0("x", seq_len(cell$p)))
  inner("plan_batches")(cell$n, terms, list(lower = -50, upper = 50), cell$epsilon, 0, 0.5,
                        interval = 0.95, size = cell$size)
}
truth_of <- function(p) c(1, seq(-2, 3, length.out = p))
cells <- lapply(cells, function(cell) utils::modifyList(list(epsilon = 1, promised = "all"), cell))

draw_rows <- function(setting, n, p) {
  x <- cells[[setting]]$x(n, p)
  list(x = x, y = drop(cbind(1, x) %*% truth_of(p)) + cells[[setting]]$e(x))
}

# For each coefficient, whether it is covered, the width, whether this is infinite, and two widths without
# privacy.
intervals <- function(rows, setting, p) {
  x <- rows$x
  y <- rows$y
  plan <- plan_of(cells[[setting]])
  truth <- truth_of(p)
  limits <- inner("run_batches")(x, y, plan, "R")$interval
  fit <- lm.fit(cbind(1, x), y)
  se <- sqrt(sum(fit$residuals^2) / fit$df.residual * diag(chol2inv(qr.R(fit$qr))))
  fits <- inner("sided_fits")(x, y, plan, "R")
  c(limits[, 1] <= truth & truth <= limits[, 2], limits[, 2] - limits[, 1],
    is.infinite(limits[, 2] - limits[, 1]), sign_interval(fits), 2 * qt(0.975, fit$df.residual) * se)
}

of <- function(name) vapply(cells, `[[`, cells[[1]][[name]], name)
whole <- runs(2000, 1)
design <- data.frame(setting = seq_along(cells), n = of("n"), p = of("p"), replicates = whole)
few <- lengths(lapply(cells, `[[`, "runs")) > 0
design$replicates[few] <- min(whole, 400)
found <- simulate_figure("batches-coverage", cells_of(design), draw_rows, intervals, seed = 140)
table <- by_cell(found, function(v, cell) {
  own <- cells[[cell$setting]]
  found <- array(v, c(nrow(v), cell$p + 1, 5)) # replicates, coefficients, numbers
  covered <- colMeans(found[, , 1, drop = FALSE])
  first <- function(k) signif(median(found[, 2, k]), 4)
  width <- function(k) signif(median(found[, -(1:2), k]), 4)
  data.frame(law = own$law, epsilon = own$epsilon, batches = plan_of(own)$batches, runs = nrow(v),
             promised = own$promised, intercept = covered[[1]], min_slope = min(covered[-1]),
             infinite = signif(mean(found[, , 3]), 2), first_width = first(2), first_lm = first(5),
             width = width(2),
             sign_width = width(4), lm_width = width(5))
})
write_figure(table[c("law", "n", "p", "epsilon", "batches", "runs", "promised", "intercept", "min_slope",
                     "infinite", "first_width", "first_lm", "width", "sign_width", "lm_width")],
             "batches-coverage")

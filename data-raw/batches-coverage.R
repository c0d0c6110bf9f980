# Coverage and width of intervals of several regressors: writes vignettes/batches-coverage.csv.
#
# Usage: Rscript data-raw/batches-coverage.R [runs]
# Beside them the sign interval of the same batches' fits, and that of lm(), both without privacy.

library(dpdepth)
inner <- function(name) getFromNamespace(name, "dpdepth")
plan_batches <- inner("plan_batches")
run_batches <- inner("run_batches")
sided_fits <- inner("sided_fits")
runs <- c(as.integer(commandArgs(TRUE)), 2000L)[[1]]

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
       promised = "none", runs = 400),
  list(law = "skew errors and x", n = 20000, p = 2, x = function(n, p) exp(normal(n, p)), e = skew,
       promised = "none", size = 60, runs = 400)
)

sign_interval <- function(fits) {
  m <- nrow(fits)
  k <- qbinom(0.025, m, 0.5)
  apply(fits, 2, function(v) {
    v <- sort(v)
    v[[m - k + 1]] - v[[k]]
  })
}

cover <- function(cell, epsilon = 1, promised = "all", count = runs) {
  for (name in intersect(names(cell), c("epsilon", "promised"))) assign(name, cell[[name]])
  count <- min(count, cell$runs)
  truth <- c(1, seq(-2, 3, length.out = cell$p))
  terms <- c("(Intercept)", paste0("x", seq_len(cell$p)))
  plan <- plan_batches(cell$n, terms, list(lower = -50, upper = 50), epsilon, 0, 0.5, NULL, interval = 0.95,
                       size = cell$size)
  found <- vapply(seq_len(count), function(i) {
    x <- cell$x(cell$n, cell$p)
    y <- drop(cbind(1, x) %*% truth) + cell$e(x)
    limits <- run_batches(x, y, plan, "R")$interval
    fit <- lm.fit(cbind(1, x), y)
    se <- sqrt(sum(fit$residuals^2) / fit$df.residual * diag(chol2inv(qr.R(fit$qr))))
    fits <- sided_fits(x, y, plan, "R")
    cbind(limits[, 1] <= truth & truth <= limits[, 2], limits[, 2] - limits[, 1],
          is.infinite(limits[, 2] - limits[, 1]), sign_interval(fits), 2 * qt(0.975, fit$df.residual) * se)
  }, matrix(0, length(truth), 5))
  covered <- rowMeans(found[, 1, ])
  first <- function(k) signif(median(found[2, k, ]), 4)
  width <- function(k) signif(median(found[-(1:2), k, ]), 4)
  data.frame(law = cell$law, n = cell$n, p = cell$p, epsilon = epsilon, batches = plan$batches, runs = count,
             promised = promised, intercept = covered[[1]], min_slope = min(covered[-1]),
             infinite = mean(found[, 3, ]), first_width = first(2), first_lm = first(5), width = width(2),
             sign_width = width(4), lm_width = width(5))
}

set.seed(140)
done <- NULL
for (cell in cells) {
  done <- rbind(done, cover(cell))
  write.csv(done, file.path("vignettes", "batches-coverage.csv"), row.names = FALSE)
}
print(done)

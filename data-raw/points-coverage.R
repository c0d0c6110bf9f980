# Coverage and width of intervals of predictions at public points, by batches: writes
# vignettes/points-coverage.csv.
#
# Usage: make simulations FIGURE=points-coverage, or Rscript data-raw/points-coverage.R [runs]
# coverage: how often the limits at all points, and those of all coefficients, held the truth, at level 0.95.
# width: the median over runs, of points; from_coefficients: the same where coefficients were released, with
# limits that hold together; lm: of predictions of least squares by Bonferroni, without privacy.

source("data-raw/figures.R")

normal <- function(n) matrix(rnorm(2 * n), n) # public-rng: simulated data
truth <- c(1, -2, 3)
rows <- function(x, e) list(x = x, y = as.vector(cbind(1, x) %*% truth + e))
laws <- list(
  normal = function(n) rows(normal(n) + 5, rnorm(n)), # public-rng: simulated data
  "spread grows with x" = function(n) {
    x <- normal(n) + 5
    rows(x, rnorm(n) * (x[, 1] - 5)^2) # public-rng: simulated data
  },
  Cauchy = function(n) rows(normal(n) + 5, rcauchy(n)), # public-rng: simulated data
  "a flag of a tenth" = function(n) {
    rows(cbind(rbinom(n, 1, 0.1), rnorm(n, 5)), rnorm(n)) # public-rng: simulated data
  }
)

points <- function(law) {
  if (law == "a flag of a tenth") rbind(c(0, 4), c(1, 5), c(0, 6)) else rbind(c(5, 4), c(4, 6), c(6, 6))
}
terms <- c("(Intercept)", "x1", "x2")
limits_of <- function(rows, law, at = NULL) {
  plan <- inner("plan_batches")(nrow(rows$x), terms, list(lower = -50, upper = 50), 1, 0, 0.5,
                                interval = 0.95, simultaneous = TRUE, at = at)
  inner("run_batches")(rows$x, rows$y, plan, inner("check_rng")("R"))
}

predictions <- function(rows, law) {
  at <- points(law)
  forms <- cbind(1, at)
  own <- limits_of(rows, law, at)
  region <- own$details$region[, c("lower", "upper")]
  held <- function(limits, truth) all(limits[, 1] <= truth & truth <= limits[, 2])
  other <- inner("box_range")(forms, limits_of(rows, law)$interval)
  fit <- lm.fit(cbind(1, rows$x), rows$y)
  se <- sqrt(sum(fit$residuals^2) / fit$df.residual *
               rowSums(forms * (forms %*% chol2inv(qr.R(fit$qr)))))
  c(held(region, forms %*% truth), held(own$interval, truth), max(region[, 2] - region[, 1]),
    max(other[, 2] - other[, 1]), max(2 * qt(1 - 0.025 / 3, fit$df.residual) * se))
}

design <- cells_of(data.frame(law = names(laws), n = c(2000, 2000, 2000, 6000)))
found <- simulate_figure("points-coverage", design, laws, list(points = predictions), replicates = runs(2000))
table <- by_cell(found, function(v, cell) {
  middle <- signif(apply(v[, 3:5, drop = FALSE], 2, median), 4)
  data.frame(runs = nrow(v), points = mean(v[, 1]), coefficients = mean(v[, 2]),
             infinite = mean(is.infinite(v[, 3])), width = middle[[1]], from_coefficients = middle[[2]],
             lm = middle[[3]])
})
write_figure(table[c("law", "n", "runs", "points", "coefficients", "infinite", "width", "from_coefficients",
                     "lm")], "points-coverage")

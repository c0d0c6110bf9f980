# draw-seconds.R - processor time of exact regressions, for draw_seconds in R/plan-regression.R.
# In one thread, seconds for each 1,000 rows: 0.02 (p = 1, 1e5 rows), 0.09 (2), 0.3 to 0.5 (3), 5 (4).
library(dpdepth)
options(dpdepth.rng = "R")
set.seed(2)
sizes <- data.frame(p = c(1, 2, 3, 3, 3, 4, 4, 4), n = c(1e5, 4000, 2000, 10000, 20000, 500, 1000, 2000))
seconds <- replicate(3, mapply(function(p, n) {
  x <- matrix(rnorm(n * p), n)
  data <- data.frame(y = rowSums(x) + rnorm(n), x)
  system.time(suppressWarnings(
    dp_regression(y ~ ., data, epsilon = 1, lower = -50, upper = 50, method = "exponential")
  ))[["user.self"]]
}, sizes$p, sizes$n))
print(cbind(sizes, each = apply(seconds, 1, median) / sizes$n * 1000))

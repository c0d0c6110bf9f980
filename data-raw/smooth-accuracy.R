# Accuracy of dp_median_smooth() on standard normal data: writes vignettes/smooth-accuracy.csv.
#
# Usage: make simulations FIGURE=smooth-accuracy (a minute of processor time)
# For each size, budget and method: the median over 60 data sets of the Euclidean distance from the true
# centre, of the release and of the same median without privacy.

source("data-raw/figures.R")

cases <- rbind(
  data.frame(d = 1, method = "auto"),
  data.frame(d = 2, method = c("exact", "directional", "marginal"))
)
design <- merge(cases, data.frame(n = pick(c(50, 100, 200, 500, 1000, 2000), 50)))

released <- function(x, method, epsilon) {
  estimate <- coef(dp_median_smooth(x, epsilon, 1e-6, lower = -10, upper = 10, region = method))
  pmin(pmax(estimate, -10), 10)
}
estimates <- list(
  plain = function(x, method) {
    if (method != "marginal") return(c(median_tukey(x)))
    apply(x, 2, function(v) sort(v)[[(length(v) + 1) %/% 2]])
  },
  eps1 = function(x, method) released(x, method, 1),
  eps4 = function(x, method) released(x, method, 4)
)

# public-rng: simulated data
found <- simulate_figure("smooth-accuracy", design, function(n, d) matrix(stats::rnorm(n * d), n), estimates,
                         "distance", replicates = pick(60, 2))
s <- summary(found)
typical <- function(name) signif(s$median[s$estimate == name], 3)
table <- data.frame(found$cells, plain = typical("plain"), eps1 = typical("eps1"), eps4 = typical("eps4"))
write_figure(table[order(table$d, match(table$method, cases$method), table$n), ], "smooth-accuracy",
             quote = FALSE)

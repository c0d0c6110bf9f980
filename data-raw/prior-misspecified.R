# What a wrong normal prior costs a private halfspace median: writes vignettes/prior-misspecified.csv.
#
# Usage: make simulations FIGURE=prior-misspecified, or Rscript data-raw/prior-misspecified.R [runs] (4
# minutes of processor time)
# Rows are standard normal in the plane. The prior has standard deviation `width` in both variables (and
# correlation `correlation`), and its mean is `away` of its own standard deviations from the rows' centre,
# along the first variable. The error is the Euclidean distance from the centre. sampling: the root mean
# square of the median's without privacy, over all rows of the size.

source("data-raw/figures.R")

shapes <- data.frame(width = c(0.1, 1, 10, 10), correlation = c(0, 0, 0, 0.99))
design <- expand.grid(away = c(0, 1, 2, 5, 10), epsilon = c(0.5, 1, 4), n = c(100, 1000), shape = 1:4)
design <- cells_of(cbind(design[c("n", "epsilon", "away")], shapes[design$shape, ], row.names = NULL))

estimates <- list(
  private = function(x, epsilon, away, width, correlation) {
    covariance <- width^2 * matrix(c(1, correlation, correlation, 1), 2)
    dp_median_exponential(x, epsilon, prior_normal(c(away * width, 0), covariance = covariance))
  },
  public = function(x) c(median_tukey(x))
)
# public-rng: simulated data
found <- simulate_figure("prior-misspecified", design, function(n) matrix(stats::rnorm(2 * n), n), estimates,
                         "distance", replicates = runs(200))
s <- summary(found)
public <- s$estimate == "public"
sampling <- sqrt(tapply(s$rmse[public]^2, s$n[public], mean))
table <- s[!public, ]
table <- data.frame(table[names(design)], rms = signif(table$rmse, 4), median = signif(table$median, 4),
                    sampling = signif(sampling[as.character(table$n)], 4), runs = table$replicates)
write_figure(table, "prior-misspecified", quote = FALSE)

# Makes vignettes/prior-misspecified.csv: what a wrong normal prior costs a private halfspace median.
#
# Rows are standard normal in the plane. The prior has standard deviation `width` in both variables (and
# correlation `correlation`), and its mean is `away` of its own standard deviations from the rows' centre,
# along the first variable. The error is the Euclidean distance from the centre. Takes 4 minutes.
# Usage: R_LIBS=build/lib Rscript data-raw/prior-misspecified.R

library(dpdepth)
dpdepth_threads(1)

runs <- 200
cells <- expand.grid(away = c(0, 1, 2, 5, 10), epsilon = c(0.5, 1, 4), n = c(100, 1000), shape = 1:4)
shapes <- data.frame(width = c(0.1, 1, 10, 10), correlation = c(0, 0, 0, 0.99))
cells <- cbind(cells[c("n", "epsilon", "away")], shapes[cells$shape, ], row.names = NULL)

# Rows are the same in all cells of a size; draws are not.
error_of <- function(x, cell) {
  covariance <- cell$width^2 * matrix(c(1, cell$correlation, cell$correlation, 1), 2)
  prior <- prior_normal(c(cell$away * cell$width, 0), covariance = covariance)
  release <- suppressWarnings(dp_median_exponential(x, cell$epsilon, prior, rng = "R"))
  sqrt(sum(coef(release)^2))
}

set.seed(1)
# public-rng: simulated data
rows <- lapply(c(100, 1000), function(n) replicate(runs, matrix(stats::rnorm(2 * n), n), simplify = FALSE))
names(rows) <- c("100", "1000")
errors <- t(vapply(seq_len(nrow(cells)), function(k) {
  vapply(rows[[as.character(cells$n[[k]])]], error_of, 0, cells[k, ])
}, numeric(runs)))
sampling <- vapply(rows, function(sets) sqrt(mean(vapply(sets, function(x) sum(median_tukey(x)^2), 0))), 0)
table <- cbind(cells, rms = sqrt(rowMeans(errors^2)), median = apply(errors, 1, stats::median),
               sampling = sampling[as.character(cells$n)], runs = runs)
table[c("rms", "median", "sampling")] <- lapply(table[c("rms", "median", "sampling")], signif, 4)
utils::write.csv(table, "vignettes/prior-misspecified.csv", row.names = FALSE, quote = FALSE)

# The simulation of Ramsay and Spicker (2024), section 4, for vignettes/projection.Rmd.
#
# Usage: Rscript data-raw/projection-simulation.R d [runs]
# writes vignettes/projection-simulation-d.csv: a row for each run, law, estimator and epsilon, with the
# squared distance to the centre and whether it was released. d = 0 does the part on eta instead.

library(dpdepth)
dpdepth_threads(1)
args <- as.integer(commandArgs(TRUE))
d <- args[[1]]
runs <- if (length(args) > 1) args[[2]] else 50L
n <- 50000L
delta <- 10 / n

draw_data <- function(law, d) {
  x <- matrix(rnorm(n * d), n)
  if (law == "contaminated") x[seq_len(n / 4), ] <- x[seq_len(n / 4), ] + 5
  if (law == "Cauchy") x <- x / rnorm(n)
  x
}

row_of <- function(run, law, estimator, epsilon, point, released = TRUE) {
  data.frame(run = run, law = law, d = d, estimator = estimator, epsilon = epsilon,
             error = if (released) sum(point^2) else NA, released = released)
}

one_run <- function(run, law) {
  set.seed(1000 * d + run + match(law, c("normal", "contaminated", "Cauchy")) * 1e5)
  x <- draw_data(law, d)
  count <- if (d == 20) 1000L else 500L
  private <- lapply(c(2, 5, 10), function(epsilon) {
    # with 20 variables a chain: the exact draw takes too long for contaminated data
    r <- dp_median_projection(x, epsilon, delta, directions = count, rng = "R", try_anyway = TRUE,
                              sampler = if (d > 10) "mcmc" else "auto")
    row_of(run, law, "private projection median", epsilon, coef(r), r$released)
  })
  do.call(rbind, c(private, list(
    row_of(run, law, "projection median", Inf, median_projection(x, directions = count)),
    row_of(run, law, "smoothed IDD median", Inf, median_idd(x, 10, count)),
    row_of(run, law, "mean", Inf, colMeans(x))
  )))
}

# The same data for all eta, in multiples of the default.
one_eta <- function(run, d) {
  set.seed(77 + run)
  x <- draw_data("normal", d)
  default <- dpdepth:::projection_constants(n, d, 2, delta, 500L, "median", "mad")
  do.call(rbind, lapply(c(0.5, 0.7, 0.85, 1, 1.4, 2, 4, 8), function(times) {
    r <- dp_median_projection(x, 2, delta, eta = default$eta * times, directions = 500L, rng = "R",
                              try_anyway = TRUE, sampler = if (d > 10) "mcmc" else "auto")
    data.frame(run = run, d = d, times = times, rate = r$details$rate, error = sum(coef(r)^2),
               released = r$released)
  }))
}

# Run after run, law after law, written as they come.
laws <- c("normal", "contaminated", "Cauchy")
grid <- if (d == 0) {
  expand.grid(d = c(2L, 10L), run = seq_len(runs))
} else {
  expand.grid(law = laws, run = seq_len(runs), stringsAsFactors = FALSE)
}
file <- if (d == 0) "vignettes/projection-eta.csv" else sprintf("vignettes/projection-simulation-%d.csv", d)
for (i in seq_len(nrow(grid))) {
  rows <- if (d == 0) one_eta(grid$run[[i]], grid$d[[i]]) else one_run(grid$run[[i]], grid$law[[i]])
  rows$error <- signif(rows$error, 5)
  write.table(rows, file, append = i > 1, sep = ",", row.names = FALSE, col.names = i == 1, quote = FALSE)
}

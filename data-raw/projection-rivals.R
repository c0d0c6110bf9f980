# The private rivals in the simulation of Ramsay and Spicker (2024), section 4: writes
# vignettes/projection-rivals.csv for vignettes/projection.Rmd.
#
# Usage: Rscript data-raw/projection-rivals.R [runs, 10] [runs in two variables, 50] (half a minute of
# processor time a run; 2 seconds in two variables). The rows are those of data-raw/projection-simulation.R,
# run by run. A line for each run, law, estimator and epsilon, with the squared distance to the centre,
# written as they come. Runs that the file has are not done again.
#
# Smoothed integrated dual depth with slope 10, a normal prior with standard deviation 10 and 500 directions:
# exact draws in two variables, chains in more, for which no privacy is proved.
# CoinPress with delta = 10/n, four rounds and a ball of radius 10 sqrt(d).

library(dpdepth)
dpdepth_threads(1)
runs <- c(10L, 50L)
args <- as.integer(commandArgs(TRUE))
runs[seq_along(args)] <- args
n <- 50000L
delta <- 10 / n
laws <- c("normal", "contaminated", "Cauchy")
file <- "vignettes/projection-rivals.csv"

draw_data <- function(law, d) {
  x <- matrix(rnorm(n * d), n) # public-rng: simulated data
  if (law == "contaminated") x[seq_len(n / 4), ] <- x[seq_len(n / 4), ] + 5
  if (law == "Cauchy") x <- x / rnorm(n) # public-rng: simulated data
  x
}

private_idd <- function(x, epsilon) {
  d <- ncol(x)
  dp_median_exponential(x, epsilon, prior_normal(rep(0, d), 10), depth = "idd_smooth", smooth = 10,
                        directions = 500, sampler = if (d > 2) "mcmc" else "exact",
                        rng = "R")
}

private_mean <- function(x, epsilon) dp_mean_coinpress(x, epsilon, delta, 0, 10 * sqrt(ncol(x)), 4, rng = "R")

one_run <- function(run, law, d) {
  set.seed(1000 * d + run + match(law, laws) * 1e5)
  x <- draw_data(law, d)
  rivals <- list("private smoothed IDD median" = private_idd, "private mean (CoinPress)" = private_mean)
  lines <- lapply(names(rivals), function(estimator) {
    error <- vapply(c(2, 5, 10), function(epsilon) sum(coef(rivals[[estimator]](x, epsilon))^2), 0)
    data.frame(run = run, law = law, d = d, estimator = estimator, epsilon = c(2, 5, 10),
               error = signif(error, 5))
  })
  do.call(rbind, lines)
}

grid <- expand.grid(law = laws, d = c(2L, 10L, 20L), run = seq_len(max(runs)), stringsAsFactors = FALSE)
grid <- grid[grid$run <= ifelse(grid$d == 2, runs[[2]], runs[[1]]), ]
key <- function(x) paste(x$run, x$law, x$d)
if (file.exists(file)) grid <- grid[!key(grid) %in% key(read.csv(file)), ]
for (i in seq_len(nrow(grid))) {
  lines <- one_run(grid$run[[i]], grid$law[[i]], grid$d[[i]])
  new <- !file.exists(file)
  write.table(lines, file, append = !new, sep = ",", row.names = FALSE, col.names = new, quote = FALSE)
}

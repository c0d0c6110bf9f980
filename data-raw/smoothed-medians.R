# Private medians over the smoothed integrated dual depth, the paper's figures: writes
# vignettes/smoothed-medians.csv (exact draws) and vignettes/smoothed-chains.csv (chains, to 100 variables),
# and the errors of each run, data-raw/<name>-runs.csv.
#
# Usage: make simulations FIGURE=smoothed-medians (a quarter of an hour of processor time, and an hour)
# The tables hold the root mean squares and the medians of errors, Euclidean distances from the centre, and
# the number of runs.
# The committed ones are of 22 November 2026: they have the same laws and settings, and other samples, as they
# were made before the script stood on simulate_releases().

source("data-raw/figures.R")
source("data-raw/depth-rows.R")

size <- pick(10000, 200)
slope <- 10
prior <- function(d) prior_normal(rep(0, d), 10)
coinpress <- function(x, d) rival_mean(x, 10, 1e-6, 0, 10 * sqrt(d), 4)

# -- exact draws ---------------------------------------------------------------------------------------

exact <- function(depth, epsilon) {
  force(depth)
  force(epsilon)
  function(x, d) {
    dp_median_exponential(x, epsilon, prior(d), depth = depth, directions = 300,
                          smooth = if (depth == "idd_smooth") slope, sampler = "exact")
  }
}
estimates <- list(
  "smoothed IDD" = function(x, d) c(median_idd(x, smooth = slope, directions = directions(d, 300))),
  "smoothed IDD private" = exact("idd_smooth", 10),
  "smoothed IDD private at 3/n" = exact("idd_smooth", 10 / 3),
  "smoothed IDD private epsilon 1" = exact("idd_smooth", 1),
  "halfspace" = function(x) c(median_tukey(x, "directional", directions = 300)),
  "halfspace private" = exact("halfspace", 10),
  "mean" = function(x) colMeans(x),
  "mean private" = coinpress
)
design <- expand.grid(d = c(2, 3, 5), law = c("normal", "contaminated"), n = size, stringsAsFactors = FALSE)
# a draw over the smoothed depth takes half a minute and more there
design <- cells_of(design[design$d < 5 | design$law == "normal", ])
found <- simulate_figure("smoothed-medians", design, draw_rows, estimates, "distance",
                         replicates = runs(50, 1))
write_distances(found, "smoothed-medians", "estimator")

# -- chains ----------------------------------------------------------------------------------------------

# The paper's 50 runs, dimensions, n, epsilon and slope; 1000 directions, chains of the default length, and
# for comparison its own sampler with the sensitivity that its code has, and exact draws along the axes.
# One round takes about a minute of processor time, 20 seconds of it for 100 variables.
count <- pick(1000, 20)
chain <- function(epsilon, ...) {
  force(epsilon)
  function(x, d) rival_median(x, epsilon, prior = prior(d), directions = count, smooth = slope, ...)
}
slopes <- c(1, 5, 10, 50, 100) # of medians without privacy: the paper's figure 3
plain <- lapply(slopes, function(s) {
  force(s)
  function(x, d) c(median_idd(x, smooth = s, directions = directions(d, count)))
})
names(plain) <- sprintf("smoothed IDD s = %g", slopes)
estimates <- c(plain, list(
  "smoothed IDD private" = chain(10, depth = "idd_smooth"),
  "smoothed IDD private at 3/n" = chain(10 / 3, depth = "idd_smooth"),
  "smoothed IDD private Langevin at 3/n" = chain(10 / 3, method = "langevin"),
  "halfspace along the axes private" = function(x, d) {
    dp_median_exponential(x, 10, prior(d), directions = "axes")
  },
  "medians of variables" = function(x) apply(x, 2, stats::median),
  "mean" = function(x) colMeans(x),
  "mean private" = coinpress
))
design <- expand.grid(d = c(2, 5, 10, 20, 50, 100), law = c("normal", "contaminated"), n = size,
                      stringsAsFactors = FALSE)
found <- simulate_figure("smoothed-chains", cells_of(design), draw_rows, estimates, "distance",
                         replicates = runs(50, 1), seed = 3)
write_distances(found, "smoothed-chains", "estimator")

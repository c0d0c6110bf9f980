# Accuracy of private medians by depth: writes vignettes/depth-medians.csv and
# vignettes/depth-medians-wide.csv, and the errors of each run, data-raw/<name>-runs.csv.
#
# Usage: make simulations FIGURE=depth-medians (half an hour of processor time and more)
# The tables hold the root mean squares and the medians of errors, Euclidean distances from the centre, and
# the number of runs.
# The committed depth-medians.csv is of 29 November 2026, and what the script writes. depth-medians-wide.csv
# is of 22 November and has 36 runs: the same laws and settings, and other samples, as it was made before the
# script stood on simulate_releases(). The errors of each run are committed for that one alone.

source("data-raw/figures.R")
source("data-raw/depth-rows.R")

depths <- c("halfspace", "simplicial", "spatial", "spatial_modified", "irw", "idd", "idd_smooth")
box <- 50
budget <- 1
laws <- c("normal", "t3", "Cauchy", "contaminated")

private_median <- function(x, depth, d) {
  prior <- prior_uniform(rep(-box, d), rep(box, d))
  release <- function(...) suppressWarnings(dp_median_exponential(x, budget, prior, ...)) # few rows
  if (depth == "axes") return(release(directions = "axes"))
  along <- d > 1 && depth %in% c("irw", "idd", "idd_smooth") || d > 2 && depth == "halfspace"
  release(depth = depth, directions = if (along) 300, sampler = if (d == 5) "exact" else "auto")
}
names(depths) <- depths
estimates <- c(
  lapply(c(depths, axes = "axes"), function(depth) {
    force(depth)
    function(x, d) private_median(x, depth, d)
  }),
  none = function(x) apply(x, 2, stats::median)
)

# The cells of some settings, each with the depths that are taken there: n, law, d -> names of estimates.
with_depths <- function(settings, taken, rounds) {
  sets <- Map(taken, settings$n, settings$law, settings$d)
  out <- cbind(settings[rep(seq_along(sets), lengths(sets)), ], estimate = unlist(sets), row.names = NULL)
  cbind(out, replicates = rounds)
}
crossed <- function(n, d) expand.grid(d = d, law = laws, n = n, stringsAsFactors = FALSE)

# -- three sizes, up to three variables ------------------------------------------------------------------

# Simplicial depth in the plane with 5000 rows comes last, as cells of their own: five seconds a draw.
design <- with_depths(crossed(c(200, 1000, 5000), 1:3), function(n, law, d) {
  c(if (d == 3 || d == 2 && n == 5000) setdiff(depths, "simplicial") else depths, "none")
}, runs(50))
slow <- cbind(crossed(5000, 2), estimate = "simplicial", replicates = runs(50))
small <- design$n == 200 & design$law == "normal" & design$d == 1
found <- simulate_figure("depth-medians", pick(rbind(cbind(design, part = 1), cbind(slow, part = 2)),
                                               cbind(design[small, ], part = 1)),
                         draw_rows, estimates, "distance", seed = 2)
found$cells$part <- NULL
write_distances(found, "depth-medians", "depth")

# -- fewer and more rows, and five variables ---------------------------------------------------------------

# The depths whose draws are exact and quick: the spatial depths for up to four variables. With 1000 rows of
# up to three variables only depth along the axes, which the first part does not have.
wide_depths <- function(n, law, d) {
  if (n == 1000 && d < 5) return("axes")
  out <- if (d < 5) setdiff(depths, "simplicial") else c("halfspace", "irw", "idd", "idd_smooth")
  if (d < 3 && n == 100) out <- c(out, "simplicial")
  if (d > 1) out <- c(out, "axes")
  if (d == 5 && law == "contaminated" && n == 10000) out <- setdiff(out, "irw") # half a minute and more
  c(out, "none")
}
settings <- crossed(c(100, 1000, 10000), c(1, 2, 3, 5))
settings <- settings[settings$n != 1000 | settings$d > 1, ]
design <- with_depths(settings, wide_depths, runs(50))
small <- design$n == 100 & design$law == "normal" & design$d == 2
found <- simulate_figure("depth-medians-wide", pick(design, design[small, ]), draw_rows, estimates,
                         "distance", seed = 4)
write_distances(found, "depth-medians-wide", "depth")

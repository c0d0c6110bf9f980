# Accuracy of private medians by depth: writes vignettes/depth-medians.csv, vignettes/depth-medians-wide.csv,
# vignettes/smoothed-medians.csv and vignettes/smoothed-chains.csv.
#
# Usage: Rscript data-raw/depth-medians.R [depths] [wide] [smoothed] [chains] (a quarter of an hour on one
# core for the first three each, an hour for the fourth).
# Simulation: R's stream, not for release. The files hold the root mean squares and the medians of errors,
# Euclidean distances from the centre, and the number of runs. The errors of each run stand in
# data-raw/<name>-runs.csv. Both are written after each round, a round has its own seed, and rounds that are
# there are not done again, so that a run may be stopped and taken up.

library(dpdepth)
dpdepth_threads(1)

# n rows of d variables, the centre at 0. In the contaminated law a quarter of the rows is moved by 5 in
# every variable.
draw_rows <- function(law, n, d) {
  x <- matrix(stats::rnorm(n * d), n) # public-rng: simulated data
  switch(law,
    normal = x,
    t3 = x / sqrt(stats::rchisq(n, 3) / 3), # public-rng: simulated data
    Cauchy = matrix(stats::rcauchy(n * d), n), # public-rng: simulated data
    contaminated = x + 5 * (seq_len(n) <= n / 4)
  )
}

distance <- function(estimate) signif(sqrt(sum(estimate^2)), 5)

# The errors of all runs, by what the other columns say.
write_summary <- function(runs, file) {
  by <- runs[setdiff(names(runs), c("round", "error"))]
  of <- function(f) stats::aggregate(runs["error"], by, f)$error
  table <- cbind(stats::aggregate(runs["error"], by, length)[names(by)], runs = of(length),
                 rms = signif(of(function(e) sqrt(mean(e^2))), 4), median = signif(of(stats::median), 4))
  utils::write.csv(table, file, row.names = FALSE, quote = FALSE)
}

# -- which depth ---------------------------------------------------------------------------------------

depths <- c("halfspace", "simplicial", "spatial", "spatial_modified", "irw", "idd", "idd_smooth")
box <- 50
budget <- 1
medians <- 46 # rounds
slow_medians <- 10 # of simplicial depth in the plane with 5000 rows

one_median <- function(x, depth) {
  d <- ncol(x)
  along <- d > 1 && depth %in% c("irw", "idd", "idd_smooth") || d > 2 && depth == "halfspace"
  coef(dp_median_exponential(x, budget, prior_uniform(rep(-box, d), rep(box, d)), depth = depth,
                             directions = if (along) 300, rng = "R"))
}

depth_round <- function(round) {
  settings <- expand.grid(n = c(200, 1000, 5000), law = c("normal", "t3", "Cauchy", "contaminated"),
                          d = 1:3, stringsAsFactors = FALSE)
  rows <- Map(function(n, law, d) {
    x <- draw_rows(law, n, d)
    slow <- d == 3 || d == 2 && n == 5000 && round > slow_medians
    taken <- if (slow) setdiff(depths, "simplicial") else depths
    error <- vapply(taken, function(depth) distance(one_median(x, depth)), 0)
    plain <- distance(apply(x, 2, stats::median))
    data.frame(d = d, law = law, n = n, depth = c(taken, "none"), error = c(error, plain))
  }, settings$n, settings$law, settings$d)
  do.call(rbind, rows)
}

# -- which depth, with fewer and more rows and five variables ------------------------------------------

wide_medians <- 46 # rounds

# The depths whose draws are exact and quick: the spatial depths for up to four variables.
wide_depths <- function(n, law, d) {
  out <- if (d < 5) setdiff(depths, "simplicial") else c("halfspace", "irw", "idd", "idd_smooth")
  if (d < 3 && n == 100) out <- c(out, "simplicial")
  if (d > 1) out <- c(out, "axes")
  if (d == 5 && law == "contaminated" && n == 10000) out <- setdiff(out, "irw") # half a minute and more
  out
}

wide_median <- function(x, depth) {
  d <- ncol(x)
  prior <- prior_uniform(rep(-box, d), rep(box, d))
  draw <- function(...) coef(dp_median_exponential(x, budget, prior, ..., rng = "R"))
  if (depth == "axes") return(draw(directions = "axes"))
  if (d < 5) return(one_median(x, depth))
  draw(depth = depth, directions = 300, sampler = "exact")
}

wide_round <- function(round) suppressWarnings(rbind(axes_round(), rows_round())) # warnings of few rows

rows_round <- function() {
  settings <- expand.grid(n = c(100, 1000, 10000), law = c("normal", "t3", "Cauchy", "contaminated"),
                          d = c(1, 2, 3, 5), stringsAsFactors = FALSE)
  # the first part of the study has these
  settings <- settings[settings$d == 5 | settings$n != 1000, ]
  rows <- Map(function(n, law, d) {
    x <- draw_rows(law, n, d)
    taken <- wide_depths(n, law, d)
    error <- vapply(taken, function(depth) distance(wide_median(x, depth)), 0)
    plain <- distance(apply(x, 2, stats::median))
    data.frame(d = d, law = law, n = n, depth = c(taken, "none"), error = c(error, plain))
  }, settings$n, settings$law, settings$d)
  do.call(rbind, rows)
}

# Depth along the axes with 1000 rows of two and three variables, which the first part does not have.
axes_round <- function() {
  settings <- expand.grid(law = c("normal", "t3", "Cauchy", "contaminated"), d = 2:3,
                          stringsAsFactors = FALSE)
  error <- Map(function(law, d) distance(wide_median(draw_rows(law, 1000, d), "axes")), settings$law,
               settings$d)
  data.frame(d = settings$d, law = settings$law, n = 1000, depth = "axes", error = unlist(error))
}

# -- the paper's figures -------------------------------------------------------------------------------

runs <- 50
size <- 10000
slope <- 10

private_median <- function(x, depth, epsilon) {
  d <- ncol(x)
  coef(dp_median_exponential(x, epsilon, prior_normal(rep(0, d), 10), depth = depth, directions = 300,
                             smooth = if (depth == "idd_smooth") slope, rng = "R", sampler = "exact"))
}

smoothed_round <- function(round) {
  settings <- expand.grid(law = c("normal", "contaminated"), d = c(2, 3, 5), stringsAsFactors = FALSE)
  # a draw over the smoothed depth takes half a minute and more there
  settings <- settings[settings$d < 5 | settings$law == "normal", ]
  rows <- Map(function(law, d) {
    x <- draw_rows(law, size, d)
    error <- c(
      "smoothed IDD" = distance(median_idd(x, smooth = slope, directions = directions(d, 300))),
      "smoothed IDD private" = distance(private_median(x, "idd_smooth", 10)),
      "smoothed IDD private at 3/n" = distance(private_median(x, "idd_smooth", 10 / 3)),
      "smoothed IDD private epsilon 1" = distance(private_median(x, "idd_smooth", 1)),
      "halfspace" = distance(median_tukey(x, "directional", directions = 300)),
      "halfspace private" = distance(private_median(x, "halfspace", 10)),
      "mean" = distance(colMeans(x)),
      "mean private" = distance(coef(dp_mean_coinpress(x, 10, 1e-6, 0, 10 * sqrt(d), 4, rng = "R")))
    )
    data.frame(d = d, law = law, estimator = names(error), error = unname(error))
  }, settings$law, settings$d)
  do.call(rbind, rows)
}

# -- the paper's figures, to 100 variables by chains -----------------------------------------------------

# The paper's 50 runs, dimensions, n, epsilon and slope; 1000 directions, chains of the default length, and
# for comparison its own sampler with the sensitivity that its code has, and exact draws along the axes.
# One round takes about a minute of processor time, 20 seconds of it for 100 variables.
chain_runs <- 50
chain_dims <- c(2, 5, 10, 20, 50, 100)
slopes <- c(1, 5, 10, 50, 100) # of medians without privacy: the paper's figure 3

chain_median <- function(x, epsilon, sampler) {
  coef(dp_median_exponential(x, epsilon, prior_normal(rep(0, ncol(x)), 10), depth = "idd_smooth",
                             directions = 1000, smooth = slope, sampler = sampler, rng = "R"))
}

plain_median <- function(x, slope) median_idd(x, smooth = slope, directions = directions(ncol(x), 1000))

chain_errors <- function(x) {
  d <- ncol(x)
  plain <- vapply(slopes, function(s) distance(plain_median(x, s)), 0)
  names(plain) <- sprintf("smoothed IDD s = %g", slopes)
  prior <- prior_normal(rep(0, d), 10)
  c(
    plain,
    "smoothed IDD private" = distance(chain_median(x, 10, "mcmc")),
    "smoothed IDD private at 3/n" = distance(chain_median(x, 10 / 3, "mcmc")),
    "smoothed IDD private Langevin at 3/n" = distance(chain_median(x, 10 / 3, "langevin")),
    "halfspace along the axes private" =
      distance(coef(dp_median_exponential(x, 10, prior, directions = "axes", rng = "R"))),
    "medians of variables" = distance(apply(x, 2, stats::median)),
    "mean" = distance(colMeans(x)),
    "mean private" = distance(coef(dp_mean_coinpress(x, 10, 1e-6, 0, 10 * sqrt(d), 4, rng = "R")))
  )
}

chain_round <- function(round) {
  settings <- expand.grid(law = c("normal", "contaminated"), d = chain_dims, stringsAsFactors = FALSE)
  rows <- Map(function(law, d) {
    error <- chain_errors(draw_rows(law, size, d))
    data.frame(d = d, law = law, estimator = names(error), error = unname(error))
  }, settings$law, settings$d)
  do.call(rbind, rows)
}

# ------------------------------------------------------------------------------------------------------

# The rounds of a study that its file does not have: `once(round)` gives the errors of one.
study <- function(name, seed, rounds, once) {
  file <- sprintf("data-raw/%s-runs.csv", name)
  rows <- if (file.exists(file)) utils::read.csv(file)
  for (round in setdiff(seq_len(rounds), rows$round)) {
    set.seed(1000 * seed + round)
    new <- cbind(round = round, once(round))
    utils::write.table(new, file, append = !is.null(rows), sep = ",", row.names = FALSE,
                       col.names = is.null(rows), quote = FALSE)
    rows <- rbind(rows, new)
    write_summary(rows, sprintf("vignettes/%s.csv", name))
  }
}

asked <- commandArgs(TRUE)
if (length(asked) == 0) asked <- c("depths", "wide", "smoothed", "chains")
if ("depths" %in% asked) study("depth-medians", 2, medians, depth_round)
if ("wide" %in% asked) study("depth-medians-wide", 4, wide_medians, wide_round)
if ("smoothed" %in% asked) study("smoothed-medians", 1, runs, smoothed_round)
if ("chains" %in% asked) study("smoothed-chains", 3, chain_runs, chain_round)

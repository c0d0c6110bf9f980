# The simulation of Ramsay and Spicker (2024), section 4, for vignettes/multivariate-simulations.Rmd: writes
# vignettes/projection-simulation-<d>.csv for 2, 5, 10, 15 and 20 variables, and of private rivals
# vignettes/projection-rivals.csv.
#
# Usage: make simulations FIGURE=projection-simulation, or
# Rscript data-raw/projection-simulation.R [runs, 50 [rivals|others [d ...]]]: of the private rivals alone, or
# of the others alone, in some numbers of variables; that gives the numbers of a whole run. A row for
# each run, law, estimator and epsilon, with the squared distance to the centre, and whether it was released.
# All estimators see the same rows.
#
# Rivals. Smoothed integrated dual depth with slope 10, a normal prior with standard deviation 10 and 500
# directions: exact draws in two variables, chains in more, for which no privacy is proved. CoinPress with
# delta = 10/n, four rounds and a ball of radius 10 sqrt(d).
#
# The committed table of the projection median and of what is not private in 20 variables is of 23 November
# 2026: it has the same laws and settings, and other samples, as it was made before the script stood on
# simulate_releases(). The others, and that of the rivals, are what the script writes.

source("data-raw/figures.R")
source("data-raw/projection-rows.R")

n <- pick(50000, 10000)
delta <- 10 / n
count <- function(d) pick(if (d == 20) 1000L else 500L, 20L)
epsilons <- c(2, 5, 10)

projection <- function(epsilon) {
  force(epsilon)
  function(x, d) {
    # with 20 variables a chain: the exact draw takes too long for contaminated data
    given <- list(x, epsilon, delta, directions = count(d), try_anyway = TRUE)
    if (d > 10) do.call(rival_median, c(given, depth = "projection"))
    else do.call(dp_median_projection, given)
  }
}
private_idd <- function(epsilon) {
  force(epsilon)
  function(x, d) {
    median <- if (d > 2) rival_median else dp_median_exponential
    median(x, epsilon, prior = prior_normal(rep(0, d), 10), depth = "idd_smooth", smooth = 10,
           directions = pick(500, 20))
  }
}
private_mean <- function(epsilon) {
  force(epsilon)
  function(x, d) rival_mean(x, epsilon, delta, 0, 10 * sqrt(d), 4)
}
private <- list("private projection median" = projection, "private smoothed IDD median" = private_idd,
                "private mean (CoinPress)" = private_mean)
estimators <- rbind(
  expand.grid(epsilon = epsilons, estimator = names(private), stringsAsFactors = FALSE),
  data.frame(epsilon = Inf, estimator = c("projection median", "smoothed IDD median", "mean"))
)
estimates <- c(
  Map(function(estimator, epsilon) private[[estimator]](epsilon), estimators$estimator[1:9],
      estimators$epsilon[1:9]),
  list(function(x, d) c(median_projection(x, directions = count(d))),
       function(x, d) c(median_idd(x, 10, count(d))), function(x) colMeans(x))
)
names(estimates) <- paste(estimators$estimator, estimators$epsilon)

part <- c(commandArgs(TRUE)[-1], "all")[[1]]
dims <- as.integer(commandArgs(TRUE)[-(1:2)])
if (length(dims) == 0) dims <- c(2L, 5L, 10L, 15L, 20L)
design <- expand.grid(law = c("normal", "contaminated", "Cauchy"), d = dims, n = n, stringsAsFactors = FALSE)
taken <- switch(part, rivals = 4:9, others = -(4:9), 1:12)
found <- simulate_figure("projection-simulation", cells_of(design), draw_rows, estimates[taken], squared,
                         replicates = runs(50, 1))
rows <- tidy(found)
which <- match(rows$estimate, names(estimates))
table <- data.frame(run = rows$replicate, rows[c("law", "d")], estimators[which, c("estimator", "epsilon")],
                    error = signif(rows$value, 5), released = rows$status == "ok")
rival <- which %in% 4:9
for (d in unique(table$d[!rival])) {
  write_figure(table[table$d == d & !rival, ], sprintf("projection-simulation-%d", d), quote = FALSE)
}
if (any(rival)) write_figure(table[rival, names(table) != "released"], "projection-rivals", quote = FALSE)
if (pick(TRUE, FALSE)) unlink("build/simulations/projection-simulation", recursive = TRUE)

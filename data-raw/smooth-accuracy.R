# Accuracy of dp_median_smooth() on standard normal data: writes vignettes/smooth-accuracy.csv.
#
# Usage: Rscript data-raw/smooth-accuracy.R (a minute). Simulation: R's stream, not for release.
# For each size, budget and method: the median over 60 data sets of the Euclidean distance from the true
# centre, of the release and of the same median without privacy.

library(dpdepth)
dpdepth_threads(1)
package <- asNamespace("dpdepth")
replicates <- 60
sizes <- c(50, 100, 200, 500, 1000, 2000)
cases <- rbind(
  data.frame(d = 1, method = "auto"),
  data.frame(d = 2, method = c("exact", "directional", "marginal"))
)

center_of <- function(x, method) {
  if (method == "marginal") apply(x, 2, function(v) sort(v)[[(length(v) + 1) %/% 2]]) else c(median_tukey(x))
}

one_case <- function(d, method, n) {
  set.seed(1)
  bounds <- list(lower = rep(-10, d), upper = rep(10, d))
  grid <- package$smooth_lattice(bounds)
  # the same steps as dp_median_smooth(), with the constants found once
  constants <- lapply(c(1, 4), package$smooth_constants, 1e-6, d)
  chosen <- package$smooth_method(method, n, d)
  far <- function(estimate) sqrt(sum(pmin(pmax(estimate, -10), 10)^2))
  error <- replicate(replicates, {
    x <- matrix(stats::rnorm(n * d), n) # public-rng: simulated data
    z <- package$lattice_rows(x, grid)
    release <- function(constants) {
      law <- package$smooth_law(z, grid, constants, chosen)
      (law$centre + package$half_laplace(d, law$scale, "R") + grid$origin) * grid$step
    }
    c(far(center_of(x, method)), far(release(constants[[1]])), far(release(constants[[2]])))
  })
  typical <- apply(error, 1, stats::median)
  data.frame(d = d, method = method, n = n, plain = typical[[1]], eps1 = typical[[2]], eps4 = typical[[3]])
}

rows <- list()
for (case in seq_len(nrow(cases))) {
  for (n in sizes) rows[[length(rows) + 1]] <- one_case(cases$d[[case]], cases$method[[case]], n)
}
table <- do.call(rbind, rows)
table[4:6] <- signif(table[4:6], 3)
utils::write.csv(table, "vignettes/smooth-accuracy.csv", row.names = FALSE, quote = FALSE)
print(table)

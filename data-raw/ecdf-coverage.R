# Coverage and mean height of the band of a private distribution function: writes vignettes/ecdf-coverage.csv.
#
# Usage: Rscript data-raw/ecdf-coverage.R [runs]
# The height is averaged over the law of the data. Without privacy: 2 * 1.358 / sqrt(n).

library(dpdepth)
runs <- c(as.integer(commandArgs(TRUE)), 1000L)[[1]]

atoms <- c(-1, 0, 0, 3)
laws <- list(
  normal = list(r = stats::rnorm, cdf = stats::pnorm, lower = -100, upper = 100),
  atoms = list(r = function(n) ifelse(stats::runif(n) < 0.5, sample(atoms, n, TRUE), stats::rnorm(n)),
               cdf = function(x) (stats::pnorm(x) + findInterval(x, atoms) / 4) / 2,
               lower = -100, upper = 100),
  integers = list(r = function(n) sample(0:20, n, TRUE), cdf = function(x) findInterval(x, 0:20) / 21,
                  lower = 0, upper = 50, resolution = 1)
)

cell <- function(name, n, epsilon) {
  law <- laws[[name]]
  one <- function(i) {
    d <- suppressWarnings(dp_ecdf(law$r(n), epsilon, lower = law$lower, upper = law$upper, band = 0.95,
                                  resolution = law$resolution, rng = "R"))
    truth <- law$cdf(d$details$at)
    height <- c(d$interval[, "upper"], 1) - c(0, d$interval[, "lower"])
    c(all(d$interval[, "lower"] <= truth & truth <= d$interval[, "upper"]),
      sum(diff(c(0, truth, 1)) * height), max(abs(d$estimate - truth)))
  }
  seen <- vapply(seq_len(runs), one, c(0, 0, 0))
  data.frame(law = name, n = n, epsilon = epsilon, runs = runs, coverage = mean(seen[1, ]),
             height = signif(mean(seen[2, ]), 3), largest_error = signif(mean(seen[3, ]), 3))
}

set.seed(20241)
done <- NULL
for (name in names(laws)) for (n in c(200, 1000, 5000)) for (epsilon in c(0.2, 1, 4)) {
  if (n * epsilon < 100) next
  done <- rbind(done, cell(name, n, epsilon))
  write.csv(done, file.path("vignettes", "ecdf-coverage.csv"), row.names = FALSE)
}
print(done)

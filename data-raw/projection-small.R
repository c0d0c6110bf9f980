# The private projection median with few rows: writes vignettes/projection-small.csv.
#
# Usage: Rscript data-raw/projection-small.R [replicates, 50], in the repository, with the package installed.
# Some minutes of processor time; a row of the table is written when it is done.
#
# Standard normal data, and the same with a tenth of the rows moved by 5 in every variable; delta = 1e-6; 200
# directions; the default pair of location and scale, and trimmed means with trimmed deviations. Root mean
# squared Euclidean distances to the centre, of what was released and of the estimate without privacy.
# Refused calls (by public numbers: the test can hardly pass) have no rows.

source("data-raw/regression-once.R")
remember("projection_constants", 5)
options(dpdepth.rng = "R")
replicates <- c(as.integer(commandArgs(TRUE)), 50L)[[1]]
delta <- 1e-6
count <- 200L
pairs <- list("median, MAD" = c("median", "mad"), trimmed = c("trimmed", "trimmed"))

draw_data <- function(law, n, d) {
  x <- matrix(stats::rnorm(n * d), n)
  if (law == "outliers") x[seq_len(n / 10), ] <- x[seq_len(n / 10), ] + 5
  x
}

one <- function(law, n, d, epsilon, pair) {
  found <- vapply(seq_len(replicates), function(i) {
    set.seed(1000 * (n + d) + i)
    x <- draw_data(law, n, d)
    r <- dpdepth::dp_median_projection(x, epsilon, delta, directions = count, location = pairs[[pair]][[1]],
                                       scale = pairs[[pair]][[2]])
    alone <- dpdepth::median_projection(x, directions = count, location = pairs[[pair]][[1]],
                                        scale = pairs[[pair]][[2]])
    c(sum(stats::coef(r)^2), sum(alone^2))
  }, c(0, 0))
  rmse <- sqrt(rowMeans(found, na.rm = TRUE))
  data.frame(law = law, d = d, epsilon = epsilon, pair = pair, n = n, replicates = replicates,
             passed = mean(!is.na(found[1, ])), rmse = signif(rmse[[1]], 3), alone = signif(rmse[[2]], 3))
}

cases <- rbind(
  expand.grid(n = c(500, 1000, 2000, 5000), pair = "trimmed", setting = 1:4, stringsAsFactors = FALSE),
  expand.grid(n = c(5000, 10000), pair = "median, MAD", setting = 1:4, stringsAsFactors = FALSE)
)
settings <- data.frame(law = c("normal", "normal", "normal", "outliers"), d = c(2, 2, 10, 2),
                       epsilon = c(1, 2, 2, 1))
table <- NULL
for (i in seq_len(nrow(cases))) {
  case <- cases[i, ]
  at <- settings[case$setting, ]
  row <- tryCatch(one(at$law, case$n, at$d, at$epsilon, case$pair), dpdepth_error_input = function(e) NULL)
  table <- rbind(table, row)
  utils::write.csv(table, "vignettes/projection-small.csv", row.names = FALSE, na = "")
}

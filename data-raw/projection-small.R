# The private projection median with few rows: writes vignettes/projection-small.csv.
#
# Usage: make simulations FIGURE=projection-small, or Rscript data-raw/projection-small.R [replicates, 50]
# (some minutes of processor time)
#
# Standard normal data, and the same with a tenth of the rows moved by 5 in every variable; delta = 1e-6; 200
# directions; the default pair of location and scale, and trimmed means with trimmed deviations. Root mean
# squared Euclidean distances to the centre, of what was released and of the estimate without privacy.
# Refused calls (by public numbers: the test can hardly pass) have no rows.
# The committed table is of 22 November 2026: it has the same laws and settings, and other samples, as it was
# made before the script stood on simulate_releases().

source("data-raw/figures.R")
source("data-raw/projection-rows.R")
delta <- 1e-6
count <- pick(200L, 20L)
pairs <- list("median, MAD" = c("median", "mad"), trimmed = c("trimmed", "trimmed"))

# NULL where the call is refused.
released <- function(x, epsilon, pair) {
  tryCatch(dp_median_projection(x, epsilon, delta, directions = count, location = pairs[[pair]][[1]],
                                scale = pairs[[pair]][[2]]),
           dpdepth_error_input = function(e) NULL)
}
errors <- function(x, epsilon, pair) {
  release <- released(x, epsilon, pair)
  alone <- median_projection(x, directions = count, location = pairs[[pair]][[1]], scale = pairs[[pair]][[2]])
  c(refused = is.null(release), private = if (is.null(release)) NA else squared(coef(release)),
    alone = squared(alone))
}

cases <- rbind(expand.grid(n = c(500, 1000, 2000, 5000), pair = "trimmed", setting = 1:4),
               expand.grid(n = c(5000, 10000), pair = "median, MAD", setting = 1:4))
cases$pair <- as.character(cases$pair)
settings <- data.frame(law = c("normal", "normal", "normal", "outliers"), d = c(2, 2, 10, 2),
                       epsilon = c(1, 2, 2, 1))
design <- cbind(settings[cases$setting, ], cases[c("pair", "n")], row.names = NULL)
design <- pick(design, design[7, ])
found <- simulate_figure("projection-small", design, draw_rows, list(errors = errors),
                         replicates = runs(50, 1))
table <- by_cell(found, function(v, cell) {
  rmse <- signif(sqrt(colMeans(v[, 2:3, drop = FALSE], na.rm = TRUE)), 3)
  data.frame(replicates = nrow(v), passed = mean(!is.na(v[, "private"])), rmse = rmse[[1]], alone = rmse[[2]],
             refused = any(v[, "refused"] == 1))
})
write_figure(table[!table$refused, c("law", "d", "epsilon", "pair", "n", "replicates", "passed", "rmse",
                                    "alone")], "projection-small", na = "")

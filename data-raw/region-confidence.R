# Coverage of dp_region(interval = 0.95): writes vignettes/region-confidence.csv.
#
# Usage: Rscript data-raw/region-confidence.R [runs]
# coverage: how often the limits of all directions held the population's quantiles, which is enough for both
# polygons; outer, inner: mean area as a part of that of the population's polygon; open: how often a limit was
# infinite. epsilon = 1, limits of 50 to both sides.
library(dpdepth)
inner <- function(name) getFromNamespace(name, "dpdepth")
runs <- c(as.integer(commandArgs(TRUE)), 2000L)[[1]]
file <- "vignettes/region-confidence.csv"

# Draws, and quantiles 1 - depth along a direction: the largest.
grid <- expand.grid(-1:1, -1:1)
laws <- list(
  normal = list(draw = function(n) matrix(rnorm(2 * n), n), quantile = function(a, u) -qnorm(a)),
  "correlated .9" = list(
    draw = function(n) {
      x <- rnorm(n)
      cbind(x, 0.9 * x + sqrt(0.19) * rnorm(n))
    },
    quantile = function(a, u) -qnorm(a) * sqrt(1 + 1.8 * u[[1]] * u[[2]])
  ),
  Cauchy = list(draw = function(n) matrix(rnorm(2 * n), n) / abs(rnorm(n)),
                quantile = function(a, u) -qcauchy(a)),
  "nine atoms" = list(
    draw = function(n) as.matrix(grid)[sample(9, n, TRUE), ],
    quantile = function(a, u) {
      along <- sort(u[[1]] * grid[[1]] + u[[2]] * grid[[2]], decreasing = TRUE)
      along[[ceiling(9 * a)]]
    }
  )
)

cover <- function(law, n, depth) {
  prior <- prior_uniform(c(-50, -50), c(50, 50))
  plan <- inner("interval_region_plan")(0.95, n, depth, "depth", 1, NULL, prior)
  u <- plan$interval$directions
  top <- apply(u, 1, laws[[law]]$quantile, a = depth)
  low <- -apply(-u, 1, laws[[law]]$quantile, a = depth)
  truth <- inner("polygon_area")(inner("limit_polygons")(cbind(low, low, top, top), u, 50)$outer)
  source <- inner("check_rng")("R")
  out <- vapply(seq_len(runs), function(i) {
    limits <- 50 * inner("draw_region_limits")(laws[[law]]$draw(n) / 50, plan$interval, source)
    parts <- inner("limit_polygons")(limits, u, 50)
    slack <- 1e-9
    c(all(limits[, 1] <= low + slack, low <= limits[, 2] + slack, limits[, 3] <= top + slack,
          top <= limits[, 4] + slack),
      vapply(parts, inner("polygon_area"), 0) / truth, any(is.infinite(limits)))
  }, numeric(4))
  row <- data.frame(law = law, n = n, depth = depth, directions = nrow(u), runs = runs,
                    coverage = mean(out[1, ]), outer = mean(out[2, out[4, ] == 0]), inner = mean(out[3, ]),
                    open = mean(out[4, ]))
  row[7:8] <- signif(row[7:8], 4)
  write.table(row, file, sep = ",", row.names = FALSE, col.names = !file.exists(file),
              append = file.exists(file))
}

set.seed(1)
unlink(file)
for (law in names(laws)) cover(law, 2000, 0.25)
cover("normal", 5000, 0.12)

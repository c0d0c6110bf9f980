# Coverage of dp_region(interval = 0.95): writes vignettes/region-confidence.csv.
#
# Usage: make simulations FIGURE=region-confidence, or Rscript data-raw/region-confidence.R [runs]
# coverage: how often the limits of all directions held the population's quantiles, which is enough for both
# polygons; outer, inner: mean area as a part of that of the population's polygon; open: how often a limit was
# infinite. epsilon = 1, limits of 50 to both sides.
# The committed table is of 22 November 2026: it has the same laws and settings, and other samples, as it was
# made before the script stood on simulate_releases().

source("data-raw/figures.R")

# Draws, and quantiles 1 - depth along a direction: the largest.
# public-rng: simulated data
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

# What is public of a cell: the plan, and the population's quantiles and area.
population <- function(law, n, depth) {
  prior <- prior_uniform(c(-50, -50), c(50, 50))
  plan <- inner("interval_region_plan")(0.95, n, depth, "depth", 1, NULL, prior)$interval
  u <- plan$directions
  top <- apply(u, 1, laws[[law]]$quantile, a = depth)
  low <- -apply(-u, 1, laws[[law]]$quantile, a = depth)
  area <- inner("polygon_area")(inner("limit_polygons")(cbind(low, low, top, top), u, 50)$outer)
  list(plan = plan, u = u, top = top, low = low, area = area)
}

limits_of <- function(x, law, n, depth) {
  p <- cells[[paste(law, n, depth)]]
  limits <- 50 * inner("draw_region_limits")(x / 50, p$plan, inner("check_rng")("R"))
  areas <- vapply(inner("limit_polygons")(limits, p$u, 50), inner("polygon_area"), 0)
  slack <- 1e-9
  c(covers = all(limits[, 1] <= p$low + slack, p$low <= limits[, 2] + slack, limits[, 3] <= p$top + slack,
                 p$top <= limits[, 4] + slack),
    outer = areas[[1]] / p$area, inner = areas[[2]] / p$area, open = any(is.infinite(limits)))
}

design <- data.frame(law = c(names(laws), "normal"), n = c(2000, 2000, 2000, 2000, 5000),
                     depth = c(0.25, 0.25, 0.25, 0.25, 0.12))
design <- cells_of(design)
cells <- Map(population, design$law, design$n, design$depth)
names(cells) <- do.call(paste, design)
found <- simulate_figure("region-confidence", design, lapply(laws, `[[`, "draw"), limits_of,
                         replicates = runs(2000))
table <- by_cell(found, function(v, cell) {
  data.frame(directions = nrow(cells[[do.call(paste, cell)]]$u), runs = nrow(v),
             coverage = mean(v[, "covers"]),
             outer = signif(mean(v[v[, "open"] == 0, "outer"]), 4), inner = signif(mean(v[, "inner"]), 4),
             open = mean(v[, "open"]))
})
write_figure(table[c("law", "n", "depth", "directions", "runs", "coverage", "outer", "inner", "open")],
             "region-confidence")

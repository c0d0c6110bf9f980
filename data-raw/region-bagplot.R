# How far private bagplots are from the population's bag: writes vignettes/region-bagplot.csv.
#
# Usage: make simulations FIGURE=region-bagplot, or Rscript data-raw/region-bagplot.R [runs, 200]
# epsilon = 1, bounds of -50 and 50. private, free: the area in which the region and the population's bag
# differ, as a part of the bag's, mean over runs, of dp_region() and of the package's region without privacy
# that holds half of the rows (50 runs with 1000 rows, 10 with 5000); distance, free_distance: the Hausdorff
# distance likewise; mass, mass_sd: what the region holds of the population, mean and standard deviation;
# center: root mean squared distance from the median to the point of the population's median lines.
# The committed table is of 22 November 2026: it has the same laws and settings, and other samples, as it was
# made before the script stood on simulate_releases().

source("data-raw/figures.R")

# public-rng: simulated data
laws <- list(
  normal = function(n) matrix(rnorm(2 * n), n),
  "correlated .9" = function(n) {
    x <- rnorm(n)
    cbind(x, 0.9 * x + sqrt(0.19) * rnorm(n), deparse.level = 0)
  },
  "heavy tails" = function(n) matrix(rnorm(2 * n), n) / abs(rnorm(n)),
  skew = function(n) matrix(rexp(2 * n), n) - log(2)
)

angle <- 2 * pi * (0:359) / 360
circle <- cbind(cos(angle), sin(angle))

# Is each point of z in the convex polygon p, counterclockwise?
holds <- function(z, p) {
  inside <- rep(nrow(p) > 2, nrow(z))
  for (i in seq_len(nrow(p))) {
    a <- p[i, ]
    b <- p[i %% nrow(p) + 1, ]
    inside <- inside & (b[1] - a[1]) * (z[, 2] - a[2]) >= (b[2] - a[2]) * (z[, 1] - a[1])
  }
  inside
}

# The population's bag, from a million rows where it has no closed form: halfplanes along 180 lines.
bag_of <- function(name) {
  if (name == "normal") return(circle * sqrt(2 * log(2)))
  if (name == "heavy tails") return(circle * sqrt(3))
  if (name == "correlated .9") return(circle %*% chol(matrix(c(1, 0.9, 0.9, 1), 2)) * sqrt(2 * log(2)))
  x <- laws[[name]](pick(1e6, 2e4))
  lines <- circle[seq(1, 360, 4), ]
  probs <- seq(0.05, 0.2, 0.0025)
  at <- apply(lines, 1, function(u) quantile(x[, 1] * u[1] + x[, 2] * u[2], 1 - probs))
  polygon <- function(i) {
    p <- 50 * cbind(c(-1, 1, 1, -1), c(-1, -1, 1, 1))
    for (k in seq_len(nrow(lines))) p <- inner("clip_polygon")(p, lines[k, ], at[i, k])
    p
  }
  mass <- vapply(seq_along(probs), function(i) mean(holds(x[seq_len(nrow(x) / 10), ], polygon(i))), 0)
  polygon(which.min(abs(mass - 0.5)))
}

median_of <- function(x) {
  lines <- circle[1:180, ]
  2 / 180 * colSums(lines * apply(lines, 1, function(u) median(x[, 1] * u[1] + x[, 2] * u[2])))
}

# Area of the symmetric difference, and Hausdorff distance by support functions.
measures <- function(bag) {
  reach <- apply(bag, 2, range)
  wide <- apply(reach, 2, diff)
  along <- function(k) seq(reach[1, k] - wide[k], reach[2, k] + wide[k], length.out = pick(180, 30))
  grid <- as.matrix(expand.grid(along(1), along(2)))
  within <- holds(grid, bag)
  support <- function(p) apply(circle %*% t(p), 1, max)
  function(p) c(sum(holds(grid, p) != within) / sum(within), max(abs(support(p) - support(bag))))
}

free_region <- function(x) {
  depth <- sort(depth_halfspace(x, x), decreasing = TRUE)
  depth_region(x, depth[[nrow(x) / 2]])$vertices[[1]]
}

# What is public of a law: its centre, 20,000 draws, and the measures of polygons against its bag.
population <- function(name) {
  list(centre = if (name == "skew") median_of(laws$skew(pick(4e5, 2e3))) else c(0, 0),
       rows = laws[[name]](20000), measured = measures(bag_of(name)))
}

regions <- function(x, law, n, directions, replicate) {
  p <- populations[[law]]
  r <- suppressWarnings(dp_region(x, 0.5, 1, lower = -50, upper = 50,
                                  directions = if (directions > 0) directions))
  free <- directions == 0 && replicate <= 50000 / n
  c(p$measured(r$details$region), if (free) p$measured(free_region(x)) else c(NA, NA),
    mean(holds(p$rows, r$details$region)), sum((r$estimate - p$centre)^2), r$details$directions)
}

# 0 directions: as many as dp_region() takes.
design <- rbind(
  expand.grid(law = names(laws), n = c(1000, 5000), directions = 0, stringsAsFactors = FALSE),
  expand.grid(law = c("normal", "skew"), n = c(1000, 5000), directions = c(4, 8), stringsAsFactors = FALSE),
  data.frame(law = "normal", n = 1000, directions = 16)
)
design <- cells_of(design)
set.seed(1)
populations <- sapply(unique(design$law), population, simplify = FALSE)
found <- simulate_figure("region-bagplot", design, laws, regions, replicates = runs(200))
table <- by_cell(found, function(v, cell) {
  mean <- colMeans(v, na.rm = TRUE)
  numbers <- signif(c(mean[c(1, 3, 2, 4, 5)], sd(v[, 5]), sqrt(mean[[6]])), 3)
  names(numbers) <- c("private", "free", "distance", "free_distance", "mass", "mass_sd", "center")
  data.frame(runs = nrow(v), used = mean[[7]], as.list(numbers))
})
table$directions <- table$used
write_figure(table[c("law", "n", "directions", "runs", "private", "free", "distance", "free_distance", "mass",
                     "mass_sd", "center")], "region-bagplot")

# How far private bagplots are from the population's bag: vignettes/region-bagplot.csv.
#
# Rscript data-raw/region-bagplot.R [runs]: 200 runs of each setting by default, epsilon = 1, bounds of -50
# and 50. private, free: the area in which the region and the population's bag differ, as a part of the bag's,
# mean over runs, of dp_region() and of the package's region without privacy that holds half of the rows (50
# runs with 1000 rows, 10 with 5000); distance, free_distance: the Hausdorff distance likewise; mass, mass_sd:
# what the region holds of the population, mean and standard deviation; center: root mean squared distance
# from the median to the point of the population's median lines.
library(dpdepth)
options(dpdepth.rng = "R")
runs <- as.integer(c(commandArgs(TRUE), 200)[[1]])
file <- "vignettes/region-bagplot.csv"

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
  x <- laws[[name]](1e6)
  lines <- circle[seq(1, 360, 4), ]
  probs <- seq(0.05, 0.2, 0.0025)
  at <- apply(lines, 1, function(u) quantile(x[, 1] * u[1] + x[, 2] * u[2], 1 - probs))
  polygon <- function(i) {
    p <- 50 * cbind(c(-1, 1, 1, -1), c(-1, -1, 1, 1))
    for (k in seq_len(nrow(lines))) p <- dpdepth:::clip_polygon(p, lines[k, ], at[i, k])
    p
  }
  mass <- vapply(seq_along(probs), function(i) mean(holds(x[1:1e5, ], polygon(i))), 0)
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
  grid <- as.matrix(expand.grid(seq(reach[1, 1] - wide[1], reach[2, 1] + wide[1], length.out = 180),
                                seq(reach[1, 2] - wide[2], reach[2, 2] + wide[2], length.out = 180)))
  within <- holds(grid, bag)
  support <- function(p) apply(circle %*% t(p), 1, max)
  function(p) c(sum(holds(grid, p) != within) / sum(within), max(abs(support(p) - support(bag))))
}

free_region <- function(x) {
  depth <- sort(depth_halfspace(x, x), decreasing = TRUE)
  depth_region(x, depth[[nrow(x) / 2]])$vertices[[1]]
}

run <- function(name, n, directions = NULL) {
  bag <- bag_of(name)
  centre <- if (name == "skew") median_of(laws$skew(4e5)) else c(0, 0)
  population <- laws[[name]](20000)
  measured <- measures(bag)
  k <- NULL
  free_runs <- if (is.null(directions)) 50000 / n else 0
  out <- vapply(seq_len(runs), function(i) {
    x <- laws[[name]](n)
    r <- suppressWarnings(dp_region(x, 0.5, 1, lower = -50, upper = 50, directions = directions))
    k <<- r$details$directions
    c(measured(r$details$region), if (i <= free_runs) measured(free_region(x)) else c(NA, NA),
      mean(holds(population, r$details$region)), sum((r$estimate - centre)^2))
  }, numeric(6))
  mean <- rowMeans(out, na.rm = TRUE)
  numbers <- c(private = mean[[1]], free = mean[[3]], distance = mean[[2]], free_distance = mean[[4]],
               mass = mean[[5]], mass_sd = sd(out[5, ]), center = sqrt(mean[[6]]))
  row <- data.frame(law = name, n = n, directions = k, runs = runs, t(signif(numbers, 3)))
  written <- file.exists(file)
  write.table(row, file, sep = ",", row.names = FALSE, col.names = !written, append = written)
}

set.seed(1)
unlink(file)
for (n in c(1000, 5000)) for (name in names(laws)) run(name, n)
# the number of directions
for (k in c(4, 8)) for (n in c(1000, 5000)) for (name in c("normal", "skew")) run(name, n, k)
run("normal", 1000, 16)

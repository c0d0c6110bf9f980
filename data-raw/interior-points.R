# Rows that interior points take, as published and as released here: writes vignettes/interior-points.csv.
#
# Usage: make simulations FIGURE=interior-points, or Rscript data-raw/interior-points.R [data sets, 200] (two
# minutes of processor time)
# published: rival_interior_point(), Algorithm 1 of Aliakbarpour and others (2024); here: dp_interior_point();
# delta = 1e-6. released: the share of data sets with a release; inside: the share of the releases that are
# above the smallest row and not above the largest. Each data set is shifted by a random amount, for the edges
# of bins must not meet the centre by chance.

source("data-raw/figures.R")

# public-rng: simulated data
laws <- list(normal = stats::rnorm, uniform = stats::runif, Cauchy = stats::rcauchy)
draw_rows <- function(law, n) laws[[law]](n) + stats::runif(1, -50, 50) # public-rng: simulated data

estimates <- lapply(list(published = rival_interior_point, here = dp_interior_point), function(method) {
  force(method)
  function(x, epsilon) {
    point <- stats::coef(suppressWarnings(method(x, epsilon, 1e-6)))[[1]]
    c(released = as.numeric(!is.na(point)), inside = as.numeric(point > min(x) & point <= max(x)))
  }
})

sizes <- list(published = seq(500, 1000, 50), here = seq(160, 320, 20)) # times 1/epsilon
design <- do.call(rbind, lapply(names(sizes), function(method) {
  expand.grid(estimate = method, law = names(laws), size = sizes[[method]], epsilon = c(0.5, 1, 2),
              stringsAsFactors = FALSE)
}))
design$n <- design$size / design$epsilon
found <- simulate_figure("interior-points", cells_of(design[c("estimate", "law", "epsilon", "n")]), draw_rows,
                         estimates, replicates = runs(200))
table <- by_cell(found, function(v, cell) {
  data.frame(runs = nrow(v), released = mean(v[, "released"]), inside = mean(v[, "inside"], na.rm = TRUE))
})
names(table)[names(table) == "estimate"] <- "method"
write_figure(table[c("method", "law", "epsilon", "n", "runs", "released", "inside")], "interior-points",
             quote = FALSE)

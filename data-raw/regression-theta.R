# How far the bounds may be before the noise of the private deepest regression notices: writes
# vignettes/regression-theta.csv.
#
# Usage: make simulations FIGURE=regression-theta, or Rscript data-raw/regression-theta.R [data sets, 100]
# (80 seconds of processor time)
#
# Table 2 of Cumings-Menon (2022): over 100 data sets of each of three laws (as regression-accuracy.R), the
# least l1 diameter of Theta = [-T, T]^2, at least that of [-50, 50]^2, from which on the smooth sensitivity
# of some data set is larger. Four ways:
#
# published  the numbers printed in the paper
# lemma      its Lemma 7 as its simulation computed it: all levels above 0 are bounded by lines through
#            two rows; beta = epsilon/(2 rho), rho the 1 - delta quantile of Gamma(2)
# bound      ours: levels that hold lines as steep as one likes are unbounded; smooth_noise()'s beta
# release    ours as released: besides, the noise is at least 256 steps of the lattice that the bounds
#            determine

source("data-raw/regression-methods.R")
sizes <- c(50, 100, 200, 300, 400, 500)
step <- 2^-16 # of the intercept's and the slope's lattice here
published <- list("4" = c(2.0e2, 2.0e2, 4.4e2, 1.8e4, 9.7e5, 4.1e7),
                  "12" = c(2.0e2, 1.1e4, 1.5e9, 2.0e14, 2.9e19, 3.1e24))
known <- lapply(c("4" = 4, "12" = 12), inner("smooth_constants"), delta, 2L)

lemma <- function(found, n, half, epsilon) {
  found$unbounded <- 0
  size <- inner("deepest_diameters")(found, rep(-half, 2) / step, rep(half, 2) / step, slack = 0)
  beta <- epsilon / (2 * stats::qgamma(delta, 2, lower.tail = FALSE))
  step * max(exp(-beta * 0:n) * size[inner("deepest_levels")(found$depth, n) + 1])
}

bound <- function(found, n, half, epsilon) {
  constants <- known[[format(epsilon)]]
  ends <- rep(half, 2) / step
  step * inner("deepest_sensitivity")(found, n, -ends, ends, constants$smoothness)
}

# As smooth_scale(), without rounding.
release <- function(found, n, half, epsilon) {
  constants <- known[[format(epsilon)]]
  bounds <- list(lower = rep(-half, 2), upper = rep(half, 2))
  grid <- inner("smooth_lattice")(bounds, inner("fine_bits")(bounds, constants))
  least <- inner("min_scale") / 2^inner("scale_bits") * grid$step[[1]]
  max(bound(found, n, half, epsilon), constants$alpha * least)
}

# The least diameter, 4 T >= 200, with a larger sensitivity than at 200: bisection of log T. (A part in a
# thousand is for the lattice.)
notices <- function(sensitivity, found, n, epsilon) {
  first <- sensitivity(found, n, 50, epsilon) * (1 + 1e-3)
  same <- log(50)
  more <- same + 120
  while (more - same > 1e-2) {
    middle <- (same + more) / 2
    if (sensitivity(found, n, exp(middle), epsilon) > first) more <- middle else same <- middle
  }
  4 * exp(same)
}

# Of a data set of each law: the least diameter for each way and epsilon.
draw_rows <- function(n) lapply(names(laws), draw_line, n)
diameters <- function(sets, n) {
  all <- vapply(sets, function(data) {
    found <- inner("deepest_spreads")(data$x, data$y, rep(step, 2))
    vapply(c(4, 12), function(epsilon) vapply(ways, notices, 0, found, n, epsilon), numeric(3))
  }, matrix(0, 3, 2))
  as.vector(apply(all, 1:2, min))
}
ways <- list(lemma = lemma, bound = bound, release = release)

found <- simulate_figure("regression-theta", list(n = pick(sizes, 50)), draw_rows, diameters,
                         replicates = runs(100, 1))
table <- by_cell(found, function(v, cell) {
  least <- signif(matrix(apply(v, 2, min), 3), 3)
  data.frame(epsilon = c(4, 12), lemma = least[1, ], bound = least[2, ], release = least[3, ],
             published = vapply(published, `[[`, 0, match(cell$n, sizes)))
})
table <- table[c("epsilon", "n", "published", "lemma", "bound", "release")]
write_figure(table[order(table$epsilon, table$n), ],
             "regression-theta")

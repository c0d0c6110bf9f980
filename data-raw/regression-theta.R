# How far the bounds may be before the noise of the private deepest regression notices: writes
# vignettes/regression-theta.csv.
#
# Rscript data-raw/regression-theta.R [cores, 1 or 2], in the repository, with the package installed. Some
# 80 seconds of processor time.
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

delta <- 1e-6
sizes <- c(50, 100, 200, 300, 400, 500)
step <- 2^-16 # of the intercept's and the slope's lattice here
published <- list("4" = c(2.0e2, 2.0e2, 4.4e2, 1.8e4, 9.7e5, 4.1e7),
                  "12" = c(2.0e2, 1.1e4, 1.5e9, 2.0e14, 2.9e19, 3.1e24))
laws <- list(stats::rnorm, function(n) sample(c(-1, 1), n, TRUE) * stats::rexp(n),
             function(n) stats::rt(n, 3))

known <- lapply(c("4" = 4, "12" = 12), dpdepth:::smooth_constants, delta, 2L)

lemma <- function(found, n, half, epsilon) {
  found$unbounded <- 0
  size <- dpdepth:::deepest_diameters(found, rep(-half, 2) / step, rep(half, 2) / step, slack = 0)
  beta <- epsilon / (2 * stats::qgamma(delta, 2, lower.tail = FALSE))
  step * max(exp(-beta * 0:n) * size[dpdepth:::deepest_levels(found$depth, n) + 1])
}

bound <- function(found, n, half, epsilon) {
  constants <- known[[format(epsilon)]]
  ends <- rep(half, 2) / step
  step * dpdepth:::deepest_sensitivity(found, n, -ends, ends, constants$smoothness)
}

# As smooth_scale(), without rounding.
release <- function(found, n, half, epsilon) {
  constants <- known[[format(epsilon)]]
  bounds <- list(lower = rep(-half, 2), upper = rep(half, 2))
  grid <- dpdepth:::smooth_lattice(bounds, dpdepth:::fine_bits(bounds, constants))
  least <- dpdepth:::min_scale / 2^dpdepth:::scale_bits * grid$step[[1]]
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

one <- function(law, n) {
  x <- law(n)
  found <- dpdepth:::deepest_spreads(x, 1 + 2 * x + law(n), rep(step, 2))
  sapply(c("4" = 4, "12" = 12), function(epsilon) {
    sapply(c(lemma = lemma, bound = bound, release = release), notices, found, n, epsilon)
  })
}

given <- commandArgs(TRUE)
dpdepth::dpdepth_threads(1) # cores are for replicates
cores <- if (length(given) > 0) as.integer(given[[1]]) else 2L
done <- parallel::mclapply(rev(sizes), mc.cores = cores, mc.preschedule = FALSE, FUN = function(n) {
  set.seed(n)
  all <- replicate(100, sapply(laws, one, n, simplify = "array"))
  least <- apply(all, 1:2, min)
  do.call(rbind, lapply(colnames(least), function(epsilon) {
    data.frame(epsilon = as.numeric(epsilon), n = n, published = published[[epsilon]][match(n, sizes)],
               t(least[, epsilon]))
  }))
})
table <- do.call(rbind, done)
table <- table[order(table$epsilon, table$n), ]
for (column in names(table)[-1]) table[[column]] <- signif(table[[column]], 3)
utils::write.csv(table, "vignettes/regression-theta.csv", row.names = FALSE)
print(table, row.names = FALSE)

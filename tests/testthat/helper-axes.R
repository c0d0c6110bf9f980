# Slow twins, in plain R, of the median by depth along the axes: laws on small lattices by enumeration.

# From here on a uniform prior's lattice has steps of one: doubles leave no finer one.
axes_base <- 2^52

# The lattice 0..side - 1 in d variables, as a prior of the package and as points.
axes_box <- function(side, d) prior_uniform(rep(axes_base, d), rep(axes_base + side - 1, d))

# min over j of min(#{x_j <= z_j}, #{x_j >= z_j}) at the rows of z.
slow_axes <- function(z, x) {
  depth <- rep(nrow(x), nrow(z))
  for (j in seq_len(ncol(x))) {
    below <- colSums(outer(x[, j], z[, j], `<=`))
    above <- colSums(outer(x[, j], z[, j], `>=`))
    depth <- pmin(depth, below, above)
  }
  depth
}

# The law: weight(depth) times the product of the axes' masses, a function of 0..n. Faults by another weight.
axes_law <- function(x, points, mass = rep(1, nrow(points)), weight) {
  p <- mass * weight(slow_axes(points, x))
  p / sum(p)
}
half_rate <- function(epsilon) function(depth) exp(epsilon * depth / 2)

# The law from the code's own weights of levels (ffi_axes_levels) and boxes from sorted columns.
# `rank` shifts the ranks of the boxes' ends: 0 is right.
axes_code_law <- function(x, prior, epsilon, points, mass = rep(1, nrow(points)), rank = 0) {
  bits <- .Call(ffi_axes_levels, x + axes_base, prior_fields(prior), epsilon)
  chance <- 2^-bits / sum(2^-bits)
  sorted <- matrix(apply(x, 2, sort), nrow(x))
  law <- chance[[1]] * mass / sum(mass)
  for (k in seq_along(bits)[-1] - 1) {
    from <- max(1, k - rank)
    inside <- rep(TRUE, nrow(points))
    for (j in seq_len(ncol(x))) {
      inside <- inside & points[, j] >= sorted[from, j] & points[, j] <= sorted[nrow(x) + 1 - from, j]
    }
    law <- law + chance[[k + 1]] * inside * mass / sum(mass[inside])
  }
  law
}

# Draws on the small lattice, counted over its points.
axes_counts <- function(draws, x, prior, epsilon, points, rng = "system") {
  z <- draw_axes(x + axes_base, prior, epsilon, rng, as.integer(draws)) - axes_base
  key <- function(m) as.vector(m %*% (1009^(seq_len(ncol(m)) - 1)))
  tabulate(match(key(z), key(points)), nrow(points))
}

# The prior's masses on the lattice of steps of one, relative to the mode.
normal_masses <- function(points, mean, sd) {
  apply(points, 1, function(z) prod(pmax(1, round(2^60 * exp(-(z - mean)^2 / (2 * sd^2)))) / 2^60))
}

# The law under prior_dyadic(1), relative, at points, from the code's own weights of levels. `mass`: the
# points' own.
dyadic_code_law <- function(x, epsilon, points, mass) {
  prior <- prior_for(prior_dyadic(1), ncol(x))
  bits <- .Call(ffi_axes_levels, x, prior_fields(prior), epsilon)
  chance <- 2^-bits / sum(2^-bits)
  sorted <- matrix(apply(x, 2, sort), nrow(x))
  law <- chance[[1]] * mass / 53^ncol(x)
  for (k in seq_along(bits)[-1] - 1) {
    inside <- rep(TRUE, nrow(points))
    all <- 1
    for (j in seq_len(ncol(x))) {
      ends <- c(sorted[k, j], sorted[nrow(x) + 1 - k, j])
      inside <- inside & points[, j] >= ends[[1]] & points[, j] <= ends[[2]]
      all <- all * sum(2^-ifelse(seq(ends[[1]], ends[[2]]) == 0, 0,
                                 floor(log2(pmax(abs(seq(ends[[1]], ends[[2]])), 1))) + 1))
    }
    law <- law + chance[[k + 1]] * inside * mass / all
  }
  law
}

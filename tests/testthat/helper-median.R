# Private medians and depths, slowly and by the definition: along axes, restricted, with known noise.

# -- the median by depth along the axes: laws on small lattices by enumeration --------------------------

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
  bits <- .Call(ffi_axes_levels, x + axes_base, prior_fields(prior), epsilon, NULL)
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
  bits <- .Call(ffi_axes_levels, x, prior_fields(prior), epsilon, NULL)
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

# -- restricted exponential mechanisms: points, axes, lines ---------------------------------------------

grid_points <- function(low, high, d) unname(as.matrix(expand.grid(rep(list(low:high), d))) + 0)

# Points of the grid of depth 1 or more, 2 or more, and so on.
slow_volumes <- function(depth) rev(cumsum(rev(tabulate(depth, max(depth, 0)))))

# The law of the draw over all points of the grid. `base`: the factor of the base level, which published
# code takes as that of the others.
slow_draw_law <- function(depth, level, epsilon, base = 1) {
  inside <- depth >= level
  above <- -expm1(-epsilon / 2)
  weight <- ifelse(inside, exp(epsilon * level / 2) * base, 0)
  for (l in seq_len(max(depth))) {
    if (l > level) weight <- weight + ifelse(depth >= l, exp(epsilon * l / 2) * above, 0)
  }
  weight / sum(weight)
}

# The law of the whole release: every point of the grid, and "failed" last.
slow_release_law <- function(depth, level, epsilon, epsilon_test, delta, margin, base = 1) {
  pass <- test_chance(margin, epsilon_test, delta)
  if (!any(depth >= level)) return(c(0 * depth, 1))
  c(pass * slow_draw_law(depth, level, epsilon, base), 1 - pass)
}

# Lattice points of the boxes of depth along the axes, as far as they have some.
box_volumes <- function(rows) {
  sorted <- matrix(apply(rows, 2, sort), nrow(rows))
  widths <- sorted[rev(seq_len(nrow(rows))), , drop = FALSE] - sorted + 1
  apply(widths, 1, prod)[cumsum(rowSums(widths < 1)) == 0]
}

margin_of <- function(rows, level, epsilon, delta) {
  margin_from(box_volumes(rows), nrow(rows), level, epsilon, delta)
}

# The margin from a table of counts.
margin_from <- function(counts, n, level, epsilon, delta) {
  v <- log(counts)
  lower <- if (level > length(v)) numeric(0) else v[level:length(v)]
  restricted_margin(v[seq_len(level)], lower, n, epsilon, delta)
}

# The number of each point in the grid.
cell_of <- function(points, grid) {
  match(do.call(paste, as.data.frame(points)), do.call(paste, as.data.frame(grid)))
}

# -- along the axes ----------------------------------------------------------------------------

# The law on whole points: exp(e T/2) on {T >= t}. `base`: a factor of depth t, 1 is right.
slow_restricted_law <- function(points, x, t, e, base = 1) {
  h <- slow_axes(points, x)
  p <- exp(e * h / 2) * (h >= t) * ifelse(h == t, base, 1)
  p / sum(p)
}

# b_k by the formula, with faults by name.
slow_axes_bound <- function(x, t, k, e, fault = "none") {
  n <- nrow(x)
  p <- (n + 1) %/% 2
  if (t - 1 - k < 1) return(Inf)
  sorted <- matrix(apply(x, 2, sort), n)
  outer <- function(l, k) {
    prod(apply(sorted, 2, function(v) max(v[n + 1 - l + k - 0:k] - v[l - 0:k]) + 1))
  }
  inner <- function(l, k) {
    if (fault == "W not nested") k <- 0
    if (fault == "one row short") k <- max(k - 1, 0)
    if (2 * l + k > n + 1) return(1)
    prod(apply(sorted, 2, function(v) min(v[n + 1 - l - k + 0:k] - v[l + 0:k]) + 1))
  }
  first <- if (fault == "V_t for V_{t-1}") outer(t, k) else outer(t - 1, k)
  over <- exp(-e / 2) * first + (1 - exp(-e / 2)) * outer(t, k)
  levels <- seq_len(p)[seq_len(p) > t]
  above <- vapply(levels, function(l) exp(e * (l - t) / 2) * (1 - exp(-e / 2)) * inner(l, k), 0)
  over / (inner(t, k) + sum(above))
}

# All multisets of n of the rows of `atoms`, and which pairs of them are neighbours.
small_data <- function(atoms, n) {
  sets <- as.matrix(expand.grid(rep(list(seq_len(nrow(atoms))), n)))
  sets <- unname(sets[rowSums(sets[, -1, drop = FALSE] < sets[, -n, drop = FALSE]) == 0, , drop = FALSE])
  counts <- t(apply(sets, 1, tabulate, nrow(atoms)))
  key <- function(m) as.vector(m %*% (n + 1)^(seq_len(ncol(m)) - 1))
  pairs <- NULL
  for (a in seq_len(nrow(atoms))) for (b in seq_len(nrow(atoms))[-a]) {
    from <- which(counts[, a] > 0)
    moved <- counts[from, , drop = FALSE]
    moved[, a] <- moved[, a] - 1
    moved[, b] <- moved[, b] + 1
    pairs <- rbind(pairs, cbind(from, match(key(moved), key(counts))))
  }
  list(data = lapply(seq_len(nrow(sets)), function(i) atoms[sets[i, ], , drop = FALSE]), pairs = pairs)
}

restricted_axes_cases <- list(
  list(atoms = cbind(c(0, 1, 2, 7)), n = 8, t = 3), list(atoms = cbind(c(0, 1, 2, 7)), n = 8, t = 4),
  list(atoms = cbind(c(0, 1, 3, 9, 20)), n = 6, t = 2), list(atoms = cbind(c(0, 2, 5, 30)), n = 7, t = 3),
  list(atoms = cbind(c(0, 0, 4, 9), c(0, 5, 0, 9)), n = 7, t = 3),
  list(atoms = cbind(c(0, 0, 4, 4, 9), c(0, 5, 0, 5, 9)), n = 5, t = 2)
)

# Over all neighbours: the largest of H_e(p_D || p_D') - b_0(D), of log b_k(D) - log b_{k+1}(D'), and, where
# both laws are above 0, of log(p_D/p_D') - e - log(1 + c/W_t), c = e^{e(t-1)/2} (V_{t-1} - V_t). At most 0
# if right. `bound(x, t, e)`: b_k, k = 0, ..., t - 2; law(points, x, t, e).
worst_of_neighbours <- function(case, e, bound, law) {
  small <- small_data(case$atoms, case$n)
  points <- as.matrix(expand.grid(apply(case$atoms, 2, function(v) seq(0, max(v)), simplify = FALSE)))
  p <- vapply(small$data, function(x) law(points, x, case$t, e), numeric(nrow(points)))
  b <- matrix(vapply(small$data, function(x) bound(x, case$t, e), numeric(case$t - 1)), case$t - 1)
  excess <- colSums(pmax(p[, small$pairs[, 1]] - exp(e) * p[, small$pairs[, 2]], 0)) - b[1, small$pairs[, 1]]
  nested <- log(b[-nrow(b), small$pairs[, 1]]) - log(b[-1, small$pairs[, 2]])
  h <- vapply(small$data, function(x) slow_axes(points, x), numeric(nrow(points)))
  apart <- exp(e * (case$t - 1) / 2) * colSums(h == case$t - 1) / colSums(exp(e * h / 2) * (h >= case$t))
  ratio <- log(p[, small$pairs[, 1]] / p[, small$pairs[, 2]])
  ratio[p[, small$pairs[, 1]] == 0 | p[, small$pairs[, 2]] == 0] <- -Inf
  ratio <- ratio - e - log1p(apart[small$pairs[, 1]])[col(ratio)]
  c(excess = max(excess), nested = max(nested, -Inf), ratio = max(ratio))
}

# The code's own: laws from its levels' weights, bounds as computed.
code_axes_bound <- function(x, t, e) {
  exp(.Call(ffi_restricted_axes_bounds, sort_columns(x), as.integer(t), e, as.integer(t - 1)))
}

code_restricted_law <- function(points, x, t, e) {
  ranks <- list(seq(t, nrow(x)), seq(nrow(x) + 1 - t, 1))
  ends <- lapply(ranks, function(r) sort_columns(x)[r, , drop = FALSE])
  bits <- .Call(ffi_boxes_levels, ends[[1]], ends[[2]], e)
  chance <- 2^-bits / sum(2^-bits)
  h <- slow_axes(points, x)
  Reduce(`+`, lapply(seq_along(bits), function(k) {
    inside <- h >= t + k - 1
    chance[[k]] * inside / sum(inside)
  }))
}

# TRUE if the code's bounds or laws break what the proof is about, or its draws are of another law.
restricted_axes_is_wrong <- function(cases = restricted_axes_cases[c(1, 5)], e = 1) {
  worst <- vapply(cases, worst_of_neighbours, numeric(3), e, code_axes_bound, code_restricted_law)
  # the heaviest level is the base level, or the deepest
  rows <- list(cbind(c(0, 1, 1, 3, 4, 4, 7), c(2, 2, 2, 2, 5, 6, 9)), cbind(c(0, 1, 2, 4, 4, 6, 7, 9)))
  any(worst > 1e-9) || restricted_draws_are_wrong(rows[[1]], e) ||
    restricted_draws_are_wrong(rows[[2]], 2 * e)
}

restricted_draws_are_wrong <- function(x, e, draws = 20000L) {
  points <- grid_points(0, 9, ncol(x))
  z <- draw_from_level(sort_columns(x), 2, e, "system", draws)
  place <- function(at) as.vector(at %*% 100^seq(0, ncol(x) - 1))
  counts <- tabulate(match(place(z), place(points)), nrow(points))
  law_pvalue(counts, slow_restricted_law(points, x, 2, e)) < ALPHA || sum(counts) < draws
}

# -- private depths: releases with known noise, what neighbours lose ------------------------------------

all_depths <- c("halfspace", names(median_depths))

# A release whose noise is `noise` at each point.
with_noise <- function(noise, ...) {
  seen <- new.env()
  laplace <- function(n, num, den, rng) {
    seen$rate <- num / den
    rep(noise, n)
  }
  gaussian <- function(n, num, den, rng) {
    seen$variance <- num / den
    rep(noise, n)
  }
  noise_laws <- list(draw_laplace_discrete = laplace, draw_gaussian_discrete = gaussian)
  # few rows: the noise is as large as the depths
  release <- suppressWarnings(with_bindings(noise_laws, dp_depth(..., rng = "R")),
                              classes = "dpdepth_warning")
  list(estimate = unname(coef(release)), rate = seen$rate, variance = seen$variance,
       noise_sd = release$details$noise_sd)
}

# The largest loss over random neighbours, as a share of the budget: of the code's own noise, in its own
# steps.
depth_losses <- function(depth, d, m, pairs, delta = 0) {
  epsilon <- 0.8
  points <- matrix(sample(-3:3, m * d, TRUE) + 0, m)
  of <- function(x, noise = 0) {
    with_noise(noise, points, x, epsilon, depth, delta = delta, resolution = 1, directions = if (d > 1 &&
      takes_directions(depth)) "axes", prior = prior_uniform(rep(-8, d), rep(8, d)))
  }
  max(replicate(pairs, {
    n <- sample(c(d + 1, 5), 1)
    x <- matrix(sample(-3:3, n * d, TRUE) + 0, n)
    y <- x
    y[sample(n, 1), ] <- sample(c(-4, -2:2, 4), d, TRUE)
    a <- of(x)
    step <- of(x, 1)$estimate - a$estimate
    moves <- abs(a$estimate - of(y)$estimate) / step
    # off the noise's own lattice one release is possible and the other not
    if (any(abs(moves - round(moves)) > 1e-6)) return(Inf)
    if (delta > 0) sum(moves^2) / (2 * a$variance) / zcdp_rho(epsilon, delta)
    else sum(moves) * a$rate / epsilon
  }))
}

# How far releases without noise are from the public depths, in units of what rounding may do: below 1.
depths_off <- function() {
  set.seed(2)
  x <- matrix(sample(-8:8, 60, TRUE) + 0, 30, 2)
  z <- matrix(sample(-8:8, 20, TRUE) + 0, 10, 2)
  plane <- prior_uniform(rep(-8, 2), rep(8, 2))
  axes <- diag(2)
  off <- function(depth, expected, directions = NULL, smooth = NULL, tolerance = 1e-3) {
    got <- with_noise(0, z, x, 1, depth, directions = directions, smooth = smooth, prior = plane,
                      resolution = 1)
    max(abs(got$estimate / expected - 1)[expected > 0.02]) / tolerance
  }
  mid <- rowMeans(sapply(1:2, function(j) {
    f <- sapply(z[, j], function(t) (mean(x[, j] < t) + mean(x[, j] <= t)) / 2)
    f * (1 - f)
  }))
  max(off("halfspace", depth_halfspace(z, x), tolerance = 1e-9),
      off("halfspace", depth_halfspace(z, x, "directional", axes), axes, tolerance = 1e-9),
      off("simplicial", depth_simplicial(z, x)), off("spatial", depth_spatial(z, x), tolerance = 5e-3),
      off("spatial_modified", depth_spatial(z, x, modified = TRUE)), off("irw", depth_irw(z, x, axes), axes),
      off("idd", mid, axes), off("idd_smooth", depth_idd(z, x, 0.5, axes), axes, 0.5, tolerance = 0.02))
}

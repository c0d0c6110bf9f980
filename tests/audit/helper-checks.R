# The privacy audit's checks: how the exact law of each mechanism's release is recorded (helper-audit.R).

# -- data ------------------------------------------------------------------------------------------

audit_sizes <- c(1:9, 12, 17, 25, 40)

# Values in the unit interval: ends, powers of two, any, crowds, two crowds, far beyond.
unit_values <- function(count, kind) {
  switch(kind, sample(0:1, count, TRUE), 2^-sample(0:20, count, TRUE), stats::runif(count),
         0.5 + stats::rnorm(count) / 50, sample(c(1 / 3, 1 / 3 + 1e-4, 1), count, TRUE),
         sample(0:4, count, TRUE) / 4, ifelse(stats::runif(count) < 0.7, stats::runif(count), 1e9))
}

unit_row <- function(m) {
  row <- unit_values(ncol(m), sample.int(7, 1))
  if (stats::runif(1) < 0.1) row <- -row
  row
}

# Neighbours: ties, duplicates, collinear rows, crowds, far rows; a row may move across the middle.
unit_pair <- function(d, sizes = audit_sizes) {
  n <- pick(sizes)
  a <- matrix(unit_values(n * d, sample.int(7, 1)), n)
  shape <- sample.int(5, 1)
  if (shape == 1) a <- a[sample.int(n, n, TRUE), , drop = FALSE]
  if (shape == 2) a <- outer(a[, 1], sample(c(1, 0.5, -1), d, TRUE)) + 0.25
  b <- a
  b[if (stats::runif(1) < 0.5) order(a[, 1])[[1]] else sample.int(n, 1), ] <- unit_row(a)
  list(a, b)
}

# A median that moves by all of the bound, next to one whose bound is exp(beta) larger: a step of g, a wall
# at distance j, in the first of d columns.
cliff_pair <- function(d, beta) {
  n <- sample(c(9, 21, 40, 101, 401, 1201), 1)
  p <- (n + 1) %/% 2
  j <- pick(2:min(n - p, max(2, ceiling(pick(c(2:9, Inf)) / beta))))
  y <- c(numeric(p), rep(exp(-beta * (j - 1)), j - 1), rep(1, n - p - j + 1))
  both <- stats::runif(1) < 0.5 # in all columns, or in the first
  a <- cbind(y, matrix(rep((if (both) y else 0 * y), d - 1), n, d - 1))
  b <- a
  b[1, if (both) seq_len(d) else 1] <- 1
  list(unname(a), unname(b))
}

# -- smooth sensitivity -----------------------------------------------------------------------------

# Runs a release with noise that is recorded and known: 3, 5, 7, ... steps of the lattice.
known_noise <- function(d) 2 * seq_len(d) + 1

recorded_noise <- function(release) {
  asked <- list()
  known <- function(d, scale, rng, bits = scale_bits) {
    asked[[length(asked) + 1]] <<- list(d = d, scale = scale / 2^bits)
    known_noise(d)
  }
  with_bindings(list(half_laplace = known), list(release = release(), noise = asked))
}

# In steps of the lattice: the centre before it is clipped to the bounds, as the noise is added to it, each
# coordinate's in its own step. The steps are as far apart as the bounds' widths, but for the rounding of
# these to powers of two.
smooth_record <- function(release, lower, upper) {
  d <- length(lower)
  law <- NULL
  keep <- function(true_law) {
    force(true_law)
    function(...) law <<- true_law(...)
  }
  got <- with_bindings(list(smooth_law = keep(smooth_law), deepest_law = keep(deepest_law)),
                       recorded_noise(release))
  must(length(got$noise) == 1 && got$noise[[1]]$d == d, "one draw for all coordinates")
  must(all(is.finite(c(law$centre, got$noise[[1]]$scale))), "a centre and a scale")
  step <- unname(got$release$details$step)
  must(length(unique(step / 2^ceiling(log2(upper - lower)))) == 1, "steps as the widths of the bounds")
  index <- law$centre + known_noise(d) + floor(lower / step)
  must(identical(unname(got$release$estimate), pmin(pmax(index * step, lower), upper)),
       "noise on the centre, in each coordinate's step")
  list(centre = law$centre, scale = got$noise[[1]]$scale)
}

# What the proof is about, in parts of what it allows: the centre's move of alpha times the smaller scale, the
# scales' logarithms' difference of beta. A fault below a factor of 2 may leave the divergence below delta.
smooth_moves <- function(p, q, noise) {
  c(sum(abs(p$centre - q$centre)) / (noise$alpha * min(p$scale, q$scale)),
    abs(log(p$scale / q$scale)) / noise$beta)
}

smooth_loss <- function(epsilon, delta, d) {
  noise <- smooth_noise(epsilon, delta, d)
  function(p, q) {
    list(ratio = max(laplace_divergence(p, q, epsilon) / delta, smooth_moves(p, q, noise)),
         hint = laplace_hint(p, q))
  }
}

# `width`: of the bounds, which begin at 0; data are made for the unit cube.
check_smooth <- function(d, method = "auto", epsilon = 1, delta = 1e-6, width = rep(1, d)) {
  beta <- smooth_constants(epsilon, delta, d)$smoothness
  cliffs <- d == 1 || method == "marginal"
  list(
    start = function() if (cliffs && stats::runif(1) < 0.3) cliff_pair(d, beta) else unit_pair(d),
    row = unit_row, unit = 1,
    law = function(m) {
      x <- m %*% diag(width, d)
      smooth_record(function() dp_median_smooth(x, epsilon, delta, 0, width, method), numeric(d), width)
    },
    loss = smooth_loss(epsilon, delta, d)
  )
}

# Levels beyond 2000: rows at 0, and at 1 those j ranks above the median, in the first column, or the mirror
# image. Two such data sets are many replacements apart, and their scales' logarithms differ by that many
# times beta at most.
check_far <- function(d, epsilon = 0.05, delta = 1e-6, n = 6001) {
  half <- (n - 1) / 2
  wall <- function(j) unname(cbind(rep(0:1, c(half + j, half + 1 - j)), matrix(0, n, d - 1)))
  noise <- smooth_noise(epsilon, delta, d)
  check <- check_smooth(d, "marginal", epsilon, delta)
  list(
    start = function() {
      # any two, or two next to 2000, where a bound that is one rank short shows
      at <- if (stats::runif(1) < 0.5) c(sample.int(half, 1), sample(2001:half, 1))
            else 2000 + c(1, -1) * sample.int(20, 2)
      pair <- lapply(at, wall)
      if (stats::runif(1) < 0.5) lapply(pair, function(m) cbind(1 - m[, 1], m[, -1])) else pair
    },
    law = function(m) c(check$law(m), list(rows = m)),
    loss = function(p, q) {
      apart <- sum(rowSums(p$rows != q$rows) > 0)
      moves <- smooth_moves(p, q, noise) / max(1, apart)
      list(ratio = moves[[2]], hint = 0)
    }
  )
}

# -- regressions ------------------------------------------------------------------------------------

# Mixtures of lines, crowds, far rows, rows of equal x, few rows off one line.
line_pair_of <- function(sizes) {
  n <- pick(sizes)
  x <- switch(sample.int(5, 1), sample(-3:3, n, TRUE), stats::rnorm(n), seq_len(n) / 4,
              2^sample(-9:9, n, TRUE), sample(0:1, n, TRUE))
  line <- function() stats::runif(1) + x * (stats::runif(1) - 0.5)
  y <- switch(sample.int(4, 1), line(), ifelse(stats::runif(n) < 0.5, line(), line()),
              line() + stats::rnorm(n) / 50, line() + ifelse(seq_len(n) <= n / 8, seq_len(n)^2, 0))
  a <- unname(cbind(x, y))
  b <- a
  b[sample.int(n, 1), ] <- line_row(a)
  list(a, b)
}

line_row <- function(m) {
  i <- sample.int(nrow(m), 2, TRUE)
  switch(sample.int(5, 1), c(0, 1), c(m[i[[1]], 1], stats::runif(1, -2, 2)), c(1e9, -1e12),
         stats::rnorm(2), c(m[i[[1]], 1], m[i[[2]], 2]))
}

check_deepest <- function(epsilon = 1, delta = 1e-6, sizes = c(2:12, 25, 40), lower = c(0, 0),
                          upper = c(1, 1)) {
  list(
    start = function() line_pair_of(sizes), row = line_row, unit = 1,
    law = function(m) {
      data <- data.frame(x = m[, 1], y = m[, 2])
      smooth_record(function() {
dp_regression(y ~ x, data, epsilon, delta, lower = lower, upper = upper,
                                             method = "deepest")
},
                    lower, upper)
    },
    loss = smooth_loss(epsilon, delta, 2)
  )
}

# Medsweep: every step is given the same released value for all data, some place between its bounds, and what
# it would have released is recorded.
medsweep_record <- function(release, places) {
  steps <- list()
  true_release <- release_on_lattice
  forced <- function(law, grid, bounds, source) {
    got <- recorded_noise(function() true_release(law, grid, bounds, source))
    must(length(got$noise) == 1 && got$noise[[1]]$d == 1, "one draw a step")
    index <- law$centre + known_noise(1) + grid$origin
    must(identical(got$release, pmin(pmax(index * grid$step, bounds$lower), bounds$upper)),
         "noise on the centre")
    steps[[length(steps) + 1]] <<- list(centre = law$centre, scale = got$noise[[1]]$scale)
    bounds$lower + places[[length(steps)]] * (bounds$upper - bounds$lower)
  }
  with_bindings(list(release_on_lattice = forced), release())
  steps
}

# Basic composition: all steps' divergences, at equal shares of epsilon, sum to delta at most.
medsweep_loss <- function(epsilon, delta) {
  function(p, q) {
    must(length(p) == length(q), "as many steps whatever the data")
    each <- mapply(laplace_divergence, p, q, epsilon / length(p))
    noise <- smooth_noise(epsilon / length(p), delta / length(p), 1)
    moves <- mapply(smooth_moves, p, q, MoreArgs = list(noise = noise))
    list(ratio = max(sum(each) / delta, moves), hint = max(mapply(laplace_hint, p, q)))
  }
}

check_medsweep <- function(p = 1, epsilon = 2, delta = 1e-6, sizes = c(2:9, 12, 17, 25, 40)) {
  places <- c(0.3, 0.9, 0.5, 0.1)
  beta <- medsweep_plan(p, list(lower = rep(-1, p + 1), upper = rep(1, p + 1)), epsilon, delta)$details$beta
  list(
    start = function() {
      # rows of x = 0: the intercept's step is a median
      if (p == 1 && stats::runif(1) < 0.2) return(lapply(cliff_pair(1, beta), function(m) cbind(0, m)))
      pair <- line_pair_of(sizes)
      if (p == 1) return(pair)
      third <- stats::rnorm(nrow(pair[[1]]))
      lapply(pair, function(m) unname(cbind(m[, 1], m[, 2], third)))
    },
    row = function(m) c(line_row(m), if (p == 2) stats::rnorm(1)), unit = 1,
    law = function(m) {
      data <- as.data.frame(m)
      names(data) <- c("x", "y", "z")[seq_len(p + 1)]
      formula <- if (p == 1) y ~ x else y ~ x + z
      medsweep_record(function() {
        dp_regression(formula, data, epsilon, delta, method = "medsweep", lower = -1, upper = 1)
      }, places)
    },
    loss = medsweep_loss(epsilon, delta)
  )
}

corner_is_wrong <- function() {
  any(vapply(corner_cases, function(case) corner_climb(case[[1]], case[[2]]), 0) > corner_most)
}

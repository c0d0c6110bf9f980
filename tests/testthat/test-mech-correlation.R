# Kendall's tau: exact sums, sensitivities by brute force, laws of noise, limits, planted bugs.

# Few rows of d variables: skewed, with ties, infinite, tiny and huge values.
ranked_rows <- function(n, d) {
  one <- function(k) {
    switch(sample.int(4, 1), sample(0:1, k, TRUE) + 0, sample(c(0, 0, 1, 3), k, TRUE),
           sample(c(0, 1e-300, 2e-300, -1e300, 1e300, Inf, -Inf), k, TRUE), stats::rexp(k))
  }
  matrix(vapply(seq_len(d), function(j) one(n), numeric(n)), n, d)
}

row_signs <- function(x, j, k) {
  order_of <- function(v) outer(v, v, `>`) - outer(v, v, `<`)
  rowSums(order_of(x[, j]) * order_of(x[, k]))
}

slow_sums <- function(x) {
  pairs <- utils::combn(ncol(x), 2)
  vapply(seq_len(ncol(pairs)), function(i) sum(row_signs(x, pairs[1, i], pairs[2, i])) / 2, 0)
}

test_that("sums over pairs are exact, in any order of rows, and of tallies", {
  set.seed(1)
  for (i in 1:80) {
    x <- ranked_rows(pick(1:30), pick(2:5))
    found <- concordances(x, 0)
    expect_identical(found, slow_sums(x))
    expect_identical(concordances(x[sample.int(nrow(x)), , drop = FALSE], 0), found)
    expect_identical(concordances(x[, 1:2, drop = FALSE], c(0, 0)),
                     c(found[[1]], sum(row_signs(x, 1, 2)^2)))
  }
  expect_identical(concordances(matrix(c(1, 2, 3, 3, 2, 1), 3), c(1, 3)), c(-2, 1)) # -3 and 8, rounded down
  t <- new_tally(cbind(a = c(0, 0, 1, 2), b = c(1, 2, 2, 0)), c(3, 1, 4, 2), c(0, 0), c(2, 2), c(1, 1))
  expect_identical(concordances(t, c(0, 0)), concordances(as.matrix(t), c(0, 0)))
  many <- new_tally(cbind(a = c(0, 1), b = c(0, 1)), c(1e9, 1e9), c(0, 0), c(2, 2), c(1, 1))
  expect_identical(concordances(many, 8), 1e18 / 2^8)
})

# The largest moves of sums between neighbours, in all data sets of n rows of given points.
moves_of <- function(n, d, count) {
  worst <- numeric(4)
  for (i in seq_len(count)) {
    x <- ranked_rows(n, d)
    y <- x
    y[sample.int(n, 1), ] <- ranked_rows(1, d)
    # the extreme change: a row beyond all others, against its mirror image
    if (i %% 3 == 0) {
      side <- rep_len(c(-1, 1), d)
      x[1, ] <- 1e301
      y <- x
      y[1, ] <- 1e301 * side
      x[-1, ][!is.finite(x[-1, ])] <- 0
      y[-1, ] <- x[-1, ]
    }
    move <- abs(slow_sums(x) - slow_sums(y))
    squares <- abs(sum(row_signs(x, 1, 2)^2) - sum(row_signs(y, 1, 2)^2))
    worst <- pmax(worst, c(max(move), sum(move), sqrt(sum(move^2)), squares))
  }
  worst
}

test_that("sensitivities hold on skewed neighbours with ties, and are attained", {
  skip_on_cran()
  set.seed(2)
  for (d in 2:5) for (n in c(3, 5, 8)) {
    moved <- moves_of(n, d, audit_size(60, 2000))
    f <- tau_moves(d)
    most <- c(2 * (n - 1) * c(1, f, sqrt(f)), (2 * n - 3)^2 + 1)
    expect_true(all(moved <= most + 1e-9))
    expect_equal(moved[1:3], 2 * (n - 1) * c(1, f, sqrt(f)))
  }
  # of squares: all data sets of 4 rows whose x is 1:4 or ties, and all changes of the first row
  grid <- as.matrix(expand.grid(rep(list(1:3), 6)))
  largest <- 0
  for (i in sample.int(nrow(grid), audit_size(150, 729))) {
    x <- rbind(0, matrix(grid[i, ], 3))
    sums <- apply(expand.grid(c(0:4 - 0.5, 1:3), c(0:4 - 0.5, 1:3)), 1, function(row) {
      sum(row_signs(rbind(row, x[-1, ]), 1, 2)^2)
    })
    largest <- max(largest, diff(range(sums)))
  }
  expect_identical(largest, 26) # (2 n - 3)^2 + 1
})

# What a run asks of its noise, with the same noisy sums for both data sets.
taus_cost <- function(run, a, b) {
  asked <- list()
  given <- list()
  keep <- function(values, law, source) {
    at <- length(asked) + 1
    asked[[at]] <<- list(values = values, law = law)
    if (at > length(given)) given[[at]] <<- values + round(law_scale(law))
    given[[at]]
  }
  law_scale <- function(law) if (law$kind == "Gaussian") law$sd else 1 / law$decay
  results <- lapply(list(a, b), function(x) {
    asked <<- list()
    list(release = with_bindings(list(add_tau_noise = keep), run(x)), asked = asked)
  })
  must(identical(results[[1]]$release, results[[2]]$release), "the same release for the same sums")
  cost <- c(epsilon = 0, rho = 0)
  for (i in seq_along(results[[1]]$asked)) {
    p <- results[[1]]$asked[[i]]
    move <- abs(p$values - results[[2]]$asked[[i]]$values)
    paid <- c("kind", "rate", "variance")
    must(identical(p$law[paid], results[[2]]$asked[[i]]$law[paid]), "the same noise")
    cost <- cost + switch(p$law$kind, Laplace = c(sum(move) * p$law$rate[[1]] / p$law$rate[[2]], 0),
                          cube = c(max(move) * p$law$rate[[1]] / p$law$rate[[2]], 0),
                          Gaussian = c(0, sum(move^2) * p$law$variance[[2]] / p$law$variance[[1]] / 2))
  }
  cost
}

# Releases of all kinds on neighbours at the worst and at random: do they cost more than is paid?
taus_cost_more <- function(count = 12, kinds = 1:6) {
  set.seed(3)
  run <- function(epsilon, ...) function(x) suppressWarnings(dp_correlation(x, epsilon, ..., rng = "R"))
  calls <- list(list(2, run(1), c(1, 0)), list(2, run(50, interval = 0.9), c(50, 0)),
                list(3, run(1), c(1, 0)),
                list(12, run(1, delta = 1e-2), c(0, normal_rho(1, 1e-2))), list(4, run(400), c(400, 0)),
                list(2, run(2, interval = 0.9), c(2, 0)))
  for (call in calls[kinds]) for (i in seq_len(count)) {
    n <- pick(9:14)
    a <- ranked_rows(n, call[[1]])
    b <- a
    b[1, ] <- ranked_rows(1, call[[1]])
    if (i %% 2 == 0) {
      a[] <- (seq_len(n) - 0.5) / n
      a[1, ] <- 2
      b <- a
      b[1, ] <- rep_len(c(2, -2), call[[1]])
    }
    if (any(taus_cost(call[[2]], a, b) > call[[3]])) return(TRUE)
  }
  FALSE
}

# Of the squares alone: the pair that attains their sensitivity.
squares_cost_more <- function() {
  law <- square_law(6, 1)
  (9^2 + 1) * law$decay > 1 || square_law(1e6, 1)$decay * ((2e6 - 3)^2 + 1) / 2^square_law(1e6, 1)$bits > 1
}

# Are noises of several numbers one and the same?
noise_is_shared <- function() {
  any(vapply(c("Laplace", "cube", "Gaussian"), function(kind) {
    law <- list(kind = kind, rate = c(1, 1e6), variance = c(1e9, 1))
    z <- add_tau_noise(numeric(6), law, "system")
    length(unique(z)) < 5
  }, NA))
}

test_that("releases cost what is paid, and planted bugs are seen", {
  skip_on_cran()
  expect_false(taus_cost_more())
  expect_false(squares_cost_more())
  expect_false(noise_is_shared())
  one <- function(kinds, ...) caught(bug(function() taus_cost_more(6, kinds), ...))
  expect_true(one(1, "laplace_law", "2 * (n - 1) * tau_moves(d)", "(n - 1) * tau_moves(d)"))
  expect_true(one(5, "laplace_law", "* tau_moves(d)", "* 1"))
  expect_true(one(3, "cube_law", "2 * (n - 1)/2^bits", "(n - 1)/2^bits"))
  expect_true(one(4, "gaussian_law", "sqrt(tau_moves(d))", "1"))
  expect_true(one(4, "gaussian_law", "gaussian_variance(move^2, rho)", "gaussian_variance(move, rho)"))
  expect_true(one(1:5, "tau_moves", "floor(d^2/4)", "max(1, d - 2)"))
  expect_true(one(2, "plan_taus", "given$epsilon * share[[\"tau\"]]", "given$epsilon"))
  expect_true(one(6, "draw_taus", "plan$n, plan$level, law)", "plan$n + (rows[1, 2] > 0), plan$level, law)"))
  expect_true(one(1, "draw_taus", "list(estimate = tau, interval = limits)",
                  "list(estimate = tau, interval = limits, details = list(ties = anyDuplicated(rows)))"))
  for (b in list(
    bug(squares_cost_more, "square_law", "(2 * n - 3)^2 + 1", "(2 * n - 3)^2 / 2"),
    bug(noise_is_shared, "add_tau_noise", "draw_laplace_discrete(m,", "draw_laplace_discrete(1,"),
    bug(noise_is_shared, "add_tau_noise", "draw_gaussian_discrete(m,", "draw_gaussian_discrete(1,"),
    bug(noise_is_shared, "add_tau_noise", "draw_cube_discrete(m,", "draw_cube_discrete(1,")
  )) {
    expect_true(caught(b))
  }
})

test_that("the laws of neighbours differ by exp(epsilon) at most, and attain it", {
  law <- tau_noise(5, 3, 1.2)$law
  expect_identical(law$kind, "cube")
  side <- 0:20 - 10
  points <- as.matrix(expand.grid(side, side, side))
  log_law <- function(x) {
    k <- slow_sums(x)
    -law$decay * pmax(abs(points[, 1] - k[[1]]), abs(points[, 2] - k[[2]]), abs(points[, 3] - k[[3]]))
  }
  x <- cbind(1:5, 1:5, 1:5) + 0
  far <- 0
  for (row in list(c(9, 9, 9), c(9, -9, 9), c(-9, 9, 0), c(3, 3, 9))) {
    a <- log_law(rbind(x[-5, ], row))
    b <- log_law(rbind(x[-5, ], c(9, 9, 9)))
    far <- max(far, abs(a - b))
  }
  expect_lte(far, 1.2)
  expect_gt(far, 1.2 * (1 - 1e-6))
})

test_that("tails bound the laws' own, closely", {
  laplace <- tau_noise(6, 2, 3)$law
  z <- -300:300
  chance <- pmf_laplace_discrete(z, laplace$decay)
  for (w in c(-4, -0.5, 0, 0.3, 3, 17)) expect_equal(laplace$above(w), sum(chance[z > w]), tolerance = 1e-10)
  cube <- tau_noise(40, 3, 1)$law
  # P(z_1 = t) = sum over R of (q^R (2R + 1)^3) / (2R + 1), R >= |t|
  r <- 0:8000
  weight <- exp(-cube$decay * r) * (2 * r + 1)^3
  own <- function(w) sum(weight * pmax(0, r - w) / (2 * r + 1)) / sum(weight)
  for (w in c(0, 7, 60, 400)) {
    expect_gte(cube$above(w), own(w))
    expect_lte(cube$above(w), own(w) * 1.05)
  }
  variance <- sum(weight * r * (r + 1) / 3) / sum(weight)
  expect_equal(cube$sd, sqrt(variance), tolerance = 1e-3)
  gauss <- tau_noise(40, 12, 1, 1e-2)$law
  expect_identical(gauss$kind, "Gaussian")
  p <- pmf_gaussian_discrete(0:20000, gauss$variance[[1]], gauss$variance[[2]])
  for (w in c(0, 100, 700)) expect_gte(gauss$above(w), sum(p[0:20000 > w]))
})

test_that("the noise is the one with the least planned error, and public sizes alone decide", {
  expect_identical(tau_noise(100, 2, 1, 1e-6)$kind, "Laplace")
  expect_identical(tau_noise(1000, 5, 1)$kind, "cube")
  expect_identical(tau_noise(1000, 20, 1, 1e-6)$kind, "Gaussian")
  expect_identical(tau_noise(3, 6, 1e4)$kind, "Laplace") # noise of few steps
  unit <- 4 / 1000
  expect_equal(tau_noise(1000, 5, 1)$sd / unit, sqrt(11 * 12 / 3), tolerance = 2e-3)
  expect_equal(laplace_law(1000, 5, 1, 0)$sd / count_pairs(1000) / unit, 6 * sqrt(2), tolerance = 2e-3)
  # many rows: coarse units, whose rounding is paid for
  many <- tau_noise(2^31 - 3, 10, 1e-3)
  expect_gt(many$law$bits, 8)
  expect_equal(many$law$decay * (2 * (2^31 - 4) / 2^many$law$bits + 1), 1e-3, tolerance = 1e-6)
  expect_error(tau_noise(2^30, 100, 1e-6), class = "dpdepth_error_input")
})

test_that("limits of finite samples are the bound's own by sums over all noises", {
  n <- 30
  law <- tau_noise(n, 2, 2)$law
  end <- proved_tau_end(0.4, n, 0.05, law)
  missed <- function(tau) {
    z <- -3000:3000
    u <- (1 + 0.4 - z * law$unit) / 2
    sum(pmf_laplace_discrete(z, law$decay) * reached_chance(u, (1 + tau) / 2, n %/% 2))
  }
  expect_lte(missed(end), 0.05)
  expect_gt(missed(end + 0.01), 0.05)
  both <- proved_tau_limits(c(-0.3, 0.3, 5), n, 0.9, law)
  expect_equal(both[1, ], -rev(both[2, ]), ignore_attr = TRUE)
  expect_identical(both[[3, 2]], 1)
  square <- square_law(n, 1)
  far <- private_tau_limits(9, 0, n, 0.9, law, square)
  expect_true(all(far == 1)) # released values may lie beyond 1
  # the bound covers the chance of whole signs
  for (k in c(5, 12)) for (theta in c(0.2, 0.5, 0.9)) {
    tail <- stats::pbinom(0:k - 1, k, theta, lower.tail = FALSE)
    expect_true(all(reached_chance(0:k / k, theta, k) >= tail * (1 - 1e-12)))
  }
})

test_that("normal and Laplace noise together reach as far as they should", {
  for (case in list(c(1, 1), c(0.1, 2), c(3, 0.01))) {
    t <- normal_laplace_reach(case[[1]], case[[2]], 0.02)
    tail <- stats::integrate(function(z) {
      exp(-abs(z) / case[[2]]) / 2 / case[[2]] * stats::pnorm((t - z) / case[[1]], lower.tail = FALSE)
    }, -Inf, 0, rel.tol = 1e-9)$value + stats::integrate(function(z) {
      exp(-abs(z) / case[[2]]) / 2 / case[[2]] * stats::pnorm((t - z) / case[[1]], lower.tail = FALSE)
    }, 0, Inf, rel.tol = 1e-9)$value
    expect_equal(tail, 0.02, tolerance = 1e-5)
  }
  expect_equal(normal_laplace_reach(0, 1, 0.02), log(25), tolerance = 1e-6)
  for (decay in c(0.1, 2)) {
    k <- ceiling(laplace_reach(decay, 0.01))
    expect_lte(sum(pmf_laplace_discrete((k + 1):4000, decay)), 0.01)
  }
})

test_that("the cube's noise fails closed", {
  expect_error(draw_cube_discrete(3, 1, 10, "broken"), class = "dpdepth_error_entropy")
})

test_that("pairs become a matrix, and the nearest one is positive definite", {
  skip_on_cran()
  expect_identical(pair_matrix(c(1, 2, 3) / 4, 3), matrix(c(4, 1, 2, 1, 4, 3, 2, 3, 4) / 4, 3))
  skip_if_not_installed("Matrix")
  m <- pair_matrix(nearest_correlations(c(0.9, 0.9, -0.9), 3), 3)
  expect_gt(min(eigen(m)$values), 0)
  near <- c(0.1, 0.2, 0.3)
  expect_equal(nearest_correlations(near, 3), near)
})

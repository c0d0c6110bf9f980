# The law that the projection median draws from: its rate, its tail and the limit of the centre; draws.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

test_that("the draw's tail is rounded up: what the loss beyond tau costs is at most delta", {
  cost <- function(t, ratio, d) {
    integrate(function(x) -expm1(-ratio * (x - t)) * dgamma(x, d), t, t + 80, rel.tol = 1e-9)$value
  }
  worst <- 0
  for (d in c(1, 2, 5, 20)) for (ratio in c(1e-4, 0.01, 0.3, 3)) for (delta in c(1e-2, 1e-6, 1e-9)) {
    t <- projection_law(d, d, ratio, 1, Inf, 1, delta)
    at <- cost(t$tail * t$rate, ratio, d) / delta
    expect_lte(at, 1)
    worst <- max(worst, at)
    # never beyond the quantile, and the part that normalizers pay for is small
    expect_lte(t$tail * t$rate, qgamma(delta, d, lower.tail = FALSE) * (1 + 2e-9))
    beyond <- pgamma(t$tail * t$rate, d, lower.tail = FALSE)
    expect_lte(beyond, max(delta, 1e-3) * (1 + 1e-9))
  }
  expect_gt(worst, 0.99)
  expect_gt(cost(0.95 * 9.2004, 0.01, 1), 1e-6) # a tail 5% shorter is not
})

# The logarithm of the integral of exp(-rate max |u'x - e| / s) over the plane, on a grid that holds all but
# exp(-20) of it.
log_normalizer <- function(u, e, s, rate) {
  side <- seq(-24, 24, length.out = 161) / rate * max(s)
  at <- as.matrix(expand.grid(side, side))
  o <- most_of_rows(abs(at %*% t(u) - rep(e, each = nrow(at))) / rep(s, each = nrow(at)))
  log(sum(exp(-rate * o))) + 2 * log(side[2] - side[1])
}

test_that("normalizers: centred level sets are the largest, and within exp(c omega) of all", {
  skip_on_cran()
  set.seed(14)
  for (case in 1:6) {
    u <- directions(2, sample(3:9, 1))
    s <- exp(runif(nrow(u), -0.5, 0.5))
    rate <- exp(runif(1, -1, 1))
    omega <- runif(1, 0.1, 1) / rate
    e <- omega * s * sample(c(-1, 0.5, 1), nrow(u), TRUE)
    wider <- s * (1 + runif(nrow(u), -0.2, 0.2))
    centred <- log_normalizer(u, 0 * e, s, rate)
    off <- log_normalizer(u, e, s, rate)
    expect_lte(off, centred + 1e-3)
    expect_gte(off, centred - rate * omega - 1e-3)
    expect_lte(log_normalizer(u, -e, wider, rate) - off, rate * omega + 2 * log(max(wider / s)) + 1e-3)
  }
})

test_that("level 0 is safe with a limit of the centre, for which c is larger: laws in the plane", {
  skip_on_cran()
  set.seed(15)
  delta <- 0.05
  epsilon <- 2
  u <- directions(2, 5)
  checked <- broken <- 0
  for (case in 1:8) {
    n <- sample(c(500, 900), 1)
    x <- matrix(rnorm(2 * n), n)
    if (case %% 3 == 0) x <- round(x, 1)
    if (case %% 4 == 0) x[, 1] <- x[, 1] + x[, 1]^2 / 4
    eta <- runif(1, 0.5, 1.2)
    centre <- runif(1, 0.15, 0.3)
    without <- tau_with_room(centre, 2, 5, eta, epsilon, delta)
    law <- projection_law(2, 5, eta, without$tau, centre, epsilon, delta)
    expect_identical(law$centre, centre)
    expect_gt(law$rate, 1.1 * without$rate)
    here <- projection_margin(x, u, "median", "mad", eta, without$tau, epsilon, delta, 30L, centre = centre)
    expect_equal(here$room, min(without$tau - law$tail, centre))
    side <- seq(-12, 12, length.out = 41)
    points <- as.matrix(expand.grid(side, side))
    if (here$margin >= 1) {
      checked <- checked + 1
      expect_lte(worst_divergence(x, u, here, law$rate, epsilon, 10, points / law$rate), delta)
    }
    # the same test rejects a rate that forgets eta
    broken <- broken + (worst_divergence(x, u, here, 400, epsilon, 5, points / 400) > delta)
  }
  expect_gt(checked, 3)
  expect_gt(broken, 3)
})

test_that("with the axes alone locations have a common centre, and c needs no limit of it", {
  law <- function(count, ...) projection_law(3, count, 0.5, 40, 0.2, 1, 1e-6)
  expect_equal(law(3)$rate, (1 - 3 * log1p(0.5 / 40)) / 0.5)
  expect_identical(law(3)$centre, Inf)
  expect_equal(law(4)$rate, (1 - 3 * log1p(0.5 / 40)) / 0.7)
  expect_identical(law(4)$centre, 0.2)
  # where the limit is wider than eta it is not asked for
  expect_identical(projection_law(3, 9, 0.1, 40, 0.2, 1, 1e-6)$centre, Inf)
})

# -- draws -------------------------------------------------------------------------------------

# A problem: directions, centers and spreads that do not agree on a centre.
draw_problem <- function(d, count, seed = 1) {
  u <- directions(d, count, seed = seed)
  i <- seq_len(count)
  list(u = u, center = 0.3 * sin(7.1 * i) + drop(u %*% seq_len(d)), spread = 1 + 0.4 * sin(3.3 * i))
}

# O at the rows of z.
outlying_at <- function(z, p) {
  out <- numeric(nrow(z))
  for (k in seq_len(nrow(p$u))) out <- pmax(out, abs(drop(z %*% p$u[k, ]) - p$center[[k]]) / p$spread[[k]])
  out
}

# Draws by rejection from the law of the axes alone: a level t above O in the law with density
# proportional to t^d exp(-rate t), and a point of the box that the axes allow. The first d directions
# must be the axes.
twin_draws <- function(n, p, rate) {
  d <- ncol(p$u)
  out <- NULL
  while (NROW(out) < n) {
    t <- rgamma(1e5, d + 1, rate)
    z <- vapply(seq_len(d), function(j) p$center[[j]] + p$spread[[j]] * t * runif(1e5, -1, 1), t)
    out <- rbind(out, z[outlying_at(z, p) <= t, , drop = FALSE])
  }
  out[seq_len(n), , drop = FALSE]
}

# P-value of two samples being of one law, by their counts in `cells` cells of about equal size.
same_law_pvalue <- function(x, y, cells = 20) {
  breaks <- unique(stats::quantile(y, seq(0, 1, length.out = cells + 1)))
  breaks[c(1, length(breaks))] <- c(-Inf, Inf)
  counts <- rbind(table(cut(x, breaks)), table(cut(y, breaks)))
  suppressWarnings(stats::chisq.test(counts)$p.value)
}

draws_of <- function(n, p, rate, ...) draw_projections(n, p$u, p$center, p$spread, rate, ...)$draws

test_that("one variable, one direction: Laplace", {
  skip_on_cran()
  set.seed(1)
  laplace <- function(rate) {
    function(x) ifelse(x < 3, exp(rate * (x - 3) / 2) / 2, 1 - exp(-rate * (x - 3) / 2) / 2)
  }
  p <- list(u = matrix(1), center = 3, spread = 2)
  for (rate in c(0.01, 5, 2000)) {
    draws <- draws_of(1e5, p, rate)
    expect_cdf(draws, laplace(rate), label = paste("rate", rate))
  }
  # a rate 10% off moves the cdf by .018, two bands and six standard errors more
  draws <- draws_of(1e5, p, 5)
  for (wrong in c(4.5, 5.5)) expect_gt(dkw_distance(draws, laplace(wrong)), dkw_band(1e5))
})

test_that("one variable, several directions: the largest of lines", {
  set.seed(2)
  p <- list(u = matrix(c(1, -1, 1, -1), 4), center = c(0, -1.2, 0.7, 0.1), spread = c(1, 2.5, 0.8, 3))
  at <- seq(-14, 14, length.out = 2e5)
  breaks <- seq(-14, 14, length.out = 201)
  law <- function(rate) {
    weight <- exp(-rate * outlying_at(cbind(at), p))
    tapply(weight, findInterval(at, breaks, rightmost.closed = TRUE), sum) / sum(weight)
  }
  counts <- tabulate(findInterval(draws_of(1e5, p, 3), breaks), 200)
  expect_law(counts, law(3))
  expect_not_law(counts, law(3.3), "rate off by 10%")
})

# Cells of the plane: shells of outlyingness times sectors of angle; their probabilities by a fine grid.
plane_cells <- function(z, p, middle, least) {
  shell <- findInterval(outlying_at(z, p), least + c(0.3, 0.6, 1, 1.5, 2))
  sector <- floor((atan2(z[, 2] - middle[[2]], z[, 1] - middle[[1]]) + pi) / (2 * pi) * 8)
  factor(8 * shell + pmin(sector, 7), levels = 0:47)
}

test_that("two variables: shells of outlyingness and sectors have their probabilities", {
  skip_on_cran()
  set.seed(3)
  p <- draw_problem(2, 9)
  side <- seq(-5, 7, length.out = audit_size(800, 1500))
  grid <- as.matrix(expand.grid(side, side))
  out <- outlying_at(grid, p)
  middle <- grid[which.min(out), ] + c(0.0023, 0.0012) # no point of the grid is on a border of sectors
  cell <- plane_cells(grid, p, middle, min(out))
  law <- function(rate, more = 1) {
    weight <- more * exp(-rate * (out - min(out)))
    sums <- rowsum(weight, as.integer(cell))
    as.vector(replace(numeric(48), as.integer(rownames(sums)), sums)) / sum(weight)
  }
  draws <- draws_of(5e4, p, 4)
  counts <- as.vector(table(plane_cells(draws, p, middle, min(out))))
  expect_law(counts, law(4))
  expect_not_law(counts, law(4.6), "rate off by 15%")
  expect_not_law(counts, law(4, 1 / pmax(0.02, out - min(out))), "levels without the boxes' volumes")
  expect_not_law(counts, law(4, out <= min(out) + 2), "a tail cut off")
})

test_that("three and five variables: outlyingness and coordinates, against rejection from the axes' law", {
  skip_on_cran()
  set.seed(4)
  for (d in c(3, 5)) {
    p <- draw_problem(d, 30)
    twin <- twin_draws(1e4, p, 2 * d)
    draws <- draws_of(1e4, p, 2 * d)
    expect_gt(same_law_pvalue(outlying_at(draws, p), outlying_at(twin, p)), ALPHA)
    for (j in seq_len(d)) expect_gt(same_law_pvalue(draws[, j], twin[, j]), ALPHA)
    expect_gt(same_law_pvalue(rowSums(draws^2), rowSums(twin^2)), ALPHA)
    wrong <- draws_of(1e4, p, 2.5 * d)
    expect_lt(same_law_pvalue(outlying_at(wrong, p), outlying_at(twin, p)), ALPHA)
    # proposals of the boxes' law, none refused
    box <- vapply(seq_len(d), function(j) {
      p$center[[j]] + p$spread[[j]] * runif(2e4, -1, 1) * rgamma(2e4, d + 1, 2 * d)
    }, numeric(2e4))
    expect_lt(same_law_pvalue(outlying_at(box, p), outlying_at(twin, p)), ALPHA)
  }
})

test_that("ten variables: the chain and the exact sampler agree", {
  skip_on_cran()
  set.seed(5)
  p <- draw_problem(10, 60)
  draws <- draws_of(1000, p, 30)
  chain <- draw_projections(1, p$u, p$center, p$spread, 30, "mcmc",
                            size = list(chains = 2L, steps = 10000L), trace = TRUE)$trace
  chain <- matrix(chain[seq(500, 10000, by = 10), , ], ncol = 10)
  # draws are independent, the chain's states nearly so: a test by means, at five standard errors
  near <- function(a, b) {
    abs(mean(a) - mean(b)) < 5 * sqrt(stats::var(a) / length(a) + 8 * stats::var(b) / length(b))
  }
  expect_true(near(outlying_at(draws, p), outlying_at(chain, p)))
  for (j in 1:10) expect_true(near(draws[, j], chain[, j]))
  expect_false(near(outlying_at(draws_of(1000, p, 25), p), outlying_at(chain, p)))
})

test_that("the hit-and-run chain follows the law in one and two variables", {
  skip_on_cran()
  set.seed(6)
  for (d in 1:2) {
    p <- draw_problem(d, if (d == 1) 1 else 12)
    draws <- draws_of(2e4, p, 5)
    chain <- draw_projections(1, p$u, p$center, p$spread, 5, "mcmc",
                              size = list(chains = 4L, steps = 4e4L), trace = TRUE)$trace
    chain <- matrix(chain[seq(1000, 4e4, by = 20), , ], ncol = d)
    expect_gt(same_law_pvalue(outlying_at(chain, p), outlying_at(draws, p)), ALPHA)
    for (j in seq_len(d)) expect_gt(same_law_pvalue(chain[, j], draws[, j]), ALPHA)
    slow <- draws_of(2e4, p, 4.5)
    expect_lt(same_law_pvalue(outlying_at(slow, p), outlying_at(draws_of(2e4, p, 5), p)), 1e-3)
  }
})

test_that("Langevin's chain is near the law", {
  skip_on_cran()
  set.seed(7)
  p <- draw_problem(2, 12)
  chain <- draw_projections(1, p$u, p$center, p$spread, 5, "langevin",
                            size = list(chains = 2L, steps = 5e4L), trace = TRUE)$trace
  exact <- outlying_at(draws_of(2e4, p, 5), p)
  expect_equal(mean(outlying_at(matrix(chain, ncol = 2), p)), mean(exact), tolerance = 0.05)
})

test_that("the law follows affine maps of the problem", {
  set.seed(8)
  p <- draw_problem(3, 40)
  exact <- draws_of(2e4, p, 8)
  # x -> M x + shift, M badly scaled and sheared; u'x = (M^-T u)'(M x)
  m <- diag(c(1e5, 1, 1e-5)) %*% matrix(c(1, 0.9, 0.9, 0, 1, 0.99, 0, 0, 1), 3)
  shift <- c(3e5, -40, 7e-5)
  back <- p$u %*% solve(m)
  size <- sqrt(rowSums(back^2))
  moved <- list(u = back / size, center = (p$center + drop(back %*% shift)) / size, spread = p$spread / size)
  draws <- draws_of(2e4, moved, 8, step = 2^-60)
  draws <- t(solve(m, t(draws) - shift))
  expect_gt(same_law_pvalue(outlying_at(draws, p), outlying_at(exact, p)), ALPHA)
  for (j in 1:3) expect_gt(same_law_pvalue(draws[, j], exact[, j]), ALPHA)
})

test_that("draws lie on the lattice, also far from zero and coarsely", {
  set.seed(9)
  p <- draw_problem(2, 20)
  for (step in c(2^-40, 2^-3, 2^6)) {
    for (origin in c(0, 2^20, -2^34)) {
      q <- p
      q$center <- q$center + drop(p$u %*% c(origin, origin))
      draws <- draws_of(200, q, 3, step = step)
      expect_true(all(draws / step == round(draws / step)))
      expect_true(all(abs(draws - origin) <= 12 + step + abs(origin) * 2^-50))
    }
  }
  # far from zero the law is the same: whole numbers, so that the centres are moved without rounding
  whole <- list(u = rbind(diag(2), c(1, 0)), center = c(0, 2, 1), spread = c(1, 2, 3))
  far <- whole
  far$center <- far$center + 2^40 * c(1, -1, 1)
  near <- draws_of(2e4, whole, 3)
  draws <- draws_of(2e4, far, 3)
  for (j in 1:2) expect_gt(same_law_pvalue(draws[, j] - c(2^40, -2^40)[[j]], near[, j]), ALPHA)
  # rounding comes after the draw: a coarse draw has the fine one's law, rounded
  fine <- draws_of(4e4, p, 3)
  coarse <- draws_of(4e4, p, 3, step = 0.25)
  for (j in 1:2) {
    cells <- seq(-20, 40) / 4
    counts <- rbind(table(factor(round(fine[, j] * 4) / 4, cells)), table(factor(coarse[, j], cells)))
    counts <- counts[, colSums(counts) > 50]
    expect_gt(stats::chisq.test(counts)$p.value, ALPHA)
  }
})

test_that("scales of zero, infinite centres and huge ones do not crash", {
  set.seed(10)
  p <- draw_problem(3, 25)
  for (bad in list(0, NaN, Inf, -1)) {
    q <- p
    q$spread[[4]] <- bad
    for (sampler in c("exact", "mcmc", "langevin")) {
      expect_true(all(is.finite(draws_of(2, q, 5, sampler, size = list(chains = 2L, steps = 20L)))))
    }
  }
  q <- p
  q$center[] <- 1e300
  expect_true(all(is.finite(draws_of(2, q, 5))))
  q$spread[] <- 1e-300
  expect_true(all(is.finite(draws_of(2, q, 5))))
  expect_true(all(is.finite(draws_of(2, draw_problem(4, 4), 5))))
})

test_that("a failed source is an error, an interrupt leaves the stream advanced", {
  skip_on_cran()
  p <- draw_problem(2, 10)
  for (sampler in c("exact", "mcmc", "langevin")) {
    expect_error(draws_of(1, p, 5, sampler, "broken"), class = "dpdepth_error_entropy")
  }
  set.seed(1)
  before <- .Random.seed
  expect_error(draws_of(1, p, 5, "exact", as.double(1:4)), class = "dpdepth_error_entropy")
  expect_identical(.Random.seed, before)
  skip_on_os("windows")
  wide <- draw_problem(24, 400)
  expect_true(interrupt_advances(function() draws_of(1e6, wide, 1000)))
})

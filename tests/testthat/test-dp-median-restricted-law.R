# The restricted exponential mechanism: counts of lattice points, draws, the guarantee of the whole.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

# -- regions ---------------------------------------------------------------------------------

test_that("lattice points of all regions, against brute force with ties, duplicates and lines", {
  skip_on_cran()
  set.seed(1)
  for (i in seq_len(audit_size(60, 120))) {
    n <- sample(1:12, 1)
    d <- sample(1:2, 1)
    size <- sample(c(1, 2, 4, 8), 1)
    rows <- matrix(sample(-size:size, n * d, TRUE), n)
    if (i %% 5 == 0) rows <- rows[rep(1, n), , drop = FALSE]
    if (d == 2 && i %% 5 == 1) rows[, 2] <- 2 * rows[, 1] - 1
    if (d == 2 && i %% 5 == 2) rows[, 1] <- 3
    points <- grid_points(min(rows), max(rows), d)
    expect_equal(restricted_draws(0, rows, 1, 1)[[1]], slow_volumes(slow_counts(points, rows)) + 0)
  }
})

test_that("counts do not change under maps of the lattice onto itself, up to the edge of the range", {
  skip_on_cran()
  set.seed(2)
  for (i in 1:60) {
    rows <- matrix(round(rnorm(60, sd = 10^runif(1, 0, 8))), 30)
    counts <- restricted_draws(0, rows, 1, 1)[[1]]
    moved <- cbind(rows[, 1] + sample(-500:500, 1) * rows[, 2], rows[, 2])
    if (i %% 2 == 0) moved <- moved[, 2:1]
    moved <- sweep(moved, 2, 2^40 - apply(abs(moved), 2, max), `+`)
    expect_lte(max(abs(moved)), 2^40)
    expect_identical(restricted_draws(0, moved, 1, 1)[[1]], counts)
  }
  # thin slivers along a line, where areas in doubles have no correct digit
  rows <- cbind(1:40 * 26e9, 1:40 * 17e9 + sample(-2:2, 40, TRUE))
  counts <- restricted_draws(0, rows, 1, 1)[[1]]
  flipped <- restricted_draws(0, cbind(-rows[, 2], rows[, 1]), 1, 1)[[1]]
  expect_identical(flipped, counts)
  expect_true(all(diff(counts) <= 0))
})

test_that("counts are the areas of large regions, and the same for any number of threads", {
  set.seed(3)
  rows <- matrix(round(rnorm(400) * 2^20), 200)
  counts <- restricted_draws(0, rows, 1, 1)[[1]]
  area <- depth_region(rows)$area
  expect_equal(counts[1:80], area[1:80], tolerance = 1e-4)
  old <- dpdepth_threads(2)
  expect_identical(restricted_draws(0, rows, 1, 1)[[1]], counts)
  dpdepth_threads(old)
})

# -- the whole -------------------------------------------------------------------------------

# Pairs of neighbours on a line, some of which are next to the edge of safety.
line_pairs <- function(pairs) {
  lapply(seq_len(pairs), function(i) {
    n <- 12
    rows <- matrix(pmin(pmax(round(rnorm(n, 50, sample(c(0, 1, 4, 15), 1))), 0), 100))
    far <- sample(0:5, 1)
    if (far > 0) rows[seq_len(far), ] <- sample(c(0, 100, 40, 60), far, TRUE)
    other <- rows
    other[sample(n, 1), ] <- sample(c(0, 100, 0:100), 1)
    list(rows, other)
  })
}

whole_excess <- function(pair, level, eps, eps_test, delta, margin = margin_of, nominal = eps + eps_test) {
  points <- grid_points(0, 100, 1)
  laws <- lapply(pair, function(rows) {
    slow_release_law(slow_counts(points, rows), level, eps, eps_test, delta, margin(rows, level, eps, delta))
  })
  max(hockey_stick(laws[[1]], laws[[2]], nominal), hockey_stick(laws[[2]], laws[[1]], nominal))
}

test_that("the whole release is (epsilon, delta)-private on neighbours, and broken ones are not", {
  skip_on_cran()
  set.seed(7)
  pairs <- line_pairs(160)
  level <- 4
  delta <- 0.02
  whole <- function(...) {
    max(vapply(pairs, whole_excess, 0, level = level, eps_test = 1.5, delta = delta, ...))
  }
  expect_lte(whole(eps = 2), delta)
  expect_lte(whole(eps = 4), delta)
  # no test; a margin that does not look at the data; the draw's epsilon forgotten; one row too many
  expect_gt(whole(eps = 2, margin = function(...) 1e3), delta)
  expect_gt(whole(eps = 2, margin = function(...) level), delta)
  expect_gt(whole(eps = 4, nominal = 1.5), delta)
  expect_gt(whole(eps = 2, margin = function(rows, level, eps, delta) margin_of(rows, level, eps, 1)), delta)
})

test_that("the published draw, without its own factor on the base level, is not private", {
  step <- function(base) diff(log(slow_draw_law(c(2, 3), 2, 1, base)))
  # a point whose depth moves by one may become more likely by e^{1/2} only: the normaliser takes the rest
  expect_equal(step(1), 0.5)
  expect_gt(step(-expm1(-0.5)), 0.9)
  points <- grid_points(0, 400, 1)
  rows <- matrix(c(0, 0, 0, 400, 400, 400, 200, 200, 200))
  other <- replace(rows, 7, 0)
  excess <- function(base) {
    laws <- lapply(list(rows, other), function(r) slow_draw_law(slow_counts(points, r), 3, 1, base))
    inner <- laws[[1]] > 0 & laws[[2]] > 0
    max(abs(log(laws[[1]][inner] / laws[[2]][inner])))
  }
  expect_lte(excess(1), 1)
  expect_gt(excess(-expm1(-0.5)), 1)
})

test_that("a threshold one too low lets unsafe data pass too often", {
  for (epsilon in c(0.3, 1, 2)) {
    for (delta in c(1e-6, 0.01)) {
      expect_lte(test_chance(0, epsilon, delta), delta)
      expect_gt(test_chance(1, epsilon, delta), delta) # the same as a threshold one lower
    }
  }
  draws <- 2e5
  passed <- sum(replicate(draws / 1e3, sum(3 + draw_laplace_discrete(1e3, rate_of(1)[[1]], rate_of(1)[[2]]) >
                                             ptr_threshold(1, 0.01))))
  expect_prob(passed, draws, test_chance(3, 1, 0.01))
  expect_not_prob(passed, draws, test_chance(2, 1, 0.01))
})

# -- draws -----------------------------------------------------------------------------------

test_that("draws follow the law, in one and two dimensions, and the published law is rejected", {
  skip_on_cran()
  draws <- 1e5
  set.seed(8)
  cases <- list(list(d = 1, n = 9, top = 40), list(d = 2, n = 12, top = 14), list(d = 2, n = 25, top = 9))
  for (case in cases) {
    rows <- matrix(pmin(pmax(round(rnorm(case$n * case$d, case$top / 2, case$top / 4)), 0), case$top), case$n)
    grid <- grid_points(0, case$top, case$d)
    depth <- slow_counts(grid, rows)
    for (level in c(1, 3)) {
      found <- restricted_draws(draws, rows, level, 0.8)[[2]]
      counts <- tabulate(cell_of(found, grid), nrow(grid))
      # by depth first, so that pooled cells tell depths apart
      by <- order(depth)
      expect_law(counts[by], slow_draw_law(depth, level, 0.8)[by])
      expect_not_law(counts[by], slow_draw_law(depth, level, 0.8, base = -expm1(-0.4))[by])
      expect_not_law(counts[by], slow_draw_law(depth, level, 0.9)[by])
    }
  }
})

test_that("extreme rates and sizes: points of the deepest region, of the grid's edge, of a single point", {
  rows <- matrix(2^40 * c(-1, -1, 1, 1, 0, -1, 1, -1, 1, 0), 5)
  found <- restricted_draws(200, rows, 1, 1e-6)[[2]]
  expect_true(all(abs(found) <= 2^40))
  # uniform over a square: its quarters
  quarter <- tabulate(1 + (found[, 1] > 0) + 2 * (found[, 2] > 0), 4)
  expect_law(quarter, rep(0.25, 4))
  deep <- restricted_draws(50, rows, 1, 256)[[2]]
  expect_true(all(slow_counts(deep, rows) == 3))
  expect_identical(restricted_draws(1, matrix(7, 5, 2), 5, 1), list(rep(1, 5), matrix(7, 1, 2)))
  expect_identical(dim(restricted_draws(1, matrix(c(1, 2, 3, 0, 5, 0), 3), 3, 1)[[2]]), c(0L, 2L))
})

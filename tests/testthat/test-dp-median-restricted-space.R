# The restricted exponential mechanism over three variables: bounds of regions, margin, draws.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

few <- rbind(diag(3), c(1, 1, 0), c(1, -1, 1), c(0, 1, 2), c(3, -1, 1)) * 64

space_bounds <- function(rows, level, u = few, eps = 1, draws = 0L, rng = "system") {
  found <- .Call(ffi_restricted_space, rows + 0, u, as.integer(level))
  draws <- if (length(found[[2]]) > 0) as.integer(draws) else 0L
  c(found, list(.Call(ffi_restricted_space_draw, rng, rows + 0, u, as.integer(level), eps, draws)))
}

test_that("bounds hold the number of lattice points, and are near it for large regions", {
  skip_on_cran()
  set.seed(1)
  for (i in 1:8) {
    rows <- matrix(round(rnorm(90, sd = sample(c(6, 12), 1))), 30)
    points <- grid_points(min(rows), max(rows), 3)
    volumes <- slow_volumes(slow_directional(points, rows, few))
    t <- sample(2:6, 1)
    found <- space_bounds(rows, t)
    expect_true(all(exp(found[[1]]) >= volumes[1:t]))
    lower <- exp(found[[2]])
    expect_true(all(lower <= volumes[t - 1 + seq_along(lower)]))
  }
  rows <- matrix(round(rnorm(150) * 2^20), 50)
  found <- space_bounds(rows, 10)
  expect_equal(found[[1]][[10]], found[[2]][[1]], tolerance = 1e-5)
  # a tilted cube with known volume
  cube <- rbind(grid_points(0, 1, 3), grid_points(0, 1, 3)) * 2^30
  expect_equal(space_bounds(cube, 2, diag(3))[[1]], rep(90 * log(2), 2), tolerance = 1e-9)
})

test_that("thin regions far out have volumes with correct digits", {
  # a needle of width 2^10 and length 2^34 along a diagonal, cut by its own directions
  u <- rbind(diag(3), c(1, -1, 0), c(0, 1, -1)) * 256
  ends <- rep(c(-1, 1) * 2^33, 20)
  set.seed(2)
  rows <- cbind(ends, ends, ends) + round(matrix(runif(120, -1, 1), 40) * 2^9)
  found <- space_bounds(rows, 3, u)
  width <- function(v) diff(range(sort(rows %*% v)[3:38]))
  # the prism |x - y| and |y - z| within widths, along its length
  size <- log(width(c(1, -1, 0))) + log(width(c(0, 1, -1))) + log(2^34)
  expect_equal(found[[1]][[3]], size, tolerance = 0.02)
})

# Rows of whole numbers up to 2^35 in size, of a kind and a width.
space_kinds <- list(
  fat = function(n, size) matrix(round(stats::rnorm(3 * n) * size), n),
  atoms = function(n, size) {
    matrix(round(stats::rnorm(3 * n) * size), n)[sample(max(2, n %/% 4), n, TRUE), ]
  },
  line = function(n, size) outer(round(stats::rnorm(n) * size), c(1, -1, 2)),
  near_line = function(n, size) {
    outer(round(stats::rnorm(n) * size), c(1, -1, 2)) + sample(-4:4, 3 * n, TRUE)
  },
  plane = function(n, size) matrix(round(stats::rnorm(2 * n) * size), n) %*% rbind(c(1, 0, 1), c(0, 1, -1)),
  one_point = function(n, size) matrix(rep(c(3, -2, 7), each = n), n),
  corners = function(n, size) matrix(sample(c(-1, 1), 3 * n, TRUE) * 2^35, n),
  mixed = function(n, size) {
    m <- matrix(round(stats::rnorm(3 * n) * size), n)
    m[seq_len(n %/% 3), ] <- rep(m[1, ], each = n %/% 3)
    m
  }
)

in_range <- function(rows) pmin(pmax(rows, -2^35), 2^35)

space_row <- function(rows) {
  near <- rows[sample(nrow(rows), 1), ]
  switch(sample(4, 1), near, near + sample(-3:3, 3, TRUE), sample(c(-1, 1), 3, TRUE) * 2^35,
         round(stats::rnorm(3) * 2^stats::runif(1, 0, 34)))
}

# Whether bounds of neighbours fail to be nested, or margins to be within one.
breach <- function(a, b) {
  inside <- function(x, y) {
    outer <- c(y, rep(-Inf, length(x)))
    all(x[-1] <= outer[seq_len(max(0, length(x) - 1))] + 2^-36)
  }
  !(inside(a$upper, b$upper) && inside(b$upper, a$upper) && inside(a$lower, b$lower) &&
      inside(b$lower, a$lower) && abs(a$margin - b$margin) <= 1)
}

space_found <- function(rows, u, t) .Call(ffi_restricted_space, rows, u, t)

space_pair <- function(rows, t, eps, delta, u = few, bounds = space_found) {
  found <- bounds(rows + 0, u, as.integer(t))
  list(upper = found[[1]], lower = found[[2]],
       margin = restricted_margin(found[[1]], found[[2]], nrow(rows), eps, delta))
}

# A walk over neighbours: breaches on the way, and margins that differed.
climb_space <- function(rows, t, eps, delta, steps, ...) {
  at <- space_pair(rows, t, eps, delta, ...)
  worst <- moved <- 0
  for (i in seq_len(steps)) {
    other <- rows
    other[sample(nrow(rows), 1), ] <- in_range(space_row(rows))
    to <- space_pair(other, t, eps, delta, ...)
    worst <- worst + breach(at, to)
    moved <- moved + (at$margin != to$margin)
    if (worst > 0) break
    if (to$margin != at$margin || stats::runif(1) < 0.5) {
      rows <- other
      at <- to
    }
  }
  c(worst, moved)
}

climb_all <- function(rounds, steps, ...) {
  found <- c(0, 0)
  for (kind in space_kinds) for (i in seq_len(rounds)) {
    n <- sample(12:50, 1)
    t <- max(2, n %/% sample(3:7, 1))
    rows <- in_range(kind(n, 2^stats::runif(1, 2, 33)))
    got <- climb_space(rows, t, sample(c(1, 3, 8), 1), 10^-sample(0:3, 1) / 2, steps, ...)
    found <- found + got
    if (found[[1]] > 0) return(found)
  }
  found
}

test_that("bounds are nested as computed and margins move by at most one, walking over neighbours", {
  skip_on_cran()
  set.seed(3)
  found <- climb_all(audit_size(2, 100), audit_size(20, 100))
  expect_identical(found[[1]], 0)
  expect_gt(found[[2]], 10)
  set.seed(4)
  many <- whole_directions(60)
  expect_identical(climb_all(1, audit_size(4, 100), u = many)[[1]], 0)
})

test_that("the climb finds bounds that are not nested", {
  skip_on_cran()
  wrong <- list(
    "rounding that depends on the row" = function(rows, u, t) {
      lapply(space_found(rows, u, t), function(v) v + sum(rows[1, ]) %% 3 / 4)
    },
    "a programme that ends for some data only" = function(rows, u, t) {
      found <- space_found(rows, u, t)
      if (sum(rows[1, ]) %% 2 == 0) found else list(found[[1]] + Inf, numeric(0))
    },
    "two levels off at one end" = function(rows, u, t) {
      found <- space_found(rows, u, t)
      if (sum(rows[1, ]) %% 2 == 0) found else list(found[[1]], found[[2]][-(1:2)])
    }
  )
  for (name in names(wrong)) {
    set.seed(5)
    expect_gt(climb_all(4, 25, bounds = wrong[[name]])[[1]], 0, label = name)
  }
})

test_that("data for which a linear programme in doubles did not end are as safe as their neighbours", {
  skip_on_cran()
  a <- c(25445572416, -31987594343, 6686785884)
  b <- c(25445572401, -31987594335, 6686785904)
  times <- function(v, m) matrix(v, m, 3, byrow = TRUE)
  set.seed(3)
  rest <- round(sweep(matrix(rnorm(3 * 440), ncol = 3) * 2^28, 2, (a + b) / 2, "+"))
  rows <- rbind(times(a, 100), times(b, 62), times(b + c(-3, 2, 6), 38), rest)
  other <- rows
  other[163, ] <- b
  u <- whole_directions(NULL)
  plan <- restricted_plan(640, 3, 4, 1e-6)
  rate <- restricted_rate(4 - 4 * plan$share)
  margins <- c(margin_of(rows, plan$level, rate, 1e-6, u), margin_of(other, plan$level, rate, 1e-6, u))
  expect_gt(min(margins), 20)
  expect_lte(abs(diff(margins)), 1)
  for (x in list(rows, other)) expect_true(dp_median_restricted(x * 2^-16, 4, 1e-6)$released)
})

test_that("draws end for needles along diagonals, and where the deepest regions are all but empty", {
  skip_on_cran()
  set.seed(6)
  n <- 400
  u <- rbind(diag(3), c(1, -1, 0) / sqrt(2), c(0, 1, -1) / sqrt(2))
  needle <- rep(rnorm(n) * 2^16, 3) + matrix(runif(3 * n, -1, 1), n) * 2^-10
  for (epsilon in c(4, 300)) expect_true(dp_median_restricted(needle, epsilon, 1e-6, directions = u)$released)
  x <- matrix(rnorm(3 * n), n)
  for (step in 2^-c(1, 4)) expect_true(dp_median_restricted(x, 100, 1e-6, resolution = step)$released)
  for (far in c(1e-300, 1e300)) expect_s3_class(dp_median_restricted(x * far, 100, 1e-6), "dp_release")
})

test_that("data that fail the test are not drawn from", {
  drawn <- FALSE
  law <- function(...) list(margin = 0, draw = function() drawn <<- TRUE)
  # not the least delta, 1e-100: R reads that text otherwise where long doubles are short, as under valgrind
  with_bindings(list(restricted_law = law), {
    expect_false(dp_median_restricted(matrix(0, 9, 3), 1, 1e-99)$released)
  })
  expect_false(drawn)
})

test_that("work in space can be left early", {
  skip_on_os("windows")
  set.seed(7)
  rows <- matrix(round(rnorm(600) * 2^16), 200)
  u <- whole_directions(100)
  for (call in list(function() .Call(ffi_restricted_space, rows, u, 40L),
                    function() .Call(ffi_restricted_space_draw, "system", rows, u, 40L, 1, 1L))) {
    expect_true(any(replicate(20, is_left_early(call))))
  }
})

test_that("draws follow the law, and the published law is rejected", {
  skip_on_cran()
  draws <- 3e4
  set.seed(4)
  rows <- matrix(round(rnorm(90, sd = 11)), 30)
  grid <- grid_points(min(rows), max(rows), 3)
  depth <- slow_directional(grid, rows, few)
  for (level in c(2, 4)) {
    found <- space_bounds(rows, level, eps = 0.6, draws = draws)
    expect_gt(length(found[[2]]), 0)
    at <- (found[[3]] - min(rows)) %*% (max(rows) - min(rows) + 1)^(0:2) + 1
    counts <- tabulate(at, nrow(grid))
    by <- order(depth)
    expect_law(counts[by], slow_draw_law(depth, level, 0.6)[by])
    expect_not_law(counts[by], slow_draw_law(depth, level, 0.6, base = -expm1(-0.3))[by])
    expect_not_law(counts[by], slow_draw_law(depth, level, 0.75)[by])
  }
})

test_that("the same for any number of threads; degenerate data have no draw", {
  rows <- matrix(round(sin(1:120 * 7) * 2^16), 40)
  one <- space_bounds(rows, 6)[1:2]
  old <- dpdepth_threads(2)
  expect_identical(space_bounds(rows, 6)[1:2], one)
  dpdepth_threads(old)
  for (rows in list(matrix(1, 9, 3), cbind(1:9, 1:9, 0), matrix(c(1, 2, 3), 1))) {
    found <- space_bounds(rows, 1, draws = 1)
    expect_identical(found[[2]], numeric(0))
    expect_identical(dim(found[[3]]), c(0L, 3L))
  }
  expect_error(space_bounds(matrix(round(sin(1:120 * 7) * 2^16), 40), 3, draws = 1, rng = "broken"),
               class = "dpdepth_error_entropy")
})

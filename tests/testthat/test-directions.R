# Public directions: unit, uniform, reproducible for ever, and never from R's stream.

test_that("rows are unit vectors and the axes come first", {
  for (d in 1:7) {
    u <- directions(d, 50)
    expect_identical(dim(u), if (d == 1) c(1L, 1L) else c(50L, d))
    expect_lt(max(abs(sqrt(rowSums(u^2)) - 1)), 1e-11)
    if (d > 1) expect_identical(u[1:d, ], diag(d))
    # multiples of 2^-40
    expect_identical(u * 2^40, round(u * 2^40))
  }
  expect_identical(directions(1), matrix(1))
  expect_identical(directions(3, 3), diag(3))
})

test_that("a longer set begins with the shorter, and seeds and types differ as they should", {
  expect_identical(directions(4, 200)[1:50, ], directions(4, 50))
  expect_identical(directions(4, 50)[-(1:4), ], directions(4, 46, type = "uniform"))
  expect_false(any(directions(4, 50, seed = 2)[-(1:4), ] == directions(4, 50)[-(1:4), ]))
})

test_that("the values are the same for ever", {
  # computed once by data-raw/directions.py in exact integers and 60-digit decimals; never change them
  expect_identical(directions(2, 4)[3:4, ] * 2^40, rbind(
    c(353785071482, 1041038876705), c(1095202737657, 97245992426)
  ))
  expect_identical(directions(3, 2, seed = 7, type = "uniform") * 2^40, rbind(
    c(215548570207, 666166843568, -847753720149), c(-816778411560, 478752132537, -559102174576)
  ))
  expect_identical(directions(6, 2, seed = 0, type = "uniform") * 2^40, rbind(
    c(-668386587553, 273760309573, 711612817679, 199446992935, -364594231033, -90219862105),
    c(-423154801520, -176446497020, -309590591198, -299454305813, 490833921270, 756502024820)
  ))
})

test_that("R's stream is neither read nor changed", {
  set.seed(1)
  before <- .Random.seed
  a <- directions(3, 100)
  expect_identical(.Random.seed, before)
  set.seed(2)
  expect_identical(directions(3, 100), a)
  rm(".Random.seed", envir = globalenv())
  directions(3, 100)
  expect_false(exists(".Random.seed", globalenv()))
})

test_that("directions are uniform on the sphere", {
  # a fixed set: these tests either hold or not. A coordinate, or any projection, of a uniform
  # point is (2 B - 1), B ~ Beta((d - 1)/2, (d - 1)/2); Kolmogorov's bound at 1e-6 is 2.69 / sqrt(n)
  n <- 20000
  for (d in c(2, 3, 4, 7)) {
    u <- directions(d, n, seed = 42, type = "uniform")
    for (v in list(u[, 1], u[, d], rowSums(u) / sqrt(d), (u[, 1] - u[, 2]) / sqrt(2))) {
      b <- sort((v + 1) / 2)
      gap <- max(abs(stats::pbeta(b, (d - 1) / 2, (d - 1) / 2) - (seq_len(n) - 0.5) / n))
      expect_lt(gap, 2.69 / sqrt(n))
    }
    # a negative control: normalised points of the cube fail the same test from d = 3 on
    if (d >= 3) {
      w <- matrix((seq_len(n * d) * 0.6180339887) %% 1 - 0.5, n)
      w <- w[order(sin(seq_len(n))), ] / sqrt(rowSums(w^2))
      b <- sort((w[, 1] / sqrt(rowSums(w^2)) + 1) / 2)
      expect_gt(max(abs(stats::pbeta(b, (d - 1) / 2, (d - 1) / 2) - (seq_len(n) - 0.5) / n)), 2.69 / sqrt(n))
    }
  }
})

test_that("bad arguments are refused", {
  input <- function(expr, arg) expect_identical(expect_error(expr, class = "dpdepth_error_input")$arg, arg)
  for (d in list(0, -1, 1.5, NA, "2", NULL, 1:2, Inf)) input(directions(d), "d")
  for (n in list(0, -1, 1.5, NA, "2", NULL, 1:2)) input(directions(2, n), "n")
  input(directions(5, 4), "n")
  expect_identical(dim(directions(5, 4, type = "uniform")), c(4L, 5L))
  input(directions(1, 0), "n")
  input(directions(100, 1e7), "n")
  input(directions(1e6), "d")
  for (seed in list(-1, 0.5, NA, 2^31, "a", NULL)) input(directions(2, 9, seed), "seed")
  input(directions(2, 9, type = "grid"), "type")
})

test_that("as_directions() takes a count or a matrix", {
  expect_identical(as_directions(30, 3), directions(3, 30))
  expect_identical(as_directions(directions(3, 30), 3), directions(3, 30))
  expect_identical(as_directions(1000L, 1), matrix(1))
  expect_identical(as_directions(matrix(c(1, -1)), 1), matrix(c(1, -1)))
  expect_identical(as_directions(data.frame(a = c(0.6, 1), b = c(0.8, 0)), 2), rbind(c(0.6, 0.8), c(1, 0)))
  u <- as_directions(cbind(0.6, 0.8) * (1 + 5e-9), 2)
  expect_lt(abs(sqrt(sum(u^2)) - 1), 1e-15)
})

test_that("missing axes are put in front", {
  u <- rbind(c(0.6, 0.8, 0), c(0, -1, 0))
  expect_identical(as_directions(u, 3, add_axes = TRUE), rbind(c(1, 0, 0), c(0, 0, 1), u))
  expect_identical(as_directions(diag(3), 3, add_axes = TRUE), diag(3))
  expect_identical(as_directions(matrix(-1), 1, add_axes = TRUE), matrix(-1))
  expect_identical(as_directions(50, 4, add_axes = TRUE), directions(4, 50))
  # the same axis twice does not count as two
  expect_identical(as_directions(rbind(c(1, 0), c(-1, 0)), 2, TRUE), rbind(c(0, 1), c(1, 0), c(-1, 0)))
})

test_that("as_directions() refuses what is no set of directions", {
  bad <- list(NULL, NA, "a", 0, 2, 1.5, c(1, 0, 0), matrix(1, 2, 2), diag(2), matrix(c(1, NA, 0), 1),
              matrix("a", 1, 3), matrix(0, 1, 3), matrix(0, 0, 3), list(1), cbind(1 + 1e-7, 0, 0))
  for (u in bad) {
    expect_identical(expect_error(as_directions(u, 3, arg = "u"), class = "dpdepth_error_input")$arg, "u")
  }
  expect_snapshot(error = TRUE, {
    as_directions(2, 3)
    as_directions("many", 3)
    as_directions(diag(2), 3)
    as_directions(matrix(1, 2, 2), 2)
    directions(5, 4)
    directions(1e6)
  })
})

# -- units: powers of two that change no comparison, and numbers near the ends of the doubles ----------------

set.seed(1)
x <- cbind(rnorm(31), rexp(31), sample(5, 31, TRUE))

test_that("drawn directions are for columns in units of their spread, to the last bit", {
  task <- in_units(x, 20, 1)
  expect_identical(log2(task$unit), round(log2(task$unit)))
  expect_identical(task$data, x / rep(task$unit, each = 31))
  expect_equal(rowSums(task$u^2), rep(1, nrow(task$u)))
  scale <- rep(2^c(300, -40, 7), each = 31)
  moved <- in_units(x * scale, 20, 1)
  expect_identical(moved[c("data", "u")], task[c("data", "u")])
  # not a power of two: the same projections but for rounding and one factor a direction
  other <- in_units(x * rep(c(3, 1e5, 0.7), each = 31), 20, 1)
  apart <- function(task) apply(task$data %*% t(task$u), 2, function(v) v / sd(v))
  expect_equal(apart(other), apart(task), tolerance = 1e-12)
})

test_that("given directions are for the data as they are, in the common unit; points follow", {
  task <- in_units(x, diag(3), 8, x = x[1:2, ])
  expect_identical(task$data, x / 8)
  expect_identical(task$x, x[1:2, ] / 8)
  expect_identical(task$u, diag(3))
  # a single number that would overflow sets the unit
  far <- x
  far[1, 2] <- 1e308
  task <- in_units(far, 5, 1)
  expect_true(all(is.finite(task$data %*% t(task$u))))
})

test_that("comparable columns have their middle at 0 and a quantile of their sizes at 1", {
  for (j in 1:3) {
    y <- comparable(1e6 * x[, j] - 40)
    expect_identical(median(y), 0)
    expect_true(any(abs(quantile(abs(y), c(0.5, 0.75, 0.9, 1)) - 1) < 1e-12))
  }
  # more than half, three quarters and all of the numbers equal
  expect_identical(comparable(c(rep(3, 6), 1, 5, 7, 3)), c(rep(0, 6), -2, 2, 4, 0) / 1.5)
  expect_identical(max(comparable(c(rep(3, 19), 11))), 1)
  expect_identical(comparable(rep(4, 5)), rep(0, 5))
})

test_that("huge numbers are brought down, others left alone", {
  expect_identical(huge_unit(c(-2^900, 1)), 1)
  expect_identical(huge_unit(1, c(-2^901, 1)), 2^200)
  expect_identical(huge_unit(numeric(0)), 1)
  unit <- spread_unit(x)
  expect_identical(log2(unit), round(log2(unit)))
  for (power in c(-900, 30, 950)) expect_identical(spread_unit(x * 2^power), unit * 2^power)
})

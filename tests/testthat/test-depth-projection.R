# Projection depth, outlyingness, the projection median, and refined directions.

locations <- c("median", "trimmed", "huber", "mom")
scales <- c("mad", "iqr", "trimmed")

test_that("outlyingness is that of the definition, for every location and scale", {
  skip_on_cran()
  for (x in awkward_data()[c("one_number", "ties", "few_rows", "duplicates", "space")]) {
    u <- directions(ncol(x), if (ncol(x) == 1) 1 else audit_size(6, 20))
    q <- rbind(x, colMeans(x) + 0.1, x[1, ] - 100)
    for (location in locations) {
      for (scale in scales) {
        ours <- outlyingness(q, x, location, scale, u)
        slow <- twin_outlyingness(q, x, u, location, scale)
        far <- slow > 1e10 # a scale that is zero but for rounding
        expect_equal(ours[!far], slow[!far], tolerance = 1e-8)
        expect_true(all(is.infinite(ours[far])))
      }
    }
  }
})

test_that("many rows: the fast selection gives what sorting gives", {
  skip_on_cran()
  x <- matrix(rcauchy_public(4002), 2001)
  u <- directions(2, 5)
  for (n in 2000:2001) {
    for (location in locations) {
      y <- x[seq_len(n), ]
      expect_equal(outlyingness(x[1:9, ], y, location, "iqr", u),
                   twin_outlyingness(x[1:9, ], y, u, location, "iqr"))
      expect_equal(outlyingness(x[1:9, ], y, location, "trimmed", u, trim = 0.1, blocks = 7),
                   twin_outlyingness(x[1:9, ], y, u, location, "trimmed", trim = 0.1, blocks = 7))
    }
  }
  expect_equal(outlyingness(x[1:9, ], x, "trimmed", "mad", u, trim = 0.1),
               twin_outlyingness(x[1:9, ], x, u, "trimmed", "mad", trim = 0.1))
  expect_equal(outlyingness(x[1:9, ], x, "mom", "mad", u, blocks = 7),
               twin_outlyingness(x[1:9, ], x, u, "mom", "mad", blocks = 7))
})

test_that("even n: one order statistic, not the mean of two, and none is skipped", {
  x <- matrix(c(0, 1, 10, 100))
  # median 1; distances 0 1 9 99: MAD 1
  expect_identical(outlyingness(matrix(c(0, 1, 11)), x), c(1, 0, 10))
  # q = 1: y_(4) - y_(1)
  expect_identical(outlyingness(matrix(101), x, scale = "iqr"), 1)
})

test_that("both sides count", {
  x <- as.matrix(faithful)
  u <- directions(2, 50)
  expect_gt(outlyingness(c(-100, -1000), x, directions = u), 10)
  expect_gt(outlyingness(c(100, 1000), x, directions = u), 10)
  odd <- x[1:271, ]
  q <- odd[1:20, ]
  expect_identical(outlyingness(-q, -odd, directions = u), outlyingness(q, odd, directions = u))
  expect_identical(outlyingness(q, odd, directions = -u), outlyingness(q, odd, directions = u))
})

test_that("a scale of zero: 0/0 is 0 and x/0 is Inf, in any unit", {
  x <- cbind(c(1, 2, 3, 4, 5), 7)
  q <- rbind(c(3, 7), c(4, 7), c(3, 7.001))
  u <- diag(2)
  expect_identical(outlyingness(q, x, directions = u), c(0, 1, Inf))
  expect_identical(depth_projection(q, x, directions = u), c(1, 1 / 2, 0))
  for (unit in c(1e-9, 1e-300, 1e9, 1e300)) {
    expect_equal(outlyingness(unit * q, unit * x, directions = u), c(0, 1, Inf))
  }
  # more than half of the rows coincide
  x <- rbind(c(1 / 3, 0.1), c(1 / 3, 0.1), c(1 / 3, 0.1), c(5, 6), c(-1, 2))
  expect_identical(outlyingness(x, x, directions = directions(2, 30)), c(0, 0, 0, Inf, Inf))
  expect_identical(c(median_projection(x)), c(1 / 3, 0.1))
  expect_identical(attr(median_projection(x), "depth"), 1)
  # collinear rows, and a direction across the line in which projections are zero but for rounding
  v <- c(1, 3) / sqrt(10)
  x <- outer(c(0.1, 0.2, 0.7, 1.3, 2.9, 3.1, 4.7), v)
  across <- rbind(c(v[[2]], -v[[1]]))
  expect_identical(outlyingness(x, x, directions = across), rep(0, 7))
  expect_identical(outlyingness(x + rep(c(1e-6, 0), each = 7), x, directions = across), rep(Inf, 7))
})

test_that("data times 1e-9 have the same depth, and shifts and linear maps do nothing", {
  x <- as.matrix(iris[1:4])[1:149, ] + rcauchy_public(596) / 50
  u <- directions(4, 80)
  q <- x[c(1, 51, 101), ] + 0.03
  for (location in locations) {
    before <- depth_projection(q, x, location, directions = u)
    expect_equal(depth_projection(1e-9 * q, 1e-9 * x, location, directions = u), before)
    expect_equal(depth_projection(q - 1e4, x - 1e4, location, directions = u), before)
    expect_true(all(before > 0 & before < 1))
    # an affine map, with directions mapped along
    map <- matrix(sin(1:16), 4) + diag(4)
    along <- t(solve(t(map), t(u)))
    along <- along / sqrt(rowSums(along^2))
    mapped <- depth_projection(t(map %*% t(q)), t(map %*% t(x)), location, directions = along)
    expect_equal(mapped, before, tolerance = 1e-7)
  }
})

test_that("the same bits for one thread and two, and R's generator is left alone", {
  x <- matrix(rcauchy_public(3000), 1000)
  expect_same_bits(function() {
    list(outlyingness(x, x, "huber", directions = 90),
         outlyingness(x[1:5, ], x, directions = 90, method = "refined"),
         depth_halfspace(x[1:5, ], x, "refined", 90), median_projection(x, directions = 90))
  })
})

test_that("the projection median has the least outlyingness, with a proof", {
  skip_on_cran()
  tails <- matrix(rcauchy_public(90), 30)
  for (x in list(as.matrix(faithful), as.matrix(swiss), as.matrix(stackloss), tails)) {
    u <- directions(ncol(x), 120)
    for (location in locations) {
      m <- median_projection(x, location, directions = u)
      expect_lt(attr(m, "gap"), 1e-9)
      out <- outlyingness(c(m), x, location, directions = u)
      expect_identical(attr(m, "depth"), 1 / (1 + out))
      steps <- matrix(sin(seq_len(40 * ncol(x))), 40) * 10^-(0:7)
      near <- rep(c(m), each = 40) + steps * rep(apply(x, 2, mad), each = 40)
      expect_true(all(outlyingness(near, x, location, directions = u) >= out - 1e-9))
    }
  }
  # against a general optimiser
  x <- as.matrix(faithful)
  u <- directions(2, 40)
  best <- optim(apply(x, 2, median), function(q) outlyingness(q, x, directions = u),
                control = list(reltol = 1e-12, parscale = c(1, 10)))
  expect_lte(1 / attr(median_projection(x, directions = u), "depth") - 1, best$value + 1e-9)
  # fewer directions than variables, one variable, one row, constant columns
  expect_identical(attr(median_projection(swiss, directions = diag(6)[1:2, ]), "depth"), 1)
  expect_identical(c(median_projection(matrix(c(5, 1, 2)))), 2)
  expect_identical(c(median_projection(rbind(c(a = 1, b = 2)))), c(a = 1, b = 2))
  m <- median_projection(cbind(c(1, 2, 4, 8, 9), 3))
  expect_identical(m[[2]], 3)
  expect_gt(attr(m, "depth"), 0.5)
  # equivariance
  x <- as.matrix(swiss)
  u <- directions(6, 100)
  moved <- median_projection(1e-9 * x + 1e-6, directions = u)
  expect_equal(c(moved), 1e-9 * c(median_projection(x, directions = u)) + 1e-6)
})

test_that("with drawn directions the columns' units do not matter, with given ones they do", {
  x <- cbind(a = rcauchy_public(200), b = qnorm((1:200 - 0.5) / 200), c = (1:200) %% 7)
  q <- rbind(x[1:20, ], colMeans(x))
  change <- function(m, unit) m * rep(unit, each = nrow(m))
  u <- directions(3, 100)
  spread <- apply(x, 2, function(v) diff(sort(v)[c(51, 150)]))
  expect_equal(outlyingness(q, x, directions = 100),
               outlyingness(change(q, 1 / spread), change(x, 1 / spread), directions = u), tolerance = 1e-12)
  for (unit in list(c(1e9, 1e-9, 3), c(2^-300, 1, 2^300), c(1e300, 1e-300, 1))) {
    for (scale in c("mad", "iqr", "trimmed")) {
      expect_equal(depth_projection(change(q, unit), change(x, unit), scale = scale, directions = 100),
                   depth_projection(q, x, scale = scale, directions = 100), tolerance = 1e-10)
    }
    expect_equal(as.vector(median_projection(change(x, unit), directions = 100)) / unit,
                 as.vector(median_projection(x, directions = 100)), tolerance = 1e-8)
  }
  expect_equal(outlyingness(q, change(x, c(1, 1, 0)), directions = 50) == Inf, q[, 3] != 0)
  expect_gt(max(abs(depth_projection(change(q, c(1, 1, 50)), change(x, c(1, 1, 50)), directions = u) -
                    depth_projection(q, x, directions = u))), 0.01)
  fine <- outlyingness(q[1:5, ], x, directions = 20, method = "refined")
  expect_equal(outlyingness(change(q[1:5, ], c(1e3, 1, 1e-3)), change(x, c(1e3, 1, 1e-3)), directions = 20,
                            method = "refined"), fine, tolerance = 1e-3)
})

test_that("agreement with mrfDepth, where conventions agree", {
  skip_if_not_installed("mrfDepth")
  # odd n, all directions orthogonal to lines through two rows; its MAD is multiplied by 1.4826
  x <- matrix(rcauchy_public(42), 21)
  q <- x[1:5, ] + 0.1
  pairs <- combn(21, 2)
  u <- t(apply(pairs, 2, function(k) c(x[k[[2]], 2] - x[k[[1]], 2], x[k[[1]], 1] - x[k[[2]], 1])))
  u <- u / sqrt(rowSums(u^2))
  # a peer from CRAN that the checks do not ask for
  peer <- getExportedValue("mrfDepth", "outlyingness")
  theirs <- peer(x, q, options = list(type = "Affine", ndir = "all", stand = "MedMad"))
  expect_equal(outlyingness(q, x, directions = u) / 1.4826, theirs$outlyingnessZ, tolerance = 1e-4)
})

test_that("agreement with robustbase: Huber's location of odd numbers of rows", {
  # a peer from CRAN that the checks do not ask for
  peer <- function(...) getExportedValue("robustbase", "huberM")(..., k = 1.345, tol = 1e-12)
  for (n in c(5, 31, 101)) {
    y <- rcauchy_public(n)
    # our constant 1.4826 has all its digits
    s <- stats::mad(y, constant = 1)
    theirs <- peer_values(paste0("Huber", n), "robustbase", peer(y, s = s / stats::qnorm(0.75))$mu)
    expect_equal(outlyingness(y, y, "huber"), abs(y - theirs) / s, tolerance = 1e-9)
  }
})

test_that("agreement with ddalpha, where conventions agree", {
  # two equal columns: all directions say the same, so that random ones are no hindrance
  y <- rcauchy_public(31)
  q <- cbind(y[1:5] + 0.2, y[1:5] + 0.2)
  theirs <- peer_values("projected", "ddalpha",
                        ddalpha::depth.projection(q, cbind(y, y), num.directions = 100))
  ours <- depth_projection(q, cbind(y, y), directions = diag(2))
  expect_equal(ours, theirs, tolerance = 1e-6)
})

test_that("bad arguments are refused by name", {
  x <- matrix(1:6, 3)
  refused <- function(expr, arg) expect_error(expr, sprintf("`%s`", arg), class = "dpdepth_error_input")
  refused(outlyingness(x, x, "mean"), "location")
  refused(outlyingness(x, x, scale = "sd"), "scale")
  refused(outlyingness(x, x, trim = 0.5), "trim")
  refused(outlyingness(x, x, trim = -0.1), "trim")
  refused(outlyingness(x, x, blocks = 4), "blocks")
  refused(outlyingness(x, x, method = "exact"), "method")
  refused(depth_projection(1:3, x), "x")
  refused(depth_projection(x, replace(x, 2, Inf)), "data")
  refused(median_projection(letters), "data")
  refused(depth_projection(x, x, directions = matrix(1, 1, 2)), "directions")
  expect_identical(depth_projection(x[0, ], x), numeric())
  expect_identical(outlyingness(x[0, ], x, method = "refined"), numeric())
})

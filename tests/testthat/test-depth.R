# Halfspace depth against slow twins, invariances, peers.

exact <- function(x, data) depth_halfspace(x, data, "exact")

test_that("one variable: ranks from both ends", {
  set.seed(1)
  for (n in c(1:6, 50)) {
    y <- sample(0:5, n, TRUE)
    x <- c(seq(-1, 6, by = 0.5))
    expect_identical(exact(x, y), vapply(x, function(p) min(sum(y <= p), sum(y >= p)), 0) / n)
  }
  expect_identical(depth_halfspace(2, 1:3), 2 / 3)
})

test_that("two and three variables agree with the definition, with all kinds of ties", {
  skip_on_cran()
  set.seed(2)
  for (d in 2:3) {
    for (kind in data_kinds) {
      for (n in c(1:5, if (d == 2) 6:12)) {
        data <- degenerate_data(n, d, kind)
        x <- rbind(data[sample(n, min(n, 3)), , drop = FALSE], matrix(sample(0:4, 2 * d, TRUE), 2))
        expect_identical(exact(x, data), oracle_halfspace(x, data))
      }
    }
  }
})

test_that("all small datasets on a grid: the definition, and counts move by at most one", {
  skip_on_cran()
  grid <- unname(as.matrix(expand.grid(0:4, 0:4))) + 0
  for (n in seq_len(audit_size(3, 4))) {
    # multisets of n of the 25 points, by their sorted indices
    sets <- t(combn(25 + n - 1, n)) - rep(seq_len(n) - 1, each = choose(25 + n - 1, n))
    id <- function(s) drop((s - 1) %*% 25^(seq_len(n) - 1))
    place <- integer(25^n)
    place[id(sets) + 1] <- seq_len(nrow(sets))
    # the entry itself: thousands of calls
    entry <- dpdepth:::ffi_halfspace_exact
    count <- t(apply(sets, 1, function(s) .Call(entry, grid, grid[s, , drop = FALSE])))
    check <- if (n <= 2) seq_len(nrow(sets)) else sample(nrow(sets), 300)
    definition <- function(s) oracle_plane(grid, grid[s, , drop = FALSE])
    slow <- t(apply(sets[check, , drop = FALSE], 1, definition))
    expect_equal(count[check, ], slow)

    # neighbours: all ways to complete the same n - 1 rows
    rest <- if (n == 1) matrix(0L, 1, 0) else unique(sets[, -n, drop = FALSE])
    most <- least <- NULL
    for (p in 1:25) {
      full <- cbind(rest, p)
      full <- matrix(full[order(row(full), full)], ncol = n, byrow = TRUE)
      h <- count[place[id(full) + 1], , drop = FALSE]
      most <- if (is.null(most)) h else pmax(most, h)
      least <- if (is.null(least)) h else pmin(least, h)
    }
    expect_lte(max(most - least), 1)
  }
})

test_that("affine transformations change nothing", {
  set.seed(3)
  for (d in 2:3) {
    data <- matrix(sample(0:6, 25 * d, TRUE), ncol = d)
    x <- rbind(data, matrix(sample(0:6, 10 * d, TRUE), ncol = d))
    depth <- exact(x, data)
    # of whole numbers: shears and exchanges
    shear <- diag(d)
    shear[1, d] <- 3
    shear <- shear[, rev(seq_len(d))]
    expect_identical(exact(x %*% shear - 5, data %*% shear - 5), depth)
    # of rounded numbers
    for (i in 1:5) {
      a <- matrix(rnorm(d * d), d)
      b <- rnorm(d, sd = 100)
      expect_identical(exact(sweep(x %*% a, 2, b, "+"), sweep(data %*% a, 2, b, "+")), depth)
    }
  }
})

test_that("units of measurement do not matter, nor do decimals", {
  set.seed(4)
  for (d in 1:3) {
    data <- matrix(sample(0:9, 30 * d, TRUE), ncol = d)
    depth <- exact(data, data)
    for (unit in c(1e-300, 1e-9, 0.1, 1 / 3, 1e9, 1e300)) {
      expect_identical(exact(data * unit, data * unit), depth)
    }
    expect_identical(exact(data * 0.1 + 0.7, (data + 7) / 10), depth)
    # each column in its own unit
    units <- 10^(seq_len(d) * 6 - 12)
    expect_identical(exact(sweep(data, 2, units, "*"), sweep(data, 2, units, "*")), depth)
  }
})

test_that("large whole numbers are exact", {
  # directions that differ by less than rounded products show: 0 is between two rows, or just not
  origin <- function(d) matrix(0, 1, d)
  big <- 2^49
  a <- c(big, big - 1)
  b <- c(big - 1, big - 2)
  expect_identical(exact(origin(2), rbind(a, -a)), 1 / 2)
  expect_identical(exact(origin(2), rbind(a, -b)), 0)
  big <- 2^25
  a <- c(big, big - 1, big - 2)
  b <- c(big - 1, big - 2, big - 3)
  e <- c(1, 0, 0)
  expect_identical(exact(origin(3), rbind(a, -a, e, -e)), 2 / 4)
  expect_identical(exact(origin(3), rbind(a, -b, e, -e)), 1 / 4)
})

test_that("a far outlier does not blur the others", {
  set.seed(5)
  for (d in 1:3) {
    data <- matrix(rnorm(20 * d), ncol = d)
    far <- rbind(data, 1e17)
    near <- rbind(data, 1e3)
    expect_identical(exact(data, far), exact(data, near))
  }
})

test_that("forms of the arguments", {
  expect_identical(depth_halfspace(c(1, 1), rbind(c(1, 1), c(2, 2))), 0.5)
  expect_identical(depth_halfspace(1:3, 1:3), c(1, 2, 1) / 3)
  expect_identical(depth_halfspace(faithful[0, ], faithful), numeric())
  expect_identical(depth_halfspace(faithful[3, ], faithful),
                   depth_halfspace(as.matrix(faithful)[3, ], faithful))
  expect_null(names(depth_halfspace(faithful[1:2, ], faithful)))
  expect_identical(depth_halfspace(rbind(c(1, 2, 3)), rbind(c(1, 2, 3))), 1)
  expect_error(depth_halfspace(1:3, numeric()), class = "dpdepth_error_input")
  expect_error(depth_halfspace(1:3, faithful), class = "dpdepth_error_input")
  expect_error(depth_halfspace(c(1, NA), faithful), class = "dpdepth_error_input")
  expect_error(depth_halfspace(faithful, letters), class = "dpdepth_error_input")
  five <- cbind(iris[1:4], 1:150)
  expect_error(depth_halfspace(five, five, "exact"), "more than 4 columns", class = "dpdepth_error_input")
  expect_error(depth_halfspace(five, five, "best"), class = "dpdepth_error_input")
  expect_error(depth_halfspace(five, five, directions = -1), class = "dpdepth_error_input")
})

test_that("directional: the definition, above the exact depth, a row's own projection tied with it", {
  set.seed(6)
  for (d in 2:4) {
    data <- matrix(rnorm(40 * d), ncol = d)
    x <- rbind(data, matrix(rnorm(10 * d), ncol = d))
    u <- directions(d, 50)
    depth <- depth_halfspace(x, data, "directional", u)
    expect_identical(depth, oracle_directional(x, data, u) / 40)
    if (d <= 3) expect_true(all(depth >= exact(x, data)))
    grid <- matrix(sample(0:3, 40 * d, TRUE), ncol = d)
    expect_identical(depth_halfspace(grid, grid, "directional", u), oracle_directional(grid, grid, u) / 40)
    # a count of directions: units do not matter
    units <- diag(10^seq_len(d))
    expect_identical(depth_halfspace(x, data, "directional", 50),
                     depth_halfspace(x %*% units, data %*% units, "directional", 50))
  }
  y <- sample(0:9, 30, TRUE)
  expect_identical(depth_halfspace(0:9, y, "directional"), exact(0:9, y))
})

test_that("auto is exact where it can be", {
  set.seed(7)
  x <- matrix(rnorm(90), ncol = 3)
  expect_identical(depth_halfspace(x, x), exact(x, x))
  expect_identical(depth_halfspace(x[, 1:2], x[, 1:2]), exact(x[, 1:2], x[, 1:2]))
  four <- cbind(x, 1)
  expect_identical(depth_halfspace(four, four), exact(x, x))
  five <- cbind(four, x[, 1]^2)
  expect_identical(depth_halfspace(five, five), depth_halfspace(five, five, "directional"))
})

test_that("the number of threads does not change a bit", {
  set.seed(8)
  x <- matrix(rnorm(900), ncol = 3)
  old <- dpdepth_threads(1)
  on.exit(dpdepth_threads(old))
  one <- list(exact(x[, 1:2], x[, 1:2]), exact(x[1:50, ], x), depth_halfspace(x, x, "directional"))
  dpdepth_threads(3)
  three <- list(exact(x[, 1:2], x[, 1:2]), exact(x[1:50, ], x), depth_halfspace(x, x, "directional"))
  expect_identical(one, three)
})

test_that("peers agree on random data", {
  set.seed(9)
  x <- matrix(rnorm(400), ncol = 2)
  y <- matrix(rnorm(120), ncol = 3)
  expect_equal(exact(x, x), peer_values("plane", "ddalpha", ddalpha::depth.halfspace(x, x, exact = TRUE)))
  expect_equal(exact(y, y), peer_values("space", "ddalpha", ddalpha::depth.halfspace(y, y, exact = TRUE)))
})

test_that("counts in four dimensions are those of the definition, with ties and flat data", {
  skip_on_cran()
  set.seed(1)
  for (r in seq_len(audit_size(21, 40))) {
    n <- sample(audit_size(6, 7), 1)
    k <- sample(2, 1)
    data <- matrix(sample(-k:k, 4 * n, TRUE), n)
    if (r %% 5 == 0) data[, 1] <- data[, 2]
    if (r %% 7 == 0) data[, 3:4] <- data[, 1:2]
    x <- rbind(data[1, ], sample(-1:1, 4, TRUE), 0)
    count <- apply(x, 1, oracle_halfspace_hull, data = data)
    expect_identical(depth_halfspace(x, data, "exact"), count / n)
    expect_identical(depth_halfspace(x * 1e-9, data * 1e-9, "exact"), count / n)
    map <- matrix(rnorm(16), 4)
    moved <- function(z) sweep(z %*% map, 2, c(1, -2, 0.3, 10), "+")
    expect_identical(depth_halfspace(moved(x), moved(data), "exact"), count / n)
  }
})

test_that("in four dimensions as ddalpha, and data in a space as in three", {
  set.seed(2)
  data <- matrix(rnorm(80), ncol = 4)
  flat <- cbind(data[, 1:3], data[, 1:3] %*% c(1, 2, -1))
  expect_identical(depth_halfspace(flat, flat, "exact"), depth_halfspace(data[, 1:3], data[, 1:3], "exact"))
  big <- 1 + 1e6 * data # sizes of the numbers do not matter
  expect_identical(depth_halfspace(big, big, "exact"), depth_halfspace(data, data, "exact"))
  theirs <- peer_values("four", "ddalpha", ddalpha::depth.halfspace(data, data, exact = TRUE))
  expect_equal(depth_halfspace(data, data, "exact"), theirs)
})

test_that("four dimensions: the number of threads does not change a bit", {
  x <- as.matrix(iris[1:30, 1:4])
  old <- dpdepth_threads(1)
  on.exit(dpdepth_threads(old))
  one <- depth_halfspace(x, x, "exact")
  dpdepth_threads(3)
  expect_identical(depth_halfspace(x, x, "exact"), one)
})

# -- refined points --------------------------------------------------------------------------------

test_that("refined directions are never worse, and close to exact depths", {
  skip_on_cran()
  x <- matrix(qnorm((seq_len(600) * 0.6180339887498949) %% 1), 200)
  x <- x + matrix(sin(7 * seq_len(600)), 200) / 3
  u <- directions(3, 100)
  exact <- depth_halfspace(x, x, "exact")
  rough <- depth_halfspace(x, x, "directional", u)
  fine <- depth_halfspace(x, x, "refined", u)
  expect_true(all(fine <= rough) && all(fine >= exact))
  # less than a tenth as far off as the directional ones
  expect_lt(sum(fine - exact), 0.1 * sum(rough - exact))
  rough <- outlyingness(x[1:20, ], x, directions = u)
  fine <- outlyingness(x[1:20, ], x, directions = u, method = "refined")
  many <- outlyingness(x[1:20, ], x, directions = directions(3, 50000))
  expect_true(all(fine >= rough))
  expect_lt(sum(many - fine), 0.05 * sum(many - rough))
  # awkward data: an upper bound always, exact for one variable
  for (x in awkward_data()) {
    u <- directions(ncol(x), if (ncol(x) == 1) 1 else 20)
    fine <- depth_halfspace(x, x, "refined", u)
    expect_true(all(fine >= depth_halfspace(x, x, "exact") - 1e-15))
    expect_true(all(fine <= twin_halfspace(x, x, u) + 1e-15))
    rough <- outlyingness(x, x, directions = u)
    expect_true(all(outlyingness(x, x, directions = u, method = "refined") >= rough))
  }
})

test_that("refined depths in ten dimensions come near the population's", {
  x <- matrix(qnorm((seq_len(20000) * 0.7548776662466927 + seq_len(20000)^2 * 0.5698402909980532) %% 1), 2000)
  q <- x[1:20, ]
  rough <- depth_halfspace(q, x, "directional", 1000)
  fine <- depth_halfspace(q, x, "refined", 1000)
  population <- pnorm(-sqrt(rowSums(q^2)))
  expect_gt(mean(rough), 1.8 * mean(population))
  expect_lt(mean(fine), 1.1 * mean(population))
})

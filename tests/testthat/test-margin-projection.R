# The safety margin of the projection median: bounds against brute force, nestedness, safety by exact laws.

pairs <- list(c("median", "mad"), c("median", "iqr"), c("trimmed", "trimmed"), c("huber", "mad"),
              c("mom", "mad"), c("median", "trimmed"), c("mom", "iqr"), c("huber", "iqr"),
              c("trimmed", "mad"))

test_that("bounds of median and MAD are the formulas over all windows, bit by bit", {
  skip_on_cran()
  set.seed(1)
  cases <- list(rnorm(11), sample(3, 9, TRUE), rep(0, 8), rnorm(2000), rcauchy(1501), rexp(1200),
                sample(20, 1000, TRUE), c(rnorm(800), rep(5, 300)), rnorm(900) + 1e9,
                c(rexp(700), 1e200, -1e200), 2^(1:40))
  for (y in cases) {
    bounds <- margin_bounds(y, "median", "mad", 9L)
    for (K in c(1, 2, 5, 9)) {
      if (K >= (length(y) + 1) %/% 2) {
        expect_identical(unname(bounds[K, ]), c(-Inf, Inf, Inf, 0, Inf))
        next
      }
      twin <- twin_median_mad(y, K)
      expect_identical(bounds[K, 1:4], twin[1:4])
      # not computed where no scale is left
      if (twin[[4]] == 0) twin[[5]] <- Inf
      expect_equal(bounds[K, 5], twin[5], tolerance = 1e-12)
    }
  }
})

test_that("location and scale are the definitions", {
  set.seed(2)
  for (n in c(5, 12, 1001)) {
    y <- round(rnorm(n), 2)
    p <- (n + 1) %/% 2
    middle <- sort(y)[[p]]
    expect_identical(attr(margin_bounds(y, "median", "mad", 2L), "center"),
                     c(middle, sort(abs(y - middle))[[p]]))
  }
})

test_that("nothing within K replacements leaves the bounds; for median and MAD they are reached", {
  skip_on_cran()
  set.seed(3)
  reached <- matrix(FALSE, 5, 3)
  for (case in 1:14) {
    n <- audit_size(5, sample(5:7, 1))
    y <- if (case %% 3 == 0) sample(4, n, TRUE) else sample(30, n)
    grid <- unique(c(-1000, 1000, y))
    pair <- pairs[[(case - 1) %% length(pairs) + 1]]
    if (case > 9) pair <- c("median", "mad")
    for (K in 1:2) {
      bound <- margin_bounds(y, pair[[1]], pair[[2]], K)[K, ]
      seen <- brute_reach(y, grid, K, pair[[1]], pair[[2]])
      slack <- 1e-12 * max(abs(y))
      expect_true(bound[["lower"]] <= seen[["lower"]] + slack)
      expect_true(bound[["upper"]] >= seen[["upper"]] - slack)
      expect_true(bound[["location_shift"]] >= seen[["location_shift"]] - slack)
      expect_true(bound[["least"]] <= seen[["least"]] + slack)
      expect_true(bound[["scale_shift"]] >= seen[["scale_shift"]] - slack)
      if (case > 9) reached[, K] <- reached[, K] | bound == seen
    }
  }
  expect_true(all(reached[1:4, 1:2]))
})

test_that("the errors of the published code are caught by brute force", {
  y <- c(0, 1, 10, 11, 40, 41, 42)
  n <- length(y)
  p <- (n + 1) %/% 2
  grid <- c(-1000, 1000, y)
  seen <- brute_reach(y, grid, 1, "median", "mad")
  bound <- margin_bounds(y, "median", "mad", 1L)[1, ]
  expect_gte(bound[["location_shift"]], seen[["location_shift"]])
  # the smaller of the two gaps next to the median
  expect_lt(min(y[[p + 1]] - y[[p]], y[[p]] - y[[p - 1]]), seen[["location_shift"]])
  # floor((n + 1)/2) as a place counted from zero: the next order statistic, which moves further than these
  # bounds
  z <- c(0, 1, 2, 3, 4, 40, 80)
  next_one <- apply(one_replaced(z, c(-1000, 1000, z)), 2, function(v) sort(v)[[p + 1]])
  expect_gt(max(abs(next_one - z[[p + 1]])), margin_bounds(z, "median", "mad", 1L)[1, "location_shift"])
  # a bound of the scale from the value at the median alone is not nested: see the next test
})

test_that("bounds are nested as computed, for all pairs and in floating point", {
  skip_on_cran()
  set.seed(5)
  for (case in 1:200) {
    n <- sample(c(7, 12, 21, 50, 200), 1)
    shape <- sample(6, 1)
    y <- switch(shape, rnorm(n), sample(5, n, TRUE), rnorm(n) + 1e9, rcauchy(n), 1e-300 * rnorm(n),
                rep(c(0, 1), length.out = n))
    z <- y
    i <- sample(n, 1)
    z[[i]] <- switch(sample(4, 1), y[[sample(n, 1)]], max(y) * 2 + 1, min(y) - abs(max(y)), mean(y[1:2]))
    pair <- pairs[[(case - 1) %% length(pairs) + 1]]
    levels <- sample(2:8, 1)
    b <- margin_bounds(y, pair[[1]], pair[[2]], levels)
    w <- margin_bounds(z, pair[[1]], pair[[2]], levels)
    nested <- function(b, w) {
      k <- seq_len(levels - 1)
      # and the neighbours themselves
      gap <- abs(attr(b, "center") - attr(w, "center"))
      all(w[k + 1, "lower"] <= b[k, "lower"], w[k + 1, "upper"] >= b[k, "upper"],
          w[k + 1, "location_shift"] >= b[k, "location_shift"], w[k + 1, "least"] <= b[k, "least"],
          w[k + 1, "scale_shift"] >= b[k, "scale_shift"], gap[[1]] <= w[1, "location_shift"],
          gap[[2]] <= w[1, "scale_shift"] * (1 + 1e-12) + 1e-15 * attr(w, "center")[[2]])
    }
    expect_true(nested(b, w) && nested(w, b), label = sprintf("case %d", case))
  }
})

test_that("a bound of the scale at the median alone is not nested", {
  at_median <- function(y, K) {
    p <- (length(y) + 1) %/% 2
    sort(abs(y - sort(y)[[p]]))[[p - K]]
  }
  set.seed(6)
  broken <- FALSE
  for (case in 1:500) {
    y <- sample(20, 9)
    z <- y
    z[[sample(9, 1)]] <- sample(20, 1)
    if (at_median(z, 2) > at_median(y, 1)) broken <- TRUE
  }
  expect_true(broken)
})

test_that("the margin changes by at most one when a row is replaced", {
  skip_on_cran()
  set.seed(7)
  changed <- 0
  for (case in 1:120) {
    d <- sample(3, 1)
    n <- sample(c(30, 60, 120), 1)
    x <- matrix(rnorm(n * d), n)
    if (case %% 4 == 0) x <- round(2 * x) / 2
    if (case %% 5 == 0) x <- x + 1e6
    u <- directions(d, if (d == 1) 1 else 12)
    z <- x
    z[sample(n, 1), ] <- switch(sample(3, 1), rep(1e3, d), rnorm(d), x[sample(n, 1), ])
    pair <- pairs[[sample(length(pairs), 1)]]
    eta <- exp(runif(1, -1.5, 1.5))
    tau <- tau_with_room(0.1, d, nrow(u), eta, 5, 0.1)$tau + sort(runif(if (case %% 3) 1 else 5, 0, 1.9))
    a <- projected_margin(x, u, eta, tau, pair)
    b <- projected_margin(z, u, eta, tau, pair)
    expect_lte(abs(a$margin - b$margin), 1)
    changed <- changed + (a$margin != b$margin)
  }
  expect_gt(changed, 10)
})

test_that("the margin is that of the profile, for any number of threads and of levels", {
  skip_on_cran()
  x <- as.matrix(iris[1:4]) + outer(1:150, 1:4) / 1e4
  u <- directions(4, 40)
  old <- dpdepth_threads()
  for (pair in list(c("median", "mad"), c("trimmed", "trimmed"))) {
    m <- margin_projection(x, 20, 0.1, pair[[1]], pair[[2]], eta = 0.7, tau = 4, directions = u,
                                levels = 40)
    p <- m$profile
    k <- m$constants
    safe <- p$sensitivity <= k$eta & p$centre <= m$limit - (p$k + 2) * 2^-20
    expect_equal(m$value, sum(cumprod(safe)))
    expect_false(is.unsorted(p$sensitivity))
    expect_false(is.unsorted(p$centre))
    # the search takes the scale_shift of a larger K for a bound
    b <- projection_margin(x, u, pair[[1]], pair[[2]], k$eta, k$tau, k$epsilon_draw, 0.1, 40L, TRUE)
    b <- b$profile$bounds
    for (side in c(3, 5)) expect_true(all(apply(b[, side, ], 2, function(v) !is.unsorted(v))))
    for (threads in 1:2) {
      dpdepth_threads(threads)
      for (levels in c(40, 5)) {
        plain <- projected_margin(x, u, k$eta, k$tau, pair, k$epsilon_draw, 0.1, levels)
        expect_identical(plain$margin, min(m$value, as.integer(levels)))
      }
    }
  }
  dpdepth_threads(old)
  one <- margin_projection(x[, 1], 20, 0.1, eta = 0.7, tau = 4, levels = 10)
  expect_marked(one)
})

test_that("with several tau the margin is the largest", {
  skip_on_cran()
  set.seed(11)
  which <- integer()
  for (case in 1:40) {
    d <- sample(3, 1)
    x <- matrix(rnorm(400 * d), 400)
    x[seq_len(100 * (case %% 2)), ] <- 4 + x[seq_len(100 * (case %% 2)), ]
    u <- directions(d, if (d == 1) 1 else 12)
    pair <- pairs[[case %% length(pairs) + 1]]
    eta <- exp(runif(1, -2, 0.5))
    tau <- tau_with_room(0.05, d, nrow(u), eta, 5, 0.1)$tau + c(0, 0.15, 0.35, 0.55, 0.95, 1.95)
    # with the smallest tau before each: the law follows from that
    each <- vapply(tau, function(t) projected_margin(x, u, eta, unique(c(tau[[1]], t)), pair)$margin, 0L)
    all <- projected_margin(x, u, eta, tau, pair)
    expect_identical(all$margin, max(each))
    expect_identical(all$tau, tau[[which.max(each)]])
    which <- c(which, if (max(each) > 0) which.max(each))
  }
  expect_gt(length(unique(which)), 2)
})

test_that("a quarter of the data in one place, however far, does not make the default unsafe", {
  skip_on_cran()
  set.seed(12)
  n <- 20000
  for (d in c(2, 6)) {
    x <- matrix(rnorm(n * d), n)
    k <- dpdepth:::projection_constants(n, d, 4, 1e-4, 100)
    margins <- vapply(c(0, 2, 5, 50, 1e4), function(far) {
      x[seq_len(n / 4), ] <- x[seq_len(n / 4), ] + far
      projection_margin(x, directions(d, 100), "median", "mad", k$eta, k$tau, k$epsilon_draw, 1e-4, 60L,
                        centre = k$centre)$margin
    }, 0L)
    expect_gt(min(margins), dpdepth:::ptr_threshold(k$epsilon_test, 1e-4))
    # one tau for the normal is not enough
    far <- x
    far[seq_len(n / 4), ] <- far[seq_len(n / 4), ] + 50
    narrow <- projected_margin(far, directions(d, 100), k$eta, k$tau[[1]], epsilon = k$epsilon_draw,
                               delta = 1e-4)
    expect_identical(narrow$margin, 0L)
  }
})

test_that("the search goes on beyond ten levels", {
  x <- matrix(rnorm(2000), 1000)
  m <- margin_projection(x, 20, 0.1, eta = 0.7, tau = 4, directions = 10, levels = 30)
  expect_gt(m$value, 10)
  # a search stopped at 10 never passes where the threshold is higher
  expect_gt(dpdepth:::ptr_threshold(0.5, 1e-4), 10)
})

test_that("the centre's condition is the least of the largest distances", {
  set.seed(8)
  x <- matrix(rnorm(400), 200)
  u <- directions(2, 9)
  m <- margin_projection(x, 20, 0.1, eta = 0.7, tau = 4, directions = u, levels = 4)
  b <- dpdepth:::projection_margin(x, u, "median", "mad", 0.7, 4, 10, 0.1, 4, TRUE)$profile$bounds
  for (K in c(1, 4)) {
    value <- function(at) {
      t <- as.vector(u %*% at)
      max(pmax(abs(t - b[K, 1, ]), abs(t - b[K, 2, ])) / b[K, 4, ])
    }
    control <- list(reltol = 1e-14, maxit = 5000)
    best <- min(vapply(1:20, function(i) optim(rnorm(2) / 10, value, control = control)$value, 0))
    expect_lte(m$profile$centre[[K]], best + 2^-20)
    expect_gte(m$profile$centre[[K]], best - 1e-4)
  }
})

# The hockey-stick divergence of two Laplace laws: exact, by the points where p = exp(eps) q can hold.
laplace_divergence <- function(at, scale, other, other_scale, epsilon) {
  excess <- function(v) plaplace(v, at, scale) - exp(epsilon) * plaplace(v, other, other_scale)
  gap <- function(v) dlaplace(v, at, scale) - exp(epsilon) * dlaplace(v, other, other_scale)
  # between the two centres and beyond the log ratio is linear: at most one root in each part
  ends <- sort(c(at, other)) + c(-60, 60) * max(scale, other_scale)
  knots <- sort(unique(c(ends, at, other)))
  roots <- unlist(lapply(seq_len(length(knots) - 1), function(i) {
    g <- gap(knots[i + 0:1])
    if (prod(g) < 0) uniroot(gap, knots[i + 0:1], tol = 1e-13)$root
  }))
  cuts <- sort(c(knots, roots))
  sum(pmax(0, diff(excess(cuts))))
}
plaplace <- function(v, at, scale) ifelse(v < at, exp((v - at) / scale) / 2, 1 - exp((at - v) / scale) / 2)
dlaplace <- function(v, at, scale) exp(-abs(v - at) / scale) / (2 * scale)

test_that("level 0 is safe: exact laws on the line, worst neighbours", {
  skip_on_cran()
  set.seed(9)
  delta <- 0.05
  epsilon <- 1.5
  checked <- broken <- 0
  for (case in 1:60) {
    n <- sample(c(80, 200, 400), 1)
    x <- switch(case %% 3 + 1, rnorm(n), round(rnorm(n), 1), rexp(n))
    eta <- exp(runif(1, -6, 0))
    law <- tau_with_room(runif(1, 0.1, 1), 1, 1, eta, epsilon, delta)
    rate <- law$rate
    tau <- law$tau
    here <- projected_margin(matrix(x), matrix(1), eta, tau, epsilon = epsilon, delta = delta)
    worst <- 0
    for (i in c(which.min(x), which.max(x), order(abs(x - median(x)))[1:3])) for (value in c(-1e3, 1e3)) {
      z <- x
      z[[i]] <- value
      there <- projected_margin(matrix(z), matrix(1), eta, tau)
      a <- c(here$center, here$spread / rate)
      b <- c(there$center, there$spread / rate)
      worst <- max(worst, laplace_divergence(a[1], a[2], b[1], b[2], epsilon),
                   laplace_divergence(b[1], b[2], a[1], a[2], epsilon))
    }
    if (here$margin >= 1) {
      checked <- checked + 1
      expect_lte(worst, delta)
    } else if (worst > delta) {
      broken <- broken + 1
    }
  }
  expect_gt(checked, 5)
  # the margin is not zero for nothing
  expect_gt(broken, 5)
})

test_that("level 0 is safe: laws in the plane by integration", {
  skip_on_cran()
  set.seed(10)
  delta <- 0.05
  epsilon <- 2
  u <- directions(2, 5)
  checked <- 0
  for (case in seq_len(audit_size(8, 12))) {
    n <- sample(c(200, 400), 1)
    x <- matrix(rnorm(2 * n), n)
    if (case %% 3 == 0) x <- round(x, 1)
    eta <- exp(runif(1, -2.5, -1.5))
    law <- tau_with_room(0.3, 2, nrow(u), eta, epsilon, delta)
    rate <- law$rate
    tau <- law$tau
    here <- projected_margin(x, u, eta, tau, epsilon = epsilon, delta = delta)
    reach <- 12 / rate
    points <- as.matrix(expand.grid(seq(-reach, reach, length.out = 41), seq(-reach, reach, length.out = 41)))
    if (here$margin >= 1) {
      checked <- checked + 1
      expect_lte(worst_divergence(x, u, here, rate, epsilon, 20, points), delta)
    }
  }
  expect_gt(checked, 3)
})

test_that("arguments are checked", {
  x <- matrix(rnorm(40), 20)
  expect_error(margin_projection(x, 1), class = "dpdepth_error_input")
  expect_error(margin_projection(x, -1, 0.1), class = "dpdepth_error_input")
  expect_error(margin_projection(x, 1, 0), class = "dpdepth_error_input")
  expect_error(margin_projection(x, 1, 0.1, location = "mean"), class = "dpdepth_error_input")
  expect_error(margin_projection(x, 1, 0.1, eta = 0), class = "dpdepth_error_input")
  expect_error(margin_projection(x, 1, 0.1, directions = diag(3)), class = "dpdepth_error_input")
  x[3] <- NA
  expect_error(margin_projection(x, 1, 0.1), class = "dpdepth_error_input")
  # one row, constant data, huge numbers: margin 0, no error
  expect_error(margin_projection(1, 1, 0.1), "2 rows", class = "dpdepth_error_input")
  expect_identical(margin_projection(matrix(1, 30, 2), 1, 0.1, directions = 5)$value, 0L)
  expect_identical(margin_projection(matrix(1e308 * (-1)^(1:60), 30), 1, 0.1, directions = 5)$value, 0L)
})

test_that("data that are all but on a line are not safe: the draw's arithmetic is not paid for there", {
  set.seed(11)
  a <- c(rep(0, 401), rnorm(3600))
  b <- c(rep(0, 401), rnorm(3600))
  u <- rbind(diag(2), c(1, -1) / sqrt(2), c(1, 1) / sqrt(2))
  margin <- function(s, location = "median", scale = "mad") {
    margin_projection(cbind(a, a + s * b), 4, 1e-5, location, scale, eta = 0.05, tau = 1, directions = u)
  }
  expect_gt(margin(1e-3)$value, 0)
  for (pair in list(c("median", "mad"), c("trimmed", "trimmed"), c("median", "iqr"))) {
    flat <- margin(1e-12, pair[[1]], pair[[2]])
    expect_equal(flat$value, 0)
    expect_identical(flat$binding, "centre")
  }
})

test_that("a delta that leaves the draw no rate is refused, without a warning of R's", {
  refused <- tryCatch(margin_projection(1:20 + 0, 1e-3, 0.5, eta = 0.5, tau = 1, directions = 1),
                      error = identity, warning = identity)
  expect_s3_class(refused, "dpdepth_error_input")
})

test_that("margins do not depend on the scale of the data, down to the least there may be", {
  skip_on_cran()
  # Seen to fail: below 1e-154 squares of 1/least overflowed in the minimax, every vector was dropped, and the
  # left side of (2) was that at x = 0: a data set times 1e-200 and its neighbour released 50 and 0 of 50.
  set.seed(13)
  for (case in 1:8) {
    d <- 1 + case %% 3
    x <- matrix(rnorm(60 * d), 60)
    z <- x
    z[sample(60, 1), ] <- c(-3, 3, 100)[seq_len(d)]
    u <- directions(d, if (d == 1) 1 else 8)
    pair <- list(location = c("median", "trimmed", "huber", "mom")[[(case - 1) %% 4 + 1]],
                 scale = c("mad", "trimmed")[[1 + (case > 4)]])
    tau <- tau_with_room(0.2, d, nrow(u), 2, 5, 0.1)$tau + c(0, 0.6)
    margin <- function(x) {
      dpdepth:::projection_margin(x, u, pair$location, pair$scale, 2, tau, 5, 0.1, 30L)$margin
    }
    for (power in c(-880, -700, -600, -400, 200, 600)) expect_identical(margin(x * 2^power), margin(x))
    # not a power of two: rounding differs, but margins of neighbours are near
    for (factor in c(1e-250, 1e-200, 1e-160, 1e-150)) {
      expect_lte(abs(margin(x * factor) - margin(z * factor)), 1)
      expect_lte(abs(margin(x * factor) - margin(x)), 1)
    }
    # below the floor: not safe, whatever else
    expect_identical(margin(x * 2^-950), 0L)
  }
})

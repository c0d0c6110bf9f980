# Propose, test, release: the threshold, the law of the test, and the safety margin from the sizes of nested
# regions, here the boxes of depth along the axes.

test_that("the threshold is the least whole number that noise alone passes with probability delta at most", {
  for (epsilon in c(0.01, 0.3, 1, 2.5, 20)) for (delta in c(0.3, 1e-3, 1e-9)) {
    q <- exp(-epsilon)
    t <- 0:4000
    least <- min(t[q^(t + 1) / (1 + q) <= delta])
    expect_identical(dpdepth:::ptr_threshold(epsilon, delta), as.double(least))
    expect_lte(pass_exactly(0, epsilon, delta), delta * (1 + 1e-9))
  }
})

test_that("the test has its exact law", {
  skip_on_cran()
  for (margin in c(0, 3, 5, 9)) {
    passed <- sum(replicate(600, dpdepth:::ptr_test(margin, 1, 0.01, "system")))
    expect_prob(passed, 600, pass_exactly(margin, 1, 0.01))
  }
  passed <- sum(replicate(600, dpdepth:::ptr_test(4, 1, 0.01, "system")))
  expect_not_prob(passed, 600, pass_exactly(5, 1, 0.01), "a margin one larger")
})

test_that("outcomes of the test are close for margins that differ by one; a jump is caught", {
  skip_on_cran()
  close <- function(a, b, epsilon, delta) {
    p <- pass_exactly(a, epsilon, delta)
    r <- pass_exactly(b, epsilon, delta)
    worst <- max(p - exp(epsilon) * r, (1 - p) - exp(epsilon) * (1 - r))
    worst <= 1e-12
  }
  for (epsilon in c(0.2, 1, 4)) for (a in 0:30) {
    expect_true(close(a, a + 1, epsilon, 1e-4) && close(a + 1, a, epsilon, 1e-4))
  }
  # a search that stopped at 10 and called what it had not seen safe for ever
  expect_false(close(10, 1e6, 0.2, 1e-4) && close(1e6, 10, 0.2, 1e-4))
})

# -- restricted mechanisms ----------------------------------------------------------------------------

test_that("the margin is the direct formula's, with its slack", {
  skip_on_cran()
  set.seed(4)
  for (i in 1:40) {
    rows <- matrix(sample(-300:300, 80, TRUE), 40)
    v <- box_volumes(rows)
    t <- sample(2:12, 1)
    eps <- runif(1, 0.5, 3)
    weight <- function(r) {
      l <- seq_along(v)
      sum(v[r] * exp(eps * r / 2), (v * exp(eps * l / 2) * (1 - exp(-eps / 2)))[l > r])
    }
    k <- 0:(t - 2)
    k <- k[t + k <= length(v)]
    bound <- vapply(k, function(k) {
      outer <- exp(-eps / 2) * v[t - 1 - k] + (1 - exp(-eps / 2)) * v[t - k]
      exp(eps * (t + k) / 2) * outer / weight(t + k)
    }, 0)
    for (delta in c(0.5, 1e-2, 1e-4)) {
      safe <- bound <= delta * exp(-min_slack * (1 + k))
      expect_equal(margin_from(v, 40, t, eps, delta), sum(cumprod(safe)))
    }
  }
  expect_identical(margin_from(numeric(0), 9, 2, 1, 0.1), 0)
  expect_identical(margin_from(c(9, 3), 9, 3, 1, 0.1), 0)
})

random_neighbour <- function(rows, far) {
  rows[sample(nrow(rows), 1), ] <- round(rnorm(ncol(rows), sd = far))
  rows
}

test_that("the margin moves by at most one between neighbours", {
  skip_on_cran()
  set.seed(5)
  seen <- 0
  for (i in 1:250) {
    d <- 1 + i %% 2
    n <- sample(10:60, 1)
    rows <- matrix(round(rnorm(n * d, sd = 1000 / (1 + i %% 7)^3)), n)
    other <- random_neighbour(rows, 10^runif(1, 0, 6))
    for (t in unique(pmax(2, c(n %/% 8, n %/% 5, n %/% 3)))) {
      eps <- sample(c(0.5, 2, 6), 1)
      delta <- 10^-sample(0:6, 1) / 2
      m <- c(margin_of(rows, t, eps, delta), margin_of(other, t, eps, delta))
      expect_lte(abs(diff(m)), 1)
      seen <- seen + (m[[1]] != m[[2]])
    }
  }
  expect_gt(seen, 30)
})

# Largest excess of the draw's law on one data set over e^epsilon times that of any neighbour on the grid.
worst_excess <- function(rows, points, level, epsilon, base = 1) {
  law <- slow_draw_law(slow_axes(points, rows), level, epsilon, base)
  worst <- 0
  for (i in seq_len(nrow(rows))) {
    for (p in seq_len(nrow(points))) {
      other <- rows
      other[i, ] <- points[p, ]
      depth <- slow_axes(points, other)
      other_law <- if (any(depth >= level)) slow_draw_law(depth, level, epsilon, base) else 0 * law
      worst <- max(worst, hockey_stick(law, other_law, epsilon))
    }
  }
  worst
}

bound_of <- function(rows, level, epsilon) {
  v <- log(box_volumes(rows))
  if (level > length(v)) return(Inf)
  lower <- v[level:length(v)]
  exp(safety_bounds(v[1:level], lower, tail_masses(lower, level, epsilon), epsilon)[[1]])
}

# With V_{t-k} in the place of V_{t-1-k}.
shifted_bound <- function(rows, level, epsilon) {
  v <- log(box_volumes(rows))
  base <- v[[level]] + epsilon * level / 2
  exp(epsilon / 2 + base - log_add(base, tail_masses(v[level:length(v)], level, epsilon)[[2]]))
}

test_that("the bound of level 0 holds for all neighbours on the grid, and a shifted one does not", {
  skip_on_cran()
  set.seed(6)
  points <- list(grid_points(0, 30, 1), grid_points(0, 5, 2))
  for (i in 1:31) {
    d <- if (i <= 30) 1 else 2
    n <- if (d == 1) sample(6:9, 1) else 7
    top <- if (d == 1) 30 else 5
    rows <- matrix(pmin(pmax(round(rnorm(n * d, top / 2, top / c(12, 3)[1 + i %% 2])), 0), top), n)
    if (d == 1) rows[1:2, ] <- sample(c(0, 30), 2, TRUE)
    level <- sample(2:3, 1)
    epsilon <- sample(c(1, 3), 1)
    bound <- bound_of(rows, level, epsilon)
    if (bound < 1) expect_lte(worst_excess(rows, points[[d]], level, epsilon), bound * (1 + 1e-9))
  }
  # one row moved outside opens up all that is outside
  rows <- matrix(c(0, 30, rep(15, 6)))
  worst <- worst_excess(rows, points[[1]], 2, 0.5)
  expect_gt(worst, shifted_bound(rows, 2, 0.5))
  expect_lte(worst, bound_of(rows, 2, 0.5))
})

test_that("margins are right for a large epsilon, too: sums do not cancel, and no number is not safe", {
  # log(e^(60 - 50) + e^10 (1 - e^-50)) - 10
  expect_equal(safety_bounds(c(60, 10), 10, tail_masses(10, 2, 100), 100), log(2))
  # V_{t-1} is infinite, or W_{t+1} is 0, from k = 1 on
  expect_identical(restricted_margin(c(Inf, Inf, 3, 1), c(1, 0, 0, 0), 20, 200, 0.5), 1)
  expect_identical(count_safe(c(-9, NaN, -9), 0.5, 2^-16), 1)
})

slack_is_wrong <- function() {
  # the same bounds for all k: the first is safe, the next asks for twice the slack
  bounds <- rep(log(0.1) - 1.5 * 2^-10, 5)
  own <- safety_slack
  asked <- NULL
  keep <- function(n, epsilon) {
    asked <<- c(n, epsilon)
    own(n, epsilon)
  }
  with_bindings(list(safety_slack = keep), restricted_margin(c(9, 8, 7), c(7, 6, 5), 40, 2, 0.1))
  # n sums of numbers up to epsilon n/2 + 128, each to 2^-52
  rounding <- function(n, epsilon) 2 * 2^-52 * n * (epsilon * n / 2 + 128)
  count_safe(bounds, 0.1, 2^-10) != 1 || !identical(asked, c(40, 2)) ||
    safety_slack(10, 1) < 2^-16 || safety_slack(1e6, 100) < rounding(1e6, 100)
}

test_that("each level's bound pays for rounding, more from one to the next", {
  expect_false(slack_is_wrong())
  planted <- function(...) caught(bug(slack_is_wrong, ...))
  expect_true(planted("count_safe", "slack * (1 + k)", "slack"))
  expect_true(planted("safety_slack", "max(min_slack, ", "max(0, "))
  expect_true(planted("safety_slack", "(epsilon * n/2 + 128)", "1"))
  expect_true(planted("restricted_margin", "safety_slack(n, epsilon)", "min_slack"))
})

test_that("bounds are the formula's, for ties, columns of one value and several variables", {
  skip_on_cran()
  set.seed(2)
  for (i in 1:40) {
    n <- sample(4:30, 1)
    d <- sample(1:3, 1)
    x <- matrix(round(stats::rt(n * d, 2) * sample(c(1, 50), 1)), n)
    if (i %% 5 == 0) x[, 1] <- 3
    t <- 1 + sample.int((n + 1) %/% 2 - 1, 1)
    e <- sample(c(0.2, 1, 4), 1)
    slow <- vapply(0:(t - 2), function(k) slow_axes_bound(x, t, k, e), 0)
    expect_equal(code_axes_bound(x, t, e), slow, tolerance = 1e-9)
  }
  # few levels of many: a valid bound from above, hardly larger
  x <- matrix(round(1000 * stats::qnorm(seq(0.001, 0.999, length.out = 3001))))
  for (e in c(0.01, 1)) {
    fast <- .Call(ffi_restricted_axes_bounds, x, 700L, e, 30L)[c(1, 30)]
    slow <- log(c(slow_axes_bound(x, 700, 0, e), slow_axes_bound(x, 700, 29, e)))
    if (all(is.finite(slow))) {
      expect_true(all(fast >= slow - 1e-9))
      expect_true(all(fast <= slow + 0.1))
    }
  }
})

test_that("margins are counts of safe levels, and move by at most one from neighbour to neighbour", {
  set.seed(3)
  for (i in 1:12) {
    n <- sample(60:120, 1)
    d <- sample(1:3, 1)
    x <- matrix(round(100 * stats::rnorm(n * d)), n)
    t <- round(n * 0.3)
    log_delta <- log(c(1e-2, 1e-6)[[1 + i %% 2]])
    margin <- function(x) restricted_axes_margin(sort_columns(x), t, 2, exp(log_delta), 100)
    bounds <- .Call(ffi_restricted_axes_bounds, sort_columns(x), as.integer(t), 2, as.integer(t - 1))
    slack <- restricted_axes_slack(n, d, 2)
    expect_identical(margin(x), as.integer(sum(cumprod(bounds <= log_delta - slack * seq_along(bounds)))))
    before <- margin(x)
    for (step in 1:15) {
      rows <- list(rep(1e15, d), -rep(2^50, d), round(100 * stats::rnorm(d)), x[1, ])
      x[sample(n, 1), ] <- sample(rows, 1)[[1]]
      after <- margin(x)
      expect_lte(abs(after - before), 1)
      before <- after
    }
  }
})

slack_is_wrong <- function() {
  asked <- NULL
  own <- restricted_axes_slack
  keep <- function(n, d, epsilon) {
    asked <<- c(n, d, epsilon)
    own(n, d, epsilon)
  }
  x <- cbind(1:9, 9:1) + 0
  with_bindings(list(restricted_axes_slack = keep), restricted_axes_margin(x, 2, 1.5, 0.1, 9))
  !identical(asked, c(9, 2, 1.5)) || own(9, 2, 1) < 2^-16 || own(1e8, 2, 256) < 2^-48 * 2.56e10 ||
    own(9, 1e5, 1) < 2^-45 * 1e10
}

test_that("a bound pays for the rounding of all rows and columns", {
  expect_false(slack_is_wrong())
  planted <- function(...) caught(bug(slack_is_wrong, ...))
  expect_true(planted("restricted_axes_slack", "max(2^-16, ", "max(0, "))
  expect_true(planted("restricted_axes_slack", "(epsilon * n + 256)", "256"))
  expect_true(planted("restricted_axes_margin", "slack(nrow(sorted), ncol(sorted) * times,", "slack(1, 1,"))
})

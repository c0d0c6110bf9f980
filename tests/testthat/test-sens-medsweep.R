# sens_medsweep() against all replacements on small integer data; the published bound is rejected.

# Rows of a matrix in order, by exchanging columns.
sort_rows <- function(z) {
  n <- ncol(z)
  for (pass in seq_len(n)) {
    for (i in seq(if (pass %% 2) 1 else 2, n, by = 2)) {
      if (i == n) next
      low <- pmin(z[, i], z[, i + 1])
      z[, i + 1] <- pmax(z[, i], z[, i + 1])
      z[, i] <- low
    }
  }
  z
}

# Median slopes of many data sets, one a row of u and v.
slow_slopes <- function(u, v) {
  p <- (ncol(u) + 1) %/% 2
  a <- u - sort_rows(u)[, p]
  b <- v - sort_rows(v)[, p]
  z <- a / b
  z[a == 0 & b == 0] <- 0
  sort_rows(z)[, p]
}

# The slopes of all data sets with the rows at `places` kept (index 1) or replaced by a row of `pool`.
slope_table <- function(u, v, places, pool, bounds) {
  at <- as.matrix(expand.grid(rep(list(seq_len(nrow(pool) + 1)), length(places))))
  many_u <- matrix(u, nrow(at), length(u), byrow = TRUE)
  many_v <- matrix(v, nrow(at), length(v), byrow = TRUE)
  for (j in seq_along(places)) {
    many_u[, places[[j]]] <- c(u[[places[[j]]]], pool[, 1])[at[, j]]
    many_v[, places[[j]]] <- c(v[[places[[j]]]], pool[, 2])[at[, j]]
  }
  slope <- pmin(pmax(slow_slopes(many_u, many_v), bounds[[1]]), bounds[[2]])
  array(slope, rep(nrow(pool) + 1, length(places)))
}

# The largest move by one more replacement after at most k, all rows taken from `pool`.
slow_sensitivity <- function(u, v, k, pool, bounds) {
  one_more <- function(places, ends) {
    table <- slope_table(u, v, places, pool, bounds)
    moves <- lapply(seq_along(places), function(j) {
      lines <- matrix(aperm(table, c(j, setdiff(seq_along(places), j))), nrow(pool) + 1)
      ends(lines)
    })
    max(unlist(moves))
  }
  from_kept <- function(m) max(abs(m - rep(m[1, ], each = nrow(m))))
  any_two <- function(m) {
    rows <- lapply(seq_len(nrow(m)), function(i) m[i, ])
    max(do.call(pmax, rows) - do.call(pmin, rows))
  }
  sets <- function(size) utils::combn(length(u), size, simplify = FALSE)
  worst <- vapply(sets(k + 1), one_more, 0, ends = from_kept)
  if (k > 0) worst <- c(worst, vapply(sets(k), one_more, 0, ends = any_two))
  max(worst)
}

lattice_pool <- function(low, high) as.matrix(expand.grid(low:high, low:high))

# Algorithm 3 of Cumings-Menon (2022), as published but for its rank of the median: both ends in the same cell
# of the grid of centres, shift t shared. (With its rank, n/2, it is not even about the median for odd n.)
published_bound <- function(u, v, k, cell, bounds) {
  n <- length(u)
  p <- (n + 1) %/% 2
  if (p - k - 1 < 1 || p + k + 1 > n) return(diff(bounds))
  edges <- function(x) seq(floor(sort(x)[[p - k - 1]] / cell), floor(sort(x)[[p + k + 1]] / cell)) * cell
  cells <- expand.grid(u = edges(u), v = edges(v))
  ends <- lapply(seq_len(n), function(i) {
    b <- v[[i]] - cells$v
    corners <- lapply(c(0, cell), function(a) {
      lapply(c(0, cell), function(c) (u[[i]] - cells$u - a) / (b - c))
    })
    corners <- unlist(corners, recursive = FALSE)
    inside <- b >= 0 & b <= cell
    list(low = ifelse(inside, -Inf, do.call(pmin, corners)),
         high = ifelse(inside, Inf, do.call(pmax, corners)))
  })
  low <- sort_rows(do.call(cbind, lapply(ends, `[[`, "low")))
  high <- sort_rows(do.call(cbind, lapply(ends, `[[`, "high")))
  apart <- vapply(0:(k + 1), function(t) max(high[, p + t] - low[, p + t - k - 1]), 0)
  min(diff(bounds), max(apart))
}

profile_of <- function(u, v, bounds) sens_medsweep(u, v, bounds[[1]], bounds[[2]], 1e-6)$profile$A

test_that("never below the local sensitivity at distance 0, 1 and 2", {
  skip_on_cran()
  set.seed(1)
  bounds <- c(-2, 2)
  check <- function(n, k, pool) {
    kind <- sample(3, 1)
    u <- if (kind == 1) rep_len(sample(0:2, 2), n) else sample(0:3, n, TRUE)
    v <- if (kind == 2) replace(rep(1, n), 1, 2) else sample(0:3, n, TRUE)
    a <- profile_of(u, v, bounds)
    slow <- slow_sensitivity(u, v, k, pool, bounds)
    # past the end of the profile: the whole width
    expect_gte(if (k < length(a)) a[[k + 1]] else diff(bounds), slow - 1e-9)
    slow / a[[min(k + 1, length(a))]]
  }
  near <- vapply(1:100, function(i) check(sample(1:8, 1), 0, lattice_pool(-1, 4)), 0)
  expect_gt(mean(near > 0.99, na.rm = TRUE), 0.5) # and often attained
  for (i in 1:12) check(sample(3:audit_size(5, 6), 1), 1, lattice_pool(-1, 4))
  for (i in 1:3) check(audit_size(4, sample(5:6, 1)), 2, lattice_pool(0, 3))
})

test_that("two centres with a shared shift (Lemma 8) are below the local sensitivity at distance 1", {
  g <- 0.01
  u <- c(0, 0, 0, g, g, rep(1000, 5), rep(-1000, 3), -1500, 1500, -2000, -2000)
  v <- c(rep(1000, 5), rep(0, 5), rep(-1000, 4), 1000, -1000, -1000)
  first <- list(u = replace(u, 14, 1.4 * g), v = replace(v, 14, 0.6 * g))
  second <- list(u = replace(first$u, 15, -1e4), v = replace(first$v, 15, -1))
  moved <- slow_slopes(t(second$u), t(second$v)) - slow_slopes(t(first$u), t(first$v))
  # its centres lie on a segment, along which each ratio is monotone
  ratios <- cbind(sort(u / v), sort((u - g) / v))
  lemma <- max(apply(ratios, 1, max)[9:11] - apply(ratios, 1, min)[7:9])
  expect_lt(lemma, 0.51 * moved)
  expect_gte(profile_of(u, v, c(-50, 50))[[2]], moved)
})

test_that("the published algorithm, same cell and shared shift, is below the local sensitivity", {
  skip_on_cran()
  examples <- list(
    list(u = c(0, 2, 6, 1, 3), v = c(1, 0, 4, 7, 2), pool = lattice_pool(-1, 9), cell = 0.04, short = 0.9),
    list(u = c(4, 0, 0, 4, 8, 8, 5), v = c(1, 4, 4, 7, 7, 6, 2), pool = lattice_pool(-1, 9), cell = 0.04,
         short = 0.7),
    # all ratios near the median move together when the centre does: 17 times too small
    list(u = c(rep(20, 8), 10, 0, 60, -60, rep(-10, 3), rep(-300, 6)),
         v = c(rep(20, 9), 0, -1, 1, rep(-100, 3), rep(-30, 6)),
         pool = as.matrix(expand.grid(c(-400, -15, 0, 5, 10, 15, 30, 400), c(-100, -0.5, 0, 0.5, 40))),
         cell = 0.25, short = 0.06)
  )
  bounds <- c(-20, 20)
  for (e in examples) {
    slow <- slow_sensitivity(e$u, e$v, 0, e$pool, bounds)
    expect_lt(published_bound(e$u, e$v, 0, e$cell, bounds), e$short * slow)
    expect_gte(profile_of(e$u, e$v, bounds)[[1]], slow - 1e-9)
  }
})

test_that("nested, exactly, and beta-smooth over random neighbours", {
  skip_on_cran()
  set.seed(2)
  grid <- smooth_lattice(list(lower = -3, upper = 7))
  for (i in 1:300) {
    n <- sample(1:14, 1)
    draw <- switch(i %% 4 + 1, function(m) sample(0:4, m, TRUE), rnorm,
                   function(m) 1e15 + sample(0:40, m, TRUE),
                   function(m) rnorm(m) * 10^sample(-300:300, m, TRUE))
    u <- draw(n)
    v <- if (i %% 5) draw(n) else numeric(n)
    one <- slope_sensitivity(u, v, grid, 0.2, profile = n + 2L)
    at <- sample(n, 1)
    u[[at]] <- draw(1)
    v[[at]] <- draw(1)
    two <- slope_sensitivity(u, v, grid, 0.2, profile = n + 2L)
    here <- seq_len(n + 1)
    nested <- c(one$profile[here] <= two$profile[here + 1], two$profile[here] <= one$profile[here + 1])
    moved <- abs(one$centre - two$centre) <= min(one$profile[[1]], two$profile[[1]])
    smooth <- abs(log(one$value / two$value)) <= 0.2 + 1e-12
    expect_true(all(nested, moved, smooth))
  }
})

test_that("the slope is that of the ratios, the value the largest of the profile", {
  set.seed(3)
  for (n in c(1, 2, 3, 10, 51, 300)) {
    u <- round(rnorm(n), 1)
    v <- round(rnorm(n), 1)
    grid <- smooth_lattice(list(lower = -2, upper = 9), bits = 40L)
    for (beta in c(1e-3, 0.05, 0.5, 20)) {
      out <- slope_sensitivity(u, v, grid, beta, profile = as.integer(n) + 1L)
      slope <- pmin(pmax(median_slope(u, v), -2), 9)
      expect_lte(abs((out$centre + grid$origin) * grid$step - slope), 2 * grid$step)
      expect_equal(out$value, max(exp(-beta * (0:n)) * out$profile))
    }
  }
})

test_that("ends, ties and constants", {
  for (case in list(list(3, 1), list(c(1, 2), c(0, 1)), list(rep(1, 9), 1:9), list(1:9, rep(1, 9)),
                    list(rep(1, 9), rep(1, 9)))) {
    s <- sens_medsweep(case[[1]], case[[2]], -1, 4, 0.1)
    p <- (length(case[[1]]) + 1) %/% 2
    expect_lte(s$value, 5)
    expect_gt(s$value, 0)
    expect_true(all(diff(s$profile$A) >= 0))
    # at p everything has been replaced that matters
    if (nrow(s$profile) > p) expect_identical(s$profile$A[[p + 1]], 5)
  }
  # more than half of the regressor tied: with the response tied too the slope is 0/0 for long
  s <- sens_medsweep(c(rep(3, 80), 1:20), c(rep(0, 80), 1:20), -1, 1, 0.1)
  expect_gt(s$k, 20)
  expect_identical(s$profile$A[1:20], numeric(20))
  s <- sens_medsweep(c(1e300, 0, 3), c(0, 1e-320, 1), -1e9, 1e9, 0.1)
  expect_identical(s$profile$level[[1]], 1L)
})

test_that("the result is marked, prints and draws; bad arguments", {
  s <- sens_medsweep(cars$dist, cars$speed, -50, 50, 0.05)
  expect_marked(s)
  expect_named(s$profile, c("k", "level", "A"))
  bad <- function(...) expect_error(sens_medsweep(...), class = "dpdepth_error_input")
  bad(1:3, 1:2, 0, 1, 0.1)
  bad(cars, 1:50, 0, 1, 0.1)
  bad(c(1, NA), 1:2, 0, 1, 0.1)
  bad(1:3, 1:3, 1, 1, 0.1)
  bad(1:3, 1:3, -1e200, 1e200, 0.1)
  bad(1:3, 1:3, 0, 1, 0)
})

# The law of a release by smooth sensitivity: its method, its scale, windows, broken variants.

test_that("the method is chosen by n and d, and refused where it cannot be", {
  expect_identical(smooth_method("auto", 1e6, 1), "exact")
  expect_identical(smooth_method("auto", 3000, 2), "exact")
  expect_identical(smooth_method("auto", 3001, 2), "directional")
  expect_identical(smooth_method("auto", 10, 3), "directional")
  x <- matrix(1:60 / 60, 20)
  expect_error(dp_median_smooth(x, 1, 1e-6, 0, 1, "exact"), class = "dpdepth_error_input")
  expect_error(smooth_method("exact", 20001, 2), "20000", class = "dpdepth_error_input")
  expect_error(dp_median_smooth(x, 1, 1e-6, 0, 1, "best"), class = "dpdepth_error_input")
  depth <- function(d, method) dp_median_smooth(x[, seq_len(d)], 1, 1e-6, 0, 1, method)$details$depth
  expect_identical(depth(2, "auto"), "halfspace, exact")
  expect_identical(depth(2, "directional"), "halfspace, along 24 directions")
  expect_identical(depth(3, "auto"), "halfspace, along 9 axes and diagonals")
  expect_identical(depth(3, "marginal"), "of each variable")
})

test_that("the scale never falls by more than exp(-beta) a replaced row, from the whole box to the least", {
  skip_on_cran()
  for (case in corner_cases) {
    expect_lte(corner_climb(case[[1]], case[[2]]), corner_most, label = paste(case, collapse = " "))
  }
  # (median_sensitivity() goes through the line's windows itself, and the least bound ends it)
  too_few <- edited("last_level", "/beta)))", "/beta/2)))")
  for (case in corner_cases[-1]) {
    climb <- with_bindings(list(last_level = too_few), corner_climb(case[[1]], case[[2]]))
    expect_gt(climb, 5, label = paste(case, collapse = " "))
  }
})

box <- list(step = c(1, 1), origin = c(0, 0), lower = c(400, 0), upper = c(1700, 2000))

# Estimate and A^(0), A^(1), ... of a data set, as smooth_law() has them.
nested_bounds <- function(z, method) {
  n <- nrow(z)
  if (method == "marginal") {
    a <- rowSums(vapply(1:2, function(j) {
      median_windows(z[, j], box$lower[[j]], box$upper[[j]], n + 1)
    }, numeric(n + 1)))
    point <- median_columns(z)
  } else {
    found <- plane_reach(plane_regions(z, method), n, plane_guess(z, method), n)
    a <- plane_diameter(found$reach, box$lower, box$upper, near = found$near)
    a <- with_windows(a, directional_sides(z), found$level, box)
    point <- found$centre
  }
  list(a = a, point = pmin(pmax(round(point), box$lower), box$upper))
}

# All multisets of n points of a small grid; the neighbours of each, as row numbers.
all_data <- function(n, grid) {
  index <- as.matrix(expand.grid(rep(list(seq_len(nrow(grid))), n)))
  # a number for each multiset: how often it has each point, as digits
  digit <- (n + 1)^(seq_len(nrow(grid)) - 1)
  key <- rowSums(matrix(digit[index], ncol = n))
  index <- index[!duplicated(key), , drop = FALSE]
  key <- unique(key)
  index <- matrix(index[order(row(index), index)], ncol = n, byrow = TRUE)
  near <- lapply(seq_len(nrow(index)), function(r) {
    unique(match(outer(digit, key[[r]] - digit[index[r, ]], `+`), key))
  })
  list(data = lapply(seq_len(nrow(index)), function(r) grid[index[r, ], , drop = FALSE]), near = near)
}

# How often a nested bound is broken: below the local sensitivity at distance 0, 1, 2, or not nested.
count_violations <- function(all, laws) {
  point <- t(vapply(laws, `[[`, numeric(2), "point"))
  a <- lapply(laws, `[[`, "a")
  local <- vapply(seq_along(a), function(r) {
    max(abs(point[all$near[[r]], 1] - point[r, 1]) + abs(point[all$near[[r]], 2] - point[r, 2]))
  }, 0)
  below <- 0
  for (k in 1:3) {
    below <- below + sum(vapply(a, `[[`, 0, min(k, length(a[[1]]))) < local)
    local <- vapply(all$near, function(s) max(local[s]), 0)
  }
  k <- seq_len(length(a[[1]]) - 1)
  nested <- sum(vapply(seq_along(a), function(r) {
    sum(vapply(all$near[[r]], function(s) any(a[[r]][k] > a[[s]][k + 1]), NA))
  }, 0))
  c(below = below, nested = nested)
}

# irregular on purpose, so that regions of all shapes come about
small_grid <- cbind(c(0, 0, 1000, 2000, 1900, 700, 300, 1300), c(0, 2000, 1100, 100, 1900, 600, 1500, 1700))

# The exact bounds of all data sets of four rows, made once.
known <- new.env()
exact_bounds <- function() {
  if (is.null(known$exact)) known$exact <- lapply(all_data(4, small_grid)$data, nested_bounds, "exact")
  known$exact
}

test_that("never below the true local sensitivity at distances 0, 1, 2, and nested: all data sets", {
  skip_on_cran()
  for (n in 1:4) {
    all <- all_data(n, small_grid)
    for (method in c("exact", if (n < audit_size(4, 5)) c("directional", "marginal"))) {
      laws <- if (n == 4 && method == "exact") exact_bounds() else lapply(all$data, nested_bounds, method)
      expect_identical(count_violations(all, laws), c(below = 0, nested = 0))
    }
  }
})

# A^(k) over the data points of depth at least the level, clipped, k = 0, ..., n.
data_point_bounds <- function(z, n) {
  depth <- round(nrow(z) * depth_halfspace(z, z))
  m <- round(nrow(z) * attr(median_tukey(z), "depth"))
  vapply(tukey_level(m, nrow(z), 2, seq_len(n + 1)), function(level) {
    if (level < 1) return(sum(box$upper - box$lower))
    v <- z[depth >= level, , drop = FALSE]
    for (j in 1:2) v[, j] <- pmin(pmax(v[, j], box$lower[[j]]), box$upper[[j]])
    if (nrow(v) < 2) 0 else max(stats::dist(v, "manhattan"))
  }, 0)
}

test_that("broken bounds are found out by the same count", {
  skip_on_cran()
  all <- all_data(4, small_grid)
  laws <- exact_bounds()
  # one replacement too few
  late <- lapply(laws, function(l) list(point = l$point, a = c(0, utils::head(l$a, -1))))
  expect_gt(count_violations(all, late)[["below"]], 0)
  # the published diameter over data points
  published <- lapply(seq_along(laws), function(r) {
    list(point = laws[[r]]$point, a = data_point_bounds(all$data[[r]], 4))
  })
  expect_gt(count_violations(all, published)[["below"]], 0)
  # a bound a tenth too small
  narrow <- lapply(laws, function(l) list(point = l$point, a = 0.9 * l$a))
  expect_gt(sum(count_violations(all, narrow)), 0)
})

# The most that the estimate moves when one row goes to one of the places.
largest_shift <- function(z, places) {
  here <- nested_bounds(z, "exact")$point
  max(vapply(seq_len(nrow(z)), function(i) {
    max(apply(places, 1, function(p) {
      z[i, ] <- p
      sum(abs(nested_bounds(z, "exact")$point - here))
    }))
  }, 0))
}

test_that("the published diameter over data points is broken by a pentagon and by normal data", {
  skip_on_cran()
  angle <- 2 * pi * (0:4) / 5
  pentagon <- round(1000 + 900 * cbind(cos(angle), sin(angle)))
  far <- cbind(c(0, 2000, 0, 2000), c(0, 0, 2000, 2000))
  move <- largest_shift(pentagon, far)
  expect_lte(move, nested_bounds(pentagon, "exact")$a[[1]])
  # no data point has depth 2, but a region of some width has
  expect_identical(round(5 * depth_halfspace(pentagon, pentagon)), rep(1, 5))
  reach <- plane_regions(pentagon, "exact")(2L)$reach
  expect_gt(plane_diameter(reach, box$lower, box$upper), 400)
  set.seed(5)
  z <- round(1000 + 150 * matrix(rnorm(200), 100))
  move <- largest_shift(z[1:100, ], far[c(1, 4), ])
  expect_lte(move, nested_bounds(z, "exact")$a[[1]])
  expect_gt(move, data_point_bounds(z, 0))
})

test_that("nested, smooth, and levels that move by at most one, over random neighbours", {
  skip_on_cran()
  set.seed(6)
  for (i in 1:60) {
    n <- sample(3:audit_size(24, 40), 1)
    z <- round(if (i %% 2) matrix(rnorm(2 * n, 1000, 300), n) else matrix(sample(0:4, 2 * n, TRUE) * 500, n))
    y <- z
    y[sample(n, 1), ] <- sample(c(-3000, 0, 900, 1700, 9000), 2)
    for (method in c("exact", "directional", "marginal")) {
      one <- nested_bounds(z, method)$a
      two <- nested_bounds(y, method)$a
      k <- seq_len(n)
      expect_true(all(one[k] <= two[k + 1]) && all(two[k] <= one[k + 1]))
      weight <- exp(-0.3 * (0:n))
      expect_lte(abs(log(max(weight * one) / max(weight * two))), 0.3 + 1e-12)
    }
    level <- function(z) plane_reach(plane_regions(z, "exact"), n, plane_guess(z, "exact"), 0)$level
    expect_lte(abs(level(z) - level(y)), 1)
  }
})

test_that("windows of order statistics bound how far two deepest points are apart, by enumeration", {
  skip_on_cran()
  grid <- small_grid[1:6, ]
  all <- all_data(5, grid)
  deepest <- lapply(all$data, function(z) plane_reach(plane_regions(z, "exact"), 5L, 2L, 0))
  sides <- lapply(all$data, directional_sides)
  # the width along each side of the union of two neighbours' deepest regions, whose ends are rounded outward
  apart <- function(r, s) {
    a <- deepest[[r]]$near[, 1]
    b <- deepest[[s]]$near[, 1]
    pmax(a[c(1, 3, 5, 7)] + b[c(2, 4, 6, 8)], b[c(1, 3, 5, 7)] + a[c(2, 4, 6, 8)]) - 2
  }
  first <- t(vapply(seq_along(all$data), function(r) {
    apply(vapply(all$near[[r]], function(s) apart(r, s), numeric(4)), 1, max)
  }, numeric(4)))
  broken <- function(more) {
    windows <- lapply(seq_along(sides), function(r) {
      side_windows(sides[[r]], deepest[[r]]$level + more, 3L, c(-1e5, -1e5), c(1e5, 1e5))
    })
    most <- first
    total <- 0
    for (k in 1:3) {
      total <- total + sum(vapply(seq_along(windows), function(r) any(most[r, ] > windows[[r]][k, ]), NA))
      most <- t(vapply(all$near, function(s) apply(most[s, , drop = FALSE], 2, max), numeric(4)))
    }
    total
  }
  expect_identical(broken(0L), 0)
  # windows of a rank less to each side are too narrow
  expect_gt(broken(1L), 0)
})

test_that("the lazy maximum is the maximum", {
  set.seed(7)
  for (i in 1:50) {
    a <- sort(runif(20))
    tight <- a * runif(20)
    weight <- exp(-0.1 * (0:19))
    expect_identical(lazy_maximum(weight, a, 0.01, function(i) tight[[i]]), max(0.01, weight * tight))
  }
})

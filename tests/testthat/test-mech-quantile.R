# Quantiles: ranks, trees, budgets, and exact laws of one and several, flat and in a tree.

test_that("ranks are those of stats::quantile(type = 1), also where products are not whole numbers", {
  for (n in c(1, 2, 7, 10, 30, 1000)) {
    p <- c(0.1, 0.25, 0.3, 0.5, 0.7, 0.9)
    ranks <- quantile_ranks(n, p)
    expect_identical(sort(1:n)[ranks$below], unname(as.integer(stats::quantile(1:n, p, type = 1))))
    expect_true(all(ranks$below + ranks$above >= n & ranks$below + ranks$above <= n + 1))
  }
  expect_identical(quantile_ranks(30, 0.1), list(below = 3, above = 27))
  expect_identical(quantile_ranks(100, c(0.07, 0.29)), list(below = c(7, 29), above = c(93, 71)))
  expect_identical(quantile_ranks(7, 0.5), list(below = 4, above = 4))
})

test_that("trees draw each quantile once, between two that were drawn, and levels share epsilon", {
  skip_on_cran()
  for (m in c(2L, 3L, 5L, 19L, 20L, 29L, 99L, 121L, 1000L)) for (epsilon in c(1, 0.01)) {
    levels <- quantile_levels(m, epsilon)
    expect_equal(sum(levels$share), 1)
    expect_true(all(levels$split <= 32))
    nodes <- quantile_tree(m, levels)
    drawn <- c(0L, m + 1L)
    ordered <- vapply(nodes, function(node) {
      known <- node$left %in% drawn && node$right %in% drawn
      drawn <<- c(drawn, node$order)
      known && all(diff(c(node$left, node$order, node$right)) > 0)
    }, NA)
    expect_true(all(ordered))
    expect_identical(sort(drawn), 0:(m + 1L))
    # no two nodes of a level share a row
    ends <- t(vapply(nodes, function(node) c(node$left, node$right, node$level), 1L:3L))
    disjoint <- tapply(seq_len(nrow(ends)), ends[, 3], function(rows) {
      all(ends[rows[-1], 1] >= ends[utils::head(rows, -1), 2])
    })
    expect_true(all(disjoint))
  }
})

test_that("the budget is not passed, by either account", {
  for (share in list(1, c(0.5, 0.5), c(0.2, 0.3, 0.5))) for (epsilon in c(1e-3, 1, 40)) {
    pure <- quantile_budget(epsilon, 0, share)
    expect_true(sum(pure$each) <= epsilon && sum(pure$each) > 0.999 * epsilon)
    expect_identical(pure$delta, 0)
    some <- quantile_budget(epsilon, 0.05, share)
    if (some$delta == 0) expect_lte(sum(some$each), epsilon)
    else expect_lte(sum(some$each^2) / 8, zcdp_rho(epsilon, 0.05))
  }
  expect_identical(quantile_budget(1, 0.3, rep(1, 6) / 6)$delta, 0.3) # many levels: composition gains
})

# -- laws --------------------------------------------------------------------------------------------

# Weights of vectors of intervals 0..n of [0, 1] that rows cut, runs of r points by w^r / r!.
interval_law <- function(x, ranks, rate, ends = c(0, 1)) {
  n <- length(x)
  k <- length(ranks) - 2
  w <- diff(c(ends[[1]], sort(x), ends[[2]]))
  at <- as.matrix(expand.grid(rep(list(0:n), k)))
  at <- at[apply(at, 1, function(v) !is.unsorted(v)), , drop = FALSE]
  v <- rowSums(abs(t(apply(cbind(0, at, n), 1, diff)) - rep(diff(ranks), each = nrow(at))))
  runs <- apply(at, 1, function(v) prod(factorial(tabulate(v + 1L))))
  weight <- exp(-rate * v / 4) * apply(at, 1, function(v) prod(w[v + 1L])) / runs
  list(at = at, p = weight / sum(weight))
}

intervals_seen <- function(z, x, at) {
  seen <- matrix(findInterval(z, sort(x)), nrow(z))
  tabulate(match(do.call(paste, as.data.frame(seen)), do.call(paste, as.data.frame(at))), nrow(at))
}

test_that("several at once have their exact law between rows", {
  flat <- function(m) list(split = m, share = 1)
  for (x in list(c(0.1, 0.2, 0.5, 0.9), c(0.3, 0.31, 0.32, 0.7, 0.96))) for (m in 2:3) {
    p <- seq_len(m) / (m + 1)
    law <- interval_law(x, c(0, round(length(x) * p), length(x)), 2)
    z <- draw_quantiles(matrix(x), p, prior_uniform(0, 1), 2, flat(m), "system", 1e4L)
    expect_law(intervals_seen(z, x, law$at), law$p, m)
    wrong <- interval_law(x, c(0, round(length(x) * p), length(x)), 4)
    expect_not_law(intervals_seen(z, x, law$at), wrong$p, m)
  }
})

test_that("a tree has its exact law: the middle, then a quantile to each side", {
  x <- c(0.1, 0.2, 0.5, 0.55, 0.9)
  levels <- list(split = c(1L, 1L), share = c(0.5, 0.5))
  ranks <- round(5 * c(0.25, 0.5, 0.75))
  first <- interval_law(x, c(0, ranks[[2]], 5), 1.5)
  at <- as.matrix(expand.grid(rep(list(0:5), 3)))
  p <- numeric(nrow(at))
  cuts <- c(0, x, 1)
  for (i in 0:5) for (t in (1:16 - 0.5) / 16) { # where in its interval the middle one lies
    z <- cuts[[i + 1]] + t * (cuts[[i + 2]] - cuts[[i + 1]])
    low <- interval_law(x[x <= z], c(0, ranks[1:2]), 3, c(0, z))
    high <- interval_law(x[x > z], c(ranks[2:3], 5), 3, c(z, 1))
    for (a in seq_along(low$p)) for (b in seq_along(high$p)) {
      row <- 1 + low$at[a, 1] + 6 * i + 36 * (i + high$at[b, 1])
      p[[row]] <- p[[row]] + first$p[first$at[, 1] == i] * low$p[[a]] * high$p[[b]] / 16
    }
  }
  z <- draw_quantiles(matrix(x), 1:3 / 4, prior_uniform(0, 1), c(1.5, 3), levels, "system", 1e4L)
  expect_law(intervals_seen(z, x, at), p / sum(p))
  swapped <- draw_quantiles(matrix(x), 1:3 / 4, prior_uniform(0, 1), c(3, 1.5), levels, "system", 1e4L)
  expect_not_law(intervals_seen(swapped, x, at), p / sum(p))
})

test_that("one quantile has its exact law under a dyadic prior, and on a lattice of whole numbers", {
  x <- c(-3, 0, 0, 1, 6)
  points <- -8:8
  score <- function(p) {
    below <- vapply(points, function(z) sum(x <= z), 0) - ceiling(5 * p)
    above <- vapply(points, function(z) sum(x >= z), 0) - ceiling(5 * (1 - p))
    pmin(below, above)
  }
  for (p in c(0.3, 0.5, 0.9)) {
    law <- exp(3 * score(p) / 2)
    one <- list(split = 1L, share = 1)
    z <- draw_quantiles(matrix(x), p, prior_uniform(-8, 8), 3, one, "system", 1e4L, 1)
    expect_law(tabulate(z + 9, 17), law / sum(law), p)
    shell <- ceiling(log2(abs(points) + 1))
    z <- draw_quantiles(matrix(x), p, prior_dyadic(1), 3, one, "system", 1e4L)
    law <- law * 2^-shell
    inside <- abs(z) <= 7
    expect_law(tabulate(z[inside] + 8, 15), law[2:16] / sum(law[2:16]), p)
  }
})

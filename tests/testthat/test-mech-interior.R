# Interior points: pairs, scores, bins at a scale; laws of neighbours by enumeration; planted bugs.

test_that("a replaced row changes one pair, and each score by one at most", {
  expect_false(interiors_are_wrong())
})

test_that("planted bugs are seen", {
  skip_on_cran()
  planted <- function(...) caught(bug(interiors_are_wrong, ...))
  # neighbouring rows are paired: a row that changes its rank shifts the pairs of others
  expect_true(planted("draw_interior", "x[random_order(length(x), source)]", "sort(x)"))
  expect_true(planted("draw_interior", "x[random_order(length(x), source)]", "x"))
  expect_true(planted("interior_plan", "shares[[\"location\"]] * epsilon", "epsilon",
                      "interior_plan", "shares[[\"scale\"]] * epsilon", "epsilon"))
  expect_true(planted("draw_pair_scale", "length(score)", "1L")) # one noise for all
  expect_true(planted("pair_scores", "pmin(", "pmin(2 * "))
  expect_true(planted("interior_plan", "stability_threshold(location, delta)",
                      "ceiling(stability_threshold(location, delta)/2)"))
})

test_that("edges are interior points, for numbers of any size", {
  set.seed(4)
  x <- c(stats::rnorm(40), 1e300 * c(1, -1), 2^-1074 * c(1, -1, 5), 0) # public-rng: simulated data
  x <- c(x, 1e9 + (1:20) / 7)
  for (w in 2^c(-1074, -1000, -20, 0, 3, 60, 1000)) {
    low <- binary_floor(x, w)
    expect_true(all(low <= x & (low + w > x | x == low)))
    expect_identical(low, vapply(x, binary_floor, 0, w))
    expect_true(all(low / w == floor(low / w) | !is.finite(low / w)))
    bins <- sort(unique(low))
    for (k in 1:20) {
      held <- sort(sample(bins, min(length(bins), sample(2:5, 1))))
      edge <- interior_edge(held, sample(1:9, length(held), TRUE), w)
      if (length(held) > 1) expect_true(edge > held[[1]] && edge <= held[[length(held)]])
    }
  }
  expect_identical(interior_edge(c(0, 1, 2, 3), c(1, 5, 1, 1), 1), 2)
  expect_identical(interior_edge(c(0, 1, 2, 3), c(3, 1, 3, 1), 1), 2)
  expect_identical(interior_edge(c(0, 5), c(9, 1), 1), 1)
  expect_identical(interior_edge(c(0, 5), c(1, 9), 1), 5)
  expect_true(is.na(interior_edge(3, 9, 1)))
})

test_that("the scale is near the median distance, wherever it lies", {
  set.seed(5)
  for (size in c(1e-300, 1e-9, 1, 1e250)) {
    x <- stats::rnorm(2000) * size # public-rng: simulated data
    width <- draw_interior(x, interior_plan(4, 1e-6), "R")$width
    expect_true(width > 0.2 * size && width < 1.1 * size)
  }
})

test_that("released points are inside", {
  set.seed(6)
  plan <- interior_plan(1, 1e-6)
  laws <- list(stats::rnorm, stats::rcauchy, # public-rng: simulated data
               function(n) 1e9 + stats::runif(n), # public-rng: simulated data
               function(n) 1e-9 * stats::rexp(n), # public-rng: simulated data
               function(n) stats::rnorm(n) + 1e6 * rep(0:1, length.out = n)) # public-rng: simulated data
  for (law in laws) {
    inside <- replicate(20, {
      x <- law(400)
      at <- draw_interior(x, plan, "R")$point
      is.na(at) || at > min(x) && at <= max(x)
    })
    expect_true(all(inside))
  }
  expect_true(is.na(draw_interior(rep(3, 500), plan, "R")$point)) # all equal: one bin
  expect_true(is.na(draw_interior(5, plan, "R")$point))
})

test_that("where n is private, a row more costs the scale its share, and the counts theirs", {
  worst <- 0
  for (x in list(c(0, 4), c(0, 1, 30), c(0, 100, 200, 1000), c(5, 5, 5, 9))) {
    for (new in c(0, 7, 130)) worst <- max(worst, private_scale_loss(x, new))
  }
  expect_lte(worst, interior_shares[["scale"]] * (1 + 1e-9))
  expect_gt(worst, 0.3 * interior_shares[["scale"]])
  plan <- interior_plan(1, 0.01, private = TRUE)
  rate <- plan$location[[1]] / plan$location[[2]]
  expect_lte(rate, interior_shares[["location"]])
  expect_gt(rate, 0.99 * interior_shares[["location"]])
  q <- exp(-rate)
  # a bin of one row is shown, where another data set has none
  expect_lte(q^(plan$threshold - 1) / (1 + q), 0.01)
})

test_that("a replaced row changes one row of the slice at most, by all data on five values", {
  most <- 0
  x <- as.matrix(expand.grid(rep(list(1:4), 5)))
  for (i in sample(nrow(x), 150)) for (j in 1:5) for (v in 1:4) {
    y <- replace(x[i, ], j, v)
    a <- tabulate(middle_rows(x[i, ], c(2, 4)), 4)
    b <- tabulate(middle_rows(y, c(2, 4)), 4)
    most <- max(most, sum(abs(a - b)) / 2)
  }
  expect_identical(most, 1)
})

test_that("the slice's ends lie beyond the quantiles with probability 0.025 at most, and nearly that", {
  for (n in c(100, 1000, 12345)) for (alpha in c(0.1, 0.25, 0.4)) {
    ranks <- slice_ranks(n, alpha)
    miss <- stats::pbinom(ranks[[1]] - 1, n, 0.5 - alpha, lower.tail = FALSE)
    expect_lte(miss, 0.025)
    expect_gt(stats::pbinom(ranks[[1]] - 2, n, 0.5 - alpha, lower.tail = FALSE), 0.025)
    expect_equal(sum(ranks), n + 1)
  }
  expect_identical(slice_ranks(7), c(1, 7))
})

# -- the median, dp_median(method = "interior") --------------------------------------------------------

test_that("it lies between the stated ranks", {
  set.seed(2)
  x <- stats::rcauchy(3000) * 1e-9 # public-rng: simulated data
  m <- dp_interior_point(x, 2, 1e-6, alpha = 0.2)
  expect_true(m$released)
  ranks <- m$details$ranks
  expect_equal(ranks, c(stats::qbinom(0.975, 3000, 0.3) + 1, 3000 - stats::qbinom(0.975, 3000, 0.3)))
  expect_true(sum(x < coef(m)) >= ranks[[1]] && sum(x < coef(m)) < ranks[[2]])
  asked <- dp_median(x, 2, 1e-6, method = "interior")
  expect_identical(asked$details$why, "the method asked for")
  expect_identical(asked$details$alpha, 0.25)
})

test_that("what cannot be is refused", {
  refused <- function(...) expect_error(dp_median(..., method = "interior"), class = "dpdepth_error_input")
  refused(1:100, 1, 1e-6) # the slice has too few rows
  refused(1:500, 1)
  refused(1:5000, 1, 1e-6, alpha = 0)
  refused(1:5000, 1, 1e-6, alpha = 0.001)
  refused(1:5000, 1, 1e-6, lower = 0, upper = 1)
  refused(cbind(1:5000, 1), 1, 1e-6)
  refused(1:5000, 1, 1e-6, neighbours = "add_remove")
  refused(1:5000, 1, 1e-6, interval = 0.9)
})

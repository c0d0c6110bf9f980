# regression_medsweep(): exact privacy of each step on small data, composition, accuracy, checks.

# The engine without the formula and the ledger of dp_regression().
regression_medsweep <- function(x, y, bounds, epsilon, delta, source, ...) {
  run_medsweep(x, y, medsweep_plan(ncol(x), bounds, epsilon, delta, ...), source)
}
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

box <- function(p, width = 50) list(lower = rep(-width, p + 1), upper = rep(width, p + 1))

linear_data <- function(n, p) {
  x <- matrix(rnorm(n * p), n)
  if (p > 1) x[, p] <- x[, p] + 0.5 * x[, 1]
  list(x = x, y = drop(1 + x %*% seq_len(p)) + rnorm(n))
}

# -- privacy ---------------------------------------------------------------------------------

# The exact divergence of two laws on the lattice (smooth_law(), slope_law()), the larger of both orders.
law_divergence <- function(p, q, epsilon) {
  shift <- abs(p$centre - q$centre) / min(p$scale, q$scale) * 2^scale_bits
  lambda <- abs(log(p$scale / q$scale))
  max(if (lambda > 0) divergence_up(epsilon, shift, lambda, 1) else 0,
      divergence_down(epsilon, shift, lambda, 1))
}

# Neighbours with clusters, ties and far rows; some with the replaced row at the other's medians.
bad_neighbours <- function(count) {
  lapply(seq_len(count), function(i) {
    n <- sample(c(1:9, 21, 40), 1)
    draw <- switch(i %% 5 + 1, function(m) sample(0:3, m, TRUE), rnorm, function(m) 2^-sample(0:20, m, TRUE),
                   function(m) sample(c(0, 1, 1 + 2^-20, 1e6), m, TRUE), function(m) round(rnorm(m), 1))
    one <- cbind(draw(n), draw(n))
    if (i %% 3 == 0) one[, 1] <- one[, 1] + 2 * one[, 2]
    two <- one
    two[sample(n, 1), ] <- if (i %% 2) c(draw(1), draw(1)) else apply(one, 2, median_rank) + c(0, 2^-10)
    list(one, two)
  })
}

test_that("each step's exact laws of neighbours are within its share", {
  skip_on_cran()
  set.seed(1)
  for (epsilon in c(0.5, 2)) {
    plan <- medsweep_plan(1L, box(1, 8), 2 * epsilon, 2e-6)
    expect_identical(plan$details$releases, 2L)
    slopes <- lapply(plan$slopes, `[[`, 1L)
    grid <- smooth_lattice(slopes, fine_bits(slopes, plan$constants))
    line <- smooth_lattice(plan$intercept, fine_bits(plan$intercept, plan$constants))
    worst <- vapply(bad_neighbours(150), function(pair) {
      laws <- lapply(pair, function(d) slope_law(d[, 1], d[, 2], grid, plan$constants))
      # the second step at any slope that the first may have released
      slope <- sample(c(-8, 0.3, 2, 8), 1)
      left <- lapply(pair, function(d) {
        rest <- sweep_out(bounded(d[, 1]), list(bounded(d[, 2])), slope)
        smooth_law(lattice_rows(matrix(rest), line), line, plan$constants)
      })
      c(law_divergence(laws[[1]], laws[[2]], epsilon), law_divergence(left[[1]], left[[2]], epsilon))
    }, c(0, 0))
    expect_lte(max(worst), 1e-6)
  }
})

test_that("both steps together, by summation over a coarse lattice", {
  skip_on_cran()
  # shares of 1 and 1e-3, eight steps across the bounds: the law of a pair is a table
  noise <- function(law) {
    w <- seq(-400, 400) + 0.5
    list(at = law$centre + w, p = 0.5 * exp(-(abs(w) - 0.5) / law$scale) * -expm1(-1 / law$scale))
  }
  constants <- list(alpha = 0.5, smoothness = dilation_beta(1, 1e-3, 1))
  share <- 1 # of the noise that is due
  law <- function(centre, bound) list(centre = centre, scale = share * max(bound, 0.5) / constants$alpha)
  grid <- smooth_lattice(list(lower = -4, upper = 4), bits = 3L)
  line <- function(r) {
    c <- pmin(pmax(round(r), -4), 4)
    law(median_rank(c), median_sensitivity(c, -4, 4, constants$smoothness, 0.5)$value)
  }
  # released values: slopes by index clipped to -4..4, intercepts in whole cells
  joint <- function(d) {
    found <- slope_sensitivity(d[, 1], d[, 2], grid, constants$smoothness, 0.5)
    first <- noise(law(found$centre, found$value))
    index <- pmin(pmax(first$at, 0), 8)
    mass <- tapply(first$p, index, sum)
    rows <- lapply(names(mass), function(m) {
      second <- noise(line(d[, 1] - (as.numeric(m) + grid$origin) * grid$step * d[, 2]))
      # places are a half apart and below 420
      replace(numeric(1681), 1 + 2 * (second$at + 420), mass[[m]] * second$p)
    })
    do.call(rbind, rows)
  }
  set.seed(2)
  pairs <- lapply(1:8, function(i) {
    n <- sample(5:15, 1)
    one <- cbind(sample(-3:3, n, TRUE), sample(-3:3, n, TRUE))
    two <- one
    two[sample(n, 1), ] <- sample(-3:3, 2, TRUE)
    list(one, two)
  })
  worst <- function() {
    max(vapply(pairs, function(pair) {
      p <- joint(pair[[1]])
      q <- joint(pair[[2]])
      max(hockey_stick(p, q, 2), hockey_stick(q, p, 2))
    }, 0))
  }
  # and one whose slope moves by 3
  pairs <- c(pairs, list(list(cbind(c(-3, 0, 3), -1:1), cbind(c(-3, 0, -3), -1:1))))
  expect_lte(worst(), 2e-3)
  share <- 0.1
  expect_gt(worst(), 2e-3)
})

test_that("the published bound's noise is rejected", {
  # the third example of test-sens-medsweep.R: the published A(0) is 0.035, the slope moves by 0.5
  u <- c(rep(20, 8), 10, 0, 60, -60, rep(-10, 3), rep(-300, 6))
  v <- c(rep(20, 9), 0, -1, 1, rep(-100, 3), rep(-30, 6))
  bounds <- list(lower = -8, upper = 8)
  grid <- smooth_lattice(bounds)
  constants <- smooth_constants(1, 1e-6, 1)
  one <- slope_law(u, v, grid, constants)
  two <- slope_law(replace(u, 21, 400), replace(v, 21, -30), grid, constants)
  expect_gt(abs(one$centre - two$centre) * grid$step, 0.49)
  expect_lte(law_divergence(one, two, 1), 1e-6)
  cheap <- function(law) replace(law, "scale", 0.035 / grid$step * 2^scale_bits / constants$alpha)
  expect_gt(law_divergence(cheap(one), cheap(two), 1), 0.9)
})

# -- the sweep -------------------------------------------------------------------------------

test_that("at a huge budget it is the non-private sweep", {
  set.seed(3)
  for (p in 1:3) {
    d <- linear_data(400, p)
    got <- regression_medsweep(d$x, d$y, box(p), 1e5, 0.01, "system", sweep_bounds = 5, max_iter = 30L)
    # 30 rounds of noise at the least scale, 256 steps of some 4e-6
    expect_lt(max(abs(got$estimate - coef(regress_medsweep(d$y ~ d$x)))), 0.15)
    expect_true(got$exact)
    expect_identical(got$details$releases, as.integer(p * (p - 1) / 2 + 30 * p + 1))
  }
})

test_that("estimates are near, and within the bounds", {
  skip_on_cran()
  set.seed(4)
  for (p in 1:2) {
    d <- linear_data(4000, p)
    got <- replicate(5, regression_medsweep(d$x, d$y, box(p), 10, 1e-5, "system")$estimate)
    # noise has scale below 0.05: off by more than 1 with probability below exp(-20)
    expect_lt(max(abs(got - 1:(p + 1) + (row(got) > 1))), 1)
  }
  d <- linear_data(6, 3)
  tight <- list(lower = c(-1, 0, -2, -4), upper = c(0, 0.5, -1, 4))
  for (i in 1:20) {
    b <- regression_medsweep(d$x, d$y, tight, 1, 1e-6, "system", max_iter = 2L)$estimate
    expect_true(all(b >= tight$lower & b <= tight$upper))
  }
})

test_that("swept ranges hold all coefficients within the bounds", {
  skip_on_cran()
  set.seed(5)
  slopes <- list(lower = c(-1, 0, -3), upper = c(2, 1, 5))
  theta <- matrix(0, 3, 3)
  theta[upper.tri(theta)] <- c(-0.7, 2, 0.1)
  range <- swept_range(slopes, theta)
  for (i in 1:100) {
    b <- slopes$lower + runif(3) * (slopes$upper - slopes$lower)
    swept <- b + c(sum(theta[1, 2:3] * b[2:3]), theta[2, 3] * b[[3]], 0)
    expect_true(all(swept >= range$lower & swept <= range$upper))
    expect_equal(back_substitute(swept, theta), b)
  }
})

test_that("a range that has shrunk to a point is what is released", {
  plan <- medsweep_plan(1L, list(lower = c(-1, -1), upper = c(1, 1)), 1, 1e-6)
  for (room in list(list(lower = 0.5, upper = 0.5), list(lower = 0.5, upper = 0.5 - 1e-9))) {
    expect_identical(release_slope(c(1, 2, 4), c(0, 1, 2), room, plan, "system"), 0.5)
  }
})

test_that("rows are swept one by one", {
  set.seed(6)
  x <- list(bounded(rnorm(20) * 1e10), bounded(rnorm(20)))
  y <- rnorm(20)
  whole <- sweep_out(y, x, c(0.1, -3))
  single <- vapply(1:20, function(i) sweep_out(y[[i]], lapply(x, `[[`, i), c(0.1, -3)), 0)
  expect_identical(whole, single)
  expect_identical(sweep_out(c(1e308, -1e308), list(bounded(c(-1e308, 1e308))), 2^200), c(2^400, -2^400))
})

test_that("odd data make no error", {
  for (x in list(rep(1, 9), c(1e300, -1e300, 1:7), c(rep(0, 8), 1))) {
    two <- cbind(x, x)
    for (y in list(1:9, rep(2, 9), c(-1e308, 1:7, 1e308))) {
      expect_true(all(is.finite(regression_medsweep(two, y, box(2), 2, 1e-6, "system")$estimate)))
    }
  }
  expect_true(all(is.finite(regression_medsweep(matrix(3), 1, box(1), 2, 1e-6, "system")$estimate)))
  far <- list(lower = c(-1e60, 1e59, -1), upper = c(1e60, 1.1e59, 1 - 1e-9))
  got <- regression_medsweep(two, 1:9, far, 2, 1e-6, "system", sweep_bounds = 1e60)
  expect_true(all(is.finite(got$estimate)))
})

test_that("R's stream steers a simulation only", {
  set.seed(7)
  d <- linear_data(100, 2)
  run <- function(source) regression_medsweep(d$x, d$y, box(2), 20, 1e-6, source)$estimate
  set.seed(8)
  one <- run("R")
  expect_false(identical(run("R"), one))
  set.seed(8)
  expect_identical(run("R"), one)
  state <- .Random.seed
  expect_false(identical(run("system"), one))
  expect_identical(.Random.seed, state)
  expect_error(run("broken"), class = "dpdepth_error_entropy")
})

test_that("nothing of the data is in what is released, and its size does not depend on n", {
  x <- 1000 + (1:40 * 0.618033988749895) %% 1 * 8999
  d <- data.frame(x = x, z = x[c(7:40, 1:6)], y = rev(x) / 3 + 100)
  fit <- function(d) {
    # the front door, where it is there
    if (!exists("dp_regression", asNamespace("dpdepth"))) {
      return(regression_medsweep(as.matrix(d[1:2]), d$y, box(2, 9), 1, 1e-6, "system"))
    }
    dp_regression(y ~ x + z, d, 1, 1e-6, method = "medsweep", lower = -9, upper = 9)
  }
  r <- fit(d)
  hex <- paste(as.character(serialize(r, NULL, xdr = FALSE)), collapse = "")
  text <- paste(capture.output(print(r), str(r), dput(r)), collapse = "\n")
  held <- vapply(unlist(d), function(v) {
    bytes <- paste(as.character(writeBin(v, raw(), endian = "little")), collapse = "")
    grepl(bytes, hex, fixed = TRUE) || grepl(format(v, digits = 15), text, fixed = TRUE)
  }, NA)
  expect_false(any(held))
  # with 40 rows the release holds a warning, by public numbers
  size <- function(data) length(serialize(fit(data), NULL))
  more <- d[rep(1:40, 9), ]
  expect_identical(size(more), size(rbind(more, more)))
})

test_that("bad arguments are found by the plan", {
  bad <- function(...) expect_error(medsweep_plan(2L, ...), class = "dpdepth_error_input")
  bad(box(3), 1, 1e-6)
  bad(box(2, 2^201), 1, 1e-6)
  bad(list(lower = c(0, 0, 1e9), upper = c(1, 1, 1e9 + 1)), 1, 1e-6)
  bad(list(lower = c(0, 0, 0), upper = c(1, 1, 1e-300)), 1, 1e-6)
  bad(list(lower = c(0, 0, 1), upper = c(1, 1, 1)), 1, 1e-6)
  bad(box(2), 1e-5, 1e-6)
  bad(box(2), 1, 1e-6, max_iter = 0)
  bad(box(2), 1, 1e-6, tol = -1)
  bad(box(2), 1, 1e-6, other = 1)
  for (wrong in list(0, -1, NA, "a", c(1, 2), diag(3), 1e300)) bad(box(2), 1, 1e-6, sweep_bounds = wrong)
  expect_identical(medsweep_plan(2L, box(2), 1, 1e-6, sweep_bounds = matrix(3, 2, 2))$limits[1, 2], 3)
  # the default follows the units of the regressors
  wide <- list(lower = c(-1, -10, -1), upper = c(1, 10, 1))
  expect_identical(medsweep_plan(2L, wide, 1, 1e-6)$limits[1, 2], 10)
})

test_that("when sweeps end depends on released slopes alone", {
  steps <- function(y, slopes) {
    asked <- 0
    fixed <- function(...) {
      asked <<- asked + 1
      slopes[[asked]]
    }
    box <- list(lower = c(-9, -9), upper = c(9, 9))
    plan <- medsweep_plan(1L, box, 1, 1e-6, max_iter = 4L, tol = 0.5)
    with_bindings(list(release_slope = fixed), {
      release_response(y, list(c(1, 2, 4)), matrix(0, 1, 1), plan, "R")
    })
    asked
  }
  by_data <- function() {
    !identical(c(steps(c(0, 0, 0), c(3, 1, 0.2, 0)), steps(c(5, 9, 2), c(3, 1, 0.2, 0))), c(3, 3))
  }
  expect_false(by_data())
  expect_true(caught(bug(by_data, "release_response", "change <= plan$tol", "max(abs(y)) <= plan$tol")))
})

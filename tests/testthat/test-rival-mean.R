# Private mean by shrinking balls: rows in balls, the budget of all rounds, planted bugs.

coinpress <- function(x, epsilon = 1, ..., center = 0, radius = 10) {
  rival_mean(x, epsilon, 1e-6, center, radius, ...)
}

budget_is_passed <- function(epsilon = 1, count = 60) {
  set.seed(1)
  covariance <- matrix(c(2, 1, 1, 2), 2)
  run <- function(d) suppressWarnings(coef(coinpress(d, epsilon, steps = 3, covariance = covariance)))
  limit <- c(0, normal_rho(epsilon, 1e-6))
  any(worst_cost(run, count, limit = limit) > limit)
}

test_that("the queries of neighbours cost at most rho, and nearly that much", {
  skip_on_cran()
  expect_false(budget_is_passed())
  expect_false(budget_is_passed(60)) # the ball gets smaller
  plan <- coinpress_plan(10, 2, 1, 1e-6, 1L)
  lattice <- plan$lattice[[1]]
  z <- rbind(c(1e9, 0), c(-1e9, 0))
  moved <- diff(ball_places(z, c(0, 0), 7, lattice))
  variance <- gaussian_variance(4 * lattice^2, plan$each)
  expect_equal(sum(moved^2) / (2 * variance[[1]] / variance[[2]]), plan$rho, tolerance = 1e-5)
})

test_that("planted bugs are seen", {
  skip_on_cran()
  planted <- function(...) caught(bug(function() budget_is_passed(60), ...))
  expect_true(planted("coinpress_plan", "rho * share", "2 * rho * share^0")) # the budget not split
  # clipped too far out, and not looked at again
  expect_true(planted("ball_places", "pmax(norm, 1)", "pmax(norm/4, 1)",
                      "ball_places", "y[!is.finite(squares) | squares > lattice^2, ] <- 0", ""))
  expect_true(planted("gaussian_variance", "square/(2 * rho)", "square/(6 * rho)")) # too little noise
  expect_true(planted("coinpress_mean", "4 * lattice^2", "lattice^2")) # the radius for the diameter
  expect_true(planted("coinpress_mean", "radius <- smaller", "radius <- smaller + mean(abs(z[, 1]) > 1)"))
  expect_true(planted("whitened", "x[, j] - center[[j]]", "x[, j] - max(pmin(x[, j], 9))"))
})

test_that("places are in the ball, whole, and by their row only", {
  skip_on_cran()
  set.seed(2)
  for (i in 1:50) {
    d <- pick(c(1, 2, 3, 20))
    far <- sample(c(0, 2^300, -2^300, 1e-300), 5 * d, TRUE)
    z <- matrix(pick(list(stats::rnorm(5 * d), stats::rcauchy(5 * d), far)), 5)
    lattice <- pick(2^c(4, 10, 25))
    center <- stats::rnorm(d)
    places <- ball_places(z, center, 1.7, lattice)
    expect_true(all(places == round(places)))
    expect_true(all(rowSums(places^2) <= lattice^2))
    expect_identical(ball_places(z[3, , drop = FALSE], center, 1.7, lattice), places[3, , drop = FALSE])
    # no farther than a step from where clipping puts them
    far <- sweep(z, 2, center)
    if (all(is.finite(far^2))) {
      right <- far / pmax(sqrt(rowSums(far^2)), 1.7) * lattice
      expect_lt(max(abs(right - places)), 1 + 1e-9)
    }
  }
})

test_that("what is released, spent and said", {
  x <- matrix(stats::qnorm(((1:6000) * 0.618034) %% 1 * 0.998 + 0.001), ncol = 2,
              dimnames = list(NULL, c("a", "b"))) + rep(c(3, -2), each = 3000)
  ledger <- dp_ledger(50, 1e-4)
  for (steps in c(1, 2, 4)) {
    r <- coinpress(x, 5, steps = steps, ledger = ledger)
    expect_s3_class(r, "dp_release", exact = TRUE)
    expect_identical(r$guarantee, "approximate")
    expect_equal(coef(r), c(a = 3, b = -2), tolerance = 0.05)
  }
  expect_identical(as.data.frame(ledger)$epsilon, c(5, 5, 5))
  # units, and a covariance: the estimate moves with them
  root <- matrix(c(10, 0, 4, 2), 2)
  turned <- x %*% root
  r <- coinpress(turned, 5, center = c(0, 0), covariance = crossprod(root))
  expect_equal(unname(coef(r)), as.vector(c(3, -2) %*% root), tolerance = 0.05)
  r <- coinpress(100 * x[, 1], 5, covariance = 1e4)
  expect_equal(unname(coef(r)), 300, tolerance = 0.05)
  r <- coinpress(replace(x, 5, NA), 5, na = "middle")
  expect_identical(r$n, 3000L)
})

test_that("every data set has a release of the same shape, silently", {
  skip_on_cran()
  set.seed(3)
  for (i in 1:30) {
    x <- as.matrix(skewed_rows(pick(2:9)))
    expect_silent(r <- coinpress(x, pick(c(1e-3, 0.1, 15)), steps = pick(c(1, 3, 30))))
    expect_true(all(is.finite(coef(r))))
  }
})

test_that("bad arguments are refused and spend nothing", {
  x <- cbind(1:9, 9:1)
  ledger <- dp_ledger(1, 1e-3)
  bad <- function(epsilon = 1, delta = 1e-6, center = 0, radius = 1, ..., x = cbind(1:9, 9:1)) {
    expect_error(rival_mean(x, epsilon, delta, center, radius, ..., ledger = ledger),
                 class = "dpdepth_error_input")
  }
  bad(delta = 0)
  bad(center = c(1, 2, 3))
  bad(center = 2^300)
  bad(radius = 0)
  bad(radius = Inf)
  bad(steps = 0)
  bad(steps = 1.5)
  bad(covariance = -1)
  bad(covariance = matrix(c(1, 2, 2, 1), 2))
  bad(covariance = matrix("a", 2, 2))
  bad(covariance = diag(3))
  bad(epsilon = 1e-6, delta = 1e-300)
  bad(x = c(1, NA))
  bad(lower = 0)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

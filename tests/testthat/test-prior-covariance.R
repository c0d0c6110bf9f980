# Priors with a covariance: refusals, the map of rows, laws of the releases.

covariance_of <- function(sd, r) {
  out <- outer(sd, sd) * r
  diag(out) <- sd^2
  out
}

test_that("a covariance is checked, symmetric to the last bit, and matched by name", {
  labels <- c("weight", "height")
  cov <- matrix(c(400, 120 * (1 + 1e-12), 120, 144), 2, dimnames = list(labels, labels))
  p <- prior_normal(c(height = 170, weight = 80), covariance = cov)
  expect_identical(p$mean, c(weight = 80, height = 170))
  expect_identical(p$sd, c(weight = 20, height = 12))
  expect_identical(p$covariance, t(p$covariance))
  turned <- prior_for(p, 2, c("height", "weight"))
  expect_identical(turned$mean, c(height = 170, weight = 80))
  expect_identical(turned$covariance, p$covariance[2:1, 2:1])
  expect_identical(prior_for(p, 2), p)
  expect_identical(prior_normal(0, covariance = unname(cov))$mean, c(0, 0))
  for (bad in list(list(3, NULL), list(2, c("weight", "age")))) {
    expect_error(prior_for(p, bad[[1]], bad[[2]]), class = "dpdepth_error_input")
  }
  # names on one side only, and others
  expect_error(prior_normal(c(80, 170), covariance = cov), class = "dpdepth_error_input")
  expect_error(prior_normal(c(a = 80, b = 170), covariance = cov), class = "dpdepth_error_input")
  expect_error(prior_normal(1:3, covariance = cov), class = "dpdepth_error_input")
})

test_that("bad covariances are refused, and say how to mend them", {
  field <- function(expr) expect_error(expr, class = "dpdepth_error_input")$arg
  singular <- covariance_of(c(1, 2), 1 - 1e-12)
  bad <- list("a", NA, diag(2)[1, ], matrix("a", 2, 2), matrix(NA_real_, 2, 2), diag(c(1, Inf)),
              matrix(1, 2, 3), data.frame(a = 1), matrix(c(1, 0.5, 0.4, 1), 2), singular,
              covariance_of(c(1, 1), 1.1), -diag(2), diag(c(0, 1)), 1e-300 * covariance_of(c(1, 1), 0.5),
              1e300 * covariance_of(c(1, 1), 0.5),
              matrix(0, 0, 0), matrix(c(1, 0, 0, 1), 2, dimnames = list(c("a", "b"), c("b", "a"))),
              matrix(c(1, 0, 0, 1), 2, dimnames = list(c("a", "a"), c("a", "a"))))
  for (x in bad) expect_identical(field(prior_normal(0, covariance = x)), "covariance")
  expect_identical(field(prior_normal(0)), "sd")
  expect_identical(field(prior_normal(0, 1, diag(2))), "sd")
  # a determined by b and c, but for less than a part in 10^10: seen in whatever order they stand
  mixed <- rbind(c(1, 0, 0), c(0, 1, 0), c(1, 1e-4, sqrt(1e-11)))
  for (order in list(1:3, 3:1, c(3, 1, 2))) {
    expect_identical(field(prior_normal(0, covariance = tcrossprod(mixed)[order, order])), "covariance")
  }
  # a wide scale is fine, and so are units as far apart as that
  expect_silent(prior_normal(0, covariance = covariance_of(c(1e-90, 1e90), 0.9)))
  # an object put together by hand meets the same checks
  by_hand <- prior_normal(0, covariance = covariance_of(c(1, 1), 0.5))
  by_hand$covariance[1, 2] <- 7
  expect_identical(field(dp_median(matrix(0, 5, 2), 1, prior = by_hand)), "covariance")
  expect_snapshot(error = TRUE, {
    prior_normal(0)
    prior_normal(0, covariance = matrix(c(1, 0.5, 0.4, 1), 2))
    prior_normal(0, covariance = singular)
    prior_normal(0, covariance = 1e-300 * diag(2))
    dp_median_exponential(matrix(0, 9, 2), 1, prior_normal(0, covariance = covariance_of(c(1, 1), 0.5)),
                          resolution = 1)
  })
})

test_that("the factor is the covariance's, and points go there and back", {
  cov <- covariance_of(c(1, 20, 300, 0.01), 0.4)
  w <- prior_whitening(prior_normal(1:4, covariance = cov))
  expect_equal(w$factor %*% t(w$factor), cov, tolerance = 1e-12)
  expect_equal(w$factor, t(chol(cov)), tolerance = 1e-12)
  set.seed(1)
  z <- matrix(rnorm(40), ncol = 4)
  expect_equal(whiten_rows(color_points(z, w), w), z, tolerance = 1e-10)
  expect_null(prior_whitening(prior_normal(0, 1)))
  expect_identical(whiten_rows(z, NULL), z)
})

test_that("a row is whitened by itself, to the last bit, and stays finite", {
  set.seed(2)
  # the bugs that whitening_tells() sees are in the audit; besides, a solver that takes all rows
  for (i in 1:10) expect_false(whitening_tells())
  solver <- function(x, w) if (is.null(w)) x else t(forwardsolve(w$factor, t(x) - w$mean))
  expect_true(with_bindings(list(whiten_rows = solver), whitening_tells()))
})

test_that("a diagonal covariance is its standard deviations, to the last bit", {
  sd <- c(3, 0.1, 1 / 7)
  expect_identical(prior_normal(1:3, covariance = diag(sd^2)), prior_normal(1:3, sd))
  expect_identical(prior_normal(1, covariance = matrix(49)), prior_normal(1, 7))
  draw <- function(prior, ...) {
    set.seed(5)
    coef(dp_median_exponential(as.matrix(faithful), 1, prior, rng = "R", ...))
  }
  expect_identical(draw(prior_normal(c(3, 70), covariance = diag(c(4, 900)))),
                   draw(prior_normal(c(3, 70), c(2, 30))))
  # the whitened path itself: powers of two shift the lattice and nothing else
  x <- as.matrix(faithful)
  plain <- prior_normal(c(0, 0), c(4, 128))
  by_map <- structure(c(unclass(plain), list(covariance = diag(c(16, 16384)))), class = class(plain))
  for (directions in list(NULL, "axes", 40)) {
    drawn <- lapply(list(plain, by_map), function(prior) {
      plan <- exponential_plan(nrow(x), 2, 1, prior, directions, NULL, "auto", colnames(x))
      set.seed(6)
      draw_exponential(x, plan, 1, "R")
    })
    expect_identical(drawn[[2]], unname(drawn[[1]]))
  }
})

test_that("the release follows the covariance: law along the whitened axes, by exact weights", {
  skip_on_cran()
  # two correlated variables; in whitened units the rows are few and known
  cov <- covariance_of(c(2, 5), 0.8)
  prior <- prior_normal(c(1, -3), covariance = cov)
  w <- prior_whitening(prior)
  z <- cbind(c(-1, -0.2, 0.3, 0.9, 1.4), c(0.5, -0.8, 0.1, 1.1, -0.4))
  x <- color_points(z, w)
  epsilon <- 3
  # P(cell) of the grid of the rows' coordinates: exp(epsilon h / 2) times the normal measure
  cuts <- lapply(1:2, function(j) c(-Inf, sort(z[, j]), Inf))
  mass <- outer(diff(pnorm(cuts[[1]])), diff(pnorm(cuts[[2]])))
  count <- outer(0:5, 0:5, function(i, k) pmin(i, 5 - i, k, 5 - k))
  p <- mass * exp(epsilon * count / 2)
  p <- p / sum(p)
  draw <- function(prior, size = 1000) {
    plan <- exponential_plan(5, 2, epsilon, prior, "axes", NULL, "auto", c("x1", "x2"))
    t(replicate(size, draw_exponential(x, plan, epsilon, "system")))
  }
  draws <- draw(prior)
  cells <- function(points) {
    back <- whiten_rows(points, w)
    tabulate(findInterval(back[, 1], cuts[[1]][2:6]) + 6 * findInterval(back[, 2], cuts[[2]][2:6]) + 1, 36)
  }
  expect_gt(law_pvalue(cells(draws), as.vector(p)), ALPHA)
  # the same test sees a map that forgets the correlation
  plain <- draw(prior_normal(c(1, -3), c(2, 5)), 600)
  expect_lt(law_pvalue(cells(plain), as.vector(p)), ALPHA)
})

test_that("neighbours keep their promise through the map", {
  # depth counts at every cell of the whitened plane move by one at most when a row of x is replaced
  set.seed(3)
  w <- prior_whitening(prior_normal(0, covariance = covariance_of(c(1, 10), -0.7)))
  at <- as.matrix(expand.grid(seq(-3, 3, 0.5), seq(-3, 3, 0.5)))
  moved <- vapply(1:60, function(i) {
    x <- matrix(rexp(16)^2, ncol = 2)
    y <- x
    y[sample(8, 1), ] <- rnorm(2) * 10^sample(-3:9, 1)
    counts <- lapply(list(x, y), function(v) 8 * depth_halfspace(at, whiten_rows(v, w), "exact"))
    max(abs(counts[[1]] - counts[[2]]))
  }, 0)
  expect_true(all(round(moved, 9) <= 1))
  expect_gt(max(moved), 0.5)
})

test_that("front doors take it, and the release tells the covariance", {
  prior <- prior_normal(c(eruptions = 3, waiting = 70), covariance = matrix(c(1, 10, 10, 200), 2, dimnames =
    list(c("eruptions", "waiting"), c("eruptions", "waiting"))))
  release <- dp_median(faithful, 5, prior = prior)
  expect_identical(release$details$prior, prior)
  expect_identical(release$guarantee, "pure")
  expect_lt(abs(coef(release)[["waiting"]] - 76), 10)
  expect_match(paste(format(summary(release)), collapse = " "), "correlation 0.707")
  expect_match(paste(format(summary(release)), collapse = " "), "Cholesky factor")
  # each variable by itself takes the variances alone
  set.seed(9)
  both <- coef(dp_median(faithful, 5, prior = prior, method = "marginal", rng = "R"))
  set.seed(9)
  plain <- prior_normal(prior$mean, prior$sd)
  expect_identical(coef(dp_median(faithful, 5, prior = plain, method = "marginal", rng = "R")), both)
  gaps <- faithful
  gaps[3, 1] <- NA
  expect_true(dp_median(gaps, 5, prior = prior, na = "middle")$released)
  expect_s3_class(plan_median(100, 2, 1, prior = prior), "median_plan")
  set.seed(4)
  chain <- rival_median(faithful, 5, prior = prior, directions = 20, rng = "R")
  expect_lt(abs(coef(chain)[["waiting"]] - 76), 15)
  # more variables than exact draws take: along the whitened axes
  d <- 6
  x <- color_points(matrix(rnorm(400 * d), ncol = d), prior_whitening(
    prior_normal(0, covariance = covariance_of(rep(3, d), 0.9))))
  release <- dp_median(x, 4, prior = prior_normal(0, covariance = covariance_of(rep(30, d), 0.9)))
  expect_match(release$details$depth, "axes")
  expect_true(all(abs(coef(release)) < 3))
})

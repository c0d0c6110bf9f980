# plan_mestimate(): against short simulations. Error rates: ALPHA (helper-stat.R).

test_that("errors are those of releases, for a right scale and a wrong one", {
  skip_on_cran()
  set.seed(91)
  for (spread in c(1, 1.5)) for (psi in c("huber", "tukey")) {
    p <- plan_mestimate(n = 300, epsilon = 1, lower = -20, upper = 20, scale = 1, psi = psi, spread = spread)
    planned <- sqrt(p$error^2 + p$sampling^2)
    off <- vapply(1:80, function(i) {
      x <- stats::rnorm(300, 2, spread)
      coef(dp_mestimate(x, 1, lower = -20, upper = 20, scale = 1, psi = psi, rng = "R")) - 2
    }, 0)
    # 80 squares, whose mean has a relative standard deviation of some 0.17: within 0.6 and 1.6 but for ALPHA
    expect_gt(sqrt(mean(off^2)) / planned, 0.6)
    expect_lt(sqrt(mean(off^2)) / planned, 1.6)
  }
})

test_that("far out tuning gives the mean's sampling error, in any dimension", {
  for (d in c(1, 3)) {
    p <- plan_mestimate(n = 100, epsilon = 1, lower = rep(0, d), upper = 180, scale = 15, tuning = 50)
    expect_equal(p$sampling, rep(1.5, d), tolerance = 1e-2)
  }
})

test_that("noise that leads astray is told where the release warns", {
  for (n in c(20, 60, 500)) {
    p <- plan_mestimate(n = n, epsilon = 1, lower = -20, upper = 20, scale = 1)
    warned <- FALSE
    withCallingHandlers(dp_mestimate(rep(1, n), 1, lower = -20, upper = 20, scale = 1, rng = "R"),
                        dpdepth_warning_accuracy = function(w) {
                          warned <<- TRUE
                          invokeRestart("muffleWarning")
                        })
    expect_identical(p$astray, warned)
  }
  expect_output(print(plan_mestimate(n = 20, epsilon = 1, lower = -20, upper = 20, scale = 1)), "astray")
  expect_equal(psi_sampling(psi_make("huber"), 1, 1)^-2, 0.95, tolerance = 1e-3) # its efficiency
  expect_error(plan_mestimate(n = 20, epsilon = 1, lower = 0, upper = 1), "scale",
               class = "dpdepth_error_input")
})

test_that("errors of coefficients are those of releases, n public or private", {
  skip_on_cran()
  set.seed(92)
  for (neighbours in neighbour_kinds) {
    p <- plan_mestimate(n = 1000, epsilon = 2, delta = 1e-6, lower = -20, upper = 20, scale = 1, x_lower = 0,
                        x_upper = 10, x_spread = 2, neighbours = neighbours)
    planned <- sqrt(p$error^2 + p$sampling^2)
    off <- vapply(1:60, function(i) {
      x <- stats::rnorm(1000, 5, 2)
      d <- data.frame(x, y = 1 + x + stats::rnorm(1000))
      coef(dp_mestimate(y ~ x, 2, 1e-6, data = d, lower = -20, upper = 20, scale = 1, x_lower = 0,
                        x_upper = 10, neighbours = neighbours, rng = "R")) - 1
    }, numeric(2))
    # 60 squares each, whose root mean has a relative standard deviation of some 0.1: within 0.5 and 1.7
    expect_true(all(abs(log(sqrt(rowMeans(off^2)) / planned)) < log(1.7)))
  }
})

test_that("a plan of a regression is sought by its slopes, and refuses what it cannot use", {
  skip_on_cran()
  of <- function(...) {
    plan_mestimate(delta = 1e-6, lower = 0, upper = 40, scale = 2, x_lower = c(0, 0), x_upper = c(1, 10), ...)
  }
  p <- of(epsilon = 1, error = 0.5)
  expect_identical(p$term, c("(Intercept)", "x1", "x2"))
  expect_lte(max(p$error[-1]), 0.5)
  expect_gt(max(of(n = p$n[[1]] - 20, epsilon = 1)$error[-1]), 0.5)
  expect_equal(p$error[[2]], 10 * p$error[[3]])
  private <- of(n = 2000, epsilon = 1, neighbours = "add_remove")
  expect_lt(private$error[[2]], of(n = 2000, epsilon = 1)$error[[2]])
  expect_output(print(p), "M-regression")
  expect_true(all(is.finite(as.matrix(plan_curve(p)[c("value", "reference")]))))
  refused <- function(...) expect_error(plan_mestimate(...), class = "dpdepth_error_input")
  refused(n = 100, epsilon = 1, lower = 0, upper = 1, scale = 1, x_lower = 0, x_upper = 1) # no delta
  refused(n = 100, epsilon = 1, delta = 1e-6, lower = 0, upper = 1, scale = 1, x_lower = 0)
  refused(n = 100, epsilon = 1, lower = 0, upper = 1, scale = 1, x_spread = 1)
  refused(n = 100, epsilon = 1, delta = 1e-6, lower = 0, upper = 1, scale = 1, x_lower = 0, x_upper = 1,
          x_spread = 2)
})

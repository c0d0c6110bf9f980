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

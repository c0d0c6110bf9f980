# Private regression by noisy gradients: sensitivities, the budget of all steps, planted bugs.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

gradient <- function(data, epsilon = 1, ..., steps = 6) {
  rival_regression(y ~ x1, data, epsilon, 1e-6, "gradient", 0, 1, 0, 1, steps = steps, ...)
}

budget_is_passed <- function(epsilon = 1, count = 60) {
  set.seed(1)
  run <- function(d) coef(gradient(d, epsilon))
  limit <- c(0, normal_rho(epsilon, 1e-6))
  any(worst_cost(run, count, limit = limit) > limit)
}

test_that("the queries of neighbours cost at most rho, and nearly that much", {
  skip_on_cran()
  expect_false(budget_is_passed())
  # one step, from the middle: a row that pulls one way and then the other in both coordinates
  plan <- gradient_plan(4, 1, 1e-6, 1L, 0.1)
  moved <- gradient_sums(rep(0.5, 4), c(1, 1, 1, 1), c(0.5, 0.5), plan) -
    gradient_sums(rep(0.5, 4), c(0, 1, 1, 1), c(0.5, 0.5), plan)
  expect_equal(abs(moved), rep(plan$lattice, 2))
  variance <- gaussian_variance(2 * plan$lattice^2, plan$each)
  expect_equal(sum(moved^2) / (2 * variance[[1]] / variance[[2]]), plan$rho, tolerance = 1e-6)
})

test_that("planted bugs are seen", {
  skip_on_cran()
  planted <- function(...) caught(bug(budget_is_passed, ...))
  expect_true(planted("gradient_plan", "rho/steps", "rho")) # the budget not split
  expect_true(planted("gradient_sums",
                      "sum(lattice_place(excess * left, -plan$clip, plan$clip, plan$lattice))",
                      "sum(round(pmin(pmax(excess * left, -64), 64) * plan$lattice))")) # clipping left out
  expect_true(planted("gaussian_variance", "square/(2 * rho)", "square/(40 * rho)")) # too little noise
  expect_true(planted("gradient_sums", "left <- 0.75 - u", # rows mixed
                      "left <- 0.75 - mean(u)\n u <- u * 1e9"))
  expect_true(planted("descend", "squares > 0", "mean(v) < 0.7")) # another way for some data
})

test_that("what is released and said; extremes have the same shape", {
  skip_on_cran()
  d <- data.frame(x1 = rep((0:999) / 999, 20))
  d$y <- 0.2 + 0.5 * d$x1
  ledger <- dp_ledger(20, 1e-5)
  r <- gradient(d, 8, steps = 80, ledger = ledger)
  expect_s3_class(r, c("dp_regression", "dp_release"), exact = TRUE)
  expect_identical(r$guarantee, "approximate")
  expect_identical(as.data.frame(ledger)$delta, 1e-6)
  expect_equal(unname(predict(r, data.frame(x1 = c(0.25, 0.75)))), c(0.325, 0.575), tolerance = 0.05)
  wide <- data.frame(x1 = 100 * d$x1 - 50, y = 10 * d$y)
  r <- rival_regression(y ~ x1, wide, 8, 1e-6, "gradient", -50, 50, 0, 10)
  expect_equal(unname(predict(r, data.frame(x1 = c(-25, 25)))), c(3.25, 5.75), tolerance = 0.05)
  set.seed(2)
  for (i in 1:30) {
    expect_silent(r <- gradient(skewed_rows(pick(2:9)), pick(c(1e-3, 0.1, 15)), clip = pick(c(1e-6, 1, 1e6))))
    expect_true(all(is.finite(coef(r))) && r$released)
  }
})

test_that("bad arguments are refused and spend nothing", {
  d <- data.frame(x1 = 1:9, y = 1:9, z = 1:9)
  ledger <- dp_ledger(1, 1e-3)
  bad <- function(formula = y ~ x1, epsilon = 1, delta = 1e-6, ..., data = d) {
    expect_error(rival_regression(formula, data, epsilon, delta, "gradient", 0, 9, 0, 9, ...,
                                  ledger = ledger), class = "dpdepth_error_input")
  }
  bad(y ~ x1 + z)
  bad(delta = 0)
  bad(steps = 0)
  bad(clip = 0)
  bad(data = d[1, ])
  bad(scale = 1)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

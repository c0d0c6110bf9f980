# Private regression by noisy sums with a ridge: sensitivities, the budget of both queries, planted bugs.

adassp <- function(data, epsilon = 1, ...) {
  rival_regression(y ~ x1 + x2, data, epsilon, 1e-6, "adassp", 0, 1, 0, 1, ...)
}

budget_is_passed <- function(epsilon = 1, count = 60) {
  set.seed(1)
  run <- function(d) coef(adassp(d, epsilon))
  limit <- c(0, normal_rho(epsilon, 1e-6))
  any(worst_cost(run, count, p = 2, limit = limit) > limit)
}

test_that("the queries of neighbours cost at most rho", {
  skip_on_cran()
  expect_false(budget_is_passed())
  expect_false(budget_is_passed(20, 30))
})

test_that("sensitivities are those of brute force, and nearly reached", {
  set.seed(2)
  worst <- c(0, 0)
  for (d in 2:4) for (i in 1:60) {
    rows <- replicate(2, c(1, pick(list(sample(c(-1, 1), d - 1, TRUE), stats::runif(d - 1, -1, 1)))))
    y <- sample(c(-1, 1), 2, TRUE)
    squares <- rows[, 1] %o% rows[, 1] - rows[, 2] %o% rows[, 2]
    products <- rows[, 1] * y[[1]] - rows[, 2] * y[[2]]
    moved <- c(sqrt(sum(squares[upper.tri(squares, TRUE)]^2)) / (sqrt(2) * d),
               sqrt(sum(products^2)) / (2 * sqrt(d)))
    worst <- pmax(worst, moved)
  }
  expect_true(all(worst <= 1 + 1e-12))
  expect_equal(worst[[2]], 1)
  # coarser units: what rounding down adds is paid for
  plan <- adassp_plan(1000, 3, 1, 1e-6)
  expect_gt(plan$squares$unit, 1)
  expect_gte(sqrt(plan$squares$square), sqrt(2) * 3 * plan$steps^2 / plan$squares$unit + sqrt(5))
})

test_that("planted bugs are seen", {
  planted <- function(...) caught(bug(budget_is_passed, ...))
  expect_true(planted("adassp_plan", "rho/2", "rho * 2")) # the budget not split
  expect_true(planted("lattice_place", "pmin(pmax(round((v - lower)/(upper - lower) * steps), 0), steps)",
                      "round(pmin(pmax(v, -4), 4) * steps)")) # clipping left out
  expect_true(planted("gaussian_variance", "square/(2 * rho)", "square/(30 * rho)")) # too little noise
  expect_true(planted("adassp_plan", "2 * sqrt(d) * steps^2", "sqrt(d)/9 * steps^2"))
  expect_true(planted("noisy_sums", "floor(exact[upper]/plan$squares$unit)",
                      "exact[upper]/plan$squares$unit"))
  # the least eigenvalue of the data themselves
  expect_true(planted("noisy_sums", "products = products *",
                      "least = min(eigen(exact)$values), products = products + min(eigen(exact)$values) *"))
})

test_that("sums are exact and fits are least squares with little noise", {
  set.seed(3)
  d <- data.frame(x1 = stats::runif(5000), x2 = stats::runif(5000))
  d$y <- 0.2 + 0.5 * d$x1 - 0.1 * d$x2
  plan <- adassp_plan(5000, 3, 1, 1e-6)
  rows <- adassp_rows(list(x = as.matrix(d[1:2]), y = d$y), list(x = list(lower = c(0, 0), upper = c(1, 1)),
                                                                 y = list(lower = 0, upper = 1)), plan$steps)
  expect_true(all(rows$x == round(rows$x) & abs(rows$x) <= plan$steps))
  sums <- crossprod(rows$x[5000:1, ])
  expect_identical(sums, crossprod(rows$x))
  expect_lt(max(sums), 2^53)
  ledger <- dp_ledger(20, 1e-5)
  r <- adassp(d, 20, ledger = ledger)
  expect_s3_class(r, c("dp_regression", "dp_release"), exact = TRUE)
  expect_identical(r$guarantee, "approximate")
  expect_identical(as.data.frame(ledger)$delta, 1e-6)
  expect_equal(unname(coef(r)), c(0.2, 0.5, -0.1), tolerance = 0.02)
  # other units, bounds by name
  d2 <- data.frame(x1 = 100 * d$x1 - 50, x2 = d$x2, y = 10 * d$y)
  r <- rival_regression(y ~ x1 + x2, d2, 20, 1e-6, "adassp", c(x2 = 0, x1 = -50), c(x2 = 1, x1 = 50), 0, 10)
  expect_equal(unname(coef(r)), c(4.5, 0.05, -1), tolerance = 0.02)
  expect_length(predict(r, d2[1:3, ]), 3)
})

test_that("every data set has a release of the same shape, silently", {
  skip_on_cran()
  set.seed(4)
  for (i in 1:30) {
    expect_silent(r <- adassp(skewed_rows(pick(2:9), 2), pick(c(1e-3, 0.1, 15))))
    expect_true(all(is.finite(coef(r))) && r$released)
  }
  # noisy sums that are no sums of squares
  plan <- adassp_plan(5, 3, 1, 1e-6)
  expect_true(all(is.finite(adassp_fit(list(squares = matrix(-1e9, 3, 3), products = c(1, 0, -1)), plan))))
})

test_that("bad arguments are refused and spend nothing", {
  d <- data.frame(x1 = 1:9, x2 = 1:9, y = 1:9)
  ledger <- dp_ledger(1, 1e-3)
  bad <- function(epsilon = 1, delta = 1e-6, x = list(0, 9), ..., data = d) {
    expect_error(rival_regression(y ~ x1 + x2, data, epsilon, delta, "adassp", x[[1]], x[[2]], 0, 9, ...,
                                  ledger = ledger), class = "dpdepth_error_input")
  }
  bad(epsilon = 1e-6, delta = 1e-300)
  bad(delta = 0)
  bad(x = list(c(0, 1, 2), 9))
  bad(x = list(c(0, 9), 9))
  bad(x = list(c(a = 0, b = 1), 9))
  bad(data = d[1, ])
  bad(ridge = 1)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

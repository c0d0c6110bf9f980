# Limits of coefficients: by place or by name, for the coefficients there are.

test_that("bounds that are no numbers are refused in a class of the package", {
  for (bad in list(new.env(), sum, quote(f(x)), list(a = 1))) {
    expect_error(dp_regression(dist ~ speed, cars, 1, 1e-6, lower = bad, upper = 1,
                               method = "deepest"), "`lower`",
                 class = "dpdepth_error_input")
  }
})

test_that("named bounds are for the coefficients named, all of them, or nothing is spent", {
  ledger <- dp_ledger(10, 0.1)
  d <- data.frame(y = 1:9, lstat = 9:1)
  d[["a b"]] <- d[["Intercept"]] <- 1:9
  refused <- function(lower, upper, formula = y ~ lstat) {
    e <- expect_error(dp_regression(formula, d, 1, 1e-6, lower, upper, method = "medsweep", ledger = ledger),
                      class = "dpdepth_error_input")
    expect_true(e$arg %in% c("lower", "upper"))
  }
  refused(c(lstat = -5), 9)
  refused(c(foo = -5), 9)
  refused(-9, c("(Intercept)" = 9))
  refused(c(lstat = -5, foo = -5), 9)
  refused(c(lstat = -5, "(Intercept)" = -9), c(9, 50))
  refused(c("(Intercept)" = -9, lstat = -5), c(9, 50))
  refused(c(-9, -5), c(lstat = 5, "(Intercept)" = 50))
  refused(c(lstat = -5, "(Intercept)" = -9), c(lstat = 5, foo = 50))
  refused(c(lstat = -5, -9), 9)
  refused(c(lstat = -5, lstat = -9), 9)
  refused(structure(c(-5, -9), names = c("lstat", NA)), 9)
  refused(c(intercept = -5, "(Intercept)" = -9), 9)
  refused(c(Intercept = -5, lstat = 1), 9, y ~ lstat + Intercept)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  bounds <- function(formula, lower, upper) {
    dp_regression(formula, d, 1, 1e-6, lower, upper, method = "medsweep")$details[c("lower", "upper")]
  }
  expect_identical(bounds(y ~ lstat, c(lstat = 3, "(Intercept)" = 1), c(Intercept = 2, lstat = 4)),
                   list(lower = c("(Intercept)" = 1, lstat = 3), upper = c("(Intercept)" = 2, lstat = 4)))
  expect_identical(bounds(y ~ `a b`, c("a b" = 3, intercept = 1), 9)$lower, c("(Intercept)" = 1, "`a b`" = 3))
  expect_identical(bounds(y ~ Intercept, c(Intercept = 3, "(Intercept)" = 1), 9)$lower,
                   c("(Intercept)" = 1, Intercept = 3))
})

test_that("the middle, and coefficients of predictions, are what they say", {
  expect_identical(prior_middle(prior_normal(c(3, -2), 1)), c(3, -2))
  expect_identical(prior_middle(prior_uniform(c(1, 2), c(5, 10))), c(3, 6))
  expect_identical(middle_response(prior_normal(c(3, -2), 1), NULL), 3)
  points <- check_at(c(2, 4), c("(Intercept)", "x"))
  # 10 at 2 and 16 at 4: 4 + 3 x
  expect_equal(coefficients_of(c(10, 16), points), c(4, 3))
  expect_equal(middle_response(prior_normal(c(10, 16), 1), points), 4)
  named <- coordinate_prior(list(lower = 0, upper = c(x = 2, intercept = 1)), c("(Intercept)", "x"), NULL)
  expect_identical(named$upper, c("(Intercept)" = 1, x = 2))
  expect_identical(prior_middle(prior_dyadic(c(1, 2), origin = c(5, 7))), c(5, 7))
})

test_that("points may be given by the formula's variables, like new data", {
  set.seed(3)
  people <- data.frame(age = 20:79, sex = factor(rep(c("f", "m"), 30), levels = c("f", "m")),
                       flag = 1:60 > 30)
  people$y <- people$age / 10 + rnorm(60) # public-rng: simulated data
  regressors <- function(formula, at, ...) {
    r <- suppressWarnings(dp_regression(formula, people, 9, lower = -50, upper = 50, at = at, rng = "R", ...))
    unname(r$details$at)
  }
  expect_identical(regressors(y ~ I(age - 40), data.frame(age = c(40, 60))), cbind(c(0, 20)))
  expect_identical(regressors(y ~ I(age - 40), c(0, 20)), cbind(c(0, 20)))
  # those that are not in the formula are not looked at, and the order of columns does not matter
  at <- data.frame(sex = c("f", "m", "m"), other = letters[1:3], age = c(30, 30, 60))
  expect_identical(regressors(y ~ log2(age / 30) + sex, at), cbind(c(0, 0, 1), c(0, 1, 1)))
  expect_identical(regressors(y ~ flag, data.frame(flag = c(FALSE, TRUE))), cbind(c(0, 1)))
  expect_identical(regressors(y ~ age + I(age^2), data.frame(age = c(0, 1, 3))),
                   cbind(c(0, 1, 3), c(0, 1, 9)))
  expect_identical(regressors(y ~ age + I(age^2), stats::setNames(data.frame(c(9, 1, 0), c(3, 1, 0)),
                                                                  c("I(age^2)", "age"))),
                   cbind(c(3, 1, 0), c(9, 1, 0)))
  expect_identical(regressors(y ~ I(age - 40), data.frame(age = c(40, 60)), neighbours = "add_remove"),
                   cbind(c(0, 20)))
  expect_identical(regressors(y ~ I(age - 40), data.frame(age = c(40, 60)), interval = 0.5), cbind(c(0, 20)))
  ledger <- dp_ledger(1)
  refused <- function(at, told) {
    expect_error(dp_regression(y ~ I(age - 40) + sex, people, 1, lower = 0, upper = 1, at = at,
                               ledger = ledger), told, class = "dpdepth_error_input")
  }
  refused(data.frame(age = c(1, 2, 3), sex = c("f", "m", "x")), "with others in `sex`")
  refused(data.frame(age = c(1, 2, NA), sex = c("f", "m", "m")), "`at` must be finite numbers")
  refused(data.frame(age = c(1, 2, 3)), "a data frame of the formula's variables")
  refused(data.frame(age = 1:2, sex = c("f", "m")), "3 points")
  # what is no value is not evaluated, where the rows could be read
  refused(quote(frame$x[1:3, ]), "not a language")
  expect_error(dp_regression(y ~ age, people, 1, lower = 0, upper = 1, at = quote(frame$x[1:2]),
                             neighbours = "add_remove", ledger = ledger), class = "dpdepth_error_input")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

# Methods of private regressions: predictions, fitted values, tables, plots.

test_that("factors and transformations: public levels, the same columns in prediction", {
  d <- transform(mtcars, am = factor(am, 0:1, c("auto", "manual")))
  r <- dp_regression(log(mpg) ~ am, d, 12, 1e-3, lower = c(0, -3), upper = c(6, 3), method = "deepest")
  expect_named(coef(r), c("(Intercept)", "ammanual"))
  b <- unname(coef(r))
  expect_equal(unname(predict(r, data.frame(am = c("manual", "auto", NA)))), c(sum(b), b[[1]], NA))
  expect_equal(predict(r, d[2:3, ]), fitted(r, d)$value[2:3])
  expect_equal(unname(residuals(r, d)$value), unname(log(d$mpg) - predict(r, d)))
  expect_s3_class(residuals(r, d), "nonprivate")
  old <- options(contrasts = c("contr.sum", "contr.poly"))
  on.exit(options(old))
  expect_equal(unname(predict(r, data.frame(am = "auto"))), b[[1]])
  expect_error(predict(r, data.frame(am = "tiptronic")), "levels", class = "dpdepth_error_input")
  expect_error(predict(r, data.frame(x = 1)), "`am`", class = "dpdepth_error_input")
  expect_error(predict(r), "newdata", class = "dpdepth_error_input")
  expect_error(residuals(r), "data", class = "dpdepth_error_input")
  expect_error(fitted(r), "data", class = "dpdepth_error_input")
  # the level that does not occur is a column all the same
  absent <- factor(rep("a", 32), c("a", "b"))
  cars <- transform(mtcars, z = absent)
  # a regressor that is constant in these data has a law like any other: no error shows it
  expect_true(dp_regression(mpg ~ z, cars, 1, 1e-6, lower = 0, upper = 50, method = "deepest")$released)
  dots <- dp_regression(mpg ~ ., mtcars[c("mpg", "wt")], 1, 1e-6, lower = -9, upper = 90, method = "deepest")
  expect_equal(formula(dots), mpg ~ wt, ignore_attr = TRUE)
  squares <- dp_regression(mpg ~ I(wt^2), mtcars, 1, 1e-6, lower = -9, upper = 90, method = "deepest")
  expect_equal(predict(squares, data.frame(wt = 3))[[1]], sum(coef(squares) * c(1, 9)))
  logical <- dp_regression(mpg ~ z, transform(mtcars, z = wt > 3), 1, 1e-6, lower = -9, upper = 90,
                           method = "deepest")
  expect_named(coef(logical), c("(Intercept)", "zTRUE"))
  expect_equal(predict(logical, data.frame(z = FALSE))[[1]], coef(logical)[[1]])
})

test_that("methods of releases", {
  quartiles <- dp_regression(dist ~ speed, cars, 12, lower = -9, upper = 9, tau = c(0.25, 0.75))
  expect_match(format(quartiles), "tau = 0.25 +tau = 0.75$", all = FALSE)
  r <- dp_regression(dist ~ speed, cars, 2, 1e-6, lower = -50, upper = 50, method = "deepest")
  expect_identical(tidy(r)$term, names(coef(r)))
  expect_identical(glance(r)$n, 50L)
  expect_identical(nrow(as.data.frame(r)), 2L)
  expect_error(confint(r), "private", class = "dpdepth_error_input")
  file <- withr_png()
  on.exit(unlink(file))
  expect_identical(plot(r), r)
  grDevices::dev.off()
})

test_that("methods of models are refused in words, and arguments that do not exist", {
  fit <- dp_regression(dist ~ speed, cars, 4, lower = -50, upper = 50, rng = "R")
  for (f in list(logLik, AIC, BIC, deviance, anova, terms)) {
    expect_error(f(fit), "is not available", class = "dpdepth_error_input")
  }
  for (call in list(quote(tidy(fit, cof.int = TRUE)), quote(summary(fit, digitts = 3)),
                    quote(glance(fit, foo = 1)), quote(tidy(fit, 0.9)))) {
    expect_error(eval(call), "not an argument|one too many", class = "dpdepth_error_input")
  }
  expect_identical(tidy(fit, conf.int = FALSE), tidy(fit))
})

test_that("a regressor may be named like the intercept, and predictions are at points", {
  d <- data.frame(a = sin(1:60), "(Intercept)" = cos(1:60), y = sin(1:60 + 1), check.names = FALSE)
  fit <- dp_regression(y ~ `(Intercept)`, d, 9, lower = c("(Intercept)" = -3, "`(Intercept)`" = -2),
                       upper = 4, rng = "R")
  expect_identical(fit$details$prior$lower, c("(Intercept)" = -3, "`(Intercept)`" = -2))
  expect_equal(unname(predict(fit, d[1, ])), sum(coef(fit) * c(1, d[1, 2])))
  alone <- dp_regression(y ~ `(Intercept)` - 1, d, 9, lower = -2, upper = 4, rng = "R")
  expect_equal(unname(predict(alone, d[1, ])), coef(alone)[[1]] * d[1, 2])
  at <- dp_regression(y ~ a, d, 9, at = c(0, 1), lower = -3, upper = 3, rng = "R")
  expect_match(format(at$details$predictions), "uniform prior of point 1, point 2", fixed = TRUE)
})

test_that("a formula comes back without anything in its environment", {
  fit <- dp_regression(dist ~ speed, cars, 4, lower = -50, upper = 50, rng = "R")
  expect_identical(environment(formula(fit)), baseenv())
})

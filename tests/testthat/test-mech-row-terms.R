# Terms of formulas: the design of lm() from rows alone, and constants where a term is not finite.

test_that("without special cases the design is lm()'s", {
  skip_on_cran()
  d <- salaries()
  d$o <- factor(rep(1:3, 20), 1:4, ordered = TRUE)
  d$g <- factor(rep(c("u", "v"), each = 30))
  d[["a b"]] <- d$x^2
  formulas <- list(
    y ~ x, y ~ x + f, y ~ f, y ~ f * g, y ~ f:g, y ~ f:x, y ~ x:f, y ~ x * f * l, y ~ o, y ~ o * x, y ~ o:g,
    y ~ x:o, y ~ g:o:x, y ~ (x + f + l)^2 - x:l, y ~ I(x^2) + log(s), y ~ I(x > 0.5), y ~ l + I(!l),
    y ~ ifelse(x > 0.5, s, i), y ~ ifelse(x > 0.5, TRUE, l), y ~ pmin(x, 0.3) + pmax(1, x, s), y ~ round(x,
                                                                                                         1),
    y ~ log(s, 2) + log(s, base = x + 1), y ~ `a b` + I(`a b` / 3), y ~ I(f == "a") + I(f != "b"),
    y ~ I(x & l),
    y ~ as.integer(s) + I(s %% 7) + I(s %/% 7), log(y) ~ sqrt(x), I(y + s) ~ x, y + s ~ x, y ~ ., y ~ . - f,
    y ~ x %in% l, y ~ sin(x) + cos(x) + tan(x) + atan(x) + sinh(x) + tanh(x) + exp(x) + expm1(x) + log1p(x),
    y ~ x / f, y ~ -x + s, y ~ x + x, y ~ (x), y ~ ((x > 0.5)), y ~ I((x + 1) * -2),
    y ~ as.numeric(l) + as.double(i)
  )
  for (f in setdiff(formulas, list(y ~ x %in% l))) {
    what <- paste(deparse(f), collapse = " ")
    m <- stats::model.frame(f, d)
    x <- stats::model.matrix(f, m, contrasts.arg = NULL)[, -1, drop = FALSE]
    got <- public_frame(f, d)
    expect_identical(colnames(got$x), colnames(x), label = what)
    expect_equal(got$x, x, ignore_attr = TRUE, label = what, tolerance = 1e-14)
    expect_equal(got$y, as.vector(stats::model.response(m)), ignore_attr = TRUE, label = what)
    again <- new_rows(got$kept, d[7:9, ], response = TRUE)
    expect_identical(again$x, got$x[7:9, , drop = FALSE], label = what)
    expect_identical(again$y, got$y[7:9], label = what)
  }
})

test_that("a term that is not finite is 0 in its row, and FALSE if it is a flag", {
  d <- data.frame(y = c(-1, 2, 3), x = c(0, 1, 1e308), z = c(0, 2, 1e308), f = factor(c("a", "b", "a")))
  x <- function(formula) unname(public_frame(formula, d)$x)
  expect_identical(x(y ~ log(x)), cbind(c(0, 0, log(1e308))))
  expect_identical(x(y ~ I(x / z)), cbind(c(0, 0.5, 1)))
  expect_identical(x(y ~ x:z), cbind(c(0, 2, 0)))
  expect_identical(x(y ~ I(x * z)), cbind(c(0, 2, 0)))
  expect_identical(x(y ~ sqrt(-x)), cbind(c(0, 0, 0)))
  expect_identical(x(y ~ I(log(-x) > 1)), cbind(c(0, 0, 0)))
  expect_identical(x(y ~ I(1 / x)), cbind(c(0, 1, 1 / 1e308)))
  expect_identical(x(y ~ as.integer(x)), cbind(c(0, 1, 0)))
  expect_identical(x(y ~ ifelse(log(-x) > 0, 1, 2)), cbind(c(2, 0, 0)))
  expect_identical(public_frame(log(y) ~ x, d)$y, c(0, log(2), log(3)))
  expect_identical(x(y ~ round(x, z)), cbind(c(0, 1, 1e308)))
  r <- dp_regression(y ~ log(x), d, 4, 1e-3, lower = -1, upper = 1, method = "deepest")
  expect_identical(predict(r, data.frame(x = 0))[[1]], coef(r)[[1]])
  expect_identical(predict(r, data.frame(x = c(NA, Inf, 1)))[1:2], c("1" = NA_real_, "2" = NA_real_))
})

test_that("a formula's shape counts the indicators of each factor, and none of products with numbers", {
  data <- data.frame(y = 1:8, x = 8:1, f = factor(rep(1:4, 2)), b = TRUE)
  shape <- function(formula) public_frame(formula, data, origin = TRUE)$shape
  expect_identical(shape(y ~ x), list(indicators = integer()))
  expect_identical(shape(y ~ x + f), list(indicators = 3L))
  expect_identical(shape(y ~ b + f), list(indicators = c(1L, 3L)))
  expect_identical(shape(y ~ x * f), list(indicators = 3L))
  expect_identical(shape(y ~ b:f + x)$indicators, 8L)
  expect_identical(shape(y ~ f - 1), plain_shape)
  expect_identical(shape(y ~ I(x * 2) + I(f == "1")), list(indicators = 1L))
})

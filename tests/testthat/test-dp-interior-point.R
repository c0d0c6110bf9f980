# dp_interior_point(): what it says, refusals; dp_median(method = "interior"); plans; slices.

test_that("an interior point is one, and failure is a value", {
  set.seed(2)
  x <- 1e9 + stats::rnorm(600) # public-rng: simulated data
  p <- dp_interior_point(x, 1, 1e-6)
  expect_true(p$released)
  expect_true(coef(p) > min(x) && coef(p) <= max(x))
  expect_identical(p$guarantee, "approximate")
  expect_true(log2(p$details$width) == round(log2(p$details$width)))
  none <- dp_interior_point(rep(1, 600), 1, 1e-6)
  expect_false(none$released)
  expect_true(is.na(coef(none)))
  expect_null(none$details$width)
  expect_match(format(none), "Fewer than two bins", all = FALSE)
  expect_setequal(c(names(none$details), "width"), names(p$details))
})

test_that("what cannot be is refused, and nothing is spent", {
  ledger <- dp_ledger(1, 1e-5)
  refused <- function(...) {
    expect_error(dp_interior_point(..., ledger = ledger), class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(1:500, 1)
  refused(1:500, 1, 0)
  refused(1:50, 1, 1e-6) # two bins need more
  refused(1:50, 1e-6, 1e-300) # more than an integer holds
  refused(cbind(1:500, 1), 1, 1e-6)
  refused(c(1:500, NA), 1, 1e-6)
  refused(1:500, 1, 1e-6, na = "middle")
  refused(1:500, 1, 1e-6, width = 3)
})

test_that("where n is private nothing but the outcome depends on it, and no data are too few", {
  of <- function(x, ...) dp_interior_point(x, 1, 1e-6, neighbours = "add_remove", rng = "R", ...)
  set.seed(93)
  none <- of(numeric(0))
  expect_false(none$released)
  expect_true(is.na(nobs(none)))
  rest <- setdiff(names(none), "call")
  for (x in list(3, 1:5, rep(1, 500))) expect_identical(of(x)[rest], none[rest])
  x <- 7e5 + stats::rnorm(300) # public-rng: simulated data
  p <- of(x)
  expect_true(p$released && coef(p) > min(x) && coef(p) <= max(x))
  # less noise than under substitution, for which so few rows are too few
  expect_lt(p$details$threshold, 0.6 * dp_interior_point(x, 1, 1e-6)$details$threshold)
  expect_error(dp_interior_point(1:9, 1e-4, 1e-6, neighbours = "add_remove"), "assumed, since n is private",
               class = "dpdepth_error_input")
  expect_error(of(c(1, NA)), "missing|finite", class = "dpdepth_error_input")
  expect_error(of(c(1, NA), na = "middle"), class = "dpdepth_error_input")
})

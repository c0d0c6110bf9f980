# Methods of dp_regression(): what each takes.

test_that("each method has a plan, a run and names of its own", {
  for (method in regression_methods) {
    engine <- regression_engine(method)
    expect_true(is.function(engine$plan) && is.function(engine$run))
  }
})

test_that("arguments choose the methods that have them", {
  expect_identical(methods_with("size"), "batches")
  expect_identical(methods_with("at"), "exponential")
  expect_identical(methods_with("interval"), interval_methods)
  expect_identical(methods_with(c("interval", "at")), "exponential")
  expect_false("shift" %in% regression_arguments())
})

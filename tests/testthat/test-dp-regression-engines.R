# The methods of dp_regression(): what each of their files offers the door.

test_that("each method has a plan, a draw and the names of its arguments", {
  for (method in regression_methods) {
    engine <- regression_engine(method)
    expect_true(is.function(engine$plan) && is.function(engine$run), info = method)
    expect_type(engine$arguments, "character")
    # an argument that may be given is one that the plan takes, if it does not hand it on
    taken <- names(formals(engine$plan))
    expect_true("..." %in% taken || all(engine$arguments %in% taken), info = method)
  }
  expect_setequal(regression_arguments(),
                  unlist(lapply(regression_methods, function(m) regression_engine(m)$arguments)))
})

test_that("an interval goes to the methods that have any, and is refused by the others", {
  for (method in regression_methods) {
    if (method %in% interval_methods) expect_identical(check_interval_for(0.9, method), 0.9)
    else expect_error(check_interval_for(0.9, method), "`interval` must be NULL", class = "dpdepth_error_input")
  }
})

test_that("arguments name the methods that have them", {
  for (method in c("exponential", "batches")) {
    for (argument in regression_engine(method)$arguments) {
      if (!argument %in% c("interval", "at")) expect_true(method %in% methods_with(argument), info = argument)
    }
  }
  expect_identical(methods_with("interval"), interval_methods)
  expect_length(methods_with("no argument of any"), 0)
})

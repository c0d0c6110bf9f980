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
})

test_that("what the door has for some methods is refused by the others", {
  for (method in regression_methods) {
    taken <- regression_engine(method)$arguments
    for (argument in c("interval", "at", "resolution")) {
      given <- stats::setNames(list(0.9), argument)
      if (argument %in% taken) expect_no_error(refuse_others(given, method, taken))
      else expect_error(refuse_others(given, method, taken), sprintf("`%s` must be NULL", argument),
                        class = "dpdepth_error_input")
    }
  }
})

test_that("each method's function has its arguments, with its plan's defaults", {
  for (method in regression_methods) {
    engine <- regression_engine(method)
    own <- formals(get(paste0("dp_regression_", method)))
    expect_true(all(engine$arguments %in% names(own)), info = method)
    inner <- formals(switch(method, exponential = plan_exponential, batches = plan_batches,
                            medsweep = medsweep_plan, deepest = plan_deepest))
    for (argument in setdiff(engine$arguments, "sampler")) {
      expect_identical(eval(own[[argument]]), eval(inner[[argument]]), info = argument)
    }
  }
})

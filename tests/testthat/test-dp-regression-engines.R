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

test_that("nothing of the data is in a release, and its size does not depend on n", {
  skip_on_cran()
  n <- 40
  x <- 1000 + (seq_len(n) * 0.618033988749895) %% 1 * 8999
  y <- rev(x) / 3 + 100
  d <- data.frame(x = x, y = y)
  holder <- local({
    secret <- x
    y ~ x
  })
  f <- structure(y ~ x, hidden = x)
  releases <- list(
    dp_regression(y ~ x, d, 1, 1e-6, lower = -9, upper = 9, method = "deepest"),
    dp_regression(holder, d, 1, 1e-6, lower = -9, upper = 9, method = "deepest"),
    dp_regression(f, d, 1, 1e-6, lower = -9, upper = 9, method = "deepest"),
    do.call(dp_regression, list(holder, d, 1, 1e-6, lower = -9, upper = 9)),
    do.call("dp_regression", list(y ~ x, data = d, epsilon = 1, delta = 1e-6, lower = -9, upper = 9)),
    dp_regression(y ~ x, data.frame(x = x, y = y), 1, 1e-6, lower = -9, upper = 9, method = "deepest")
  )
  for (r in releases) {
    raw <- serialize(r, NULL, xdr = FALSE)
    text <- capture.output(print(r), str(r), dput(r), print(summary(r)), print(formula(r)))
    text <- paste(text, collapse = "\n")
    hex <- paste(as.character(raw), collapse = "")
    held <- vapply(c(x, y), function(v) {
      bytes <- paste(as.character(writeBin(v, raw(), endian = "little")), collapse = "")
      grepl(bytes, hex, fixed = TRUE) || grepl(format(v, digits = 15), text, fixed = TRUE)
    }, NA)
    expect_false(any(held))
  }
  expect_error(eval(bquote(dp_regression(y ~ I(x * .(x)), d, 1, 1e-6, lower = -9, upper = 9,
                                         method = "deepest"))),
               "without data written into it", class = "dpdepth_error_input")
  more <- d[rep(1:n, 9), ] # with 40 rows the release holds a warning, by public numbers
  size <- function(data) {
    r <- dp_regression(y ~ x, data, 1, 1e-6, lower = -9, upper = 9, method = "deepest")
    length(serialize(r, NULL))
  }
  expect_identical(size(more), size(rbind(more, more)))
})

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
    else expect_error(check_interval_for(0.9, method), "must be NULL", class = "dpdepth_error_input")
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

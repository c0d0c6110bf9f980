# Data that are refused, by name of the argument, and the matrices that others become.

test_that("data come out as a double matrix with the columns' names", {
  expect_identical(check_data(1:3), matrix(c(1, 2, 3), 3, 1))
  expect_identical(check_data(c(a = 1, b = 2)), matrix(c(1, 2), 2, 1))
  m <- matrix(1:6, 3, 2, dimnames = list(letters[1:3], c("u", "v")))
  expect_identical(check_data(m), matrix(as.double(1:6), 3, 2, dimnames = list(NULL, c("u", "v"))))
  expect_identical(check_data(data.frame(u = 1:3, v = c(4, 5, 6))), check_data(m))
  expect_identical(check_data(structure(1:3, dim = 3L, dimnames = list(letters[1:3]))), check_data(1:3))
  expect_identical(check_data(stats::ts(c(1, 2))), check_data(c(1, 2)))
  expect_identical(dim(check_data(stats::ts(matrix(1:4, 2), names = c("a", "b")))), c(2L, 2L))
  expect_identical(check_data(I(c(1, 2))), check_data(c(1, 2)))
})

test_that("a tibble is a data frame", {
  tibble <- structure(data.frame(u = 1:2, v = 3:4), class = c("tbl_df", "tbl", "data.frame"))
  expect_identical(check_data(tibble), check_data(data.frame(u = 1:2, v = 3:4)))
})

test_that("a class whose numbers R cannot have is refused by name, in a vector and in a column", {
  registerS3method("as.double", "odd_numbers", function(x, ...) stop("cannot convert 53798"))
  odd <- structure(c(1, 2, 53798), class = "odd_numbers")
  frame <- data.frame(u = 1:3)
  frame$v <- odd
  for (x in list(odd, frame)) {
    error <- expect_error(dp_median(x, 1, lower = 0, upper = 1), "`x`.*as.double",
                          class = "dpdepth_error_input")
    expect_no_match(conditionMessage(error), "53798")
  }
})

test_that("empty data pass only where the method takes them", {
  expect_identical(dim(check_data(data.frame(u = double(), v = double()), min_n = 0)), c(0L, 2L))
  expect_identical(dim(check_data(matrix(NA, 0, 2), min_n = 0)), c(0L, 2L))
  expect_identical(dim(check_data(double(), min_n = 0)), c(0L, 1L))
  raises(check_data(data.frame(u = double())), "x")
  raises(check_data(data.frame(row.names = 1:3)), "x")
  raises(check_data(matrix(1, 3, 0)), "x")
  raises(check_data(double()), "x")
})

test_that("what is no table of numbers is refused", {
  bad <- list(
    NULL, NA, "a", letters, factor(c("a", "b")), list(1, 2), sum, quote(x), y ~ x,
    globalenv(), 1i, as.raw(1), as.Date("2020-02-02"), .POSIXct(0), as.difftime(1:3, units = "mins"),
    matrix("a", 2, 2), matrix(list(1, 2), 1), array(1, c(2, 2, 2)), expression(a),
    structure(list(), class = "thing"), structure(1, class = "integer64")
  )
  for (x in bad) raises(check_data(x), "x")
  frames <- list(
    data.frame(a = 1, b = "u"), data.frame(a = factor("u")),
    data.frame(a = as.Date("2020-02-02")), data.frame(a = .POSIXct(0)),
    data.frame(a = as.difftime(1, units = "mins")), data.frame(a = I(list(1)))
  )
  for (x in frames) raises(check_data(x, "people"), "people")
})

test_that("TRUE is 1 and FALSE is 0, and a column without any value is one of numbers", {
  expect_identical(check_data(c(TRUE, FALSE)), matrix(c(1, 0)))
  expect_identical(check_data(matrix(c(TRUE, FALSE), 1)), matrix(c(1, 0), 1))
  mixed <- data.frame(smokes = c(TRUE, FALSE), age = c(40, 50))
  expect_identical(check_data(mixed), cbind(smokes = c(1, 0), age = c(40, 50)))
  # R reads a column of missing values as flags: neighbours with one value must not be told apart by a refusal
  gone <- data.frame(a = c(NA, NA), b = c(1, 2))
  limits <- limits_middle(prior_uniform(0, 10))
  expect_identical(replace_missing(gone, "middle", limits), cbind(a = c(5, 5), b = c(5, 5)))
  expect_identical(replace_missing(gone$a, 3), matrix(c(3, 3)))
  expect_true(dp_median(mixed, 1, lower = 0, upper = c(1, 90))$released)
})

test_that("sparse matrices are refused", {
  raises(check_data(structure(list(1, 2), class = "dgCMatrix")), "x")
})

test_that("a table of a database is sent to dp_tally()", {
  table <- structure(list(src = 1), class = c("tbl_dbi", "tbl_sql", "tbl_lazy", "tbl"))
  expect_error(check_data(table), "with dp_tally().", class = "dpdepth_error_input", fixed = TRUE)
})

test_that("sizes are checked", {
  raises(check_data(1:3, min_n = 4), "x")
  raises(check_data(matrix(1, 3, 2), max_d = 1), "x")
  raises(check_data(matrix(1, 3, 4), min_d = 2, max_d = 3), "x")
  raises(check_data(1:3, min_d = 2), "x")
  expect_identical(check_same_rows(1:3, matrix(0, 3, 2)), NULL)
  raises(check_same_rows(1:3, 1:4), "y")
})

test_that("numbers that are not finite are refused, by column", {
  for (v in c(NA, NaN, Inf, -Inf)) {
    raises(check_data(c(1, v)), "x")
    raises(check_data(data.frame(a = 1:2, b = c(1, v))), "x")
  }
  raises(check_data(NA_integer_), "x")
  passes <- function() is.matrix(tryCatch(check_data(c(1, NA)), dpdepth_error_input = identity))
  expect_false(passes())
  expect_true(caught(bug(passes, "check_data", "if (finite)", "if (FALSE)")))
})

test_that("query points have the data's dimension", {
  expect_identical(check_points(1:3, 1), matrix(as.double(1:3), 3, 1))
  expect_identical(check_points(1:3, 3), matrix(as.double(1:3), 1, 3))
  expect_identical(dim(check_points(matrix(1, 0, 2), 2)), c(0L, 2L))
  raises(check_points(1:3, 2), "x")
  raises(check_points(matrix(1, 2, 2), 1), "x")
  raises(check_points("a", 2), "x")
})

test_that("query points are matched to the data's columns by name", {
  ab <- c("a", "b")
  in_order <- matrix(c(1, 2), 1, dimnames = list(NULL, ab))
  expect_identical(check_points(c(b = 2, a = 1), 2, names = ab), in_order)
  expect_identical(check_points(data.frame(b = 2, a = 1), 2, names = ab), in_order)
  expect_identical(check_points(c(1, 2), 2, names = ab), matrix(c(1, 2), 1))
  expect_identical(check_points(c(b = 2, a = 1), 2), matrix(c(2, 1), 1, dimnames = list(NULL, c("b", "a"))))
  raises(check_points(data.frame(a = 1, c = 2), 2, names = ab), "x")
  raises(check_points(matrix(1, 1, 2, dimnames = list(NULL, c("a", "a"))), 2, names = ab), "x")
  expect_identical(dim(check_points(c(u = 1, v = 2), 1, names = "a")), c(2L, 1L))
  # every depth of points does so
  x <- iris[1:4]
  q <- x[c(3, 80, 120), ]
  for (depth in list(depth_halfspace, depth_simplicial, depth_spatial, depth_irw, depth_idd, depth_projection,
                     outlyingness)) {
    expect_identical(depth(q[4:1], x), depth(q, x))
    expect_error(depth(stats::setNames(q, letters[1:4]), x), "`x` must be named",
                 class = "dpdepth_error_input")
  }
})

test_that("a data frame that was changed by hand is refused by every door", {
  good <- data.frame(y = c(1, 2, 3), x = c(2, 1, 3))
  for (rows in list(1L, seq_len(5))) {
    bad <- structure(good, row.names = rows)
    for (call in expression(
      dp_mean(bad, 1, lower = 0, upper = 4), dp_median(bad, 1, lower = 0, upper = 4),
      dp_tally(bad, lower = 0, upper = 4),
      dp_regression(y ~ x, bad, 1, lower = -4, upper = 4), dp_test(y ~ x, 1, data = bad),
      dp_by(bad, ~x, dp_median, epsilon = 1, levels = 1:3, lower = 0, upper = 4),
      dp_histogram(bad["y"], 1, breaks = 0:4), depth_halfspace(c(1, 1), bad)
    )) {
      expect_error(eval(call), "changed by hand", class = "dpdepth_error_input")
    }
  }
})

test_that("what a class's as.double() says is not shown", {
  registerS3method("as.double", "said_aloud", function(x, ...) {
    warning("77345")
    message("77345")
    as.double(unclass(x))
  })
  x <- structure(c(1, 2, 3), class = "said_aloud")
  expect_silent(dp_mean(x, 10, lower = 0, upper = 4))
  frame <- structure(list(x = x), class = "data.frame", row.names = 1:3)
  expect_silent(dp_mean(frame, 10, lower = 0, upper = 4))
})

test_that("of data that are refused nothing is said but their type, not even that one value is missing", {
  told <- function() {
    text <- tryCatch(check_data(NA_character_), error = conditionMessage)
    !identical(text, tryCatch(check_data("a"), error = conditionMessage))
  }
  expect_false(told())
  expect_true(caught(bug(told, "check_data", "describe_data(x)", "describe(x)")))
})

test_that("column names that are no valid text are refused at every door", {
  bytes <- "caf\xe9"
  Encoding(bytes) <- "bytes"
  for (name in c(bytes, "caf\xe9")) {
    frame <- stats::setNames(data.frame(1:20 + 0, 20:1 + 0, factor(rep(1:2, 10))), c(name, "b", "f"))
    two <- frame[1:2]
    ledger <- dp_ledger(9)
    calls <- list(
      quote(dp_median(two, 1, lower = 0, upper = 30, ledger = ledger)),
      quote(dp_median(as.matrix(two), 1, lower = 0, upper = 30, ledger = ledger)),
      quote(dp_quantile(frame[1], 0.5, 1, lower = 0, upper = 30, ledger = ledger)),
      quote(dp_summary(frame, 1, lower = 0, upper = 30, ledger = ledger)),
      quote(dp_summary(frame, 1, by = ~f, lower = 0, upper = 30, ledger = ledger)),
      quote(dp_by(frame, ~f, dp_median, 1, lower = 0, upper = 30, ledger = ledger)),
      quote(dp_regression(b ~ ., frame, epsilon = 1, lower = -9, upper = 9, ledger = ledger)),
      quote(dp_tally(frame, lower = 0, upper = 30)), quote(dp_test(b ~ f, data = frame, epsilon = 1)),
      quote(dp_correlation(two, 1))
    )
    for (call in calls) {
      expect_error(eval(call), "names in a valid encoding", class = "dpdepth_error_input")
    }
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
})

# -- columns, bounds and their names ---------------------------------------------------------------

test_that("bounds", {
  expect_identical(check_bounds(0, 1:2, 2), list(lower = c(0, 0), upper = c(1, 2)))
  expect_identical(check_bounds(c(b = 0, a = 1), 5, 2, names = c("a", "b"))$lower, c(1, 0))
  raises(check_bounds(c(b = 0, c = 1), 5, 2, names = c("a", "b")), "lower")
  raises(check_bounds(1, 1, 1), "lower")
  raises(check_bounds(c(0, 3), 2, 2), "lower")
  raises(check_bounds(-1e308, 1e308, 1), "upper")
  raises(check_bounds(0, Inf, 1), "upper")
  raises(check_bounds(NA_real_, 1, 1), "lower")
  for (x in list(NULL, "a", 1:3, Sys.Date(), list(1), NA)) raises(check_bounds(x, 1e9, 2), "lower")
})

test_that("one number is for all, a named one for its variable, and the others keep the default", {
  expect_identical(spread_named(2, 3, c("a", "b", "c"), "spread"), c(2, 2, 2))
  expect_identical(match_names(c(b = 1, a = 2), c("a", "b"), "spread"), c(a = 2, b = 1))
  raises(spread_named(c(a = 2), 2, c("a", "b"), "spread"), "spread")
  expect_identical(fill_named(c(b = 8), c(1, 2), c("a", "b")), c(b = 8, a = 1))
  raises(fill_named(c(c = 8), c(1, 2), c("a", "b")), "resolution")
  raises(check_prior_fields(c(0, 1), c(1, 2, 3), c("mean", "sd")), "sd")
})

test_that("the name of one number is for a variable that has it, and a vector's has none", {
  x <- c(1:9)
  ledger <- dp_ledger(100, 0.5)
  refused <- function(expr, arg = "lower") {
    e <- expect_error(expr, class = "dpdepth_error_input")
    expect_identical(e$arg, arg)
    expect_no_match(conditionMessage(e), "foo")
  }
  refused(dp_median(x, 1, lower = c(foo = 0), upper = 10, ledger = ledger))
  refused(dp_median(x, 1, lower = c(foo = 0), upper = c(foo = 10), ledger = ledger))
  refused(dp_median(x, 1, lower = 0, upper = c(foo = 10), ledger = ledger), "upper")
  refused(dp_median(data.frame(a = x), 1, lower = c(foo = 0), upper = 10, ledger = ledger))
  refused(dp_median(x, 1, prior = prior_normal(c(foo = 0), 1), ledger = ledger), "prior")
  refused(dp_mean(x, 1, lower = c(foo = 0), upper = 10, ledger = ledger))
  refused(dp_quantile(x, 0.5, 1, lower = c(foo = 0), upper = 10, ledger = ledger))
  refused(dp_ecdf(x, 1, lower = c(foo = 0), upper = 10, ledger = ledger))
  refused(dp_median_smooth(x, 1, 1e-6, c(foo = 0), 10, ledger = ledger))
  refused(dp_mestimate(x, 1, 1e-6, lower = c(foo = 0), upper = 10, scale = 1, ledger = ledger))
  refused(dp_mestimate(x, 1, 1e-6, lower = 0, upper = 10, scale = c(foo = 1), ledger = ledger), "scale")
  refused(dp_tally(x, lower = c(foo = 0), upper = 10))
  refused(sens_median(x, c(foo = 0), 10, 0.1))
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  # a plan knows no variables, and several numbers may pair by name
  expect_s3_class(plan_median(100, 1, 1, lower = c(foo = 0), upper = 1), "median_plan")
  two <- cbind(x, x, deparse.level = 0)
  paired <- dp_median(two, 1, lower = c(a = 0, b = 0), upper = c(b = 9, a = 9), rng = "R")
  expect_s3_class(paired, "dp_release")
})

test_that("names that are no variable's are counted, not told", {
  told <- given_names(c("b", "agee", "0.7313", NA, "cc"), c("a", "b", "age"))
  expect_identical(told, "`b`, `agee` and 3 other names")
  expect_identical(given_names("x1", c("weight", "age")), "1 other name")
  expect_identical(given_names(c("age", "q"), c(NA, "", "age")), "`age` and 1 other name")
  expect_identical(given_names("q", character()), "1 other name")
  e <- expect_error(dp_median(data.frame(a = 1:3, b = 3:1), 1, lower = c(a = 0, "0.7313" = 1), upper = 9))
  expect_no_match(conditionMessage(e), "7313")
})

test_that("refusals name the argument that is wrong, and what to call instead", {
  d <- data.frame(wage = 1:60, age = 1:60)
  ask <- function(...) expect_error(dp_median(d, 1, ...), class = "dpdepth_error_input")
  e <- ask(lower = c(wag = 0, age = 1), upper = c(wage = 99, age = 99))
  expect_identical(e$arg, "lower")
  e <- ask(lower = c(wage = 0, age = 1), upper = c(wage = 99, ages = 99))
  expect_identical(e$arg, "upper")
  expect_true(caught(bug(function() {
    e <- tryCatch(dp_median(d, 1, lower = c(wag = 0, age = 1), upper = c(wage = 99, age = 99)),
                  error = identity)
    e$arg == "upper"
  }, "check_bounds", "!setequal(names(lower), names(upper))", "FALSE")))
  con <- structure(list(), class = c("SomeConnection", "DBIConnection"))
  expect_error(dp_median(con, 1, lower = 0, upper = 1), "dp_tally(x, table", fixed = TRUE)
  expect_error(dp_median(d, 1, lower = 0, upper = 99, id = "wage"), "id = ~person", fixed = TRUE)
  expect_error(dp_by(d, "wage", epsilon = 1, levels = 1), "by = ~ward", fixed = TRUE)
  expect_error(plan_median(100, 1, 1, sd = 3), "guess at a standard deviation is `spread`", fixed = TRUE)
  expect_error(plan_median(100, 1, 1, scale = 3), "guess at a standard deviation is `spread`", fixed = TRUE)
  fit <- suppressWarnings(dp_regression(wage ~ age + I(age^2), d[rep(1:60, 20), ], 99, lower = -99,
                                        upper = 99, interval = 0.9, rng = "R"))
  expect_error(predict(fit, d, interval = "confidence"), "dp_regression_batches", fixed = TRUE)
})

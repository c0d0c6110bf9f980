# Classed errors: constructors, descriptions without data, text of numbers.

test_that("errors of the kernels are classed", {
  for (kind in c("entropy", "memory", "limit", "internal")) {
    expect_error(stop_status(kind), class = paste0("dpdepth_error_", kind))
  }
})

test_that("a bad argument is named, with what it must be, what it was and how to mend it", {
  e <- tryCatch(stop_input("tau", "below 1", "2.5", "Take a quantile."), error = identity)
  expect_identical(class(e), c("dpdepth_error_input", "dpdepth_error", "error", "condition"))
  expect_identical(e$arg, "tau")
  expect_null(conditionCall(e))
  expect_identical(conditionMessage(e), "`tau` must be below 1, not 2.5. Take a quantile.")
  gone <- tryCatch(stop_input("tau", "given", "missing"), error = conditionMessage)
  expect_identical(gone, "`tau` must be given.")
  # text that is made in the call has a decimal point, and the option comes back
  old <- options(OutDec = ",")
  on.exit(options(old))
  said <- tryCatch(stop_input("tau", "below 1", format(2.5)), error = conditionMessage)
  expect_match(said, "not 2.5.", fixed = TRUE)
  expect_identical(getOption("OutDec"), ",")
  expect_error(with_point(stop("left early")), "left early")
  expect_identical(getOption("OutDec"), ",")
})

test_that("warnings have two classes, and no call", {
  w <- tryCatch(warn_dpdepth("accuracy", "Few rows."), warning = identity)
  expect_identical(class(w), c("dpdepth_warning_accuracy", "dpdepth_warning", "warning", "condition"))
  expect_identical(conditionMessage(w), "Few rows.")
  expect_null(conditionCall(w))
})

test_that("what an argument was is said by its kind, never by value or length", {
  canary <- "77345.125"
  said <- list(
    "NULL" = NULL, "NA" = NA, "a data frame" = data.frame(a = rep(canary, 2)),
    "a factor" = factor(canary), "a function" = function() canary,
    "a character matrix" = matrix(canary, 1, 2), "an integer vector" = integer(),
    "a double vector" = c(77345.125, 1), "a list" = list(canary), "an environment" = globalenv(),
    "a symbol" = as.name(canary), "an object of class <Date>" = Sys.Date(),
    # a class could be any text
    "an object" = structure(list(), class = canary), "an object" = structure(1, class = strrep("a", 41))
  )
  for (i in seq_along(said)) expect_identical(describe(said[[i]]), names(said)[[i]])
  # of data it is not said that a value is missing
  expect_identical(describe_data(NA_character_), "a character vector")
})

test_that("code of others is heard by nobody", {
  expect_silent(value <- muted({
    warning("77345")
    message("77345")
    3
  }))
  expect_identical(value, 3)
  expect_null(muted(stop("77345")))
  old <- options(warn = 2)
  on.exit(options(old))
  expect_identical(muted({
    warning("77345")
    3
  }), 3)
})

test_that("names are quoted, five of many; what is no plain name is told apart", {
  expect_identical(quote_names("a"), "`a`")
  expect_identical(quote_names(letters[1:5]), "`a`, `b`, `c`, `d`, `e`")
  expect_identical(quote_names(letters[1:9]), "`a`, `b`, `c`, `d`, `e` and 4 more")
  expect_identical(vapply(c("a.b_1", "", "1a", "a b", strrep("a", 40), strrep("a", 41)), is_plain_name, NA),
                   c(TRUE, FALSE, FALSE, FALSE, TRUE, FALSE), ignore_attr = TRUE)
})

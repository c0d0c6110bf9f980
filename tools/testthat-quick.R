# testthat-quick.R - testthat without what takes its time and nobody reads, a third of the time of many small
# expectations.
#
# What is equal to the bit is not compared any further, no trace is kept of where a condition came from (the
# runner prints its message and the line), what succeeds is not looked up in the text, and the options of
# printed output, which each test sets, are not set again by each expectation. Where testthat has another
# form, or what it says of a text of good and bad tests is not word for word the same, it is left as it is.

# Replaces a function of testthat, or one that it imports, that has these arguments; gives what takes it back.
replace_one <- function(name, arguments, make) {
  place <- asNamespace("testthat")
  if (!exists(name, place, inherits = FALSE)) place <- parent.env(place)
  old <- get0(name, place, mode = "function", inherits = FALSE)
  if (is.null(old) || !all(arguments %in% names(formals(old)))) return(function() NULL)
  put <- function(value) {
    unlockBinding(name, place)
    assign(name, value, place)
    lockBinding(name, place)
  }
  put(compiler::cmpfun(make(old)))
  function() put(old)
}

replace_all <- function() {
  list(
    replace_one("waldo_compare", c("x", "y"), function(old) {
      function(x, y, ...) if (identical(x, y)) character() else old(x, y, ...)
    }),
    replace_one("cnd_entrace", "cnd", function(old) function(cnd, ...) cnd),
    # what has a place in the text is not looked up
    replace_one("exp_signal", "exp", function(old) {
      function(exp) {
        if (inherits(exp, "expectation_success") && is.null(exp$srcref)) exp$srcref <- 0L
        old(exp)
      }
    }),
    replace_one("local_reporter_output", ".env", function(old) function(.env = NULL) NULL)
  )
}

good_and_bad <- c(
  "test_that('good', {", "expect_true(TRUE)", "expect_equal(1, 1 + 1e-12)", "expect_identical(1:3, 1:3)",
  "expect_error(stop('this'), 'this')", "expect_warning(warning('that'), class = 'simpleWarning')", "})",
  "test_that('bad', {", "expect_true(c(a = NA))", "expect_false(1)", "expect_equal(list(a = 1), list(a = 2))",
  "expect_identical(1L, 1)", "expect_identical(c(b = 1), 1)", "expect_error(1)", "expect_lt(2, 1)",
  "expect_null(list())", "warning('so')", "f <- function() stop('end')", "f()", "})",
  "test_that('another', expect_error(stop('this'), 'that'))",
  "test_that('nothing', NULL)", "test_that('left out', { skip('now') })"
)

# What testthat says of them, a line a result.
said_of_tests <- function() {
  folder <- tempfile("said")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  writeLines(good_and_bad, file.path(folder, "test-said.R"))
  list <- testthat::ListReporter$new()
  testthat::local_edition(3)
  testthat::test_file(file.path(folder, "test-said.R"), reporter = list, load_helpers = FALSE,
                      package = "dpdepth", stop_on_failure = FALSE)
  one <- function(result) {
    good <- inherits(result, "expectation_success")
    paste(class(result)[[1]], if (!good) paste(result$srcref[[1]], conditionMessage(result)))
  }
  lapply(list$get_results(), function(test) c(test$test, vapply(test$results, one, "")))
}

quicken_testthat <- function() {
  said <- said_of_tests()
  back <- replace_all()
  if (length(said) != 5 || !identical(said_of_tests(), said)) {
    for (put_back in back) put_back()
    message("testthat has another form: it runs in its own time")
  }
}

# testthat-quick.R - testthat without what takes its time and nobody reads, a third of the time of many small
# expectations.
#
# What is equal to the bit is not compared any further, no trace is kept of where a condition came from (the
# runner prints its message and the line), what succeeds is not looked up in the text, no text is made of it,
# and of a test's successes the first alone is kept. The options of printed output, which each test sets, are
# not set again by each expectation, and DESCRIPTION is read once. Where testthat has another form, or what it
# says of a text of good and bad tests is not word for word the same, it is left as it is.

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

own <- function(name) get(name, asNamespace("testthat"))

# What an expectation looks at; its label, which only a failure reads, is made when it is read.
labelled <- function(val, lab) {
  act <- new.env(hash = FALSE, parent = emptyenv())
  act$val <- val
  delayedAssign("lab", lab, assign.env = act)
  act
}

replace_all <- function() {
  # by these names an error tells its call
  eval_bare <- rlang::eval_bare
  quo_get_expr <- rlang::quo_get_expr
  quo_get_env <- rlang::quo_get_env
  list(
    replace_one("waldo_compare", c("x", "y"), function(old) {
      function(x, y, ...) if (identical(x, y)) character() else old(x, y, ...)
    }),
    replace_one("cnd_entrace", "cnd", function(old) function(cnd, ...) cnd),
    replace_one("quasi_label", c("quo", "label", "arg"), function(old) {
      function(quo, label = NULL, arg = "quo") {
        if (rlang::quo_is_missing(quo)) return(old(quo, label, arg))
        expr <- quo_get_expr(quo)
        labelled(eval_bare(expr, quo_get_env(quo)),
                 if (is.null(label)) own("expr_label")(expr) else label)
      }
    }),
    replace_one("quasi_capture", c(".quo", ".label", ".capture"), function(old) {
      function(.quo, .label, .capture, ...) {
        act <- labelled(NULL, if (is.null(.label)) own("quo_label")(.quo) else .label)
        act$cap <- .capture(act$val <- eval_bare(quo_get_expr(.quo), quo_get_env(.quo)), ...)
        act
      }
    }),
    replace_one("expect", c("ok", "failure_message"), function(old) {
      last <- NULL
      function(ok, failure_message, ...) {
        if (!isTRUE(ok) || missing(failure_message)) return(old(ok, failure_message, ...))
        # what a reporter has heard of the test: another list for each test
        reporters <- own("get_reporter")()$reporters
        heard <- if (length(reporters) > 0) reporters[[1]]$current_expectations
        if (is.null(heard) || !identical(heard, last)) {
          last <<- heard
          old(ok, "", ...)
        }
        invisible(NULL)
      }
    }),
    replace_one("find_description", c("path", "package"), function(old) {
      known <- list()
      function(path, package = NULL) {
        if (is.null(package)) return(old(path, package))
        if (is.null(known[[package]])) known[[package]] <<- old(path, package)
        known[[package]]
      }
    }),
    # what has a place in the text is not looked up
    replace_one("exp_signal", "exp", function(old) {
      function(exp) {
        if (inherits(exp, "expectation_success") && is.null(exp$srcref)) exp$srcref <- 0L
        old(exp)
      }
    }),
    # the end of a message that only a failure needs: cli takes some hundredths of a second for its marks
    replace_one("snapshot_accept_hint", c("variant", "file"), function(old) {
      function(variant, file, reset_output = TRUE) {
        name <- if (is.null(variant) || variant == "_default") file else file.path(variant, file)
        sprintf("* Run testthat::snapshot_accept('%s') to accept the change.", name)
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
  "expect_null(list())", "expect_silent(message('much'))", "f <- function(x) x",
  "expect_output(cat('one'), 'two')", "expect_match('one', 'two')", "expect_s3_class(1, 'two', exact = TRUE)",
  "expect_named(c(a = 1), 'b')", "expect_length(1:3, 2)", "expect_gte(f(1), f(2), label = 'one')",
  "expect_identical(f(c(1, 2)), f(2:3), info = 'more', expected.label = 'others')",
  "expect_setequal(1:2, 2:3)",
  "expect_type(1L, 'double')", "expect(FALSE, 'own words')", "warning('so')",
  "f <- function() stop('end')", "f()", "})",
  "test_that('another', expect_error(stop('this'), 'that'))",
  "test_that('nothing', NULL)", "test_that('left out', { skip('now') })"
)

# What testthat says of them: whether something of a test has succeeded, and a line for what has not.
said_of_tests <- function() {
  folder <- tempfile("said")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  writeLines(good_and_bad, file.path(folder, "test-said.R"))
  list <- testthat::ListReporter$new()
  testthat::local_edition(3)
  testthat::test_file(file.path(folder, "test-said.R"), reporter = list, load_helpers = FALSE,
                      package = "dpdepth", stop_on_failure = FALSE)
  one <- function(result) paste(class(result)[[1]], result$srcref[[1]], conditionMessage(result))
  lapply(list$get_results(), function(test) {
    good <- vapply(test$results, inherits, NA, "expectation_success")
    c(test$test, any(good), vapply(test$results[!good], one, ""))
  })
}

quicken_testthat <- function() {
  said <- said_of_tests()
  back <- replace_all()
  if (length(said) != 5 || !identical(said_of_tests(), said)) {
    for (put_back in back) put_back()
    message("testthat has another form: it runs in its own time")
  }
}

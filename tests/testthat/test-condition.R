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

# -- cautions --------------------------------------------------------------------------------------

warned <- function(expr) {
  seen <- list()
  withCallingHandlers(expr, warning = function(w) {
    seen <<- c(seen, list(w))
    invokeRestart("muffleWarning")
  })
  for (w in seen) {
    expect_s3_class(w, "dpdepth_warning")
    expect_null(conditionCall(w))
  }
  vapply(seen, function(w) class(w)[[1]], "")
}
privacy <- "dpdepth_warning_privacy"
accuracy <- "dpdepth_warning_accuracy"
x <- 1:200 / 20

test_that("a delta of 1/n or more and a huge epsilon speak, for every mechanism", {
  skip_on_cran()
  many <- rbind(cars, cars, cars, cars)
  fit <- function(..., method = "deepest") {
    dp_regression(dist ~ speed, many, ..., lower = -99, upper = 99, method = method)
  }
  one <- function(epsilon, laplace) laplace(0, 1, epsilon)
  calls <- list(
    function(e, d) dp_median_smooth(x, e, d, 0, 10), function(e, d) dp_median_restricted(x, e, d),
    function(e, d) dp_median(x, e, d, method = "smooth", lower = 0, upper = 10),
    function(e, d) dp_median(x, e, d, method = "restricted"),
    function(e, d) dp_median_projection(x, e, d, eta = 1, tau = 30),
    function(e, d) rival_median(x, e, d, "random_dp", gamma = 0.1), function(e, d) fit(e, d),
    function(e, d) fit(e, d, method = "medsweep"), function(e, d) ptr(9, one, e, d, n = 200)
  )
  for (call in calls) {
    expect_identical(warned(call(12, 1e-6)), character())
    expect_identical(warned(call(12, 1 / 200)), privacy)
    expect_identical(warned(call(21, 1e-6)), privacy)
  }
  expect_identical(warned(dp_median(x, 21, lower = 0, upper = 10)), privacy)
  expect_identical(warned(dp_median(x, 20, lower = 0, upper = 10)), character())
  # a simulation promises nothing; without n, ptr() cannot judge delta
  expect_identical(warned(dp_median(x, 50, lower = 0, upper = 10, rng = "R")), character())
  expect_identical(warned(ptr(9, one, 1, 0.5)), character())
})

test_that("one row, and noise as wide as the bounds", {
  expect_identical(warned(dp_median(3, 1, lower = 0, upper = 10)), accuracy)
  expect_identical(warned(dp_median_smooth(x[1:10], 0.1, 1e-6, 0, 10)), accuracy)
  expect_identical(warned(dp_median_smooth(x, 1, 1e-6, 0, 10)), character())
  expect_identical(warned(dp_regression(dist ~ speed, cars, 0.2, 1e-6, lower = -9, upper = 9,
                                        method = "deepest")), accuracy)
  expect_identical(warned(dp_regression(dist ~ speed, cars, 0.2, 1e-6,
                                        method = "medsweep", lower = -9, upper = 9)),
                   accuracy)
  # what the warning says is so: the scale of the noise, by the law itself
  constants <- smooth_constants(0.1, 1e-6, 1L)
  grid <- smooth_lattice(list(lower = 0, upper = 10), fine_bits(list(lower = 0, upper = 10), constants))
  law <- smooth_law(lattice_rows(matrix(x[1:10]), grid), grid, constants)
  expect_gt(law$scale / 2^scale_bits * grid$step, 10)
})

test_that("a quantile far out is warned of where it fails, and not where it works", {
  skip_on_cran()
  # depth of the best fit: n tau (1 - tau), of weights up to max(tau, 1 - tau)
  warns <- function(n, tau, p = 1) {
    terms <- c("(Intercept)", letters[seq_len(p)])
    directions <- default_fit_directions(p, n, 1)
    length(warned(warn_shallow(n, terms, 1, tau, prior_uniform(-50, 50), directions))) > 0
  }
  for (tau in c(0.5, 0.25, 0.1, 0.95)) for (p in 1:2) {
    rows <- 25 * (p + 1) / (2 * min(tau, 1 - tau))
    expect_true(warns(ceiling(rows) - 1, tau, p))
    # with two regressors fits far off count as well
    expect_false(warns(ceiling(if (p == 1) rows else 1.5 * rows) + 1, tau, p))
  }
  expect_false(warns(400, 0.1))
  set.seed(4)
  far <- function(n, tau) {
    frame <- data.frame(x = stats::rnorm(n), y = stats::rnorm(n))
    any(abs(coef(dp_regression(y ~ x, frame, 1, lower = -50, upper = 50, tau = tau, rng = "R"))) > 5)
  }
  # 60 releases: measured chances of noise are 0.9 and more with the warning, and 0.02 and less without
  expect_gt(sum(replicate(60, suppressWarnings(far(150, 0.1)))), stats::qbinom(ALPHA, 60, 0.8))
  expect_lt(sum(replicate(60, far(400, 0.1))), stats::qbinom(1 - ALPHA, 60, 0.05))
})

test_that("a release keeps what it was warned of, and prints it first", {
  warns <- function(...) suppressWarnings(dp_regression(dist ~ speed, cars, ...))
  one <- warns(0.5, lower = -9, upper = 9)
  expect_match(format(one)[[2]], "^With n = 50, 1 regressor and epsilon = 0.5 the release is likely")
  expect_match(warns(0.5, lower = -9, upper = 9, tau = 0.1)$details$caution, "0.5 and tau = 0.1 the")
  two <- warns(2, lower = -9, upper = 9, tau = c(0.1, 0.5))$details$caution
  expect_match(two, "epsilon = 1 for each quantile the fit for tau = 0.1 is", fixed = TRUE)
  expect_match(warns(0.5, method = "batches", lower = -9, upper = 9)$details$caution, "With n = 50")
  expect_null(dp_regression(dist ~ speed, cars, 2, lower = -9, upper = 9)$details$caution)
  expect_match(plot_title(one), "likely noise")
})

test_that("warnings come before the debit, and know public numbers only", {
  old <- options(warn = 2)
  on.exit(options(old))
  ledger <- dp_ledger(100, 0.5)
  expect_error(dp_median(x, 50, lower = 0, upper = 10, ledger = ledger))
  expect_error(dp_median_smooth(x, 1, 0.1, 0, 10, ledger = ledger))
  expect_identical(summary(ledger)$spent, c(0, 0))
  options(old)
  text <- function(x) {
    said <- character()
    withCallingHandlers(dp_median_smooth(x, 50, 0.4, 0, 10), warning = function(w) {
      said <<- c(said, conditionMessage(w))
      invokeRestart("muffleWarning")
    })
    said
  }
  expect_identical(text(x), text(rev(x)^3 * 1e5 + 0.123))
})

test_that("warnings read well", {
  say <- function(expr) {
    withCallingHandlers(expr, warning = function(w) {
      cat(conditionMessage(w), "\n", sep = "")
      invokeRestart("muffleWarning")
    })
    invisible(NULL)
  }
  expect_snapshot({
    say(dp_median_smooth(x, 50, 0.01, 0, 10))
    say(dp_median(3, 1, lower = 0, upper = 10))
    say(dp_regression(dist ~ speed, cars, 0.2, 1e-6, lower = -9, upper = 9, method = "deepest"))
  })
})

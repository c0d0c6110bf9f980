# Argument checks: every refusal has its class and names the argument; no message holds data.

test_that("numbers, counts, flags and choices", {
  expect_identical(check_number(1L, "a"), 1)
  expect_identical(check_number(0, "a", 0, 1, c(TRUE, FALSE)), 0)
  for (x in list(NULL, NA, NaN, Inf, "1", 1:2, matrix(1), Sys.Date(), TRUE, list(1), factor(1), 1i)) {
    raises(check_number(x, "a"), "a")
    raises(check_count(x, "a"), "a")
  }
  raises(check_number(0, "a", 0, 1), "a")
  raises(check_number(1, "a", 0, 1), "a")
  raises(check_number(-1, "a", 0), "a")
  raises(check_number(-1, "a", 0, closed = c(TRUE, FALSE)), "a")
  raises(check_number(2, "a", upper = 1), "a")
  expect_identical(check_count(3, "a"), 3L)
  for (x in c(0, 1.5, -1, 1e10)) raises(check_count(x, "a"), "a")
  raises(check_count(5, "a", 1, 4), "a")
  expect_true(check_flag(TRUE, "a"))
  for (x in list(NULL, NA, 1, "TRUE", c(TRUE, TRUE))) raises(check_flag(x, "a"), "a")
  expect_identical(check_choice(c("u", "v"), c("u", "v"), "a"), "u")
  expect_identical(check_choice("v", c("u", "v"), "a"), "v")
  for (x in list(NULL, NA_character_, 1, "w", c("v", "u"), factor("u"), "\xff")) {
    raises(check_choice(x, c("u", "v"), "a"), "a")
  }
})

test_that("privacy parameters", {
  expect_identical(check_epsilon(1L), 1)
  for (x in list(0, -1, Inf, NA, NaN, 1e-7, 1e7, "1", NULL, 1:2)) raises(check_epsilon(x), "epsilon")
  expect_identical(check_delta(0, zero = TRUE), 0)
  for (x in list(0, 1, -1, 2, NA, "1", NULL)) raises(check_delta(x), "delta")
})

test_that("the random source is the argument, then the option", {
  old <- options(dpdepth.rng = NULL)
  on.exit(options(old))
  expect_identical(check_rng(NULL), "system")
  options(dpdepth.rng = "R")
  expect_identical(check_rng(NULL), "R")
  expect_identical(check_rng("system"), "system")
  raises(check_rng("r"), "rng")
  options(dpdepth.rng = 1)
  raises(check_rng(NULL), "options(dpdepth.rng = )")
})

test_that("no message holds a value of the data", {
  canary <- 12345.678
  frames <- list(
    c(canary, NA), c(canary, Inf), matrix(as.character(canary), 2, 2), as.character(canary), list(canary),
    factor(canary), data.frame(a = canary, b = "u"), data.frame(a = c(canary, NA)), canary + 0i,
    array(canary, c(1, 1, 1)), structure(canary, class = "Date"), structure(list(canary), class = "thing")
  )
  text <- vapply(frames, function(x) conditionMessage(raises(check_data(x), "x")), "")
  text <- c(text, conditionMessage(raises(check_data(canary, min_n = 2), "x")),
            conditionMessage(raises(check_points(c(canary, canary), 3), "x")),
            conditionMessage(raises(check_number(c(canary, 1), "a"), "a")),
            conditionMessage(raises(check_bounds(c(canary, 1, 2), 1, 2), "lower")))
  expect_false(any(grepl("1234|5678", text)))
})

test_that("of numbers the one that was given alone is told, of several the places", {
  bad <- c(-12345.678, 0.5, 98765.4321)
  two <- cbind(1:9, 9:1)
  calls <- list(
    quote(prior_uniform(bad, c(1, -1, 3))), quote(prior_uniform(bad, -1e6)), quote(prior_uniform(2e6, bad)),
    quote(prior_normal(0, bad)), quote(prior_normal(0, c(1, 2, 8e305) + bad)),
    quote(prior_normal(0, covariance = diag(bad))), quote(prior_dyadic(bad)),
    quote(prior_dyadic(1, bad * 1e13)),
    quote(dp_quantile(1:9, bad, 1, lower = 0, upper = 1)), quote(discrepancy(d = bad[3:2], t = 0.1)),
    quote(dp_regression(y ~ x, data.frame(x = 1:9, y = 1:9), 1, lower = 0, upper = 1, tau = bad)),
    quote(dp_regression(y ~ x, data.frame(x = 1:9, y = 1:9), 1, lower = 0, upper = 1, tau = c(0.5, 0.98765))),
    quote(dilation_beta(1, bad[3:2], 1)), quote(plan_median(9, 3, 1, lower = 0, upper = 1, spread = bad)),
    quote(dp_median_exponential(two, 1, lower = 0, upper = 1, resolution = bad[1:2])),
    quote(dp_median_restricted(two, 1, 1e-6, resolution = bad[1:2])),
    quote(dp_median_projection(two, 9, 1e-6, units = bad[1:2], try_anyway = TRUE)),
    quote(dp_median_smooth(two, 9, 1e-6, lower = bad[1:2], upper = bad[1:2] + 1e-300)),
    quote(dp_median_smooth(two, 9, 1e-6, lower = 0, upper = c(1, 9.8765e-310)))
  )
  for (call in calls) {
    text <- conditionMessage(expect_error(eval(call), class = "dpdepth_error_input"))
    expect_no_match(text, "1234|9876|5678")
  }
  expect_error(prior_uniform(c(a = 1, b = 5.25), c(a = 2, b = 3)), "not at or above it in `b`.", fixed = TRUE)
  expect_error(prior_normal(0, -bad), "not other numbers in places 2, 3.", fixed = TRUE)
  expect_error(prior_normal(c(0, 0), -2.5), "not -2.5.", fixed = TRUE)
  expect_error(dp_median(two, 1, lower = 5, upper = 3), "not 5 where `upper` is 3.", fixed = TRUE)
})

test_that("messages read well", {
  skip_on_cran()
  say <- function(expr) cat(conditionMessage(tryCatch(expr, dpdepth_error = identity)), "\n", sep = "")
  expect_snapshot({
    say(check_data(NULL))
    say(check_data("a"))
    say(check_data(letters))
    say(check_data(matrix("a", 2, 3)))
    say(check_data(list(1)))
    say(check_data(Sys.Date()))
    say(check_data(factor("a")))
    say(check_data(NA))
    say(check_data(sum))
    say(check_data(array(1, c(1, 2, 3))))
    say(check_data(data.frame(age = 1, sex = "f", site = "a")))
    say(check_data(as.data.frame(matrix("a", 1, 9))))
    say(check_data(data.frame(age = c(1, NA), weight = c(NaN, 1), height = c(1, Inf))))
    say(check_data(matrix(c(1, NA, 2, Inf), 2)))
    say(check_data(1:3, min_n = 5))
    say(check_data(1:3, min_d = 2))
    say(check_data(matrix(1, 1, 3), max_d = 2))
    say(check_data(matrix(1, 1, 3), min_d = 2, max_d = 2))
    say(check_points(1:3, 2))
    say(check_points(data.frame(a = 1, c = 2), 2, names = c("a", "b")))
    say(check_same_rows(1:3, 1))
    say(check_epsilon(0))
    say(check_epsilon("1"))
    say(check_delta(1))
    say(check_number(-1, "sd", 0))
    say(check_number(9, "sd", upper = 2))
    say(check_count(0, "n"))
    say(check_count(1e10, "n"))
    say(check_count(2.5, "n", 1, 4))
    say(check_flag(NA, "flag"))
    say(check_choice("halfplane", c("halfspace", "simplicial"), "depth"))
    say(check_choice(strrep("x", 200), "halfspace", "depth"))
    say(check_bounds(3, 2, 1))
    say(check_bounds(1:3, 9, 2))
    say(check_bounds(c(a = 1, c = 2), 9, 2, names = c("a", "b")))
    say(check_rng("r"))
    say(stop_status("entropy"))
    say(stop_status("memory"))
    say(stop_status("limit"))
    say(stop_status("internal"))
  })
})

test_that("every exported function says in a classed error which argument is missing", {
  # the generics of another package, and data that the formula may do without
  others <- c("tidy", "glance", "regress_deepest", "regress_medsweep")
  for (name in setdiff(getNamespaceExports("dpdepth"), others)) {
    fun <- getExportedValue("dpdepth", name)
    given <- formals(fun)
    needed <- names(given)[vapply(given, function(v) is.symbol(v) && !nzchar(as.character(v)), NA)]
    needed <- setdiff(needed, "...")
    if (length(needed) > 0) raises(fun(), needed[[1]])
  }
})

test_that("refusals say how to mend it", {
  mends <- function(expr, text) {
    message <- tryCatch(expr, error = conditionMessage)
    expect_match(message, text, fixed = TRUE)
  }
  mends(check_data(Sys.Date()), "as.numeric()")
  mends(check_data("1"), "as.numeric()")
  mends(check_data(factor("a")), "0 and 1")
  mends(check_data(data.frame(day = Sys.Date(), sex = "f")), "dates and times with as.numeric(). Leave text")
  mends(check_data(list(1, 2)), "as.data.frame()")
  mends(check_data(matrix(0, 1, 9), min_n = 2), "t()")
  mends(check_delta(0), "1e-6")
  mends(check_bounds(3, 2, 1), "changed places")
  mends(check_bounds(1:3, 9, 2), "one for each of the 2")
  mends(prior_normal(0, -1), "how far from `mean`")
  mends(prior_for("a", 1), "prior_uniform(lower, upper)")
  mends(as_directions(diag(2), 3), "directions(3)")
  mends(as_directions(2 * diag(3), 3), "rowSums")
  mends(ledger_spend(1, 1, 0, "a"), "ledger <- dp_ledger")
  # bounds were once blamed on `prior`
  e <- raises(dp_median(1:9, 1, method = "marginal"), "lower")
  expect_match(conditionMessage(e), "with enough rows a median needs none", fixed = TRUE)
  raises(dp_median(1:9, 1, lower = 0), "upper")
  # a class could be any text
  expect_no_match(conditionMessage(raises(check_data(structure(list(), class = "12345.678")), "x")), "1234")
})

test_that("a string is told only where it is near to what it should be", {
  known <- c("median", "exponential", "smooth", "marginal")
  for (x in c("Median", "exp", "exponental", "smoot", "MARGINAL")) {
    expect_match(describe_text(x, known), x, fixed = TRUE)
  }
  far <- c("", "a", "m", "0.7313731", "patient Smith", "\xff\xfe", strrep("median", 50), "expectation")
  for (x in far) expect_identical(describe_text(x, known), "another text")
  # whatever is passed under whatever name
  told <- function(expr) conditionMessage(expect_error(expr, class = "dpdepth_error_input"))
  secret <- "Smith, 0.7313"
  for (text in c(
    told(dp_median(1:9, 1, lower = 0, upper = 9, method = secret)), told(dp_median(1:9, 1, rng = secret)),
    told(dp_median(1:9, 1, neighbours = secret)), told(dp_median_exponential(1:9, 1, depth = secret)),
    told(dp_region(cbind(1:9, 1), 0.5, 1, lower = 0, upper = 9, by = secret)),
    told(dp_regression(y ~ x, data.frame(x = 1:9, y = 9:1), 1, method = secret)),
    told(dp_tally(data.frame(x = 1:9), secret, lower = 0, upper = 9)),
    told(depth_halfspace(1, 1:9, method = secret)), told(directions(2, 5, type = secret)),
    told(predict(regress_deepest(y ~ x, data.frame(x = 1:9, y = c(2, 1, 4, 3, 5:9))), interval = secret)),
    told(dp_histogram(1:9, 1, scale = secret)), told(plan_median(100, 1, 1, method = secret)),
    told(dp_regression(y ~ x, data.frame(x = 1:9, y = 9:1), 1, na = stats::setNames(1:2, c(secret, "x"))))
  )) expect_no_match(text, "Smith|7313")
})

# -- the names in a call: what no function takes is refused, and no value is shown -------------------

canary <- 1234.5678
told <- function(expr) {
  # not expect_error(), which adds a trace to the error
  e <- tryCatch(expr, error = identity)
  expect_s3_class(e, "dpdepth_error_input")
  expect_null(conditionCall(e))
  expect_no_match(paste(c(conditionMessage(e), deparse(unclass(e))), collapse = " "), "1234|5678")
  conditionMessage(e)
}

# The generics of another package take what their methods take.
own_exports <- function() setdiff(getNamespaceExports("dpdepth"), c("tidy", "glance"))

# Whatever the call lacks, its strange argument is refused first.
test_that("every exported function refuses a name that it does not have, and shows no value", {
  skip_on_cran()
  for (name in own_exports()) {
    fun <- getExportedValue("dpdepth", name)
    text <- told(do.call(fun, list(weights = c(canary, 1:3)), quote = TRUE))
    expect_match(text, "`weights` is not an argument", fixed = TRUE)
  }
})

test_that("every exported function refuses too many arguments without names", {
  for (name in own_exports()) {
    fun <- getExportedValue("dpdepth", name)
    text <- told(do.call(fun, rep(list(canary), length(formals(fun)) + 3), quote = TRUE))
    expect_match(text, "without a name", fixed = TRUE)
  }
})

test_that("what follows `...` is the same everywhere, in one order", {
  last <- c("neighbours", "id", "ledger", "rng", "na")
  doors <- Filter(function(name) {
    has <- names(formals(getExportedValue("dpdepth", name)))
    "..." %in% has && any(c("ledger", "neighbours") %in% has)
  }, own_exports())
  expect_gt(length(doors), 20)
  for (name in doors) {
    has <- names(formals(getExportedValue("dpdepth", name)))
    after <- intersect(has, last)
    expect_true(all(match(after, has) > match("...", has)), label = name)
    expect_identical(after, intersect(last, has), label = name)
  }
})

test_that("names are not abbreviated", {
  x <- c(canary, 1:9)
  expect_match(told(dp_median(x, eps = 1, lower = 0, upper = 9)), "`eps` is not an argument of `dp_median()`",
               fixed = TRUE)
  expect_match(told(dp_median(x, 1, low = canary, upper = 9)), "`low` is not an argument", fixed = TRUE)
  expect_match(told(depth_halfspace(1, x, dir = 3)), "in full", fixed = TRUE)
  # in the past R's own error
  expect_match(told(plan_regression(n = 500, d = 2, epsilon = 1, delta = 1e-6, lower = 0, upper = canary)),
               "`d` is not an argument of .*The number of regressors is `p`.")
  expect_match(told(plan_regression(500, d = canary, epsilon = 1)), "The number of regressors is `p`.")
  expect_match(told(plan_median(500, p = canary, epsilon = 1)), "The number of variables is `d`.")
  # a call that passes its own on is not looked into
  pass <- function(...) depth_halfspace(...)
  expect_identical(pass(1, x, directions = 3), depth_halfspace(1, x))
})

test_that("a door says whose argument a name is, or which one is meant", {
  x <- c(canary, 1:9)
  ledger <- dp_ledger(100, 0.5)
  text <- told(dp_median(x, 1, lower = 0, upper = 10, weights = x, ledger = ledger))
  expect_match(text, "`weights` is not an argument of `dp_median()`.", fixed = TRUE)
  expect_match(told(dp_median(x, 1, lower = 0, upper = 10, level = x, ledger = ledger)),
               "`level` is an argument of `dp_median_restricted()`, not of `dp_median()`.", fixed = TRUE)
  expect_match(told(dp_by(faithful, rep(1, 272), levels = 1, epsilon = 1, depth = canary)),
               "`depth` is an argument of `dp_median_exponential()`, not of `dp_by()`.", fixed = TRUE)
  expect_match(told(dp_median(x, 1, lower = 0, upper = 10, directions = x, ledger = ledger)),
               "argument of `dp_median_exponential()` and `dp_median_projection()`, not of", fixed = TRUE)
  expect_match(told(dp_median(x, 1, lower = 0, upper = 10, resolutoin = x, ledger = ledger)),
               "Did you mean `resolution`?", fixed = TRUE)
  expect_no_match(told(dp_median(x, 1, lower = 0, upper = 10, size = x, ledger = ledger)), "mean")
  told(dp_median(x, 1, lower = 0, upper = 10, region = "marginal", ledger = ledger))
  told(dp_median(x, 1, 0.01, method = "smooth", lower = 0, upper = 10, sampler = x, ledger = ledger))
  told(dp_median(x, 1, 0.01, method = "restricted", steps = x, ledger = ledger))
  told(dp_median(x, 1, 0.01, method = "projection", level = x, ledger = ledger))
  told(dp_regression(dist ~ speed, cars, 1, 1e-6, lower = 0, upper = 1, max_iter = x, ledger = ledger,
                     method = "deepest"))
  expect_identical(summary(ledger)["epsilon", "spent"], 0)
})

test_that("the smooth median's regions have a name of their own", {
  x <- cbind(1:20, c(3, 1, 4, 1, 5, 9, 2, 6, 5, 3))
  got <- dp_median_smooth(x, 1, 0.01, lower = 0, upper = 20, region = "marginal")
  expect_identical(got$details$depth, "of each variable")
  expect_error(dp_median_smooth(x, 1, 0.01, lower = 0, upper = 20, region = "odd"),
               "`region` must be one of", class = "dpdepth_error_input")
  expect_identical(dp_median_smooth(x, 1, 0.01, 0, 20, "marginal")$details$depth, "of each variable")
})

test_that("a name that could be made of data is not shown", {
  for (name in c("12.34", "a b", "x\n5678", "", NA, "`")) {
    e <- tryCatch(do.call(dp_median, c(list(1:9, 1), stats::setNames(list(1), name)), quote = TRUE),
                  error = identity)
    expect_s3_class(e, "dpdepth_error_input")
    expect_no_match(paste(conditionMessage(e), e$arg), "12.34|5678|a b")
  }
  long <- paste0("v", strrep("1", 200))
  expect_lt(nchar(told(do.call(dp_median, c(list(1:9, 1), stats::setNames(list(1), long))))), 500)
})

test_that("data in the call itself show in no error or warning of the package", {
  x <- c(canary, 5, 7, NA)
  e <- tryCatch(do.call(dp_median, list(x, 1, lower = 0, upper = 9)), error = identity)
  expect_null(conditionCall(e))
  expect_no_match(paste(deparse(e), collapse = ""), "1234")
  ledger <- dp_ledger(0.5)
  e <- tryCatch(do.call(dp_median, list(x[1:3], 1, lower = 0, upper = 9, ledger = ledger)), error = identity)
  expect_s3_class(e, "dpdepth_error_budget")
  expect_no_match(paste(deparse(unclass(e)), collapse = ""), "1234")
})

test_that("refusals of names read well", {
  say <- function(expr) cat(conditionMessage(tryCatch(expr, dpdepth_error = identity)), "\n", sep = "")
  x <- 1:9
  expect_snapshot({
    say(median_tukey(x, na.rm = TRUE))
    say(median_tukey(x, weights = x))
    say(median_tukey(x, meth = "exact"))
    say(median_tukey(x, "exact", 10, 4))
    say(prior_normal(1, std = 2))
    say(dpdepth::directions(2, 3, 1, "uniform", `a b` = 3))
  })
  # one of the many hints
  expect_match(told(dp_median(x, 1, lower = 0, upper = 10, seed = 1)), "set.seed()", fixed = TRUE)
  # a call that holds the function itself
  owned <- told(do.call(dp_regression, list(dist ~ speed, cars, 1, lower = 0, upper = 9, size = canary)))
  expect_match(owned, "an argument of `dp_regression_batches()`, not of `dp_regression()`", fixed = TRUE)
  expect_match(told(do.call(dp_median, list(x, 1, lower = 0, upper = 9, quantity = canary))),
               "`quantity` is not an argument of `dp_median()`", fixed = TRUE)
})

test_that("a list of arguments has each name once", {
  found <- expect_error(plan_by(c(10, 20), epsilon = 1, strange = 1), class = "dpdepth_error_input")
  expect_length(gregexpr("`epsilon`", conditionMessage(found), fixed = TRUE)[[1]], 1)
})

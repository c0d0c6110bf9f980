# Names of arguments: what no function takes is refused in a classed error that shows the name and no value.

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
})

test_that("a list of arguments has each name once", {
  found <- expect_error(plan_by(c(10, 20), epsilon = 1, strange = 1), class = "dpdepth_error_input")
  expect_length(gregexpr("`epsilon`", conditionMessage(found), fixed = TRUE)[[1]], 1)
})

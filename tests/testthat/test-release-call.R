# Calls in releases: what is public stays, nothing that could hold data does.

test_that("calls keep what is public", {
  skip_on_cran()
  show <- function(call, ...) cat(call_text(sanitize_call(call, ...)), "\n", sep = "")
  f <- function(x, ...) match.call()
  expect_snapshot({
    show(quote(dp_median(x = people, epsilon = 1, delta = 1e-6)))
    show(quote(dpdepth::dp_median(people, 1, ledger = budget, rng = "R")))
    show(quote(dp_median(x = people$age, epsilon = 1 / 3)))
    show(quote(dp_median(epsilon = 1, people)))
    show(quote(dp_median(c(1, 2, 3), epsilon = 1)))
    show(quote(dp_median(x, prior = prior_normal(mean = c(0, -5), sd = 10), lower = c(a = 0, b = 1))))
    show(quote(dp_median(x, lower = min(x), upper = quantile(x, c(0.1, 0.9)), exact = TRUE, gamma = NULL)))
    show(do.call(f, list(data.frame(a = 1), epsilon = 1, directions = diag(2), prior = prior_normal(0, 1))))
    show(do.call(f, list(1:3, epsilon = 1)), fun = "dp_median")
    show(lapply(list(1:3), f, epsilon = 1)[[1]])
    show(quote(dp_regression(weight ~ height + age, data = people, epsilon = 1)), "data")
    show(quote(depth(points, people, 1)), c("data", "points"))
    show(quote(f(x, , function(a) a + 12)))
    show((function(...) f(...))(people, epsilon = 2))
  })
  public <- quote(dp_regression(y ~ I(x - 1), data = d, prior = prior_dyadic(0.5)))
  expect_identical(sanitize_call(public, "data"), public)
  expect_null(sanitize_call(NULL))
  expect_null(sanitize_call(sum))
  # a clean call stays as it is
  clean <- list(quote(f(x = `<data>`, `<expression>`, ..1, stats::sd)), quote(`<function>`(x = `<matrix>`)))
  for (call in clean) {
    once <- sanitize_call(call)
    expect_identical(sanitize_call(once), once)
  }
})

test_that("neither names of arguments nor classes of what was given can bring text along", {
  named <- function(name) {
    sanitize_call(as.call(stats::setNames(list(quote(f), quote(x), 1), c("", "", name))))
  }
  expect_identical(named("epsilon"), quote(f(x, epsilon = 1)))
  for (name in c("12 345", "1.25", "if", strrep("a", 81))) expect_identical(named(name), quote(f(x, 1)))
  kind <- function(value) as.character(sanitize_call(as.call(list(quote(f), quote(x), value)))[[3]])
  for (value in list(1, list(1))) expect_identical(kind(structure(value, class = "c12345")), "<object>")
})

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

# Priors: checks, recycling, names.

test_that("priors keep their fields as doubles of one length", {
  p <- prior_normal(0L, 1:3)
  expect_s3_class(p, c("dp_prior_normal", "dp_prior"), exact = TRUE)
  expect_identical(p$mean, c(0, 0, 0))
  expect_identical(p$sd, c(1, 2, 3))
  q <- prior_uniform(c(a = 0, b = 1), 9)
  expect_s3_class(q, c("dp_prior_uniform", "dp_prior"), exact = TRUE)
  expect_identical(q$lower, c(a = 0, b = 1))
  expect_identical(q$upper, c(a = 9, b = 9))
  expect_identical(prior_uniform(c(a = 0, b = 1), c(b = 9, a = 5))$upper, c(a = 5, b = 9))
})

test_that("bad fields are refused", {
  input <- function(expr, arg) expect_identical(expect_error(expr, class = "dpdepth_error_input")$arg, arg)
  for (x in list(NULL, NA, NaN, Inf, "a", double(), matrix(1, 2, 2), Sys.Date(), list(1), c(1, NA), factor(1))) {
    input(prior_normal(x, 1), "mean")
    input(prior_normal(0, x), "sd")
    input(prior_uniform(x, 1e9), "lower")
    input(prior_uniform(-1e9, x), "upper")
  }
  input(prior_normal(0, 0), "sd")
  input(prior_normal(0, c(1, -1)), "sd")
  input(prior_normal(0, 1e308), "sd")
  input(prior_normal(1:2, 1:3), "sd")
  input(prior_uniform(1, 1), "lower")
  input(prior_uniform(c(0, 2), c(1, 1)), "lower")
  input(prior_uniform(-1e308, 1e308), "upper")
  input(prior_uniform(c(a = 1, b = 2), c(a = 3, c = 4)), "upper")
})

test_that("prior_for() brings a prior to the data's dimension and order", {
  expect_identical(prior_for(prior_normal(0, 2), 3)$sd, c(2, 2, 2))
  expect_identical(prior_for(prior_normal(0, 2), 2, c("a", "b"))$sd, c(a = 2, b = 2))
  p <- prior_uniform(c(b = 0, a = 1), c(b = 9, a = 5))
  expect_identical(prior_for(p, 2, c("a", "b")), prior_uniform(c(a = 1, b = 0), c(a = 5, b = 9)))
  expect_identical(prior_for(p, 2), p)
  input <- function(expr) expect_identical(expect_error(expr, class = "dpdepth_error_input")$arg, "prior")
  input(prior_for(p, 3))
  input(prior_for(p, 2, c("a", "c")))
  for (x in list(NULL, 1, "normal", list(mean = 0, sd = 1))) input(prior_for(x, 1))
})

test_that("priors print on a line", {
  expect_snapshot({
    prior_normal(0, 10)
    prior_normal(c(0, 1 / 3), 10)
    prior_uniform(c(weight = 30, height = 120), c(250, 220))
    prior_uniform(rep(0, 4), rep(1, 4))
  })
  expect_snapshot(error = TRUE, {
    prior_normal(0, -1)
    prior_uniform(2, 1)
    prior_uniform(c(a = 1, b = 2), c(a = 3, c = 4))
    prior_for(prior_normal(1:2, 1), 3)
    prior_for("normal", 1)
  })
})

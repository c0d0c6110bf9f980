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
  bad <- list(NULL, NA, NaN, Inf, "a", double(), matrix(1, 2, 2), Sys.Date(), list(1), c(1, NA), factor(1))
  for (x in bad) {
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
  skip_on_cran()
  expect_snapshot({
    prior_normal(0, 10)
    prior_normal(c(0, 1 / 3), 10)
    prior_uniform(c(weight = 30, height = 120), c(weight = 250, height = 220))
    prior_uniform(rep(0, 4), rep(1, 4))
  })
  expect_snapshot(error = TRUE, {
    prior_normal(0, -1)
    prior_uniform(2, 1)
    prior_uniform(c(a = 1, b = 2), c(a = 3, c = 4))
    prior_uniform(c(a = 1, b = 2), c(3, 4))
    prior_uniform(c(a = 1, b = 2), c(a = 3))
    prior_for(prior_normal(c(a = 1), 1), 2, c("a", "b"))
    prior_for(prior_normal(1:2, 1), 3)
    prior_for("normal", 1)
  })
})

test_that("named numbers are for the variables named, all of them", {
  skip_on_cran()
  x <- data.frame(age = c(12, 30, 50), lwt = c(100, 120, 300))
  ledger <- dp_ledger(10, 0.1)
  input <- function(expr) {
    expect_error(expr, class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  pairs <- list(list(c(lwt = 60, age = 12), c(61, 400)), list(c(lwt = 60), 400), list(c(foo = 1), 400),
                list(1, c(age = 400)), list(c(lwt = 60, age = 12), c(age = 400)), list(c(lwt = 60, 12), 400),
                list(c(lwt = 60, foo = 12), 400), list(c(1, 2), c(lwt = 60, age = 12)),
                list(c(age = 1, lwt = 2), c(61, 400)))
  for (p in pairs) {
    input(dp_median(x, 1, lower = p[[1]], upper = p[[2]], ledger = ledger))
    input(dp_median_smooth(x, 1, 1e-6, p[[1]], p[[2]], ledger = ledger))
    input(dp_median_exponential(x, 1, prior = prior_uniform(p[[1]], p[[2]]), ledger = ledger))
    input(dp_median_exponential(x, 1, prior = prior_normal(p[[1]], p[[2]]), ledger = ledger))
  }
  lower <- suppressWarnings(dp_median_smooth(x, 1, 1e-6, c(lwt = 60, age = 12),
                                             c(age = 61, lwt = 400)))$details$lower
  expect_identical(lower, c(age = 12, lwt = 60))
  prior <- dp_median(x, 1, lower = c(lwt = 60, age = 12), upper = c(age = 61, lwt = 400))$details$prior
  expect_identical(prior, prior_uniform(c(age = 12, lwt = 60), c(age = 61, lwt = 400)))
  # data without names: places count, and the two ends are paired by name
  plain <- suppressWarnings(dp_median_smooth(unname(as.matrix(x)), 1, 1e-6, c(a = 12, b = 60),
                                             c(b = 400, a = 61)))$details
  expect_identical(unname(plain$upper), c(61, 400))
  # bounds are not blamed on a prior
  blamed <- function(...) expect_error(dp_median(x, 1, ...), class = "dpdepth_error_input")$arg
  expect_identical(blamed(lower = 1:3, upper = 9), "lower")
  expect_identical(blamed(lower = 1), "upper")
  expect_identical(blamed(upper = 1), "lower")
  expect_identical(blamed(lower = 2, upper = 1), "lower")
})

# Influence functions and the bound of smooth sensitivities: cases by hand, brute force, pictures, refusals.

test_that("the influence function is psi over its mean slope", {
  x <- c(-2, -1, 0, 1, 2) * 3
  f <- influence_function(x, scale = 3, at = c(-30, -1.5, 0, 1.5, 30))
  # three of five rows answer, and count in full
  expect_equal(f$value, c(estimate = 0, gross_error_sensitivity = 1.345 * 3 / 0.6))
  expect_equal(f$curve$influence, c(-1.345 * 3, -1.5, 0, 1.5, 1.345 * 3) / 0.6)
  expect_s3_class(f, c("nonprivate_influence", "nonprivate"), exact = TRUE)
  expect_output(print(f), "NOT PRIVATE")
  g <- influence_function(x, "tukey", scale = 3, at = c(3, 1e6))
  expect_identical(g$curve$influence[[2]], 0)
  expect_gt(g$curve$influence[[1]], 0)
})

test_that("a row more moves the estimate as the curve says, for many rows", {
  set.seed(1)
  x <- stats::rnorm(2000) # public-rng: simulated data
  for (kind in psi_kinds) {
    f <- influence_function(x, kind, scale = 1, at = seq(-6, 6, 0.5))
    expect_lt(max(abs(f$curve$influence - f$curve$fixed_share)), 0.02)
    expect_lte(max(abs(f$curve$influence)), f$value[["gross_error_sensitivity"]] * (1 + 1e-9))
  }
})

test_that("replaced rows move the estimate by no more than the bound, distance by distance", {
  skip_on_cran()
  set.seed(2)
  box <- list(lower = -9, upper = 9, scale = 1, distance = 9)
  for (kind in c("huber", "logistic")) {
    x <- matrix(stats::rnorm(3000)) # public-rng: simulated data
    s <- sens_mestimate(x, -9, 9, 0.2, kind, scale = 1)
    psi <- psi_make(kind)
    expect_lt(s$value, 0.02)
    worst <- 0
    for (k in c(0, 5, 20, 60)) {
      y <- x
      y[order(x)[seq_len(k)]] <- 9
      before <- mestimate_fit(y, box, psi)$estimate
      y[which.min(y)] <- 9
      worst <- max(worst, exp(-0.2 * k) * abs(mestimate_fit(y, box, psi)$estimate - before))
    }
    expect_gt(s$value, worst)
    expect_lt(s$value, 6 * worst)
  }
})

test_that("few rows, or rows that do not answer, have the whole range", {
  skip_on_cran()
  expect_identical(sens_mestimate(c(1, 2), 0, 5, 0.1, scale = 1)$value, 5)
  expect_identical(sens_mestimate(rep(c(0, 100), 3000), 0, 100, 0.1, scale = 1)$value, 100)
  s <- sens_mestimate(faithful$waiting, 0, 180, 1, scale = 15)
  expect_equal(s$radius, sqrt(2 * log(40) / 272))
  expect_output(print(s), "NOT PRIVATE")
})

test_that("the picture is drawn, and what cannot be is refused", {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  f <- influence_function(faithful$waiting, scale = 15)
  expect_invisible(plot(f))
  expect_identical(plot(f, main = "x"), f)
  grDevices::dev.off()
  expect_gt(file.size(file), 1000)
  unlink(file)
  refused <- function(expr) expect_error(expr, class = "dpdepth_error_input")
  refused(influence_function(faithful, scale = 1))
  refused(influence_function(1:9))
  refused(influence_function(1:9, scale = 0))
  refused(influence_function(1:9, scale = 1, at = "a"))
  refused(influence_function(c(1, NA), scale = 1))
  refused(sens_mestimate(1:9, 0, 10, 0.1, "tukey", scale = 1))
  refused(sens_mestimate(1:9, 10, 0, 0.1, scale = 1))
  refused(sens_mestimate(1:9, 0, 10, 0, scale = 1))
  refused(sens_mestimate(1:9, 0, 10, 0.1, scale = 1, eta = 1))
  refused(sens_mestimate(1:9, 0, 10, 0.1, scale = 1, weights = 2))
})

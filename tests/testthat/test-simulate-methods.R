# Prints and summaries of simulations.

# Numbers that are known: the replicate's in the first cell, twice that in the second.
known <- function(...) {
  simulate_releases(list(times = 1:2), draw = function(times, replicate) times * replicate,
                    estimate = list(itself = function(x) x), ..., replicates = 10)
}

test_that("a summary has means with their standard errors", {
  s <- summary(known(measure = list(error = function(estimate) estimate - 1,
                                    small = function(estimate) estimate < 5)))
  v <- 0:9
  expect_identical(s$times, c(1L, 1L, 2L, 2L))
  expect_identical(s$measure, rep(c("error", "small"), 2))
  expect_identical(s$replicates, rep(10L, 4))
  expect_equal(s$mean[[1]], 4.5)
  expect_equal(s$mean_se[[1]], stats::sd(v) / sqrt(10))
  expect_equal(s$rmse[[1]], sqrt(mean(v^2)))
  expect_equal(s$rmse_se[[1]], stats::sd(v^2) / sqrt(10) / (2 * sqrt(mean(v^2))))
  expect_equal(s$median[[1]], 4.5)
  # the 2nd and the 9th of ten hold the median with 95%
  expect_equal(s$median_se[[1]], (8 - 1) / (2 * stats::qnorm(0.975)))
  expect_equal(s$coverage, c(NA, 0.4, NA, 0.2))
  # Wilson's limits
  limits <- as.matrix(s[c("coverage_low", "coverage_high")])
  expect_true(all(is.na(limits[c(1, 3), ])))
  wilson <- function(k) suppressWarnings(stats::prop.test(k, 10, correct = FALSE))$conf.int
  expect_equal(c(t(limits[c(2, 4), ])), c(wilson(4), wilson(2)))
})

test_that("a coverage of one has a limit below one", {
  expect_equal(monte_carlo(rep(1, 100), TRUE)[c("coverage_low", "coverage_high")],
               c(coverage_low = 100 / (100 + stats::qnorm(0.975)^2), coverage_high = 1))
  s <- simulate_releases(list(n = 5), function(n) n, median, list(is = function(estimate) TRUE),
                         replicates = 20)
  expect_identical(simulation_frame(s, NULL, NULL)[c("low", "shown", "high")],
                   data.frame(low = summary(s)$coverage_low, shown = 1, high = 1))
})

test_that("standard errors are those of repeated simulations", {
  # normal numbers at the places of an equidistributed sequence: no test of chance
  runs <- matrix(stats::qnorm((seq_len(400 * 100)^2 * sqrt(2)) %% 1), 400)
  errors <- apply(runs, 1, function(v) monte_carlo(v, FALSE))
  for (name in c("mean", "rmse", "median")) {
    ratio <- mean(errors[paste0(name, "_se"), ]) / stats::sd(errors[name, ])
    expect_lt(abs(ratio - 1), 0.2)
  }
})

test_that("sums of nothing, of one, of zeros and of the largest numbers are finite or missing", {
  expect_true(all(is.na(monte_carlo(NA_real_, TRUE))))
  expect_identical(monte_carlo(3, FALSE)[c("mean", "rmse", "median")], c(mean = 3, rmse = 3, median = 3))
  expect_identical(monte_carlo(c(0, 0), FALSE)[["rmse_se"]], 0)
  expect_equal(monte_carlo(c(-1e300, 1e300), FALSE)[["rmse"]], 1e300)
})

test_that("failed, withheld and missing values are counted", {
  found <- simulate_releases(
    list(), draw = function(replicate) replicate,
    estimate = function(x) if (x == 1) stop("first") else c(a = x, b = if (x > 4) NA else x),
    replicates = 6
  )
  s <- summary(found)
  expect_identical(s$term, c("a", "b"))
  expect_identical(s$failed, c(1L, 1L))
  expect_identical(s$missing, c(0L, 2L))
  expect_identical(s$mean, c(4, 3))
  none <- summary(simulate_releases(list(), function() 1, function(x) stop("all"), replicates = 2))
  expect_identical(none[c("replicates", "failed", "withheld", "mean")],
                   data.frame(replicates = 2L, failed = 2L, withheld = 0L, mean = NA_real_))
})

test_that("a print says what it is, and that nothing is for release", {
  expect_snapshot({
    known()
    known(measure = list(large = function(estimate) estimate > 3))
    known(measure = list(error = function(estimate) if (estimate > 15) stop("too large") else estimate,
                         large = function(estimate) estimate > 3))
  })
  expect_identical(nrow(as.data.frame(known(), row.names = letters[1:20])), 20L)
})

test_that("the print of failed runs shows the first message", {
  found <- simulate_releases(list(n = 5), function(n) rep(1, n), function(x) x[[1]], truth = c(1, 2),
                             replicates = 2)
  expect_match(paste(format(found), collapse = " "), "function of factors, such as function(n, law)",
               fixed = TRUE)
})

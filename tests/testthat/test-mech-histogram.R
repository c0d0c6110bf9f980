# Private histograms: exact laws of neighbours by enumeration of the noise, thresholds, bins of numbers of
# any size, planted bugs.

test_that("laws of neighbours are as close as they are to be, with public bins and with infinitely many", {
  skip_on_cran()
  expect_false(histograms_are_wrong())
  # delta is used up: the single row's bin shows as often as the threshold allows
  worst <- histogram_gap(c(1, 1), c(1, 2), 2, 0.05)
  rate <- histogram_rate(2, FALSE)
  shows <- exp(-(stability_threshold(rate, 0.05) - 1)) / (1 + exp(-1))
  expect_equal(worst, shows, tolerance = 1e-3)
})

test_that("planted bugs are seen", {
  skip_on_cran()
  planted <- function(...) caught(bug(histograms_are_wrong, ...))
  # a replaced row moves two counts
  expect_true(planted("histogram_rate", "if (private)", "if (!private)"))
  expect_true(planted("stability_threshold", "-log(delta)", "-log(delta)/1.5"))
  expect_true(planted("stable_bins", "noisy >= threshold", "noisy >= threshold - 1"))
  expect_true(planted("noisy_counts", "length(counts)", "1L")) # one bin's noise for two
  expect_true(planted("stable_bins", "count = noisy[kept]", "count = held$count[kept]"))
})

test_that("the threshold is the least that delta allows", {
  for (epsilon in c(1e-5, 0.1, 1, 20, 1e5)) for (delta in c(1e-300, 1e-6, 0.2, 0.9)) {
    rate <- histogram_rate(epsilon, FALSE)
    t <- stability_threshold(rate, delta)
    log_p <- function(t) -(t - 1) * rate[[1]] / rate[[2]] - log1p(exp(-rate[[1]] / rate[[2]]))
    expect_lte(log_p(t), log(delta) + (t == 1) * 1e9)
    if (t > 2) expect_gt(log_p(t - 2), log(delta))
  }
})

test_that("bins hold the numbers between their edges, whatever the numbers' size", {
  set.seed(3)
  tiny <- 2^-1074
  x <- c(0, tiny, -tiny, 3 * tiny, 2^-1022, 1e-300, -1e300, 1e300, .Machine$double.xmax, 1, 2, 4, -8,
         0.1, 0.3, 2^(-20:20), 2^(-20:20) * (1 + 2^-52), -2^(-20:20) * (1 - 2^-53),
         stats::rnorm(50) * 1e9) # public-rng: simulated data
  k <- binade_bins(x)
  ends <- binade_ends(k)
  expect_true(all(ifelse(x > 0, ends$from < x & x <= ends$to, ends$from <= x & x < ends$to)[x != 0]))
  expect_true(all(ends$from[x == 0] == 0 & ends$to[x == 0] == 0))
  expect_true(all(abs(ends$to - ends$from)[x > 2^-1000 & x < 2^1000] ==
                    pmin(ends$from, ends$to)[x > 2^-1000 & x < 2^1000]))
  for (w in c(0.1, 1, 1e-300, 2^-1000, 3e200)) for (o in c(0, 0.05, -2^40 * 0.7)) {
    j <- width_bins(x, w, o * w)
    ends <- width_ends(j, w, o * w)
    expect_true(all(ends$from <= x & (x < ends$to | is.infinite(ends$to))))
    expect_identical(j, vapply(x, width_bins, 0, w, o * w)) # a function of one row
  }
})

test_that("the points of a tally count as often as they have rows, however many", {
  values <- c(-0.25, 0, 0.5, 2, 2.25, 9)
  times <- c(3, 1, 4, 1, 5, 9)
  bins <- histogram_bins(values, 0:5, NULL, NULL, 0)
  wide <- histogram_bins(values, NULL, NULL, 1, 0)
  still <- function(counts, rate, source) counts
  plan <- list(rate = c(1, 1), threshold = 2)
  with_bindings(list(noisy_counts = still), {
    for (b in list(bins, wide)) {
      expect_equal(draw_histogram(list(value = values, count = times), b, plan, "R"),
                   draw_histogram(list(value = rep(values, times)), b, plan, "R"))
    }
  })
  many <- new_tally(cbind(a = c(0, 1)), c(1e9, 1e9), 0, 4, 1)
  expect_equal(unname(coef(dp_histogram(many, 1, breaks = 0:2, rng = "R"))), c(1e9, 1e9), tolerance = 1e-6)
  private <- dp_histogram(many, 1, breaks = 0:2, neighbours = "add_remove", rng = "R")
  expect_true(is.na(nobs(private)))
})

test_that("bins of entries in any order have the entries' rows", {
  expect_equal(bin_counts(c(2, 1, 2, -0), c(5, 1, 3, 7)), list(bin = 0:2 + 0, count = c(7, 1, 8)))
})

# The least number that will do.

test_that("the least number that will do, within the ratio, or NA beyond the end", {
  for (least in c(1.5, 37.3, 1e4)) {
    for (ratio in c(1.1, 1 + 1e-6)) {
      asked <- 0
      found <- search_minimum(function(v) {
        asked <<- asked + 1
        v >= least
      }, 1, 1e6, ratio)
      expect_gte(found, least)
      expect_lte(found, least * ratio)
      expect_lt(asked, 60)
    }
  }
  expect_identical(search_minimum(function(v) v >= 1000, 1, 500, 1.1), NA_real_)
  expect_identical(search_minimum(function(v) FALSE, 1, 500, 1.1), NA_real_)
  # what does at once: no less than the start
  expect_gte(search_minimum(function(v) TRUE, 3, 500, 1.01), 3)
  expect_identical(bisect_minimum(function(v) stop("not asked"), 4, 4.1, 1.1), 4.1)
})

test_that("the least whole number that will do, or NA", {
  for (least in c(1, 2, 3, 17, 64, 999, 1000)) {
    expect_identical(search_count(function(v) v >= least, 1, 1000), as.double(least))
  }
  expect_identical(search_count(function(v) v > 1000, 1, 1000), NA_real_)
  expect_identical(search_count(function(v) TRUE, 5, 5), 5)
})

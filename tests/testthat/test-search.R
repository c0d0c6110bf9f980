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
  # to within a share
  asked <- 0
  found <- search_count(function(v) {
    asked <<- asked + 1
    v >= 777777
  }, 1, 1e6, within = 1e-2)
  expect_true(found >= 777777 && found <= 777777 * 1.01 && asked < 30)
})

test_that("what is remembered is made once, and nothing is left of what fails", {
  memory <- new.env()
  made <- 0
  of <- function(key) {
    remembered(memory, key, {
      made <- made + 1
      assign("made", made, environment(of))
      paste("of", key)
    })
  }
  expect_identical(c(of("a"), of("a"), of("b")), c("of a", "of a", "of b"))
  expect_identical(made, 2)
  expect_error(remembered(memory, "c", stop("no")))
  expect_identical(sort(names(memory)), c("a", "b"))
  expect_true(caught(bug(function() {
    made <<- 0
    rm(list = ls(memory), envir = memory)
    of("a")
    of("a")
    made > 1
  }, "remembered", "is.null(memory[[key]])", "TRUE")))
})

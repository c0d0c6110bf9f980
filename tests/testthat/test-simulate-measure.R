# Measures of simulations: those that have names, and the truth they compare with.

test_that("measures by name are what they say", {
  m <- simulation_measures
  estimate <- c(a = 3, b = 5)
  expect_identical(m$error(estimate, 1), c(a = 2, b = 4))
  expect_identical(m$error(estimate, c(b = 5, a = 1)), c(a = 2, b = 0))
  expect_identical(m$error(estimate, c(1, 5)), c(a = 2, b = 0))
  expect_identical(m$distance(estimate, c(0, 1)), 5)
  release <- structure(list(interval = rbind(a = c(1, 4), b = c(5, Inf))), class = "dp_release")
  expect_identical(m$covers(estimate, release, 4), c(a = TRUE, b = FALSE))
  expect_identical(m$covers(estimate, release, c(0, 5)), c(a = FALSE, b = TRUE))
  expect_identical(m$width(release), c(a = 3, b = Inf))
  expect_snapshot(error = TRUE, {
    m$error(estimate, 1:3)
    m$distance(NULL, 0)
    m$width(list())
  })
})

test_that("measures are given by name, as functions, or both", {
  expect_identical(check_measures("covers"), simulation_measures["covers"])
  expect_identical(check_measures(c("error", "width")), simulation_measures[c("error", "width")])
  both <- check_measures(list("error", far = "distance", own = max))
  expect_identical(both, list(error = simulation_measures$error, far = simulation_measures$distance,
                              own = max))
  expect_identical(check_measures(max), list(measure = max))
  expect_snapshot(error = TRUE, {
    check_measures("mse")
    check_measures(list(max))
    check_measures(1)
    check_truth("0")
  })
})

# Results without privacy: marked, and printed with a warning.

test_that("results without privacy warn when printed", {
  v <- new_nonprivate(0.25, beta = 0.05, what = "smooth sensitivity of the median")
  expect_identical(v$value, 0.25)
  expect_identical(v$beta, 0.05)
  expect_snapshot(v)
})

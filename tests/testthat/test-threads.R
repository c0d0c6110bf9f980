# test-threads.R - the setting of threads: its value, its change, its refusals.

test_that("dpdepth_threads() returns the old value and sets the new one", {
  old <- dpdepth_threads()
  on.exit(options(dpdepth.threads = old))
  expect_gte(old, 1)
  expect_identical(dpdepth_threads(1), old)
  expect_identical(dpdepth_threads(), 1L)
})

test_that("a bad number of threads is refused", {
  expect_error(dpdepth_threads(0), class = "dpdepth_error_input")
  expect_error(dpdepth_threads(1.5), class = "dpdepth_error_input")
  expect_error(dpdepth_threads("two"), class = "dpdepth_error_input")
  expect_error(dpdepth_threads(NA), class = "dpdepth_error_input")
})

test_that("checks get at most two threads", {
  before <- Sys.getenv("_R_CHECK_LIMIT_CORES_", NA)
  on.exit(if (is.na(before)) Sys.unsetenv("_R_CHECK_LIMIT_CORES_")
          else Sys.setenv("_R_CHECK_LIMIT_CORES_" = before))
  Sys.setenv("_R_CHECK_LIMIT_CORES_" = "TRUE")
  expect_lte(default_threads(), 2L)
})

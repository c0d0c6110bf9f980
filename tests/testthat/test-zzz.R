# Loading the package: the process is remembered, and a number of threads that was set is kept.

test_that("loading keeps the user's number of threads and takes the default only without one", {
  old <- options(dpdepth.threads = 7L)
  loaded <- process$loaded
  on.exit({
    options(old)
    assign("loaded", loaded, process)
  })
  assign("loaded", -1L, process)
  .onLoad(NULL, "dpdepth")
  expect_identical(process$loaded, Sys.getpid())
  expect_identical(getOption("dpdepth.threads"), 7L)
  options(dpdepth.threads = NULL)
  .onLoad(NULL, "dpdepth")
  expect_identical(getOption("dpdepth.threads"), default_threads())
})

test_that("in a process that did not load the package there is one thread, whatever the option says", {
  old <- options(dpdepth.threads = 7L)
  loaded <- process$loaded
  on.exit({
    options(old)
    assign("loaded", loaded, process)
  })
  assign("loaded", Sys.getpid(), process)
  expect_identical(usable_threads(), 7L)
  assign("loaded", -1L, process)
  expect_identical(usable_threads(), 1L)
})

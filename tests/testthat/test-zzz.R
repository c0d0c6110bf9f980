# Loading the package: the process is remembered, and a number of threads that was set is kept.

# Runs code with 7 threads set and as if another process had loaded the package.
elsewhere <- function(code) {
  old <- options(dpdepth.threads = 7L)
  loaded <- process$loaded
  on.exit({
    options(old)
    assign("loaded", loaded, process)
  })
  assign("loaded", -1L, process)
  force(code)
}

test_that("loading keeps the user's number of threads and takes the default only without one", {
  elsewhere({
    .onLoad(NULL, "dpdepth")
    expect_identical(process$loaded, Sys.getpid())
    expect_identical(getOption("dpdepth.threads"), 7L)
    options(dpdepth.threads = NULL)
    .onLoad(NULL, "dpdepth")
    expect_identical(getOption("dpdepth.threads"), default_threads())
  })
})

test_that("in a process that did not load the package there is one thread, whatever the option says", {
  elsewhere({
    expect_identical(usable_threads(), 1L)
    assign("loaded", Sys.getpid(), process)
    expect_identical(usable_threads(), 7L)
  })
})

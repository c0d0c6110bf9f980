# What tests of several files expect.

# run() gives the same bits on one thread and on two, and leaves R's generator alone.
expect_same_bits <- function(run) {
  seed <- globalenv()$.Random.seed
  on_threads <- function(threads) {
    old <- dpdepth_threads(threads)
    on.exit(dpdepth_threads(old))
    run()
  }
  expect_identical(on_threads(1), on_threads(2))
  expect_identical(globalenv()$.Random.seed, seed)
}

# A result that is not private says so, prints and draws.
expect_marked <- function(x) {
  expect_s3_class(x, "nonprivate")
  expect_output(print(x), "NOT PRIVATE")
  pdf(NULL)
  on.exit(dev.off())
  expect_identical(withVisible(plot(x)), list(value = x, visible = FALSE))
}

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

# Plots with base graphics and, where it is installed, ggplot2 end without an error.
expect_pictures <- function(x) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(x), x)
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(x), "ggplot")
  ggplot2::ggplotGrob(ggplot2::autoplot(x))
}

# The largest number of each row of a matrix with few columns.
most_of_rows <- function(m) do.call(pmax, lapply(seq_len(ncol(m)), function(j) m[, j]))

# The rows of a tally, in the order of its points.
sorted_rows <- function(t) t$points[rep.int(seq_along(t$count), t$count), , drop = FALSE]

# A refusal of the argument `arg`, with its class and without a call.
raises <- function(expr, arg) {
  e <- expect_error(expr, class = "dpdepth_error_input")
  expect_identical(e$arg, arg)
  expect_s3_class(e, "dpdepth_error")
  expect_null(conditionCall(e))
  invisible(e)
}

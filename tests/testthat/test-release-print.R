# What is printed of releases, and what their summaries have.

test_that("beside the estimate at most eight lines are printed, and summary() has all of them", {
  # one line per property
  old <- options(width = 1000)
  on.exit(options(old))
  x <- faithful$waiting
  releases <- list(
    dp_median(faithful, 9, lower = 0, upper = 200, interval = 0.9), dp_test(x - 76, 9),
    dp_histogram(x, 9, breaks = 4:10 * 10), dp_correlation(iris[1:4], 9, interval = 0.9),
    dp_scale(x, 9, 0, 200, interval = 0.9), dp_ecdf(x, 9, lower = 0, upper = 200, band = 0.9),
    dp_by(iris$Petal.Width, iris$Species, dp_median, 9, lower = 0, upper = 9, groups = "public")
  )
  for (release in releases) {
    lines <- format(release)
    expect_identical(capture.output(print(release)), lines)
    blank <- which(lines == "")
    expect_length(blank, 2)
    beside <- lines[-seq(blank[[1]], blank[[2]])]
    expect_lte(length(beside), 8)
    label <- function(line) sub("  .*", "", line)
    all <- format(summary(release))
    expect_true(all(label(beside) %in% label(all)))
    expect_true(all(c("neighbours", "mechanism", "noise", "call") %in% label(all)))
    expect_false(any(c("neighbours", "mechanism", "noise", "call") %in% label(beside)))
  }
})

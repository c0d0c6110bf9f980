# The population side: discrepancy functions and constants.

value <- function(...) discrepancy(...)$alpha

test_that("it increases in t, and its inverse inverts it", {
  t <- c(0.2, 0.5, 1, 2, 5)
  for (depth in c("halfspace", "irw", "idd")) {
    for (distribution in c("gaussian", "cauchy")) {
      expect_true(all(diff(value(depth, distribution, t, 3, directions = 500)) > 0))
    }
    found <- discrepancy(depth, "gaussian", alpha = 0.1, d = c(2, 20))
    for (i in 1:2) expect_equal(value(depth, "gaussian", found$t[[i]], found$d[[i]]), 0.1, tolerance = 1e-6)
  }
  expect_identical(discrepancy("halfspace", "gaussian", alpha = 0.6, d = 2)$t, Inf)
  # halfspace depth suffers least from heavy tails in many dimensions (Figure 1 of the paper)
  tails <- discrepancy(c("halfspace", "irw", "idd"), "cauchy", alpha = 0.05, d = 20, directions = 1000)
  expect_identical(order(tails$t), 1:3)
})

test_that("print, plot and constants", {
  found <- discrepancy(c("halfspace", "idd"), "gaussian", t = c(0.5, 1), d = c(2, 5))
  expect_output(print(found), "Fall of depth")
  expect_output(print(discrepancy("irw", "gaussian", alpha = 0.1, d = 2)), "Distance from the median")
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  expect_identical(plot(found), found)
  plot(discrepancy("halfspace", "cauchy", alpha = 0.1, d = c(2, 5, 10)))
  grDevices::dev.off()
  unlink(file)
  k <- depth_constants(2, 10)
  expect_identical(k$sensitivity[k$depth == "idd"], 0.1)
  expect_identical(k$sensitivity[k$depth == "simplicial"], 0.3)
  expect_error(discrepancy("projection", "gaussian", 1, 2), "`depth`", class = "dpdepth_error_input")
  expect_error(discrepancy("irw", "gaussian", 0, 2), "`t`", class = "dpdepth_error_input")
  expect_error(discrepancy("irw", "gaussian", 1, 2, scale = 1:3), "`scale`", class = "dpdepth_error_input")
  expect_error(discrepancy("irw", "gaussian", 1, 2.5), "`d`", class = "dpdepth_error_input")
})

test_that("scales beyond what doubles square, and dimensions beyond integers, are refused", {
  expect_error(discrepancy("halfspace", "cauchy", alpha = 0.01, d = 5, scale = 1e-300),
               class = "dpdepth_error_input")
  expect_error(discrepancy("idd", "gaussian", 1, 3, scale = 1e200), class = "dpdepth_error_input")
  expect_error(discrepancy("idd", "gaussian", 1, 3, smooth = list(1)), class = "dpdepth_error_input")
  expect_error(depth_constants(.Machine$integer.max, 10), class = "dpdepth_error_input")
  # a step at the centre, which the integral finds
  expect_equal(discrepancy("irw", "gaussian", 1, 3, scale = 1e-100)$alpha, 1, tolerance = 1e-6)
})

test_that("autoplot draws every depth as a line of its own", {
  skip_on_cran()
  skip_if_not_installed("ggplot2")
  found <- discrepancy(c("halfspace", "simplicial", "spatial"), "gaussian", t = c(0.5, 1), d = 2)
  plot <- ggplot2::autoplot(found)
  expect_s3_class(plot, "ggplot")
  drawn <- ggplot2::ggplot_build(plot)$data[c(1, 3, 5)]
  expect_identical(length(unique(vapply(drawn, function(at) at$colour[[1]], ""))), 3L)
  expect_equal(sort(unlist(lapply(drawn, function(at) at$y))), sort(found$alpha))
  # distances that are not to be had are left out
  none <- ggplot2::autoplot(discrepancy(c("halfspace", "simplicial"), "gaussian", alpha = 0.1, d = c(2, 5)))
  expect_identical(sum(vapply(ggplot2::ggplot_build(none)$data[c(1, 3)], nrow, 0L)), 3L)
})

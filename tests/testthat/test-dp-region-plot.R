# Tests of R/dp-region-plot.R: pictures of regions in the plane.

test_that("regions are drawn, those of a median with an interval as well", {
  skip_if_not_installed("ggplot2")
  set.seed(4)
  plane <- cbind(a = rnorm(300), b = rexp(300))
  bag <- dp_region(plane, epsilon = 8, lower = -9, upper = 9, rng = "R")
  region <- function(x) {
    dp_median(x, 4, lower = -9, upper = 9, interval = 0.9, method = "exponential", rng = "R")
  }
  open <- region(plane + 300)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (r in list(bag, region(plane), open)) {
    expect_identical(plot(r), r)
    picture <- ggplot2::autoplot(r)
    ggplot2::ggplotGrob(picture)
    expect_identical(picture$labels$x, "a")
    expect_lt(length(serialize(picture$plot_env, NULL)), 100)
  }
  expect_equal(range(region_outline(open, public_range(open))), c(-9, 9))
  fit <- region(plane)
  outline <- region_outline(fit, NULL)
  expect_equal(unname(t(apply(outline, 2, range))), unname(fit$interval), tolerance = 1e-3)
})

# Plots of a planned regression: facets over n and epsilon.

test_that("a plan is drawn in facets, and the error of a slope read off", {
  skip_on_cran()
  plan <- plan_regression(n = 400, p = 1, epsilon = 1, lower = -50, upper = 50)
  curves <- plan_curves(plan)
  expect_identical(levels(curves$facet), c("n, with epsilon = 1", "epsilon, with n = 400"))
  mid <- curves[curves$method == "exponential" & curves$at == 400, ]
  expect_identical(mid$error, plan$error[[1]])
  expect_true(all(is.na(curves$error[curves$facet == "n, with epsilon = 1" & curves$at < 50])))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par("mfrow")
  expect_identical(plot(plan), plan)
  expect_identical(graphics::par("mfrow"), before)
  expect_error(plot(plan, col = 2), "col", class = "dpdepth_error_input")
  skip_if_not_installed("ggplot2")
  expect_silent(ggplot2::ggplotGrob(ggplot2::autoplot(plan)))
  expect_silent(ggplot2::ggplotGrob(ggplot2::autoplot(plan_regression(n = 9, p = 1, epsilon = 1))))
})

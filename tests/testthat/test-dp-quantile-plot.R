# Plots of private quantiles: from released numbers alone, of both kinds.

release <- dp_quantile(faithful$eruptions, c(0.5, 0.05, 0.25, 0.75, 0.95, 0.5), 2, lower = 0, upper = 60)

test_that("both kinds are drawn, by both systems, and hold no data", {
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (type in c("function", "box")) {
    expect_identical(plot(release, type = type), release)
    picture <- ggplot2::autoplot(release, type = type)
    expect_s3_class(picture, "ggplot")
    ggplot2::ggplotGrob(picture)
    expect_lt(length(serialize(picture$layers[[1]]$data, NULL)), 2000)
  }
  one <- dp_quantile(faithful$eruptions, 0.5, 2, lower = 0, upper = 60)
  plot(one)
  ggplot2::ggplotGrob(ggplot2::autoplot(one))
})

test_that("a box has the quartiles, and whiskers at the ends or where they are wanted", {
  z <- unname(coef(release))
  expect_identical(box_numbers(release, NULL), z[c(2, 3, 1, 4, 5)])
  expect_identical(box_numbers(release, c(0.95, 0.25)), z[c(3, 3, 1, 4, 5)])
  expect_identical(quantile_frame(release)$estimate, sort(z))
})

test_that("boxes that cannot be made are refused in words", {
  two <- dp_quantile(faithful$eruptions, c(0.5, 0.75), 2, lower = 0, upper = 60)
  expect_error(plot(two, type = "box"), "0.25, 0.5 and 0.75", class = "dpdepth_error_input")
  expect_error(plot(release, type = "box", whiskers = c(0.1, 0.9)), class = "dpdepth_error_input")
  expect_error(plot(release, type = "box", whiskers = 0.05), class = "dpdepth_error_input")
  expect_error(plot(release, type = "violin"), class = "dpdepth_error_input")
})

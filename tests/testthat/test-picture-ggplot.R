# Pictures by ggplot2 hold what the layers say, and no frame.

test_that("every kind of layer is drawn where it says, in its colour", {
  skip_if_not_installed("ggplot2")
  at <- list(x = c(1, 2), y = c(3, 4))
  layers <- list(
    layer("points", at$x, at$y, colour = "red", pch = 17),
    layer("lines", at$x, at$y, colour = "red", lty = 2),
    layer("segments", at$x, at$y, xend = 5, yend = 6, colour = "red"),
    layer("polygon", c(1, 2, 3), c(1, 2, 1), colour = "red", fill = "blue"),
    layer("bars", at$x, at$y, xend = 5, yend = 6, colour = "red"),
    layer("text", at$x, at$y, label = c("a", "b"), colour = "red")
  )
  plot <- picture_ggplot(new_picture(layers, picture_axis("across"), title = "title"))
  built <- ggplot2::ggplot_build(plot)$data
  for (k in seq_along(layers)) expect_identical(unique(built[[k]]$colour), "red")
  for (k in c(1:3, 6)) expect_identical(as.list(built[[k]][c("x", "y")]), at)
  expect_identical(built[[5]]$xmax, c(5, 5))
  expect_identical(built[[6]]$label, c("a", "b"))
  expect_identical(plot$labels$x, "across")
  expect_null(plot$labels$y)
  expect_silent(ggplot2::ggplotGrob(plot))
  expect_identical(plot$plot_env, globalenv())
})

test_that("logarithmic axes, panels, legends and infinite ends are drawn in silence", {
  skip_if_not_installed("ggplot2")
  layers <- list(rule(10, lty = 3, panel = "a"),
                 layer("lines", c(1, 100), c(5, 50), key = "one", panel = "a"),
                 layer("points", c(2, 3), c(7, 7), pch = 4, colour = "red", key = "two", panel = "b"))
  plot <- picture_ggplot(new_picture(layers, picture_axis(log = TRUE, free = TRUE), picture_axis(log = TRUE),
                                     panels = c("a", "b"), below = TRUE))
  expect_silent(grob <- ggplot2::ggplotGrob(plot))
  expect_true(any(grepl("guide-box", grob$layout$name)))
  expect_equal(ggplot2::layer_data(plot, 1)$y, log10(5))
  expect_identical(as.integer(ggplot2::layer_data(plot, 3)$PANEL), c(2L, 2L))
})

test_that("both renderers know the same results", {
  skip_on_cran()
  skip_if_not_installed("ggplot2")
  expect_pictures(sens_median(faithful$waiting, 0, 180, 0.1))
  expect_pictures(influence_function(faithful$waiting, "huber", scale = 10))
  expect_pictures(people_release())
})

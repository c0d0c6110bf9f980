# Pictures: limits, keys, legends and margins, on any device.

two_lines <- function(...) {
  new_picture(list(layer("lines", 1:3, c(2, 4, NA), colour = "red", key = "one"), NULL,
                   list(layer("points", 2, 9, pch = 17, key = "two"), layer("points", 3, 1, key = "one")),
                   layer("bars", 0, 0, xend = 4, yend = 1, fill = "blue", colour = NA, key = "three"),
                   rule(y = 5)), ...)
}

test_that("layers lie in one list, and limits are those of all that is finite", {
  drawn <- two_lines()
  expect_identical(vapply(drawn$layers, function(layer) layer$type, ""),
                   c("lines", "points", "points", "bars", "segments"))
  expect_identical(picture_limits(drawn, "x"), c(0, 4))
  expect_identical(picture_limits(drawn, "y"), c(0, 9))
  expect_identical(picture_limits(new_picture(rule(y = NA)), "x"), c(0, 1))
  flat <- function(v, ...) picture_limits(new_picture(layer("points", v, 1), picture_axis(...)), "x")
  expect_true(flat(7)[[1]] < 7 && flat(7)[[2]] > 7)
  expect_identical(flat(c(0, 10, 1000), log = TRUE), c(10, 1000))
  expect_identical(flat(3, limits = 1:2), 1:2)
  panels <- new_picture(list(layer("points", 1:2, 1:2, panel = "a"), layer("points", 8:9, 1:2, panel = "b")),
                        picture_axis(free = TRUE), panels = c("a", "b"))
  expect_identical(picture_limits(panels, "x", "b"), c(8L, 9L))
  expect_identical(picture_limits(panels, "y", "b"), 1:2)
})

test_that("a key has all that its layers show, and one key is none", {
  keys <- picture_keys(two_lines())
  expect_identical(keys$key, c("one", "two", "three"))
  expect_identical(keys$lty, c(1, 0, 0))
  expect_identical(keys$pch, c(19, 17, NA))
  expect_identical(keys$fill, c(NA, NA, "blue"))
  expect_null(picture_keys(new_picture(layer("points", 1, 1, key = "alone"))))
  drawn <- series_layers(c("restricted", "deepest", "medsweep"), function(...) list(...))
  for (what in 2:4) expect_length(unique(lapply(drawn, `[[`, what)), 3)
  expect_false(anyDuplicated(line_colours(8)) > 0)
})

test_that("labels are cut with dots, and legend and titles lie outside the panel, whatever the device", {
  for (size in list(c(3, 3), c(4, 9), c(9, 4))) {
    grDevices::pdf(NULL, size[[1]], size[[2]])
    cut <- fit_text(c("short", strrep("long ", 40)), 1)
    expect_identical(cut[[1]], "short")
    expect_match(cut[[2]], "[.]{3}$")
    expect_lte(max(graphics::strwidth(cut, "inches")), 1)
    drawn <- two_lines(title = strrep("wide ", 30), legend = "a title")
    grid <- legend_grid(drawn)
    before <- graphics::par("mai")
    top <- NULL
    seen <- function(...) top <<- graphics::par("mai")[[3]]
    with_bindings(list(draw_legend = seen), plot_picture(1, drawn, cex.axis = 0.8, ylim = c(0, 20)))
    expect_gte(top, (grid$rows + 1.4) * graphics::par("csi"))
    expect_lte(grid$columns * grid$each + grid$indent, size[[1]])
    expect_identical(graphics::par("mai"), before)
    expect_identical(plot_picture(2, drawn), 2)
    grDevices::dev.off()
  }
})

test_that("what is added to a picture stands in its place, as default margins are not changed", {
  for (x in list(depth_region(faithful), sens_median(faithful$waiting, 0, 180, 1))) {
    grDevices::pdf(NULL)
    drawn <- picture(x)
    rows <- legend_grid(drawn)$rows
    expect_true(rows > 0)
    expect_null(own_margins(drawn, rows + 1.5))
    grDevices::dev.off()
  }
})

test_that("panels are drawn side by side, and the device is left as it was", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par(c("mfrow", "mar", "oma"))
  several <- new_picture(list(layer("points", 1:2, 1:2, panel = "a", key = "p"),
                              layer("points", 8:9, 1:2, panel = "b", key = "q")),
                         picture_axis(free = TRUE), picture_axis("y"), "title", panels = c("a", "b"))
  expect_silent(plot_picture(1, several))
  expect_identical(graphics::par(c("mfrow", "mar", "oma")), before)
  expect_error(plot(new_nonprivate(1)), class = "dpdepth_error_input")
})

test_that("a legend is as small as the figure that it stands in", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  whole <- legend_size(FALSE)
  graphics::par(mfrow = c(3, 3))
  small <- legend_size(FALSE)
  expect_identical(small$cex, graphics::par("cex"))
  expect_equal(small$line / whole$line, small$cex / whole$cex)
  # one beside several panels of our own is not
  expect_equal(legend_size(TRUE), whole)
})

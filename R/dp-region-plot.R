# Plots of regions in the plane: polygons about a released median. Only released and public numbers are drawn.

#' Plot regions in the plane
#'
#' The region, of a bagplot also the fence about it, and the median (a cross), in the variables' units.
#' Public limits are dashed where they are in sight. A region that is infinite is drawn as the public limits.
#'
#' @param x,object A release by [dp_region()], or by [dp_median()] with `interval` and `method =
#'   "exponential"`.
#' @param main,... For `plot()`: the title, and further arguments for [graphics::plot.default()].
#' @return `plot()` returns the release, invisibly; `autoplot()` a ggplot.
#' @examples
#' plot(dp_region(iris[3:4], epsilon = 4, lower = 0, upper = c(20, 10)))
#' @export
plot.dp_region <- function(x, main = plot_title(x), ...) plot_plane(x, main, ...)

#' @rdname plot.dp_region
#' @export
plot.dp_median_region <- function(x, main = plot_title(x), ...) plot_plane(x, main, ...)

#' @rdname plot.dp_region
#' @method autoplot dp_region
#' @rawNamespace S3method(ggplot2::autoplot,dp_region)
autoplot.dp_region <- function(object, ...) { # nolint: object_name_linter.
  check_dots(character(), "autoplot()")
  plane_ggplot(object)
}

#' @rdname plot.dp_region
#' @method autoplot dp_median_region
#' @rawNamespace S3method(ggplot2::autoplot,dp_median_region)
autoplot.dp_median_region <- function(object, ...) { # nolint: object_name_linter.
  check_dots(character(), "autoplot()")
  plane_ggplot(object)
}

part_fills <- c(fence = "#E8F1FA", outer = "#C5DCEF", region = "#6BA3D0", inner = "#4A86B8")

# Polygons to draw of a release in the plane, outermost first, and its public box.
plane_frame <- function(x) {
  range <- public_range(x)
  parts <- if (inherits(x, "dp_region")) rev(region_parts(x)) else list(region = region_outline(x, range))
  rows <- vapply(parts, nrow, 0L)
  corners <- do.call(rbind, parts)
  list(outline = data.frame(part = rep(names(parts), rows), x = corners[, 1], y = corners[, 2],
                            row.names = NULL),
       centre = data.frame(x = x$estimate[[1]], y = x$estimate[[2]]),
       box = data.frame(xmin = range$lower[[1]], xmax = range$upper[[1]], ymin = range$lower[[2]],
                        ymax = range$upper[[2]]),
       names = release_terms(x), fill = part_fills[names(parts)])
}

# The ellipse of a confidence region; the public box where it is infinite.
region_outline <- function(x, range) {
  radius <- x$details$region[[1, "radius"]]
  if (is.infinite(radius)) {
    return(cbind(range$lower[[1]] + c(0, 1, 1, 0) * (range$upper[[1]] - range$lower[[1]]),
                 range$lower[[2]] + c(0, 0, 1, 1) * (range$upper[[2]] - range$lower[[2]])))
  }
  angle <- 2 * pi * (seq_len(180) - 1) / 180
  reach <- radius * prior_reach(x$details$prior)$scale
  edge <- x$details$shape %*% rbind(cos(angle), sin(angle))
  cbind(x$estimate[[1]] + reach[[1]] * edge[1, ], x$estimate[[2]] + reach[[2]] * edge[2, ])
}

plane_caption <- function(x) {
  said <- if (inherits(x, "dp_region")) {
    sprintf("%s %s", x$details$by, format(x$details$level))
  } else {
    paste0(sprintf("%s%% region", format(100 * x$details$level)),
           if (is.infinite(x$details$region[[1, "radius"]])) ", infinite: the public limits")
  }
  sprintf("%s; %s; dashed: the public limits, where in sight", guarantee_name(x), said)
}

plot_plane <- function(x, main = plot_title(x), ...) {
  frame <- plane_frame(x)
  axes <- list(xlab = frame$names[[1]], ylab = frame$names[[2]], las = 1)
  do.call(graphics::plot.default, c(list(range(frame$outline$x), range(frame$outline$y), type = "n"),
                                    utils::modifyList(axes, list(...))))
  graphics::rect(frame$box$xmin, frame$box$ymin, frame$box$xmax, frame$box$ymax, border = "grey60", lty = 2)
  for (part in unique(frame$outline$part)) {
    at <- frame$outline[frame$outline$part == part, ]
    graphics::polygon(at$x, at$y, col = frame$fill[[part]], border = "#1F5F99")
  }
  graphics::points(frame$centre$x, frame$centre$y, pch = 3, cex = 1.4, lwd = 2.5, col = "#D55E00")
  fitted_title(main)
  caption_below(plane_caption(x))
  invisible(x)
}

# Not in the method: see release_ggplot().
plane_ggplot <- function(object) {
  force(object)
  frame <- plane_frame(object)
  frame$outline$part <- factor(frame$outline$part, levels = unique(frame$outline$part))
  ggplot2::ggplot(frame$outline, aes_of(x = "x", y = "y")) +
    ggplot2::geom_rect(aes_of(xmin = "xmin", xmax = "xmax", ymin = "ymin", ymax = "ymax"), frame$box,
                       inherit.aes = FALSE, fill = NA, colour = "grey60", linetype = 2) +
    ggplot2::geom_polygon(aes_of(fill = "part", group = "part"), colour = "#1F5F99", linewidth = 0.3) +
    ggplot2::geom_point(data = frame$centre, shape = 3, size = 3, stroke = 1.2, colour = "#D55E00") +
    ggplot2::scale_fill_manual(values = frame$fill, guide = if (length(frame$fill) > 1) "legend" else "none",
                               name = NULL) +
    ggplot2::coord_cartesian(xlim = range(frame$outline$x), ylim = range(frame$outline$y)) +
    ggplot2::labs(x = frame$names[[1]], y = frame$names[[2]], title = title_of_lines(plot_title(object)),
                  caption = caption_of_lines(plane_caption(object))) +
    opaque_theme()
}

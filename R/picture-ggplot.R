# Pictures drawn by ggplot2: the layers of picture.R.

# aes() on a list of symbols: no names that a check would take for globals.
aes_of <- function(...) ggplot2::aes(!!!lapply(list(...), as.name))

# A ggplot keeps an environment: not the frame that made it, which could lead to the caller's data.
picture_ggplot <- function(picture) {
  if (!requireNamespace("ggplot2", quietly = TRUE)) {
    stop_dpdepth("input", "autoplot() needs the package ggplot2. Install it, or use plot().")
  }
  plot <- ggplot2::ggplot(environment = globalenv())
  for (layer in picture$layers) plot <- plot + ggplot_layer(layer, picture)
  several <- length(picture$panels) > 1
  for (panel in if (several) picture$panels else list(NULL)) {
    shown <- lapply(c(x = "x", y = "y"), function(side) picture_limits(picture, side, panel))
    plot <- plot + ggplot2::geom_blank(aes_of(x = "x", y = "y"), in_panel(data.frame(shown), panel,
                                                                         picture$panels))
  }
  plot <- plot + ggplot_scale(picture$x, "x") + ggplot_scale(picture$y, "y") + ggplot_legend(picture) +
    ggplot2::labs(x = if (!several || !picture$below) axis_text(picture$x$label),
                  y = axis_text(picture$y$label), title = title_of_lines(picture$title),
                  subtitle = picture$warning, caption = caption_of_lines(picture$caption)) +
    picture_theme()
  if (several) {
    free <- paste0("free", if (!picture$y$free) "_x" else if (!picture$x$free) "_y")
    plot <- plot + ggplot2::facet_wrap("panel", strip.position = if (picture$below) "bottom" else "top",
                                       scales = if (picture$x$free || picture$y$free) free else "fixed")
  }
  if (is.null(picture$x$limits) && is.null(picture$y$limits)) return(plot)
  plot + ggplot2::coord_cartesian(picture$x$limits, picture$y$limits,
                                  clip = if (picture$x$shown) "on" else "off")
}

axis_text <- function(text) if (!identical(text, "")) text

in_panel <- function(data, panel, panels) {
  if (!is.null(panel)) data$panel <- factor(rep_len(panel, nrow(data)), panels)
  data
}

ggplot_layer <- function(layer, picture) {
  if (layer$type == "lines" && nrow(layer$data) < 2) return(NULL) # of which ggplot2 would speak
  data <- in_panel(layer$data, layer$panel, picture$panels)
  # a logarithm knows no edge
  for (side in c("x", "y")) if (picture[[side]]$log) {
    ends <- picture_limits(picture, side, layer$panel)
    for (column in intersect(c(side, paste0(side, "end")), names(data))) {
      data[[column]] <- pmin(pmax(data[[column]], ends[[1]]), ends[[2]])
    }
  }
  wide <- 0.35 * layer$lwd # ggplot2 measures lines in 1/0.35 of R's
  geom <- switch(layer$type, points = ggplot2::geom_point, lines = ggplot2::geom_path,
                 segments = ggplot2::geom_segment, polygon = ggplot2::geom_polygon, bars = ggplot2::geom_rect,
                 text = ggplot2::geom_text)
  where <- switch(layer$type, segments = list(x = "x", y = "y", xend = "xend", yend = "yend"),
                  bars = list(xmin = "x", xmax = "xend", ymin = "y", ymax = "yend"),
                  text = list(x = "x", y = "y", label = "label"), list(x = "x", y = "y"))
  style <- switch(layer$type, points = list(shape = layer$pch, size = 2 * layer$cex, stroke = wide),
                  text = list(size = 3.9 * layer$cex, hjust = layer$adj[[1]], vjust = layer$adj[[2]]),
                  polygon = list(fill = layer$fill, linewidth = 0.3),
                  bars = list(fill = layer$fill, linetype = layer$lty, linewidth = 0.3),
                  list(linetype = layer$lty, linewidth = wide))
  do.call(geom, c(list(do.call(aes_of, where), data, colour = layer$colour, na.rm = TRUE,
                       show.legend = FALSE), style))
}

ggplot_scale <- function(axis, side) {
  continuous <- switch(side, x = ggplot2::scale_x_continuous, y = ggplot2::scale_y_continuous)
  if (!axis$shown) return(continuous(breaks = NULL))
  if (!is.null(axis$at)) return(continuous(breaks = axis$at, labels = axis$labels, minor_breaks = NULL))
  if (!axis$log) return(continuous())
  log <- switch(side, x = ggplot2::scale_x_log10, y = ggplot2::scale_y_log10)
  # numbers of an axis, or of two axes side by side, must not run into one
  log(labels = each_grouped, guide = ggplot2::guide_axis(check.overlap = TRUE))
}

# The legend is that of three layers that draw nothing, one for each thing that a key may show.
ggplot_legend <- function(picture) {
  keys <- picture_keys(picture)
  if (is.null(keys)) return(NULL)
  none <- data.frame(x = NA_real_, y = NA_real_, key = factor(keys$key, keys$key))
  where <- aes_of(x = "x", y = "y", colour = "key")
  shown <- list(fill = keys$fill, linetype = keys$lty, shape = keys$pch, linewidth = 0.35 * keys$lwd)
  list(ggplot2::geom_polygon(where, none, na.rm = TRUE, key_glyph = "rect"),
       ggplot2::geom_path(where, none, na.rm = TRUE), ggplot2::geom_point(where, none, na.rm = TRUE),
       ggplot2::scale_colour_manual(values = stats::setNames(keys$colour, keys$key), name = picture$legend,
                                    guide = ggplot2::guide_legend(byrow = TRUE, override.aes = shown)))
}

# Minimal, on white: a saved picture must not be transparent. Titles and captions have the picture's width.
picture_theme <- function() {
  ggplot2::theme_minimal() +
    ggplot2::theme(plot.background = ggplot2::element_rect(fill = "white", colour = NA),
                   plot.title.position = "plot", plot.caption.position = "plot", legend.position = "top",
                   legend.justification = "left", strip.placement = "outside",
                   panel.spacing.x = ggplot2::unit(1.5, "lines"),
                   plot.subtitle = ggplot2::element_text(colour = "#B2182B", face = "bold"))
}

# Lines of a title and of a caption, which would be cut.
title_of_lines <- function(text) {
  if (is.null(text) || nchar(text) <= 48) text else sub(" (", "\n(", text, fixed = TRUE)
}

caption_of_lines <- function(text) if (!is.null(text)) paste(strwrap(text, 60), collapse = "\n")

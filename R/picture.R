# Pictures: what a result shows, as one list of layers, and their drawing by base graphics.
#
# picture() makes the list of a result, plot_picture() draws it with base graphics and picture_ggplot()
# (picture-ggplot.R) with ggplot2, so that both show the same. A picture holds plain numbers and texts only.

picture <- function(x, ...) UseMethod("picture")

# A layer. `type`: "points", "lines", "segments" (with `xend` and `yend`), "polygon", "bars" (rectangles from
# x, y to xend, yend) or "text" (with `label`). Infinite ends reach the edge of the panel. `key`: its text in
# the legend. `panel`: its only panel. `adj`: where a text lies, as of text().
layer <- function(type, x, y, ..., key = NULL, panel = NULL, colour = "black", fill = NA, lty = 1, lwd = 1,
                  pch = 19, cex = 1, adj = c(0.5, 0.5)) {
  structure(list(type = type, data = data.frame(x = x, y = y, ...), key = key, panel = panel, colour = colour,
                 fill = fill, lty = lty, lwd = lwd, pch = pch, cex = cex, adj = adj), class = "picture_layer")
}

# Lines across the panel.
rule <- function(x = NULL, y = NULL, ...) {
  if (is.null(x)) layer("segments", -Inf, y, xend = Inf, yend = y, ...)
  else layer("segments", x, -Inf, xend = x, yend = Inf, ...)
}

# y from each x to the next.
step_layer <- function(x, y, ...) layer("lines", rep(x, each = 2)[-1], rep(y, each = 2)[-2 * length(y)], ...)

interval_colour <- "#56B4E9"
band_colour <- "#56B4E966"

interval_layer <- function(...) layer("segments", ..., colour = interval_colour, lwd = 5)

# Rows of quantiles at the heights `place`: the outermost joined by a thin line, those about the middle by a
# thick one. at: increasing down each column.
quantile_layers <- function(at, place, panel = NULL) {
  m <- nrow(at)
  inner <- max(1, m %/% 2)
  list(if (m > 3) layer("segments", at[1, ], place, xend = at[m, ], yend = place, panel = panel),
       if (m > 1) interval_layer(at[inner, ], place, xend = at[m + 1 - inner, ], yend = place, panel = panel),
       layer("points", at[(m + 1) %/% 2, ], place, panel = panel))
}

centre_layer <- function(at) {
  layer("points", at[[1]], at[[2]], pch = 3, cex = 1.4, lwd = 2.5, colour = "#D55E00")
}

# `at`, `labels`: marks in place of round numbers. `limits`: what is shown, in place of all. `free`: has each
# panel limits of its own? `shown`: is there a scale?
picture_axis <- function(label = "", log = FALSE, at = NULL, labels = NULL, limits = NULL, free = FALSE,
                         shown = TRUE) {
  list(label = label, log = log, at = at, labels = labels, limits = limits, free = free, shown = shown)
}

# Names of rows, from the top downwards.
row_axis <- function(names) {
  k <- length(names)
  picture_axis(at = rev(seq_len(k)), labels = names, limits = c(0.4, k + 0.6))
}

# `layers`: a list of layers, and of such lists; NULL is left out. `warning`: in red above the panel.
# `legend`: its title. `panels`: their names, which stand above them, or below as titles of the axis.
new_picture <- function(layers, x = picture_axis(), y = picture_axis(), title = NULL, caption = NULL,
                        warning = NULL, legend = NULL, panels = NULL, below = FALSE) {
  list(layers = flat_layers(layers), x = x, y = y, title = title, caption = caption, warning = warning,
       legend = legend, panels = panels, below = below)
}

flat_layers <- function(layers) {
  if (inherits(layers, "picture_layer")) return(list(layers))
  do.call(c, lapply(unname(layers), flat_layers))
}

# Colours that the colour-blind can distinguish on white: those of Okabe and Ito, without the yellow.
line_colours <- function(k) rep_len(grDevices::palette.colors(9, "Okabe-Ito")[-5], k)

# Layers of several series, which differ by colour, kind of line and mark: draw(name, colour, lty, pch).
series_layers <- function(names, draw) {
  k <- seq_along(names)
  Map(draw, names, line_colours(length(names)), rep_len(c(1, 2, 4, 5, 6, 3), length(k)),
      rep_len(c(19, 17, 15, 18, 3, 4, 8), length(k)))
}

# Keys of the legend, in the order of the layers, with what is drawn for each; NULL for fewer than two.
picture_keys <- function(picture) {
  keyed <- Filter(function(layer) !is.null(layer$key), picture$layers)
  keys <- unique(vapply(keyed, function(layer) layer$key, ""))
  if (length(keys) < 2) return(NULL)
  out <- data.frame(key = keys, colour = "black", lty = 0, lwd = 1, pch = NA_real_, fill = NA_character_)
  for (layer in keyed) {
    i <- match(layer$key, keys)
    if (layer$type %in% c("polygon", "bars")) {
      out$fill[[i]] <- layer$fill
    } else {
      out$colour[[i]] <- layer$colour
      if (layer$type == "points") out$pch[[i]] <- layer$pch
      else out[i, c("lty", "lwd")] <- c(layer$lty, layer$lwd)
    }
  }
  out
}

layers_in <- function(picture, panel) {
  Filter(function(layer) is.null(panel) || is.null(layer$panel) || layer$panel == panel, picture$layers)
}

# What an axis ("x" or "y") shows in a panel, without room at its ends.
picture_limits <- function(picture, side, panel = NULL) {
  axis <- picture[[side]]
  if (!is.null(axis$limits)) return(axis$limits)
  layers <- layers_in(picture, if (axis$free) panel)
  v <- unlist(lapply(layers, function(layer) layer$data[names(layer$data) %in% c(side, paste0(side, "end"))]))
  v <- v[is.finite(v) & (!axis$log | v > 0)]
  if (length(v) == 0) return(if (axis$log) c(0.1, 10) else c(0, 1))
  if (min(v) < max(v)) return(range(v))
  if (axis$log) v[[1]] * c(0.5, 2) else v[[1]] + c(-0.05, 0.05) * max(1, abs(v[[1]]))
}

each_grouped <- function(v) vapply(v, function(value) if (is.na(value)) "" else grouped(value), "")

# -- base graphics -----------------------------------------------------------------------------------

# `...`: for plot.default(). Returns `x`, invisibly.
plot_picture <- function(x, picture, main = NULL, ...) {
  if (!is.null(main)) picture$title <- main
  panels <- picture$panels
  several <- length(panels) > 1
  keys <- legend_grid(picture)
  over <- max(2.1, keys$rows + (!is.null(picture$warning)) + 1.5)
  more <- if (is.character(picture$title)) nchar(gsub("[^\n]", "", picture$title)) # lines of a title
  top <- over + 1.2 * sum(more)
  old <- if (several) panel_margins(picture, top) else own_margins(picture, top)
  on.exit(graphics::par(old))
  for (panel in if (several) panels else list(NULL)) draw_panel(picture, panel, list(...))
  if (keys$rows > 0) draw_legend(keys, several)
  if (several) margin_text(picture$y$label, 2, 0.3, TRUE, 1)
  if (!is.null(picture$warning)) {
    margin_text(picture$warning, 3, keys$rows + 0.2, several, 0.9, col = "#B2182B", font = 2)
  }
  margin_text(picture$title, 3, over - 1, several, 1.2, font = 2)
  bottom <- if (several) 0.2 else graphics::par("mgp")[[1]] + 1.1
  margin_text(picture$caption, 1, bottom, several, 0.75, adj = 1)
  invisible(x)
}

# Room for names and titles, in lines: more than the device's own margins where they are too small. What was
# changed is returned. R's default margins hold two rows of keys and three digits: what is added to such a
# picture stands in its place, as nothing is changed back.
own_margins <- function(picture, over) {
  line <- graphics::par("csi")
  before <- graphics::par("mai")
  after <- pmax(before, c(0, line * left_lines(picture), line * over, 0))
  if (!is.null(picture$y$labels) && picture$y$label == "") after[[2]] <- line * left_lines(picture)
  if (identical(before, after)) return(NULL)
  graphics::par(mai = after)
  list(mai = before)
}

panel_margins <- function(picture, over) {
  shape <- rev(grDevices::n2mfrow(length(picture$panels)))
  labelled <- if (picture$y$label == "") 0 else 1.6
  old <- graphics::par(mfrow = shape)
  # several panels make lines lower, and the title is as high as ever
  top <- over - 1 + 1.3 / graphics::par("cex")
  c(old, graphics::par(oma = c(1.4, labelled, top, 0),
                       mar = c(4.1, mark_lines(picture$y, picture) + 1, if (picture$below) 0.6 else 2, 1)))
}

# Lines that the labels of the vertical axis and its title take.
left_lines <- function(picture) {
  axis <- picture$y
  if (!axis$shown) return(1)
  mark_lines(axis, picture) + if (axis$label == "") 1 else 2
}

mark_lines <- function(axis, picture) {
  v <- picture_limits(picture, "y")
  marks <- if (!is.null(axis$labels)) fit_text(axis$labels, graphics::par("fin")[[1]] / 3)
           else if (axis$log) each_grouped(grDevices::axisTicks(log10(v), TRUE)) else format(pretty(v))
  max(graphics::strwidth(marks, "inches")) / graphics::par("csi") + 0.4
}

# Texts cut to a width in inches, with dots where something is missing.
fit_text <- function(text, width) {
  while (any(long <- graphics::strwidth(text, "inches") > width & nchar(text) > 6)) {
    text[long] <- paste0(substr(text[long], 1, nchar(text[long]) - 4), "...")
  }
  text
}

draw_panel <- function(picture, panel, given) {
  x <- picture$x
  y <- picture$y
  own <- function(axis) if (axis$shown && is.null(axis$at) && !axis$log) "s" else "n"
  below <- picture$below && !is.null(panel)
  defaults <- list(x = picture_limits(picture, "x", panel), y = picture_limits(picture, "y", panel),
                   type = "n",
                   log = paste0("", if (x$log) "x", if (y$log) "y"), xaxt = own(x), yaxt = own(y), las = 1,
                   main = if (!below) panel, bty = if (x$shown) "o" else "n")
  labels <- list(xlab = if (below) panel else x$label, ylab = y$label)
  labels <- utils::modifyList(labels, given[names(given) %in% names(labels)])
  given <- utils::modifyList(given, list(xlab = "", ylab = ""))
  do.call(graphics::plot.default, utils::modifyList(defaults, given))
  margin_text(labels$xlab, 1, graphics::par("mgp")[[1]], FALSE, 1)
  if (is.null(panel)) {
    graphics::title(ylab = labels$ylab,
                    line = max(graphics::par("mgp")[[1]] - 0.2, mark_lines(y, picture) + 1))
  }
  draw_marks(x, 1, graphics::par("pin")[[1]] / max(1, length(x$at)))
  draw_marks(y, 2, graphics::par("fin")[[1]] / 3)
  for (layer in layers_in(picture, panel)) draw_layer(layer)
}

draw_marks <- function(axis, side, width) {
  if (!axis$shown) return(invisible(NULL))
  if (!is.null(axis$at)) {
    graphics::axis(side, axis$at, fit_text(axis$labels, width), las = 1, tick = side == 1)
  } else if (axis$log) {
    at <- graphics::axTicks(side)
    graphics::axis(side, at, each_grouped(at), las = 1)
  }
}

draw_layer <- function(layer) {
  at <- layer$data
  edge <- graphics::par("usr")
  edge <- list(x = if (graphics::par("xlog")) 10^edge[1:2] else edge[1:2],
               y = if (graphics::par("ylog")) 10^edge[3:4] else edge[3:4])
  for (column in setdiff(names(at), "label")) {
    ends <- edge[[substr(column, 1, 1)]]
    at[[column]] <- ifelse(is.infinite(at[[column]]), ends[1 + (at[[column]] > 0)], at[[column]])
  }
  switch(layer$type,
    points = graphics::points(at$x, at$y, col = layer$colour, pch = layer$pch, cex = layer$cex,
                              lwd = layer$lwd),
    lines = graphics::lines(at$x, at$y, col = layer$colour, lty = layer$lty, lwd = layer$lwd),
    segments = graphics::segments(at$x, at$y, at$xend, at$yend, col = layer$colour, lty = layer$lty,
                                  lwd = layer$lwd),
    polygon = graphics::polygon(at$x, at$y, col = layer$fill, border = layer$colour),
    bars = graphics::rect(at$x, at$y, at$xend, at$yend, col = layer$fill, border = layer$colour,
                          lty = layer$lty),
    text = graphics::text(at$x, at$y, at$label, adj = layer$adj, col = layer$colour, cex = layer$cex,
                          xpd = NA)
  )
}

# The legend stands above the panels, in rows: it covers nothing. Widths in inches.
legend_grid <- function(picture) {
  keys <- picture_keys(picture)
  if (is.null(keys)) return(list(rows = 0))
  size <- 0.85
  width <- function(text) graphics::strwidth(text, "inches", cex = size)
  title <- if (is.null(picture$legend)) 0 else width(picture$legend) + 0.15
  each <- max(width(keys$key)) + 0.5
  room <- graphics::par("fin")[[1]] - graphics::par("mai")[[2]] - title
  columns <- max(1, min(nrow(keys), floor(room / each)))
  list(keys = keys, rows = ceiling(nrow(keys) / columns), columns = columns, each = each,
       title = picture$legend, indent = title, size = size)
}

# Of text, and of lines in inches: smaller in a figure of several that the user laid out, as legend_grid()
# has measured them.
legend_size <- function(outer) {
  cex <- if (outer) 1 else graphics::par("cex")
  list(cex = cex, line = graphics::par("csi") * cex / graphics::par("cex"))
}

draw_legend <- function(grid, outer) {
  size <- legend_size(outer)
  line <- size$line
  left <- if (outer) 0.5 else graphics::grconvertX(0, "npc", "inches")
  low <- if (outer) graphics::par("din")[[2]] - graphics::par("omi")[[3]]
         else graphics::grconvertY(1, "npc", "inches")
  across <- function(v) graphics::grconvertX(left + grid$indent + v, "inches", "user")
  up <- function(v) graphics::grconvertY(low + line * v, "inches", "user")
  old <- graphics::par(xpd = NA, cex = size$cex)
  on.exit(graphics::par(old))
  if (!is.null(grid$title)) {
    graphics::text(across(-grid$indent), up(grid$rows - 0.4), grid$title, adj = c(0, 0.5),
                   cex = grid$size)
  }
  for (i in seq_len(nrow(grid$keys))) {
    key <- grid$keys[i, ]
    x <- grid$each * ((i - 1) %% grid$columns)
    y <- grid$rows - (i - 1) %/% grid$columns - 0.4
    graphics::rect(across(x + 0.05), up(y - 0.3), across(x + 0.25), up(y + 0.3), col = key$fill, border = NA)
    if (key$lty > 0) {
      graphics::segments(across(x), up(y), across(x + 0.3), col = key$colour, lty = key$lty, lwd = key$lwd)
    }
    if (!is.na(key$pch)) graphics::points(across(x + 0.15), up(y), pch = key$pch, col = key$colour)
    graphics::text(across(x + 0.37), up(y), key$key, adj = c(0, 0.5), cex = grid$size)
  }
}

# A text in a margin, so small that the figure holds it.
margin_text <- function(text, side, line, outer, size, adj = 0.5, ...) {
  if (is.null(text)) return(invisible(NULL))
  # mtext() takes sizes as they are, whatever the panels'
  cex <- if (outer) 1 else graphics::par("cex")
  margin <- graphics::par("mai")
  room <- if (outer) graphics::par("din")[[if (side == 2) 2 else 1]] * 0.97
          else if (adj == 1) 0.97 * (graphics::par("fin")[[1]] - margin[[4]])
          else 0.97 * (graphics::par("pin")[[1]] + 2 * min(margin[c(2, 4)])) # about the middle of the axis
  width <- graphics::strwidth(text, "inches", cex = size * cex / graphics::par("cex"), ...)
  graphics::mtext(text, side, line, outer = outer, adj = adj, cex = size * cex * min(1, room / width), ...)
}

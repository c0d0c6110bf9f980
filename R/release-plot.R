# Plots of a release: the estimate on its public range. Only released and public values are used.

# A normal prior can be left: the range shown then reaches out to the estimate.
plot_frame <- function(x) {
  range <- public_range(x)
  frame <- tidy.dp_release(x, conf.int = !is.null(x$interval))
  if (!is.null(range)) {
    frame <- near_interval(cbind(frame, range))
    frame$from <- pmin(frame$lower, frame$estimate, finite_or(frame$conf.low, frame$lower), na.rm = TRUE)
    frame$to <- pmax(frame$upper, frame$estimate, finite_or(frame$conf.high, frame$upper), na.rm = TRUE)
  }
  if (is.null(frame$conf.low)) return(frame)
  # where an infinite end is drawn to
  ends <- if (is.null(range)) open_ends(frame) else frame[c("from", "to")]
  frame$drawn_from <- finite_or(frame$conf.low, ends[[1]])
  frame$drawn_to <- finite_or(frame$conf.high, ends[[2]])
  frame
}

# Where nothing is public: a little beyond all that is finite.
open_ends <- function(frame) {
  span <- estimate_span(unlist(finite_limits(frame)))
  span + c(-0.1, 0.1) * diff(span)
}

finite_limits <- function(frame) {
  lapply(frame[c("estimate", "conf.low", "conf.high")], function(v) v[is.finite(v)])
}

# Beside a wide public range an interval would be a dot: of the range what is near is shown.
near_interval <- function(frame) {
  width <- if (!is.null(frame$conf.low)) frame$conf.high - frame$conf.low
  near <- if (!is.null(width)) is.finite(width) & width > 0 & 20 * width < frame$upper - frame$lower
  if (!any(near)) return(frame)
  frame$lower[near] <- pmax(frame$lower, frame$conf.low - 2 * width)[near]
  frame$upper[near] <- pmin(frame$upper, frame$conf.high + 2 * width)[near]
  kind <- if (all(near)) "part of the public range" else "the public range or part of it"
  frame$kind <- rep_len(kind, nrow(frame))
  frame
}

# NULL stays NULL's stand-in.
finite_or <- function(v, instead) if (is.null(v)) instead else ifelse(is.finite(v), v, instead)

plot_title <- function(x) {
  what <- if (is.null(x$details$what)) "estimate" else x$details$what
  paste0("Private ", what, if (!x$released) ": not released",
         if (!is.null(x$details$caution)) " (likely noise)",
         if (x$rng == "R") " (simulation, not for release)")
}

plot_caption <- function(x, frame) {
  paste0(with_point(guarantee_name(x)), if (!is.null(frame$kind)) paste0("; line: ", frame$kind[1]),
         if (!is.null(x$interval)) {
           sprintf("; thick: %s%% interval%s", format(100 * x$details$level),
                   if (any(is.infinite(x$interval))) ", to the edge where infinite" else "")
         })
}

# A title, and a caption in the margin below, so small that the figure holds them.
fitted_title <- function(main) {
  size <- graphics::par("cex.main")
  width <- max(0, graphics::strwidth(main, "inches", cex = size, font = graphics::par("font.main")))
  # about the middle of the axis
  room <- graphics::par("pin")[[1]] + 2 * min(graphics::par("mai")[c(2, 4)])
  graphics::title(main, cex.main = size * min(1, 0.97 * room / width))
}

caption_below <- function(text, size = 0.75) {
  room <- graphics::par("fin")[[1]] - graphics::par("mai")[[4]]
  size <- size * min(1, 0.97 * room / graphics::strwidth(text, "inches", cex = size))
  graphics::mtext(text, 1, graphics::par("mgp")[[1]] + 1.1, adj = 1, cex = size * graphics::par("cex"))
}

# Lines of a ggplot's title and caption, which would be cut.
title_of_lines <- function(text) if (nchar(text) > 48) sub(" (", "\n(", text, fixed = TRUE) else text
caption_of_lines <- function(text) paste(strwrap(text, 60), collapse = "\n")

#' @rdname dp_release
#' @export
plot.dp_release <- function(x, main = plot_title(x), ...) {
  frame <- plot_frame(x)
  k <- nrow(frame)
  if (k == 0) stop_input("x", "a release with at least one number", "empty")
  place <- rev(seq_len(k))
  ranged <- !is.null(frame$lower)
  position <- function(v) if (ranged) (v - frame$from) / (frame$to - frame$from) else v
  span <- if (ranged) c(-0.02, 1.02) else estimate_span(c(frame$estimate, frame$drawn_from, frame$drawn_to))
  # room on the left for the longest name, but never more than a third of the figure
  space <- 2 * graphics::par("csi")
  margin <- graphics::par("mai")
  names <- fit_text(frame$term, graphics::par("fin")[[1]] / 3 - space)
  margin[[2]] <- max(margin[[2]] / 2, space + max(graphics::strwidth(names, "inches")))
  # labels may leave the plot's region, and must not be clipped there
  old <- graphics::par(mai = margin, xpd = NA)
  on.exit(graphics::par(old))
  graphics::plot.default(span, c(0.4, k + 0.6), type = "n", axes = FALSE, xlab = "", ylab = "", ...)
  fitted_title(main)
  caption <- plot_caption(x, frame)
  size <- min(1, 0.95 * graphics::par("fin")[[1]] / graphics::strwidth(caption, "inches"))
  centre <- graphics::grconvertX(0.5, "nfc", "user")
  graphics::mtext(caption, 1, graphics::par("mgp")[[1]] + 1, at = centre, cex = size * graphics::par("cex"))
  graphics::axis(2, place, names, las = 1, tick = FALSE)
  if (ranged) {
    graphics::segments(position(frame$lower), place, position(frame$upper), place, col = "grey60", lwd = 2)
    graphics::points(position(frame$lower), place, pch = "|", col = "grey60")
    graphics::points(position(frame$upper), place, pch = "|", col = "grey60")
    ends <- vapply(c(frame$lower, frame$upper), format, "", digits = 4)
    below <- place - 1.3 * graphics::strheight("0")
    graphics::text(position(frame$lower), below, ends[seq_len(k)], adj = c(0, 0.5), cex = 0.8)
    graphics::text(position(frame$upper), below, ends[-seq_len(k)], adj = c(1, 0.5), cex = 0.8)
  } else {
    graphics::axis(1)
    graphics::segments(span[[1]], place, span[[2]], col = "grey85")
  }
  if (!is.null(frame$drawn_from)) {
    graphics::segments(position(frame$drawn_from), place, position(frame$drawn_to), place, lwd = 5,
                       col = "#56B4E9")
  }
  if (x$released) {
    graphics::points(position(frame$estimate), place, pch = 19)
    graphics::text(position(frame$estimate), place, vapply(frame$estimate, format, "", digits = 5), pos = 3)
  }
  invisible(x)
}

# Texts cut to a width in inches, with dots where something is missing.
fit_text <- function(text, width) {
  while (any(long <- graphics::strwidth(text, "inches") > width & nchar(text) > 6)) {
    text[long] <- paste0(substr(text[long], 1, nchar(text[long]) - 4), "...")
  }
  text
}

# Limits of an axis with room at the top for a legend of so many lines, so that it covers no curve. The room
# is measured on the device, on which a plot comes next. `log`: of a logarithmic axis.
room_for_legend <- function(y, lines, log = FALSE) {
  if (log) return(10^room_for_legend(log10(y), lines))
  y <- y[is.finite(y)]
  if (length(y) == 0) y <- c(0, 1)
  low <- min(y)
  size <- graphics::par("cin")[[2]] * graphics::par("cex") * (lines + 1.5) / graphics::par("pin")[[2]]
  low + c(0, max(diff(range(y)), .Machine$double.xmin) / (1 - min(0.7, size)))
}

# Colours that the colour-blind can tell apart on white: those of Okabe and Ito, without the yellow.
line_colours <- function(k) {
  rep_len(grDevices::palette.colors(9, "Okabe-Ito")[-5], k)
}

estimate_span <- function(estimate) {
  if (all(is.na(estimate))) return(c(0, 1))
  span <- range(estimate, na.rm = TRUE)
  if (diff(span) > 0) span else span + c(-0.5, 0.5) * max(1, abs(span[[1]])) * 0.1
}

# aes() on a list of symbols: no names that a check would take for globals.
aes_of <- function(...) ggplot2::aes(!!!lapply(list(...), as.name))

# Minimal, on white: a saved picture must not be transparent. Titles and captions have the picture's width.
opaque_theme <- function() {
  ggplot2::theme_minimal() +
    ggplot2::theme(plot.background = ggplot2::element_rect(fill = "white", colour = NA),
                   plot.title.position = "plot", plot.caption.position = "plot")
}

#' @rdname dp_release
#' @method autoplot dp_release
#' @rawNamespace S3method(ggplot2::autoplot,dp_release)
autoplot.dp_release <- function(object, ...) { # nolint: object_name_linter.
  check_dots(character(), "autoplot()")
  release_ggplot(object)
}

# A ggplot keeps the frame that made it, so that must not be a method's: there R keeps the caller's frame too,
# with all of the caller's data. This is a plain function, and its argument no promise.
release_ggplot <- function(object) {
  force(object)
  frame <- plot_frame(object)
  frame$term <- factor(frame$term, levels = unique(frame$term))
  plot <- ggplot2::ggplot(frame)
  if (!is.null(frame$lower)) {
    plot <- plot +
      ggplot2::geom_segment(aes_of(x = "lower", xend = "upper", y = "term", yend = "term"), colour = "grey60")
  }
  if (!is.null(frame$drawn_from)) {
    ends <- aes_of(x = "drawn_from", xend = "drawn_to", y = "term", yend = "term")
    plot <- plot + ggplot2::geom_segment(ends, colour = "#56B4E9", linewidth = 1.5)
  }
  if (object$released) plot <- plot + ggplot2::geom_point(aes_of(x = "estimate", y = "term"), size = 3)
  # with a public range each coordinate has an axis of its own; without one, they share one
  if (!is.null(frame$lower)) plot <- plot + ggplot2::facet_wrap("term", scales = "free", ncol = 1)
  else if (object$released) plot <- plot + ggplot2::scale_y_discrete(limits = rev)
  plot +
    ggplot2::labs(x = NULL, y = NULL, title = title_of_lines(plot_title(object)),
                  caption = caption_of_lines(plot_caption(object, frame))) +
    opaque_theme() +
    ggplot2::theme(strip.text = ggplot2::element_blank(), plot.margin = ggplot2::margin(6, 18, 6, 6))
}

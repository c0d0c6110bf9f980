# Pictures of a release: the estimate on its public range. Only released and public values are used.

# A normal prior can be left: the range shown then reaches out to the estimate.
plot_frame <- function(x) {
  range <- public_range(x)
  frame <- tidy.dp_release(x, conf.int = !is.null(x$interval))
  if (!is.null(range)) {
    frame <- near_interval(cbind(frame, range))
    frame$from <- pmin(frame$lower, frame$estimate, finite_or(frame$conf.low, frame$lower), na.rm = TRUE)
    frame$to <- pmax(frame$upper, frame$estimate, finite_or(frame$conf.high, frame$upper), na.rm = TRUE)
  }
  frame
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
  # ends of a part say nothing
  frame$cut <- near
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

plot_caption <- function(x, frame = list()) {
  paste0(with_point(guarantee_name(x)), if (!is.null(frame$kind)) {
    paste0("; line: ", frame$kind[1], if (is.null(x$interval)) ", no interval")
  },
         if (!is.null(x$interval)) {
           sprintf("; thick: %s%% interval%s", format(100 * x$details$level),
                   if (any(is.infinite(x$interval))) ", to the edge where infinite" else "")
         })
}

picture.dp_release <- function(x, ...) { # nolint: object_name_linter.
  frame <- plot_frame(x)
  if (nrow(frame) == 0) stop_input("x", "a release with at least one number", "empty")
  place <- rev(seq_len(nrow(frame)))
  ranged <- !is.null(frame$lower)
  layers <- if (ranged) range_layers(frame, place, x$released) else list(
    rule(y = place, colour = "grey85"),
    if (!is.null(frame$conf.low)) interval_layer(frame$conf.low, place, xend = frame$conf.high, yend = place),
    if (x$released) estimate_layers(frame$estimate, frame$estimate, place)
  )
  new_picture(layers, row_axis(frame$term), title = plot_title(x), caption = plot_caption(x, frame),
              x = if (ranged) picture_axis(limits = c(-0.15, 1.15), shown = FALSE) else picture_axis())
}

# Each number on its own range, with the ends written beside it.
range_layers <- function(frame, place, released) {
  position <- function(v) (v - frame$from) / (frame$to - frame$from)
  text <- function(v) vapply(v, format, "", digits = 4)
  beside <- function(x, label, h) {
    layer("text", x, place, label = label, adj = c(h, 0.5), colour = "grey40", cex = 0.8)
  }
  ends <- lapply(list(from = "conf.low", to = "conf.high"), function(column) frame[[column]])
  list(
    layer("segments", position(frame$lower), place, xend = position(frame$upper), yend = place,
          colour = "grey60", lwd = 2),
    beside(position(frame$lower) - 0.02, public_end(frame, "lower"), 1),
    beside(position(frame$upper) + 0.02, public_end(frame, "upper"), 0),
    if (!is.null(ends$from)) list(
      interval_layer(position(finite_or(ends$from, frame$from)), place,
                     xend = position(finite_or(ends$to, frame$to)), yend = place),
      end_text(position(ends$from), place, text(ends$from), 1),
      end_text(position(ends$to), place, text(ends$to), 0)
    ),
    if (released) estimate_layers(position(frame$estimate), frame$estimate, place)
  )
}

# An end of the public range, said to be one where an interval has ends, too.
public_end <- function(frame, end) {
  text <- vapply(frame[[end]], format, "", digits = 4)
  if (!is.null(frame$conf.low)) text <- paste("public", text)
  if (is.null(frame$cut)) text else ifelse(frame$cut, "...", text)
}

# A finite end of an interval, written below it.
end_text <- function(x, place, text, h) {
  if (any(is.finite(x))) {
    layer("text", x[is.finite(x)], place[is.finite(x)], label = text[is.finite(x)], adj = c(h, 2),
          colour = "#0072B2", cex = 0.8)
  }
}

estimate_layers <- function(x, estimate, place) {
  list(layer("points", x, place),
       layer("text", x, place, label = vapply(estimate, format, "", digits = 5), adj = c(0.5, -1)))
}

#' @rdname dp_release
#' @section What the plots show:
#' `plot()` and `autoplot()` draw the same, by base graphics and by ggplot2. One line per coordinate shows the
#' public range (a uniform prior's box, the bounds, or three standard deviations to each side of a normal
#' prior's mean) with its ends written beside it ("..." where a part of it is shown), the estimate, and a
#' released interval as a thick line, which ends with the public range where it is infinite. Without a public
#' range, the estimates are drawn on one axis.
#'
#' Regions of two variables are drawn in their plane: the region, for a bagplot also the fence around it, and
#' the median (a cross), in the variables' units. Public limits in sight are dashed. An infinite region is
#' drawn as the public limits.
#' @export
plot.dp_release <- function(x, main = NULL, ...) plot_picture(x, picture(x), main, ...)

#' @rdname dp_release
#' @method autoplot dp_release
#' @rawNamespace S3method(ggplot2::autoplot,dp_release)
autoplot.dp_release <- function(object, ...) { # nolint: object_name_linter.
  check_dots(character(), "autoplot()")
  picture_ggplot(picture(object))
}

# Plots of private quantiles: the quantile function, or a box. Only released and public numbers are drawn.

#' Plots of private quantiles
#'
#' The released quantiles over their probabilities, as a private quantile function, or a private box plot:
#' a box from the quartiles, a line at the median, whiskers to two other quantiles. A thick line is a released
#' interval: of each quantile, or in a box that of the median. An infinite end is drawn to the public bound.
#'
#' @param x,object A release by [dp_quantile()].
#' @param type `"function"`: the quantile function, lines between the released points. `"box"`: a box plot,
#'   for a release with quantiles 0.25, 0.5 and 0.75; whiskers reach to the least and the largest released
#'   quantile, or to those of `whiskers`. No single rows are drawn, since none are released.
#' @param whiskers For `type = "box"`: `NULL`, or two of the released probabilities.
#' @param main,... For `plot()`: the title, and further arguments for [graphics::plot.default()], or, for a
#'   box, [graphics::bxp()].
#' @return `plot()` returns the release, invisibly; `autoplot()` a ggplot. A bad argument raises
#'   `dpdepth_error_input` (see [dpdepth-errors]).
#' @examples
#' release <- dp_quantile(faithful$eruptions, c(0.05, 0.25, 0.5, 0.75, 0.95), epsilon = 2, lower = 0,
#'                        upper = 60)
#' plot(release)
#' plot(release, type = "box")
#' @export
plot.dp_quantile <- function(x, type = c("function", "box"), whiskers = NULL, main = plot_title(x), ...) {
  type <- check_choice(type, c("function", "box"), "type")
  frame <- quantile_frame(x)
  if (type == "box") {
    stats <- box_numbers(x, whiskers)
    box <- list(stats = matrix(stats), n = x$n, conf = matrix(NA_real_, 2, 1), out = numeric(0),
                group = numeric(0), names = "")
    thick <- frame[frame$prob == 0.5, ]
    graphics::bxp(box, ylim = range(stats, thick$from, thick$to), ...)
    if (!is.null(x$interval)) thick_lines(rep(1, nrow(thick)), thick)
  } else {
    graphics::plot.default(frame$prob, frame$estimate, type = "n", xlim = c(0, 1),
                           ylim = range(frame$estimate, frame$from, frame$to),
                           xlab = "probability", ylab = "quantile", ...)
    if (!is.null(x$interval)) thick_lines(frame$prob, frame)
    graphics::points(frame$prob, frame$estimate, type = if (nrow(frame) > 1) "b" else "p", pch = 19)
  }
  fitted_title(main)
  caption_below(plot_caption(x, data.frame()))
  invisible(x)
}

#' @rdname plot.dp_quantile
#' @method autoplot dp_quantile
#' @rawNamespace S3method(ggplot2::autoplot,dp_quantile)
autoplot.dp_quantile <- function(object, type = c("function", "box"), # nolint: object_name_linter.
                                 whiskers = NULL, ...) {
  check_dots(character(), "autoplot()")
  quantile_ggplot(object, check_choice(type, c("function", "box"), "type"), whiskers)
}

thick_lines <- function(at, frame) {
  graphics::segments(at, frame$from, at, frame$to, lwd = 5, col = "#56B4E9")
}

quantile_ggplot <- function(object, type, whiskers) {
  force(object)
  title <- ggplot2::labs(title = title_of_lines(plot_title(object)),
                         caption = plot_caption(object, data.frame()))
  if (type == "box") {
    stats <- box_numbers(object, whiskers)
    frame <- data.frame(at = "", low = stats[[1]], first = stats[[2]], median = stats[[3]],
                        third = stats[[4]], high = stats[[5]])
    aes <- aes_of(x = "at", ymin = "low", lower = "first", middle = "median", upper = "third", ymax = "high")
    thick <- quantile_frame(object)
    thick <- cbind(thick[thick$prob == 0.5, ], at = "")
    return(ggplot2::ggplot(frame, aes) + ggplot2::geom_boxplot(stat = "identity", width = 0.4) +
             (if (!is.null(object$interval)) {
               ggplot2::geom_linerange(aes_of(x = "at", ymin = "from", ymax = "to"), thick,
                                       inherit.aes = FALSE, colour = "#56B4E9", linewidth = 1.5)
             }) + title +
             ggplot2::labs(x = NULL, y = NULL) + opaque_theme())
  }
  frame <- quantile_frame(object)
  ggplot2::ggplot(frame, aes_of(x = "prob", y = "estimate")) +
    (if (!is.null(object$interval)) {
      ggplot2::geom_linerange(aes_of(ymin = "from", ymax = "to"), colour = "#56B4E9", linewidth = 1.5)
    }) +
    (if (nrow(frame) > 1) ggplot2::geom_line(colour = "grey60")) + ggplot2::geom_point() + title +
    ggplot2::scale_x_continuous(limits = c(0, 1)) +
    ggplot2::labs(x = "probability", y = "quantile") + opaque_theme()
}

# `from`, `to`: the interval where there is one, infinite ends at the public range, or at the estimate.
quantile_frame <- function(x) {
  order <- order(x$details$probs)
  frame <- data.frame(prob = x$details$probs[order], estimate = unname(x$estimate)[order])
  if (is.null(x$interval)) return(frame)
  range <- public_range(x)
  frame$from <- finite_or(unname(x$interval[order, 1]), pmin(range$lower, frame$estimate))
  frame$to <- finite_or(unname(x$interval[order, 2]), pmax(range$upper, frame$estimate))
  frame
}

# The five numbers of a box, from released quantiles.
box_numbers <- function(x, whiskers) {
  frame <- unique(quantile_frame(x))
  if (is.null(whiskers)) whiskers <- range(frame$prob)
  whiskers <- sort(check_probs(whiskers))
  if (length(whiskers) != 2) {
    stop_input("whiskers", "NULL or two of the released probabilities", describe(whiskers))
  }
  wanted <- c(whiskers[[1]], 0.25, 0.5, 0.75, whiskers[[2]])
  found <- vapply(wanted, function(p) match(TRUE, abs(frame$prob - p) < 1e-9), 0L)
  if (anyNA(found[2:4])) {
    stop_input("type", "\"function\" for a release without the quantiles 0.25, 0.5 and 0.75", "\"box\"",
               "A box is made of these: ask dp_quantile() for them, with two more for the whiskers.")
  }
  if (anyNA(found) || whiskers[[1]] > 0.25 || whiskers[[2]] < 0.75) {
    stop_input("whiskers", "two of the released probabilities, one up to 0.25 and one from 0.75",
               NULL, "Leave it NULL for the outermost ones.")
  }
  frame$estimate[found]
}

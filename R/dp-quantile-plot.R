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
#' @param main,... For `plot()`: the title, and further arguments for [graphics::plot.default()].
#' @return `plot()` returns the release, invisibly; `autoplot()` a ggplot. A bad argument raises
#'   `dpdepth_error_input` (see [dpdepth-errors]).
#' @examples
#' release <- dp_quantile(faithful$eruptions, c(0.05, 0.25, 0.5, 0.75, 0.95), epsilon = 2, lower = 0,
#'                        upper = 60)
#' plot(release)
#' plot(release, type = "box")
#' @export
plot.dp_quantile <- function(x, type = c("function", "box"), whiskers = NULL, main = NULL, ...) {
  plot_picture(x, picture(x, type, whiskers), main, ...)
}

#' @rdname plot.dp_quantile
#' @method autoplot dp_quantile
#' @rawNamespace S3method(ggplot2::autoplot,dp_quantile)
autoplot.dp_quantile <- function(object, type = c("function", "box"), # nolint: object_name_linter.
                                 whiskers = NULL, ...) {
  check_dots(character(), "autoplot()")
  picture_ggplot(picture(object, type, whiskers))
}

picture.dp_quantile <- function(x, type = c("function", "box"), whiskers = NULL, # nolint: object_name_linter.
                                ...) {
  frame <- quantile_frame(x)
  box <- check_choice(type, c("function", "box"), "type") == "box"
  shown <- if (box) frame[frame$prob == 0.5, ] else frame
  at <- if (box) 1 else shown$prob
  layers <- list(
    if (box) box_layers(box_numbers(x, whiskers)),
    if (!is.null(x$interval)) interval_layer(at, shown$from, xend = at, yend = shown$to),
    if (!box) list(layer("lines", at, shown$estimate, colour = "grey60"), layer("points", at, shown$estimate))
  )
  new_picture(layers, title = plot_title(x), caption = plot_caption(x),
              x = if (box) picture_axis(limits = c(0, 2), shown = FALSE)
                  else picture_axis("probability", limits = c(0, 1)),
              y = picture_axis(if (box) "" else "quantile"))
}

# A box about 1, from five numbers.
box_layers <- function(z) {
  list(layer("segments", 1, z[c(1, 4)], xend = 1, yend = z[c(2, 5)], lty = 2),
       layer("segments", 0.8, z[c(1, 5)], xend = 1.2, yend = z[c(1, 5)]),
       layer("bars", 0.6, z[[2]], xend = 1.4, yend = z[[4]], fill = "grey85"),
       layer("segments", 0.6, z[[3]], xend = 1.4, yend = z[[3]], lwd = 3))
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

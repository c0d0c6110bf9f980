# Pictures of private depths, with their noise, and depth-depth plots: public values only.

#' Pictures of private depths
#'
#' `plot()` and `autoplot()` of a release by [dp_depth()] show each point's depth with a bar of two standard
#' deviations of the noise to each side. With a second release, of the depths of the same points in other
#' data, they draw a private depth-depth plot.
#'
#' @param x,object A release by [dp_depth()].
#' @param y `NULL`, or a release by [dp_depth()] of the same points and the same depth, in other data.
#' @param main,xlab,ylab Title and axis labels. In a depth-depth plot `xlab` and `ylab` may name the data.
#' @param ... For `plot()`: further arguments for [graphics::plot.default()]. `autoplot()` takes none.
#' @details
#' **Bars** show the noise and nothing else: how far the released depth may lie from the depth in the rows at
#' hand. About one in twenty bars misses it. What the rows themselves vary by is besides.
#'
#' **Depth-depth plot** (Liu, Parelius and Singh, 1999). Each point has its depth in one data set and its
#' depth in the other. If both sets are samples of one law, the points lie about the diagonal; if the law of
#' one is that of the other moved or spread, they bend away from it. Take points that reach from the middle
#' to the rim: a grid, a sample of another study, or draws of [dp_median_exponential()] with a small epsilon.
#'
#' **What it costs.** Where each person has a row in one of the two sets only, both releases together are
#' private with the larger epsilon and the larger delta of the two: one replaced row changes one set, and the
#' depths in the other do not move (`vignette("proofs-depths", "dpdepth")`, Theorem D3). So each set has a
#' budget, and a [dp_ledger()], of its own. This holds where the sizes of the sets are public, and where who
#' is in which set need not be hidden. If a person may have a row in both sets, or if a private variable
#' splits one data set into the two, the budgets add up: take one ledger for both calls.
#' @return `plot()`: `x`, invisibly; `autoplot()`: a ggplot.
#' @inheritSection dp_median Errors
#' @references
#' Liu, R. Y., Parelius, J. M. and Singh, K. (1999). Multivariate analysis by data depth. *Annals of
#' Statistics* 27, 783-858. \doi{10.1214/aos/1018031260}
#' @seealso [dp_depth()].
#' @examples
#' # eruptions by day and by night: made-up groups of the public faithful data
#' points <- as.matrix(expand.grid(eruptions = c(2, 3, 4, 4.5), waiting = c(55, 65, 75, 85)))
#' depths <- function(rows) {
#'   dp_depth(points, faithful[rows, ], epsilon = 4, lower = 0, upper = c(10, 180))
#' }
#' first <- depths(1:136)
#' plot(first)
#' plot(first, depths(137:272), xlab = "depth in the first half", ylab = "depth in the second half")
#' @export
plot.dp_depths <- function(x, y = NULL, main = plot_title(x), xlab = NULL, ylab = NULL, ...) {
  if (!is.null(y)) {
    check_same_depths(x, y)
    plot_pairs(x, y, if (missing(main)) pair_title(x, y) else main, pair_labels(x, xlab, ylab), ...)
    return(invisible(x))
  }
  frame <- depth_frame(x)
  place <- rev(seq_along(frame$term))
  # room on the left for the longest name, but never more than a third of the figure
  margin <- graphics::par("mai")
  space <- 2 * graphics::par("csi")
  names <- fit_text(frame$term, graphics::par("fin")[[1]] / 3 - space)
  margin[[2]] <- max(margin[[2]] / 2, space + max(graphics::strwidth(names, "inches")))
  old <- graphics::par(mai = margin)
  on.exit(graphics::par(old))
  graphics::plot.default(range(frame$from, frame$to), c(0.4, length(place) + 0.6), type = "n", yaxt = "n",
                         xlab = if (is.null(xlab)) depth_label(x) else xlab,
                         ylab = if (is.null(ylab)) "" else ylab, main = main, ...)
  graphics::axis(2, place, names, las = 1, tick = FALSE)
  graphics::segments(frame$from, place, frame$to, place, col = "grey50")
  graphics::points(frame$estimate, place, pch = 19)
  write_caption(depth_caption(x))
  invisible(x)
}

plot_pairs <- function(x, y, main, labels, ...) {
  frame <- depth_pairs(x, y)
  shown <- range(frame[c("from_x", "to_x", "from_y", "to_y")])
  graphics::plot.default(frame$x, frame$y, xlim = shown, ylim = shown, pch = 19, main = main, las = 1,
                         xlab = labels[[1]], ylab = labels[[2]], ...)
  graphics::abline(0, 1, col = "grey70", lty = 2)
  graphics::segments(frame$from_x, frame$y, frame$to_x, frame$y, col = "grey50")
  graphics::segments(frame$x, frame$from_y, frame$x, frame$to_y, col = "grey50")
  write_caption(pair_caption(x, y))
}

# In the margin below the axis title, as wide as the figure at most.
write_caption <- function(text) {
  size <- min(0.8, 0.95 * graphics::par("fin")[[1]] / graphics::strwidth(text, "inches"))
  graphics::mtext(text, 1, graphics::par("mgp")[[1]] + 1, at = graphics::grconvertX(0.5, "nfc", "user"),
                  cex = size * graphics::par("cex"))
}

#' @rdname plot.dp_depths
#' @method autoplot dp_depths
#' @rawNamespace S3method(ggplot2::autoplot,dp_depths)
autoplot.dp_depths <- function(object, y = NULL, ...) { # nolint: object_name_linter.
  check_dots(character(), "autoplot()")
  if (is.null(y)) return(depths_ggplot(object))
  check_same_depths(object, y)
  pairs_ggplot(object, y)
}

# Plain functions, whose arguments are no promises: see release_ggplot().
depths_ggplot <- function(object) {
  force(object)
  frame <- depth_frame(object)
  frame$term <- factor(frame$term, levels = rev(frame$term))
  ggplot2::ggplot(frame) +
    ggplot2::geom_segment(aes_of(x = "from", xend = "to", y = "term", yend = "term"), colour = "grey50") +
    ggplot2::geom_point(aes_of(x = "estimate", y = "term"), size = 3) +
    ggplot2::labs(x = depth_label(object), y = NULL, title = plot_title(object),
                  caption = depth_caption(object)) +
    opaque_theme()
}

pairs_ggplot <- function(x, y) {
  force(x)
  force(y)
  labels <- pair_labels(x)
  ggplot2::ggplot(depth_pairs(x, y)) +
    ggplot2::geom_abline(intercept = 0, slope = 1, colour = "grey70", linetype = 2) +
    ggplot2::geom_segment(aes_of(x = "from_x", xend = "to_x", y = "y", yend = "y"), colour = "grey50") +
    ggplot2::geom_segment(aes_of(x = "x", xend = "x", y = "from_y", yend = "to_y"), colour = "grey50") +
    ggplot2::geom_point(aes_of(x = "x", y = "y"), size = 3) +
    ggplot2::labs(x = labels[[1]], y = labels[[2]], title = pair_title(x, y),
                  caption = pair_caption(x, y)) +
    opaque_theme()
}

# Depths with two standard deviations of the noise, which are public, to each side.
depth_frame <- function(x) {
  frame <- tidy.dp_release(x)
  frame$from <- frame$estimate - 2 * x$details$noise_sd
  frame$to <- frame$estimate + 2 * x$details$noise_sd
  frame
}

depth_pairs <- function(x, y) {
  a <- depth_frame(x)
  b <- depth_frame(y)
  data.frame(term = a$term, x = a$estimate, from_x = a$from, to_x = a$to, y = b$estimate, from_y = b$from,
             to_y = b$to)
}

check_same_depths <- function(x, y) {
  must <- "a release by dp_depth() of the same points and the same depth"
  if (!inherits(y, "dp_depths")) stop_input("y", must, describe(y))
  if (!identical(unname(x$details$points), unname(y$details$points))) {
    stop_input("y", must, "one of other points", "Ask for the depths of the same public points in both data.")
  }
  if (depth_label(x) != depth_label(y)) {
    stop_input("y", must, sprintf("one of %s", depth_label(y)), "Take the same `depth` for both.")
  }
}

# Without the number of directions, which falls with the number of rows.
depth_label <- function(x) sub(", along .*", "", x$details$depth)

pair_labels <- function(x, xlab = NULL, ylab = NULL) {
  set <- function(which) sprintf("%s in the %s data", depth_label(x), which)
  c(if (is.null(xlab)) set("first") else xlab, if (is.null(ylab)) set("second") else ylab)
}

# It says that one of them is a simulation if one is.
pair_title <- function(x, y) {
  plot_title(list(details = list(what = "depth-depth plot"), released = TRUE,
                  rng = if (x$rng == "R" || y$rng == "R") "R" else "system"))
}

depth_caption <- function(x) pair_caption(x, x)

pair_caption <- function(x, y) {
  each <- unique(with_point(c(guarantee_name(x), guarantee_name(y))))
  paste0(paste(each, collapse = " / "), "; bars: two standard deviations of the noise")
}

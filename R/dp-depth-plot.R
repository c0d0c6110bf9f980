# Pictures of private depths, with their noise, and depth-depth plots: public values only.

#' Pictures of private depths
#'
#' `plot()` and `autoplot()` of a release by [dp_depth()] show each point's depth with a bar of two standard
#' deviations of the noise to each side. With a second release, of the depths of the same points in other
#' data, they draw a private depth-depth plot.
#'
#' @param x,object A release by [dp_depth()].
#' @param y `NULL`, or a release by [dp_depth()] of the same points and the same depth, in other data.
#' @param main The title.
#' @param ... For `plot()`: further arguments for [graphics::plot.default()]; in a depth-depth plot `xlab` and
#'   `ylab` may name the data. `autoplot()` takes none.
#' @details
#' **Bars** show the noise and nothing else: how far the released depth may lie from the depth in the rows at
#' hand. About one in twenty bars misses it. The sampling error of the rows is not in the bars.
#'
#' **Depth-depth plot** (Liu, Parelius and Singh, 1999). Each point has its depth in one data set and its
#' depth in the other. If both sets are samples of one distribution, the points lie about the diagonal; if the
#' distribution of one is that of the other moved or spread, they bend away from it. Take points that reach
#' from the middle to the rim: a grid, a sample of another study, or draws of [dp_median_exponential()] with a
#' small epsilon.
#'
#' **What it costs.** Where each person has a row in one of the two sets only, both releases together are
#' private with the larger epsilon and the larger delta of the two: one replaced row changes one set, and the
#' depths in the other do not move (`vignette("proofs-depths", "dpdepth")`, Theorem D3). So each set has its
#' own budget and its own [dp_ledger()]. This holds where the sizes of the sets are public, and where who is
#' in which set need not be hidden. If a person may have a row in both sets, or if a private variable splits
#' one data set into the two, the budgets add up: take one ledger for both calls.
#' @return `plot()`: `x`, invisibly; `autoplot()`: a ggplot.
#' @inheritSection dp_median Errors
#' @references
#' Liu, R. Y., Parelius, J. M. and Singh, K. (1999). Multivariate analysis by data depth. *Annals of
#' Statistics* 27, 783-858. \doi{10.1214/aos/1018031260}
#' @seealso [dp_depth()].
#' @examples
#' # eruptions by day and by night: made-up groups of the public faithful data
#' points <- as.matrix(expand.grid(eruptions = c(2, 3, 4, 4.5),
#'                                 waiting = c(55, 65, 75, 85)))
#' depths <- function(rows) {
#'   dp_depth(points, faithful[rows, ], epsilon = 4, lower = 0, upper = c(10, 180))
#' }
#' first <- depths(1:136)
#' plot(first)
#' plot(first, depths(137:272), xlab = "depth in the first half",
#'      ylab = "depth in the second half")
#' @export
plot.dp_depths <- function(x, y = NULL, main = NULL, ...) plot_picture(x, picture(x, y), main, ...)

#' @rdname plot.dp_depths
#' @method autoplot dp_depths
#' @rawNamespace S3method(ggplot2::autoplot,dp_depths)
autoplot.dp_depths <- function(object, y = NULL, ...) { # nolint: object_name_linter.
  check_dots(character(), "autoplot()")
  picture_ggplot(picture(object, y))
}

picture.dp_depths <- function(x, y = NULL, ...) { # nolint: object_name_linter.
  if (!is.null(y)) return(pair_picture(x, y))
  frame <- depth_frame(x)
  place <- rev(seq_along(frame$term))
  new_picture(list(layer("segments", frame$from, place, xend = frame$to, yend = place, colour = "grey50"),
                   layer("points", frame$estimate, place)),
              picture_axis(depth_label(x)), row_axis(frame$term), plot_title(x), pair_caption(x, x))
}

pair_picture <- function(x, y) {
  check_same_depths(x, y)
  pairs <- depth_pairs(x, y)
  shown <- range(pairs[c("from_x", "to_x", "from_y", "to_y")])
  axis <- function(which) picture_axis(sprintf("%s in the %s data", depth_label(x), which), limits = shown)
  new_picture(list(
    layer("lines", shown, shown, colour = "grey70", lty = 2),
    layer("segments", pairs$from_x, pairs$y, xend = pairs$to_x, yend = pairs$y, colour = "grey50"),
    layer("segments", pairs$x, pairs$from_y, xend = pairs$x, yend = pairs$to_y, colour = "grey50"),
    layer("points", pairs$x, pairs$y)
  ), axis("first"), axis("second"), pair_title(x, y), pair_caption(x, y))
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

# It says that one of them is a simulation if one is.
pair_title <- function(x, y) {
  plot_title(list(details = list(what = "depth-depth plot"), released = TRUE,
                  rng = if (x$rng == "R" || y$rng == "R") "R" else "system"))
}

pair_caption <- function(x, y) {
  each <- unique(with_point(c(guarantee_name(x), guarantee_name(y))))
  paste0(paste(each, collapse = " / "), "; bars: two standard deviations of the noise")
}

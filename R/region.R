# Halfspace depth regions in the plane.

# Above so many rows the sweep would hold too many lines: 12 bytes for most pairs of rows.
max_sweep_rows <- 8000

#' Depth regions in the plane
#'
#' The region of a level holds the points whose halfspace depth is at least that level. It is a convex polygon
#' (or a segment, a point, or nothing). Regions are nested: the outermost one is the convex hull of the data,
#' and the centroid of the innermost one is the Tukey median. Their outlines are the contours of the bagplot.
#'
#' Regions are exact: intersections of halfplanes with edges through rows. Ties, collinear rows and
#' regions without interior are handled exactly, to within rounding. `"sweep"` finds all such halfplanes from
#' the directions between all pairs of rows, O(n^2 log n) once for any number of levels, in O(n^2) memory
#' (refused above 8000 rows). `"cuts"` finds those of each level separately, O(n) for each of about two per
#' vertex. `"auto"` takes the method that should be faster.
#'
#' Regions follow affine transformations of the data. Outliers that are less than a share
#' `a` of all rows cannot move the region of level `a` without limit. Regions depend on the data without any
#' protection: they are not private.
#'
#' @param data The data: a numeric matrix or data frame with two columns.
#' @param level Depths, shares of the data above 0 and up to 1, in any order; `NULL` for every depth that some
#'   point attains, `1/n`, `2/n` and so on.
#' @param method `"sweep"`, `"cuts"` or `"auto"`, see Details.
#' @param ... Must be empty: a name that is not an argument is refused, see [dpdepth-errors].
#' @return An object of class `depth_region`: a list with the elements `level` (increasing), `count` (the
#'   smallest number of rows that reaches the level), `vertices` (a list of matrices with the vertices of
#'   each region counterclockwise, in the units of the data; two rows are a segment, one is a point, none
#'   is the empty set), `area`, `deepest` (the largest depth), and `data`. Methods: `print`,
#'   [as.data.frame()] (columns `level`, `vertex` and the two variables), [plot()] and, with ggplot2
#'   installed, `autoplot()`.
#' @section Errors:
#' A bad argument raises `dpdepth_error_input`, see [dpdepth-errors].
#' @references
#' Ruts, I. and Rousseeuw, P. J. (1996). Computing depth contours of bivariate point clouds.
#' *Computational Statistics and Data Analysis 23*, 153-168. \doi{10.1016/S0167-9473(96)00027-8}
#'
#' Rousseeuw, P. J., Ruts, I. and Tukey, J. W. (1999). The bagplot: a bivariate boxplot. *American
#' Statistician 53*, 382-387. \doi{10.1080/00031305.1999.10474494}
#' @seealso [median_tukey()], [depth_halfspace()]
#' @examples
#' regions <- depth_region(faithful, c(0.01, 0.1, 0.2, 0.3, 0.4))
#' regions
#' plot(regions)
#'
#' # the share of the plane's data in each
#' depth <- depth_halfspace(faithful, faithful)
#' vapply(regions$level, function(l) mean(depth >= l), 0)
#' @export
depth_region <- function(data, level = NULL, method = c("auto", "sweep", "cuts"), ...) {
  check_given()
  data <- check_data(data, "data", min_d = 2L, max_d = 2L)
  method <- check_choice(method, c("auto", "sweep", "cuts"), "method")
  n <- nrow(data)
  all_levels <- is.null(level)
  level <- if (all_levels) seq_len(n) / n else check_level(level)
  # a level that is a share up to rounding is that share
  count <- as.integer(ceiling(level * n * (1 - 4 * .Machine$double.eps)))
  wanted <- sort(unique(count))
  if (method == "auto") method <- if (n <= max_sweep_rows && length(wanted) > n / 100) "sweep" else "cuts"
  if (method == "sweep" && n > max_sweep_rows) {
    stop_input("method", sprintf("\"cuts\" for more than %d rows", max_sweep_rows), "\"sweep\"")
  }
  found <- .Call(ffi_depth_region, data, wanted, method == "sweep")
  keep <- if (all_levels) wanted <= found[[1]] else rep(TRUE, length(level))
  at <- match(count[keep], wanted)
  new_region(level[keep], count[keep], lapply(found[[2]][at], name_columns, names = colnames(data)),
             found[[3]][at], found[[1]] / n, data)
}

check_level <- function(level) {
  must <- "numbers above 0 and up to 1"
  if (!is.numeric(level) || is.object(level) || length(level) == 0) stop_input("level", must, describe(level))
  if (anyNA(level) || any(level <= 0 | level > 1)) {
    stop_input("level", must, describe_numbers(level, is.na(level) | level <= 0 | level > 1))
  }
  sort(as.double(level))
}

name_columns <- function(x, names) {
  colnames(x) <- names
  x
}

new_region <- function(level, count, vertices, area, deepest, data) {
  structure(list(level = level, count = count, vertices = vertices, area = area, deepest = deepest,
                 data = data), class = "depth_region")
}

# What a region is, by its number of vertices.
region_kind <- function(vertices) {
  k <- vapply(vertices, nrow, 0L)
  ifelse(k == 0, "empty", ifelse(k == 1, "a point", ifelse(k == 2, "a segment", sprintf("%d vertices", k))))
}

#' @export
print.depth_region <- function(x, digits = 4L, max = 12L, ...) {
  k <- length(x$level)
  cat(sprintf("Halfspace depth regions of %d rows: %d level%s, the deepest point has depth %s\n",
              nrow(x$data), k, if (k == 1) "" else "s", format(x$deepest, digits = digits)))
  show <- if (k <= max) seq_len(k) else unique(round(seq(1, k, length.out = max)))
  table <- data.frame(level = format(x$level, digits = digits), rows = x$count,
                      region = region_kind(x$vertices), area = format(x$area, digits = digits))
  print(table[show, ], row.names = FALSE, right = FALSE)
  if (length(show) < k) cat(sprintf("(%d of %d levels shown)\n", length(show), k))
  invisible(x)
}

#' @export
as.data.frame.depth_region <- function(x, row.names = NULL, optional = FALSE, ...) {
  k <- vapply(x$vertices, nrow, 0L)
  points <- do.call(rbind, c(list(x$data[0, , drop = FALSE]), x$vertices))
  colnames(points) <- region_names(x)
  data.frame(level = rep(x$level, k), vertex = sequence(k), points, row.names = row.names,
             check.names = FALSE)
}

region_names <- function(x) {
  if (is.null(colnames(x$data))) c("x1", "x2") else colnames(x$data)
}

# Levels to draw: at most `max`, evenly spread, of regions that are not empty.
drawn_levels <- function(x, max) {
  there <- which(vapply(x$vertices, nrow, 0L) > 0)
  if (length(there) > max) there <- there[unique(round(seq(1, length(there), length.out = max)))]
  there
}

# From pale to strong, outermost to innermost.
region_colours <- function(k) {
  grDevices::colorRampPalette(c("#DCE9F5", "#6BA3D0", "#1F5F99"))(k)
}

#' Plot depth regions
#'
#' Nested contours over the data, the deeper the darker, and the centre of the innermost region drawn (a
#' cross).
#'
#' @param x,object Regions made by [depth_region()].
#' @param levels How many regions to draw at most, spread evenly over those there are.
#' @param points Whether to draw the data.
#' @param main The title.
#' @param ... For `plot()`: further arguments of [graphics::plot.default()]; for `autoplot()`: none.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot.
#' @examples
#' plot(depth_region(faithful))
#' plot(depth_region(iris[3:4]), points = FALSE, levels = 5)
#' @export
plot.depth_region <- function(x, levels = 9L, points = TRUE, main = NULL, ...) {
  plot_picture(x, picture(x, levels, points), main, ...)
}

#' @rdname plot.depth_region
#' @method autoplot depth_region
#' @rawNamespace S3method(ggplot2::autoplot,depth_region)
autoplot.depth_region <- function(object, levels = 9L, points = TRUE, ...) {
  check_dots(character(), "autoplot()")
  picture_ggplot(picture(object, levels, points))
}

picture.depth_region <- function(x, levels = 9L, points = TRUE, ...) { # nolint: object_name_linter.
  drawn <- drawn_levels(x, check_count(levels, "levels"))
  new_picture(list(
    Map(function(k, fill) {
      v <- x$vertices[[k]]
      key <- format(x$level[[k]], digits = 2)
      if (nrow(v) == 2) layer("lines", v[, 1], v[, 2], colour = fill, lwd = 2, key = key)
      else if (nrow(v) >= 3) layer("polygon", v[, 1], v[, 2], fill = fill, colour = "white", key = key)
    }, drawn, region_colours(length(drawn))),
    if (check_flag(points, "points")) {
      layer("points", unname(x$data[, 1]), unname(x$data[, 2]), cex = 0.5, colour = "#00000070")
    },
    if (length(drawn) > 0) centre_layer(region_centre(x, drawn[[length(drawn)]]))
  ), picture_axis(region_names(x)[[1]], limits = range(x$data[, 1])),
  picture_axis(region_names(x)[[2]], limits = range(x$data[, 2])), "Halfspace depth regions",
  legend = "depth")
}

# The centroid of a region's polygon, or the middle of its segment.
region_centre <- function(x, k) {
  v <- x$vertices[[k]]
  if (nrow(v) < 3 || x$area[[k]] == 0) return(colMeans(v))
  origin <- v[1, ]
  a <- t(v) - origin
  b <- a[, c(seq_len(ncol(a))[-1], 1)]
  cross <- a[1, ] * b[2, ] - a[2, ] * b[1, ]
  if (sum(cross) == 0) return(colMeans(v))
  origin + colSums(t(a + b) * cross) / (3 * sum(cross))
}

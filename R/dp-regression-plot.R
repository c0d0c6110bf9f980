# Plots of private regressions: the lines over a public axis, or the coefficients on their public ranges.

#' Plots of a private regression
#'
#' For a regression on one numeric variable: the released line, curve or quantiles over a public axis. For
#' others: the coefficients, each on its public range. Only released and public numbers are drawn, unless
#' `data` are given again: the picture then says that it is not private. A release with
#' [`interval`][dp_regression] has the limits of its line shaded, where they are finite: they hold for all
#' values of the axis together.
#'
#' @param x,object A release by [dp_regression()].
#' @param data `NULL`, or a data frame with the columns of the formula: its rows are drawn as points.
#' @param xlim The ends of the variable's axis: two public numbers. By default the range over the points `at`
#'   of the release, or that of `data`. Without either, the coefficients are drawn.
#' @param partial With several variables, the name of a numeric one: the lines over it are drawn, with the
#'   others held where `hold` says. This needs `xlim`, or `at`.
#' @param hold A list of values of other variables, named by them. Other variables are held at 0, `FALSE`, or
#'   the first level of a factor.
#' @param main,... For `plot()`: the title, and further arguments for [graphics::plot.default()].
#' @return `plot()` returns the release, invisibly; `autoplot()` a ggplot, which holds no data but what was
#'   given as `data`. A bad argument raises `dpdepth_error_input` (see [dpdepth-errors]).
#' @examples
#' fit <- dp_regression(waiting ~ eruptions, faithful, epsilon = 3, at = c(1.5, 5),
#'                      lower = 0, upper = 150, tau = c(0.25, 0.5, 0.75))
#' plot(fit)
#' plot(fit, data = faithful, xlim = c(1, 6)) # not private
#'
#' quake <- dp_regression(stations ~ mag + depth, quakes, epsilon = 1,
#'                        lower = c(-500, 0, -1), upper = c(500, 100, 1),
#'                        method = "batches")
#' plot(quake)
#' plot(quake, partial = "mag", xlim = c(4, 6.5), hold = list(depth = 100))
#' @export
plot.dp_regression <- function(x, data = NULL, xlim = NULL, partial = NULL, hold = list(), main = NULL, ...) {
  plot_picture(x, picture(x, data, xlim, partial, hold), main, ...)
}

#' @rdname plot.dp_regression
#' @method autoplot dp_regression
#' @rawNamespace S3method(ggplot2::autoplot,dp_regression)
autoplot.dp_regression <- function(object, data = NULL, xlim = NULL, # nolint: object_name_linter.
                                   partial = NULL, hold = list(), ...) {
  check_dots(character(), "autoplot()")
  picture_ggplot(picture(object, data, xlim, partial, hold))
}

not_private_picture <- "NOT PRIVATE: the points are rows of the data"

picture.dp_regression <- function(x, data = NULL, xlim = NULL, partial = NULL, # nolint: object_name_linter.
                                  hold = list(), ...) {
  lines <- regression_lines(x, data, xlim, partial, hold)
  if (is.null(lines)) return(picture.dp_release(x))
  tau <- levels(lines$curves$tau)
  of <- split(lines$curves, lines$curves$tau)
  # the highest curve first
  curves <- series_layers(rev(tau), function(name, colour, lty, pch) {
    at <- of[[name]]
    fill <- if (length(tau) == 1) band_colour else grDevices::adjustcolor(colour, 0.3)
    list(band = if (!is.null(at$lower)) band_layer(at$x, at$lower, at$upper, fill),
         line = layer("lines", at$x, at$y, colour = colour, lty = lty, lwd = 2, key = name))
  })
  points <- lines$points
  new_picture(list(
    lapply(curves, `[[`, "band"),
    if (NROW(points) > 0) layer("points", points$x, points$y, pch = 16, cex = 0.5, colour = "#00000055"),
    lapply(curves, `[[`, "line")
  ), picture_axis(lines$variable), picture_axis(lines$response), plot_title(x), lines_caption(x, lines),
  warning = if (!is.null(points)) not_private_picture, legend = "tau")
}

band_layer <- function(x, lower, upper, fill = band_colour) {
  layer("polygon", c(x, rev(x)), c(lower, rev(upper)), fill = fill, colour = NA)
}

lines_caption <- function(x, lines) {
  held <- vapply(lines$hold, format, "")
  tau <- x$details$tau
  level <- x$details$level
  paste0(if (length(tau) == 1) sprintf("tau = %s; ", with_point(format(tau))), with_point(guarantee_name(x)),
         if (!is.null(lines$curves$lower)) with_point(sprintf("; %s%% limits", format(100 * level))),
         if (length(held) > 0) sprintf("; at %s", toString(paste(names(held), "=", held))))
}

# -- what is drawn ---------------------------------------------------------------------------------

# The curves (x, y, tau) of the fit over one variable, and points of `data`; NULL where coefficients are
# drawn.
regression_lines <- function(object, data, xlim, partial, hold) {
  variables <- all.vars(str2lang(object$details$formula)[[3]])
  numeric <- setdiff(variables, c(names(object$details$levels), object$details$logical))
  if (!is.null(xlim)) xlim <- check_axis(xlim)
  variable <- line_variable(variables, numeric, partial)
  if (is.null(variable)) {
    refuse_lines(data, xlim, hold)
    return(NULL)
  }
  if (!object$released) return(NULL)
  points <- if (!is.null(data)) line_points(object, data, variable, partial)
  if (is.null(xlim)) xlim <- public_axis(object, variable)
  if (is.null(xlim) && NROW(points) > 0) xlim <- range(points$x)
  if (is.null(xlim) && is.null(partial) && is.null(points)) return(NULL)
  if (is.null(xlim) || !(diff(xlim) > 0)) {
    stop_input("xlim", "given: two public numbers, the ends of the variable's axis", "missing")
  }
  hold <- held_values(object, setdiff(variables, variable), hold)
  at <- seq(xlim[[1]], xlim[[2]], length.out = 101)
  frame <- data.frame(c(list(at), hold), row.names = NULL)
  names(frame) <- c(variable, names(hold))
  # lines with limits as they were drawn
  rows <- predict_rows(object, frame, arg = "hold", arrange = is.null(object$interval))
  fit <- as.matrix(rows$fit)
  fit[!is.finite(fit)] <- NA
  if (all(is.na(fit))) stop_input("xlim", "where the fit has values", "an axis on which it has none")
  tau <- if (length(object$details$tau) > 1) vapply(object$details$tau, format, "") else "0.5"
  curves <- data.frame(x = rep(at, ncol(fit)), y = as.vector(fit),
                       tau = factor(rep(tau, each = length(at)), tau))
  limits <- if (!is.null(object$interval)) prediction_limits(object, rows$x)
  if (!is.null(limits) && all(is.finite(limits))) curves[c("lower", "upper")] <- limits
  list(curves = curves, points = points, variable = variable, hold = hold,
       response = paste(deparse(str2lang(object$details$formula)[[2]]), collapse = " "))
}

# The variable on the axis; NULL: none, the coefficients are drawn.
line_variable <- function(variables, numeric, partial) {
  if (is.null(partial)) return(if (length(variables) == 1 && length(numeric) == 1) numeric)
  if (!is.character(partial) || length(partial) != 1 || !partial %in% numeric) {
    must <- if (length(numeric) == 0) "NULL, as the formula has no numeric variable"
            else sprintf("the name of a numeric variable of the formula: %s", quote_names(numeric))
    stop_input("partial", must, describe_option(partial, numeric))
  }
  partial
}

refuse_lines <- function(data, xlim, hold) {
  given <- c(data = !is.null(data), xlim = !is.null(xlim), hold = length(hold) > 0)
  if (any(given)) {
    stop_input(names(which(given))[[1]], "left out where coefficients are drawn", "given",
               "With several variables, `partial` names the numeric one to draw lines over.")
  }
}

check_axis <- function(xlim) {
  if (!is.numeric(xlim) || is.object(xlim) || length(xlim) != 2 || !all(is.finite(xlim)) ||
        xlim[[1]] >= xlim[[2]]) {
    stop_input("xlim", "two increasing finite numbers", describe(xlim))
  }
  as.vector(as.double(xlim))
}

# The range of the points `at` where the variable is a term as it is.
public_axis <- function(object, variable) {
  at <- object$details$at
  column <- which(sub("^`(.*)`$", "\\1", colnames(at)) == variable)
  if (length(column) == 1) range(at[, column])
}

line_points <- function(object, data, variable, partial) {
  if (!is.null(partial)) {
    stop_input("data", "NULL with `partial`", "given",
               "Rows have other values of the variables that are held, and do not lie about these lines.")
  }
  rows <- new_rows(object$details, data, response = TRUE, arg = "data")
  points <- data.frame(x = as.double(data[[variable]]), y = rows$y)
  points[is.finite(points$x) & is.finite(points$y), ]
}

# A plain value, neither missing nor infinite; its kind and length are seen to below.
check_held <- function(value, name) {
  if (is.null(value)) return(invisible(NULL))
  plain <- is.atomic(value) && !is.object(value) && is.null(dim(value))
  none <- plain && length(value) == 1 && (is.na(value) || is.numeric(value) && !is.finite(value))
  if (!plain || none) {
    stop_input("hold", sprintf("one value for `%s`", short_text(name)),
               if (none) "a missing or infinite one" else describe(value))
  }
}

held_values <- function(object, variables, hold) {
  levels <- object$details$levels
  if (!is.list(hold) || length(setdiff(names(hold), variables)) > 0 ||
        sum(nzchar(names(hold))) < length(hold) || anyDuplicated(names(hold)) > 0) {
    must <- if (length(variables) == 0) "empty, as no other variable is to be held"
            else sprintf("a list of values named by other variables: %s", quote_names(variables))
    stop_input("hold", must, describe(hold))
  }
  lapply(stats::setNames(nm = variables), function(name) {
    value <- hold[[name]]
    if (is.factor(value)) value <- as.character(value)
    check_held(value, name)
    value <- unname(value)
    if (name %in% names(levels) && length(value) == 1 && !value %in% levels[[name]]) {
      stop_input("hold", sprintf("a level of the release for `%s`: %s", short_text(name),
                                 quote_names(levels[[name]])), "another text")
    }
    if (is.null(value)) {
      if (name %in% names(levels)) levels[[name]][[1]]
      else if (name %in% object$details$logical) FALSE
      else 0
    } else if (length(value) == 1 && (name %in% names(levels) || is.numeric(value) || is.logical(value))) {
      value
    } else {
      stop_input("hold", sprintf("one value for `%s`", short_text(name)), describe(value))
    }
  })
}

# Plans that are a curve against n and against epsilon: what they share, print, tidy, plot.
#
# A plan is a data frame of class c(<name>, "dp_plan"). Those made here have attributes `curve`, a function of
# n and epsilon that gives c(value, reference), both public numbers; `value` and `reference`, what these are
# called; `head`, the title, and `notes`, for print(); `log`: is the value on a logarithmic scale?
#
# Other plans have a print and pictures of their own, and draw curves against n alone by plot_against_n() and
# ggplot_against_n().

new_plan <- function(rows, name, curve, value, reference = NULL, head, notes = NULL, log = TRUE) {
  structure(rows, class = c(name, "dp_plan", "data.frame"), curve = curve, value = value,
            reference = reference, head = head, notes = notes, log = log)
}

# What is sought of a plan: the least n or epsilon for which enough(n, epsilon). `wanted`: of check_plan().
sought_plan <- function(wanted, enough, name = "error") {
  less <- sprintf("Ask for a larger `%s`.", name)
  if (is.null(wanted$n)) {
    n <- search_minimum(function(v) enough(ceiling(v), wanted$epsilon), 1, .Machine$integer.max, 1 + 1e-4)
    if (is.na(n)) stop_input(name, "reachable with that `epsilon`", format(wanted$error), less)
    wanted$n <- as.integer(ceiling(n))
  }
  if (is.null(wanted$epsilon)) {
    epsilon <- search_minimum(function(v) enough(wanted$n, v), 1e-5, 1e3, 1 + 1e-4)
    if (is.na(epsilon)) stop_input(name, "reachable with that `n`", format(wanted$error), less)
    wanted$epsilon <- epsilon
  }
  wanted
}

#' Methods of plans
#'
#' All plans are data frames and have these methods. `tidy()` gives a plain data frame. Some rows of a plan
#' are a plan, some columns a plain data frame. `format()` gives the lines that `print()` writes.
#'
#' `plot()` and `autoplot()` of [plan_mean()], [plan_histogram()], [plan_mestimate()], [plan_by()],
#' [plan_test()], [plan_depth()], [plan_median_projection()] and [plan_interior_point()] draw what is planned
#' against the number of rows and against epsilon, from a tenth to ten times of each; the dashed line, where
#' there is one, is without privacy. Other plans have pictures of their own.
#'
#' @param x,object A plan.
#' @param digits Significant digits to print.
#' @param ... Must be empty.
#' @return `print()` and `plot()` return the plan, invisibly; `format()` a character vector; `autoplot()` a
#'   ggplot; `tidy()` a plain data frame.
#' @seealso [plan_median()], [plan_quantile()], [plan_regression()], [plan_region()] and [plan_ecdf()].
#' @examples
#' plot(plan_mean(n = 1000, epsilon = 1, lower = 0, upper = 110, spread = 20))
#' @name dp_plan
NULL

#' @rdname dp_plan
#' @export
print.dp_plan <- function(x, digits = 3L, ...) {
  head <- sprintf("<%s> %s, n = %s, epsilon = %s", class(x)[[1]], attr(x, "head"), grouped(plan_size(x)),
                  format(x$epsilon[[1]], digits = digits))
  writeLines(wrap_text(with_point(head)))
  for (note in attr(x, "notes")) writeLines(wrap_text(note))
  cells <- lapply(tidy.dp_plan(x), function(column) {
    if (is.character(column)) short_names(column)
    else if (is.numeric(column)) vapply(column, function(v) format(v, digits = digits, big.mark = ","), "")
    else format(column)
  })
  shown <- as.data.frame(cells, optional = TRUE)
  print(utils::head(shown, 20), row.names = FALSE)
  if (nrow(shown) > 20) writeLines(sprintf("... and %d more", nrow(shown) - 20))
  invisible(x)
}

#' @rdname dp_plan
#' @export
format.dp_plan <- function(x, digits = 3L, ...) {
  check_dots(character(), "format()")
  utils::capture.output(print(x, digits = digits))
}

#' @rdname dp_plan
#' @export
tidy.dp_plan <- function(x, ...) {
  check_dots(character(), "tidy()")
  data.frame(unclass(x)[names(x)], stringsAsFactors = FALSE, check.names = FALSE)
}

#' @rdname dp_plan
#' @export
`[.dp_plan` <- function(x, ...) {
  out <- tidy.dp_plan(x)[...]
  if (!is.data.frame(out) || !identical(names(out), names(x)) || nrow(out) == 0) return(out)
  own <- c("names", "row.names")
  attributes(out) <- c(attributes(out)[own], attributes(x)[setdiff(names(attributes(x)), own)])
  out
}

# The planned values for a tenth to ten times of n and of epsilon, in two facets; NA where there is none.
plan_curve <- function(x, steps = 13L) {
  times <- 10^seq(-1, 1, length.out = steps)
  n <- plan_size(x)
  epsilon <- x$epsilon[[1]]
  of <- function(n, epsilon, at, facet) {
    values <- mapply(function(n, epsilon) {
      tryCatch(attr(x, "curve")(n, epsilon), dpdepth_error_input = function(e) c(NA_real_, NA_real_))
    }, n, epsilon)
    data.frame(facet = facet, at = at, value = values[1, ], reference = values[2, ])
  }
  rows <- unique(pmax(1, round(n * times)))
  budgets <- pmin(pmax(epsilon * times, 1e-6), 1e6)
  out <- rbind(of(rows, epsilon, rows, "n"), of(n, budgets, budgets, "epsilon"))
  out$facet <- factor(out$facet, c("n", "epsilon"))
  out
}

plan_size <- function(x) if (is.null(attr(x, "total"))) max(x$n) else attr(x, "total")

# The axis of each facet.
plan_curve_axes <- function(x) {
  with_point(c(n = sprintf("n, with epsilon = %s", format(x$epsilon[[1]], digits = 3)),
               epsilon = sprintf("epsilon, with n = %s", grouped(plan_size(x)))))
}

#' @rdname dp_plan
#' @export
plot.dp_plan <- function(x, ...) {
  check_dots(character(), "plot()")
  curves <- plan_curve(x)
  old <- graphics::par(mfrow = c(1, 2), mar = c(4.1, 4.9, 2.6, 1), oma = c(0, 0, 1.6, 0), las = 1)
  on.exit(graphics::par(old))
  range <- range(curves$value, curves$reference, finite = TRUE, na.rm = TRUE)
  reference <- attr(x, "reference")
  if (!is.null(reference)) range <- room_for_legend(range, 2, attr(x, "log"))
  for (facet in levels(curves$facet)) {
    here <- curves[curves$facet == facet, ]
    graphics::plot.default(here$at, here$value, log = if (attr(x, "log")) "xy" else "x", type = "l", lwd = 2,
                           xlab = plan_curve_axes(x)[[facet]], ylab = "", ylim = range)
    # beside the numbers, however long
    graphics::title(ylab = attr(x, "value"), line = 3.7)
    graphics::lines(here$at, here$reference, lty = 2)
    graphics::abline(v = if (facet == "n") plan_size(x) else x$epsilon[[1]], lty = 3, col = "grey50")
  }
  if (!is.null(reference)) {
    graphics::legend("topright", c(attr(x, "value"), reference), lty = 1:2, lwd = 2:1, bty = "n", cex = 0.9)
  }
  graphics::mtext(attr(x, "head"), outer = TRUE, font = 2)
  invisible(x)
}

#' @rdname dp_plan
#' @method autoplot dp_plan
#' @rawNamespace S3method(ggplot2::autoplot,dp_plan)
autoplot.dp_plan <- function(object, ...) { # nolint: object_name_linter.
  check_dots(character(), "autoplot()")
  plan_curve_ggplot(object)
}

plan_curve_ggplot <- function(object) {
  force(object)
  curves <- plan_curve(object)
  lines <- data.frame(curves[c("facet", "at")], size = curves$value, of = attr(object, "value"))
  reference <- attr(object, "reference")
  if (!is.null(reference)) {
    lines <- rbind(lines, data.frame(curves[c("facet", "at")], size = curves$reference, of = reference))
  }
  planned <- data.frame(facet = factor(levels(curves$facet), levels(curves$facet)),
                        at = c(plan_size(object), object$epsilon[[1]]))
  plot <- ggplot2::ggplot(lines, aes_of(x = "at", y = "size", linetype = "of")) +
    ggplot2::geom_vline(data = planned, mapping = aes_of(xintercept = "at"), linetype = 3,
                        colour = "grey50") +
    ggplot2::geom_line(na.rm = TRUE) +
    ggplot2::facet_wrap("facet", scales = "free_x", strip.position = "bottom",
                        labeller = ggplot2::as_labeller(plan_curve_axes(object))) +
    # numbers of an axis, or of two axes side by side, must not run into one
    ggplot2::scale_x_log10(guide = ggplot2::guide_axis(check.overlap = TRUE)) +
    ggplot2::labs(x = NULL, y = attr(object, "value"), linetype = NULL, title = attr(object, "head")) +
    opaque_theme() +
    ggplot2::theme(strip.placement = "outside", panel.spacing.x = ggplot2::unit(2.5, "lines"),
                   legend.position = if (is.null(reference)) "none" else "top")
  if (attr(object, "log")) plot + ggplot2::scale_y_log10() else plot
}

# Curves against n of plans with a class of their own: `curves` has a row for each n and series, with `what`
# (the series' name), `n`, `value` and `reference`, the value without privacy; `planned` the rows that were
# asked for.
plot_against_n <- function(curves, planned, label, title) {
  series <- unique(planned$what)
  colours <- stats::setNames(line_colours(length(series)), series)
  sizes <- c(curves$value, curves$reference, planned$value)
  sizes <- sizes[is.finite(sizes) & sizes > 0]
  keys <- c(if (length(series) > 1) series, "without privacy")
  old <- graphics::par(mar = graphics::par("mar") + c(0, 0.8, 0, 0))
  on.exit(graphics::par(old))
  graphics::plot.default(range(curves$n), room_for_legend(range(sizes), length(keys), TRUE), log = "xy",
                         type = "n", xlab = "n", ylab = "", main = title, axes = FALSE)
  graphics::box()
  for (side in 1:2) {
    at <- graphics::axTicks(side)
    graphics::axis(side, at, vapply(at, grouped, ""), las = 1)
  }
  graphics::title(ylab = label, line = 3.7)
  for (one in series) {
    here <- curves[curves$what == one, ]
    # a curve under another one shows at its sides
    graphics::lines(here$n, here$value, col = colours[[one]], lwd = 2 + 3 * (one != series[[length(series)]]))
    graphics::lines(here$n, here$reference, col = colours[[one]], lty = 2)
  }
  graphics::points(planned$n, planned$value, pch = 19, col = colours[planned$what])
  graphics::legend("topright", keys, col = c(if (length(series) > 1) colours, "grey30"), bty = "n", cex = 0.9,
                   lwd = c(rep_len(2, length(keys) - 1), 1), lty = c(rep_len(1, length(keys) - 1), 2))
}

ggplot_against_n <- function(curves, planned, label, title) {
  force(title)
  force(label)
  series <- unique(planned$what)
  planned$what <- factor(planned$what, series)
  curves <- rbind(data.frame(curves[c("what", "n")], size = curves$value, by = "with privacy"),
                  data.frame(curves[c("what", "n")], size = curves$reference, by = "without"))
  curves$what <- factor(curves$what, series)
  ggplot2::ggplot(curves, aes_of(x = "n", y = "size", colour = "what")) +
    ggplot2::geom_line(aes_of(linetype = "by"), na.rm = TRUE) +
    ggplot2::geom_point(aes_of(y = "value"), planned, size = 2.5, show.legend = FALSE) +
    ggplot2::scale_x_log10() + ggplot2::scale_y_log10() +
    ggplot2::scale_colour_manual(values = line_colours(length(series)),
                                 guide = if (length(series) > 1) "legend" else "none") +
    ggplot2::labs(x = "n", y = label, colour = NULL, linetype = NULL, title = title) +
    opaque_theme()
}

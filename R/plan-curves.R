# Plans that are a curve against n and against epsilon: what they share, print, tidy, plot.
#
# A plan is a data frame of class c(<name>, "dp_plan") with attributes `curve`, a function of n and epsilon
# that gives c(value, reference), both public numbers; `value` and `reference`, what these are called; `head`
# and `notes`, for print(); `log`: is the value on a logarithmic scale?

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

#' Plans as curves
#'
#' Methods of the plans by [plan_mean()], [plan_histogram()], [plan_mestimate()], [plan_by()] and
#' [plan_interior_point()]. `plot()` and `autoplot()` draw what is planned against the number of rows and
#' against epsilon, from a tenth to ten times of each; the dashed line, where there is one, is without
#' privacy. `tidy()` gives a plain data frame.
#'
#' @param x,object A plan.
#' @param digits Significant digits to print.
#' @param ... Must be empty.
#' @return `print()` and `plot()` return the plan, invisibly; `autoplot()` a ggplot; `tidy()` a data frame, as
#'   does `[`.
#' @seealso [plan_median()], [plan_quantile()], [plan_regression()] and [plan_ecdf()], which have pictures of
#'   their own.
#' @examples
#' plot(plan_mean(n = 1000, epsilon = 1, lower = 0, upper = 110, spread = 20))
#' @name dp_plan
NULL

#' @rdname dp_plan
#' @export
print.dp_plan <- function(x, digits = 3L, ...) {
  writeLines(wrap_text(with_point(sprintf("<%s> %s", class(x)[[1]], attr(x, "head")))))
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
tidy.dp_plan <- function(x, ...) {
  check_dots(character(), "tidy()")
  data.frame(unclass(x)[names(x)], stringsAsFactors = FALSE, check.names = FALSE)
}

#' @rdname dp_plan
#' @export
`[.dp_plan` <- function(x, ...) tidy.dp_plan(x)[...]

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

plan_curve_title <- function(x) {
  sprintf("%s: n = %s, epsilon = %s", class(x)[[1]], grouped(plan_size(x)),
          format(x$epsilon[[1]], digits = 3))
}

#' @rdname dp_plan
#' @export
plot.dp_plan <- function(x, ...) {
  check_dots(character(), "plot()")
  curves <- plan_curve(x)
  old <- graphics::par(mfrow = c(1, 2), mar = c(4.1, 4.1, 2.6, 1), oma = c(0, 0, 1.6, 0), las = 1)
  on.exit(graphics::par(old))
  range <- range(curves$value, curves$reference, finite = TRUE, na.rm = TRUE)
  for (facet in levels(curves$facet)) {
    here <- curves[curves$facet == facet, ]
    graphics::plot.default(here$at, here$value, log = if (attr(x, "log")) "xy" else "x", type = "l", lwd = 2,
                           xlab = facet, ylab = attr(x, "value"), ylim = range)
    graphics::lines(here$at, here$reference, lty = 2)
    graphics::abline(v = if (facet == "n") plan_size(x) else x$epsilon[[1]], lty = 3, col = "grey50")
  }
  graphics::mtext(plan_curve_title(x), outer = TRUE, font = 2)
  invisible(x)
}

#' @rdname dp_plan
#' @exportS3Method ggplot2::autoplot
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
    ggplot2::facet_wrap("facet", scales = "free_x", strip.position = "bottom") + ggplot2::scale_x_log10() +
    ggplot2::labs(x = NULL, y = attr(object, "value"), linetype = NULL, title = plan_curve_title(object)) +
    opaque_theme() +
    # labels at the ends of two axes side by side must not run into one number
    ggplot2::theme(strip.placement = "outside", panel.spacing.x = ggplot2::unit(2.5, "lines"))
  if (attr(object, "log")) plot + ggplot2::scale_y_log10() else plot
}

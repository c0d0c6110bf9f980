# Plans that are a curve against n and against epsilon: what they share, print, tidy, plot.
#
# A plan is a data frame of class c(<name>, "dp_plan"). Those made here have attributes `curve`, a function of
# n and epsilon that gives c(value, reference), both public numbers; `value` and `reference`, what these are
# called; `head`, the title, and `notes`, for print(); `log`: is the value on a logarithmic scale?
#
# Other plans have a print and pictures of their own, and draw curves against n alone by against_n().

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
#' Wherever a plan takes `n` and `epsilon`, each may be several numbers, as in `n = c(100, 1000)`: the result
#' is then a plain data frame with the rows of the plan of each pair.
#'
#' `plot()` and `autoplot()` of [plan_mean()], [plan_histogram()], [plan_mestimate()], [plan_by()],
#' [plan_summary()], [plan_test()], [plan_depth()] and [plan_interior_point()] draw what is planned against
#' the number of rows and against epsilon, from a tenth to ten times of each; the dashed line, where there is
#' one, is without privacy. Other plans have pictures of their own.
#'
#' @param x,object A plan.
#' @param main For `plot()`: the title.
#' @param digits Significant digits to print.
#' @param ... Must be empty.
#' @return `print()` and `plot()` return the plan, invisibly; `format()` a character vector; `autoplot()` a
#'   ggplot; `tidy()` a plain data frame.
#' @seealso [plan_median()], [plan_quantile()], [plan_regression()], [plan_region()] and [plan_ecdf()].
#' @examples
#' plot(plan_mean(n = 1000, epsilon = 1, lower = 0, upper = 110, spread = 20))
#' plan_mean(n = c(200, 1000), epsilon = c(0.5, 1), lower = 0, upper = 110, spread = 20)
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

#' @rdname dp_plan
#' @export
plot.dp_plan <- function(x, ..., main = NULL) {
  check_dots(character(), "plot()")
  plot_picture(x, picture(x), main)
}

#' @rdname dp_plan
#' @method autoplot dp_plan
#' @rawNamespace S3method(ggplot2::autoplot,dp_plan)
autoplot.dp_plan <- function(object, ...) { # nolint: object_name_linter.
  check_dots(character(), "autoplot()")
  picture_ggplot(picture(object))
}

# Panels against n and against epsilon.
panel_names <- function(n, epsilon) {
  with_point(c(n = sprintf("n, with epsilon = %s", format(epsilon, digits = 3)),
               epsilon = sprintf("epsilon, with n = %s", grouped(n))))
}

picture.dp_plan <- function(x, ...) { # nolint: object_name_linter.
  panels <- panel_names(plan_size(x), x$epsilon[[1]])
  curves <- split(plan_curve(x), ~facet)
  reference <- attr(x, "reference")
  layers <- lapply(names(panels), function(facet) {
    here <- curves[[facet]]
    list(rule(if (facet == "n") plan_size(x) else x$epsilon[[1]], lty = 3, colour = "grey50",
              panel = panels[[facet]]),
         layer("lines", here$at, here$value, lwd = 2, key = attr(x, "value"), panel = panels[[facet]]),
         if (!is.null(reference)) {
           layer("lines", here$at, here$reference, lty = 2, key = reference, panel = panels[[facet]])
         })
  })
  new_picture(layers, picture_axis(log = TRUE, free = TRUE),
              picture_axis(attr(x, "value"), log = attr(x, "log")), attr(x, "head"), panels = unname(panels),
              below = TRUE)
}

# Curves against n of plans with a class of their own: `curves` has a row for each n and series, with `what`
# (the series' name), `n`, `value` and `reference`, the value without privacy; `planned` the rows that were
# asked for.
against_n <- function(curves, planned, label, title) {
  series <- unique(planned$what)
  own <- function(name) if (length(series) > 1) name else "with privacy"
  layers <- series_layers(series, function(name, colour, lty, pch) {
    here <- curves[curves$what == name, ]
    at <- planned[planned$what == name, ]
    list(own = list(layer("lines", here$n, here$value, colour = colour, lty = lty, lwd = 2, key = own(name)),
                    layer("points", at$n, at$value, colour = colour, pch = pch, key = own(name))),
         reference = layer("lines", here$n, here$reference, colour = colour, lty = 3, lwd = 1.5,
                           key = "without privacy"))
  })
  layers <- list(lapply(layers, `[[`, "own"), lapply(layers, `[[`, "reference"))
  new_picture(layers, picture_axis("n", log = TRUE), picture_axis(label, log = TRUE), title)
}

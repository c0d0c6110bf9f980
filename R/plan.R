# What the planners share: the numbers asked for, and a print's head.

# Two of the numbers of a plan, checked; the third, NULL, is what the plan finds. `name`: the argument's that
# was given as `error`.
check_plan <- function(n, epsilon, error, name = "error") {
  if (is.null(n) + is.null(epsilon) + is.null(error) != 1) {
    how <- sprintf("`n` and `epsilon` give the %s to expect; `%s` and one of them give the other.", name,
                   name)
    if (!is.null(n) && !is.null(epsilon)) stop_input(name, "NULL with `n` and `epsilon`", "given", how)
    stop_input(if (is.null(epsilon)) "epsilon" else "n",
               if (is.null(error)) sprintf("given, or `%s` in its place", name)
               else sprintf("given with `%s`", name), "missing", how)
  }
  if (!is.null(n)) n <- check_count(n, "n", shown = FALSE)
  if (!is.null(epsilon)) epsilon <- check_epsilon(epsilon)
  if (!is.null(error)) error <- check_number(error, name, 0)
  list(n = n, epsilon = epsilon, error = error)
}

# Several n or epsilons: a plan of each pair, whose rows stand in one plain data frame.
is_grid <- function(n, epsilon) length(n) > 1 || length(epsilon) > 1

plan_grid <- function(n, epsilon, call, frame) {
  given <- list(n = n, epsilon = epsilon)
  for (arg in names(given)) {
    plain <- is.null(given[[arg]]) || is.numeric(given[[arg]]) && !is.object(given[[arg]]) &&
      is.null(dim(given[[arg]]))
    if (!plain) stop_input(arg, "one number or several", describe(given[[arg]]))
  }
  # which pair is refused would show a value
  for (size in n) check_count(size, "n", shown = FALSE)
  bad <- !is.finite(epsilon) | epsilon < 1e-6 | epsilon > 1e6
  if (any(bad)) stop_input("epsilon", "numbers in [1e-06, 1e+06]", describe_numbers(epsilon, bad))
  pairs <- expand.grid(lapply(given, function(v) seq_len(max(1, length(v)))))
  rows <- lapply(seq_len(nrow(pairs)), function(i) {
    for (arg in names(given)[lengths(given) > 0]) call[arg] <- list(given[[arg]][pairs[i, arg]])
    tidy.dp_plan(eval(call, frame))
  })
  rows <- do.call(rbind, rows)
  row.names(rows) <- NULL
  rows
}

# Which rows of a plan have the error that is wanted, and hardly ever fail: a private test passes as often as
# it must.
plan_reaches <- function(rows, error) {
  if (is.null(rows$failure)) return(rows$error <= error)
  tested <- rows$method %in% tested_medians
  rows$error <= error & rows$failure <= if (any(tested)) ifelse(tested, 1 - min_pass, planned_failure)
                                        else planned_failure
}

# Said where the chance of a failure, and not the error, decides on what was sought. `given`: n and epsilon.
failure_note <- function(given, error, reached, n) {
  sought <- names(given)[vapply(given, is.null, NA)]
  step <- if (identical(sought, "n")) n / max(1, n - 1) else 1.01
  if (is.null(error) || !isTRUE(reached * step^1.5 < error)) return(NULL)
  sprintf("This `%s` is the least with a failure of %s%% or less; the error alone would take less.", sought,
          format(100 * planned_failure))
}

tested_medians <- c("restricted", "projection", "interior")

# Below this n epsilon every private regression fails.
min_budget <- 50

# Without overflow.
root_mean_square <- function(x) max(x) * sqrt(mean((x / max(x))^2))

percent_text <- function(p) {
  ifelse(p < most_failure, "< 0.1%", ifelse(p > 0.99, "> 99%", paste0(signif(100 * p, 2), "%")))
}

# Plans take values to be dense. Where half of the rows tie, ranks leave the draw less room beside them, and
# what lies between the limits outweighs it sooner; a resolution gives each value its lattice point.
ties_note <- function(prior, spread, door) {
  wide <- is_dyadic(prior) || any(prior_width(prior) / prior_units(prior, spread)$spread > 1000)
  if (!wide) return(NULL)
  sprintf("Planned for values that hardly tie: of counts or many zeros give %s a `resolution`.", door)
}

# -- curves against n and epsilon ------------------------------------------------------------------

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
# `less`: how to ask for less. `rows(enough)`: the least number of rows, or NA; `budgets`: from which epsilon
# up to which, to within which factor.
sought_plan <- function(wanted, enough, name = "error", less = sprintf("Ask for a larger `%s`.", name),
                        rows = function(enough) search_minimum(enough, 1, .Machine$integer.max, 1 + 1e-4),
                        budgets = c(1e-5, 1e3, 1 + 1e-4)) {
  unreached <- function(given) {
    stop_input(name, sprintf("reachable with that `%s`", given), format(wanted$error), less)
  }
  if (is.null(wanted$n)) {
    n <- rows(function(n) enough(ceiling(n), wanted$epsilon))
    if (is.na(n)) unreached("epsilon")
    wanted$n <- as.integer(ceiling(n))
  }
  if (is.null(wanted$epsilon)) {
    epsilon <- search_minimum(function(v) enough(wanted$n, v), budgets[[1]], budgets[[2]], budgets[[3]])
    if (is.na(epsilon)) unreached("n")
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
#' plan_mean(n = c(200, 1000), epsilon = c(0.5, 1), lower = 0, upper = 110,
#'           spread = 20)
#' @name dp_plan
NULL

#' @rdname dp_plan
#' @export
print.dp_plan <- function(x, digits = 3L, ...) {
  shown <- plan_shown(x, digits)
  writeLines(wrap_text(with_point(sprintf("<%s> %s, n = %s%s, epsilon = %s", class(x)[[1]], shown$title,
                                          grouped(plan_size(x)), if (is.null(shown$size)) "" else shown$size,
                                          format(x$epsilon[[1]], digits = digits)))))
  writeLines(wrap_text(shown$before))
  table <- shown$table
  if (!is.null(table)) {
    print(utils::head(table, 20), row.names = FALSE, right = !isTRUE(shown$left))
    if (nrow(table) > 20) writeLines(sprintf("... and %d more", nrow(table) - 20))
  }
  writeLines(wrap_text(shown$after))
  invisible(x)
}

# What print() shows of a plan, a list: `title`; `size`, of what besides n; `table`, a data frame, aligned to
# the left where `left` is TRUE; and sentences `before` and `after` it.
plan_shown <- function(x, digits) UseMethod("plan_shown")

plan_shown.dp_plan <- function(x, digits) { # nolint: object_name_linter.
  frame <- tidy.dp_plan(x)
  # as all plans show chances
  if (!is.null(frame$failure)) frame$failure <- ifelse(is.na(frame$failure), "", percent_text(frame$failure))
  cells <- lapply(frame, function(column) {
    if (is.character(column)) short_names(column)
    else if (is.numeric(column)) vapply(column, function(v) format(v, digits = digits, big.mark = ","), "")
    else format(column)
  })
  list(title = attr(x, "head"), before = attr(x, "notes"), table = as.data.frame(cells, optional = TRUE))
}

# Numbers of a table, each by itself.
each_text <- function(x, digits) vapply(x, format, "", digits = digits)

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

# A curve for each row of a plan with the attribute `plan`, a function of n and epsilon: at a tenth of n to
# ten times as many. `value`: the column that is drawn; `sampling` is it without privacy. Numbers of rows that
# are refused are left out.
against_n <- function(x, value, label, title, steps = 13L) {
  drawn <- function(plan) {
    data.frame(what = if (is.null(plan$what)) label else plan$what, n = plan$n, value = plan[[value]],
               reference = plan$sampling)
  }
  planned <- drawn(x)
  rows <- unique(pmax(4, pmin(round(x$n[[1]] * 10^seq(-1, 1, length.out = steps)), .Machine$integer.max)))
  curves <- do.call(rbind, lapply(rows, function(n) {
    tryCatch(drawn(attr(x, "plan")(n, x$epsilon[[1]])), dpdepth_error_input = function(e) NULL)
  }))
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

# Pictures of a simulation: a summary along one factor, with Monte Carlo errors.

#' @rdname simulate_releases
#' @param what What to draw: `"rmse"`, `"mean"`, `"median"` or `"coverage"`; `NULL` for the coverage of flags,
#'   the mean of widths and the root mean square of other numbers.
#' @param along The factor on the horizontal axis; `NULL` for the first one of numbers that has several.
#' @method autoplot dp_simulation
#' @rawNamespace S3method(ggplot2::autoplot,dp_simulation)
autoplot.dp_simulation <- function(object, what = NULL, along = NULL, ...) {
  check_dots(character(), "autoplot()")
  picture_ggplot(picture(object, what, along))
}

#' @rdname simulate_releases
#' @param main For `plot()`: the title.
#' @export
plot.dp_simulation <- function(x, what = NULL, along = NULL, main = NULL, ...) {
  check_dots(character(), "plot()")
  plot_picture(x, picture(x, what, along), main)
}

picture.dp_simulation <- function(x, what = NULL, along = NULL, ...) { # nolint: object_name_linter.
  frame <- simulation_frame(x, what, along)
  panels <- unique(frame$panel)
  text <- !is.numeric(frame$at)
  names <- unique(frame$at)
  layers <- lapply(panels, function(panel) {
    series_layers(levels(frame$series), function(name, colour, lty, pch) {
      mine <- frame[frame$panel == panel & frame$series == name & !is.na(frame$shown), ]
      at <- if (text) match(mine$at, names) else mine$at
      own <- function(type, ...) {
        if (length(at) == 0) return(NULL)
        layer(type, ..., colour = colour, key = name, panel = if (length(panels) > 1) panel)
      }
      # beside each other where they stand at names
      if (text) at <- at + 0.06 * (match(name, levels(frame$series)) - (nlevels(frame$series) + 1) / 2)
      list(own("segments", at, mine$low, xend = at, yend = mine$high),
           if (!text) own("lines", at[order(at)], mine$shown[order(at)], lty = lty),
           own("points", at, mine$shown, pch = pch))
    })
  })
  axis <- if (text) picture_axis(attr(frame, "axis"), at = seq_along(names), labels = names)
          else picture_axis(attr(frame, "axis"), log = spans_decades(frame$at))
  kind <- paste(unique(sub("rmse", "RMSE", attr(frame, "kind"))), collapse = ", ")
  new_picture(layers, axis, picture_axis(kind, free = TRUE), attr(frame, "title"), simulation_caption,
              panels = if (length(panels) > 1) panels)
}

simulation_caption <- "simulation, not for release; bars: two Monte Carlo errors, or 95% limits of shares"

spans_decades <- function(v) all(v > 0) && max(v) >= 10 * min(v)

# Points with their ends, series and panels.
simulation_frame <- function(x, what, along) {
  factors <- names(x$cells)
  if (!is.null(along)) along <- check_choice(along, factors, "along")
  table <- summary(x)
  flag <- table$measure %in% x$flags
  if (is.null(what)) {
    kind <- ifelse(flag, "coverage", ifelse(table$measure == "width", "mean", "rmse"))
    names <- c(rmse = "RMSE", mean = "mean width", coverage = "coverage")
    what <- paste(names[names(names) %in% kind], collapse = " or ")
  } else {
    what <- check_choice(what, c("rmse", "mean", "median", "coverage"), "what")
    # other numbers have no coverage: their panels would be empty
    if (what == "coverage" && any(flag)) table <- table[flag, ]
    kind <- rep_len(what, nrow(table))
  }
  of_row <- function(columns) vapply(seq_along(columns), function(i) table[[columns[[i]]]][[i]], 0)
  shown <- of_row(kind)
  if (all(is.na(shown))) refuse_empty(kind, flag)
  share <- kind == "coverage"
  error <- of_row(ifelse(share, "coverage", paste0(kind, "_se")))
  error[is.na(error)] <- 0
  low <- ifelse(share, table$coverage_low, shown - 2 * error)
  high <- ifelse(share, table$coverage_high, shown + 2 * error)
  varies <- vapply(table[factors], function(v) length(unique(v)) > 1, NA)
  free <- factors[varies]
  if (is.null(along)) {
    numbers <- vapply(x$cells[free], is.numeric, NA)
    along <- c(free[numbers], free, factors)[1]
  }
  at <- if (is.na(along)) rep_len("all", nrow(table)) else table[[along]]
  several <- vapply(table[c("estimate", "measure", "term")], function(v) length(unique(v)) > 1, NA)
  rest <- setdiff(free, along)
  colour <- if (several[["estimate"]]) "estimate" else utils::tail(rest, 1)
  panels <- c(setdiff(rest, colour), names(several)[several & names(several) != "estimate"])
  out <- data.frame(at = if (is.numeric(at)) at else as.character(at), shown = shown, low = low, high = high,
                    series = series_names(table, colour, factors),
                    panel = panels_of(table, panels, factors))
  out$series <- factor(out$series, unique(out$series))
  structure(out, axis = if (is.na(along)) "" else along, title = paste("Simulated", what),
            kind = kind)
}

refuse_empty <- function(kind, flag) {
  if (all(kind == "coverage") && !any(flag)) {
    stop_input("what", "\"rmse\", \"mean\" or \"median\" where no measure is a flag", "\"coverage\"",
               "Measure flags, such as whether an interval covers the truth, or leave `what` out.")
  }
  stop_input("x", "a simulation with results", "one in which no run has any",
             "Its `failures` say what went wrong.")
}

series_names <- function(table, column, factors) {
  if (length(column) == 0) return(rep_len("all", nrow(table)))
  text <- format_each(table[[column]])
  if (column %in% factors && is.numeric(table[[column]])) paste(column, "=", text) else text
}

panels_of <- function(table, columns, factors) {
  if (length(columns) == 0) return(rep_len("", nrow(table)))
  do.call(paste, c(lapply(columns, function(column) series_names(table, column, factors)), sep = ", "))
}

format_each <- function(v) vapply(v, function(value) format(value, digits = 4), "", USE.NAMES = FALSE)

# Pictures of a simulation: a summary along one factor, with Monte Carlo errors.

#' @rdname simulate_releases
#' @param what What to draw: `"rmse"`, `"mean"`, `"median"` or `"coverage"`; `NULL` for the coverage of flags,
#'   the mean of widths and the root mean square of other numbers.
#' @param along The factor on the horizontal axis; `NULL` for the first one of numbers that has several.
#' @method autoplot dp_simulation
#' @rawNamespace S3method(ggplot2::autoplot,dp_simulation)
autoplot.dp_simulation <- function(object, what = NULL, along = NULL, ...) {
  check_dots(character(), "autoplot()")
  frame <- simulation_frame(object, what, along)
  simulation_ggplot(frame, attr(frame, "axis"), attr(frame, "title"))
}

simulation_ggplot <- function(frame, axis, title) {
  plot <- ggplot2::ggplot(frame, aes_of(x = "at", y = "shown", colour = "series", group = "series"))
  if (is.numeric(frame$at)) plot <- plot + ggplot2::geom_line(na.rm = TRUE)
  if (is.numeric(frame$at) && spans_decades(frame$at)) plot <- plot + ggplot2::scale_x_log10()
  if (length(unique(frame$panel)) > 1) plot <- plot + ggplot2::facet_wrap("panel", scales = "free_y")
  plot +
    ggplot2::geom_pointrange(aes_of(ymin = "low", ymax = "high"), na.rm = TRUE, size = 0.3) +
    ggplot2::scale_colour_manual(values = line_colours(nlevels(frame$series))) +
    ggplot2::labs(x = axis, y = NULL, colour = NULL, title = title, caption = simulation_caption) +
    opaque_theme()
}

simulation_caption <- "simulation, not for release; bars: two Monte Carlo errors, or 95% limits of shares"

#' @rdname simulate_releases
#' @export
plot.dp_simulation <- function(x, what = NULL, along = NULL, ...) {
  check_dots(character(), "plot()")
  frame <- simulation_frame(x, what, along)
  panels <- unique(frame$panel)
  shape <- grDevices::n2mfrow(length(panels))
  old <- graphics::par(mfrow = shape, mar = if (length(panels) > 1) c(4, 4, 2, 1) else graphics::par("mar"))
  on.exit(graphics::par(old))
  colours <- line_colours(nlevels(frame$series))
  for (panel in panels) {
    part <- frame[frame$panel == panel, ]
    text <- !is.numeric(part$at)
    at <- if (text) as.numeric(factor(part$at, unique(frame$at))) else part$at
    ends <- c(part$low, part$high, part$shown)
    if (all(is.na(ends))) ends <- 0
    if (diff(range(ends, na.rm = TRUE)) == 0) ends <- ends[!is.na(ends)] + c(-0.5, 0.5)
    graphics::plot.default(
      at, part$shown, col = colours[part$series], pch = 19, xlab = attr(frame, "axis"),
      ylab = sub("rmse", "RMSE", attr(frame, "kind")[[match(panel, frame$panel)]]),
      ylim = room_for_legend(ends, nlevels(frame$series)), xaxt = if (text) "n" else "s",
      log = if (!text && spans_decades(frame$at)) "x" else "",
      main = if (length(panels) > 1) panel else attr(frame, "title")
    )
    if (text) graphics::axis(1, seq_along(unique(frame$at)), unique(frame$at))
    graphics::segments(at, part$low, at, part$high, col = colours[part$series])
    for (k in if (text) integer() else seq_along(colours)) {
      mine <- which(as.integer(part$series) == k)
      graphics::lines(at[mine][order(at[mine])], part$shown[mine][order(at[mine])], col = colours[[k]])
    }
    graphics::legend("topright", levels(frame$series), col = colours, pch = 19, bty = "n")
  }
  invisible(x)
}

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
                    panel = panel_names(table, panels, factors))
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

panel_names <- function(table, columns, factors) {
  if (length(columns) == 0) return(rep_len("", nrow(table)))
  do.call(paste, c(lapply(columns, function(column) series_names(table, column, factors)), sep = ", "))
}

format_each <- function(v) vapply(v, function(value) format(value, digits = 4), "", USE.NAMES = FALSE)

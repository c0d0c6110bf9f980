# What a private distribution function says at any value, and pictures of it: post-processing.

#' Values, quantiles and plots of a private distribution function
#'
#' `predict()` gives the released function at any values, `quantile()` its inverse at any probabilities,
#' `as.function()` an R function, `plot()` and `autoplot()` a staircase with its band. Nothing is spent: all
#' are functions of what was released, and the intervals hold together, for all values and probabilities.
#'
#' @param object,x A release by [dp_ecdf()].
#' @param newdata Values at which the function is wanted: finite numbers.
#' @param probs Probabilities whose quantiles are wanted.
#' @param interval `"none"`, or `"confidence"` for limits as well, if a band was released.
#' @param main For `plot()`: the title.
#' @param ... For `plot()`: further arguments for [graphics::plot.default()]. Otherwise it must be empty.
#' @details
#' The function is constant between the released points and steps at them, and 0 before the first. Between two
#' points the population's lies between the values of both, up to the band. A quantile is the least released
#' point at which the function has reached the probability, and `Inf` where it does not reach it.
#' @return `predict()` and `quantile()`: a vector, or with limits a matrix with columns `fit`, `lwr` and
#'   `upr`; `plot()` the release, invisibly; `autoplot()` a ggplot. A bad argument raises
#'   `dpdepth_error_input` (see [dpdepth-errors]).
#' @examples
#' waits <- dp_ecdf(faithful$waiting, epsilon = 2, lower = 0, upper = 200, band = 0.95, resolution = 1)
#' predict(waits, c(50, 60, 70), interval = "confidence")
#' quantile(waits, 0.9)
#' plot(waits)
#' @name plot.dp_ecdf
NULL

#' @rdname plot.dp_ecdf
#' @export
predict.dp_ecdf <- function(object, newdata, interval = c("none", "confidence"), ...) {
  check_dots(character(), "predict()")
  interval <- check_choice(interval, c("none", "confidence"), "interval")
  v <- as.vector(check_points(newdata, 1L, "newdata"))
  at <- object$details$at
  i <- findInterval(v, at)
  fit <- c(0, unname(object$estimate))[i + 1]
  if (interval == "none") return(fit)
  check_interval_level(object, NULL, "predict(interval = \"confidence\")")
  ends <- band_between(object)
  hit <- v %in% at
  upper <- ends$upper[i + 1]
  upper[hit] <- unname(object$interval[i[hit], "upper"])
  cbind(fit = fit, lwr = ends$lower[i + 1], upr = upper)
}

#' @rdname plot.dp_ecdf
#' @importFrom stats quantile
#' @export
quantile.dp_ecdf <- function(x, probs = c(0.25, 0.5, 0.75), interval = c("none", "confidence"), ...) {
  check_dots(character(), "quantile()")
  interval <- check_choice(interval, c("none", "confidence"), "interval")
  probs <- check_probs(probs)
  at <- x$details$at
  reached <- function(values) c(at, Inf)[1 + rowSums(outer(probs, unname(values), ">"))]
  fit <- stats::setNames(reached(x$estimate), quantile_names(probs))
  if (interval == "none") return(fit)
  check_interval_level(x, NULL, "quantile(interval = \"confidence\")")
  below <- rowSums(outer(probs, unname(x$interval[, "upper"]), ">"))
  out <- cbind(fit = fit, lwr = c(-Inf, at)[1 + below], upr = reached(x$interval[, "lower"]))
  rownames(out) <- names(fit)
  out
}

#' @rdname plot.dp_ecdf
#' @export
as.function.dp_ecdf <- function(x, ...) released_function(x)

# The function's environment holds the release and nothing else.
released_function <- function(release) {
  force(release)
  function(v) predict.dp_ecdf(release, v)
}

# The band before the first point, between neighbours, and after the last.
band_between <- function(x) {
  list(lower = c(0, unname(x$interval[, "lower"])), upper = c(unname(x$interval[, "upper"]), 1))
}

# A row each stretch between points: where it begins and ends, the function, the band.
ecdf_frame <- function(x) {
  at <- x$details$at
  room <- max(diff(range(at)), 2^-20 * max(abs(at)), .Machine$double.xmin) / 20
  frame <- data.frame(from = c(at[[1]] - room, at), to = c(at, at[[length(at)]] + room),
                      estimate = c(0, unname(x$estimate)))
  if (is.null(x$interval)) return(frame)
  cbind(frame, band_between(x))
}

#' @rdname plot.dp_ecdf
#' @export
plot.dp_ecdf <- function(x, main = plot_title(x), ...) {
  frame <- ecdf_frame(x)
  graphics::plot.default(range(frame$from, frame$to), c(0, 1), type = "n", xlab = "value",
                         ylab = "share of rows up to it", main = main, ...)
  if (!is.null(frame$lower)) {
    graphics::rect(frame$from, frame$lower, frame$to, frame$upper, col = "#56B4E966", border = NA)
  }
  end <- nrow(frame)
  graphics::lines(c(frame$from, frame$to[[end]]), c(frame$estimate, frame$estimate[[end]]), type = "s")
  graphics::mtext(ecdf_caption(x), 1, graphics::par("mgp")[[1]] + 1.1, adj = 1, cex = 0.75)
  invisible(x)
}

ecdf_caption <- function(x) {
  paste0(with_point(guarantee_name(x)),
         if (!is.null(x$interval)) sprintf("; %s%% band", format(100 * x$details$level)))
}

#' @rdname plot.dp_ecdf
#' @exportS3Method ggplot2::autoplot
autoplot.dp_ecdf <- function(object, ...) { # nolint: object_name_linter.
  check_dots(character(), "autoplot()")
  ecdf_ggplot(object)
}

ecdf_ggplot <- function(object) {
  force(object)
  frame <- ecdf_frame(object)
  last <- frame[nrow(frame), ]
  steps <- rbind(frame, replace(last, "from", last$to))
  ggplot2::ggplot(frame) +
    (if (!is.null(frame$lower)) {
      ggplot2::geom_rect(aes_of(xmin = "from", xmax = "to", ymin = "lower", ymax = "upper"), fill = "#56B4E9",
                         alpha = 0.4)
    }) +
    ggplot2::geom_step(aes_of(x = "from", y = "estimate"), steps) +
    ggplot2::coord_cartesian(ylim = c(0, 1)) +
    ggplot2::labs(x = "value", y = "share of rows up to it", title = plot_title(object),
                  caption = ecdf_caption(object)) +
    opaque_theme()
}

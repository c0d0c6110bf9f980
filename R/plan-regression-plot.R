# Plots of plan_regression(): the expected error against the number of rows and against epsilon.

#' @rdname plan_regression
#' @name plan_regression
#' @param object A plan.
#' @param main For `plot()`: the title.
#' @export
plot.regression_plan <- function(x, main = plan_title(x), ...) {
  check_dots(character(), "plot()")
  curves <- plan_curves(x)
  methods <- unique(plan_series(x))
  colours <- stats::setNames(line_colours(length(methods)), methods)
  old <- graphics::par(mfrow = c(1, 2), mar = c(4.1, 4.9, 2.6, 1), oma = c(0, 0, 1.6, 0),
                       mgp = c(2.8, 0.7, 0), las = 1)
  on.exit(graphics::par(old))
  shown <- curves$error[is.finite(curves$error)]
  ylim <- if (length(shown) > 0) range(shown) else c(0.1, 10)
  ylim <- room_for_legend(ylim, length(methods), TRUE)
  for (facet in levels(curves$facet)) {
    here <- curves[curves$facet == facet, ]
    graphics::plot.default(range(here$at), ylim, log = "xy", type = "n", xlab = facet,
                           ylab = "")
    graphics::title(ylab = "error of a slope", line = 3.7)
    graphics::abline(v = here$cliff[[1]], lty = 3, col = "grey50")
    for (method in methods) {
      one <- here[here$method == method, ]
      graphics::lines(one$at, one$error, col = colours[[method]], lwd = 2)
    }
    planned <- x[!x$beyond, ]
    at <- if (facet == levels(curves$facet)[[1]]) planned$n else planned$epsilon
    graphics::points(at, planned$error, pch = 19, col = colours[plan_series(planned)])
    if (facet == levels(curves$facet)[[1]]) {
      graphics::legend("topright", methods, col = colours, lwd = 2, bty = "n", cex = 0.9)
    }
  }
  graphics::mtext(main, outer = TRUE, font = 2)
  invisible(x)
}

#' @rdname plan_regression
#' @method autoplot regression_plan
#' @rawNamespace S3method(ggplot2::autoplot,regression_plan)
autoplot.regression_plan <- function(object, ...) { # nolint: object_name_linter.
  check_dots(character(), "autoplot()")
  plan_ggplot(object)
}

plan_ggplot <- function(object) {
  force(object)
  curves <- plan_curves(object)
  methods <- unique(plan_series(object))
  planned <- tidy(object)[!object$beyond, ]
  planned$method <- plan_series(planned)
  facets <- levels(curves$facet)
  planned <- cbind(rbind(planned, planned), at = c(planned$n, planned$epsilon),
                   facet = factor(rep(facets, each = nrow(planned)), facets))
  cliffs <- unique(curves[c("facet", "cliff")])
  ggplot2::ggplot(curves, aes_of(x = "at", y = "error", colour = "method")) +
    ggplot2::geom_vline(data = cliffs, mapping = aes_of(xintercept = "cliff"), linetype = 3,
                        colour = "grey50") +
    ggplot2::geom_line(linewidth = 0.9, na.rm = TRUE) +
    ggplot2::geom_point(data = planned, size = 2.5) +
    ggplot2::facet_wrap("facet", scales = "free_x", strip.position = "bottom") +
    ggplot2::scale_x_log10() + ggplot2::scale_y_log10() +
    ggplot2::scale_colour_manual(values = stats::setNames(line_colours(length(methods)), methods)) +
    ggplot2::labs(x = NULL, y = "error of a slope", title = plan_title(object),
                  caption = "Points: the plan. Left of the dotted line every private regression fails.") +
    opaque_theme() +
    ggplot2::theme(strip.placement = "outside")
}

plan_title <- function(x) sprintf("Expected error of a slope, p = %s", grouped(x$p[[1]]))

# What a line stands for.
plan_series <- function(x) {
  name <- if (is.null(x$tau)) x$method else paste("tau =", vapply(x$tau, format, "", USE.NAMES = FALSE))
  if (is.null(x$share)) return(name)
  ifelse(is.na(x$share), name, paste0(name, ", share ", share_text(x$share)))
}

# The plan at a tenth of its n to ten times as many, and the same of epsilon: facet, at, method, error (NA
# where the method fails) and cliff, below which all fail.
plan_curves <- function(x) {
  plan <- attr(x, "plan")
  n <- x$n[[1]]
  epsilon <- x$epsilon[[1]]
  # a plan with a test takes longer
  steps <- 10^seq(-1, 1, length.out = if (plan$delta > 0) 13 else 31)
  rows <- unique(pmin(pmax(round(n * steps), 4), .Machine$integer.max))
  budgets <- epsilon * steps
  facets <- with_point(c(sprintf("n, with epsilon = %s", format(epsilon, digits = 3)),
                         sprintf("epsilon, with n = %s", grouped(n))))
  curve <- function(facet, at, n, epsilon, cliff) {
    errors <- regression_errors(n, plan$p, epsilon, plan$delta, plan$prior, plan$unit, plan$chain,
                                plan$shape, plan$tau)
    errors$method <- plan_series(errors)
    errors$error[errors$beyond] <- NA
    data.frame(facet = facet, at = at, errors[c("method", "error")], cliff = cliff)
  }
  out <- c(lapply(rows, function(v) curve(facets[[1]], v, v, epsilon, min_budget / epsilon)),
           lapply(budgets, function(v) curve(facets[[2]], v, n, v, min_budget / n)))
  out <- do.call(rbind, out)
  out$facet <- factor(out$facet, facets)
  out
}

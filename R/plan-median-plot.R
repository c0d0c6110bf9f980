# The picture of a plan: what epsilon means, from public numbers and simulated rows.

#' @rdname plan_median
#' @details
#' **Picture.** For two variables under limits `plot()` and `autoplot()` draw the law of a release over
#' simulated rows: the density of the plan's first method, relative to its peak, for n normal rows with
#' standard deviations `spread`, whose median is at the cross: what is seen comes from privacy alone. (The
#' rows are always the same: they are made of public [directions()]. Halfspace depth above 5000 rows, and
#' other depths, those along the axes and of single variables among them, are the population's.) For other
#' numbers of variables, and without limits, they draw the methods' errors.
#' @param object A plan.
#' @export
plot.median_plan <- function(x, ...) {
  check_dots(character(), "plot()")
  if (is.null(attr(x, "limits")) || x$d[[1]] != 2) {
    error <- ifelse(is.finite(x$error), x$error, NA)
    if (all(is.na(error))) error[] <- 0
    graphics::barplot(error, names.arg = x$method, ylab = "error that privacy adds",
                      col = ifelse(x$chosen, "grey30", "grey70"), main = law_title(x))
    return(invisible(x))
  }
  law <- plan_density(x)
  shown <- matrix(law$density, sqrt(nrow(law)))
  graphics::image(unique(law$x), unique(law$y), shown, col = grDevices::hcl.colors(64, "Blues", rev = TRUE),
                  xlab = law_axis(1), ylab = law_axis(2), main = law_title(x), zlim = c(0, 1))
  graphics::points(0, 0, pch = 3)
  invisible(x)
}

#' @rdname plan_median
#' @method autoplot median_plan
#' @rawNamespace S3method(ggplot2::autoplot,median_plan)
autoplot.median_plan <- function(object, ...) { # nolint: object_name_linter.
  check_dots(character(), "autoplot()")
  title <- ggplot2::labs(title = law_title(object))
  if (is.null(attr(object, "limits")) || object$d[[1]] != 2) {
    return(ggplot2::ggplot(tidy(object), aes_of(x = "method", y = "error", fill = "chosen")) +
             ggplot2::geom_col() + title + ggplot2::labs(x = NULL, y = "error that privacy adds") +
             opaque_theme())
  }
  ggplot2::ggplot(plan_density(object), aes_of(x = "x", y = "y", fill = "density")) +
    ggplot2::geom_raster() +
    ggplot2::annotate("point", x = 0, y = 0, shape = 3) +
    ggplot2::scale_fill_distiller(palette = "Blues", direction = 1, limits = c(0, 1)) +
    ggplot2::labs(x = law_axis(1), y = law_axis(2), fill = "relative\ndensity") + title + opaque_theme()
}

law_title <- function(x) {
  what <- if (is.null(attr(x, "limits")) || x$d[[1]] != 2) "Error by method" else "Law of a release"
  sprintf("%s: n = %s, epsilon = %s", what, grouped(x$n[[1]]),
          format(x$epsilon[[1]], digits = 3))
}

law_axis <- function(j) sprintf("variable %d, from the centre", j)

# Above that the rows' own depth and the population's look the same.
most_law_rows <- 5000L
law_cells <- 61L

# The density on a lattice about the centre, x fastest, relative to its peak.
plan_density <- function(plan) {
  units <- attr(plan, "limits")
  first <- plan[1, ]
  wide <- units$half
  if (!first$beyond) {
    widest <- max(units$spread)
    reach <- 4 * (first$error / widest) / sqrt(mean((units$spread / widest)^2)) + 2 / sqrt(first$n)
    wide <- pmin(wide, reach * units$spread)
  }
  at <- lapply(1:2, function(j) seq(-wide[[j]], wide[[j]], length.out = law_cells))
  grid <- expand.grid(x = at[[1]], y = at[[2]])
  z <- sweep(as.matrix(grid), 2, units$spread, `/`)
  log_density <- plan_log_density(plan, z, as.matrix(grid))
  grid$density <- exp(log_density - max(log_density))
  grid
}

# Up to a constant. at: points; z: in units of the spread.
plan_log_density <- function(plan, z, at) {
  first <- plan[1, ]
  n <- first$n
  profile <- attr(plan, "profile")
  if (!is.null(profile)) return(-first$epsilon * profile_loss(profile, sqrt(rowSums(z^2)), n, 2) / 2)
  each <- stats::pnorm(-abs(z))
  switch(sub(",.*", "", first$method),
    axes = first$epsilon * n * pmin(each[, 1], each[, 2]) / 2,
    marginal = marginal_budget(first$epsilon, first$delta, 2)$each * n * rowSums(each) / 2,
    smooth = -rowSums(abs(sweep(at, 2, attr(plan, "noise"), `/`))),
    first$epsilon * n * (if (n > most_law_rows) stats::pnorm(-sqrt(rowSums(z^2)))
                         else depth_halfspace(z, simulated_rows(n), "exact")) / 2
  )
}

# n normal rows in the plane, but for what 50 dimensions lack of infinitely many, from public randomness,
# moved so that their Tukey median is the centre.
simulated_rows <- function(n) {
  rows <- sqrt(50) * directions(50L, n, type = "uniform")[, 1:2, drop = FALSE]
  sweep(rows, 2, as.vector(median_tukey(rows)))
}

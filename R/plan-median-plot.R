# The picture of a plan: what epsilon means, from public numbers and simulated rows.

#' @rdname plan_median
#' @details
#' **Picture.** For two variables under limits `plot()` and `autoplot()` draw the distribution of a release
#' over simulated rows: the density of the plan's first method, by fifths of its peak, for n normal rows with
#' standard deviations `spread`, whose median is at the cross: what is seen comes from privacy alone. (The
#' rows are always the same: they are made of public [directions()]. Halfspace depth above 5000 rows, and
#' other depths, those along the axes and of single variables among them, are the population's.) For other
#' numbers of variables, and without limits, they draw the methods' errors.
#' @name plan_median
NULL

picture.median_plan <- function(x, ...) { # nolint: object_name_linter.
  law <- !is.null(attr(x, "limits")) && x$d[[1]] == 2
  title <- sprintf("%s: n = %s, epsilon = %s", if (law) "Distribution of a release" else "Error by method",
                   grouped(x$n[[1]]), format(x$epsilon[[1]], digits = 3))
  axis <- function(j) picture_axis(sprintf("variable %d, from the centre", j))
  if (law) {
    return(new_picture(list(density_layers(plan_density(x)), layer("points", 0, 0, pch = 3)), axis(1),
                       axis(2), title, legend = "density by its peak"))
  }
  k <- seq_along(x$method)
  error <- ifelse(is.finite(x$error), x$error, 0)
  bars <- Map(function(name, fill, of) {
    if (any(of)) {
      layer("bars", k[of] - 0.4, 0, xend = k[of] + 0.4, yend = error[of], colour = NA, fill = fill,
            key = name)
    }
  }, c("auto", "other"), c("#0072B2", "grey70"), list(x$chosen, !x$chosen))
  new_picture(bars, picture_axis(at = k, labels = x$method), picture_axis("error that privacy adds"), title)
}

# Cells of a lattice, by fifths of the density.
density_layers <- function(law) {
  half <- c(x = diff(unique(law$x)[1:2]), y = diff(unique(law$y)[1:2])) / 2
  fifth <- pmax(1, ceiling(5 * law$density))
  lapply(1:5, function(k) {
    at <- law[fifth == k, ]
    fill <- grDevices::hcl.colors(5, "Blues", rev = TRUE)[[k]]
    if (nrow(at) > 0) {
      layer("bars", at$x - half[["x"]], at$y - half[["y"]], xend = at$x + half[["x"]],
            yend = at$y + half[["y"]], fill = fill, colour = fill, key = sprintf("up to %s", format(k / 5)))
    }
  })
}

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

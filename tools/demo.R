# demo.R - `make demo`: the private median of real patients, next to what privacy hides, with a picture.

library(dpdepth)

# Public bounds: what is known of adults before any of these patients is looked at.
# (Not the body mass index: it is a function of weight and height, and would cost accuracy and say nothing.)
lower <- c(age = 18, weight = 30, height = 120)
upper <- c(age = 100, weight = 200, height = 220)
units <- c(age = "years", weight = "kg", height = "cm")
# The depth is taken along these directions, in units of the bounds' widths, with privacy and without.
along <- directions(3, 1000)
epsilon <- 1

people <- survival::nafld1[names(lower)]
complete <- people[stats::complete.cases(people), ]
number <- function(n) format(n, big.mark = ",")
cat(strwrap(paste0(
  "The data: survival::nafld1, ", number(nrow(people)), " people of a study of fatty liver disease; age, ",
  "weight and height. ", number(nrow(people) - nrow(complete)), " of them have a missing ",
  "value and are dropped; ", number(nrow(complete)), " remain."
), 86), sep = "\n")
cat("\nWhat may be published:\n\n")
began <- proc.time()[["elapsed"]]
release <- dp_median_exponential(complete, epsilon = epsilon, lower = lower, upper = upper,
                                 directions = along)
took <- proc.time()[["elapsed"]] - began
print(release)
cat(sprintf("\n(%.1f seconds)\n\n", took))

private <- stats::coef(release)
scaled <- sweep(as.matrix(complete), 2, upper - lower, "/")
deepest <- as.numeric(median_tukey(scaled, "directional", along)) * (upper - lower)
means <- colMeans(complete)

cat("For this demonstration only, next to two numbers that are NOT private:\n\n")
shown <- lapply(list(private = private, `not private` = deepest, mean = means), sprintf, fmt = "%.2f")
shown <- c(shown, list(unit = units, `public bounds` = sprintf("%g to %g", lower, upper)))
print(as.data.frame(shown, row.names = names(lower), optional = TRUE))

# --- the picture ---------------------------------------------------------------

ink <- "#222222"
colours <- c(private = "#C1272D", deepest = "#0B4F8A", mean = "#E0A100")
shades <- grDevices::colorRampPalette(c("#FFFFFF", "#DCE6EE", "#9DB8CE", "#54809F", "#2A4F6E"))(64)
points_of <- function(j, k) {
  list(x = c(means[[j]], deepest[[j]], private[[j]]), y = c(means[[k]], deepest[[k]], private[[k]]))
}
marks <- list(pch = c(22, 21, 23), bg = colours[c("mean", "deepest", "private")], cex = c(1.5, 1.6, 1.6))

mark <- function(j, k, size = 1) {
  at <- points_of(j, k)
  graphics::points(at$x, at$y, pch = marks$pch, cex = size * marks$cex, bg = marks$bg, col = "white")
}

# The cells of a variable: whole years and centimetres, so that no cell is empty by rounding alone.
cell <- c(age = 1, weight = 2, height = 1)
edges_of <- function(j) {
  w <- unname(stats::quantile(complete[[j]], c(0.002, 0.998)))
  seq(floor(w[[1]] / cell[[j]]) * cell[[j]] - 0.5, w[[2]] + cell[[j]], by = cell[[j]])
}

frame_panel <- function(xlim, ylim) {
  graphics::plot(NA, xlim = xlim, ylim = ylim, xaxs = "i", yaxs = "i", axes = FALSE, xlab = "", ylab = "")
}

draw_axes <- function(sides) {
  for (side in sides) {
    graphics::axis(side, col = NA, col.ticks = "grey60", col.axis = "grey35", cex.axis = 0.9, tcl = -0.25,
                   mgp = c(2, 0.4, 0), las = 1)
  }
  graphics::box(col = "grey75")
}

# How many patients fall into each cell, darker for more.
draw_density <- function(j, k) {
  ex <- edges_of(j)
  ey <- edges_of(k)
  counts <- table(cut(complete[[j]], ex, right = FALSE), cut(complete[[k]], ey, right = FALSE))
  frame_panel(range(ex), range(ey))
  graphics::image(ex, ey, sqrt(unclass(counts)), col = shades, add = TRUE, useRaster = TRUE)
  mark(j, k)
}

draw_margin <- function(j) {
  w <- range(edges_of(j))
  curve <- stats::density(complete[[j]], from = w[[1]], to = w[[2]], adjust = 1.3)
  frame_panel(w, c(0, 1.45 * max(curve$y)))
  graphics::polygon(c(w[[1]], curve$x, w[[2]]), c(0, curve$y, 0), col = "#DCE6EE", border = NA)
  graphics::lines(curve, col = "#54809F", lwd = 1.5)
  at <- c(means[[j]], deepest[[j]], private[[j]])
  graphics::segments(at, 0, at, 1.08 * max(curve$y), col = marks$bg, lwd = c(2, 3, 2), lty = c(1, 1, 2))
  graphics::mtext(sprintf("%s (%s)", names(lower)[[j]], units[[j]]), 3, -1.6, font = 2, cex = 1, col = ink)
}

# The three points again, seen from close by: a window of a fifth of the quartiles' distance to each side.
draw_close_up <- function(j, k) {
  half <- function(v, at) max(0.2 * stats::IQR(v), 1.25 * max(abs(at - at[[2]])))
  at <- points_of(j, k)
  hx <- half(complete[[j]], at$x)
  hy <- half(complete[[k]], at$y)
  frame_panel(at$x[[2]] + c(-hx, hx), at$y[[2]] + c(-hy, hy))
  graphics::rect(at$x[[2]] - hx, at$y[[2]] - hy, at$x[[2]] + hx, at$y[[2]] + hy, col = "#F7F5EF", border = NA)
  lines_of <- function(at, half) pretty(at[[2]] + c(-half, half), 4)
  graphics::abline(v = lines_of(at$x, hx), h = lines_of(at$y, hy), col = "white")
  # whole numbers are spread over their unit, else patients hide one another
  spread <- function(v, turn) v + (seq_along(v) * turn) %% 1 - 0.5
  x <- spread(complete[[j]], 0.618034)
  y <- spread(complete[[k]], 0.754878)
  here <- abs(x - at$x[[2]]) < hx & abs(y - at$y[[2]]) < hy
  graphics::points(x[here], y[here], pch = 16, cex = 0.7, col = grDevices::adjustcolor("#54809F", 0.45))
  mark(j, k, 1.4)
}

draw_page <- function() {
  d <- length(lower)
  old <- graphics::par(mfrow = c(d, d), mar = c(1.7, 2.2, 0.6, 0.6), oma = c(4.6, 0.5, 6.2, 0.5),
                       bg = "white", fg = ink)
  on.exit(graphics::par(old))
  for (k in seq_len(d)) {
    for (j in seq_len(d)) {
      if (j == k) draw_margin(j) else if (j < k) draw_density(j, k) else draw_close_up(j, k)
      draw_axes(if (j == k) 1 else 1:2)
    }
  }
  title <- sprintf("The private median of %s patients, epsilon = %g", number(nrow(complete)), epsilon)
  graphics::mtext(title, 3, 3.9, outer = TRUE, adj = 0.01, font = 2, cex = 1.5, col = ink)
  graphics::mtext("below: all patients, darker where there are more; above: their middle, a dot a patient",
                  3, 2.2, outer = TRUE, adj = 0.01, cex = 0.95, col = "grey35")
  caution <- paste("Only the red point is private. This page shows the data too, so that you can judge",
                   "the release: it is for demonstration, not for publication.")
  graphics::mtext(caution, 1, 2.6, outer = TRUE, adj = 0.01, cex = 0.85, col = "grey35")
  graphics::par(fig = c(0, 1, 0, 1), oma = c(0, 0, 0, 0), mar = c(0, 0, 0, 0), new = TRUE)
  graphics::plot.new()
  graphics::legend("topright", c("private median", "median, not private", "mean, not private"),
                   pch = rev(marks$pch), pt.bg = rev(marks$bg), col = "white", pt.cex = 1.9,
                   bty = "n", cex = 1.15, inset = c(0.005, 0.005), text.col = ink)
}

dir.create("build", showWarnings = FALSE)
if (capabilities("cairo")) {
  picture <- file.path("build", "demo.png")
  grDevices::png(picture, 2400, 2400, res = 200, type = "cairo")
} else {
  picture <- file.path("build", "demo.pdf")
  grDevices::pdf(picture, 12, 12)
}
draw_page()
invisible(grDevices::dev.off())
cat("\nThe picture is in ", picture, ".\n", sep = "")

# readme-figure.R - the picture of README.md: a private median with its interval, beside the data.
#
# Usage: Rscript data-raw/readme-figure.R, in the root, with the package installed. Each run draws anew; the
# numbers in README.md are those that it prints.

library(dpdepth)
weight <- stats::na.omit(survival::nafld1$weight)
release <- dp_median(weight, epsilon = 1, lower = 30, upper = 200, interval = 0.95)
print(release)
limits <- confint(release)
print(limits)

dir.create("man/figures", showWarnings = FALSE, recursive = TRUE)
grDevices::svg("man/figures/README-median.svg", width = 7, height = 2.6, pointsize = 11)
graphics::par(mfrow = c(1, 2), mar = c(4, 1, 2, 1), mgp = c(2.2, 0.7, 0))
graphics::hist(weight, breaks = seq(30, 200, by = 5), col = "grey85", border = "white", axes = FALSE,
               main = "The data: stay with you", font.main = 1, xlab = "weight of a patient (kg)", ylab = "")
graphics::axis(1)
span <- c(floor(limits[[1]] - 0.3), ceiling(limits[[2]] + 0.3))
graphics::plot(span, c(0, 1), type = "n", axes = FALSE, xlab = "median weight (kg)", ylab = "",
               main = "The release: may be published", font.main = 1)
graphics::axis(1, at = seq(span[[1]], span[[2]]))
graphics::segments(limits[[1]], 0.45, limits[[2]], 0.45, lwd = 4, col = "#0072B2", lend = "butt")
graphics::points(coef(release), 0.45, pch = 21, cex = 1.8, bg = "white", col = "#0072B2", lwd = 3)
graphics::text(coef(release), 0.62, sprintf("private median %.2f", coef(release)))
graphics::text(unlist(limits), 0.3, sprintf("%.2f", unlist(limits)), col = "#0072B2")
graphics::text(mean(unlist(limits)), 0.12, "95% interval", col = "#0072B2")
invisible(grDevices::dev.off())

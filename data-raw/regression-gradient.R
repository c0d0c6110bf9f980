# The clip of noisy gradients, searched in the design of a paper: writes vignettes/regression-gradient.csv.
#
# Usage: make simulations FIGURE=regression-gradient, or Rscript data-raw/regression-gradient.R [replicates,
# 100] (two minutes of processor time)
#
# Section 5 of Cumings-Menon (2022) as in regression-paper.R, psi = 0.98, 30 steps. The box is the unit square
# of the method, and the clip is in its units. A clip of 10 in the units of the data, as the paper has it, is
# 10/(2 c) with the box [-c, c]^2: that is clip = "data". `clipped`: that number, mean over replicates. The
# search costs no budget: no user can have its result.

source("data-raw/regression-methods.R")
source("data-raw/boxed-rows.R")

clips <- pick(c("0.05", "0.1", "0.25", "0.5", "1", "2.5", "10", "data"), "data")
estimates <- lapply(stats::setNames(nm = clips), function(clip) {
  force(clip)
  function(data, law, epsilon) {
    used <- boxed_rows(data, 0.98)
    at <- if (clip == "data") 10 / diff(used$box$x) else as.numeric(clip)
    found <- in_box("gradient", delta = delta, steps = 30L, clip = at)(used$data, epsilon, used$box)
    c(at, as.vector(at_quartiles(law) %*% (stats::coef(found) - c(1, 2))))
  }
})

design <- expand.grid(n = c(50, 100, 200, 500), law = names(laws), epsilon = c(4, 12),
                      stringsAsFactors = FALSE)
found <- simulate_figure("regression-gradient", cells_of(design), draw_line, estimates,
                         replicates = runs(100))
table <- by_cell(found, function(v, cell) {
  cbind(clipped = signif(mean(v[, 1]), 3), error_summary(v[, -1])[c("replicates", "mse", "median_abs")])
})
names(table)[names(table) == "estimate"] <- "clip"
write_figure(table[c("law", "n", "epsilon", "clip", "clipped", "replicates", "mse", "median_abs")],
             "regression-gradient", quote = FALSE)

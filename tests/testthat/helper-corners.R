# Climbs at the corner of the smooth bounds: levels that decide only at the far end of the discount.

# How far the log of the noise's scale moves, at most, when equal rows are replaced one by one by the box's
# upper corner: at beta = 1 and an alpha of 1/2, in a box of 2^40 steps. At most 1 and what rounding up adds.
# A fall from the whole box to the least scale takes 40 levels or so: all of them are looked at.
corner_climb <- function(method, d, n = 60, top = 2^40) {
  constants <- list(alpha = 0.5, smoothness = 1, rounding = 2^-20)
  grid <- list(lower = rep(0, d), upper = rep(top, d))
  scales <- vapply(0:n, function(k) {
    rows <- matrix(rep(c(top, 0), c(k, n - k)), n, d)
    smooth_law(rows, grid, constants, method)$scale
  }, 0)
  must(min(scales) < 1.01 * least_scale && max(scales) > top, "from one end to the other")
  max(abs(diff(log(scales))))
}

corner_most <- 1 + 1.01 * 2^-20

corner_cases <- list(list("exact", 1), list("exact", 2), list("directional", 2), list("marginal", 2),
                     list("directional", 3))

# The privacy audit of the median by depth along the axes: exact laws of releases on small lattices.

# What the front door draws from is recorded; its law is that of the code's own weights of levels.
check_axes <- function(d, top = if (d == 1) 60 else 6, epsilon = 1, sizes = c(6:12, 20)) {
  points <- grid_points(0, top, d)
  list(
    start = function() grid_pair(d, top, sizes), row = function(m) sample(c(0, top, 0:top), d, TRUE),
    unit = top / 4, keep = function(m) pmin(pmax(round(m), 0), top),
    law = function(m) {
      drawn <- list()
      keep <- function(x, prior, epsilon, source, draws = 1L, resolution = NULL) {
        drawn[[length(drawn) + 1]] <<- list(x = x, prior = prior, epsilon = epsilon)
        matrix(0, draws, ncol(x))
      }
      with_bindings(list(draw_axes = keep), {
        dp_median_exponential(m + axes_base, epsilon, prior = axes_box(top + 1, d), directions = "axes")
      })
      must(length(drawn) == 1, "one draw")
      drawn <- drawn[[1]]
      at <- t(points + axes_base)
      inside <- colSums(at < drawn$prior$lower | at > drawn$prior$upper) == 0
      axes_code_law(drawn$x - axes_base, drawn$prior, drawn$epsilon, points, inside + 0)
    },
    loss = function(p, q) list(ratio = max_log_ratio(p, q) / epsilon, hint = 0)
  )
}

# Draws against the law by enumeration: a tie above n / 2, and rows outside of the box.
axes_draws_are_wrong <- function(draws = 2e4) {
  x <- cbind(c(3, 3, 3, 3, 5, 9), c(1, 0, 1, 4, 2, -3))
  points <- grid_points(0, 5, 2)
  law <- axes_law(x, points, weight = half_rate(1))
  law_pvalue(axes_counts(draws, x, axes_box(6, 2), 1, points), law) < ALPHA
}

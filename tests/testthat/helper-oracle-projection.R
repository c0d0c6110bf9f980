# Slow twins, in plain R, of the depths that average or maximise over directions.

# Projections of the rows of x on the rows of u: a matrix with a column for each direction. The
# sum runs over the columns in their order, as in the kernels.
twin_project <- function(x, u) {
  out <- matrix(0, nrow(x), nrow(u))
  for (j in seq_len(ncol(x))) out <- out + outer(x[, j], u[, j])
  out
}

# fun(y, t) is a univariate depth of t in the numbers y; `over` takes its values along directions.
twin_directional <- function(q, x, u, fun, over = mean) {
  y <- twin_project(x, u)
  t <- twin_project(q, u)
  vapply(seq_len(nrow(q)), function(i) over(vapply(seq_len(nrow(u)), function(k) fun(y[, k], t[i, k]), 0)), 0)
}

twin_irw <- function(q, x, u) {
  twin_directional(q, x, u, function(y, t) 2 * min(mean(y <= t), mean(y >= t)))
}
twin_idd <- function(q, x, u, smooth = Inf) {
  twin_directional(q, x, u, function(y, t) {
    g <- if (is.infinite(smooth)) mean(y <= t) else mean(plogis(smooth * (t - y)))
    g * (1 - g)
  })
}
twin_halfspace <- function(q, x, u) {
  twin_directional(q, x, u, function(y, t) min(mean(y <= t), mean(y >= t)), over = min)
}

# Locations and scales by their definitions.
twin_middle <- function(y) sort(y)[(length(y) + 1) %/% 2]
twin_mad <- function(y) twin_middle(abs(y - twin_middle(y)))
twin_kept <- function(y, trim) {
  k <- floor(trim * length(y))
  sort(y)[(k + 1):(length(y) - k)]
}
twin_huber <- function(y) {
  bend <- 1.345 * 1.482602218505602 * twin_mad(y)
  if (bend == 0) return(twin_middle(y))
  score <- function(t) sum(pmax(-1, pmin(1, (y - t) / bend)))
  uniroot(score, range(y) + c(-1, 1), tol = 1e-14)$root
}
twin_location <- function(y, location, trim = 0.25, blocks = ceiling(sqrt(length(y)))) {
  n <- length(y)
  switch(location,
    median = twin_middle(y),
    trimmed = mean(twin_kept(y, trim)),
    huber = twin_huber(y),
    mom = {
      ends <- floor(seq(0, blocks) * n / blocks)
      twin_middle(vapply(seq_len(blocks), function(b) mean(y[(ends[[b]] + 1):ends[[b + 1]]]), 0))
    }
  )
}
twin_scale <- function(y, scale, at, trim = 0.25) {
  n <- length(y)
  switch(scale,
    mad = twin_mad(y),
    iqr = sort(y)[n + 1 - ceiling(n / 4)] - sort(y)[ceiling(n / 4)],
    trimmed = mean(abs(twin_kept(y, trim) - at))
  )
}
twin_outlyingness <- function(q, x, u, location = "median", scale = "mad", trim = 0.25,
                                blocks = ceiling(sqrt(nrow(x)))) {
  twin_directional(q, x, u, function(y, t) {
    at <- twin_location(y, location, trim, blocks)
    gap <- abs(t - at)
    if (gap == 0) 0 else gap / twin_scale(y, scale, at, trim)
  }, over = max)
}

# Small data sets of every awkward kind, d = 1 to 3; whole numbers, so that projections on axes and
# sums of whole multiples are exact.
awkward_data <- function() {
  grid <- as.matrix(expand.grid(0:2, 0:2))
  dimnames(grid) <- NULL
  list(
    one_row = matrix(c(3, -1), 1),
    one_number = matrix(7),
    ties = matrix(c(1, 1, 1, 2, 2, 5, 5, 5, 5, 9)),
    few_rows = rbind(c(0, 1, 2), c(4, 1, 0)),
    duplicates = rbind(grid, grid[1:3, ], grid[1:3, ]),
    collinear = cbind(c(0, 1, 2, 3, 5), 2 * c(0, 1, 2, 3, 5)),
    constant_column = cbind(c(4, 4, 1, 7, 8, 2), 3),
    space = cbind(grid[rep(1:9, 2), ], rep(c(0, 1, 5, 0, 2, 8, 1, 3, 13), 2))
  )
}

# Heavy-tailed numbers that are the same everywhere and draw nothing: a Weyl sequence.
rcauchy_public <- function(n) {
  tan(pi * ((seq_len(n) * 0.6180339887498949 + 0.1) %% 1 - 0.5)) * (1 + sin(seq_len(n)))
}

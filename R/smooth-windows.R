# How far apart the projections of two deepest points can be after replacements, by order statistics.
#
# METHOD: let a data set D1 be k replacements from D, and x, y deepest points of D1 and of a neighbour. With m
#   the largest depth of D and c0 what every data set reaches, x has depth at least mu = max(m - k, c0) in D1,
#   and y at least nu = max(mu - 1, c0) - 1. So along any direction u of the depth u'x - u'y is at most the
#   order statistic n - mu + 1 less the nu-th of D1's projections. p of the replaced rows may lie above, q below,
#   p + q <= k: at most the order statistic n - mu + 1 + p less the (nu - q)-th of D, and the same with mu and nu
#   exchanged. Windows of ranks grow by 3 with each k, those of a region of depth m - 2(k + 1) by 4.
# COST: O(K^2) a direction for k = 0, ..., K - 1. DEGENERATE: ranks beyond 1 and n are the ends given.
# REFERENCE: vignettes/proofs-smooth.Rmd, section 8; for one variable Nissim et al. (2007).

# More levels than this are not looked at: the regions' bounds serve there.
window_levels <- 2000L

# Widths for k = 0, ..., count - 1. y: sorted projections, in lower..upper.
rank_windows <- function(y, deepest, least, count, lower = -Inf, upper = Inf) {
  n <- length(y)
  y <- c(lower, y, upper)
  at <- function(rank) y[pmin(pmax(rank, 0), n + 1) + 1]
  vapply(seq_len(count) - 1, function(k) {
    mu <- max(deepest - k, least)
    nu <- max(mu - 1, least) - 1
    p <- 0:k
    max(at(n - mu + 1 + p) - at(nu - k + p), at(n - nu + 1 + p) - at(mu - k + p))
  }, 0)
}

# The same for the columns of o (octagon_sides()), clipped along the axes: count x sides.
side_windows <- function(o, deepest, count, lower, upper) {
  least <- ceiling(o$n / (o$d + 1))
  width <- vapply(seq_len(ncol(o$value)), function(s) {
    y <- o$value[, s]
    if (s > o$d) return(rank_windows(y, deepest, least, count))
    y <- pmin(pmax(y, lower[[s]]), upper[[s]])
    rank_windows(y, deepest, least, count, lower[[s]], upper[[s]])
  }, numeric(count))
  matrix(width, count)
}

# Slow twins, in plain R, of the draws around the projection median.

# A problem: directions, centers and spreads that do not agree on a centre.
draw_problem <- function(d, count, seed = 1) {
  u <- directions(d, count, seed = seed)
  i <- seq_len(count)
  list(u = u, center = 0.3 * sin(7.1 * i) + drop(u %*% seq_len(d)), spread = 1 + 0.4 * sin(3.3 * i))
}

# O at the rows of z.
outlying_at <- function(z, p) {
  out <- numeric(nrow(z))
  for (k in seq_len(nrow(p$u))) out <- pmax(out, abs(drop(z %*% p$u[k, ]) - p$center[[k]]) / p$spread[[k]])
  out
}

# Draws by rejection from the law of the axes alone: a level t above O in the law with density
# proportional to t^d exp(-rate t), and a point of the box that the axes allow. The first d directions
# must be the axes.
twin_draws <- function(n, p, rate) {
  d <- ncol(p$u)
  out <- NULL
  while (NROW(out) < n) {
    t <- rgamma(1e5, d + 1, rate)
    z <- vapply(seq_len(d), function(j) p$center[[j]] + p$spread[[j]] * t * runif(1e5, -1, 1), t)
    out <- rbind(out, z[outlying_at(z, p) <= t, , drop = FALSE])
  }
  out[seq_len(n), , drop = FALSE]
}

# P-value of two samples being of one law, by their counts in `cells` cells of about equal size.
same_law_pvalue <- function(x, y, cells = 20) {
  breaks <- unique(stats::quantile(y, seq(0, 1, length.out = cells + 1)))
  breaks[c(1, length(breaks))] <- c(-Inf, Inf)
  counts <- rbind(table(cut(x, breaks)), table(cut(y, breaks)))
  suppressWarnings(stats::chisq.test(counts)$p.value)
}

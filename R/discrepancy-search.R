# The worst point of a given length: candidates, and descent on the sphere.

# Unit columns: the axes of the largest scales, equal mixtures of them, and the scales' own direction.
worst_candidates <- function(scale) {
  d <- length(scale)
  by_size <- order(-scale)
  sizes <- unique(pmin(d, 2^(0:ceiling(log2(d)))))
  mixed <- vapply(sizes, function(k) as.double(seq_len(d) %in% by_size[seq_len(k)]), numeric(d))
  axes <- diag(d)[, by_size[seq_len(min(d, 8))], drop = FALSE]
  out <- cbind(mixed, axes, scale, scale * rep_len(c(1, -1), d))
  out / rep(sqrt(colSums(out^2)), each = d)
}

# A few steps of descent on the sphere along the axes.
descend_sphere <- function(x, f, passes = 2) {
  best <- f(x)
  for (step in 0.3 / 3^(seq_len(passes) - 1)) {
    for (j in seq_along(x)) {
      for (side in c(-1, 1)) {
        y <- x
        y[[j]] <- y[[j]] + side * step
        y <- y / sqrt(sum(y^2))
        value <- f(y)
        if (value < best) {
          x <- y
          best <- value
        }
      }
    }
  }
  x
}

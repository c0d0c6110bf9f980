# Public points `at` of a regression: what predictions there say of coefficients and of other predictions.
#
# METHOD: predictions at p + 1 points that do not lie in a plane are all of a fit. Limits of them that hold
#   together are a box of fits, and limits of whatever is linear in the fit are its range over the box.
# REFERENCE: vignettes/proofs-interval.Rmd, section 7.

# What multiplies predictions at the points to give a fit's value in each row: weights that are 1 at one of
# the points and 0 at the others.
coordinate_rows <- function(x, points) {
  p <- ncol(x)
  weights <- matrix(0, nrow(x), p)
  for (m in seq_len(p)) {
    away <- bounded(x[, m] - points$at[1, m])
    for (j in seq_len(p)) weights[, j] <- weights[, j] + away * points$inverse[m, j]
  }
  first <- rep_len(1, nrow(x))
  for (j in seq_len(p)) first <- first - weights[, j]
  cbind(first, weights, deparse.level = 0)
}

# The range of the sums that rows of `wanted` make of numbers within `limits`, each by itself.
box_range <- function(wanted, limits) {
  out <- matrix(NA_real_, nrow(wanted), 2, dimnames = list(NULL, c("lower", "upper")))
  known <- rowSums(!is.finite(wanted)) == 0
  wanted <- wanted[known, , drop = FALSE]
  end <- function(sign) {
    value <- size <- 0
    for (j in seq_len(ncol(wanted))) {
      ends <- limits[j, if (sign > 0) 1:2 else 2:1]
      term <- wanted[, j] * ends[1 + (wanted[, j] > 0)]
      # a regressor of 0, and a coefficient without a limit
      term[wanted[, j] == 0] <- 0
      value <- value + term
      size <- size + abs(term)
    }
    ifelse(is.finite(size), value + sign * 1e-9 * size, sign * Inf)
  }
  out[known, ] <- c(end(-1), end(1))
  out
}

# What a release has of limits of predictions: limits of the coefficients that keep them.
limits_of_points <- function(limits, points) {
  p <- ncol(points$at)
  slopes <- cbind(-rowSums(points$inverse), points$inverse, deparse.level = 0)
  intercept <- c(1, numeric(p)) - as.vector(points$at[1, ] %*% slopes)
  box_range(rbind(intercept, slopes, deparse.level = 0), limits)
}

# The points and the limits there.
points_region <- function(limits, points) {
  out <- cbind(1, points$at, limits, deparse.level = 0)
  middle <- if (ncol(points$at) == 1) "slope" else colnames(points$at)
  structure(out, dimnames = list(rownames(limits), c("intercept", middle, "lower", "upper")))
}

# Limits of the predictions at rows of regressors x, from those at the points of a release.
limits_from_points <- function(region, x) {
  p <- ncol(x)
  at <- unname(region[, 1 + seq_len(p), drop = FALSE])
  limits <- region[, c("lower", "upper")]
  points <- list(at = at, inverse = solve(at[-1, , drop = FALSE] - rep(at[1, ], each = p), tol = 0))
  out <- box_range(coordinate_rows(x, points), limits)
  # at a point itself, whatever the others have
  for (j in seq_len(p + 1)) {
    same <- which(colSums(t(x) == at[j, ]) == p)
    out[same, ] <- rep(limits[j, ], each = length(same))
  }
  out
}

# Batches with public points `at`: predictions there take the place of coefficients.
#
# METHOD: the prediction at a point is the intercept of the fit of regressors less the point, so that it is
#   had from a batch where its rows determine it, whatever else they leave open. Predictions are released as
#   coefficients are (dp-regression-batches.R, dp-regression-batches-interval.R), and coefficients are what
#   they give. Limits of predictions hold together, and with them those of coefficients: by the corners of
#   the box.
# REFERENCE: vignettes/proofs-interval.Rmd, section 7.

# The names of what is released for each batch, and its prior.
batches_coordinates <- function(terms, points) if (is.null(points)) terms else point_names(length(terms) - 1L)

points_prior <- function(limits, terms, points, unit) {
  if (is.null(points) || is.null(limits$lower) && is.null(limits$upper)) {
    return(batches_prior(limits, batches_coordinates(terms, points), unit))
  }
  refuse_unit(unit)
  coordinate_prior(limits, terms, points)
}

points_details <- function(points, prior) {
  if (is.null(points)) return(NULL)
  list(at = points$at, predictions = name_points(prior, ncol(points$at)))
}

# Predictions of each batch at the points, a column a point; NA where its rows do not determine one.
# PRIVATE: a row of the data touches one row of it.
point_fits <- function(x, y, batches, seed, points) {
  x <- as.matrix(x)
  unknown <- rep_len(NA_real_, ncol(x) + 1)
  apply(points$at, 1, function(point) {
    away <- x
    for (j in seq_len(ncol(x))) away[, j] <- bounded(as.double(x[, j]) - point[[j]])
    batch_fits(away, y, batches, seed, unknown, partly = TRUE)[, 1]
  })
}

refuse_point_pairs <- function(points, pairs) {
  if (is.null(points) || !isTRUE(pairs)) return(invisible(NULL))
  stop_input("pairs", "left out with `at`", "TRUE",
             "Pairs tell of slopes alone, and predictions take the intercept, too.")
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

# The median by depth along the axes: level sets are boxes, so the draw is exact for any number of variables.

# What dp_median_exponential(directions = "axes") asks of its other arguments.
axes_sampler <- function(sampler) {
  if (sampler == "mcmc") {
    stop_input("directions",
               "a count or a matrix with sampler = \"mcmc\"", "\"axes\"",
               "Along the axes every draw is exact: leave `sampler` out.")
  }
  "exact"
}

axes_plan <- function() {
  list(exact = FALSE, axes = TRUE, directions = NULL, label = "halfspace, along the axes")
}

# The steps of the public lattice, as lattice_steps(). Public facts only.
axes_steps <- function(prior, names, resolution = NULL) {
  check_lattice_steps(.Call(ffi_axes_steps, prior_fields(prior, resolution)), names, resolution)
}

# Exact draws, one a row, for a matrix x of doubles and a prior of as many variables: pure epsilon-DP each. By
# depth along the axes, or by `ranks`: whole numbers of rows at or below and at or above a quantile of one
# variable, and whether rows beyond the prior's support count as rows at its ends. scored: in a last column,
# not for release, the score that all points of a draw's box have at least.
draw_axes <- function(x, prior, epsilon, source, draws = 1L, resolution = NULL, ranks = NULL,
                      scored = FALSE) {
  if (!is.null(ranks)) ranks <- as.integer(ranks)
  .Call(ffi_median_axes, source, x, prior_fields(prior, resolution), epsilon, ranks, draws, scored)
}

# The same of the median of one variable by its depth: rows beyond the support are beyond all points.
draw_middle <- function(x, prior, epsilon, source, draws = 1L, resolution = NULL) {
  side <- ceiling(nrow(x) / 2)
  draw_axes(x, prior, epsilon, source, draws, resolution, ranks = c(side, side, FALSE))
}

# Orthonormal frames as directions = "frames": public, the axes first. More frames follow the depth more
# closely, and take more proposals a draw.
frame_count <- function(d) {
  if (d > 50) {
    stop_input("directions", "\"axes\", a count or a matrix for more than 50 variables", "\"frames\"",
               "A draw along several frames would not come to an end.")
  }
  if (d == 1) 1L else if (d <= 20) 10L else if (d <= 30) 5L else 2L
}

# d columns; d rows a frame, by Gram and Schmidt from directions().
frame_directions <- function(d) {
  count <- frame_count(d)
  if (count == 1) return(diag(d))
  random <- directions(d, d * (count - 1L), type = "uniform")
  frames <- lapply(seq_len(count - 1L), function(k) orthonormal(random[(k - 1L) * d + seq_len(d), ]))
  do.call(rbind, c(list(diag(d)), frames))
}

orthonormal <- function(u) {
  for (i in seq_len(nrow(u))) {
    for (pass in 1:2) {
      for (j in seq_len(i - 1L)) u[i, ] <- u[i, ] - sum(u[i, ] * u[j, ]) * u[j, ]
    }
    u[i, ] <- u[i, ] / sqrt(sum(u[i, ]^2))
  }
  u
}

# Numbers that are kept of projections: 200 MB.
most_projections <- 25e6

# What an exact draw of halfspace depth along frames takes.
frames_plan <- function(n, d) {
  set <- frame_directions(d)
  if (n * nrow(set) > most_projections) {
    stop_input("directions", sprintf("\"axes\" for %d rows of %d variables", n, d), "\"frames\"",
               "The projections of the rows would take too much memory, and so many rows gain nothing.")
  }
  list(exact = FALSE, directions = set[-seq_len(d), , drop = FALSE],
       label = sprintf("halfspace, along %d frames of %d directions", nrow(set) %/% d, d))
}

# As draw_axes().
draw_frames <- function(x, prior, directions, epsilon, source, draws = 1L, resolution = NULL) {
  .Call(ffi_median_frames, source, x, prior_fields(prior, resolution), epsilon, directions, draws)$draws
}

# The exponential mechanism over depths other than halfspace depth; and which draws over depths may not end.

# In the order of src/r/glue_depth_median.c. peak: how much deeper the middle is than what lies far off, in
# units of n times what one replaced row moves the depth by, for normal data.
median_depths <- list(
  simplicial = list(what = "simplicial depth", peak = function(d) 2^-d / (d + 1)),
  spatial = list(what = "spatial depth", peak = function(d) 1 / 2),
  spatial_modified = list(what = "modified spatial depth", peak = function(d) 1 / 4),
  irw = list(what = "integrated rank-weighted depth", peak = function(d) 1 / 2),
  idd = list(what = "integrated dual depth", peak = function(d) 1 / 4),
  idd_smooth = list(what = "smoothed integrated dual depth", peak = function(d) 1 / 4)
)

takes_directions <- function(depth) depth %in% c("halfspace", "irw", "idd", "idd_smooth")

# Exact draws in seconds, and what kernels have room for: public sizes only.
most_depth_variables <- function(depth) switch(depth, simplicial = 3L, spatial = , spatial_modified = 4L, 6L)
most_depth_rows <- function(depth, d) {
  switch(depth, halfspace = 2^31 - 1, simplicial = if (d == 3) 100 else 2^21, 2^20)
}

# All that is public of a draw; the prior's map and lattice as in exponential_plan().
depth_plan <- function(n, d, prior, depth, directions, resolution, smooth, names) {
  check_depth_size(n, d, depth)
  if (is_dyadic(prior)) {
    stop_input("depth", "\"halfspace\" with prior_dyadic(), whose depth is along the axes",
               describe(depth), "Give limits, prior_uniform() or prior_normal() for other depths.")
  }
  lattice <- prior_lattice(prior, resolution, names, function(prior, resolution = NULL) {
    lattice_steps(prior, depth == "simplicial" && d == 3, names, resolution)
  })
  set <- depth_directions(n, d, depth, directions)
  c(list(kind = depth, directions = set, label = median_depth_label(depth, set), axes = FALSE,
         smooth = check_smooth_steps(smooth, depth)), lattice)
}

median_depth_label <- function(depth, directions) {
  what <- median_depths[[depth]]$what
  if (!takes_directions(depth) || ncol(directions) == 1) return(what)
  sprintf("%s, along %d directions", what, nrow(directions))
}

check_depth_size <- function(n, d, depth, most = most_depth_variables(depth), arg = "x",
                             rows = most_depth_rows(depth, d), instead = depth_advice) {
  if (d > most) {
    stop_input(arg, sprintf("data with at most %d variables for depth = \"%s\"", most, depth),
               sprintf("data with %d", d), instead)
  }
  minimum <- if (depth == "simplicial") d + 1 else 1
  if (n < minimum || n > rows) {
    must <- sprintf("data with %d to %.0f rows for depth = \"%s\"%s", minimum, rows, depth,
                    if (depth == "simplicial" && d == 3) " with three variables" else "")
    stop_input(arg, must, sprintf("data with %d", n), "Take depth = \"halfspace\".")
  }
}

depth_advice <- "Take depth = \"halfspace\" with directions = \"axes\"."

# Numbers that are kept of projections: 200 MB.
most_projections <- 25e6

# A matrix without rows for depths that need none.
depth_directions <- function(n, d, depth, directions) {
  if (!takes_directions(depth)) {
    if (!is.null(directions)) {
      stop_input("directions", sprintf("NULL with depth = \"%s\", which has none", depth),
                 describe(directions), "Leave it out.")
    }
    return(matrix(numeric(0), 0, d))
  }
  if (d == 1) return(matrix(1))
  most <- floor(most_projections / n)
  if (is.null(directions)) directions <- max(d, min(1000, most))
  if (identical(directions, "axes")) directions <- diag(d)
  set <- as_directions(directions, d, add_axes = TRUE)
  if (nrow(set) > max(d, most)) {
    stop_input("directions", sprintf("at most %d for %d rows", max(d, most), n), sprintf("%d", nrow(set)),
               "Their projections of the rows would take too much memory.")
  }
  set
}

check_smooth_steps <- function(smooth, depth) {
  if (depth != "idd_smooth") {
    if (is.null(smooth)) return(0)
    stop_input("smooth", "NULL for a depth other than \"idd_smooth\"", describe(smooth), "Leave it out.")
  }
  if (is.null(smooth)) 10 else check_number(smooth, "smooth", 1e-300, 1e300, closed = c(TRUE, TRUE))
}

# See exact_median_serves().
max_exact_variables <- 3L

# Draws that no default leads to, and that for some data do not end: bench/ends.md.
warn_median_time <- function(depth, d, plan) {
  if (d == 1 || isTRUE(plan$axes)) return(invisible(NULL))
  if (depth == "simplicial") {
    warn_unbounded_draw("over simplicial depth", "Halfspace depth, the default, would help.")
  } else if (depth == "halfspace" && d > max_exact_variables) {
    warn_unbounded_draw(sprintf("along directions in %d variables", d), "Depth along the axes draws at once.")
  } else if (depth == "halfspace" && d == 3 && plan$exact) {
    warn_unbounded_draw("over halfspace depth of three variables",
                        "Depth along public directions, the default, would help.")
  }
}

# One draw. PRIVATE: the rows.
draw_depth <- function(x, plan, epsilon, source, private = FALSE) {
  x <- on_entries(x, function(points) whiten_rows(points, plan$whitening))
  drawn <- .Call(ffi_depth_median, source, x, prior_fields(plan$prior, plan$resolution), epsilon,
                 match(plan$kind, names(median_depths)), plan$directions, plan$smooth, private, 1L)$draws
  color_points(drawn, plan$whitening)[1, ]
}

# -- where n is private ------------------------------------------------------------------------------------

# n times the depth is the score, and a row more moves all points by amounts that differ by a unit at most:
# that unit, in units of depth.
private_unit <- function(depth, d) {
  switch(depth, halfspace = , idd = , idd_smooth = 1, irw = , spatial = 2, spatial_modified = 4,
         simplicial = 2 * d)
}

# What the kernels have room for. As with memory, a refusal shows that there are more rows. Counts have no
# limit.
most_private_depth <- function(depth) {
  switch(depth, simplicial = 2^20, spatial = , spatial_modified = 2^22, idd_smooth = 2^28, Inf)
}

check_private_depth <- function(rows, d, depth, arg = "x") {
  if (depth == "simplicial" && d == 3) {
    refuse_private_size("simplicial depth of three variables",
                        "Its scores take data that are known to have few rows.")
  }
  most <- most_private_depth(depth)
  if (rows <= most) return(invisible(NULL))
  stop_input(arg, sprintf("data with at most %s rows where n is private", grouped(most)),
             "data with more")
}

# The restricted exponential mechanism over depth along the axes: a median without bounds in any dimension.

# What dp_median_restricted(directions = "axes") releases.
release_restricted_axes <- function(x, epsilon, delta, level, share, resolution, lattice, outliers, ledger,
                                    source) {
  n <- nrow(x)
  d <- ncol(x)
  names <- variable_names(x)
  plan <- restricted_axes_plan(n, d, epsilon, delta, outliers, level, share)
  budget <- c(test = epsilon * plan$share, draw = epsilon - epsilon * plan$share)
  paid <- debit(ledger, "median (restricted exponential mechanism)", n, epsilon, delta, source,
                warn = warn_restricted_axes(n, d, epsilon, plan$pass))
  draw <- draw_restricted_axes(lattice_axes(x, resolution), plan$level, budget, delta, source)
  new_release(
    stats::setNames(draw$point * resolution, names), paid,
    mechanism = "restricted exponential mechanism over halfspace depth", n = n, d = d,
    released = draw$released,
    details = c(list(
      what = "median", depth = "halfspace, along the axes", level = as.integer(plan$level),
      epsilon_test = budget[["test"]], epsilon_draw = budget[["draw"]],
      outliers = outliers, resolution = stats::setNames(resolution, names)
    ), lattice)
  )
}

# The test and, where it passes, a draw: a point of whole numbers, or NA. For whole rows.
draw_restricted_axes <- function(rows, level, budget, delta, source) {
  sorted <- sort_columns(rows)
  threshold <- ptr_threshold(budget[["test"]], delta)
  # margins are cut off where the test passes for certain: public, and a cut margin moves no faster
  most <- 2 * threshold + ceiling(100 / budget[["test"]])
  margin <- restricted_axes_margin(sorted, level, budget[["draw"]], delta, most)
  if (!ptr_test(margin, budget[["test"]], delta, source)) {
    return(list(released = FALSE, point = rep(NA_real_, ncol(rows))))
  }
  list(released = TRUE, point = draw_from_level(sorted, level, budget[["draw"]], source)[1, ])
}

# Exact draws, one a row, from weight exp(epsilon h/2) where the depth h along the axes is at least `level`.
draw_from_level <- function(sorted, level, epsilon, source, draws = 1L) {
  ranks <- seq(level, nrow(sorted))
  draw_boxes(sorted[ranks, , drop = FALSE], sorted[nrow(sorted) + 1 - ranks, , drop = FALSE], epsilon, source,
             draws)
}

# Each row's indexes, a function of that row only: the order statistics' differences are exact.
lattice_axes <- function(x, resolution) {
  edge <- 2^50
  for (j in seq_len(ncol(x))) x[, j] <- pmin(pmax(round(x[, j] / resolution[[j]]), -edge), edge)
  unname(x)
}

sort_columns <- function(x) {
  for (j in seq_len(ncol(x))) x[, j] <- sort(x[, j])
  x
}

# Beyond, the rounding of levels' weights would show: src/mech/boxes.c.
most_axes_rows <- 2^24
most_axes_variables <- 2^20

check_axes_size <- function(x) {
  check_size(x, min_n = 4L, max_d = most_axes_variables)
  if (nrow(x) > most_axes_rows) {
    stop_input("x", sprintf("data with at most %d rows along the axes", most_axes_rows),
               sprintf("data with %d", nrow(x)), "Without limits, prior_dyadic() serves so many rows.")
  }
}

# A level for the axes: between 2 and the depth that every data set has.
check_axes_level <- function(level, n) {
  level <- check_restricted_level(level, n)
  if (!is.null(level) && (level < 2 || level > (n + 1) %/% 2)) {
    stop_input("level", sprintf("from 2 to %d, or a share that comes to it", (n + 1) %/% 2), format(level))
  }
  level
}

check_outliers <- function(outliers, axes) {
  outliers <- check_number(outliers, "outliers", 0, 0.5, closed = c(TRUE, FALSE))
  if (!axes && outliers > 0) {
    stop_input("outliers", "0 unless directions = \"axes\"", format(outliers),
               "For halfspace depth give a `level`, which is to be above the number of outliers.")
  }
  outliers
}

# Before the debit, from public numbers.
warn_restricted_axes <- function(n, d, epsilon, pass) {
  if (pass >= 0.5) return(invisible(NULL))
  warn_dpdepth("accuracy", sprintf(paste(
    "With n = %d, d = %d, epsilon = %s and this delta the private test will hardly pass, even for normal",
    "data (judged by these numbers alone), and a failed test spends the budget. Take more rows, a larger",
    "epsilon or fewer variables; see plan_median()."
  ), n, d, format(epsilon)))
}

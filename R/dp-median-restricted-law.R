# The law of a release by the restricted exponential mechanism: rows on the lattice, rate, margin, draw.

# Each row's indexes, a function of that row only.
lattice_restricted <- function(x, resolution) {
  edge <- 2^c(50, 40, 35)[[ncol(x)]]
  for (j in seq_len(ncol(x))) x[, j] <- pmin(pmax(round(x[, j] / resolution[[j]]), -edge), edge)
  x
}

# The rate that stands for the draw's epsilon: rounded down by more than the rounding of the weights.
restricted_rate <- function(epsilon) {
  rate <- rate_of(min(epsilon, most_draw_rate))
  rate[[1]] / rate[[2]]
}

# The safety margin (PRIVATE), and a function that draws: one draw a row, or none if there is nothing to draw
# from.
restricted_law <- function(rows, u, level, rate, delta, source, draws = 1L) {
  n <- nrow(rows)
  level <- as.integer(level)
  if (!is.null(u)) return(restricted_space_law(rows, u, level, rate, delta, source, draws))
  found <- .Call(ffi_restricted, source, rows, level, rate, draws)
  volume <- log(found[[1]])
  lower <- if (level > length(volume)) numeric(0) else volume[level:length(volume)]
  margin <- restricted_margin(volume[seq_len(level)], lower, n, rate, delta)
  list(margin = margin, draw = function() found[[2]])
}

# The public lattice of smooth sensitivities.

# It has 2^(b-1) to 2^b steps across the bounds: b = lattice_bits where points are decided in whole numbers of
# limited size, more (see fine_bits()) for one variable at a time and for regressions. The scale of the noise
# is a multiple of 2^-scale_bits steps, and at least min_scale of these (R/mech-smooth.R).
lattice_bits <- 25L

# The finest lattice across the bounds that the constants allow and whose ends are at most 2^44 steps from 0,
# but not coarser than lattice_bits. The same for all variables: their noise is the same number of steps.
fine_bits <- function(bounds, constants) {
  far <- log2(pmax(abs(bounds$lower), abs(bounds$upper)) / (bounds$upper - bounds$lower))
  max(lattice_bits, min(constants$bits, 44 - ceiling(max(far))))
}

# Steps that are powers of two, an origin that is a multiple, and the bounds as indexes, by the bounds
# alone.
smooth_lattice <- function(bounds, bits = lattice_bits) {
  step <- 2^(ceiling(log2(bounds$upper - bounds$lower)) - bits)
  origin <- floor(bounds$lower / step)
  list(step = step, origin = origin, lower = bounds$lower * 0, upper = ceiling(bounds$upper / step) - origin,
       bits = bits)
}

# Refuses bounds so close that the step has no full precision, or is 0. Before the debit only.
check_smooth_lattice <- function(lattice, bounds) {
  narrow <- lattice$step < 2^-1022
  if (!any(narrow)) return(invisible(NULL))
  width <- bounds$upper - bounds$lower
  stop_input("upper", "so far above `lower` that doubles have a lattice between them, 2^-980 at least",
             if (length(width) == 1) sprintf("%s above it", format(width))
             else describe_numbers(width, narrow, "so near to it"),
             "Take smaller units of the data.")
}

# Each row's indexes, a function of that row only. One variable: clipped to the bounds, which clips its
# order statistics.
lattice_rows <- function(x, lattice) {
  d <- ncol(x)
  far <- rep_len(2^(lattice$bits + 4), d)
  low <- if (d == 1) lattice$lower else -far
  high <- if (d == 1) lattice$upper else far
  for (j in seq_len(d)) {
    x[, j] <- pmin(pmax(round(x[, j] / lattice$step[[j]]) - lattice$origin[[j]], low[[j]]), high[[j]])
  }
  x
}

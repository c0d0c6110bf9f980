# The lattice of tallies: the one that the doors take, rounding to it, and counting in bounded memory.
#
# METHOD: the index of a value is its number of steps, rounded once, as the kernels do it (src/num/lattice.c):
#   a product where one over the step is a whole number, else a quotient. Each value is rounded by itself.
#   Indexes further than 2^51 steps from the middle of the limits become that one; the kernels' own
#   lattices end before, so that rows and their tally are the same to them, outside the limits as well.
# COST: blocks of 2^20 rows; what is kept are the atoms met so far, twice at most.
# REFERENCE: vignettes/proofs-accounts.Rmd, section 6.

# names: of the variables, as the output has them; given: those that limits may be named by, or NULL.
tally_lattice <- function(lower, upper, resolution, names, given = names, margins = FALSE,
                          projected = FALSE) {
  d <- length(names)
  bounds <- check_bounds(lower, upper, d, names = given)
  prior <- prior_uniform(bounds$lower, bounds$upper)
  # up to three variables and of projections medians are drawn over halfspace depth, beyond and of margins
  # along the axes
  steps <- function(prior, resolution = NULL) {
    if (projected) lattice_steps(prior, FALSE, names, resolution)
    else if (d > 3 || margins) axes_steps(prior, names, resolution)
    else lattice_steps(prior, d <= 2, names, resolution)
  }
  resolution <- check_multiples(resolution, d, given, function() steps(prior))
  step <- unname(steps(prior, resolution))
  list(names = names, lower = bounds$lower, upper = bounds$upper, step = step, resolution = resolution,
       parts = lattice_parts(step),
       centre = round((bounds$lower / 2 + bounds$upper / 2) / step))
}

# One over each step where that is a whole number above 1, else 0.
lattice_parts <- function(step) {
  parts <- round(1 / step)
  ifelse(parts > 1 & 1 / parts == step, parts, 0)
}

# Rounded as kernels round. PRIVATE: x.
whole_steps <- function(x, step, parts = lattice_parts(step)) round(if (parts > 0) x * parts else x / step)

# How far from the middle indexes go.
tally_reach <- 2^51

# PRIVATE: x, finite numbers, one column per variable.
tally_index <- function(x, lattice) {
  for (j in seq_along(lattice$step)) {
    x[, j] <- whole_steps(x[, j], lattice$step[[j]], lattice$parts[[j]])
  }
  clamp_index(x, lattice)
}

clamp_index <- function(index, lattice) {
  for (j in seq_along(lattice$step)) {
    centre <- lattice$centre[[j]]
    index[, j] <- pmin(pmax(index[, j], centre - tally_reach), centre + tally_reach)
  }
  index
}

# The doubles that indexes stand for.
tally_values <- function(index, lattice) {
  for (j in seq_along(lattice$step)) {
    parts <- lattice$parts[[j]]
    index[, j] <- if (parts > 0) index[, j] / parts else index[, j] * lattice$step[[j]]
  }
  colnames(index) <- lattice$names
  index
}

# Tables of so many places are cheaper than a sort.
dense_most <- 2^21

# How many rows stand on each index: as merge_atoms().
count_index <- function(index) {
  if (nrow(index) == 0) return(list(points = index, count = numeric(0)))
  low <- apply(index, 2, min)
  size <- apply(index, 2, max) - low + 1
  if (prod(size) > dense_most) return(merge_atoms(index, rep(1, nrow(index))))
  stride <- c(1, cumprod(size))
  place <- 1
  for (j in seq_along(size)) place <- place + (index[, j] - low[[j]]) * stride[[j]]
  count <- tabulate(place, prod(size))
  place <- which(count > 0)
  points <- vapply(seq_along(size), function(j) {
    ((place - 1) %/% stride[[j]]) %% size[[j]] + low[[j]]
  }, place + 0)
  list(points = matrix(points, ncol = length(size)), count = as.double(count[place]))
}

add_atoms <- function(parts) {
  merge_atoms(do.call(rbind, lapply(parts, `[[`, "points")), as.double(unlist(lapply(parts, `[[`, "count"))))
}

# Atoms that wait before they are added to the others.
waiting_most <- 2^20

# Counts blocks of indexes of d columns, given to add() one by one; atoms(): as merge_atoms().
new_counter <- function(d) {
  total <- list(list(points = matrix(0, 0, d), count = numeric(0)))
  waiting <- 0
  add <- function(index) {
    atoms <- count_index(unname(index))
    total <<- c(total, list(atoms))
    waiting <<- waiting + length(atoms$count)
    # no atom is sorted more often than the whole has doubled
    if (waiting > max(waiting_most, length(total[[1]]$count))) {
      total <<- list(add_atoms(total))
      waiting <<- 0
    }
  }
  list(add = add, atoms = function() add_atoms(total))
}

# The tally of blocks of indexes, which next_index() gives one by one, and NULL after the last.
gather_tally <- function(next_index, lattice, persons = FALSE) {
  counter <- new_counter(length(lattice$step))
  while (!is.null(index <- next_index())) counter$add(index)
  total <- counter$atoms()
  new_tally(tally_values(total$points, lattice), total$count, lattice$lower, lattice$upper, lattice$step,
            lattice$resolution, persons)
}

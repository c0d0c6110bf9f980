# Tallies of margins: the counts of each variable by itself, as one tally of rows that have these margins.
#
# METHOD: mechanisms that look at each variable by itself (depth along the axes, medians of each variable,
#   their intervals) give the same bits for all rows with the same margins. Of these the rows are taken whose
#   values all rise together: as many points as the margins have, one for each variable, less d - 1, at most.
#   What looks at variables together refuses such a tally.
# COST: O(m log m) for m points of all margins.
# REFERENCE: vignettes/proofs-accounts.Rmd, section 6.

# parts: for each variable list(points, count) as merge_atoms() gives them, of as many rows each.
couple_margins <- function(parts) {
  ends <- lapply(parts, function(part) cumsum(part$count))
  all <- sort(unique(unlist(ends)))
  points <- vapply(seq_along(parts), function(j) {
    parts[[j]]$points[findInterval(all, ends[[j]], left.open = TRUE) + 1, 1]
  }, as.double(all))
  list(points = matrix(points, length(all), length(parts)), count = diff(c(0, all)))
}

# The margins of a tally.
tally_margins <- function(t) {
  lapply(seq_len(ncol(t$points)), function(j) merge_atoms(unname(t$points[, j, drop = FALSE]), t$count))
}

# The sum of tallies of margins.
add_margins <- function(tallies) {
  parts <- lapply(tallies, tally_margins)
  atoms <- couple_margins(lapply(seq_along(parts[[1]]), function(j) add_atoms(lapply(parts, `[[`, j))))
  colnames(atoms$points) <- colnames(tallies[[1]]$points)
  atoms
}

# The tally of margins of indexes.
new_margins <- function(parts, lattice, persons) {
  atoms <- couple_margins(parts)
  new_tally(tally_values(atoms$points, lattice), atoms$count, lattice$lower, lattice$upper, lattice$step,
            lattice$resolution, persons, margins = TRUE)
}

# As gather_tally(), each variable by itself.
gather_margins <- function(next_index, lattice, persons = FALSE) {
  counters <- lapply(lattice$step, function(step) new_counter(1L))
  while (!is.null(index <- next_index())) {
    for (j in seq_along(counters)) counters[[j]]$add(index[, j, drop = FALSE])
  }
  new_margins(lapply(counters, function(counter) counter$atoms()), lattice, persons)
}

# Tallies: the points of a public lattice that occur in the data, with their counts. PRIVATE, as the data are.
#
# METHOD: a mechanism that rounds each row, by itself, to a public lattice knows no more of the rows than how
#   many stand on each point. What is kept are the points, sorted, and whole counts up to 2^31 - 1 in all.
# DEGENERATE: counts of zero are left out, points that occur twice are one; no rows at all are no points.
# REFERENCE: vignettes/proofs.Rmd, section 5.

# points: a double matrix, one row an atom, its columns named by the variables, values on the lattice of the
# steps and within the limits; count: how many rows stand there; lower, upper, step: public, one a column.
new_tally <- function(points, count, lower, upper, step) {
  names <- colnames(points)
  atoms <- merge_atoms(points, as.double(count))
  n <- sum(atoms$count)
  if (n > .Machine$integer.max) stop_input("x", "a tally of at most 2^31 - 1 rows", "one of more")
  named <- function(v) stats::setNames(as.double(v), names)
  structure(list(points = atoms$points, count = atoms$count, n = n, lower = named(lower),
                 upper = named(upper), step = named(step)), class = "dp_tally")
}

# The same in lexicographic order, each point once. Adding zero makes one of the two zeros that doubles have.
merge_atoms <- function(points, count) {
  points <- matrix(as.double(points) + 0, nrow(points), ncol(points), dimnames = list(NULL, colnames(points)))
  kept <- count > 0
  order <- which(kept)[do.call(order, lapply(seq_len(ncol(points)), function(j) points[kept, j]))]
  points <- points[order, , drop = FALSE]
  count <- count[order]
  if (length(count) < 2) return(list(points = points, count = count))
  last <- length(count)
  fresh <- c(TRUE, rowSums(points[-1, , drop = FALSE] != points[-last, , drop = FALSE]) > 0)
  total <- cumsum(count)[c(which(fresh)[-1] - 1, last)]
  list(points = points[fresh, , drop = FALSE], count = diff(c(0, total)))
}

is_tally <- function(x) inherits(x, "dp_tally")

# Numbers that a tally may become in memory: 160 megabytes.
expanded_most <- 2e7

# The rows themselves, for methods whose kernels count no weights. The size is public, as n is.
expand_tally <- function(t, arg = "x") {
  size <- t$n * ncol(t$points)
  if (size > expanded_most) {
    must <- "a tally of at most %s numbers (rows times columns) for this method, which takes rows"
    stop_input(arg, sprintf(must, grouped(expanded_most)), sprintf("one of %s", grouped(size)),
               "Take a method that counts, such as the exponential mechanism, or fewer columns.")
  }
  t$points[rep.int(seq_along(t$count), t$count), , drop = FALSE]
}

# Tallies: the points of a public lattice that occur in the data, with their counts. PRIVATE, as the data are.
#
# METHOD: a mechanism that rounds each row, by itself, to a public lattice knows no more of the rows than how
#   many stand on each point. What is kept are the points, sorted, and whole counts. A tally stands for the
#   rows of each point one after the other: dim() is theirs, and kernels that count take it in place of a
#   matrix and give the bits that this matrix would have. All others refuse it, or get the rows.
# DEGENERATE: counts of zero are left out, points that occur twice are one; no rows at all are no points.
# REFERENCE: vignettes/proofs.Rmd, section 2, on tallies.

# points: a double matrix, one row an atom, its columns named by the variables, values on the lattice of the
# steps and within the limits; count: how many rows stand there; lower, upper, step: public, one per column;
# resolution: NULL or the steps, where the analyst declared them; persons: is it one row of each id?
# margins: does it hold the counts of each variable by itself alone? See R/mech-tally-margins.R.
# na: "fail" where there were no missing values, or in words what became of rows with some, see with_na().
new_tally <- function(points, count, lower, upper, step, resolution = NULL, persons = FALSE,
                      margins = FALSE, na = "fail") {
  names <- colnames(points)
  atoms <- merge_atoms(points, as.double(count))
  n <- sum(atoms$count)
  if (n > most_tally) stop_input("x", "a tally of at most 2^31 - 3 rows", "one of more rows")
  named <- function(v) stats::setNames(as.double(v), names)
  structure(list(points = atoms$points, count = atoms$count, n = n, lower = named(lower),
                 upper = named(upper), step = named(step),
                 resolution = if (!is.null(resolution)) named(resolution), persons = persons,
                 margins = margins, na = na),
            class = c("dp_tally", "dp_counted"))
}

# Kernels count to 2^31 - 2, a public row included.
most_tally <- 2^31 - 3

# The same in lexicographic order, each point once. Adding zero makes one of the two zeros that doubles have.
merge_atoms <- function(points, count) {
  points <- matrix(as.double(points) + 0, nrow(points), ncol(points), dimnames = list(NULL, colnames(points)))
  kept <- count > 0
  if (ncol(points) > 1 || !all(kept) || is.unsorted(points[, 1])) {
    order <- which(kept)[do.call(order, lapply(seq_len(ncol(points)), function(j) points[kept, j]))]
    points <- points[order, , drop = FALSE]
    count <- count[order]
  }
  if (length(count) < 2) return(list(points = points, count = count))
  last <- length(count)
  differ <- lapply(seq_len(ncol(points)), function(j) points[-1, j] != points[-last, j])
  fresh <- c(TRUE, Reduce(`|`, differ))
  total <- cumsum(count)[c(which(fresh)[-1] - 1, last)]
  list(points = points[fresh, , drop = FALSE], count = diff(c(0, total)))
}

is_tally <- function(x) inherits(x, "dp_tally")

# A tally in cells, see R/mech-tally-cells.R: few releases take one.
is_cells <- function(x) inherits(x, "dp_cells")

# Of each variable by itself, where there are several.
is_margins <- function(x) is_tally(x) && isTRUE(x$margins) && ncol(x$points) > 1

stop_margins <- function(arg) {
  stop_input(arg, "a tally of rows for this method",
             "one of each variable by itself (`margins = TRUE`)",
             paste("Count with margins = FALSE, choose one variable, as in tally[\"a\"], or take what looks",
                   "at each by itself: dp_mean() or, where n is public, directions = \"axes\" without a",
                   "covariance, method = \"marginal\" or an interval."))
}

# A tally that was changed by hand, or read from a file, may hold anything: no count that is not whole may
# come to a kernel or a sum, and none after the debit. What is wrong with it is not said.
check_tally <- function(t, arg = "x", margins = FALSE, omitted = FALSE) {
  parts <- unclass(t)
  d <- if (is.matrix(parts$points)) ncol(parts$points) else 0L
  named <- function(v) is.double(v) && length(v) == d && all(is.finite(v))
  good <- is.list(parts) && identical(names(parts)[1:2], c("points", "count")) && is.double(parts$points) &&
    d > 0 && all(is.finite(parts$points)) && is.double(parts$count) &&
    length(parts$count) == nrow(parts$points) && all(is.finite(parts$count)) &&
    all(parts$count >= 1 & parts$count == round(parts$count)) && identical(parts$n, sum(parts$count)) &&
    parts$n <= most_tally + 1 && named(parts$lower) && named(parts$upper) && named(parts$step) &&
    (isTRUE(parts$margins) || isFALSE(parts$margins)) && is.character(parts$na) && length(parts$na) == 1
  if (isTRUE(good)) {
    if (!omitted && identical(parts$na, omitted_text)) refuse_omitted()
    if (!margins && is_margins(t)) stop_margins(arg)
    return(t)
  }
  stop_input(arg, "a tally as dp_tally() makes it", "one that was changed", "Count the rows anew.")
}

#' @export
dim.dp_tally <- function(x) c(as.integer(x$n), ncol(x$points))

#' @export
dimnames.dp_tally <- function(x) if (!is.null(colnames(x$points))) list(NULL, colnames(x$points))

# A choice of variables, as of a data frame: x["a"] or x[, "a"]; points may then be the same.
#' @export
`[.dp_tally` <- function(x, i, j, drop = FALSE) {
  if (nargs() + missing(drop) == 3) {
    if (!missing(i)) j <- i
  } else if (!missing(i)) {
    stop_input("i", "left out, as in tally[, \"a\"]", "given", "A tally has no order of rows.")
  }
  if (missing(j)) return(x)
  place <- stats::setNames(seq_len(ncol(x$points)), colnames(x$points))
  j <- if (is.character(j) || is.numeric(j) || is.logical(j)) unname(place[j])
  if (is.null(j) || anyNA(j)) stop_input("j", "names or numbers of the tally's variables", NULL)
  x$points <- x$points[, j, drop = FALSE]
  about <- c("lower", "upper", "step", "resolution")
  x[about] <- lapply(unclass(x)[about], function(v) v[j])
  if (isTRUE(x$margins) && length(j) == 1) {
    x[c("points", "count")] <- merge_atoms(x$points, x$count)
    x$margins <- FALSE
  }
  x
}

#' @export
as.matrix.dp_tally <- function(x, arg = "x", ...) expand_tally(check_tally(x, arg), arg)

# Numbers that a tally may become in memory: 160 megabytes.
expanded_most <- 2e7

# A size for a message, but where n is private: see and_row() and with_private_size().
tally_size_text <- function(t, size) {
  if (isTRUE(t$private)) "a larger one" else sprintf("one of %s", grouped(size))
}

# No message shows the size of such a tally. Anything else is left as it is.
with_private_size <- function(x) if (is_tally(x)) replace(x, "private", TRUE) else x

# The rows themselves, for methods whose kernels count no weights. The size is public, as n is.
expand_tally <- function(t, arg = "x") t$points[expanded_entries(t, arg), , drop = FALSE]

# The entry of each row, in a random order that nobody knows: in the order of the points a replaced row would
# move all rows between its two places, and methods that go by place (batches, means of blocks) would see more
# than one row change.
expanded_entries <- function(t, arg) {
  size <- t$n * ncol(t$points)
  if (size > expanded_most) {
    must <- "a tally of at most %s numbers (rows times columns) for this method, which takes rows"
    stop_input(arg, sprintf(must, grouped(expanded_most)), tally_size_text(t, size),
               "Take a method that counts, such as the exponential mechanism, or fewer columns.")
  }
  rep.int(seq_along(t$count), t$count)[random_order(t$n, "system")]
}

# -- what the doors that count do with one ----------------------------------------------------------

# Depths whose kernels count entries, in exact draws.
counted_depths <- c("halfspace", "irw", "idd")

# Column j, as a matrix or as a tally whose points may be the same.
column_of <- function(x, j) x[, j, drop = FALSE]

# The frame that public_frame(counted = TRUE) made, with a row for each row.
plain_frame <- function(frame) {
  if (!is_tally(frame$x)) return(frame)
  entry <- expanded_entries(frame$x, "data") # which refuses what has no room
  frame$x <- frame$x$points[entry, , drop = FALSE]
  frame$y <- frame$y[entry]
  frame
}

# Several quantiles break ties at random: each row gets a place, in 16 bytes. A private n is not compared with
# the limit, as one of two neighbours would be refused: there memory decides, as with rows.
most_spread_rows <- 1e8

check_many_rows <- function(x, quantiles) {
  many <- is_tally(x) && quantiles > 1 && !isTRUE(x$private) && x$n > most_spread_rows
  if (!many) return(invisible(NULL))
  must <- sprintf("a tally of at most %s rows for several quantiles in one call", grouped(most_spread_rows))
  stop_input("x", must, tally_size_text(x, x$n),
             "Ask for them one by one, each with a share of epsilon.")
}

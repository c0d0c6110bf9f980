# Tallies of projections: counts along the axes and along other public directions of whole numbers. PRIVATE.
#
# METHOD: a row's indexes on the lattice, each cut off where the kernel's lattice ends, are multiplied by the
#   directions: whole numbers below 2^52, exact in doubles and in 64 bits. How many rows have each of them, a
#   direction, is all that depth along these directions knows of the rows (mech/exponential.c, `along`).
# COST: one scan; as many counts as the projections have values. Small directions and wide steps have few.
# DEGENERATE: rows beyond the limits stand at the lattice's ends.
# REFERENCE: vignettes/proofs-accounts.Rmd, section 6.

most_projected <- 1000L
largest_projected <- 2^12

# The axes, and then the other directions given: whole numbers, one direction a row.
check_projected <- function(directions, names) {
  d <- length(names)
  must <- sprintf("a matrix of whole numbers from -%1$d to %1$d, a row each direction, of 2 to 50 variables",
                  largest_projected)
  if (!is.numeric(directions) || is.object(directions) || length(dim(directions)) != 2 ||
        ncol(directions) != d || d < 2 || d > 50) {
    stop_input("directions", must, describe(directions))
  }
  if (nrow(directions) > most_projected) {
    stop_input("directions", sprintf("at most %d", most_projected), nrow(directions))
  }
  if (anyNA(directions) || any(directions != round(directions) | abs(directions) > largest_projected)) {
    stop_input("directions", must, "others", "In units of the steps of `resolution`.")
  }
  if (any(rowSums(directions != 0) == 0)) stop_input("directions", must, "one with a row of zeros")
  axes <- rowSums(directions != 0) == 1
  unname(rbind(diag(d), matrix(as.double(directions), ncol = d)[!axes, , drop = FALSE]))
}

# Where the indexes of each variable begin and end, and the one that is the kernel's zero.
projected_ends <- function(lattice) {
  ends <- .Call(ffi_median_indexes, prior_fields(prior_uniform(lattice$lower, lattice$upper),
                                                 lattice$resolution))
  cbind(from = ends$origin - ends$clamp, zero = ends$origin, to = ends$origin + ends$clamp)
}

# Projections of rows of indexes, one column a direction.
project_index <- function(index, ends, directions) {
  for (j in seq_len(ncol(index))) {
    index[, j] <- pmin(pmax(index[, j], ends[[j, "from"]]), ends[[j, "to"]]) - ends[[j, "zero"]]
  }
  tcrossprod(index, directions)
}

# As gather_margins().
gather_projected <- function(next_index, lattice, persons, directions) {
  counters <- lapply(seq_len(nrow(directions)), function(u) new_counter(1L))
  ends <- projected_ends(lattice)
  while (!is.null(index <- next_index())) {
    index <- project_index(index, ends, directions)
    for (u in seq_along(counters)) counters[[u]]$add(index[, u, drop = FALSE])
  }
  new_projected(lapply(counters, function(counter) counter$atoms()), lattice, persons, directions)
}

# parts: of each direction the projections, as merge_atoms() has them.
new_projected <- function(parts, lattice, persons, directions) {
  n <- sum(parts[[1]]$count)
  if (n > most_tally) stop_input("tbl", "a table of at most 2^31 - 3 rows", "one of more rows")
  named <- function(v) if (!is.null(v)) stats::setNames(as.double(v), lattice$names)
  structure(list(values = lapply(parts, function(part) as.vector(part$points)),
                 ends = lapply(parts, function(part) as.integer(cumsum(part$count))), n = n,
                 lower = named(lattice$lower), upper = named(lattice$upper), step = named(lattice$step),
                 resolution = named(lattice$resolution), persons = persons, directions = directions,
                 na = "fail"),
            class = c("dp_projected", "dp_counted"))
}

# One exact draw, a row.
draw_projected <- function(x, prior, epsilon, source, resolution = NULL, draws = 1L) {
  .Call(ffi_median_along, source, x$values, x$ends, prior_fields(prior, resolution), epsilon, x$directions,
        draws)
}

# What is public of it, as exponential_plan() has it.
projected_plan <- function(facts, prior, resolution) {
  names <- facts$variables
  lattice <- prior_lattice(prior, resolution, names, function(prior, resolution = NULL) {
    lattice_steps(prior, FALSE, names, resolution)
  })
  label <- sprintf("halfspace, along %d directions of whole numbers", nrow(facts$directions))
  c(list(exact = FALSE, directions = NULL, label = label, axes = FALSE), lattice)
}

#' @export
dim.dp_projected <- function(x) c(as.integer(x$n), length(x$lower))

#' @export
dimnames.dp_projected <- function(x) list(NULL, names(x$lower))

# -- in a database ---------------------------------------------------------------------------------

# The statement that counts projections of the rows' indexes k, by grouping sets or a part for each direction.
projected_sql <- function(k, rows, lattice, directions, sets, fence) {
  ends <- projected_ends(lattice)
  whole <- function(x) sprintf("(%.0f)", x)
  cut <- sprintf("CASE WHEN %1$s < %2$s THEN %2$s WHEN %1$s > %3$s THEN %3$s ELSE %1$s END - %4$s AS %1$s", k,
                 whole(ends[, "from"]), whole(ends[, "to"]), whole(ends[, "zero"]))
  s <- sprintf("s%d", seq_len(nrow(directions)))
  form <- function(u) paste(sprintf("%s * %s", whole(u), k)[u != 0], collapse = " + ")
  forms <- paste(apply(directions, 1, form), "AS", s)
  rows <- paste0("SELECT ", toString(forms), " FROM (\nSELECT ", toString(cut), " FROM (\n", rows, fence,
                 ") dpd_cut", fence, ") dpd_form", fence)
  if (sets) {
    which <- paste(sprintf("WHEN %s IS NOT NULL THEN %d", s, seq_along(s)), collapse = " ")
    return(sprintf(paste("SELECT CASE %s END AS u, COALESCE(%s) AS s, COUNT(*) AS n FROM (\n%s) dpd_3",
                         "GROUP BY GROUPING SETS (%s)"), which, toString(s), rows,
                   toString(sprintf("(%s)", s))))
  }
  parts <- sprintf("SELECT %d AS u, %s AS s, COUNT(*) AS n FROM dpd_3 GROUP BY %s", seq_along(s), s, s)
  paste0("WITH dpd_3 AS MATERIALIZED (\n", rows, ")\n", paste(parts, collapse = "\nUNION ALL "))
}

# Rows of its answer: a direction, a projection, a count. NULL if they are no such counts.
projected_parts <- function(counts, directions) {
  count <- nrow(directions)
  parts <- lapply(seq_len(count), function(u) {
    kept <- which(counts[, 1] == u)
    merge_atoms(counts[kept, 2, drop = FALSE], counts[kept, 3])
  })
  rows <- vapply(parts, function(part) sum(part$count), 0)
  if (all(counts[, 1] %in% seq_len(count)) && all(rows == rows[[1]])) parts
}

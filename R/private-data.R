# Private data, and what is asked of each kind: rows, tallies, tallies in cells, of projections. PRIVATE.
#
# Rows are a matrix of doubles as check_data() gives it. What a mechanism asks of data it asks by these
# functions; each kind has its methods, and nothing else knows kinds.

# The word by which a mechanism says which kinds it takes, see new_mechanism().
kind_of <- function(x) UseMethod("kind_of")

#' @export
kind_of.default <- function(x) "rows"

#' @export
kind_of.dp_tally <- function(x) if (is_margins(x)) "margins" else "tally"

#' @export
kind_of.dp_cells <- function(x) "cells"

#' @export
kind_of.dp_projected <- function(x) "projections"

# Different points, a row each, and how many rows stand there.
atoms_of <- function(x) UseMethod("atoms_of")

#' @export
atoms_of.default <- function(x) list(points = x, count = rep_len(1, nrow(x)))

#' @export
atoms_of.dp_tally <- function(x) unclass(x)[c("points", "count")]

# f() of the rows, which treats each by itself. The entries of a tally stay in their order.
on_entries <- function(x, f) UseMethod("on_entries")

#' @export
on_entries.default <- function(x, f) f(x)

#' @export
on_entries.dp_tally <- function(x, f) {
  x$points <- f(x$points)
  x
}

# f() of the rows, of which many may then be the same.
each_value <- function(x, f) UseMethod("each_value")

#' @export
each_value.default <- function(x, f) f(x)

#' @export
each_value.dp_tally <- function(x, f) {
  x[c("points", "count")] <- merge_atoms(f(x$points), x$count)
  x
}

# Refuses what is counted where rows are needed.
refuse_counted <- function(x, arg, must, given, mend) {
  if (kind_of(x) != "rows") stop_input(arg, must, given, mend)
}

# For methods whose kernels count no weights. The sizes are public: call it before the debit.
plain_rows <- function(x, arg = "x") UseMethod("plain_rows")

#' @export
plain_rows.default <- function(x, arg = "x") x

#' @export
plain_rows.dp_tally <- function(x, arg = "x") expand_tally(refuse_margins(x, arg), arg)

# With one row more, which is public; the number of the others is private.
and_row <- function(x, row) UseMethod("and_row")

#' @export
and_row.default <- function(x, row) rbind(x, row, deparse.level = 0)

#' @export
and_row.dp_tally <- function(x, row) {
  x$points <- rbind(x$points, as.double(row), deparse.level = 0)
  x$count <- c(x$count, 1)
  x$n <- x$n + 1
  with_private_size(x)
}

# With as many copies of the public row, the last, as simplices have corners: fewer have no depth.
with_corners <- function(x) UseMethod("with_corners")

#' @export
with_corners.default <- function(x) x[c(seq_len(nrow(x)), rep(nrow(x), ncol(x))), , drop = FALSE]

#' @export
with_corners.dp_tally <- function(x) {
  last <- length(x$count)
  x$count[[last]] <- x$count[[last]] + ncol(x)
  x$n <- x$n + ncol(x)
  x
}

# Steps that were declared when rows were counted: a list, since NULL is an answer.
declared_steps <- function(x) UseMethod("declared_steps")

#' @export
declared_steps.default <- function(x) NULL

#' @export
declared_steps.dp_tally <- function(x) list(resolution = x$resolution)

#' @export
declared_steps.dp_cells <- declared_steps.dp_tally

#' @export
declared_steps.dp_projected <- declared_steps.dp_tally

# What a release says of how the rows of a tally were chosen.
persons_detail <- function(x) UseMethod("persons_detail")

#' @export
persons_detail.default <- function(x) NULL

#' @export
persons_detail.dp_tally <- function(x) {
  c(if (isTRUE(x$persons)) list(id = persons_text), if (!identical(x$na, "fail")) list(na = x$na))
}

#' @export
persons_detail.dp_cells <- persons_detail.dp_tally

#' @export
persons_detail.dp_projected <- persons_detail.dp_tally

# Limits that a call leaves out are those of the tally, but where a prior is given.
tally_limits <- function(x, lower, upper, prior) {
  if (kind_of(x) == "rows" || !is.null(prior)) return(list(lower = lower, upper = upper))
  list(lower = if (is.null(lower)) x$lower else lower, upper = if (is.null(upper)) x$upper else upper)
}

# So are the steps that were declared to a tally, where the mechanism's lattice can have them: that of a prior
# with a covariance cannot. Of a prior with a unit the coarser one is taken.
tally_resolution <- function(declared, resolution, prior) {
  if (is.null(declared) || !is.null(resolution)) return(resolution)
  if (!is.null(prior_whitening(prior)) || is.null(declared$resolution)) return(NULL)
  steps <- unname(declared$resolution)
  if (is_dyadic(prior)) pmax(steps, prior$unit) else steps
}

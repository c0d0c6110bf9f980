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

# Refuses a kind that is none of `kinds`; margins are refused where rows are read.
check_kind <- function(x, kinds, given) UseMethod("check_kind")

#' @export
check_kind.default <- function(x, kinds, given) x

# For mechanisms that look at several variables together: before the debit.
refuse_margins <- function(x, arg = "x") UseMethod("refuse_margins")

#' @export
refuse_margins.default <- function(x, arg = "x") invisible(x)

#' @export
refuse_margins.dp_tally <- function(x, arg = "x") if (is_margins(x)) stop_margins(arg) else invisible(x)

# Were rows left out when they were counted? Then n is private.
is_omitted <- function(x) UseMethod("is_omitted")

#' @export
is_omitted.default <- function(x) FALSE

#' @export
is_omitted.dp_tally <- function(x) identical(x$na, omitted_text)

# The rows of data of any kind, see check_data().
#' @export
bare_rows.dp_tally <- function(x, arg = "x") as.matrix(x, arg)

#' @export
bare_rows.dp_cells <- function(x, arg = "x") {
  stop_input(arg, "rows, or a tally without `refine`, for this release", "a tally in cells", paste(
    "Such a tally is for dp_median() along the axes, and for one quantile. Count with refine = FALSE, and",
    "with a `resolution` or margins = TRUE if there are many rows."))
}

#' @export
bare_rows.dp_projected <- function(x, arg = "x") {
  stop_input(arg, "rows, or a tally without `directions`, for this release", "a tally of projections",
             "Such a tally is for dp_median().")
}

# Of what was left out nothing is left to say, and no message has the size.
complete_rows <- function(x) UseMethod("complete_rows")

#' @export
complete_rows.default <- function(x) x

#' @export
complete_rows.dp_tally <- function(x) with_private_size(replace(x, "na", "fail"))

# How many rows there are known to be: some at least, of a tally of complete rows.
known_count <- function(x) UseMethod("known_count")

#' @export
known_count.default <- function(x) as.double(length(x))

#' @export
known_count.dp_tally <- function(x) if (is_omitted(x)) 1 else x$n

# The second pass of a tally in cells, before the debit: see open_cells().
opened <- function(x, base, epsilon, to_ends = FALSE) UseMethod("opened")

#' @export
opened.default <- function(x, base, epsilon, to_ends = FALSE) x

# The names of the columns that a formula may take; NULL of what has none.
columns_of <- function(x) UseMethod("columns_of")

#' @export
columns_of.default <- function(x) if (is.data.frame(x)) as.character(names(x))

#' @export
columns_of.dp_tally <- function(x) colnames(x)

# Rows of one variable, of which there may be none.
one_sample <- function(x) UseMethod("one_sample")

#' @export
one_sample.default <- function(x) check_data(x, "x", min_n = 0L, max_d = 1L)

#' @export
one_sample.dp_tally <- function(x) check_size(check_tally(x), min_n = 0L, max_d = 1L)

# Different points, a row each, and how many rows stand there.
atoms_of <- function(x) UseMethod("atoms_of")

#' @export
atoms_of.default <- function(x) list(points = x, count = rep_len(1, nrow(x)))

#' @export
atoms_of.dp_tally <- function(x) unclass(x)[c("points", "count")]

# How many rows stand at each entry, for kernels that count them; NULL of rows.
entry_counts <- function(x) UseMethod("entry_counts")

#' @export
entry_counts.default <- function(x) NULL

#' @export
entry_counts.dp_tally <- function(x) x$count

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

# What is public of data of a kind. `declared`: a list of the steps that were declared when rows were counted,
# since NULL is an answer; `fixed`: what draws of a tally in cells or of projections are along; `directions`
# of projections.
kind_facts <- function(x) UseMethod("kind_facts")

#' @export
kind_facts.default <- function(x) NULL

#' @export
kind_facts.dp_tally <- function(x) list(declared = list(resolution = x$resolution))

#' @export
kind_facts.dp_cells <- function(x) list(declared = list(resolution = x$resolution), fixed = "axes")

#' @export
kind_facts.dp_projected <- function(x) {
  list(declared = list(resolution = x$resolution), fixed = "directions", directions = x$directions)
}

# What a release says of how the rows of a tally were chosen.
persons_detail <- function(x) UseMethod("persons_detail")

#' @export
persons_detail.default <- function(x) NULL

#' @export
persons_detail.dp_counted <- function(x) {
  c(if (isTRUE(x$persons)) list(id = persons_text), if (!identical(x$na, "fail")) list(na = x$na))
}

# Limits that a call leaves out are those of the tally, but where a prior is given.
tally_limits <- function(x, lower, upper, prior) UseMethod("tally_limits")

#' @export
tally_limits.default <- function(x, lower, upper, prior) list(lower = lower, upper = upper)

#' @export
tally_limits.dp_counted <- function(x, lower, upper, prior) {
  if (!is.null(prior)) return(list(lower = lower, upper = upper))
  list(lower = if (is.null(lower)) x$lower else lower, upper = if (is.null(upper)) x$upper else upper)
}

# So are the steps that were declared to a tally, where the mechanism's lattice can have them: that of a prior
# with a covariance cannot. Of a prior with a unit the coarser one is taken.
tally_resolution <- function(declared, resolution, prior) {
  if (is.null(declared) || !is.null(resolution)) return(resolution)
  if (!is.null(prior$covariance) || is.null(declared$resolution)) return(NULL)
  steps <- unname(declared$resolution)
  if (is_dyadic(prior)) pmax(steps, prior$unit) else steps
}

# -- data sets that differ by one row more or less ----------------------------------------------------------
#
# n is private then, and nothing but the draw may depend on it.
#
# METHOD: one public row is counted along with the data, so that data without rows have a distribution as
#   well. A score that counts rows, as halfspace depth, falls nowhere when a row is added, and rises by at
#   most one: a density proportional to exp(epsilon h), twice the exponent of substitution, is epsilon-private
#   and has log ratios in a range of epsilon. Plans and warnings take a public number of rows in place of n.
# REFERENCE: vignettes/proofs-accounts.Rmd, section 4.

neighbour_kinds <- c("substitution", "add_remove")

# Is n private?
check_neighbours <- function(neighbours) {
  check_choice(neighbours, neighbour_kinds, "neighbours") == "add_remove"
}

# What plans and warnings take for n.
private_size <- 10000L

# The rows that a mechanism takes, checked, with values in the place of missing ones. `public_row`: with one
# below the others, which may be none: the middle of the limits, or 0. PRIVATE: x.
checked_rows <- function(x, given, max_d = Inf, public_row = FALSE) UseMethod("checked_rows")

#' @export
checked_rows.default <- function(x, given, max_d = Inf, public_row = FALSE) {
  x <- check_data(x, given$arg, as.integer(!given$private), max_d = max_d, finite = FALSE)
  if (!public_row && identical(given$na, "fail")) return(check_finite(x, given$arg, mend_missing))
  middle <- limits_middle(given$prior, given$lower, given$upper)
  if (public_row) x <- and_row(x, middle_row(x, middle))
  fill_missing(x, given$na, middle, given$arg)
}

#' @export
checked_rows.dp_tally <- function(x, given, max_d = Inf, public_row = FALSE) {
  check_tally(x, given$arg, given$margins)
  if (public_row) return(and_row(x, middle_row(x, limits_middle(given$prior, given$lower, given$upper))))
  check_size(x, given$arg, as.integer(!given$private), max_d = max_d)
}

#' @export
checked_rows.dp_cells <- function(x, given, ...) x

#' @export
checked_rows.dp_projected <- checked_rows.dp_cells

middle_row <- function(x, middle) if (is.null(middle)) numeric(ncol(x)) else middle(ncol(x), names_of(x))

# The epsilon of a draw at rate epsilon/2 whose score can only rise when a row is added. The draw's errors
# take up to 2^-34 and a share of 2^-40 of an epsilon under substitution; here they weigh twice that.
monotone_epsilon <- function(epsilon, private = TRUE) {
  if (private) min(1e6, 2 * epsilon * (1 - 2^-38) - 2^-32) else epsilon
}

# Of each group, or of the complete rows alone: a row that is replaced may be one less in a private group and
# one more in another.
group_epsilon <- function(epsilon, groups, private) {
  if (groups == "public" || private) return(epsilon)
  each <- epsilon / 2
  if (each < 1e-6) stop_input("epsilon", "at least 2e-6 where a replaced row is two steps", format(epsilon))
  each
}

# A method without a distribution for a private n.
refuse_private_size <- function(method, why = "Its privacy is proved for data sets of one size only.") {
  stop_input("neighbours", sprintf("\"substitution\" with %s", method), "\"add_remove\"", why,
             refused = sprintf("That is refused with %s. %s", method, why))
}

# Tallies in cells: coarse counts of each variable, fine ones of the few cells that a draw needs. PRIVATE.
#
# METHOD: an axis is cut into cells of `wide` points of the fine lattice. A first pass counts the rows of each
#   cell, a second those of each point of a window of cells about the ranks that score best; the rows left of
#   the window are put to the left of the support, those right of it to the right. Each level's box of these
#   rows holds that of the true ones, so a level and a point of its box are drawn from them (mech/axes.c), and
#   kept if the point lies in the true box; else both are drawn anew. Of a point outside the window the counts
#   of its cell are read. The distribution is that of the fine lattice, whatever the cells and the window are.
# COST: two passes; a third has a probability of exp(-cell_nats). Memory: the cells, and the window's points.
# DEGENERATE: few rows, or a tiny epsilon: the window is the whole axis. A table that changed is refused. Rows
#   beyond the limits count as rows at them for a quantile, and are beyond all points for a median.
# REFERENCE: vignettes/proofs-accounts.Rmd, section 6.

# lattice: as tally_lattice() has it for margins. read(keys): what keys_of_cells() makes of each variable's
# indexes, as atoms of their own; it may be asked again. cells: how many, a variable.
new_cells <- function(lattice, read, persons, cells) {
  d <- length(lattice$step)
  from <- ceiling(limits_in_steps(lattice, lattice$lower))
  to <- floor(limits_in_steps(lattice, lattice$upper))
  keys <- cbind(from = from, to = to, wide = pmax(1, ceiling((to - from + 1) / cells)))
  parts <- read(keys)
  n <- sum(parts[[1]]$count)
  if (n > most_tally) stop_input("tbl", "a table of at most 2^31 - 3 rows", "one of more rows")
  named <- function(v) if (!is.null(v)) stats::setNames(as.double(v), lattice$names)
  structure(list(parts = parts, n = n, lower = named(lattice$lower), upper = named(lattice$upper),
                 step = named(lattice$step), resolution = named(lattice$resolution), persons = persons,
                 na = "fail", lattice = lattice, keys = keys, read = read, which = seq_len(d), of = d),
            class = c("dp_cells", "dp_counted"))
}

# As the kernels have the ends of the support (src/num/lattice.c).
limits_in_steps <- function(lattice, limit) {
  x <- ifelse(lattice$parts > 0, limit * lattice$parts, limit / lattice$step)
  if (is.null(lattice$resolution)) x else ifelse(abs(x - round(x)) <= 2^-50 * abs(x), round(x), x)
}

# TRUE is a number of all variables together.
cells_each <- function(refine, d) if (is.na(refine)) max(256, 2^16 %/% d) else refine

# The first index of each index's cell; from - 1 and to + 1 for those outside.
keys_of_cells <- function(index, key) {
  from <- key[["from"]]
  to <- key[["to"]]
  ifelse(index < from, from - 1, ifelse(index > to, to + 1, index - (index - from) %% key[["wide"]]))
}

# The same in a statement, of columns k.
cell_sql <- function(k, keys) {
  whole <- function(column) sprintf("(%.0f)", keys[, column])
  sprintf("CASE WHEN %1$s < %2$s THEN %2$s - 1 WHEN %1$s > %3$s THEN %3$s + 1 ELSE %4$s END AS %1$s", k,
          whole("from"), whole("to"),
          ifelse(keys[, "wide"] == 1, k,
                 sprintf("%1$s - (%1$s - %2$s) %% %3$s", k, whole("from"), whole("wide"))))
}

# Counts keys of blocks of indexes.
count_cells <- function(next_index, keys) {
  counters <- lapply(seq_len(nrow(keys)), function(j) new_counter(1L))
  while (!is.null(index <- next_index())) {
    for (j in seq_along(counters)) counters[[j]]$add(matrix(keys_of_cells(index[, j], keys[j, ])))
  }
  lapply(counters, function(counter) counter$atoms())
}

# Where rows are that no statement counts apart.
no_cell <- function(x) cbind(from = x$keys[, "to"] + 1, to = x$keys[, "to"], wide = 1)

# The counts of each point from `from` to `to`, and those on both sides.
read_cells <- function(x, keys) {
  all <- cbind(from = rep(0, x$of), to = -1, wide = 1)
  all[x$which, ] <- keys
  parts <- x$read(all)[x$which]
  if (x$to_ends) parts <- rows_at_ends(parts, keys, x$keys)
  same <- vapply(seq_along(parts), function(j) {
    key <- x$parts[[j]]$points[, 1]
    now <- parts[[j]]$points[, 1]
    on <- function(place, side) sum(x$parts[[j]]$count[place]) == sum(parts[[j]]$count[side])
    on(key < keys[j, 1], now < keys[j, 1]) && on(key > keys[j, 2], now > keys[j, 2]) &&
      sum(parts[[j]]$count) == x$n
  }, NA)
  if (!all(same)) stop_changed()
  parts
}

# Rows beyond the limits counted with those at the limits, as the kernel of quantiles moves them: of counts of
# keys, where their range ends where the axis `all` does.
rows_at_ends <- function(parts, keys, all) {
  lapply(seq_along(parts), function(j) {
    at <- parts[[j]]$points
    from <- all[[j, "from"]]
    to <- all[[j, "to"]]
    if (keys[[j, "from"]] == from) at[at < from] <- from
    if (keys[[j, "to"]] == to) at[at > to] <- keys_of_cells(to, keys[j, ])
    merge_atoms(at, parts[[j]]$count)
  })
}

stop_changed <- function() {
  stop_dpdepth("database", paste(
    "The table has changed since its rows were counted in cells. Nothing was spent: count it again with",
    "dp_tally(), and release before it changes."
  ), statement = "cells")
}

# How likely a third pass is: exp(-cell_nats) at most.
cell_nats <- 60

# Points so many ranks from the best have that weight, all together.
cell_reach <- function(x, epsilon) {
  ceiling(2 / epsilon * (sum(log(x$keys[, "to"] - x$keys[, "from"] + 1)) + cell_nats))
}

# The second pass, before the debit. base: level k of the score means that base + k rows are below or at a
# point, and above or at it. to_ends: does the kernel move rows beyond the limits to these (a quantile),
# or are they beyond all points (depth; src/mech/axes.c)? Where the counts said otherwise than the kernel, a
# point at a limit would be kept or not as the window goes, and a row could change its chance by any factor.
open_cells <- function(x, base, epsilon, to_ends = FALSE) {
  x$to_ends <- to_ends
  if (to_ends) x$parts <- rows_at_ends(x$parts, x$keys, x$keys)
  # the level that some candidate reaches along all axes, also where most rows are beyond a limit
  peak <- floor((x$n + 1 - sum(base)) / 2)
  for (j in seq_along(x$parts)) {
    at <- x$parts[[j]]$points[, 1]
    beyond <- function(place) sum(x$parts[[j]]$count[place])
    peak <- min(peak, x$n - c(beyond(at > x$keys[j, 2]), beyond(at < x$keys[j, 1])) - base)
  }
  least <- base + peak - cell_reach(x, epsilon)
  ranks <- pmin(pmax(c(least[[1]], x$n + 1 - least[[2]]), 1), x$n)
  window <- no_cell(x)
  for (j in seq_along(x$parts)) {
    part <- x$parts[[j]]
    all <- x$keys[j, ]
    ends <- part$points[findInterval(ranks, cumsum(part$count), left.open = TRUE) + 1, 1]
    # both outside, on one side: empty
    last <- if (ends[[2]] < all[["from"]]) ends[[2]] else ends[[2]] + all[["wide"]] - 1
    window[j, 1:2] <- c(max(ends[[1]], all[["from"]]), min(last, all[["to"]]))
  }
  parts <- read_cells(x, window)
  for (j in seq_along(parts)) {
    at <- parts[[j]]$points
    at[at < window[j, 1]] <- x$keys[j, 1] - 1
    at[at > window[j, 2]] <- x$keys[j, 2] + 1
    parts[[j]] <- merge_atoms(at, parts[[j]]$count)
  }
  x$base <- base
  x$window <- window
  x$around <- new_margins(parts, x$lattice, x$persons)
  x
}

#' @export
opened.dp_cells <- function(x, base, epsilon, to_ends = FALSE) open_cells(x, base, epsilon, to_ends)

# Draws along the axes, see draw_axes().
#' @export
draw_axes.dp_cells <- function(x, prior, epsilon, source, draws = 1L, resolution = NULL, ranks = NULL,
                               scored = FALSE) {
  draw_cells(x, function(rows) draw_axes(rows, prior, epsilon, source, 1L, resolution, ranks, scored = TRUE))
}

# One exact draw. propose(rows): a point, and last the level in whose box it was drawn.
draw_cells <- function(x, propose) {
  repeat {
    drawn <- drop(propose(x$around))
    z <- drawn[-length(drawn)]
    if (cells_reach(x, z, x$base + drawn[[length(drawn)]])) return(matrix(z, 1))
  }
}

# Are there that many rows on both sides of z, along each axis?
cells_reach <- function(x, z, least) {
  index <- drop(tally_index(matrix(z, 1), x$lattice))
  reached <- rep(NA, length(index))
  cell <- no_cell(x)
  for (j in seq_along(index)) {
    keys <- x$keys[j, ]
    start <- keys_of_cells(index[[j]], keys)
    at <- x$parts[[j]]$points[, 1]
    count <- x$parts[[j]]$count
    sides <- c(sum(count[at < start]), sum(count[at > start]))
    within <- index[[j]] >= x$window[j, 1] && index[[j]] <= x$window[j, 2]
    if (within || all(sides >= least)) {
      reached[[j]] <- TRUE
    } else {
      if (!start %in% at) return(FALSE)
      cell[j, 1:2] <- c(start, min(start + keys[["wide"]] - 1, keys[["to"]]))
    }
  }
  asked <- which(is.na(reached))
  if (length(asked) == 0) return(TRUE)
  parts <- after_debit(read_cells(x, cell))
  all(vapply(asked, function(j) {
    at <- parts[[j]]$points[, 1]
    count <- parts[[j]]$count
    sum(count[at <= index[[j]]]) >= least[[1]] && sum(count[at >= index[[j]]]) >= least[[2]]
  }, NA))
}

after_debit <- function(code) {
  tryCatch(code, dpdepth_error_database = function(e) {
    stop_dpdepth("database", paste(
      "The draw asked for counts of further cells, and the database did not answer, or not as before.",
      "Nothing was released, and the budget is spent: calling again spends again."
    ), statement = "cells")
  })
}

# -- what the doors do with one --------------------------------------------------------------------

# Its limits and steps are those that it was counted with: of these arguments it leaves no choice.
#' @export
check_kind.dp_cells <- function(x, kinds, given) {
  if (!kind_of(x) %in% kinds) bare_rows(x, given$arg)
  what <- if (is_cells(x)) "in cells (`refine`)" else "of projections (`directions`)"
  fixed <- given[c("lower", "upper", "prior", "interval", "resolution")]
  fixed <- names(fixed)[!vapply(fixed, is.null, NA)]
  if (length(fixed) > 0) {
    stop_input(fixed[[1]], paste("left out with a tally", what), "given",
               "It has the limits and the steps that it was counted with. Count the rows in another way.")
  }
  if (given$private) refuse_private_size(paste("a tally", what))
  check_counts(x)
  check_size(x)
}

#' @export
check_kind.dp_projected <- check_kind.dp_cells

# As check_tally(): nothing that was changed by hand may come to a kernel.
check_counts <- function(x) {
  parts <- unclass(x)
  d <- length(parts$lower)
  counted <- function(at, count) {
    is.double(at) && is.numeric(count) && length(at) == length(count) && all(is.finite(at)) &&
      !is.unsorted(at, strictly = TRUE) && all(is.finite(count)) && all(count >= 1 & count == round(count)) &&
      identical(sum(as.double(count)), parts$n)
  }
  named <- function(v) is.double(v) && length(v) == d && d > 0 && all(is.finite(v))
  good <- is.double(parts$n) && isTRUE(parts$n <= most_tally) && named(parts$lower) && named(parts$upper) &&
    named(parts$step) && if (is_cells(x)) {
    is.list(parts$parts) && length(parts$parts) == d && is.function(parts$read) && is.double(parts$keys) &&
      identical(dim(parts$keys), c(d, 3L)) && all(is.finite(parts$keys)) &&
      all(vapply(parts$parts, function(p) is.list(p) && counted(as.vector(p$points), p$count), NA))
  } else {
    is.double(parts$directions) && is.matrix(parts$directions) && ncol(parts$directions) == d &&
      all(lengths(list(parts$values, parts$ends)) == nrow(parts$directions)) &&
      identical(unname(parts$directions[seq_len(d), , drop = FALSE]), diag(d)) &&
      identical(check_projected(parts$directions, names(parts$lower))[-seq_len(d), , drop = FALSE],
                parts$directions[-seq_len(d), , drop = FALSE]) &&
      all(mapply(function(at, end) is.integer(end) && counted(at, diff(c(0L, end))), parts$values,
                 parts$ends))
  }
  if (!isTRUE(good)) {
    stop_input("x", "a tally as dp_tally() makes it", "one that was changed", "Count the rows anew.")
  }
}

#' @export
dim.dp_cells <- function(x) c(as.integer(x$n), length(x$parts))

#' @export
dimnames.dp_cells <- function(x) list(NULL, names(x$lower))

#' @export
`[.dp_cells` <- function(x, j, ...) {
  place <- stats::setNames(seq_along(x$parts), names(x$lower))
  j <- if (is.character(j) || is.numeric(j) || is.logical(j)) unname(place[j])
  if (is.null(j) || anyNA(j)) stop_input("j", "names or numbers of the tally's variables", NULL)
  about <- c("lower", "upper", "step", "resolution", "parts", "which")
  x[about] <- lapply(unclass(x)[about], function(v) v[j])
  x$keys <- x$keys[j, , drop = FALSE]
  x$lattice[] <- lapply(x$lattice, function(v) if (!is.null(v)) v[j])
  x
}

# Groups of rows by a public list of keys: of data in memory, and tallies of each group.
#
# METHOD: the group of a row is a function of its key and the public list alone; a row whose key is missing or
#   not in the list is in none. A row of tallies by group is a row of one of them, or of none: n counts all.
# REFERENCE: vignettes/proofs-accounts.Rmd, sections 4 and 6.

# The rows of each group, by its public name, and what a release takes of them; the columns of groups with
# their levels. PRIVATE: index, take. tried: what stands for any private group where nothing is drawn.
grouped_rows <- function(x, data, by, levels, id, rng) {
  formula <- inherits(x, "formula")
  if (!formula && !is.null(data)) {
    stop_input("data", "NULL where `x` is not a formula", describe_data(data), "Give the data as `x`.")
  }
  table <- if (formula) data else x
  check_kind(table, c("rows", "tally", "margins"), list(arg = if (formula) "data" else "x"))
  if (is_tallies(table)) return(grouped_tallies(x, table, by, levels, id, formula))
  refuse_counted(table, if (formula) "data" else "x", "rows, or counts of each group", "a tally of all rows",
                 "Count with dp_tally(by = ), which makes a tally of each group.")
  if (formula && !is.data.frame(data)) stop_input("data", "a data frame with a formula", describe_data(data))
  check_frame(table, if (formula) "data" else "x")
  if (length(dim(table)) > 2) check_data(table)
  n <- NROW(table)
  if (is.null(by)) by <- groups_of_frame(table)
  if (is.null(by)) {
    stop_input("by", "the groups: a vector, or a formula that names columns, such as ~ward", "NULL",
               if (formula) "`release` takes the formula `x` itself.")
  }
  taken <- take_keys(table, by, "by")
  named <- names(taken$keys)
  key <- group_keys(taken$keys, n, levels)
  columns <- if (!is.null(named)) stats::setNames(group_levels(taken$keys, levels), named)
  table <- taken$x
  kept <- seq_len(n)
  if (!is.null(id)) {
    taken <- take_ids(table, id)
    table <- taken$x
    kept <- kept_rows(taken$id, n, rng)
  }
  if (is.data.frame(table) && !formula && ncol(table) == 1 && is.factor(table[[1]])) table <- table[[1]]
  index <- split(kept, key[kept])
  take <- function(which) {
    part <- if (is.null(dim(table))) table[which] else table[which, , drop = FALSE]
    if (formula) list(x, data = part) else list(part)
  }
  # as each group's release would, which comes after the debit
  check <- function(na) {
    if (is.null(na)) na <- "fail"
    if (identical(na, "omit")) na <- "middle"
    if (formula) return(public_frame(x, table, na, origin = TRUE))
    if (is.factor(table)) {
      if (!identical(na, "fail") || !anyNA(factor_codes(table))) return(NULL)
      stop_input("x", "data without missing values", "data with some", mend_missing)
    }
    if (n == 0) return(NULL)
    # a class's own as.double() may fail at a row, whatever stands for missing values
    if (identical(na, "middle")) check_data(table, finite = FALSE) else replace_missing(table, na)
  }
  list(index = index, take = take, check = check, tried = any_rows(kept), persons = !is.null(id),
       by = columns)
}

# The columns by which dplyr grouped a data frame, which are public; NULL of other data.
groups_of_frame <- function(table) {
  if (!inherits(table, "grouped_df")) return(NULL)
  names <- setdiff(names(attr(table, "groups")), ".rows")
  structure(call("~", Reduce(function(a, b) call("+", a, b), lapply(names, as.name))), class = "formula")
}

# What stands for any private group: no row, and all rows, which may be too many for a method. Whether a group
# has too many must not be found after the debit. Fewer rows than these are too many for none that takes data
# whose size is private, and are not checked twice.
any_rows <- function(kept, least = least_private_most) {
  c(list(integer(0)), if (length(kept) > least) list(kept))
}

least_private_most <- 2^20

# The group of each row. keys: a vector, or several, of which groups are crossed. PRIVATE: keys.
group_keys <- function(keys, n, levels) {
  for (key in keys) check_key(key, n, "by")
  levels <- group_levels(keys, levels)
  places <- Map(function(key, levels) match(key_text(key), levels), keys, levels)
  structure(crossed_places(places, lengths(levels)), levels = crossed_levels(levels), class = "factor")
}

# The declared levels of each key, as texts. Those of factors may be left out. Those of flags may not, as a
# column of numbers that are all missing is one of flags for R.
group_levels <- function(keys, levels) {
  Map(function(key, levels) {
    if (is.null(levels) && is.factor(key)) levels <- attr(key, "levels")
    if (is.null(levels)) stop_without_levels("factor")
    declared_keys(levels)
  }, keys, levels_each(levels, names(keys)))
}

# Levels for each column: as they are for one, by name for several.
levels_each <- function(levels, columns) {
  if (length(columns) < 2 && !is.list(levels)) return(list(levels))
  if (!is.null(levels) && (!is.list(levels) || is.null(names(levels)) || anyDuplicated(names(levels)) ||
                             !all(names(levels) %in% columns))) {
    stop_input("levels", "a list named by the columns of `by`, where there are several", describe(levels),
               "Factors may be left out of it.")
  }
  lapply(columns, function(column) levels[[column]])
}

# Groups of several columns, of which the last one's levels run fastest.
crossed_places <- function(places, sizes) {
  whole <- places[[1]]
  for (j in seq_along(places)[-1]) whole <- (whole - 1L) * sizes[[j]] + places[[j]]
  whole
}

crossed_levels <- function(levels) {
  names <- Reduce(function(a, b) paste(rep(a, each = length(b)), b, sep = ":"), levels)
  if (!anyDuplicated(names)) return(names)
  stop_input("levels", "texts that stay distinct where a colon joins those of several columns", "others")
}

stop_without_levels <- function(kind) {
  stop_input("levels", sprintf("given where `by` is not a %s", kind), "missing",
             paste("They are the public list of groups, c(FALSE, TRUE) of flags: which of them occur in the",
                   "data is private."))
}

# -- tallies by group ------------------------------------------------------------------------------

# tallies: of each group, by its name, on one lattice; n: of all rows, also those of no group. PRIVATE.
new_tallies <- function(tallies, n) {
  structure(list(tallies = tallies, n = n), class = c("dp_tallies", "dp_counted"))
}

is_tallies <- function(x) inherits(x, "dp_tallies")

# As check_tally().
check_tallies <- function(t, arg = "x") {
  parts <- unclass(t)
  good <- is.list(parts) && identical(names(parts), c("tallies", "n")) && is.list(parts$tallies) &&
    length(parts$tallies) > 0 && !is.null(names(parts$tallies)) && !anyDuplicated(names(parts$tallies)) &&
    all(vapply(parts$tallies, is_tally, NA)) && is.double(parts$n) && length(parts$n) == 1
  good <- isTRUE(good) && {
    for (one in parts$tallies) check_tally(one, arg, margins = TRUE, omitted = TRUE)
    about <- c("lower", "upper", "step", "resolution", "persons", "margins", "na")
    first <- unclass(parts$tallies[[1]])[about]
    all(vapply(parts$tallies, function(one) identical(unclass(one)[about], first), NA)) &&
      isTRUE(sum(vapply(parts$tallies, `[[`, 0, "n")) <= parts$n)
  }
  if (good) return(t)
  stop_input(arg, "tallies by group as dp_tally() makes them", "tallies that were changed",
             "Count the rows anew.")
}

# What dp_by() takes of tallies by group: as grouped_rows().
grouped_tallies <- function(x, t, by, levels, id, formula) {
  arg <- if (formula) "data" else "x"
  check_tallies(t, arg)
  given <- c(by = !is.null(by), levels = !is.null(levels), id = !is.null(id))
  if (any(given)) {
    stop_input(names(which(given))[[1]], "left out: the tally was counted by group", "given",
               "Give it to dp_tally(), which has the rows.")
  }
  take <- function(part) if (formula) list(x, data = part) else list(part)
  check <- function(na) {
    if (!formula) return(NULL)
    all <- replace(do.call(c, unname(t$tallies)), "na", "fail")
    public_frame(x, all, "fail", origin = TRUE, counted = TRUE)
  }
  list(index = t$tallies, take = take, check = check, tried = any_group(t, formula),
       persons = t$tallies[[1]]$persons)
}

# Whether a private group's tally is too large for a method must not depend on it, and not be found after the
# debit. For each stand an empty tally, and one with all rows in the middle of the limits.
# Which values a formula can take is not known: its rows must have room whatever the method is.
any_group <- function(t, formula) {
  some <- t$tallies[[1]]
  none <- some
  none[c("points", "count", "n")] <- list(some$points[0, , drop = FALSE], numeric(0), 0)
  if (t$n == 0) return(list(none))
  all <- none
  all$points <- rbind(some$points[0, , drop = FALSE], some$lower / 2 + some$upper / 2, deparse.level = 0)
  all[c("count", "n")] <- list(t$n, t$n)
  if (!formula) return(list(none, all))
  if (t$n * ncol(all$points) > expanded_most) {
    most <- sprintf("tallies of at most %s numbers (rows times columns) where groups are private",
                    grouped(expanded_most))
    stop_input("data", most, "larger ones", "Take groups = \"public\" if everyone's group is known.")
  }
  list(none)
}

# parts: atoms as merge_atoms() gives them, whose points have the group's number first (0: none); of margins
# one for each variable, else one.
split_groups <- function(parts, lattice, persons, levels, margins) {
  of_group <- lapply(parts, function(part) {
    split(seq_along(part$count), factor(part$points[, 1], seq_along(levels)))
  })
  tallies <- lapply(seq_along(levels), function(g) {
    of <- Map(function(part, places) {
      list(points = part$points[places[[g]], -1, drop = FALSE], count = part$count[places[[g]]])
    }, parts, of_group)
    if (margins) return(new_margins(of, lattice, persons))
    new_tally(tally_values(of[[1]]$points, lattice), of[[1]]$count, lattice$lower, lattice$upper,
              lattice$step, lattice$resolution, persons)
  })
  new_tallies(stats::setNames(tallies, levels), sum(parts[[1]]$count))
}

# As gather_tally() and gather_margins(), of indexes with the group's number first. Rows of no group are one
# point.
gather_groups <- function(next_index, lattice, persons, levels, margins) {
  d <- length(lattice$step)
  sets <- if (margins) as.list(seq_len(d)) else list(seq_len(d))
  counters <- lapply(sets, function(set) new_counter(1L + length(set)))
  while (!is.null(index <- next_index())) {
    index[index[, 1] == 0, ] <- 0
    for (s in seq_along(sets)) counters[[s]]$add(index[, c(1L, 1L + sets[[s]]), drop = FALSE])
  }
  split_groups(lapply(counters, function(counter) counter$atoms()), lattice, persons, levels, margins)
}

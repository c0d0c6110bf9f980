# Tallies: private counts of rows on a public lattice, of data in memory, in chunks, or in a database.

#' Tallies of large data and of databases
#'
#' Counts the rows on each point of a public lattice, to which the private mechanisms round rows anyway.
#' Releases take such a tally in place of the data: of a table that stays in its database, of a file read in
#' chunks, or of ten million ages, which are a hundred numbers with counts.
#'
#' @param tbl The data: a vector, matrix or data frame; a table of a database, as dplyr's `tbl()` gives it,
#'   with or without verbs applied; a DBI connection, together with `table`; a data set, table or reader of
#'   the package arrow; or a function without arguments that returns the next chunk of the data at each
#'   call, and `NULL` after the last.
#' @param vars The names of the variables. `NULL`: all columns but `id`.
#' @param lower,upper Public limits, one number for all variables or one each; the releases' limits.
#' @param resolution `NULL` for the fine lattice that [dp_median()] takes for these limits, or the public
#'   steps in which the variables are counted or measured, as in [dp_median_exponential()]; or `"type"`, see
#'   [dp_median()] (of data in chunks, the first chunk's types). In a database `NULL` stands for `"type"`:
#'   columns that its driver says are declared as whole numbers or flags are counted in steps of 1, unless
#'   the fine lattice is coarser. Rows of such columns that hold other numbers are rounded, each by itself. On
#'   the fine lattice nearly every row of a continuous variable is a point of its own: see `refine`. Releases
#'   take the resolution from the tally, as they take its limits.
#' @param id `NULL` if a person has one row. Otherwise the person of each row: a formula that names a column,
#'   such as `~person`, or, in memory, a value for each row. One row of each id is kept, drawn at random, and
#'   n counts ids.
#' @param na What is done with missing and infinite values, as in [dp_median()]. `NULL`: `"fail"` in memory
#'   and in chunks, and `"omit"` in a database, where whether a query fails must not depend on the rows. With
#'   `"omit"` rows that lack a value of some variable are left out: n is private then, and only releases that
#'   take `neighbours = "add_remove"` take the tally, at the cost given in [dp_median()]. For the others
#'   (intervals, [dp_ecdf()], `refine`, `directions`) count with `na = "middle"`, or with numbers, one for all
#'   or one per variable. The tally carries the rule, and its releases print it.
#' @param margins `TRUE`: count each variable by itself, in the same scan. With many variables nearly all rows
#'   differ, and their margins stay small. Such a tally serves releases that look at each variable by itself:
#'   [dp_mean()]; `dp_median()` with `directions = "axes"` (under a prior without a covariance), `method =
#'   "marginal"` or `interval`; [dp_depth()] with `directions = "axes"` and `depth` of `"halfspace"`, `"irw"`
#'   or `"idd"`; and, one variable chosen, as in `tally["a"]`, all releases of one variable. The others refuse
#'   it.
#' @param table With a connection: the table's name, or `DBI::Id()` or `DBI::SQL()` of it.
#' @param by,levels `NULL`, or the groups to count apart, for [dp_by()]: a formula that names columns, such
#'   as `~ward`, or, in memory, a value for each row; and the public list of their values, for several columns
#'   a list named by them. It may be left out for factors in memory and in chunks, and for flags in a
#'   database. Rows whose value is missing or not in `levels` are in no group, and n counts them. A
#'   database compares text by its own rules.
#' @param rng As in [dp_median()], for the rows kept of each `id` in memory.
#' @param refine `TRUE`, or a number of cells: count each variable in so many public cells of the lattice
#'   (65,536 of all variables together), and let the release fetch the points of a few of them, see Fine
#'   lattices. Not with chunks, `by`, or an `id` in a database.
#' @param directions A matrix of public directions for `dp_median()`, one per row: whole numbers, in units of
#'   the steps of the variables. Rows are counted by their sums along each direction and each axis, in one
#'   scan, and the median is drawn exactly over the least depth along them. For several variables whose points
#'   are too many; numbers near 0 and wide steps keep the counts few.
#' @param ... For `dp_tally()`: must be empty, see [dpdepth-errors]. For `c()`: tallies.
#' @param x,object A tally.
#' @param row.names,optional Unused.
#' @details
#' **What it is.** A tally is *private data*, as the rows are: a list of the `points` that occur, their
#' `count`, and the public `n`, `lower`, `upper` and `step`. Printing it shows only these; do not publish the
#' print where n is private (`neighbours = "add_remove"`). It costs no budget. Releases made from it do, and
#' they agree with releases from the rows: the same random numbers give the same draw (in regressions, and
#' where ties are broken at random, of rows in increasing order; in another order they give others of the same
#' distribution).
#'
#' **Databases.** One statement rounds and counts, and only points and counts reach R. Columns must be
#' declared as numbers or, as in memory, as flags, of which `TRUE` is 1. Others, such as text and dates, are
#' refused by their declared type, which is public, before a row is read. `NULL`, `NaN` and infinite values
#' become what `na` says. Points agree with those of the same rows in memory to the last bit on SQLite,
#' PostgreSQL and DuckDB, where this was tried. Statements for Spark and Snowflake were not run. Other
#' engines, such as MySQL and SQL Server, do not read the statement: the error then says which engines are
#' known, and `levels` with quotes or backslashes are refused. See `vignette("databases", "dpdepth")`.
#'
#' An error of the database has class `dpdepth_error_database`. It leaves out the driver's message, which may
#' hold data, and nothing has been spent: ask for the tally again. Verbs that were applied to the table must
#' treat each row by itself, as `select()` and most of `mutate()` do; a join can turn one person's row into
#' many. After `filter()` n depends on the rows, as in memory: then release with `neighbours = "add_remove"`.
#'
#' **Persons.** A database keeps one row of each id by its own random numbers, which are assumed not to depend
#' on the data: a release then protects persons.
#'
#' **Chunks.** `c()` adds tallies of parts of the data, also those of other machines, if they have the same
#' variables, limits and lattice. No id may occur in two parts. Arrow's data are read batch by batch, and
#' rounded in R. Functions that are called with each chunk, as those of readr, add: `c(sum, dp_tally(chunk))`.
#'
#' **Fine lattices.** A tally is small where many rows share a point: ages in years, or wide steps. A million
#' rows of two normal variables stand on 5,000 points with steps of a tenth of a standard deviation, on 74,000
#' with a fiftieth and on 860,000 with a five hundredth, 24 bytes each. Steps may be as wide as the noise of
#' the release, see [plan_median()]; finer ones gain little. Where they are needed, `refine` keeps the tally
#' small: for `dp_median()` (of several variables with `directions = "axes"`) and `dp_quantile()` of one
#' quantile, under its own limits. Before the debit the release scans the table again for the points near the
#' rank it wants, so the table must be as it was; one seen to have changed is refused. The distribution is
#' exactly that of the fine lattice. A draw elsewhere (probability below 1e-26) asks a third time, after the
#' debit: if the database then fails, the budget is spent, as the error says.
#' @return An object of class `dp_tally`, for the argument `x` (or `data`) of releases; with `by` one of class
#'   `dp_tallies`, a tally for each group, for [dp_by()]. `c()` gives their sum, `summary()` what is public of
#'   it; `as.data.frame()` is refused, as it would show the contents.
#' @section Errors: `dpdepth_error_input` for a bad argument; `dpdepth_error_database` for an error of the
#'   database.
#' @seealso `vignette("databases", "dpdepth")`; the proof is in `vignette("proofs-accounts", "dpdepth")`,
#'   section 6.
#' @examples
#' ages <- sample(18:90, 1e5, replace = TRUE)
#' tally <- dp_tally(ages, lower = 0, upper = 120, resolution = 1)
#' tally
#'
#' # in chunks: of a file, two hundred lines at a time
#' file <- tempfile(fileext = ".csv")
#' write.csv(data.frame(age = ages[1:1000]), file, row.names = FALSE)
#' lines <- file(file, "r")
#' header <- readLines(lines, 1)
#' next_chunk <- function() {
#'   values <- scan(lines, nmax = 200, quiet = TRUE)
#'   if (length(values) > 0) data.frame(age = values)
#' }
#' dp_tally(next_chunk, lower = 0, upper = 120, resolution = 1)
#' close(lines)
#'
#' # the median width of each species' sepals
#' widths <- dp_tally(iris, "Sepal.Width", lower = 0, upper = 9, resolution = 0.1,
#'                    by = ~Species)
#' dp_by(widths, release = dp_median, epsilon = 1)
#' @order 1
#' @export
dp_tally <- function(tbl, vars = NULL, lower, upper, resolution = NULL, id = NULL, na = NULL, table = NULL,
                     margins = FALSE, by = NULL, levels = NULL, rng = NULL, refine = FALSE,
                     directions = NULL, ...) {
  check_given()
  check_vars(vars)
  if (kind_of(tbl) != "rows" || is_tallies(tbl)) {
    stop_input("tbl", "rows that are not counted yet", "a tally", "Tallies add up by c().")
  }
  margins <- check_flag(margins, "margins")
  if (!is.null(levels) && is.null(by)) stop_input("levels", "NULL without `by`", describe(levels))
  rule <- tally_rule(na, is_database(tbl), !identical(refine, FALSE) || !is.null(directions))
  limits <- list(lower = lower, upper = upper, resolution = resolution, na = rule, margins = margins, by = by,
                 levels = levels, refine = check_refine(refine, by), directions = directions)
  if (!is.null(directions)) refuse_with_directions(margins, refine, by)
  with_na(count_rows_of(tbl, table, vars, id, limits, rng), rule)
}

# What becomes of rows with missing values. In a database no row may decide whether the call fails; cells and
# projections have distributions of one size alone, and no value replaces rows silently.
tally_rule <- function(na, database, sized) {
  if (!is.null(na) && !(sized && identical(na, "omit"))) return(na)
  if (!sized) return(if (database) "omit" else "fail")
  if (!database && is.null(na)) return("fail")
  stop_input("na", "\"middle\" or finite numbers with `refine` or `directions`",
             if (is.null(na)) "left out, which is \"omit\" for a database" else "\"omit\"",
             "Their releases take the number of rows for public.")
}

# A tally that says what became of rows with missing values.
with_na <- function(tally, rule) {
  if (is_tallies(tally)) tally$tallies <- lapply(tally$tallies, with_na, rule)
  else tally$na <- na_text(rule)
  tally
}

count_rows_of <- function(tbl, table, vars, id, limits, rng) {
  if (is_database(tbl)) return(tally_database(tbl, table, vars, id, limits))
  if (!is.null(table)) {
    stop_input("table", "NULL for data that are no connection to a database", describe(table))
  }
  if (is_arrow(tbl)) {
    keys <- if (!is.null(limits$by)) key_names(limits$by, "by")
    tbl <- arrow_chunks(tbl, if (!is.null(vars)) c(vars, keys))
  }
  if (is.function(tbl) && !identical(limits$refine, 0)) {
    stop_input("refine", "FALSE for data that are read once, in chunks", "another value",
               "Cells are counted in a second pass: of a database, or of data in memory.")
  }
  if (is.function(tbl)) {
    if (is.primitive(tbl) || length(formals(tbl)) > 0) {
      stop_input("tbl", "a function without arguments that returns the next chunk, and NULL at the end",
                 "a function of another kind")
    }
    if (!is.null(id)) {
      stop_input("id", "NULL for data in chunks", describe_data(id),
                 "An id's rows could be in several chunks. Keep one row of each id before, or in a database.")
    }
    return(tally_stream(open_stream(chunk_blocks(tbl, vars, limits), limits)))
  }
  tally_rows(tbl, vars, id, limits, rng)
}

check_vars <- function(vars) {
  if (is.null(vars)) return(invisible(NULL))
  if (!is.character(vars) || is.object(vars) || length(dim(vars)) > 1 || length(vars) == 0 || anyNA(vars) ||
        anyDuplicated(vars)) {
    stop_input("vars", "NULL or the names of different columns", describe(vars),
               "Limits are given by name, as in dp_tally(x, lower = 0, upper = 1).")
  }
}

# How many cells: TRUE is one number for all variables together. 0: none.
check_refine <- function(refine, by) {
  if (identical(refine, FALSE)) return(0)
  if (!is.null(by)) stop_input("by", "NULL with `refine`", describe(by))
  if (identical(refine, TRUE)) return(NA)
  check_count(refine, "refine", lower = 2L, upper = 2^24)
}

refuse_with_directions <- function(margins, refine, by) {
  other <- c(by = !is.null(by), margins = margins, refine = !identical(refine, FALSE))
  if (any(other)) {
    stop_input(names(which(other))[[1]], "left out with `directions`", "given")
  }
}

# -- in memory -------------------------------------------------------------------------------------

block_rows <- 2^20

# PRIVATE: x, id, and limits$by.
tally_rows <- function(x, vars, id, limits, rng) {
  if (!is.data.frame(x) && length(dim(x)) != 2 && !(is.atomic(x) && !is.null(x) && length(dim(x)) < 2)) {
    check_data(x, "tbl")
    stop_input("tbl", "a vector, matrix, data frame, table of a database or function", describe_data(x))
  }
  check_rng(rng)
  check_frame(x, "tbl")
  taken <- take_ids(x, id)
  group <- NULL
  if (!is.null(limits$by)) {
    keyed <- take_keys(taken$x, limits$by, "by")
    group <- group_keys(keyed$keys, NROW(x), limits$levels)
    taken$x <- keyed$x
  }
  x <- choose_columns(taken$x, vars)
  if (!is.null(id)) {
    omit <- identical(limits$na, "omit")
    if (!omit && NROW(x) > 0) {
      replace_missing(x, limits$na, limits_middle(NULL, limits$lower, limits$upper), "tbl")
    }
    kept <- kept_rows(taken$id, NROW(x), rng, if (omit) which(!incomplete_rows(x, "tbl")))
    x <- some_rows(x, kept)
    group <- group[kept]
  }
  blocks <- function() {
    done <- 0
    function() {
      if (done > 0 && done >= NROW(x)) return(NULL)
      rows <- done + seq_len(min(block_rows, NROW(x) - done))
      done <<- done + block_rows
      list(x = some_rows(x, rows), group = group[rows])
    }
  }
  stream <- open_stream(blocks(), limits)
  if (identical(limits$refine, 0)) return(tally_stream(stream, !is.null(id)))
  first <- stream$next_index
  read <- function(keys) {
    next_index <- if (is.null(first)) open_stream(blocks(), limits)$next_index else first
    first <<- NULL
    count_cells(next_index, keys)
  }
  new_cells(stream$lattice, read, !is.null(id), cells_each(limits$refine, length(stream$lattice$step)))
}

some_rows <- function(x, rows) if (length(dim(x)) == 2) x[rows, , drop = FALSE] else x[rows]

choose_columns <- function(x, vars, arg = "vars") {
  if (is.null(vars)) return(x)
  have <- if (length(dim(x)) == 2) colnames(x)
  strange <- setdiff(vars, have)
  if (length(strange) > 0) {
    stop_input(arg, if (is.null(have)) "NULL for data without names" else "among the names of the columns",
               given_names(strange, have))
  }
  if (is.data.frame(x)) as.data.frame(x)[vars] else x[, vars, drop = FALSE]
}

# -- chunks ----------------------------------------------------------------------------------------

# Readers that give chunks without rows at the end, as read.csv() and DBI::dbFetch() can, would never end.
most_empty_chunks <- 1000

# From a function that returns chunks one that returns their variables and groups.
chunk_blocks <- function(next_chunk, vars, limits) {
  if (!is.null(limits$by)) key_names(limits$by, "by")
  levels <- limits$levels
  function() {
    chunk <- next_chunk()
    if (is.null(chunk)) return(NULL)
    group <- NULL
    if (!is.null(limits$by)) {
      taken <- take_keys(chunk, limits$by, "by")
      group <- group_keys(taken$keys, NROW(chunk), levels)
      # of factors those of the first chunk
      levels <<- group_levels(taken$keys, levels)
      chunk <- taken$x
    }
    list(x = choose_columns(chunk, vars), group = group)
  }
}

# `next_block()`: list(x, group), or NULL at the end; group: NULL or the numbers of rows' groups, NA for none.
# The first says which variables there are.
open_stream <- function(next_block, limits) {
  numbers <- function(block) check_data(block$x, "tbl", min_n = 0L, finite = FALSE)
  block <- next_block()
  if (is.null(block)) stop_input("tbl", "a function that returns data before NULL", "one without any")
  x <- numbers(block)
  groups <- levels(block$group)
  given <- colnames(x)
  names <- variable_names(x)
  margins <- limits$margins && length(names) > 1
  # by the first chunk: types are declared
  resolution <- typed_resolution(limits$resolution, block$x)
  lattice <- tally_lattice(limits$lower, limits$upper, resolution, names, names_of(x),
                           margins || !identical(limits$refine, 0), !is.null(limits$directions))
  directions <- if (!is.null(limits$directions)) check_projected(limits$directions, names)
  middle <- limits_middle(NULL, limits$lower, limits$upper)
  empty <- 0
  next_index <- function() {
    if (is.null(x)) return(NULL)
    empty <<- if (nrow(x) == 0) empty + 1 else 0
    if (empty > most_empty_chunks) {
      stop_input("tbl", "a function that returns NULL at the end",
                 sprintf("one with %s chunks without rows, one after the other", grouped(most_empty_chunks)),
                 "Let it return NULL where a chunk has no rows.")
    }
    x <- alike(x, given, length(names))
    kept <- if (identical(limits$na, "omit")) rowSums(!is.finite(x)) == 0 else rep_len(TRUE, nrow(x))
    na <- if (identical(limits$na, "omit")) "fail" else limits$na
    index <- tally_index(fill_missing(x[kept, , drop = FALSE], na, middle, "tbl"), lattice)
    if (!is.null(groups)) {
      group <- unclass(block$group)[kept]
      index <- cbind(ifelse(is.na(group), 0, group), index)
    }
    block <<- next_block()
    x <<- if (!is.null(block)) numbers(block)
    index
  }
  list(next_index = next_index, lattice = lattice, groups = groups, margins = margins,
       directions = directions)
}

tally_stream <- function(stream, persons = FALSE) {
  if (!is.null(stream$groups)) {
    return(gather_groups(stream$next_index, stream$lattice, persons, stream$groups, stream$margins))
  }
  if (!is.null(stream$directions)) {
    return(gather_projected(stream$next_index, stream$lattice, persons, stream$directions))
  }
  gather <- if (stream$margins) gather_margins else gather_tally
  gather(stream$next_index, stream$lattice, persons)
}

# Data sets, tables, queries and readers of the package arrow.
is_arrow <- function(x) {
  inherits(x, c("RecordBatchReader", "ArrowTabular", "Dataset", "arrow_dplyr_query"))
}

# Batches as data frames, one by one; of some columns alone where they are named.
arrow_chunks <- function(x, columns) {
  if (!inherits(x, "RecordBatchReader")) {
    arrow <- function(name) getExportedValue("arrow", name)
    some <- length(columns) > 0 && inherits(x, "Dataset") && all(columns %in% names(x))
    # a data set's other columns are not read
    x <- if (some) arrow("Scanner")$create(x, columns)$ToRecordBatchReader()
         else arrow("as_record_batch_reader")(x)
  }
  function() {
    batch <- x$read_next_batch()
    if (!is.null(batch)) as.data.frame(batch)
  }
}

# A chunk with the columns of the first one, in their order.
alike <- function(x, given, d) {
  if (identical(colnames(x), given) && ncol(x) == d) return(x)
  if (is.null(given) || !all(given %in% colnames(x))) {
    stop_input("tbl", "a function whose chunks all have the columns of the first", "one whose chunks do not")
  }
  x[, given, drop = FALSE]
}

# Tallies made by a database: one statement that rounds and counts as the rows' doubles are rounded in memory.
#
# METHOD: no value of a row may make the statement fail, or its rounding differ from tally_index(). So values
#   that are no finite numbers become public indexes first (v - v is 0 for finite numbers alone); then
#   those so far outside that products would overflow, and those so near to 0 that they would underflow. What
#   is left is one product or quotient of doubles, and FLOOR, from which halves are taken to even numbers, or
#   the engine's own rounding where it does so.
#   Indexes are BIGINT: no text of doubles is read back.
#   Columns of other types are refused by what an answer without rows says of them, which is public.
# DEGENERATE: SQLite holds text in columns of numbers, and does not know the types of expressions: typeof().
#   Its FLOOR is optional: CAST cuts off.
# REFERENCE: vignettes/proofs-accounts.Rmd, section 6.

is_database <- function(x) inherits(x, "tbl_lazy") || inherits(x, "DBIConnection")

tally_database <- function(tbl, table, vars, id, limits) {
  source <- tally_source(tbl, table)
  id <- if (!is.null(id)) key_names(id, "id", most = 1)
  by <- if (!is.null(limits$by)) key_names(limits$by, "by")
  check_columns(id, source$columns, "id")
  check_columns(by, source$columns, "by")
  if (is.null(vars)) {
    if (is.null(source$columns)) stop_database("columns", source$con, source$table)
    vars <- setdiff(source$columns, c(id, by))
    if (length(vars) == 0) stop_input("tbl", "a table with variables", "one without")
  }
  if (any(by %in% vars)) {
    stop_input("by", "a formula of columns that are not among `vars`: groups are no variable", "one of these")
  }
  check_columns(vars, source$columns, "vars")
  kinds <- check_kinds(column_kinds(source$con, source$from, vars, source$table), vars)
  group <- if (!is.null(by)) {
    group_sql(source$con, by, column_kinds(source$con, source$from, by), limits$levels)
  }
  refine <- !identical(limits$refine, 0)
  if (refine && !is.null(id)) {
    stop_input("id", "NULL with `refine` in a database", describe(id),
               "A second pass would keep other rows. Keep one row of each id in a table of its own.")
  }
  margins <- limits$margins && length(vars) > 1
  lattice <- database_lattice(limits, vars, kinds, margins || refine)
  check_sql_lattice(lattice)
  rule <- database_rule(limits$na, lattice)
  if (!is.null(limits$directions)) {
    directions <- check_projected(limits$directions, vars)
    sql <- tally_sql(source$con, source$from, vars, id, lattice, rule, kinds,
                     directions = directions)
    parts <- projected_parts(ask_database(source$con, sql, 3L), directions)
    if (is.null(parts)) stop_database("count")
    return(new_projected(parts, lattice, !is.null(id), directions))
  }
  if (refine) {
    read <- function(keys) {
      sql <- tally_sql(source$con, source$from, vars, NULL, lattice, rule, kinds, TRUE, keys = keys)
      counts <- ask_database(source$con, sql, length(vars) + 1L, TRUE)
      counted_margins(counts[, -ncol(counts), drop = FALSE], counts[, ncol(counts)])
    }
    return(new_cells(lattice, read, FALSE, cells_each(limits$refine, length(vars))))
  }
  sql <- tally_sql(source$con, source$from, vars, id, lattice, rule, kinds, margins, group)
  counts <- ask_database(source$con, sql, length(vars) + 1L + !is.null(group), margins)
  if (!is.null(group)) return(gather_counted_groups(counts, lattice, !is.null(id), group$levels, margins))
  gather <- if (margins) gather_counted_margins else gather_counted
  gather(counts, lattice, !is.null(id))
}

# -- what is asked ---------------------------------------------------------------------------------

# The connection, the table as it stands after FROM, and the names of its columns.
tally_source <- function(tbl, table) {
  if (inherits(tbl, "tbl_lazy")) {
    if (!is.null(table)) {
      stop_input("table", "NULL with a table that tbl() gave", describe(table))
    }
    con <- dbplyr::remote_con(tbl)
    return(list(con = con, columns = colnames(tbl), from = sprintf("(%s) dpd_0", dbplyr::remote_query(tbl))))
  }
  if (!is.character(table) && !inherits(table, "Id") || is.character(table) && length(table) != 1) {
    stop_input("table", "the name of a table of the database", describe(table),
               "It may also be made by DBI::Id() or DBI::SQL().")
  }
  columns <- muted(DBI::dbListFields(tbl, table))
  # some drivers know none of a view's, or of a table's in a schema
  if (length(columns) == 0) columns <- NULL
  list(con = tbl, columns = columns, table = if (!is.object(table)) table,
       from = sprintf("%s dpd_0", DBI::dbQuoteIdentifier(tbl, table)))
}

check_columns <- function(names, columns, arg) {
  strange <- if (!is.null(columns)) setdiff(names, columns)
  if (length(strange) > 0) {
    stop_input(arg, sprintf("among the names of the columns, which are %s", quote_names(columns)),
               given_names(strange, columns))
  }
}

# Columns that are declared as whole numbers or flags are counted in steps of 1, unless `resolution` says
# otherwise, or the limits are so wide that the lattice's own steps are wider.
database_lattice <- function(limits, vars, kinds, margins) {
  of <- function(resolution) {
    tally_lattice(limits$lower, limits$upper, resolution, vars, margins = margins,
                  projected = !is.null(limits$directions))
  }
  given <- limits$resolution
  if (is.character(given)) given <- typed_resolution(given, data.frame())
  if (!is.null(given)) return(of(given))
  own <- of(NULL)
  whole <- kinds %in% c("whole", "flag") & own$step <= 1
  if (any(whole)) of(stats::setNames(rep_len(1, sum(whole)), vars[whole])) else own
}

# Are columns of whole numbers, other numbers, flags or something else? By the classes of an answer without
# rows.
column_kinds <- function(con, from, vars, table = NULL) {
  columns <- vapply(vars, function(name) quote_column(con, name), "", USE.NAMES = FALSE)
  sql <- sprintf("SELECT %s FROM %s WHERE 1 = 0", toString(columns), from)
  kind <- if (inherits(con, "SQLiteConnection")) sqlite_kinds(con, sql) else answer_kinds(con, sql)
  if (length(kind) != length(vars)) stop_database("types", con, table, vars)
  kind
}

answer_kinds <- function(con, sql) {
  kind_of <- function(column) {
    if (is.integer(column) && !is.object(column) || inherits(column, "integer64")) "whole"
    else if (is_number_like(column)) "number"
    else if (is_flag_like(column)) "flag"
    else "other"
  }
  vapply(as.list(muted(DBI::dbGetQuery(con, sql))), kind_of, "", USE.NAMES = FALSE)
}

# Its driver has no classes for flags, nor for dates unless asked when connecting. A view has the declared
# types of its columns, and none for those that are expressions; a table made of them has that of a cast. What
# has none either is looked at by typeof(), value by value.
sqlite_kinds <- function(con, sql) {
  types <- function(what) {
    muted(DBI::dbExecute(con, sprintf("CREATE TEMP %s dpd_declared AS %s", what, sql)))
    on.exit(muted(DBI::dbExecute(con, sprintf("DROP %s temp.dpd_declared", what))))
    as.character(muted(DBI::dbGetQuery(con, "SELECT type FROM pragma_table_info('dpd_declared')")$type))
  }
  type <- types("VIEW")
  type <- ifelse(type == "", types("TABLE"), type)
  has <- function(words) grepl(words, type, ignore.case = TRUE)
  # SQLite itself takes a floating point, and an interval, for an INT
  whole <- has("(^|[^O])INT(EGER)?[0-9]*\\b|BOOL|BIT") & !has("REAL|FLOA|DOUB|NUM|DEC")
  ifelse(whole, "whole", ifelse(has("INT|REAL|FLOA|DOUB|NUM|DEC"), "number",
                                ifelse(type == "", "untyped", "other")))
}

check_kinds <- function(kind, vars) {
  other <- which(kind == "other")
  if (length(other) > 0) {
    stop_input("tbl", "a table whose columns are declared as numbers or flags",
               sprintf("one with text, dates or the like in %s", which_columns(other, vars)),
               paste("Leave them out with `vars`, or make numbers of them in the database, as",
                     "dplyr::mutate() does: days since some date, columns of 0 and 1."))
  }
  untyped <- which(kind == "untyped")
  if (length(untyped) > 0) {
    warn_dpdepth("type", sprintf(paste(
      "SQLite knows no type of %s, an expression or declared without one. If it holds text, that counts as a",
      "missing value, of which `na` says what becomes."
    ), which_columns(untyped, vars)))
  }
  kind
}

# Statements have room for a quarter of a step beside 0, and for numbers of 16 digits.
check_sql_lattice <- function(lattice) {
  fine <- lattice$step < 2^-900
  if (any(fine)) {
    stop_input("upper", "further from `lower` for a database, so that steps are 2^-900 at least",
               "nearer", "Take smaller units.")
  }
}

# The index that stands for what is no finite number, a variable; `whole`: in all variables of such a row.
database_rule <- function(na, lattice) {
  must <- "\"omit\", \"middle\", or finite numbers, one for all or one for each variable, for a database"
  if (identical(na, "fail")) {
    stop_input("na", must, "\"fail\"", "Whether a query fails must not depend on the rows.")
  }
  whole <- identical(na, "omit") || identical(na, "middle")
  value <- if (whole) lattice$lower / 2 + lattice$upper / 2
           else na_numbers(na, length(lattice$names), lattice$names)
  if (anyNA(value)) stop_input("na", must, "numbers for some variables", "Give one for each variable.")
  list(whole = whole, omit = identical(na, "omit"), index = drop(tally_index(matrix(value, 1), lattice)))
}

# -- the answer ------------------------------------------------------------------------------------

# con: NULL where the answer was wrong, or what was asked; table, vars: what the call named.
stop_database <- function(statement, con = NULL, table = NULL, vars = NULL) {
  named <- function(names) length(names) > 0 && all(vapply(names, is_plain_name, NA))
  what <- switch(statement, count = "the counts of rows", types = "the types of the table's columns",
                 "the names of the table's columns")
  stop_dpdepth("database", paste0(
    sprintf("The database did not answer when asked for %s. ", what),
    if (!is.null(con) && sql_engine(con) == "") {
      sprintf(paste("The engines that are known are %s: this one is none of them, and others, such as MySQL",
                    "and SQL Server, do not read the statement. "), known_engines())
    },
    "What its driver said is left out, as it may hold data. Look whether the connection is alive, whether ",
    if (named(table)) sprintf("there is a table `%s` that ", table) else "the table ", "may be read",
    if (named(vars)) sprintf(", whether it has the column%s %s", plural(length(vars)), quote_names(vars)),
    ", and whether the columns are of numeric types. Nothing was spent: a tally takes ",
    "nothing from a budget, and may be asked for again."
  ), statement = statement)
}

ask_database <- function(con, sql, columns, gaps = FALSE) {
  answer <- muted(DBI::dbGetQuery(con, sql))
  # some drivers warn where others raise an error
  if (!is.data.frame(answer) || ncol(answer) != columns) stop_database("count", con)
  counts <- vapply(answer, whole_numbers, numeric(nrow(answer)), USE.NAMES = FALSE)
  if (!is.numeric(counts) || !gaps && anyNA(counts)) stop_database("count", con)
  matrix(counts, ncol = columns)
}

# Whole numbers as drivers give them, as doubles.
whole_numbers <- function(x) {
  if (!inherits(x, "integer64")) return(suppressWarnings(as.double(x)))
  words <- words64(x)
  high <- words[4, ] * 2^16 + words[3, ]
  whole <- (high - ifelse(high >= 2^31, 2^32, 0)) * 2^32 + words[2, ] * 2^16 + words[1, ]
  # the least of them stands for NULL
  replace(whole, whole == -2^63, NA)
}

# The tally of a matrix of indexes and, last, their counts.
gather_counted <- function(counts, lattice, persons = FALSE) {
  index <- clamp_index(counts[, -ncol(counts), drop = FALSE], lattice)
  new_tally(tally_values(index, lattice), counts[, ncol(counts)], lattice$lower, lattice$upper, lattice$step,
            lattice$resolution, persons)
}

# As gather_counted(): indexes of one variable per row, NA for the others. Sums that differ are no margins.
gather_counted_margins <- function(counts, lattice, persons = FALSE) {
  index <- clamp_index(counts[, -ncol(counts), drop = FALSE], lattice)
  new_margins(counted_margins(index, counts[, ncol(counts)]), lattice, persons)
}

counted_margins <- function(index, count) {
  parts <- lapply(seq_len(ncol(index)), function(j) {
    kept <- !is.na(index[, j])
    merge_atoms(index[kept, j, drop = FALSE], count[kept])
  })
  rows <- vapply(parts, function(part) sum(part$count), 0)
  if (any(rowSums(!is.na(index)) != 1) || any(rows != rows[[1]])) stop_database("count")
  parts
}

# Counts with the group's number in the first column.
gather_counted_groups <- function(counts, lattice, persons, levels, margins) {
  d <- length(lattice$step)
  index <- clamp_index(counts[, 1 + seq_len(d), drop = FALSE], lattice)
  group <- counts[, 1]
  if (anyNA(group)) stop_database("count")
  sets <- if (margins) as.list(seq_len(d)) else list(seq_len(d))
  parts <- lapply(sets, function(set) {
    kept <- !is.na(index[, set[[1]]])
    merge_atoms(cbind(group, index[, set, drop = FALSE])[kept, , drop = FALSE], counts[kept, d + 2L])
  })
  in_groups <- lapply(parts, function(part) rowsum(part$count, part$points[, 1]))
  same <- all(vapply(in_groups, identical, NA, in_groups[[1]]))
  if (margins && any(rowSums(!is.na(index)) != 1) || !same) stop_database("count")
  split_groups(parts, lattice, persons, levels, margins)
}

# What a database is asked for a tally: statements that round and count, engine by engine.
#
# METHOD, REFERENCE: dp-tally-database.R.

# The engines whose statements are known, by the classes of their connections.
sql_engines <- list(
  SQLite = "SQLiteConnection",
  PostgreSQL = c("PostgreSQLConnection", "PqConnection", "PostgreSQL"),
  DuckDB = "duckdb_connection",
  Spark = c("Spark SQL", "spark_connection"),
  Snowflake = "Snowflake"
)

# The engine's name, or "". Redshift takes PostgreSQL's driver, and reads and rounds otherwise.
sql_engine <- function(con) {
  if (inherits(con, "RedshiftConnection")) return("")
  c(names(sql_engines)[vapply(sql_engines, function(classes) inherits(con, classes), NA)], "")[[1]]
}

# What engines call things: doubles, whole numbers of 64 bits, a whole number at or below w, random numbers,
# a condition that values are finite, and `mark`, the exponent that makes numbers doubles. `nearest`: where an
# engine rounds doubles as memory does, halves to even; `whole`: columns that are declared so.
sql_dialect <- function(con) {
  dialect <- list(double = "DOUBLE PRECISION", floor = "CAST(FLOOR(%1$s) AS BIGINT)", nearest = NULL,
                  random = "RANDOM()", finite = "%1$s - %1$s = 0", sets = TRUE, fence = "", mark = "",
                  drawn = FALSE, whole = "%s")
  own <- switch(
    sql_engine(con),
    # its planner would write columns out where they are used, and compute them there again; where something
    # is 0 it expects few rows, and sorts them; whole numbers it compares with decimals as decimals
    PostgreSQL = list(fence = " OFFSET 0", finite = "%1$s - %1$s <> CAST('NaN' AS DOUBLE PRECISION)",
                      nearest = "CAST(ROUND(%s) AS BIGINT)", whole = "CAST(%s AS DOUBLE PRECISION)"),
    # planned as by PostgreSQL
    SQLite = list(fence = " LIMIT -1", sets = FALSE, double = "REAL",
                  floor = "CAST(%1$s AS INTEGER) - (%1$s < CAST(%1$s AS INTEGER))",
                  finite = "typeof(%1$s) IN ('integer', 'real') AND %1$s - %1$s = 0"),
    # numbers without an exponent are decimals: columns beside them become such, too, and large values fail;
    # it takes no random numbers in the order of a window: a column of them comes first
    DuckDB = list(double = "DOUBLE", mark = "e0", drawn = TRUE),
    # numbers: as DuckDB's
    Spark = list(double = "DOUBLE", mark = "e0", random = "RAND()"),
    list()
  )
  utils::modifyList(dialect, own)
}

quote_column <- function(con, name) {
  # dbplyr's simulated connections are no S4 objects
  if (isS4(con)) as.character(DBI::dbQuoteIdentifier(con, name))
  else as.character(dbplyr::escape(dbplyr::ident(name), con = con))
}

# kinds: as column_kinds() gives them. group: as group_sql() does; rows of none are alike. keys: what to count
# of each index, see keys_of_cells(). directions: or of their projections.
tally_sql <- function(con, from, vars, id, lattice, rule, kinds = "number", margins = FALSE, group = NULL,
                      keys = NULL, directions = NULL) {
  dialect <- sql_dialect(con)
  columns <- vapply(vars, function(name) quote_column(con, name), "", USE.NAMES = FALSE)
  v <- seq_along(columns)
  numbers <- sql_numbers(columns, rep_len(kinds, length(columns)), dialect)
  finite <- sprintf(dialect$finite, numbers)
  # before one row of each id is chosen
  if (rule$omit) from <- sprintf("(SELECT * FROM %s WHERE %s) dpd_0", from, paste(finite, collapse = " AND "))
  if (!is.null(id)) from <- one_row_sql(c(columns, group$column), quote_column(con, id), from, dialect)
  if (rule$whole) finite <- rep(paste(finite, collapse = " AND "), length(columns))
  g <- if (!is.null(group)) "g"
  if (!is.null(group)) finite <- sprintf("(%s) AND %s", group$member, finite)
  scaled <- vapply(v, function(j) scaled_sql(numbers[[j]], j, lattice, dialect), "")
  steps <- sprintf("CASE WHEN %s\n    THEN %s\n    ELSE %.0f END", finite, scaled, rule$index)
  k <- sprintf("k%d", v)
  rows <- rounded_sql(steps, k, group$code, from, dialect)
  if (!is.null(directions)) return(projected_sql(k, rows, lattice, directions, dialect$sets, dialect$fence))
  if (!is.null(keys)) {
    rows <- paste0("SELECT ", toString(cell_sql(k, keys)), " FROM (\n", rows, dialect$fence, ") dpd_cells")
  }
  if (margins && length(k) + !is.null(g) > 1) {
    return(margins_sql(k, paste0(rows, dialect$fence), dialect$sets, g))
  }
  keys <- toString(c(g, k))
  paste0("SELECT ", keys, ", COUNT(*) AS n FROM (\n", rows, ") dpd_3\nGROUP BY ", keys)
}

# Flags are 1 and 0.
sql_numbers <- function(columns, kinds, dialect) {
  flags <- sprintf("(CASE WHEN %1$s THEN 1 WHEN NOT %1$s THEN 0 END)", columns)
  ifelse(kinds == "flag", flags, ifelse(kinds == "whole", sprintf(dialect$whole, columns), columns))
}

# Rows of the whole numbers k that are nearest to the doubles `steps`, the even one of two. code: NULL, or
# what gives the number g of a row's group.
rounded_sql <- function(steps, k, code, from, dialect) {
  g <- if (!is.null(code)) "g"
  select <- function(...) paste0("SELECT ", paste(c(...), collapse = ",\n  "))
  first <- function(columns) {
    paste0(select(if (!is.null(code)) paste(code, "AS g"), columns), "\nFROM ", from)
  }
  if (!is.null(dialect$nearest)) return(first(paste(sprintf(dialect$nearest, steps), "AS", k)))
  w <- sub("k", "w", k)
  f <- sub("k", "f", k)
  floors <- sprintf("%s, %s AS %s", w, sprintf(dialect$floor, w), f)
  even <- sprintf(paste("CASE WHEN %1$s - %2$s > 0.5 OR (%1$s - %2$s = 0.5 AND %2$s %% 2 <> 0)",
                        "THEN %2$s + 1 ELSE %2$s END AS %3$s"), w, f, k)
  paste0(select(g, even), " FROM (\n", select(g, floors), " FROM (\n", first(paste(steps, "AS", w)),
         dialect$fence, ") dpd_1", dialect$fence, ") dpd_2")
}

# The groups of rows by their keys, one column or several, which are crossed; `kind`: of column_kinds().
# member: is a row in one?
group_sql <- function(con, by, kind, levels) {
  parts <- Map(function(by, kind, levels) key_sql(con, by, kind, levels), by, kind, levels_each(levels, by))
  of_each <- function(what) lapply(unname(parts), `[[`, what)
  code <- Reduce(function(a, part) sprintf("(%s - 1) * %d + %s", a, length(part$levels), part$code),
                 parts[-1], parts[[1]]$code)
  member <- paste(sprintf("(%s)", of_each("member")), collapse = " AND ")
  list(levels = crossed_levels(of_each("levels")), column = unlist(of_each("column")), member = member,
       code = sprintf("CASE WHEN %s THEN %s ELSE 0 END", member, code))
}

# Of one column: numbers, flags, or text as the database compares it. code: the place of a level.
key_sql <- function(con, by, kind, levels) {
  column <- quote_column(con, by)
  number <- !inherits(con, "SQLiteConnection") && kind %in% c("number", "whole")
  flag <- kind == "flag"
  if (is.null(levels)) {
    if (!flag) stop_without_levels("flag")
    levels <- c(FALSE, TRUE)
  }
  text <- declared_keys(levels)
  numeric <- is_number_like(levels) || is.logical(levels) && !flag
  if (number && !numeric || numeric && any(!is.finite(levels)) ||
        flag && !all(text %in% c("FALSE", "TRUE"))) {
    stop_input("levels", sprintf("%s, as the column `by`", if (flag) "flags" else "finite numbers"),
               describe(levels))
  }
  values <- if (numeric && !flag) short_number(as.double(levels), sql_dialect(con)$mark)
            else quote_text(con, text)
  is_level <- if (flag) ifelse(text == "TRUE", column, paste("NOT", column))
              else sprintf("%s = %s", column, values)
  list(levels = text, column = column,
       code = sprintf("CASE %s END", paste(sprintf("WHEN %s THEN %d", is_level, seq_along(text)),
                                           collapse = " ")),
       member = if (flag) paste(is_level, collapse = " OR ")
                else sprintf("%s IN (%s)", column, toString(values)))
}

# Literals of text. A quote and a backslash are read in more ways than one: 'O''B' is OB to Spark before 4,
# and to Snowflake a backslash quotes what comes next. A level that is read otherwise would have no rows.
quote_text <- function(con, text) {
  double <- function(text, what) gsub(what, paste0(what, what), text, fixed = TRUE)
  between <- function(text) paste0("'", text, "'")
  slash <- grepl("\\", text, fixed = TRUE)
  special <- slash | grepl("'", text, fixed = TRUE)
  plain <- between(double(text, "'"))
  slashed <- between(double(double(text, "'"), "\\"))
  switch(
    sql_engine(con),
    SQLite = , DuckDB = plain,
    # this form does not depend on how the server was set
    PostgreSQL = ifelse(slash, paste0("E", slashed), plain),
    Snowflake = slashed,
    # bytes: what quotes, and whether ${names} are replaced, is a setting
    Spark = ifelse(special | grepl("$", text, fixed = TRUE), hex_text(text), plain),
    {
      if (any(special)) {
        stop_input("levels", paste("without quotes and backslashes for engines other than", known_engines()),
                   "text with some", "How this one reads them is not known. Group by other codes.")
      }
      plain
    }
  )
}

hex_text <- function(text) {
  bytes <- vapply(text, function(one) paste(toupper(charToRaw(one)), collapse = ""), "", USE.NAMES = FALSE)
  sprintf("CAST(X'%s' AS STRING)", bytes)
}

known_engines <- function() {
  names <- names(sql_engines)
  paste(toString(names[-length(names)]), "and", names[[length(names)]])
}

# The counts of each variable by itself, NULL for the others: from one scan, and one choice of rows.
# g: NULL, or the name of the group's number, of which each has its own.
margins_sql <- function(k, rows, sets, g = NULL) {
  of_set <- vapply(k, function(one) toString(c(g, one)), "")
  if (sets) {
    return(paste0("SELECT ", toString(c(g, k)), ", COUNT(*) AS n FROM (\n", rows,
                  ") dpd_3\nGROUP BY GROUPING SETS (", toString(sprintf("(%s)", of_set)), ")"))
  }
  parts <- vapply(k, function(one) {
    keys <- toString(c(g, ifelse(k == one, k, paste("NULL AS", k))))
    sprintf("SELECT %s, COUNT(*) AS n FROM dpd_3 GROUP BY %s", keys, of_set[[one]])
  }, "")
  paste0("WITH dpd_3 AS MATERIALIZED (\n", rows, ")\n", paste(parts, collapse = "\nUNION ALL "))
}

# Steps of variable j, unrounded: a double, or the index of what would over- or underflow.
scaled_sql <- function(column, j, lattice, dialect) {
  number <- function(x) sql_number(x, dialect$mark)
  step <- lattice$step[[j]]
  ends <- lattice$centre[[j]] + c(-2, 2) * tally_reach
  far <- pmin(pmax(ends * step, -.Machine$double.xmax), .Machine$double.xmax)
  sprintf(paste("CASE WHEN %1$s <= %2$s THEN %3$.0f WHEN %1$s >= %4$s THEN %5$.0f",
                "WHEN %1$s BETWEEN -%6$s AND %6$s THEN 0 ELSE CAST(%1$s AS %7$s)%8$s END"),
          column, number(far[[1]]), ends[[1]], number(far[[2]]), ends[[2]], number(step / 4), dialect$double,
          scale_sql(step, lattice$parts[[j]], dialect$mark))
}

sql_number <- function(x, mark = "") with_exponent(sprintf("%.17g", x), mark)

with_exponent <- function(text, mark) {
  ifelse(grepl("e", text, fixed = TRUE), text, paste0(text, mark))
}

# The shortest decimals of these doubles: a column of decimals holds 0.1, and no 0.10000000000000001.
short_number <- function(x, mark = "") {
  text <- sprintf("%.17g", x)
  for (form in c("%.16g", "%.15g")) text <- ifelse(as.double(sprintf(form, x)) == x, sprintf(form, x), text)
  with_exponent(text, mark)
}

# As tally_index(): powers of two by whole numbers that any reader of decimals gets right.
scale_sql <- function(step, parts, mark = "") {
  exponent <- log2(step)
  if (step != 2^round(exponent)) {
    return(if (parts > 0) paste(" *", sql_number(parts, mark))
           else paste(" /", sql_number(step, mark)))
  }
  exponent <- round(exponent)
  if (exponent == 0) return("")
  by <- rep(52, abs(exponent) %/% 52)
  by <- 2^c(by, abs(exponent) %% 52)
  paste0(if (exponent < 0) " * " else " / ", sprintf("%.0f", by), collapse = "")
}

one_row_sql <- function(columns, id, from, dialect) {
  listed <- toString(columns)
  # a name that no variable has
  free <- function(name) {
    while (grepl(name, listed, ignore.case = TRUE)) name <- paste0(name, "_")
    name
  }
  random <- dialect$random
  if (dialect$drawn) {
    drawn <- c(free("dpd_key"), free("dpd_random"))
    both <- toString(paste(c(id, random), "AS", drawn))
    from <- sprintf("(SELECT %s, %s FROM %s) dpd_drawn", listed, both, from)
    id <- drawn[[1]]
    random <- drawn[[2]]
  }
  row <- free("dpd_row")
  sprintf(paste("(SELECT %s FROM (SELECT %s, ROW_NUMBER() OVER (PARTITION BY %s ORDER BY %s) AS %s",
                "FROM %s) dpd_id WHERE %s = 1) dpd_one"), listed, listed, id, random, row, from, row)
}

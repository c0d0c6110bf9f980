# Tests of the statements that databases are asked: R/dp-tally-sql.R.

test_that("steps that are powers of two scale by whole numbers of them", {
  for (e in c(-900, -104, -53, -52, -1, 0, 3, 52, 60)) {
    expect_identical(eval(str2lang(paste("1", scale_sql(2^e, 0)))), 2^-e)
  }
})

test_that("a variable may have the name of the row numbers: still one row of each id", {
  con <- local_sqlite()
  DBI::dbWriteTable(con, "t", data.frame(DPD_row = c(1, 1, 3, 4, 4), who = c(1, 1, 1, 2, 2)))
  for (i in 1:5) {
    t <- dp_tally(con, "DPD_row", 0, 9, 1, id = ~who, table = "t")
    expect_identical(t$n, 2)
    expect_true(4 %in% t$points)
  }
})

test_that("statements for engines that are not here", {
  skip_on_cran()
  skip_if_not_installed("dbplyr", "2.3.0")
  for (engine in c("duckdb_connection", "Spark SQL", "Snowflake", "PqConnection")) {
    con <- dbplyr::simulate_dbi(engine)
    table <- dbplyr::lazy_frame(height = 1, age = 2, who = 3, con = con, .name = "people")
    source <- tally_source(table, NULL)
    lattice <- tally_lattice(c(0, 0), c(2.5, 120), c(0.1, 1), c("height", "age"))
    rule <- database_rule("middle", lattice)
    kinds <- c("number", "whole")
    expect_snapshot(cat(tally_sql(source$con, source$from, lattice$names, "who", lattice, rule, kinds)))
    # rows that are left out are so before one row of each id is chosen
    sql <- tally_sql(source$con, source$from, lattice$names, "who", lattice, database_rule("omit", lattice))
    found <- if (engine == "PqConnection") "<> CAST\\('NaN' AS DOUBLE PRECISION\\)" else "= 0"
    expect_match(sql, paste0("WHERE `height` - `height` ", found, " AND `age` - `age` ", found,
                             "\\) dpd_0\\) dpd_(id|drawn)"))
    # flags, and each variable by itself, of which the rows are as above
    sql <- tally_sql(source$con, source$from, lattice$names, NULL, lattice, rule, c("flag", "whole"),
                     TRUE)
    expect_match(sql, "(CASE WHEN `height` THEN 1 WHEN NOT `height` THEN 0 END) - (CASE", fixed = TRUE)
    expect_match(sql, "GROUP BY GROUPING SETS ((k1), (k2))", fixed = TRUE)
  }
})

test_that("SQLite computes each level once, and counts the same", {
  con <- local_sqlite()
  DBI::dbWriteTable(con, "t", nasty_columns(500))
  asked <- character()
  ask <- ask_database
  count <- function(vars = c("a", "b", "f"), ...) {
    bindings <- list(ask_database = function(con, sql, ...) {
      asked <<- sql
      ask(con, sql, ...)
    })
    at <- match(vars, c("a", "b", "f"))
    with_bindings(bindings, dp_tally(con, vars, c(-4, 0, -3)[at], c(4, 120, 7)[at], c(2^-6, 1, 2 / 7)[at],
                                     na = "middle", table = "t", ...))
  }
  calls <- list(function() count(), function() count(margins = TRUE),
                function() count(directions = rbind(c(1, -2, 3), c(0, 7, -1))),
                function() count("f", refine = 900)$parts)
  for (call in calls) {
    fenced <- call()
    expect_match(asked, "FROM `t` dpd_0 LIMIT -1) dpd_1 LIMIT -1) dpd_2", fixed = TRUE)
    levels <- function() {
      plan <- DBI::dbGetQuery(con, paste("EXPLAIN QUERY PLAN", asked))$detail
      c("dpd_1", "dpd_2") %in% unlist(strsplit(plan, " "))
    }
    expect_identical(levels(), c(TRUE, TRUE))
    without <- with_bindings(planted(bug(NULL, "sql_dialect", " LIMIT -1", "")), call())
    expect_identical(without, fenced)
    expect_identical(levels(), c(FALSE, FALSE))
  }
})

# A table of PostgreSQL whose columns hold halves and the ends of their types, and the same doubles in memory.
halves_of_postgres <- function(con) {
  types <- c(s = "smallint", i = "int", b = "bigint", r = "real", f = "float8", n = "numeric")
  values <- lapply(types, function(type) {
    ends <- switch(type, smallint = c(-2^15, 2^15 - 1), int = c(-2^31, 2^31 - 1), bigint = c(-2^63, 2^52 + 1),
                   c(0.5 - 2^-25, -0.5 + 2^-25))
    c(if (type %in% types[1:3]) -204:203 else seq(-102, 101.5, by = 0.5), ends)
  })
  text <- lapply(values, sprintf, fmt = "%.25g")
  DBI::dbExecute(con, sprintf("CREATE TABLE halves (%s)", toString(paste(names(types), types))))
  rows <- paste0("(", do.call(paste, c(text, sep = ",")), ")", collapse = ",")
  DBI::dbExecute(con, paste("INSERT INTO halves VALUES", rows))
  as.data.frame(values)
}

test_that("PostgreSQL rounds halves to even numbers itself, and compares no whole numbers as decimals", {
  skip_on_cran()
  skip_if_no_postgres_driver()
  server <- start_postgres()
  if (is.null(server)) skip("no PostgreSQL server to start")
  on.exit(server$stop())
  con <- server$connect()
  x <- halves_of_postgres(con)
  kinds <- column_kinds(con, "halves", names(x))
  expect_identical(kinds[c(1, 2, 4:6)], c("whole", "whole", "number", "number", "number"))
  other <- function() {
    different <- function(name, step) {
      count <- function(...) dp_tally(vars = name, lower = -100, upper = 100, resolution = step, ...)
      asked <- tryCatch(count(con, table = "halves", na = "middle"), dpdepth_error_database = identity)
      !identical(asked, count(x, na = "middle"))
    }
    steps <- c(1, 2, 4, 0.5, 0.2)
    names(x)[vapply(names(x), function(name) any(vapply(steps, different, NA, name = name)), NA)]
  }
  expect_identical(other(), character())
  of_bug <- function(...) with_bindings(planted(bug(NULL, ...)), other())
  expect_identical(of_bug("sql_dialect", "ROUND(%s)", "FLOOR(%s + 0.5)"), names(x))
  expect_identical(of_bug("sql_dialect", "ROUND(%s)", "ROUND(CAST(%s AS NUMERIC))"), names(x))
  # a number that no double holds must not be cast before it is compared
  DBI::dbExecute(con, "UPDATE halves SET n = 1e400 WHERE n = 3")
  x$n[x$n == 3] <- 1e300
  expect_identical(other(), character())
  expect_identical(of_bug("sql_numbers", "kinds == \"whole\"", "kinds != \"flag\""), "n")
})

test_that("text levels are quoted as each engine reads them", {
  skip_on_cran()
  skip_if_not_installed("dbplyr", "2.3.0")
  text <- c("O'B", "a\\", "\\' OR 1 = 1 --", "${x}", "\u00fc", "")
  quoted <- function(engine, text) quote_text(dbplyr::simulate_dbi(engine), text)
  doubled <- c("'O''B'", "'a\\'", "'\\'' OR 1 = 1 --'", "'${x}'", "'\u00fc'", "''")
  expect_identical(quoted("SQLiteConnection", text), doubled)
  expect_identical(quoted("duckdb_connection", text), doubled)
  slashed <- replace(doubled, 2:3, c("'a\\\\'", "'\\\\'' OR 1 = 1 --'"))
  expect_identical(quoted("Snowflake", text), slashed)
  for (engine in c("PqConnection", "PostgreSQLConnection", "PostgreSQL")) {
    expect_identical(quoted(engine, text), replace(slashed, 2:3, paste0("E", slashed[2:3])))
  }
  hex <- c("4F2742", "615C", "5C27204F522031203D2031202D2D", "247B787D")
  bytes <- c(sprintf("CAST(X'%s' AS STRING)", hex), doubled[5:6])
  for (engine in c("Spark SQL", "spark_connection")) expect_identical(quoted(engine, text), bytes)
  # how others read them is not known: a level that is read otherwise has no rows, and nobody is told
  for (engine in c("MySQL", "MariaDBConnection", "Microsoft SQL Server", "Redshift", "none")) {
    expect_identical(quoted(engine, c("\u00fc", "")), c("'\u00fc'", "''"))
    for (level in text[1:3]) {
      expect_error(quoted(engine, c("a", level)), "`levels` must be without quotes and backslashes",
                   class = "dpdepth_error_input")
    }
  }
  redshift <- structure(list(), class = c("RedshiftConnection", "PqConnection"))
  expect_identical(sql_engine(redshift), "")
  # in the statement: is a level compared with, and in a group by, the same text?
  con <- dbplyr::simulate_dbi("Spark SQL")
  sql <- key_sql(con, "s", "other", text[1:2])
  expect_identical(sql$member, sprintf("`s` IN (%s)", toString(bytes[1:2])))
  cases <- paste("WHEN `s` =", bytes[1:2], "THEN", 1:2, collapse = " ")
  expect_identical(sql$code, sprintf("CASE %s END", cases))
})

test_that("SQLite finds text levels with quotes and backslashes", {
  con <- local_sqlite()
  levels <- c("O'B", "a\\", "\\' OR 1 = 1 --", "${x}", "\u00fc", "")
  DBI::dbWriteTable(con, "t", data.frame(s = rep(levels, 1:6), v = 1))
  sizes <- function() {
    t <- dp_tally(con, "v", 0, 9, 1, table = "t", by = ~s, levels = levels)
    unname(vapply(t$tallies, `[[`, 0, "n"))
  }
  expect_identical(sizes(), as.double(1:6))
  wrong <- function() !identical(tryCatch(sizes(), dpdepth_error_database = identity), as.double(1:6))
  expect_true(caught(bug(wrong, "quote_text", "between(double(text, \"'\"))", "between(text)")))
  expect_true(caught(bug(wrong, "quote_text", "DuckDB = plain", "DuckDB = slashed")))
})

test_that("DuckDB rounds as memory does, whatever the type of a column, and keeps ids", {
  skip_on_cran()
  con <- local_duckdb()
  run <- function(...) DBI::dbExecute(con, paste0(...))
  x <- nasty_columns(12500)
  DBI::dbWriteTable(con, "t", x)
  expect_identical(other_tallies(con, x), integer())
  few <- x[1:1000, ]
  DBI::dbWriteTable(con, "few", few)
  vars <- c("b", "c", "f")
  count <- function(x, ..., margins = FALSE) {
    dp_tally(x, vars, c(0, 0, -3), c(120, 1, 7), c(1, 0.1, 2 / 7), margins = margins, ...)
  }
  for (margins in c(FALSE, TRUE)) {
    expect_identical(count(con, table = "t", margins = margins), count(x, margins = margins))
  }
  whole <- local_duckdb(bigint = "integer64")
  DBI::dbWriteTable(whole, "few", few)
  expect_identical(count(whole, table = "few"), count(few))

  # numbers of all types, at the ends of what they hold: no value makes the statement fail, as HUGEINT did
  run("CREATE TABLE n (a DOUBLE, r FLOAT, d DECIMAL(38, 20), p DECIMAL(38, 37), h HUGEINT, b BIGINT, ",
      "u UBIGINT, i TINYINT, who INT)")
  run("INSERT INTO n VALUES (1e300, 3e38, 99999999999999999.5, 9.5, 17e37::HUGEINT, 9223372036854775807, ",
      "18446744073709551615, 127, 1), (5e-324, 1e-40, 0.00000000000000000001, 2.5, -17e37::HUGEINT, ",
      "-9223372036854775808, 0, -128, 2), ('NaN', 'NaN', -3.5, -1.5, 7, -5, 1, 1, 3), ",
      "('inf', '-inf', 0.5, 0.49, 3, 3, 3, 3, 4), (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 5), ",
      "(0.5, 0.25, 2.5, 4, 4, 4, 4, 4, 5)")
  numbers <- list(a = c(1e300, 5e-324, 9, 9, 9, 0.5), r = c(3e38, 1e-40, 9, 9, 9, 0.25),
                  d = c(99999999999999999.5, 1e-20, -3.5, 0.5, 9, 2.5), p = c(9.5, 2.5, -1.5, 0.49, 9, 4),
                  h = c(17e37, -17e37, 7, 3, 9, 4), b = c(2^63, -2^63, -5, 3, 9, 4),
                  u = c(2^64, 0, 1, 3, 9, 4), i = c(127, -128, 1, 3, 9, 4))
  wrong <- function(steps = list(1, 0.1, 2 / 7, NULL)) {
    other_at <- function(step, name) {
      count <- function(...) dp_tally(vars = name, lower = -4, upper = 10, resolution = step, na = 9, ...)
      t <- tryCatch(count(con, table = "n"), dpdepth_error_database = identity)
      !identical(t, count(as.data.frame(numbers)))
    }
    other <- vapply(names(numbers), function(name) any(vapply(steps, other_at, NA, name = name)), NA)
    names(numbers)[other]
  }
  expect_identical(wrong(), character())
  expect_true("h" %in% with_bindings(planted(bug(wrong, "sql_dialect", "\"e0\"", "\"\"")), wrong(list(0.1))))
  DBI::dbWriteTable(con, "p", data.frame(who = c(rep(1:3000, 4), NA, NA), a = c(rep(0:3, each = 3000), 9, 9)))
  t <- dp_tally(con, "a", 0, 9, 1, id = ~who, table = "p")
  expect_identical(t$n, 3001)
  expect_gt(stats::chisq.test(t$count[1:4])$p.value, ALPHA)

  # flags, text, groups of decimals, and an engine that raises an error for some row
  run("CREATE TABLE g (k DECIMAL(4, 1), f BOOLEAN, s VARCHAR, v INT)")
  run("INSERT INTO g VALUES (0.1, true, 'a''b', 1), (0.3, NULL, '\u00fc', 2), (2, false, NULL, 3)")
  sizes <- function(by, levels) {
    t <- dp_tally(con, "v", 0, 9, 1, table = "g", by = stats::reformulate(by), levels = levels)
    unname(vapply(t$tallies, `[[`, 0, "n"))
  }
  expect_identical(sizes("k", c(0.3, 2, 5, 0.1)), c(1, 1, 0, 1))
  expect_identical(sizes("s", c("\u00fc", "a'b", "")), c(1, 1, 0))
  expect_identical(sizes("f", NULL), c(1, 1))
  expect_error(dp_tally(con, "s", 0, 9, table = "g"), class = "dpdepth_error_input")
  expect_identical(dp_tally(con, "f", 0, 1, 1, table = "g", na = "middle"),
                   dp_tally(data.frame(f = c(TRUE, NA, FALSE)), "f", 0, 1, 1, na = "middle"))
  run("CREATE VIEW dying AS SELECT CASE WHEN v > 2 THEN error(v::VARCHAR) ELSE v END AS v FROM g")
  expect_error(dp_tally(con, "v", 0, 9, 1, table = "dying"), class = "dpdepth_error_database")
})

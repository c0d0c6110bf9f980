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
  for (engine in c("duckdb_connection", "Spark SQL", "Snowflake")) {
    con <- dbplyr::simulate_dbi(engine)
    table <- dbplyr::lazy_frame(height = 1, age = 2, who = 3, con = con, .name = "people")
    source <- tally_source(table, NULL)
    lattice <- tally_lattice(c(0, 0), c(2.5, 120), c(0.1, 1), c("height", "age"))
    rule <- database_rule("middle", lattice)
    expect_snapshot(cat(tally_sql(source$con, source$from, lattice$names, "who", lattice, rule)))
    # rows that are left out are so before one row of each id is chosen
    sql <- tally_sql(source$con, source$from, lattice$names, "who", lattice, database_rule("omit", lattice))
    expect_match(sql, "WHERE `height` - `height` = 0 AND `age` - `age` = 0\\) dpd_0\\) dpd_(id|drawn)")
    # flags, and each variable by itself, of which the rows are as above
    sql <- tally_sql(source$con, source$from, lattice$names, NULL, lattice, rule, c(TRUE, FALSE), TRUE)
    expect_match(sql, "(CASE WHEN `height` THEN 1 WHEN NOT `height` THEN 0 END) - (CASE", fixed = TRUE)
    expect_match(sql, "GROUP BY GROUPING SETS ((k1), (k2))", fixed = TRUE)
  }
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

# Tests of tallies made by databases: R/dp-tally-database.R.

test_that("SQLite rounds as memory does, to the last bit", {
  skip_on_cran()
  con <- local_sqlite()
  x <- nasty_columns(12500)
  DBI::dbWriteTable(con, "t", x)
  expect_identical(other_tallies(con, x), integer())
  few <- local_sqlite()
  DBI::dbWriteTable(few, "t", x[1:1000, ])
  wrong <- function() length(other_tallies(few, x[1:1000, ], c(1:3, 6))) > 0
  expect_false(wrong())
  expect_true(caught(bug(wrong, "rounded_sql", " = 0.5 AND %2$s %% 2 <> 0", " = 0.5")))
  expect_true(caught(bug(wrong, "rounded_sql", "> 0.5 OR", ">= 0.5 OR")))
  expect_true(caught(bug(wrong, "sql_number", "%.17g", "%.15g")))
  expect_true(caught(bug(wrong, "scale_sql", "parts > 0", "FALSE")))
  expect_true(caught(bug(wrong, "scaled_sql", "step/4", "step")))
  expect_true(caught(bug(wrong, "whole_steps", "round(if (parts", "floor(0.5 + if (parts")))
  expect_true(caught(bug(wrong, "clamp_index", "centre + tally_reach)", "centre + 2^60)")))
})

test_that("in SQLite text, NULL and infinity become public rows", {
  con <- local_sqlite()
  DBI::dbExecute(con, "CREATE TABLE t (a, \"b c\")")
  DBI::dbExecute(con, paste("INSERT INTO t VALUES (1, 2), ('text', 3), ('7', 3), (NULL, 4), (9e999, 5),",
                            "(-9e999, 5), (x'00', 6), (3.0, 1), (2, NULL), (2, 'x')"))
  expect_warning(t <- dp_tally(con, c("a", "b c"), 0, 10, 1, table = "t", na = "middle"),
                 "no type of columns `a`, `b c`",
                 class = "dpdepth_warning_type")
  count <- function(...) {
    suppressWarnings(dp_tally(..., lower = 0, upper = 10, resolution = 1), classes = "dpdepth_warning")
  }
  expect_identical(t$points, cbind(a = c(1, 3, 5), "b c" = c(2, 1, 5)))
  expect_identical(t$count, c(1, 1, 8))
  wrong <- function() {
    again <- function() count(con, c("a", "b c"), table = "t", na = "middle")
    !identical(tryCatch(again(), dpdepth_error_database = identity), t)
  }
  expect_true(caught(bug(wrong, "sql_dialect", "typeof(%1$s) IN ('integer', 'real') AND ", "")))
  expect_true(caught(bug(wrong, "sql_dialect", "AND %1$s - %1$s = 0", "AND %1$s IS NOT NULL")))
  expect_true(caught(bug(wrong, "tally_sql", "if (rule$whole)", "if (FALSE)")))
  expect_true(caught(bug(wrong, "tally_sql", "rep(paste(finite, collapse = \" AND \")", "rep(finite[[1]]")))
  # by default rows with a gap are left out, and the tally says so
  omitted <- function() {
    of <- function(...) count(con, c("a", "b c"), table = "t", ...)
    kept <- tryCatch(of(), dpdepth_error_input = identity)
    !is_tally(kept) || !identical(kept$points, t$points[1:2, ]) || !identical(kept$count, c(1, 1)) ||
      !identical(kept, of(na = "omit")) || !is_omitted(kept)
  }
  expect_false(omitted())
  expect_true(caught(bug(omitted, "tally_sql", "paste(finite, collapse = \" AND \"))", "finite[[1]])")))
  expect_true(caught(bug(omitted, "tally_rule", "if (database)", "if (!database)")))
  expect_true(caught(bug(omitted, "with_na", "tally$na <- na_text(rule)", "tally$na <- \"fail\"")))
  t <- count(con, c("a", "b c"), table = "t", na = c(8, 0))
  expect_identical(sorted_rows(t)[, "b c"], c(2, 0, 0, 1, 3, 3, 4, 5, 5, 6))
  skip_if_not_installed("dbplyr")
  skip_if_not_installed("dplyr")
  lazy <- dplyr::tbl(con, "t")
  expect_identical(count(lazy, c("a", "b c"), na = c(8, 0)), t)
  expect_identical(count(dplyr::filter(lazy, a < 2), na = "middle")$n, 2)
})

test_that("text and dates are refused by their declared type, whatever the rows are", {
  con <- local_sqlite()
  run <- function(...) DBI::dbExecute(con, paste0(...))
  run("CREATE TABLE t (a REAL, b TEXT, c DATE, d INTEGER, e BOOLEAN, f VARCHAR(9), g BLOB, h)")
  refused <- function(vars) {
    e <- tryCatch(dp_tally(con, vars, 0, 9, 1, table = "t"), error = identity)
    expect_s3_class(e, "dpdepth_error_input")
    conditionMessage(e)
  }
  said <- refused(NULL)
  expect_match(said, "text, dates or the like in columns `b`, `c`, `f`, `g`", fixed = TRUE)
  taken <- c("a", "d", "e", "h")
  count <- function(...) {
    suppressWarnings(dp_tally(con, ..., lower = 0, upper = 9, resolution = 1), classes = "dpdepth_warning")
  }
  expect_identical(count(taken, table = "t")$n, 0)
  # in columns of text alone, or none, numbers and text: the same is said
  run("INSERT INTO t (a, b, c, d, e, h) VALUES (1, 2, 3, 4, 1, 'x'), ('x', 'y', 'z', 'u', 0, 3)")
  expect_identical(refused(NULL), said)
  t <- count(taken, table = "t", na = 7)
  expect_identical(sorted_rows(t), cbind(a = c(1, 7), d = c(4, 7), e = c(1, 0), h = c(7, 3)))
  # views and expressions: by what a cast makes of them, else with a warning
  run("CREATE VIEW v AS SELECT a, b, CAST(a AS TEXT) AS text, CAST(b AS REAL) AS real, a || '' AS glued ",
      "FROM t")
  expect_warning(expect_error(dp_tally(con, c("a", "b", "text", "real"), 0, 9, 1, table = "v"),
                              "in columns `b`, `text`", class = "dpdepth_error_input"), NA)
  expect_warning(dp_tally(con, c("a", "real"), 0, 9, 1, table = "v"), NA)
  expect_warning(dp_tally(con, c("a", "glued"), 0, 9, 1, table = "v"), "no type of column `glued`",
                 class = "dpdepth_warning_type")
  silent <- function() is_tally(tryCatch(dp_tally(con, "b", 0, 9, 1, table = "t"), error = identity))
  expect_false(silent())
  expect_true(caught(bug(silent, "check_kinds", "kind == \"other\"", "kind == \"none\"")))
})

test_that("columns of other drivers are told by their classes, and flags are counted as 0 and 1", {
  skip_if_not_installed("DBI")
  asked <- character()
  answer <- data.frame(a = 0, b = TRUE, c = 1L)
  place <- new.env(parent = asNamespace("DBI"))
  made <- methods::setClass("dpd_driver", contains = "DBIConnection", where = place)
  get <- function(conn, statement, ...) {
    asked <<- c(asked, statement)
    if (grepl("COUNT", statement)) data.frame(k1 = 1L, n = 3L) else answer[0, , drop = FALSE]
  }
  methods::setMethod(DBI::dbGetQuery, c("dpd_driver", "character"), get, where = place)
  on.exit(methods::removeMethod(DBI::dbGetQuery, c("dpd_driver", "character"), where = place))
  con <- made()
  expect_identical(column_kinds(con, "t", names(answer)), c("number", "flag", "whole"))
  answer <- data.frame(a = "x", b = as.Date("2020-01-01"), c = I(list(1)))
  expect_identical(column_kinds(con, "t", names(answer)), rep("other", 3))
  answer <- data.frame(b = TRUE)
  expect_identical(unname(dp_tally(con, "b", 0, 1, 1, table = "t")$points[, "b"]), 1)
  expect_match(asked[[length(asked)]], "CASE WHEN \"b\" THEN 1", fixed = TRUE)
})

test_that("one row of each id is kept by the database, each of its rows alike", {
  con <- local_sqlite()
  who <- rep(1:3000, 4)
  DBI::dbWriteTable(con, "t", data.frame(who = c(who, NA, NA), a = c(rep(0:3, each = 3000), 9, 9)))
  t <- dp_tally(con, "a", 0, 9, 1, id = ~who, table = "t")
  expect_identical(t$n, 3001)
  expect_identical(t$count[[5]], 1)
  expect_gt(stats::chisq.test(t$count[1:4])$p.value, ALPHA)
  expect_identical(names(dp_tally(con, NULL, 0, 9, 1, id = ~who, table = "t")$step), "a")
})

test_that("large whole numbers arrive whole, behind small ones as well", {
  con <- local_sqlite()
  a <- c(1, 2^31, -2^31, 2^40 + 1, 3, -(2^50))
  DBI::dbWriteTable(con, "t", data.frame(a = a))
  expect_identical(sorted_rows(dp_tally(con, "a", 0, 9, 1, table = "t"))[, 1], sort(a))
  skip_if_not_installed("bit64")
  big <- c(0, 1, -1, 2^32 - 1, 2^32, -2^32 - 1, 2^52 + 1, -2^62)
  expect_identical(whole_numbers(bit64::as.integer64(big)), big)
  expect_identical(whole_numbers(bit64::as.integer64(c(1, NA))), c(1, NA)) # NULL
  expect_identical(whole_numbers(c("12", "-4503599627370497")), c(12, -4503599627370497))
})

# Are both passes over the columns of nasty_columns() those of memory? `cells`: of two numbers of them.
other_cells <- function(con, x, cases, cells = c(7, 900)) {
  limits <- limits_of[cases]
  vars <- names(x)[cases]
  count <- function(...) {
    dp_tally(..., vars = vars, lower = vapply(limits, `[[`, 0, 1), upper = vapply(limits, `[[`, 0, 2),
             resolution = vapply(limits, `[[`, 0, 3), na = "middle")
  }
  any(vapply(cells, function(some) {
    pair <- list(count(x, refine = some), count(con, table = "t", refine = some))
    fine <- lapply(pair, open_cells, c(0, 0), 1)
    !identical(pair[[1]]$parts, pair[[2]]$parts) || !identical(fine[[1]]$around, fine[[2]]$around)
  }, NA))
}

test_that("SQLite counts cells and their points as memory does", {
  con <- local_sqlite()
  x <- nasty_columns(500)[1:4]
  DBI::dbWriteTable(con, "t", x)
  wrong <- function() {
    tryCatch(other_cells(con, x, 1:4), dpdepth_error_database = function(e) TRUE)
  }
  expect_false(wrong())
  expect_true(caught(bug(wrong, "cell_sql", "> %3$s THEN", ">= %3$s THEN")))
  expect_true(caught(bug(wrong, "cell_sql", "- (%1$s - %2$s) %% %3$s", "- (%1$s - %2$s + 1) %% %3$s")))
  t <- dp_tally(con, "b", 0, 120, 1, table = "t", na = "middle", refine = TRUE)
  expect_error(dp_tally(con, "b", 0, 9, table = "t", na = "middle", refine = TRUE, id = ~a),
               class = "dpdepth_error_input")
  ledger <- dp_ledger(2)
  expect_identical(dp_median(t, 1, ledger = ledger)$n, 500L)
  expect_identical(nrow(as.data.frame(ledger)), 1L)
  # a row that came between the passes, and a connection that is lost: nothing is spent
  DBI::dbExecute(con, "INSERT INTO t VALUES (1, 1, 1, 1)")
  expect_error(dp_median(t, 1, ledger = ledger), "has changed", class = "dpdepth_error_database")
  DBI::dbExecute(con, "DROP TABLE t")
  expect_error(dp_median(t, 1, ledger = ledger), class = "dpdepth_error_database")
  expect_identical(nrow(as.data.frame(ledger)), 1L)
})

test_that("errors hold nothing that a driver said, and bad arguments are refused", {
  con <- local_sqlite()
  DBI::dbWriteTable(con, "t", data.frame(a = canary))
  for (vars in list("a", NULL)) {
    e <- tryCatch(dp_tally(con, vars, 0, 1, table = "none"), error = identity)
    expect_s3_class(e, "dpdepth_error_database")
    expect_identical(e$statement, if (is.null(vars)) "columns" else "types")
    # what the call named is public, and most often wrong
    expect_match(conditionMessage(e), "whether there is a table `none` that may be read", fixed = TRUE)
    if (!is.null(vars)) expect_match(conditionMessage(e), "has the column `a`", fixed = TRUE)
  }
  expect_true(is.null(getOption("show.error.messages")) || getOption("show.error.messages"))
  refuse <- function() {
    e <- tryCatch(ask_database(con, sprintf("SELECT abs('%s'", canary), 2L), error = identity)
    inherits(e, "dpdepth_error_database") && identical(e$statement, "count") &&
      !grepl(canary_text, paste(utils::capture.output(str(e)), collapse = ""), fixed = TRUE)
  }
  expect_true(refuse())
  expect_true(caught(bug(function() !refuse(), "muted", "error = function(e) NULL", "error = stop")))
  expect_silent(said <- utils::capture.output(muted({
    message("said")
    warning("said")
    try(stop("said"))
  }), type = "message"))
  expect_identical(said, character())
  expect_error(ask_database(con, "SELECT 'x', 1", 2L), class = "dpdepth_error_database")
  expect_error(ask_database(con, "SELECT 1", 2L), class = "dpdepth_error_database")
  # of an engine that is not known, the error says which are
  said_of <- function(con) tryCatch(stop_database("count", con), error = conditionMessage)
  expect_match(said_of(structure(list(), class = "MySQLConnection")),
               "The engines that are known are SQLite, PostgreSQL, DuckDB, Spark and Snowflake", fixed = TRUE)
  for (known in list(con, NULL)) expect_no_match(said_of(known), "engines")
  bad <- list(list(vars = "z"), list(id = ~z), list(id = 1), list(id = "a"),
              list(by = "a", levels = 1), list(table = NULL), list(table = 1),
              list(na = "fail"), list(na = c(1, 2)), list(na = NA), list(lower = 1, upper = 0),
              list(lower = 0, upper = 2^-950))
  for (args in bad) {
    call <- list(tbl = con, vars = "a", lower = 0, upper = 1, table = "t")
    call[names(args)] <- args
    expect_error(do.call(dp_tally, call), class = "dpdepth_error_input")
  }
  lost <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  DBI::dbWriteTable(lost, "t", data.frame(a = 1))
  DBI::dbDisconnect(lost)
  expect_error(dp_tally(lost, "a", 0, 1, table = "t"), class = "dpdepth_error_database")
})

test_that("PostgreSQL rounds as memory does, keeps ids, and dies in a classed error", {
  skip_on_cran()
  skip_if_no_postgres_driver()
  server <- start_postgres()
  if (is.null(server)) skip("no PostgreSQL server to start")
  on.exit(server$stop())
  con <- server$connect()
  run <- function(...) DBI::dbExecute(con, paste0(...))
  x <- nasty_columns(12500)
  rows <- do.call(paste, c(lapply(x, sprintf, fmt = "%.17g"), sep = ","))
  run("CREATE TABLE t (", toString(paste(names(x), "float8")), ")")
  run("INSERT INTO t VALUES ", paste0("(", rows, ")", collapse = ","))
  expect_identical(other_tallies(con, x), integer())
  expect_false(other_cells(con, x, 1:4))
  along <- function(...) {
    dp_tally(..., na = "middle", vars = c("a", "b", "f"), lower = c(-4, 0, -3), upper = c(4, 120, 7),
             resolution = c(2^-6, 1, 2 / 7), directions = rbind(c(1, -2, 3), c(0, 7, -1)))
  }
  expect_identical(along(con, table = "t"), along(x))

  # numbers that casts to doubles would raise errors for, and what is no number
  run("CREATE TABLE n (a numeric, r real, who int)")
  run("INSERT INTO n VALUES (1e400, 0.1, 1), (1e-400, 1e-40, 2), ('NaN', 3, 3), (NULL, 3, 4), ",
      "(2.5, 'NaN', 5), (3, 'Infinity', 6), (0.49999999999999999999, 2, 6), (7, '-Infinity', 7)")
  expect_identical(sorted_rows(dp_tally(con, "a", 0, 10, 1, table = "n"))[, 1], c(0, 0, 2, 3, 7, 2^51 + 5))
  t <- dp_tally(con, "a", 0, 10, 1, table = "n", na = "middle")
  expect_identical(sorted_rows(t)[, 1], c(0, 0, 2, 3, 5, 5, 7, 2^51 + 5))
  wrong <- function() {
    !identical(tryCatch(dp_tally(con, "a", 0, 10, 1, table = "n", na = "middle"),
                        dpdepth_error_database = identity), t)
  }
  expect_true(caught(bug(wrong, "scaled_sql", "BETWEEN -%6$s AND %6$s", "= 0 AND %6$s > 0")))
  expect_true(caught(bug(wrong, "scaled_sql", ">= %4$s", ">= 9e9999 * %4$s")))
  expect_true(caught(bug(wrong, "sql_dialect", "%1$s - %1$s <> CAST", "%1$s IS NOT NULL OR 0 <> CAST")))
  t <- dp_tally(con, "r", 0, 10, 1, table = "n", na = 9)
  expect_identical(sorted_rows(t)[, 1], c(0, 0, 2, 3, 3, 9, 9, 9))
  persons <- function(vars, na, ...) dp_tally(con, vars, 0, 10, 1, table = "n", id = ~who, na = na, ...)$n
  expect_identical(c(persons("r", "middle"), persons("r", NULL)), c(7, 5))
  expect_identical(dp_tally(con, "r", 0, 10, 1, table = DBI::Id(schema = "public", table = "n"), na = 9), t)
  # text and dates are refused before a row is read; flags are numbers, as in memory; NULL stands for neither
  run("CREATE TABLE kinds (a text, b date, c boolean, d int, e bigint)")
  run("INSERT INTO kinds VALUES ('1', '2020-01-01', true, 1, 2), (NULL, NULL, NULL, 1, 2), ",
      "(NULL, NULL, false, 5, 3)")
  refused <- tryCatch(dp_tally(con, NULL, 0, 9, table = "kinds"), dpdepth_error_input = conditionMessage)
  expect_match(refused, "in columns `a`, `b`", fixed = TRUE)
  t <- dp_tally(con, c("c", "d", "e"), 0, 8, 1, table = "kinds", na = "middle")
  flags <- data.frame(c = c(TRUE, NA, FALSE), d = c(1, 1, 5), e = c(2, 2, 3))
  expect_identical(t, dp_tally(flags, lower = 0, upper = 8, resolution = 1, na = "middle"))
  expect_identical(dp_tally(con, "c", 0, 8, 1, table = "kinds", id = ~d)$n, 2)

  vars <- c("b", "c", "f")
  whole <- dp_tally(x, vars, c(0, 0, -3), c(120, 1, 7), c(1, 0.1, 2 / 7), margins = TRUE, na = "omit")
  expect_identical(dp_tally(con, vars, c(0, 0, -3), c(120, 1, 7), c(1, 0.1, 2 / 7), table = "t",
                            margins = TRUE), whole)
  expect_identical(persons(c("a", "r"), "middle", margins = TRUE), 7)
  expect_identical(persons(c("a", "r"), NULL, margins = TRUE), 3)

  # groups: text, flags, dates and numbers, one row of each id over all of them
  run("CREATE TABLE g (t text, f boolean, d date, k numeric, who int, v int)")
  run("INSERT INTO g VALUES ('a''b', true, '2020-01-01', 1.0, 1, 1), ",
      "('\u00fc', false, '2020-01-02', 2, 1, 2), ('', NULL, NULL, 'NaN', 2, 3), ",
      "(NULL, true, '2020-01-01', 1e400, 3, 4), ('A\\B', true, NULL, 1, 4, 5)")
  sizes <- function(by, levels, ...) {
    t <- dp_tally(con, "v", 0, 9, 1, table = "g", by = stats::reformulate(by), levels = levels, ...)
    c(unname(vapply(t$tallies, `[[`, 0, "n")), t$n)
  }
  expect_identical(sizes("t", c("", "a'b", "a", "\u00fc", "A\\B")), c(1, 1, 0, 1, 1, 5))
  # where a backslash quotes what comes next, a level is text all the same
  run("SET standard_conforming_strings = off")
  expect_identical(sizes("t", c("A\\B", "A\\' OR TRUE --", "a'b")), c(1, 0, 1, 5))
  run("SET standard_conforming_strings = on")
  expect_identical(sizes("f", c(TRUE, FALSE)), c(3, 1, 5))
  expect_identical(sizes("f", NULL), c(1, 3, 5))
  expect_identical(sizes(c("t", "f"), list(t = c("a'b", "\u00fc"))), c(0, 1, 1, 0, 5))
  expect_identical(sizes("d", as.Date(c("2020-01-01", "1999-12-31"))), c(2, 0, 5))
  expect_identical(sizes("k", c(2, 1)), c(1, 2, 5))
  expect_identical(sizes("k", c(2, 1), id = ~who)[[3]], 4)
  # 0.10000000000000001, which is the same double, is no value of this column
  run("CREATE TABLE tenths AS SELECT 0.1 AS k, 1 AS v UNION ALL SELECT 0.3, 2")
  tenths <- dp_tally(con, "v", 0, 9, 1, table = "tenths", by = ~k, levels = c(0.3, 0.1))
  expect_identical(vapply(tenths$tallies, `[[`, 0, "n"), c("0.3" = 1, "0.1" = 1))
  expect_error(sizes("k", "a"), class = "dpdepth_error_input")
  expect_error(sizes("d", "a"), class = "dpdepth_error_database")
  run("ALTER TABLE t ADD COLUMN key text")
  run("UPDATE t SET key = 'c' WHERE b > 60")
  x$key <- ifelse(x$b > 60, "c", NA)
  for (margins in c(FALSE, TRUE)) {
    by_group <- function(...) {
      dp_tally(vars = vars, lower = c(0, 0, -3), upper = c(120, 1, 7), resolution = c(1, 0.1, 2 / 7),
               by = ~key, levels = c("c", "d"), margins = margins, ...)
    }
    expect_identical(by_group(con, table = "t"), by_group(x, na = "omit"))
  }

  # the connection dies while rows are read, then the server is started anew: nothing is spent before
  ledger <- dp_ledger(2)
  table <- "dying"
  release <- function() {
    dp_median(dp_tally(con, "b", 0, 120, 1, table = table), 1, ledger = ledger)
    nrow(as.data.frame(ledger))
  }
  run("CREATE VIEW dying AS SELECT CASE WHEN pg_terminate_backend(pg_backend_pid()) THEN b END AS b FROM t")
  expect_error(release(), class = "dpdepth_error_database")
  table <- "t"
  expect_error(release(), class = "dpdepth_error_database")
  con <- server$connect()
  cells <- dp_tally(con, "b", 0, 120, 1, table = "t", na = "middle", refine = TRUE)
  server$crash()
  expect_error(dp_median(cells, 1, ledger = ledger), "Nothing was spent", class = "dpdepth_error_database")
  expect_error(release(), class = "dpdepth_error_database")
  server$start()
  con <- server$connect()
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  expect_identical(release(), 1L)
  expect_identical(dp_tally(con, "b", 0, 120, 1, table = "t"), dp_tally(x, "b", 0, 120, 1, na = "omit"))
})

# Steps of the columns of a table of SQLite, by their declarations; `rows`: what it holds.
declared_steps <- function(con, types, rows = "1, 1, 1", ...) {
  columns <- letters[seq_along(types)]
  DBI::dbExecute(con, "DROP TABLE IF EXISTS declared")
  DBI::dbExecute(con, sprintf("CREATE TABLE declared (%s)", toString(paste(columns, types))))
  DBI::dbExecute(con, sprintf("INSERT INTO declared VALUES (%s)", rows))
  dp_tally(con, columns, lower = 0, upper = 100, table = "declared", margins = TRUE, ...)
}

test_that("columns that a database declares as whole numbers or flags are counted in steps of 1", {
  con <- local_sqlite()
  found <- declared_steps(con, c("INTEGER", "DOUBLE", "boolean"))
  expect_identical(unname(found$step[c("a", "c")]), c(1, 1))
  expect_lt(found$step[["b"]], 1e-6)
  expect_identical(found$resolution, found$step)
  others <- c("UNSIGNED BIG INT", "INT(11)", "tinyint", "NUMERIC", "FLOATING POINT", "REAL")
  found <- declared_steps(con, others, "1, 1, 1, 1, 1, 1")
  expect_identical(unname(found$step == 1), rep(c(TRUE, FALSE), each = 3))
  # declared otherwise, or so far apart that the lattice's own steps are wider
  expect_identical(unname(declared_steps(con, "INT", "1", resolution = 0.5)$step), 0.5)
  expect_identical(unname(declared_steps(con, "INT", "1", resolution = "type")$step), 1)
  expect_error(declared_steps(con, "INT", "1", resolution = "int"), "resolution",
               class = "dpdepth_error_input")
  wide <- dp_tally(con, "a", lower = -2^60, upper = 2^60, table = "declared")
  expect_null(wide$resolution)
  expect_gt(wide$step[["a"]], 1)
})

# Do the steps, or whether there is an answer, depend on what a column of whole numbers holds?
database_types_decide <- function(con) {
  steps <- lapply(c("1, 1, 1", "2.5, 1, 1", "'text', 2, NULL"), function(rows) {
    unclass(declared_steps(con, c("INTEGER", "DOUBLE", "BOOLEAN"), rows))[c("step", "resolution")]
  })
  length(unique(steps)) != 1
}

test_that("what a column of whole numbers holds besides is rounded by itself, and decides on nothing", {
  con <- local_sqlite()
  expect_false(database_types_decide(con))
  DBI::dbExecute(con, "CREATE TABLE counts (v INTEGER)")
  DBI::dbExecute(con, "INSERT INTO counts VALUES (3), (3), (2.5), (3.5), (7.49), (NULL)")
  tally <- dp_tally(con, "v", lower = 0, upper = 10, table = "counts", na = 5)
  expect_identical(unname(tally$points[, "v"]), c(2, 3, 4, 5, 7))
  expect_identical(tally$count, c(1, 2, 1, 1, 1))
  # the doors take the steps from it
  expect_identical(unname(dp_median(tally, 9, rng = "R")$details$resolution), 1)
  # a bug: a column of whole numbers that holds another is one of numbers
  by_value <- paste("ifelse(whole & !(has(\"INT\") &",
                    "2.5 %in% DBI::dbGetQuery(con, sub(\" WHERE 1 = 0\", \"\", sql))[[1]]), \"whole\"")
  audit <- function() database_types_decide(con)
  expect_true(caught(bug(audit, "sqlite_kinds", "ifelse(whole, \"whole\"", by_value)))
})

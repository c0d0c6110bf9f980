# Tests of the methods of tallies: R/dp-tally-methods.R.

test_that("tallies of one lattice add up, others are refused", {
  t <- function(x, ...) dp_tally(data.frame(a = x), lower = 0, upper = 9, ...)
  whole <- function(x) t(x, resolution = 1)
  expect_identical(c(whole(c(1, 2, 2)), whole(c(2, 5))), whole(c(1, 2, 2, 2, 5)))
  expect_identical(c(t(1)), t(1))
  other <- list(t(1, resolution = 1), dp_tally(data.frame(a = 1), lower = 0, upper = 8), 1,
                dp_tally(data.frame(b = 1), lower = 0, upper = 9))
  expect_error(c(whole(1), dp_tally(data.frame(a = 1), lower = -9, upper = 9, resolution = 1)), "same limits")
  for (o in other) expect_error(c(t(1), o), class = "dpdepth_error_input")
})

# Two servers that hold a part of the rows each, and on the first one the table `visits`, whose partitions are
# its own part and, by postgres_fdw, the other's. x: with a column `node`, 1 or 2.
local_two_servers <- function(x, env = parent.frame()) {
  skip_if_no_postgres_driver()
  servers <- list(start_postgres(), start_postgres())
  do.call(on.exit, list(bquote(for (server in .(servers)) if (!is.null(server)) server$stop())), envir = env)
  if (any(vapply(servers, is.null, NA))) skip("no PostgreSQL server to start")
  cons <- lapply(servers, function(server) server$connect())
  columns <- "(age int, weight float8, ward text, node int)"
  text <- function(x) ifelse(is.na(x) & !is.nan(x), "NULL", DBI::dbQuoteString(cons[[1]], as.character(x)))
  for (i in 1:2) {
    DBI::dbExecute(cons[[i]], paste("CREATE TABLE part", columns))
    rows <- do.call(paste, c(lapply(x[x$node == i, ], text), sep = ","))
    DBI::dbExecute(cons[[i]], paste("INSERT INTO part VALUES", toString(sprintf("(%s)", rows))))
  }
  here <- function(...) DBI::dbExecute(cons[[1]], paste0(...))
  there <- DBI::dbGetQuery(cons[[1]], "SELECT name FROM pg_available_extensions WHERE name = 'postgres_fdw'")
  if (nrow(there) == 0) skip("no postgres_fdw")
  here("CREATE EXTENSION postgres_fdw")
  here("CREATE SERVER two FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '", servers[[2]]$host,
       "', dbname 'postgres')")
  here("CREATE USER MAPPING FOR tester SERVER two OPTIONS (user 'tester')")
  here("CREATE TABLE visits ", columns, " PARTITION BY LIST (node)")
  here("ALTER TABLE visits ATTACH PARTITION part FOR VALUES IN (1)")
  here("CREATE FOREIGN TABLE far PARTITION OF visits FOR VALUES IN (2) SERVER two ",
       "OPTIONS (table_name 'part')")
  cons
}

test_that("tallies of two servers add up to that of one table of both, and of memory", {
  skip_on_cran()
  set.seed(5)
  some <- function(...) sample(c(...), 1000, TRUE)
  x <- data.frame(age = some(0:120, NA), weight = some(60.25, 60.75, 61.25, NaN, 1e300),
                  ward = some("A", "B'", "C\\"), node = some(1, 2))
  cons <- local_two_servers(x)
  count <- function(...) {
    dp_tally(..., vars = c("age", "weight"), lower = 0, upper = 120, resolution = c(1, 0.5))
  }
  calls <- list(list(na = "omit"), list(na = "middle"), list(na = "omit", margins = TRUE),
                list(na = "omit", by = ~ward, levels = c("A", "B'", "C\\")))
  for (args in calls) {
    of <- function(...) do.call(count, c(list(...), args))
    nodes <- lapply(cons, of, table = "part")
    expect_identical(do.call(c, nodes), of(x))
    expect_identical(of(cons[[1]], table = "visits"), of(x))
  }
  # a node that is lost is an error, and not a sum of the others
  DBI::dbDisconnect(cons[[2]])
  expect_error(do.call(c, lapply(cons, of, table = "part")), class = "dpdepth_error_database")
})

test_that("workers that count a file each give the tally of all rows", {
  skip_on_cran()
  skip_if_not_installed("future")
  set.seed(6)
  x <- data.frame(age = sample(0:120, 300, TRUE), weight = stats::rnorm(300, 60, 9))
  files <- vapply(split(x, rep(1:3, 100)), function(part) {
    file <- tempfile(fileext = ".csv")
    utils::write.csv(part, file, row.names = FALSE)
    file
  }, "")
  on.exit(unlink(files))
  count <- function(x) dpdepth::dp_tally(x, lower = 0, upper = 120, resolution = c(1, 0.5))
  tally <- with_libraries({
    old <- future::plan("multisession", workers = 2)
    on.exit(future::plan(old), add = TRUE)
    jobs <- lapply(files, function(file) future::future(count(utils::read.csv(file))))
    do.call(c, lapply(jobs, future::value))
  })
  expect_identical(tally, count(utils::read.csv(text = unlist(lapply(files, readLines))[-c(102, 203)])))
  expect_identical(tally$n, 300)
})

test_that("prints show what is public alone", {
  t <- dp_tally(data.frame(a = c(canary, canary, 3), b = c(canary, 1, 2)), lower = 0, upper = c(9, 1e6))
  shown <- c(utils::capture.output({
    print(t)
    str(t)
    print(summary(t))
    str(summary(t))
    print(list(t))
    str(list(t))
  }), format(t), unlist(lapply(summary(t), format, digits = 15)))
  expect_false(any(grepl(canary_text, shown, fixed = TRUE)))
  expect_false(holds_bytes(serialize(summary(t), NULL), canary))
  public <- c("n", "lower", "upper", "step", "resolution", "persons", "margins", "na", "cells")
  expect_named(summary(t), public)
  expect_output(str(t), "^<dp_tally>[^\n]*$")
  people <- data.frame(age = 1:3, height = 4)
  expect_snapshot(print(dp_tally(people, lower = 0, upper = c(120, 2.5), resolution = 0.5)))
  # the number of points is private
  few <- dp_tally(data.frame(a = c(1, 1, 1), b = 1), lower = 0, upper = c(9, 1e6))
  expect_identical(format(few), format(t))
  expect_error(as.data.frame(t), class = "dpdepth_error_input")
  # a summary prints as its tally does
  by <- dp_tally(data.frame(a = c(1, 2, NA), g = gl(2, 2, 3)), "a", 0, 9, 1, by = ~g, id = 1:3, na = "omit")
  for (some in list(t, by)) expect_identical(format(summary(some)), format(some))
  expect_match(paste(format(by), collapse = " "), paste(
    "<dp_tallies> counts of complete rows, whose number is private, one of each id, in 2 groups on a public",
    "lattice .*groups: 1, 2 na: rows"
  ))
  expect_lte(max(nchar(format(by))), 80)
})

test_that("a release from a tally's rows holds none of them", {
  set.seed(7)
  points <- stats::runif(40) * 100
  t <- dp_tally(data.frame(a = points), lower = 0, upper = 100)
  r <- dp_median_exponential(t, 1, lower = 0, upper = 100, rng = "R")
  expect_identical(leaks(r, setdiff(t$points[, 1], r$estimate)), 0L)
})

# Databases for tests: SQLite in memory, and a PostgreSQL cluster of the tests' own, made and removed by them.

local_sqlite <- function(env = parent.frame()) {
  testthat::skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  do.call(on.exit, list(bquote(DBI::dbDisconnect(.(con))), add = TRUE), envir = env)
  con
}

# In memory, of one process; `...`: as duckdb::duckdb() takes it.
local_duckdb <- function(..., env = parent.frame()) {
  testthat::skip_if_not_installed("duckdb")
  driver <- suppressMessages(getExportedValue("duckdb", "duckdb")(...))
  con <- DBI::dbConnect(driver)
  do.call(on.exit, list(bquote(DBI::dbDisconnect(.(con), shutdown = TRUE)), add = TRUE), envir = env)
  con
}

# The folder of initdb and pg_ctl, or "".
postgres_bin <- function() {
  places <- c(Sys.glob("/usr/lib/postgresql/*/bin"), Sys.glob("/usr/pgsql-*/bin"),
              dirname(Sys.which("pg_ctl")))
  rev(c("", places[file.exists(file.path(places, "initdb"))]))[[1]]
}

# A server that listens on a socket in a folder of its own, under a user who is not root; NULL where there is
# none to be had. stop() ends it.
start_postgres <- function() {
  bin <- postgres_bin()
  if (bin == "") return(NULL)
  folder <- tempfile("pg", if (nchar(tempdir()) < 60) tempdir() else "/tmp")
  dir.create(folder, mode = "0777")
  root <- Sys.info()[["effective_user"]] == "root"
  if (root) {
    # the server's user must pass tempdir(), and own the folder
    Sys.chmod(tempdir(), "0711")
    if (system2("chown", c("postgres", folder), stderr = FALSE) != 0) return(NULL)
  }
  as_user <- function(command) {
    if (root) command <- sprintf("cd / && su postgres -s /bin/sh -c %s", shQuote(command))
    system(paste("unset LD_PRELOAD;", command, ">/dev/null 2>&1")) # a sanitizer is for R alone
  }
  data <- file.path(folder, "data")
  run <- function(text) as_user(sprintf(text, bin, data))
  stop <- function(mode = "immediate") {
    run(paste0("%s/pg_ctl -D %s -w -m ", mode, " stop"))
  }
  start <- function() {
    options <- sprintf("-c listen_addresses='' -k %s -F -c shared_buffers=16MB", folder)
    run(paste0("%s/pg_ctl -D %s -w -o \"", options, "\" start"))
  }
  made <- run("%s/initdb -D %s -U tester -A trust -E UTF8 --locale=C --no-sync") == 0 && start() == 0
  if (!made) return(NULL)
  connect <- function() {
    DBI::dbConnect(RPostgreSQL::PostgreSQL(), host = folder, user = "tester", dbname = "postgres")
  }
  list(connect = connect, host = folder, stop = function() { stop(); unlink(folder, recursive = TRUE) },
       crash = stop, start = start)
}

skip_if_no_postgres_driver <- function() {
  testthat::skip_if_not_installed("RPostgreSQL")
}

# Doubles that rounding goes wrong with, among them the limits, for a lattice of the given step.
nasty_doubles <- function(n, lower, upper, step) {
  whole <- sample(seq(lower / step, upper / step, length.out = 97), n, TRUE)
  near <- round(whole) + sample(c(0, 0.5, -0.5, 0.5 - 2^-54, 0.5 + 2^-53, 2^-40), n, TRUE)
  values <- c(near * step, near * step * (1 + 2^-52), stats::rnorm(n, 0, upper),
              stats::rexp(n) * 10^stats::runif(n, -320, 300))
  sign <- sample(c(-1, 1), length(values), TRUE)
  # 0.15 * 10 and 0.15 / 0.1 lie on two sides of 3 / 2
  special <- c(0.15, 0, -0, 5e-324, -5e-324, 1e-310, .Machine$double.xmin, lower, upper, 1e300, -1e300,
               1.7e308, .Machine$double.xmax)
  c(special, sample(c(values, sign * values), n - length(special)))
}

limits_of <- list(list(-4, 4, 2^-6), list(0, 120, 1), list(0, 1, 0.1), list(-1e6, 1e6, 4), list(0, 100, NULL),
                  list(-3, 7, 2 / 7), list(1e15, 1e15 + 16, NULL), list(-1e-3, 2e-3, NULL))

nasty_case <- function(case, n) {
  step <- if (is.null(case[[3]])) (case[[2]] - case[[1]]) / 2^20 else case[[3]]
  nasty_doubles(n, case[[1]], case[[2]], step)
}

# One column for each case of limits_of; tables t of both databases.
nasty_columns <- function(n) {
  set.seed(8)
  stats::setNames(as.data.frame(lapply(limits_of, nasty_case, n)), letters[seq_along(limits_of)])
}

other_tallies <- function(con, x, cases = seq_along(limits_of)) {
  other <- vapply(cases, function(j) {
    limits <- limits_of[[j]]
    tally <- function(...) {
      dp_tally(vars = letters[[j]], lower = limits[[1]], upper = limits[[2]], resolution = limits[[3]],
               na = "omit", ...)
    }
    !identical(tryCatch(tally(con, table = "t"), dpdepth_error_database = identity), tally(x))
  }, NA)
  cases[other]
}

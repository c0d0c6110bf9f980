# run-tests.R - the testthat suite against the installed package; the last line counts tests.
#
# Usage: Rscript tools/run-tests.R [filter]; a filter is a regular expression on names such as testthat/ledger
# and audit/pairs, or on what follows the slash.
# R_LIBS says which installation is meant. Files are shared out among as many processes as there are
# processors (TESTTHAT_CPUS says otherwise), the slowest of the last run first.
#
# testthat's own parallel mode is not used: it shares out the files of one folder, in an order that
# DESCRIPTION fixes. Here two folders share one queue, the order follows the last run, and one process can be
# asked for, which tools that look at one process need (tools/valgrind.sh).
#
# TESTTHAT_KEEP=folder keeps what each file has told: a run that was broken off goes on where it ended, and
# runs again what failed (tools/sanitize.sh, tools/audit.sh; the folder is of one state of the sources). Where
# a file ends its process, another goes on with the next.
#
# A file that has not come to its end after TESTTHAT_PATIENCE minutes (10) of the clock hangs: it is stopped,
# counts as one failure, and another process goes on with the next. No file takes a tenth of that.
#
# Seconds are the processor's. TESTTHAT_SLOWEST=40 lists the 40 tests that take most of them;
# TESTTHAT_PROFILE=file has each process write what Rprof() sees to that file, its number appended.

args <- commandArgs(trailingOnly = TRUE)
Sys.setenv(TESTTHAT_PARALLEL = "false") # the processes are made here
if (!nzchar(Sys.getenv("NOT_CRAN"))) Sys.setenv(NOT_CRAN = "true")
# threads that wait give their processor back (tools/common.sh)
if (!nzchar(Sys.getenv("OMP_WAIT_POLICY"))) Sys.setenv(OMP_WAIT_POLICY = "passive")

# the heap that tools/common.sh gives R
if (!nzchar(Sys.getenv("R_NSIZE"))) Sys.setenv(R_NSIZE = "4000000")
if (!nzchar(Sys.getenv("R_VSIZE"))) Sys.setenv(R_VSIZE = "256M")

profile <- Sys.getenv("TESTTHAT_PROFILE")
if (nzchar(profile)) profile <- file.path(normalizePath(dirname(profile)), basename(profile))
source(file.path("tools", "testthat-quick.R"))

# -- one process ---------------------------------------------------------------------------------

file_of <- function(name) file.path("tests", dirname(name), sprintf("test-%s.R", basename(name)))

# What went wrong in a test. (testthat's own reporters print a mark for each expectation, which takes as long
# as the expectation.)
report <- function(test) {
  for (result in test$results) {
    if (!inherits(result, c("expectation_failure", "expectation_error", "expectation_warning"))) next
    line <- if (is.null(result$srcref)) "" else sprintf(", line %d", result$srcref[[1]])
    cat(sprintf("-- %s%s: %s (%s)\n%s\n\n", test$file, line, test$test, class(result)[[1]],
                conditionMessage(result)))
  }
}

# Files of one folder and process share one environment of helpers.
helpers_env <- list()

# To compile what a test runs once or twice took up to a third of a file's time, so work() has R compile
# nothing. Slow oracles are worth it.
compile_oracles <- function(env) {
  for (name in ls(env)) {
    if (any(grepl("oracle", utils::getSrcFilename(env[[name]])))) env[[name]] <- compiler::cmpfun(env[[name]])
  }
}

# One row a test of one file, with the processor's seconds of the file; an error ends a test.
run_file <- function(name) {
  spent <- function() sum(proc.time()[-3])
  start <- spent()
  list <- testthat::ListReporter$new()
  folder <- dirname(file_of(name))
  env <- helpers_env[[folder]]
  if (is.null(env)) {
    env <- helpers_env[[folder]] <<- testthat::test_env("dpdepth")
    testthat::source_test_helpers(folder, env)
    compile_oracles(env)
  }
  testthat::test_dir(folder, filter = paste0("^", basename(name), "$"), reporter = list, env = env,
                     load_helpers = FALSE, package = "dpdepth", load_package = "installed",
                     stop_on_failure = FALSE)
  tests <- list$get_results()
  for (test in tests) report(test)
  count <- function(test, class) sum(vapply(test$results, inherits, NA, paste0("expectation_", class)))
  counts <- function(class) vapply(tests, count, 1L, class)
  number <- function(field) vapply(tests, function(test) as.double(test[[field]]), 1)
  rows <- data.frame(test = vapply(tests, function(test) as.character(test$test), ""),
                     failed = counts("failure"), skipped = counts("skip") > 0, error = counts("error") > 0,
                     own = number("user") + number("system"))
  seconds <- spent() - start
  cat(sprintf("%s: %d tests, %.1f s\n", name, nrow(rows), seconds))
  cbind(name = rep_len(name, nrow(rows)), rows, seconds = rep_len(seconds, nrow(rows)))
}

place_of <- function(name) gsub("/", " ", name, fixed = TRUE)

# Takes files off the list until none is left: who makes a file's folder has it.
work <- function(queue) {
  quicken_testthat()
  compiler::enableJIT(as.integer(Sys.getenv("R_ENABLE_JIT", "0")))
  if (nzchar(profile)) {
    Rprof(paste(profile, Sys.getpid(), sep = "."), interval = 0.02)
    on.exit(Rprof(NULL))
  }
  for (name in readLines(file.path(queue, "tests"))) {
    place <- file.path(queue, place_of(name))
    if (dir.create(place, showWarnings = FALSE)) {
      running <- file.path(place, "process")
      writeLines(as.character(Sys.getpid()), running)
      saveRDS(run_file(name), file.path(place, "part"))
      unlink(running)
      file.rename(file.path(place, "part"), file.path(place, "rows"))
    }
  }
}

if (identical(args[1], "--work")) {
  work(args[[2]])
  quit(status = 0)
}

# -- all of them ---------------------------------------------------------------------------------

filter <- if (length(args) > 0) args[[1]] else ""
names_in <- function(folder) {
  file.path(folder, sub("^test-(.*)[.]R$", "\\1", list.files(file.path("tests", folder), "^test-.*[.]R$")))
}
tests <- unlist(lapply(c("testthat", "audit"), names_in))
tests <- tests[grepl(filter, tests) | grepl(filter, basename(tests))]
if (length(tests) == 0) {
  cat("testthat: 0 passed, 0 failed, 0 skipped\n")
  quit(status = 0)
}

# Seconds of the last run; a file that is new comes first, and of these the longest text.
memory <- file.path("build", "test-seconds.rds")
seconds <- tryCatch(suppressWarnings(readRDS(memory)), error = function(e) numeric())
known <- seconds[tests]
tests <- tests[order(-ifelse(is.na(known), Inf, known), -file.size(file_of(tests)))]

processes <- suppressWarnings(as.integer(Sys.getenv("TESTTHAT_CPUS", parallel::detectCores())))
processes <- max(1L, min(processes, 4L, length(tests), na.rm = TRUE))
# What came to its end without a failure, of a run that kept it.
good_rows <- function(place) {
  rows <- tryCatch(suppressWarnings(readRDS(file.path(place, "rows"))), error = function(e) NULL)
  !is.null(rows) && !any(rows$failed > 0 | rows$error)
}

queue <- Sys.getenv("TESTTHAT_KEEP")
if (!nzchar(queue)) queue <- tempfile("tests")
dir.create(queue, showWarnings = FALSE, recursive = TRUE)
queue <- normalizePath(queue)
places <- file.path(queue, place_of(tests))
kept <- vapply(places, good_rows, NA)
unlink(places[!kept], recursive = TRUE)
unlink(Sys.glob(file.path(queue, "*", "process"))) # of a run that was broken off
if (any(kept)) cat(sprintf("%d of %d files were tested before\n", sum(kept), length(tests)))
writeLines(tests, file.path(queue, "tests"))
if (processes == 1) {
  work(queue) # here, so that tools which look at one process see it (tools/valgrind.sh)
} else {
  worker <- paste(shQuote(file.path(R.home("bin"), "Rscript")), "tools/run-tests.R --work", shQuote(queue))
  # where a file ends its process (a sanitizer does), another takes the next
  worker <- sprintf("{ for try in 1 2 3 4 5 6 7 8; do %s && break; done; }", worker)
  logs <- file.path(queue, sprintf("log %d", seq_len(processes - 1L)))
  # one writes here, the others where it can be read afterwards
  others <- paste0(worker, " >", shQuote(logs), " 2>&1 &\npids=\"$pids $!\"")
  patience <- Sys.getenv("TESTTHAT_PATIENCE", "10")
  watch <- paste("sh tools/watch.sh", shQuote(queue), patience, ">&2 &\nwatch=$!")
  system(paste(c(watch, others, worker, "wait $pids", "kill $watch"), collapse = "\n"))
  for (log in Filter(file.exists, logs)) cat(readLines(log), sep = "\n")
}

# A file without rows is a process that came to a bad end.
rows_of <- function(name) {
  place <- file.path(queue, place_of(name), "rows")
  found <- tryCatch(suppressWarnings(readRDS(place)), error = function(e) NULL)
  if (!is.null(found)) return(found)
  cat(sprintf("%s: did not come to its end\n", file_of(name)))
  data.frame(name = name, test = "", failed = 1, skipped = FALSE, error = FALSE, own = NA, seconds = NA)
}
rows <- do.call(rbind, lapply(tests, rows_of))

took <- tapply(rows$seconds, rows$name, max)
seconds[names(took)] <- took
dir.create("build", showWarnings = FALSE)
saveRDS(seconds[!is.na(seconds)], memory)
slow <- sort(took[!is.na(took) & took >= 1], decreasing = TRUE)
if (length(slow) > 0) {
  cat("\nSeconds a file:", sprintf("\n  %7.1f  %s", slow, file_of(names(slow))), "\n", sep = "")
}

slowest <- as.integer(Sys.getenv("TESTTHAT_SLOWEST", "0"))
if (slowest > 0) {
  for (i in head(order(-rows$own), slowest)) {
    cat(sprintf("  %7.2f  %s: %s\n", rows$own[[i]], rows$name[[i]], rows$test[[i]]))
  }
}

# A test counts once, however many expectations it has.
failed <- rows$failed > 0 | rows$error
skipped <- rows$skipped & !failed
cat(sprintf("testthat: %d passed, %d failed, %d skipped\n", sum(!failed & !skipped), sum(failed),
            sum(skipped)))
quit(status = any(failed))

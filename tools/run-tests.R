# run-tests.R - the testthat suite against the installed package; the last line counts tests.
#
# Usage: Rscript tools/run-tests.R [filter]; a filter is a regular expression on file stems.
# R_LIBS says which installation is meant. Files are shared out among as many processes as there are
# processors (TESTTHAT_CPUS says otherwise), the slowest of the last run first.

args <- commandArgs(trailingOnly = TRUE)
folder <- file.path("tests", "testthat")
Sys.setenv(TESTTHAT_PARALLEL = "false") # the processes are made here
if (!nzchar(Sys.getenv("NOT_CRAN"))) Sys.setenv(NOT_CRAN = "true")

# -- one process ---------------------------------------------------------------------------------

# One row a test of one file, with the processor's seconds of the file; an error ends a test.
run_file <- function(stem) {
  spent <- function() sum(proc.time()[-3])
  start <- spent()
  reporter <- testthat::MultiReporter$new(list(
    testthat::SummaryReporter$new(max_reports = 50L),
    list <- testthat::ListReporter$new()
  ))
  testthat::test_dir(folder, filter = paste0("^", stem, "$"), reporter = reporter, package = "dpdepth",
                     load_package = "installed", stop_on_failure = FALSE)
  rows <- as.data.frame(list$get_results())[c("file", "failed", "skipped", "error")]
  cbind(rows, seconds = rep_len(spent() - start, nrow(rows)))
}

# Takes files off the list until none is left: who makes a file's folder has it.
work <- function(desk) {
  for (stem in readLines(file.path(desk, "stems"))) {
    if (dir.create(file.path(desk, stem), showWarnings = FALSE)) {
      rows <- run_file(stem)
      saveRDS(rows, file.path(desk, stem, "part"))
      file.rename(file.path(desk, stem, "part"), file.path(desk, stem, "rows"))
    }
  }
}

if (identical(args[1], "--work")) {
  work(args[[2]])
  quit(status = 0)
}

# -- all of them ---------------------------------------------------------------------------------

filter <- if (length(args) > 0) args[[1]] else ""
stems <- sub("^test-(.*)[.]R$", "\\1", list.files(folder, "^test.*[.]R$"))
stems <- stems[grepl(filter, stems)]
if (length(stems) == 0) {
  cat("testthat: 0 passed, 0 failed, 0 skipped\n")
  quit(status = 0)
}

# Seconds of the last run; a file that is new comes first.
memory <- file.path("build", "test-seconds.rds")
seconds <- tryCatch(suppressWarnings(readRDS(memory)), error = function(e) numeric())
known <- seconds[stems]
stems <- stems[order(-ifelse(is.na(known), Inf, known))]

processes <- suppressWarnings(as.integer(Sys.getenv("TESTTHAT_CPUS", parallel::detectCores())))
processes <- max(1L, min(processes, 4L, length(stems), na.rm = TRUE))
desk <- tempfile("tests")
dir.create(desk)
writeLines(stems, file.path(desk, "stems"))
if (processes == 1) {
  work(desk) # here, so that tools which look at one process see it (tools/valgrind.sh)
} else {
  worker <- paste(shQuote(file.path(R.home("bin"), "Rscript")), "tools/run-tests.R --work", shQuote(desk))
  logs <- file.path(desk, sprintf("log %d", seq_len(processes - 1L)))
  # one writes here, the others where it can be read afterwards
  others <- paste0(worker, " >", shQuote(logs), " 2>&1 &")
  system(paste0("{ ", paste(c(others, worker, "wait"), collapse = "\n"), "\n}"))
  for (log in Filter(file.exists, logs)) cat(readLines(log), sep = "\n")
}

# A file without rows is a process that came to a bad end.
rows_of <- function(stem) {
  found <- tryCatch(suppressWarnings(readRDS(file.path(desk, stem, "rows"))), error = function(e) NULL)
  if (!is.null(found)) return(found)
  cat(sprintf("test-%s.R: did not come to its end\n", stem))
  data.frame(file = paste0("test-", stem, ".R"), failed = 1, skipped = FALSE, error = FALSE, seconds = NA)
}
rows <- do.call(rbind, lapply(stems, rows_of))

took <- tapply(rows$seconds, sub("^test-(.*)[.]R$", "\\1", rows$file), max)
seconds[names(took)] <- took
dir.create("build", showWarnings = FALSE)
saveRDS(seconds[!is.na(seconds)], memory)
slow <- sort(took[!is.na(took) & took >= 1], decreasing = TRUE)
if (length(slow) > 0) {
  cat("\nSeconds a file:", sprintf("\n  %7.1f  test-%s.R", slow, names(slow)), "\n", sep = "")
}

# A test counts once, however many expectations it has.
failed <- rows$failed > 0 | rows$error
skipped <- rows$skipped & !failed
cat(sprintf("testthat: %d passed, %d failed, %d skipped\n", sum(!failed & !skipped), sum(failed), sum(skipped)))
quit(status = any(failed))

# run-tests.R - the testthat suite against the installed package; the last line counts assertions.
#
# Usage: Rscript tools/run-tests.R [filter]; a filter is a regular expression on file stems.
# R_LIBS says which installation is meant.

args <- commandArgs(trailingOnly = TRUE)
filter <- if (length(args) > 0) args[[1]]
folder <- file.path("tests", "testthat")
if (!nzchar(Sys.getenv("NOT_CRAN"))) Sys.setenv(NOT_CRAN = "true")

# One row a test; an error ends a test and counts as a failure.
run <- function() {
  reporter <- testthat::MultiReporter$new(list(
    testthat::SummaryReporter$new(max_reports = 50L),
    list <- testthat::ListReporter$new()
  ))
  testthat::test_dir(folder, filter = filter, reporter = reporter, package = "dpdepth",
                     load_package = "installed", stop_on_failure = FALSE)
  as.data.frame(list$get_results())
}

count <- function(rows) {
  if (nrow(rows) == 0) return(c(passed = 0, failed = 0, skipped = 0))
  c(passed = sum(rows$passed), failed = sum(rows$failed) + sum(rows$error), skipped = sum(rows$skipped))
}

print_slow_files <- function(rows) {
  seconds <- sort(tapply(rows$real, rows$file, sum), decreasing = TRUE)
  seconds <- seconds[seconds >= 1]
  if (length(seconds) == 0) return(invisible())
  cat("\nSeconds a file:", sprintf("\n  %7.1f  %s", seconds, names(seconds)), "\n", sep = "")
}

if (length(list.files(folder, "^test.*[.]R$")) == 0) {
  cat("testthat: 0 passed, 0 failed, 0 skipped\n")
  quit(status = 0)
}
rows <- run()
print_slow_files(rows)
counts <- as.list(count(rows))
cat(with(counts, sprintf("testthat: %d passed, %d failed, %d skipped\n", passed, failed, skipped)))
quit(status = counts$failed > 0)

# cover.R - test coverage of the R and C code, file by file; fails below COVER_MIN per cent (default 90).

.libPaths(c(file.path("build", "deps"), .libPaths()))
Sys.setenv(NOT_CRAN = "true")
least <- as.numeric(Sys.getenv("COVER_MIN", "90"))
Sys.setenv(TESTTHAT_PARALLEL = "false") # what other processes run might not be counted
coverage <- covr::package_coverage(type = "tests", quiet = TRUE)
lines <- covr::tally_coverage(coverage, by = "line")
files <- vapply(split(lines$value > 0, lines$filename), mean, 0) * 100
cat(sprintf("%6.1f%%  %s\n", files, names(files)), sep = "")

open <- lines[lines$value == 0, c("filename", "line")]
dir.create("build", showWarnings = FALSE)
utils::write.csv(open, file.path("build", "uncovered.csv"), row.names = FALSE)
total <- covr::percent_coverage(coverage, by = "line")
cat(sprintf("%6.1f%%  of all lines; the %d others are listed in build/uncovered.csv\n", total, nrow(open)))
quit(status = total < least)

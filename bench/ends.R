# Draws that do not end: the search of tests/audit/helper-ends.R, by processor time.
#
# Usage: Rscript bench/ends.R; runs 300 cases and writes bench/ends.md: ten minutes. Or, for many cases,
#   Rscript bench/ends.R run 1 2000 build/ends.tsv [doors]   appends cases 1 to 2000 to a table, or those of
#                                                          the doors that a regular expression names
#   Rscript bench/ends.R page build/a.tsv build/b.tsv     writes the page of tables, the earliest first

source("bench/common.R")
library(dpdepth)
dpdepth_threads(1)
search <- new.env(parent = asNamespace("dpdepth"))
for (file in c("tests/testthat/helper-shared.R", "tests/audit/helper-ends.R")) sys.source(file, search)

most_seconds <- 20 # of the processor, for a case

# -- cases ---------------------------------------------------------------------------------------------

run_case <- function(i) {
  case <- search$ends_case(i)
  spent <- function() sum(proc.time()[1:2])
  start <- spent()
  drawn <- tryCatch({
    setTimeLimit(cpu = most_seconds)
    search$ends_draw(case)
  }, error = function(e) {
    if (!grepl("CPU time limit", conditionMessage(e))) stop(e)
    list(end = "endless", proposals = NA, nodes = NA)
  })
  setTimeLimit()
  data.frame(case, drawn, seconds = round(spent() - start, 2))
}

run_cases <- function(first, last, file, doors = "") {
  for (i in first:last) {
    if (!grepl(doors, search$ends_case(i)$door)) next
    write.table(run_case(i), file, append = TRUE, quote = FALSE, sep = "\t", row.names = FALSE,
                col.names = !file.exists(file))
  }
}

read_cases <- function(file) read.delim(file, stringsAsFactors = FALSE)

# -- the page --------------------------------------------------------------------------------------------

# A row for each door: cases, those that did not end (without a word), seconds and nodes of those that did.
table_of <- function(cases) {
  cases <- cases[cases$end != "refused", ]
  late <- cases$seconds >= most_seconds
  rows <- lapply(intersect(names(search$ends_doors), cases$door), function(door) {
    here <- cases$door == door
    done <- cases[here & !late, ]
    sprintf("| %s | %d | %d | %d | %.2f | %.1f | %s |", door, sum(here), sum(here & late),
            sum(here & late & cases$end != "cautioned"), quantile(done$seconds, 0.9), max(done$seconds),
            if (all(is.na(done$nodes))) "" else grouped(max(done$nodes, na.rm = TRUE)))
  })
  c("| door | draws | no end | of these without a caution | seconds, 9 of 10 | longest | most nodes |",
    "|---|---|---|---|---|---|---|", unlist(rows))
}

late_cases <- function(cases) {
  late <- cases[cases$seconds >= most_seconds & cases$end != "refused", ]
  if (nrow(late) == 0) return("All ended.")
  by <- table(paste0(late$door, ", ", late$shape))
  c("Not ended, by door and shape:", "", sprintf("* %s: %d", names(by), by))
}

grouped <- function(v) format(v, big.mark = ",", scientific = FALSE)

write_ends <- function(parts) {
  lines <- unlist(Map(function(cases, title) c("", title, "", table_of(cases), "", late_cases(cases)),
                      parts, names(parts)))
  write_page("ends", c(
    "# Draws that do not end", "",
    "Made by bench/ends.R: nasty but honest data (tests/audit/helper-ends.R), through the doors of the",
    "package, with limits of 5 to 5e11, epsilon of 0.01 to 20 and 20 to 5,000 rows. A draw that has not",
    sprintf("ended after %d s of processor time counts as one that does not end.", most_seconds), "",
    ran_on("one thread"), "",
    "Before: commit 9e2c363e, the fits of one regressor and two alone; after: commit 4b8328de, all of",
    "cases 1 to 2000 but those of three and four regressors, which are cautioned. A stopped draw counts as",
    "one without a caution, whatever was said before it.", "",
    lines
  ))
}

args <- commandArgs(TRUE)
if (length(args) == 0) {
  table <- tempfile(fileext = ".tsv")
  run_cases(1, 300, table)
  write_ends(list("## This commit" = read_cases(table)))
} else if (args[[1]] == "run") {
  run_cases(as.integer(args[[2]]), as.integer(args[[3]]), args[[4]], c(args, "")[[5]])
} else {
  parts <- lapply(args[-1], read_cases)
  write_ends(stats::setNames(parts, if (length(parts) == 2) c("## Before", "## After") else args[-1]))
}

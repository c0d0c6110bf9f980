# read-check.R - judges a 00check.log: no error, no warning, and only the notes listed here.
#
# Usage: Rscript tools/read-check.R <00check.log>

# What remains of a note after these whole lines are taken out must be empty.
excused <- list(
  "CRAN incoming feasibility" = c(
    "^Maintainer: .*$",
    "^New submission$",
    # a machine without network
    "^NB: need Internet access to use CRAN incoming checks$"
  ),
  "for future file timestamps" = "^unable to verify current time$"
)

# The log's steps: a list of title, result and text.
steps_of <- function(lines) {
  starts <- grep("^\\* ", lines)
  ends <- c(starts[-1] - 1L, length(lines))
  lapply(seq_along(starts), function(i) {
    first <- lines[[starts[[i]]]]
    list(
      title = sub("^\\* (checking )?", "", sub(" \\.\\.\\..*$", "", first)),
      result = regmatches(first, regexpr("(NOTE|WARNING|ERROR|OK|SKIPPED|NONE|INFO)$", first)),
      text = lines[seq_len(ends[[i]] - starts[[i]]) + starts[[i]]]
    )
  })
}

# A result may stand on a later line when a step prints as it goes.
result_of <- function(step) {
  if (length(step$result) > 0) return(step$result)
  found <- regmatches(step$text, regexpr("^( \\[[^]]*\\])? ?(NOTE|WARNING|ERROR)$", step$text))
  if (length(found) > 0) trimws(found[[1]]) else "OK"
}

breaches_of <- function(step) {
  result <- result_of(step)
  if (grepl("ERROR|WARNING", result)) return(c(paste0(step$title, ": ", result), step$text))
  if (!grepl("NOTE", result)) return(NULL)
  left <- step$text[nzchar(trimws(step$text))]
  for (pattern in excused[[step$title]]) left <- left[!grepl(pattern, trimws(left))]
  if (length(left) > 0) c(paste0(step$title, ": NOTE"), left)
}

# Examples that take more processor time than CRAN lets pass without a note.
slow_examples <- function(file, limit = 5) {
  if (!file.exists(file)) return(paste0("examples: no timings in ", basename(file)))
  times <- read.table(file, header = TRUE, stringsAsFactors = FALSE)
  slow <- times$user + times$system > limit
  if (!any(slow)) return(NULL)
  sprintf("examples: %s takes %.1f s of processor time", times$name, times$user + times$system)[slow]
}

log_file <- commandArgs(trailingOnly = TRUE)[[1]]
lines <- readLines(log_file)
summary_at <- grep("^\\* DONE|^Status: ", lines)
if (!any(startsWith(lines, "Status: "))) stop("the check did not finish", call. = FALSE)
breaches <- c(
  lapply(steps_of(lines[seq_len(min(summary_at) - 1L)]), breaches_of),
  list(slow_examples(file.path(dirname(log_file), "dpdepth-Ex.timings")))
)
bad <- lengths(breaches) > 0
for (breach in breaches[bad]) writeLines(c("", breach))
cat(sprintf("\ncheck: %s; %d of them not excused\n", grep("^Status: ", lines, value = TRUE), sum(bad)))
quit(status = any(bad))

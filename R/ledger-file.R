# A ledger's account in a file, which sessions and processes share.
#
# METHOD: each look and each spend locks the file (src/num/journal.c), reads what others have added, and
#   checks that it begins with all that this object has seen before. A spend is checked against the budget,
#   written at the end and brought to the disk under the same lock, all before the draw. The lock ends with
#   the process that has it, so that a crash leaves none behind.
# FORMAT: lines of fields between tabs. The last field is the SHA-256 of that of the line above and of the
#   line itself: a chain. The first line has the budget and a random name. An entry has its number, its costs
#   (in hexadecimal, which loses nothing), its label and the word "spent".
# DEGENERATE: a last line without an end was being written when its process or the machine ended. It counts:
#   with its costs, where these are whole, and with more than any budget where they are not. Whoever comes
#   next ends the line, with the field "torn".
# REFERENCE: vignettes/proofs-accounts.Rmd, section 7.

journal_title <- "dpdepth ledger 1"

# What an entry costs whose costs cannot be read.
unknown_cost <- function() c(epsilon = Inf, delta = 1, rho = Inf, approximate = 1, unproved = 0)

# An account as new_account() makes it, in a file, with its `total`. `total`: NULL, or the budget of a file
# that may have to be made.
new_file_account <- function(path, total = NULL) {
  memory <- new_account()
  seen <- list(bytes = raw(0), chain = raw(0), total = NULL, count = 0)
  journal <- NULL

  # Bytes that follow those seen, to the end of a line. Nothing changes unless all of them are good.
  take_in <- function(bytes) {
    after <- seen
    lines <- journal_lines(bytes)
    for (line in lines) after$chain <- next_link(line, after$chain)
    if (is.null(after$total)) {
      after$total <- stats::setNames(as.double(fields_of(lines[[1]])[2:4]), c("epsilon", "delta", "rho"))
      lines <- lines[-1]
    }
    entries <- lapply(seq_along(lines), function(k) journal_entry(lines[[k]], seen$count + k))
    after$bytes <- c(seen$bytes, bytes)
    after$count <- seen$count + length(entries)
    # an interrupt between the two would count entries twice
    suspendInterrupts({
      for (entry in entries) memory$add(entry$label, entry$cost)
      seen <<- after
    })
  }

  # `torn`: what stands before it, without a line's end.
  write_line <- function(content, torn = raw(0)) {
    content <- c(charToRaw(enc2utf8(content)), tab)
    line <- c(content, charToRaw(link_text(link_of(seen$chain, c(torn, content)))), line_end)
    if (!.Call(ffi_journal_append, journal, line)) {
      stop_file("could not be written. Nothing was drawn; print the ledger to see whether the entry counts.")
    }
    take_in(c(torn, line))
  }

  # What others have written since.
  look <- function() {
    bytes <- .Call(ffi_journal_read, journal)
    if (is.null(bytes)) stop_file("could not be read. Nothing was spent.")
    old <- length(seen$bytes)
    if (length(bytes) < old || !identical(bytes[seq_len(old)], seen$bytes)) stop_rolled_back()
    added <- bytes[seq_len(length(bytes) - old) + old]
    whole <- max(0L, which(added == line_end))
    if (old == 0 && length(bytes) > 0) check_journal(bytes, whole)
    if (whole > 0) take_in(added[seq_len(whole)])
    if (whole < length(added)) write_line("\ttorn", torn = added[-seq_len(whole)])
  }

  # Evaluates `code` while no one else can read or write.
  hold <- function(code) {
    if (!is.null(journal)) return(code)
    on.exit({
      .Call(ffi_journal_close, journal)
      journal <<- NULL
    })
    journal <<- if (is.null(seen$total)) open_journal(path, !is.null(total), stop_no_journal)
                else open_journal(path)
    look()
    code
  }

  hold(if (is.null(seen$total)) {
    if (is.null(total)) stop_no_journal()
    write_line(paste(c(journal_title, number_fields(total), link_text(.Call(ffi_journal_name))),
                     collapse = "\t"))
  })
  path <- normalizePath(path)
  list(
    total = seen$total,
    file = basename(path),
    hold = hold,
    spent = function(...) hold(memory$spent(...)),
    spends = function() hold(memory$spends()),
    add = function(label, cost) {
      hold(write_line(paste(c(seen$count + 1, number_fields(cost), label, "spent"), collapse = "\t")))
    }
  )
}

# Waits until the file is nobody else's; each has it for milliseconds. `missing`: refuses where there is none.
open_journal <- function(path, create = FALSE, missing = stop_gone, tries = 3000) {
  for (i in seq_len(tries)) {
    journal <- .Call(ffi_journal_open, path, create)
    if (!identical(journal, "busy")) break
    # an interrupt may have left one open in this process
    if (i == 1) gc() else Sys.sleep(0.01)
  }
  if (!is.character(journal)) return(journal)
  if (journal == "missing" && !create) missing()
  stop_file(if (journal == "busy") "is in use by another process. Nothing was spent. Try again."
            else "could not be opened and locked. Nothing was spent.")
}

# -- lines, as bytes ---------------------------------------------------------------------------------------

tab <- charToRaw("\t")
line_end <- charToRaw("\n")
link_size <- 64L

link_text <- function(bytes) paste(format(bytes), collapse = "")

# Without loss, "Inf" too.
number_fields <- function(x) sprintf("%a", x)

link_of <- function(chain, content) .Call(ffi_sha256, c(chain, content))

# Without their ends.
journal_lines <- function(bytes) {
  ends <- which(bytes == line_end)
  Map(function(from, to) bytes[seq_len(to - from - 1L) + from], c(0L, ends[-length(ends)]), ends)
}

# Of a line; `chain` is that of the line above.
next_link <- function(line, chain) {
  size <- length(line) - link_size
  link <- link_of(chain, line[seq_len(max(0L, size))])
  if (size < 1 || !identical(line[-seq_len(size)], charToRaw(link_text(link)))) stop_rolled_back()
  link
}

# Without the link. (A disk may have left zeros where a line was torn.)
fields_of <- function(line) {
  bytes <- line[seq_len(length(line) - link_size - 1L)]
  fields <- strsplit(rawToChar(bytes[bytes != 0]), "\t", fixed = TRUE, useBytes = TRUE)[[1]]
  Encoding(fields) <- "UTF-8"
  fields
}

# Entry number `k` of the file.
journal_entry <- function(line, k) {
  fields <- fields_of(line)
  end <- fields[length(fields)]
  while (length(fields) > 0 && fields[length(fields)] == "torn") fields <- fields[-length(fields)]
  cost <- suppressWarnings(as.double(fields[2:6]))
  # a field is whole if another one follows it
  whole <- length(fields) >= 7 && !anyNA(cost) && all(cost >= 0)
  if (identical(end, "torn")) {
    # the last of the costs may have been cut where an earlier end of the line was cut as well
    whole <- whole && fields[[7]] != "torn"
    label <- if (whole) "an entry without its end" else "an entry without its costs: all that was left"
  } else {
    if (!whole || length(fields) != 8 || end != "spent" || as.double(fields[[1]]) != k) stop_rolled_back()
    label <- fields[[7]]
  }
  list(label = label, cost = if (whole) stats::setNames(cost, names(unknown_cost())) else unknown_cost())
}

# Is this the beginning of a ledger, with its first line whole?
check_journal <- function(bytes, whole) {
  title <- c(charToRaw(journal_title), tab)
  if (whole > 0 && identical(utils::head(bytes, length(title)), title)) return(invisible(NULL))
  stop_input("file", "the path of a ledger, or of a file to be made", "another file",
             "A ledger whose first line has no end was never used: delete the file and make it anew.")
}

# -- refusals ----------------------------------------------------------------------------------------------

stop_file <- function(what) stop_dpdepth("budget", paste("The file of `ledger`", what), arg = "ledger")

stop_rolled_back <- function() {
  stop_file(paste("is not as it was: it is shorter than before, or what it says has changed.",
                  "Nothing was spent. An older copy of the file must not be used."))
}

stop_gone <- function() stop_file("is missing. Nothing was spent.")

stop_no_journal <- function() {
  stop_input("file", "the path of a ledger where no budget is given", "a file that is missing or empty",
             "To make one, give `epsilon` or `rho`, too.")
}

# Ledgers in files: nothing is spent twice, by whatever processes, and whenever one of them ends.

new_path <- function() tempfile(fileext = ".ledger")
bytes_of <- function(path) readBin(path, "raw", file.size(path))
spend <- function(ledger, epsilon, delta = 0, label = "test") ledger_spend(ledger, epsilon, delta, label)
spent <- function(ledger) summary(ledger)["epsilon", "spent"]
refused <- function(code) tryCatch(is.null(code) && FALSE, dpdepth_error_budget = function(e) TRUE)

# A ledger of one entry of 1/2 with its path, and what bytes the file has before and after the entry.
one_entry <- function(total = 2, delta = 1e-6) {
  path <- new_path()
  ledger <- dp_ledger(total, delta, file = path)
  before <- bytes_of(path)
  spend(ledger, 0.5, 1e-7, "median \u00fc")
  list(path = path, ledger = ledger, before = before, after = bytes_of(path))
}

test_that("all that open a file spend from one budget", {
  path <- new_path()
  a <- dp_ledger(1, 1e-6, rho = 0.5, file = path)
  b <- dp_ledger(file = path)
  spend(a, 0.3, 1e-7, label = "median \u00fc")
  ledger_spend(b, 0.3, 0, "chain", "stationary")
  expect_identical(as.data.frame(a), as.data.frame(b))
  memory <- dp_ledger(1, 1e-6, rho = 0.5)
  spend(memory, 0.3, 1e-7, label = "median \u00fc")
  ledger_spend(memory, 0.3, 0, "chain", "stationary")
  expect_identical(as.data.frame(a), as.data.frame(memory))
  expect_identical(summary(b), summary(memory))
  expect_identical(glance(dp_ledger(1, 1e-6, 0.5, file = path)), glance(memory))
  expect_true(refused(spend(a, 0.5)))
  expect_true(refused(spend(b, 0.3, 1e-6)))
  expect_identical(nrow(as.data.frame(a)), 2L)
  spend(a, 0.4)
  expect_true(refused(spend(b, 1e-6)))
  # a copy that was saved is of the same budget
  copy <- unserialize(serialize(a, NULL))
  expect_true(refused(spend(copy, 1e-6)))
  expect_identical(format(copy), format(a))
  expect_match(format(a), paste0("Kept in the file ", basename(path)), fixed = TRUE, all = FALSE)
})

test_that("a release is in the file before it is drawn", {
  path <- new_path()
  ledger <- dp_ledger(2, file = path)
  there <- NULL
  look <- function(...) {
    there <<- length(readLines(path))
    stop("cut off")
  }
  call <- function() dp_mean(faithful$waiting, 1, lower = 0, upper = 200, ledger = ledger)
  expect_error(with_bindings(list(draw_mean = look), call()), class = "dpdepth_error_internal")
  expect_identical(there, 2L)
  call()
  expect_error(call(), class = "dpdepth_error_budget")
  expect_identical(nrow(as.data.frame(dp_ledger(file = path))), 2L)
})

# Some bytes of an entry: how much they count, and whether the budget can be overspent after them.
torn_is_wrong <- function(cuts = NULL) {
  made <- one_entry()
  size <- length(made$before)
  if (is.null(cuts)) cuts <- seq(size, length(made$after) - 1)
  costs_end <- size + utils::tail(gregexpr("\t", rawToChar(made$after[-seq_len(size)]))[[1]], 3)[[1]]
  path <- new_path()
  vapply(cuts, function(cut) {
    writeBin(made$after[seq_len(cut)], path)
    ledger <- dp_ledger(file = path)
    at_least <- if (cut == size) 0 else if (cut >= costs_end) 0.5 else Inf
    short <- !identical(spent(ledger), at_least) || !identical(format(dp_ledger(file = path)), format(ledger))
    room <- if (cut == size) 2 else if (cut >= costs_end) 1.5 else 0
    over <- !refused(spend(ledger, max(room, 1e-6) * (1 + 1e-6)))
    short || over || room > 0 && refused(spend(dp_ledger(file = path), room))
  }, NA)
}

test_that("an entry without its end counts, wherever it was cut", {
  skip_on_cran()
  size <- vapply(one_entry()[c("before", "after")], length, 0L)
  cuts <- if (audit_slow) NULL else c(seq(size[[1]], size[[2]] - 1, by = 7), size[[2]] - 1)
  expect_false(any(torn_is_wrong(cuts)))
})

test_that("an entry that was cut, and cut again when its end was written, still counts", {
  skip_on_cran()
  made <- one_entry()
  path <- new_path()
  for (cut in seq(length(made$before) + 1, length(made$after) - 1, by = audit_size(50, 7))) {
    writeBin(made$after[seq_len(cut)], path)
    dp_ledger(file = path)
    ended <- bytes_of(path)
    for (again in seq(cut, length(ended), by = audit_size(19, 1))) {
      writeBin(ended[seq_len(again)], path)
      expect_gte(spent(dp_ledger(file = path)), 0.5)
      # a disk may leave zeros
      writeBin(c(ended[seq_len(again)], raw(5)), path)
      ledger <- dp_ledger(file = path)
      expect_gte(spent(ledger), 0.5)
      expect_identical(spent(ledger), spent(dp_ledger(file = path)))
    }
  }
})

test_that("a cost that was cut is not taken for a whole one where the end was cut, too", {
  entry <- function(...) {
    journal_entry(charToRaw(paste(c(..., strrep("0", link_size)), collapse = "\t")), 1)$cost
  }
  costs <- c("1", "0x1p-1", "0x0p+0", "0x1p-3", "0x0p+0", "0x0p+0")
  expect_identical(entry(costs, "a median", "torn")[["epsilon"]], 0.5)
  expect_identical(entry(costs[-6], "0", "torn", "0123", "torn"), unknown_cost())
})

# A process ends at each step, in turn: what is drawn counts.
killed_is_wrong <- function() {
  steps <- c("open_journal", "journal_lines", "link_text", "number_fields", "budget_caps", "with_spend",
             "drawn_alone", "built_release")
  # what was drawn, and what counts, in a process that ends before step k; the last is not killed
  ends_at <- function(k) {
    path <- new_path()
    mark <- paste0(path, ".drawn")
    dp_ledger(2, file = path)
    step <- 0
    counted <- function(name) {
      f <- get(name, asNamespace("dpdepth"))
      function(...) {
        step <<- step + 1
        if (step == k) tools::pskill(Sys.getpid(), tools::SIGKILL)
        f(...)
      }
    }
    draw <- get("draw_mean", asNamespace("dpdepth"))
    marked <- function(...) {
      file.create(mark)
      draw(...)
    }
    bindings <- c(stats::setNames(lapply(steps, counted), steps), list(draw_mean = marked))
    job <- parallel::mcparallel(with_bindings(bindings, {
      dp_mean(1:9, 1, lower = 0, upper = 9, ledger = dp_ledger(file = path))
      "done"
    }))
    done <- identical(suppressWarnings(parallel::mccollect(job))[[1]], "done")
    c(done = done, drawn = file.exists(mark), counts = spent(dp_ledger(file = path)) == 1)
  }
  found <- list()
  for (k in 1:60) {
    found[[k]] <- ends_at(k)
    if (found[[k]][["done"]]) break
  }
  found <- do.call(rbind, found)
  # some ended before they were drawn, some after
  any(found[, "drawn"] & !found[, "counts"]) || !found[k, "done"] || sum(!found[, "counts"]) < 8 ||
    sum(found[, "counts"] & !found[, "drawn"]) < 1 || sum(found[, "drawn"]) < 2
}

test_that("whenever a process is killed, what it drew is in the file", {
  skip_on_cran()
  skip_on_os("windows")
  expect_false(killed_is_wrong())
})

test_that("two processes together never pass the budget", {
  skip_on_cran()
  skip_on_os("windows")
  path <- new_path()
  ledger <- dp_ledger(1, file = path)
  script <- tempfile(fileext = ".R")
  out <- paste0(script, 1:2)
  code <- c(
    "library(dpdepth)",
    sprintf("ledger <- dp_ledger(file = %s)", deparse(path)),
    "one <- function() tryCatch({",
    "  dp_mean(1:9, 0.01, lower = 0, upper = 9, ledger = ledger)",
    "  TRUE",
    "}, dpdepth_error_budget = function(e) FALSE)",
    "done <- suppressWarnings(vapply(1:80, function(i) one(), NA))",
    "writeLines(as.character(sum(done)), commandArgs(TRUE))"
  )
  writeLines(code, script)
  one <- paste(shQuote(file.path(R.home("bin"), "Rscript")), shQuote(script), shQuote(out))
  both <- sprintf("%s & %s; wait", one[[1]], one[[2]])
  with_libraries(system2("sh", c("-c", shQuote(both)), stdout = FALSE, stderr = FALSE))
  done <- vapply(out, function(file) as.integer(readLines(file)), 1L)
  expect_identical(sum(done), 100L)
  expect_true(all(done >= 20L))
  expect_identical(nrow(as.data.frame(ledger)), 100L)
  expect_equal(spent(ledger), 1, tolerance = 1e-12)
})

test_that("workers that were forked spend from a file", {
  skip_on_cran()
  skip_on_os("windows")
  ledger <- dp_ledger(1, file = new_path())
  there <- parallel::mclapply(1:8, function(i) refused(spend(ledger, 0.2)), mc.cores = 2)
  expect_identical(sum(!unlist(there)), 5L)
  expect_identical(nrow(as.data.frame(ledger)), 5L)
})

test_that("while one looks and spends, nobody else can", {
  path <- new_path()
  ledger <- dp_ledger(1, file = path)
  expect_identical(ledger$account$hold(.Call(ffi_journal_open, path, FALSE)), "busy")
  expect_error(ledger$account$hold(open_journal(path, tries = 2)), "in use by another process",
               class = "dpdepth_error_budget")
  # an error lets go of it
  expect_error(ledger$account$hold(stop("x")), "x")
  expect_null(spend(ledger, 0.1))
  # what an interrupt has left open in this process is closed
  left <- .Call(ffi_journal_open, path, FALSE)
  rm(left)
  expect_null(spend(ledger, 0.1))
})

# Is a file used that is not what was seen?
rollback_is_wrong <- function() {
  made <- one_entry()
  changed <- list(made$before, made$after[-length(made$after)], raw(0), utils::tail(made$after, -1))
  for (at in c(20, length(made$before) + c(3, 40))) {
    other <- made$after
    other[at] <- as.raw(bitwXor(as.integer(other[at]), 1L))
    changed <- c(changed, list(other))
  }
  wrong <- vapply(changed, function(bytes) {
    writeBin(bytes, made$path)
    !refused(spend(made$ledger, 0.1)) || !refused(print(made$ledger))
  }, NA)
  unlink(made$path)
  gone <- refused(spend(made$ledger, 0.1)) && !file.exists(made$path)
  # another ledger with the same budget in the same place
  dp_ledger(2, 1e-6, file = made$path)
  any(wrong) || !gone || !refused(spend(made$ledger, 0.1))
}

# Is a file used, by one who sees it for the first time, of which a line was changed, left out or moved?
change_is_wrong <- function() {
  made <- one_entry()
  for (i in 1:3) spend(made$ledger, i / 10)
  lines <- readLines(made$path, encoding = "UTF-8")
  cheaper <- replace(lines, 2, sub("0x1p-1", "0x1p-9", lines[[2]], fixed = TRUE))
  more <- replace(lines, 1, sub("0x1p+1", "0x1p+9", lines[[1]], fixed = TRUE))
  changed <- list(cheaper, more, lines[-3], lines[c(1, 2, 4, 3, 5)], lines[c(1:5, 5)])
  any(vapply(changed, function(lines) {
    con <- file(made$path, "wb")
    writeLines(lines, con, useBytes = TRUE)
    close(con)
    !refused(dp_ledger(file = made$path))
  }, NA))
}

test_that("a file that was rolled back, changed or removed is refused", {
  expect_false(rollback_is_wrong())
  expect_false(change_is_wrong())
})

test_that("what is no ledger, or has another budget, is refused and left alone", {
  input <- function(code) expect_error(code, class = "dpdepth_error_input")
  path <- new_path()
  input(dp_ledger(file = path))
  expect_false(file.exists(path))
  input(dp_ledger(delta = 1e-6, file = path))
  strange <- list(1, NA_character_, "", c("a", "b"), TRUE, factor("a"), quote(a))
  for (bad in strange) input(dp_ledger(1, file = bad))
  for (text in c("other", "dpdepth ledger 1", "dpdepth ledger 2\tx\n")) {
    cat(text, file = path)
    before <- bytes_of(path)
    input(dp_ledger(1, file = path))
    expect_identical(bytes_of(path), before)
  }
  # a file that a crash has left empty is made
  file.create(path)
  input(dp_ledger(file = path))
  dp_ledger(1, 1e-6, file = path)
  input(dp_ledger(2, 1e-6, file = path))
  input(dp_ledger(1, file = path))
  input(dp_ledger(delta = 1e-5, file = path))
  input(dp_ledger(1, 1e-6, 1, file = path))
  for (same in list(dp_ledger(1, 1e-6, file = path), dp_ledger(file = path))) expect_identical(spent(same), 0)
  expect_error(dp_ledger(1, file = file.path(path, "none")), class = "dpdepth_error_budget")
  expect_error(dp_ledger(1, file = tempdir()), "could not be opened", class = "dpdepth_error_budget")
})

# A write that fails: nothing is drawn.
full_disk_is_wrong <- function() {
  path <- new_path()
  ledger <- dp_ledger(1, file = path)
  # two kilobytes are some ten entries
  code <- c("library(dpdepth)", sprintf("ledger <- dp_ledger(file = %s)", deparse(path)),
            "one <- function() dp_mean(1:9, 0.05, lower = 0, upper = 9, ledger = ledger)",
            "drawn <- tryCatch({ for (i in 1:20) one(); 20 }, dpdepth_error_budget = function(e) i - 1)",
            "cat(drawn, nrow(as.data.frame(ledger)), summary(ledger)$spent[[1]])")
  script <- tempfile(fileext = ".R")
  writeLines(code, script)
  program <- file.path(R.home("bin"), "Rscript")
  call <- shQuote(sprintf("trap '' XFSZ; ulimit -f 2; %s %s", shQuote(program), shQuote(script)))
  out <- with_libraries(suppressWarnings(system2("bash", c("-c", call), stdout = TRUE, stderr = FALSE)))
  told <- as.double(strsplit(paste(out, collapse = ""), " ")[[1]])
  !isTRUE(told[[1]] > 2 && told[[1]] < 20 && told[[2]] == told[[1]])
}

test_that("what cannot be written is not drawn", {
  skip_on_cran()
  skip_on_os("windows")
  expect_false(full_disk_is_wrong())
})

test_that("bugs of ledgers in files are seen", {
  skip_on_cran()
  cuts <- function() any(torn_is_wrong(rev(seq(length(one_entry()$before), by = 19, length.out = 9))))
  shares <- function() {
    path <- new_path()
    a <- dp_ledger(1, file = path)
    b <- dp_ledger(file = path)
    open <- NULL
    caps <- get("budget_caps", asNamespace("dpdepth"))
    with_bindings(list(budget_caps = function(ledger) {
      open <<- .Call(ffi_journal_open, path, FALSE)
      caps(ledger)
    }), spend(a, 0.6))
    !identical(open, "busy") || !refused(spend(b, 0.6)) || !identical(spent(dp_ledger(file = path)), 0.6)
  }
  account <- "new_file_account"
  bugs <- list(
    "the file is read once" = bug(shares, account, "        look()\n        code", "        code"),
    "an entry is not written" = bug(shares, account, "!.Call(ffi_journal_append, journal, line)", "FALSE"),
    "the lock is let go before the spend" = bug(shares, account, "        look()\n        code",
      "        look()\n        .Call(ffi_journal_close, journal)\n        journal <<- NULL\n        code"),
    "the check is made without the lock" =
      bug(shares, "ledger_spend", "ledger$account$hold(", "identity("),
    "an entry that is cut does not count" = bug(cuts, account, "if (whole < length(added))", "if (FALSE)"),
    "what cannot be read costs nothing" = bug(cuts, "unknown_cost", "epsilon = Inf, delta = 1, rho = Inf",
                                              "epsilon = 0, delta = 0, rho = 0"),
    "half a number counts as it is" = bug(cuts, "journal_entry", "length(fields) >= 7", "TRUE",
                                          "journal_entry", "!anyNA(cost)",
                                          "{ cost[is.na(cost)] <- 0; TRUE }"),
    "an older file is used" = bug(rollback_is_wrong, account,
      "length(bytes) < old || !identical(bytes[seq_len(old)], seen$bytes)", "FALSE",
      account, "seq_len(length(bytes) - old) + old", "seq_len(max(0, length(bytes) - old)) + old"),
    "only the length is looked at" = bug(rollback_is_wrong, account,
      "|| !identical(bytes[seq_len(old)], seen$bytes)", ""),
    "a file that is missing is made anew" =
      bug(rollback_is_wrong, account, "else open_journal(path)", "else open_journal(path, TRUE)"),
    "the chain is not checked" = bug(change_is_wrong, "next_link", "|| !identical(", "|| is.null("),
    "each link is of its line alone" = bug(change_is_wrong, "link_of", "c(chain, content)", "content",
                                           "journal_entry", "|| as.double(fields[[1]]) != k", "")
  )
  for (name in names(bugs)) {
    broken <- planted(bugs[[name]])
    seen <- tryCatch(with_bindings(broken, bugs[[name]]$audit()), error = function(e) TRUE)
    expect_true(seen, info = name)
  }
  for (audit in unique(lapply(bugs, `[[`, "audit"))) expect_false(audit())
})

test_that("an interrupt while a file is read counts no entry twice", {
  skip_on_cran()
  skip_on_os("windows")
  path <- new_path()
  writer <- dp_ledger(2, file = path)
  reader <- local({
    account <- new_account()
    add <- account$add
    count <- 0
    # the signal comes in the middle of the entries
    account$add <- function(label, cost) {
      count <<- count + 1
      if (count == 2) tools::pskill(Sys.getpid(), tools::SIGINT)
      add(label, cost)
    }
    with_bindings(list(new_account = function() account), dp_ledger(file = path))
  })
  for (i in 1:3) spend(writer, 0.25)
  interrupted <- tryCatch({
    spent(reader)
    for (i in 1:1e7) NULL
    FALSE
  }, interrupt = function(e) TRUE)
  expect_true(interrupted)
  expect_identical(spent(reader), 0.75)
})

test_that("paths that the system cannot take are refused in words", {
  bytes <- "caf\xe9"
  Encoding(bytes) <- "bytes"
  for (path in c(bytes, strrep("a", 5000))) {
    expect_error(dp_ledger(1, file = path), "`file` must be a path", class = "dpdepth_error_input")
  }
})

# planted.R - plants the bugs of tests/ctest/planted.R, one by one, and sees each caught.
#
# Usage: Rscript tools/planted.R [regular expression on bugs' names]; after tools/install.sh, whose objects it
# uses: a bug costs the compiling of one file, without optimisation. No sanitizer looks on: what each check
# sees, it sees by itself. A check runs in a process of its own, forked from this one, and ends at the first
# thing that fails; one that goes round until its time is over has seen nothing. Without a bug each check must
# see nothing, in the same build, with the same flags. The last line counts.

args <- commandArgs(trailingOnly = TRUE)

# Each process may use so many seconds of a processor: a bug that goes round for ever must not hold the rest.
if (!identical(args[1], "--limited")) {
  command <- shQuote(c(file.path(R.home("bin"), "Rscript"), "tools/planted.R", "--limited", args))
  quit(status = as.integer(system(paste(c("ulimit -t 120; exec", command), collapse = " ")) != 0))
}
args <- args[-1]

root <- getwd()
objects <- file.path(root, "build", "objects")
home <- file.path(root, "build", "planted")
unlink(home, recursive = TRUE)
dir.create(home, recursive = TRUE)
.libPaths(c(file.path(root, "build", c("lib", "deps")), .libPaths()))
suppressPackageStartupMessages(library(testthat))
library(dpdepth)
Sys.setenv(NOT_CRAN = "true", CTEST_ONE = "yes")
source(file.path("tests", "ctest", "planted.R"))
source(file.path("tools", "testthat-quick.R"))

text_of <- function(file) paste(readLines(file), collapse = "\n")
say <- function(...) cat(sprintf(...), "\n", sep = "")
quoted <- function(x) paste(shQuote(x), collapse = " ")

# Runs commands of the shell in a folder, one after the other; TRUE if all succeed. Their output stays there.
run <- function(folder, ...) {
  commands <- paste(c(paste("cd", shQuote(folder)), ...), collapse = " && ")
  system(paste0("{ ", commands, "; } >>", shQuote(file.path(folder, "log")), " 2>&1")) == 0
}

# -- the two ways to build: a plain C test, and the package ------------------------------------------

include <- paste("-I", shQuote(file.path(root, "src")), "-idirafter", shQuote(R.home("include")))
install_lines <- readLines(file.path(objects, "log"))
openmp <- if (any(grepl("-fopenmp", install_lines, fixed = TRUE))) "-fopenmp" else "-Wno-unknown-pragmas"
c_flags <- paste("-std=c99 -w -DMATHLIB_STANDALONE", openmp, include)

all_objects <- list.files(objects, "[.]o$", recursive = TRUE)
pure_objects <- grep("^(r/|init)", all_objects, value = TRUE, invert = TRUE)
own_object <- function(bug) sub("[.]c$", ".o", bug$file)
includes <- function(o, header) {
  any(grepl(header, readLines(file.path("src", sub("o$", "c", o))), fixed = TRUE))
}
uses_rmath <- function(o) includes(o, "<Rmath.h>")

# linear algebra only if a file uses it, as in ctest.sh: without, programs link and start sooner
algebra <- if (any(vapply(pure_objects, includes, NA, "<R_ext/"))) "-llapack -lblas"
c_libs <- paste(c(openmp, "-lRmath", algebra, "-lm"), collapse = " ")

# Archives of the installation's objects: all.a for the package, pure.a for the C tests, where what calls R's
# mathematics is compiled for its stand-alone library.
make_archives <- function() {
  alone <- Filter(uses_rmath, pure_objects)
  compile <- sprintf("cc -O1 %s -c %s -o %s", c_flags, file.path(root, "src", sub("o$", "c", alone)),
                     basename(alone))
  pure <- c(file.path(objects, setdiff(pure_objects, alone)), basename(alone))
  run(home, compile, paste("ar crs pure.a", quoted(pure)),
      paste("ar crs all.a", quoted(file.path(objects, all_objects))))
}

compile_test <- function(stem) {
  source <- file.path(root, "tests", "ctest", sprintf("test_%s.c", stem))
  run(home, paste("cc -O1", c_flags, "-c", shQuote(source)))
}

# gold links in a fourth of the time of ld
probe <- "echo 'int main(void) { return 0; }' | cc -fuse-ld=gold -xc - -o"
gold <- system(paste(probe, shQuote(file.path(home, "probe")), "2>/dev/null")) == 0
fast_link <- if (gold) "-fuse-ld=gold -Wl,--build-id=none"

link_test <- function(stem, own = NULL) {
  objects <- file.path(home, c(sprintf("test_%s.o", stem), "pure.a"))
  paste("cc", fast_link, own, quoted(objects), "-o test", c_libs)
}

build_test <- function(bug) {
  c(paste("cc -O0", c_flags, bug$flags, "-c", bug$file, "-o", own_object(bug)),
    link_test(bug$ctest, own_object(bug)))
}

# The package's shared object, linked anew.
build_object <- function(folder, bug) {
  compile <- grep(paste0(" -c ", bug$file, " "), install_lines, fixed = TRUE, value = TRUE)
  link <- grep(" -shared .*-o dpdepth[.]so ", install_lines, value = TRUE)
  if (length(compile) != 1 || length(link) != 1) return(FALSE)
  words <- strsplit(link, " ", fixed = TRUE)[[1]]
  first <- paste("-Wl,--strip-debug", own_object(bug), if (bug$file != "init.c") file.path(objects, "init.o"))
  words[words == "depth/halfspace.o"] <- paste(first, file.path(home, "all.a"))
  words <- c(words[!words %in% all_objects], fast_link)
  run(folder, paste(compile, "-O0 -g0 -w -U_FORTIFY_SOURCE -I", shQuote(file.path(root, "src"))),
      paste(words, collapse = " "))
}

# -- the checks: TRUE if something is seen, FALSE if nothing; anything else is what went wrong -----------

# The installed package and the helper files are loaded once, before there are processes. Each of these then
# puts another shared object in the place of the package's own, and its entries in the place of those.
put_object <- function(object) {
  ns <- asNamespace("dpdepth")
  library.dynam.unload("dpdepth", getNamespaceInfo(ns, "path"))
  entries <- getDLLRegisteredRoutines(dyn.load(object))$.Call
  if (!setequal(entries_there, names(entries))) stop("other entries than the package's")
  for (name in names(entries)) {
    unlockBinding(name, ns)
    assign(name, entries[[name]], ns)
    lockBinding(name, ns)
  }
  ns$.onLoad() # what it keeps of a process is another's
}

r_files <- function(folder, pattern) {
  files <- list.files(folder, pattern, full.names = TRUE)
  stats::setNames(lapply(files, parse, keep.source = FALSE), files)
}

# What the helper files of a folder of tests define; the audit's first reads those of testthat.
helpers_of <- function(folder) {
  env <- new.env(parent = asNamespace("dpdepth"))
  load <- function(folder) {
    old <- setwd(file.path(root, "tests", folder))
    on.exit(setwd(old))
    for (file in list.files(pattern = "^helper.*[.]R$")) for (call in parse(file, keep.source = FALSE)) {
      if (identical(call[[1]], quote(testthat::source_test_helpers))) load("testthat") else eval(call, env)
    }
  }
  load(folder)
  env
}

# `small`: what hill climbs there are may be short.
sees_audit <- function(bug, small = FALSE) {
  env <- helpers$audit
  whole <- env$audit_fails
  if (small) env$audit_fails <- function(check) whole(check, pairs = 10, climbs = 1, steps = 10)
  eval(str2lang(bug$audit), env)
}

# The tests whose names hold that text, which are of one file, with what stands around tests there.
test_calls <- function(part) {
  file <- Filter(function(f) any(grepl(part, readLines(f), fixed = TRUE)),
                 list.files("tests/testthat", "^test-.*[.]R$", full.names = TRUE))
  if (length(file) != 1) stop(sprintf("\"%s\" stands in %d files", part, length(file)))
  calls <- as.list(parse(file, keep.source = FALSE))
  is_test <- vapply(calls, function(e) is.call(e) && identical(e[[1]], quote(test_that)), NA)
  meant <- vapply(calls, function(e) is.character(e[[2]]) && grepl(part, e[[2]], fixed = TRUE), NA)
  if (!any(is_test & meant)) stop(sprintf("no test's name holds \"%s\"", part))
  calls[!is_test | meant]
}

sees_tests <- function(calls) {
  env <- helpers$testthat
  failed <- FALSE
  seen <- function(e) {
    # a test's own planted bug, in R, whose text is not there: that sees nothing of this one
    failed <<- if (inherits(e, "not_planted")) conditionMessage(e) else TRUE
    invokeRestart("planted_end")
  }
  old <- setwd("tests/testthat")
  on.exit(setwd(old))
  # testthat takes failures and errors up where it is told to: here nothing is reported
  withRestarts(for (call in calls) {
    if (identical(call[[1]], quote(test_that))) run_test(call[[3]], env, seen) else eval(call, env)
  }, planted_end = function() NULL)
  failed
}

run_test <- function(body, env, seen) {
  withRestarts(
    withCallingHandlers(eval(body, new.env(parent = env)), expectation_failure = seen, error = seen,
                        skip = function(e) invokeRestart("planted_skip")),
    planted_skip = function() NULL
  )
}

crashes <- 128 + c(4, 6, 7, 8, 11) # SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, as the shell has them

# Tests that can do a part of their draws and rounds.
has_part <- function(stem) {
  any(grepl("ctest_some(", readLines(file.path("tests", "ctest", sprintf("test_%s.c", stem))), fixed = TRUE))
}

# FALSE or TRUE by the C test's status: 1 is a check that fails. Another is a crash, the end of its time, or
# no test at all. A part of the draws, which sees most bugs, comes before the whole. One shell builds and runs
# it, as starting one from R takes as long as linking does.
sees_ctest <- function(folder, stem, build, part_first = stem %in% in_part) {
  steps <- paste(c(paste("cd", shQuote(folder)), build), collapse = " && ")
  part <- if (part_first) "CTEST_SOME=yes ./test >>log 2>&1 &&"
  status <- system(sprintf("{ %s; } >%s 2>&1 || exit 99; cd %s && %s ./test >>log 2>&1", steps,
                           shQuote(file.path(folder, "log")), shQuote(folder), paste(part, "")))
  if (status == 99) paste("not built: see", file.path(folder, "log"))
  else if (status %in% 0:1) status == 1
  else if (status %in% crashes) "caught, by a crash"
  else sprintf("ended with status %d", status)
}

look_in_r <- function(bug, object, small = FALSE) {
  put_object(object)
  set.seed(21)
  suppressWarnings(if (is.null(bug$audit)) sees_tests(tests_named[[bug$test]]) else sees_audit(bug, small))
}

# -- one bug, and none ---------------------------------------------------------------------------------

# The file with the bug, in a folder of its own.
write_file <- function(folder, bug) {
  text <- text_of(file.path("src", bug$file))
  places <- gregexpr(bug$from, text, fixed = TRUE)[[1]]
  if (length(places) != 1 || places[[1]] < 0) {
    return(sprintf("NOT PLANTED: %s holds its text %d times", bug$file, sum(places > 0)))
  }
  dir.create(file.path(folder, dirname(bug$file)), showWarnings = FALSE)
  writeLines(sub(bug$from, bug$to, text, fixed = TRUE), file.path(folder, bug$file))
  NULL
}

# "caught", or what happened instead.
plant <- function(name) {
  bug <- bugs[[name]]
  folder <- file.path(home, gsub("[^A-Za-z0-9]+", "-", name))
  dir.create(folder)
  problem <- write_file(folder, bug)
  if (!is.null(problem)) return(problem)
  saw <- if (!is.null(bug$ctest)) sees_ctest(folder, bug$ctest, build_test(bug))
         else if (!build_object(folder, bug)) paste("not built: see", file.path(folder, "log"))
         else look_in_r(bug, file.path(folder, "dpdepth.so"))
  if (isTRUE(saw)) "caught" else if (isFALSE(saw)) "MISSED" else if (is.character(saw)) saw else "no answer"
}

control <- function(bug) {
  if (is.null(bug$ctest)) {
    # that it sees nothing at its full length is for tests/audit to say
    saw <- look_in_r(bug, file.path(root, "build", "lib", "dpdepth", "libs", "dpdepth.so"), small = TRUE)
  } else {
    folder <- tempfile(paste0("no-bug-", bug$ctest, "-"), home)
    dir.create(folder)
    # flags make another object, with the bug's file as it is
    own <- if (!is.null(bug$flags)) file.path(root, "src", bug$file)
    build <- if (is.null(own)) link_test(bug$ctest)
             else c(paste("cc -O0", c_flags, bug$flags, "-c", shQuote(own), "-o own.o"),
                    link_test(bug$ctest, "own.o"))
    # the part without a bug is what sanitizers have looked at
    saw <- sees_ctest(folder, bug$ctest, build, part_first = FALSE)
  }
  if (isFALSE(saw)) "sound" else "SEES A BUG, OR FAILS"
}

# -- all of them -------------------------------------------------------------------------------------

by_of <- function(bug) {
  if (!is.null(bug$ctest)) sprintf("tests/ctest/test_%s.c", bug$ctest)
  else if (!is.null(bug$audit)) bug$audit
  else sprintf("test \"%s\"", bug$test)
}

# Jobs that do their work by commands of the shell share a process of R, `together` of them: to fork one
# takes longer than such a job's own part in R.
in_parallel <- function(jobs, together = 1) {
  cores <- max(1L, min(4L, parallel::detectCores(), na.rm = TRUE))
  safely <- function(job) {
    said <- tryCatch(job(), error = conditionMessage)
    if (!is.character(said)) said <- "no answer"
    said[1]
  }
  groups <- split(jobs, (seq_along(jobs) - 1) %/% together)
  found <- parallel::mclapply(groups, function(some) vapply(some, safely, "", USE.NAMES = FALSE),
                              mc.cores = cores, mc.preschedule = FALSE)
  answer <- function(said, jobs) if (is.character(said)) said else rep("no answer", length(jobs))
  as.character(unlist(Map(answer, found, groups), use.names = FALSE))
}

# What cannot be planted is not caught, whatever the check would say.
unplanted <- function() {
  nowhere <- c_bug("samp/rng.c", "no such text", "", ctest = "rng")
  twice <- c_bug("samp/rng.c", "word", "", ctest = "rng")
  said <- c(write_file(home, nowhere), write_file(home, twice),
            if (any(in_r(bugs))) sees_tests(expression(test_that("", edited("is_tally", "no such", "")))))
  told <- grepl("not planted: .* times$", said, ignore.case = TRUE)
  if (length(told) == 2 + any(in_r(bugs)) && all(told)) "not caught" else "taken for caught"
}

if (length(args) > 0) bugs <- bugs[grepl(args[[1]], names(bugs))]
folders <- gsub("[^A-Za-z0-9]+", "-", names(bugs))
unlike <- vapply(bugs, function(bug) !identical(bug$from, bug$to), NA)
if (length(bugs) == 0 || anyDuplicated(folders) > 0 || !all(unlike)) {
  say("planted: no bug of such a name, two of one name, or one that changes nothing")
  quit(status = 1)
}
sources <- list.files("src", recursive = TRUE, full.names = TRUE)
if (any(file.mtime(sources) > file.mtime(file.path(objects, "log")))) {
  say("planted: the sources are newer than the objects: see tools/install.sh")
  quit(status = 1)
}
names_of_tests <- unique(unlist(lapply(bugs, `[[`, "test")))
tests_named <- stats::setNames(lapply(names_of_tests, test_calls), names_of_tests)
in_r <- function(bugs) vapply(bugs, function(bug) is.null(bug$ctest), NA)
if (any(in_r(bugs))) {
  helpers <- list(testthat = helpers_of("testthat"), audit = helpers_of("audit"))
  # what each process would load for itself: the package's functions, and what testthat needs of others when
  # an expectation fails
  parts <- as.list(asNamespace("dpdepth"), all.names = TRUE)
  entries_there <- names(Filter(function(part) inherits(part, "NativeSymbolInfo"), parts))
  local_edition(3, .env = globalenv())
  # nobody reads where an expectation failed, which takes a tenth of a second to find out
  invisible(replace_one("trace_back", "bottom", function(old) {
    here <- old()
    function(top = NULL, bottom = NULL) here
  }))
  try(expect_identical(1, 2), silent = TRUE)
}
control_of <- function(bug) paste(by_of(bug), bug$flags, if (!is.null(bug$flags)) bug$file)
controls <- bugs[!duplicated(vapply(bugs, control_of, ""))]
stems <- unique(unlist(lapply(bugs, `[[`, "ctest")))
# those in parts, of which tools/test.sh has sanitizers look at one alone: the whole of each runs here
all_stems <- sub("^test_(.*)[.]c$", "\\1", list.files("tests/ctest", "^test_.*[.]c$"))
in_part <- Filter(has_part, if (length(args) > 0) stems else all_stems)
controls <- c(controls, lapply(setdiff(in_part, stems), function(stem) list(ctest = stem)))
stems <- union(stems, in_part)
compile_tests <- lapply(stems, function(stem) function() paste(compile_test(stem)))
tests_compiled <- in_parallel(compile_tests, together = 8)
if (!make_archives() || !all(tests_compiled == "TRUE")) {
  say("planted: the tests could not be built: see %s", file.path(home, "log"))
  quit(status = 1)
}
# what R looks at takes longest, and comes first, each in a process of its own
controls <- controls[order(!in_r(controls))]
bugs <- bugs[order(!in_r(bugs))]
jobs <- c(lapply(controls, function(bug) function() control(bug)),
          lapply(names(bugs), function(name) function() plant(name)))
alone <- c(in_r(controls), in_r(bugs))
found <- character(length(jobs))
found[alone] <- in_parallel(jobs[alone])
found[!alone] <- in_parallel(jobs[!alone], together = 8)
line <- "%-62s %-30s %-44s %s"
for (i in seq_along(controls)) say(line, "(no bug)", "", by_of(controls[[i]]), found[[i]])
found_bugs <- found[-seq_along(controls)]
for (i in seq_along(bugs)) say(line, names(bugs)[[i]], bugs[[i]]$file, by_of(bugs[[i]]), found_bugs[[i]])
found <- c(found, unplanted())
say(line, "(a bug whose text is not there)", "", "tools/planted.R", found[[length(found)]])
good <- found %in% c("caught", "caught, by a crash", "sound", "not caught")
say("planted: %d passed, %d failed, 0 skipped", sum(good), sum(!good))
quit(status = any(!good))

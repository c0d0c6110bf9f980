# planted.R - plants the bugs of tests/ctest/planted.R, one by one, and sees each caught.
#
# Usage: Rscript tools/planted.R [part of a bug's name]; after tools/install.sh and tools/ctest.sh, whose
# objects it uses: a bug costs the compiling of one file. The last line counts. What was seen is remembered
# in build/planted until a source changes.

args <- commandArgs(trailingOnly = TRUE)
root <- getwd()
libraries <- c(file.path(root, "build", c("lib", "deps")), Sys.getenv("R_LIBS"))
Sys.setenv(R_LIBS = paste(libraries, collapse = ":"))
home <- file.path(root, "build", "planted")
dir.create(home, recursive = TRUE, showWarnings = FALSE)
source(file.path("tests", "ctest", "planted.R"))

text_of <- function(file) paste(readLines(file), collapse = "\n")
say <- function(...) cat(sprintf(...), "\n", sep = "")
quoted <- function(x) paste(shQuote(x), collapse = " ")

# Runs a command of the shell in a folder; TRUE if it succeeds. Its output is kept there.
run <- function(folder, ..., log = "log") {
  command <- paste0("cd ", shQuote(folder), " && ulimit -t 120 && ", ...)
  system(paste0("{ ", command, "; } >>", shQuote(file.path(folder, log)), " 2>&1")) == 0
}

# -- the two ways to build -----------------------------------------------------------------------

# A plain C test: the sanitized objects of tools/ctest.sh, but for the file with the bug.
flags <- text_of(file.path("build", "ctest", "flags"))
c_flags <- paste("-std=c99 -O1 -g -w", flags, "-I", shQuote(file.path(root, "src")))

build_test <- function(folder, bug) {
  objects <- setdiff(sub("[.]c$", ".o", pure_files), own_object(bug))
  objects <- c(own_object(bug), file.path(root, "build", "ctest", objects),
               file.path(home, sprintf("test_%s.o", bug$ctest)))
  run(folder, "cc -c ", c_flags, " ", bug$flags, " ", bug$file, " -o ", own_object(bug)) &&
    run(folder, "cc ", quoted(objects), " -o test ", c_flags, " -lm")
}

pure_files <- grep("^(r/|init)", list.files("src", "[.]c$", recursive = TRUE), value = TRUE, invert = TRUE)

# The tests themselves, once.
compile_test <- function(stem) {
  source <- file.path(root, "tests", "ctest", sprintf("test_%s.c", stem))
  run(home, "cc -c ", c_flags, " ", shQuote(source))
}

own_object <- function(bug) sub("[.]c$", ".o", bug$file)

# The package: its installation, with the shared object linked anew.
install_lines <- readLines(file.path("build", "objects", "log"))

build_package <- function(folder, bug) {
  compile <- grep(paste0(" -c ", bug$file, " "), install_lines, fixed = TRUE, value = TRUE)
  link <- grep(" -shared .*-o dpdepth[.]so ", install_lines, value = TRUE)
  for (o in setdiff(list.files("build/objects", "[.]o$", recursive = TRUE), own_object(bug))) {
    dir.create(file.path(folder, dirname(o)), showWarnings = FALSE)
    file.symlink(file.path(root, "build", "objects", o), file.path(folder, o))
  }
  package <- file.path(folder, "lib", "dpdepth")
  dir.create(file.path(package, "libs"), recursive = TRUE)
  parts <- list.files(file.path(root, "build", "lib", "dpdepth"), full.names = TRUE)
  parts <- parts[basename(parts) != "libs"]
  file.symlink(parts, file.path(package, basename(parts)))
  length(compile) == 1 && length(link) == 1 &&
    run(folder, compile, " -w -I", shQuote(file.path(root, "src"))) &&
    run(folder, link, " && mv dpdepth.so lib/dpdepth/libs")
}

# -- one bug ---------------------------------------------------------------------------------------

# The file with the bug, in a folder of its own.
write_file <- function(folder, bug) {
  text <- text_of(file.path("src", bug$file))
  places <- gregexpr(bug$from, text, fixed = TRUE)[[1]]
  if (length(places) != 1 || places[[1]] < 0) {
    return(sprintf("%s holds its text %d times", bug$file, sum(places > 0)))
  }
  dir.create(file.path(folder, dirname(bug$file)), showWarnings = FALSE)
  writeLines(sub(bug$from, bug$to, text, fixed = TRUE), file.path(folder, bug$file))
  NULL
}

r_command <- function(...) paste(shQuote(file.path(R.home("bin"), "Rscript")), ...)

# "caught", or what happened instead.
plant <- function(bug, folder) {
  unlink(folder, recursive = TRUE)
  dir.create(folder)
  problem <- write_file(folder, bug)
  if (!is.null(problem)) return(problem)
  built <- if (is.null(bug$ctest)) build_package(folder, bug) else build_test(folder, bug)
  if (!built) return(paste("not built: see", file.path(folder, "log")))
  if (passes(bug, folder)) return("MISSED")
  kept <- file.path(folder, c("log", "seen"))
  unlink(setdiff(list.files(folder, full.names = TRUE), kept), recursive = TRUE)
  "caught"
}

# TRUE if the check does not see the bug.
passes <- function(bug, folder) {
  if (!is.null(bug$ctest)) return(run(folder, "CTEST_ONE=yes ./test", log = "seen"))
  libs <- paste(c(file.path(folder, "lib"), Sys.getenv("R_LIBS")), collapse = ":")
  with_lib <- function(...) {
    run(root, "R_LIBS=", shQuote(libs), " TESTTHAT_CPUS=1 ", r_command(...),
        log = file.path("build", "planted", basename(folder), "seen"))
  }
  if (!is.null(bug$audit)) return(!with_lib("tools/planted.R --audit", shQuote(bug$audit)))
  with_lib("tools/run-tests.R", shQuote(paste0("^", bug$tests, "$")))
}

# -- an audit, in the package that R_LIBS says: status 0 if it finds something broken ----------------

if (identical(args[1], "--audit")) {
  suppressMessages(library(testthat))
  env <- new.env(parent = asNamespace("dpdepth"))
  for (f in list.files("tests/audit", "^helper.*[.]R$", full.names = TRUE)) sys.source(f, env, chdir = TRUE)
  set.seed(21)
  quit(status = if (isTRUE(eval(str2lang(args[[2]]), env))) 0 else 3)
}

# -- all of them -------------------------------------------------------------------------------------

by_of <- function(bug) {
  if (!is.null(bug$ctest)) sprintf("tests/ctest/test_%s.c", bug$ctest)
  else if (!is.null(bug$audit)) bug$audit
  else sprintf("tests/testthat/test-%s.R", bug$tests)
}

# What the verdict on a bug depends on.
sums <- function(files) paste(tools::md5sum(files), collapse = "")
sources <- sums(list.files("src", "[.][ch]$", full.names = TRUE, recursive = TRUE))
in_r <- sums(list.files(c("R", "tests/testthat", "tests/audit"), "[.]R$", full.names = TRUE))
in_c <- paste(flags, sums(list.files("tests/ctest", "[.][ch]$", full.names = TRUE)))
key_of <- function(bug) {
  file <- tempfile()
  on.exit(unlink(file))
  writeLines(c(sources, if (is.null(bug$ctest)) in_r else in_c, unlist(bug)), file)
  unname(tools::md5sum(file))
}

caught_file <- function(bug) file.path(home, paste0(key_of(bug), ".caught"))
is_known <- function(bug) file.exists(caught_file(bug))

verdict <- function(name) {
  bug <- bugs[[name]]
  if (is_known(bug)) return("caught")
  out <- plant(bug, file.path(home, gsub("[^A-Za-z0-9]+", "-", name)))
  if (out == "caught") file.create(caught_file(bug))
  out
}

# Without a bug an audit sees nothing.
controls <- unique(unlist(lapply(bugs, `[[`, "audit")))
control <- function(audit) {
  known <- file.path(home, paste0(key_of(list(audit = audit)), ".sound"))
  if (file.exists(known)) return("sound")
  log <- file.path(home, "controls")
  command <- r_command("tools/planted.R --audit", shQuote(audit))
  sound <- system(paste(command, ">>", shQuote(log), "2>&1")) == 3
  if (sound) file.create(known)
  if (sound) "sound" else "SEES A BUG, OR FAILS"
}

if (length(args) > 0) bugs <- bugs[grepl(args[[1]], names(bugs), fixed = TRUE)]
if (length(args) > 0) controls <- intersect(controls, unlist(lapply(bugs, `[[`, "audit")))
cores <- max(1L, min(4L, parallel::detectCores(), na.rm = TRUE))
stems <- unique(unlist(lapply(Filter(Negate(is_known), bugs), `[[`, "ctest")))
compiled <- parallel::mclapply(stems, compile_test, mc.cores = cores, mc.preschedule = FALSE)
jobs <- c(lapply(names(bugs), function(name) function() verdict(name)),
          lapply(controls, function(audit) function() control(audit)))
found <- parallel::mclapply(jobs, function(job) tryCatch(job(), error = conditionMessage), mc.cores = cores,
                            mc.preschedule = FALSE)
found <- vapply(found, function(v) if (is.character(v)) v[[1]] else "no answer", "")
line <- "%-62s %-20s %-44s %s"
say(line, "bug", "file", "check", "")
for (i in seq_along(bugs)) say(line, names(bugs)[[i]], bugs[[i]]$file, by_of(bugs[[i]]), found[[i]])
for (i in seq_along(controls)) say(line, "(no bug)", "", controls[[i]], found[[length(bugs) + i]])
good <- found %in% c("caught", "sound")
say("planted: %d passed, %d failed, 0 skipped", sum(good), sum(!good))
quit(status = any(!good))

# entries.R - which C entries of the package the tests of some files call: their names, one a line.
#
# Usage: Rscript tools/entries.R 'regular expression on file stems' (tools/valgrind.sh, of its own choice)
# The processor's seconds of each file go to the standard error.

args <- commandArgs(trailingOnly = TRUE)
Sys.setenv(TESTTHAT_PARALLEL = "false")
source(file.path("tools", "testthat-quick.R"))
space <- asNamespace("dpdepth")
entries <- ls(space, pattern = "^ffi_", all.names = TRUE)
called <- new.env()
note <- function(name) assign(name, TRUE, envir = called)

# The expression with a note before each call of an entry.
noted <- function(e) {
  if (!is.call(e)) return(e)
  own <- identical(e[[1]], quote(.Call))
  for (i in seq_along(e)) if (is.call(e[[i]])) e[[i]] <- noted(e[[i]])
  if (own) bquote({
    .(note)(.(as.character(e[[2]])))
    .(e)
  }) else e
}

for (name in ls(space, all.names = TRUE)) {
  fun <- get(name, space)
  if (!is.function(fun) || !any(entries %in% all.names(body(fun)))) next
  body(fun) <- noted(body(fun))
  unlockBinding(name, space)
  assign(name, fun, space)
}

quicken_testthat()
stems <- sub("^test-(.*)[.]R$", "\\1", list.files("tests/testthat", "^test-.*[.]R$"))
env <- testthat::test_env("dpdepth")
# tests call some entries themselves
env$.Call <- function(.NAME, ...) {
  note(.NAME$name)
  base::.Call(.NAME, ...)
}
first <- TRUE
for (stem in grep(args[[1]], stems, value = TRUE)) {
  start <- sum(proc.time()[-3])
  testthat::test_dir("tests/testthat", filter = paste0("^", stem, "$"), reporter = "silent", env = env,
                     load_helpers = first, package = "dpdepth", load_package = "installed",
                     stop_on_failure = FALSE)
  first <- FALSE
  message(sprintf("%s: %.1f s", stem, sum(proc.time()[-3]) - start))
}
writeLines(ls(called))

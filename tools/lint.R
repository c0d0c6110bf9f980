# lint.R - lintr over the R code of the package, its tests and its scripts, one check a file; and one check of
# names that are used without being there, and of those that are there without being used, in the installed
# package (codetools once for all of it takes half as long as lintr's linter for that file by file); and one
# of help pages that the site's index leaves out.
#
# Usage: Rscript tools/lint.R [package]; `package`: the files of R/ alone, not names. The last line counts.
# The rules are in .lintr. What was found clean is not looked at again until it, the rules or lintr change:
# build/lint has a file for it, named after a sum of all these.

rules <- eval(parse(text = read.dcf(".lintr", "linters")), asNamespace("lintr"))
# Scripts and tests attach packages.
not_for_scripts <- c("undesirable_function_linter", "semicolon_linter")
script_rules <- rules[setdiff(names(rules), not_for_scripts)]

# Names that are not ours to choose: registered methods, and arguments of base R's generics.
methods <- Filter(function(line) startsWith(line, "S3method("), readLines("NAMESPACE"))
methods <- gsub("\"", "", sub("^S3method\\((.*::)?(.*),(.*)\\)$", "\\2.\\3", methods))
given_name <- function(lint) {
  if (lint$linter != "object_name_linter") return(FALSE)
  text <- substring(lint$line, lint$column_number)
  any(startsWith(gsub("`", "", text), c(methods, "row.names")))
}

# lintr asks each rule about each expression by itself, and about the file. Here the file is one expression,
# and a rule is asked twice. Files that do not parse are lint()'s, and so are all where lintr's form is
# another (which a text of breaches tells: both ways must see the same there).
asked_once <- function(file, linters) {
  whole <- parsed_at_once(file)
  if (is.null(whole)) return(lintr::lint(file, linters = linters, parse_settings = FALSE))
  one <- list(filename = file, line = 1L, column = 1L, lines = whole$file_lines,
              parsed_content = whole$full_parsed_content, xml_parsed_content = whole$full_xml_parsed_content,
              content = paste(whole$file_lines, collapse = "\n"))
  # this rule looks at each line by a data frame of its own
  if (!any(grepl("\t", one$lines, fixed = TRUE))) linters$no_tab_linter <- NULL
  found <- lapply(names(linters), function(name) {
    lints <- c(lints_in(linters[[name]](one)), lints_in(linters[[name]](whole)))
    for (i in seq_along(lints)) lints[[i]]$linter <- name
    Filter(function(lint) !grepl(paste0("# nolint: ", name, "."), lint$line, fixed = TRUE), lints)
  })
  unlist(found, recursive = FALSE)
}

# What lintr says of a whole file, without what it says of each expression, which takes most of its time.
parsed_at_once <- function(file) {
  lines <- readLines(file, encoding = "UTF-8", warn = FALSE)
  ended <- identical(utils::tail(readBin(file, "raw", file.size(file)), 1), charToRaw("\n"))
  if (any(grepl("\t", lines, fixed = TRUE)) || any(is.na(iconv(lines, "UTF-8", "ASCII")))) {
    parts <- lintr::get_source_expressions(file)
    return(if (is.null(parts$error)) parts$expressions[[length(parts$expressions)]])
  }
  code <- tryCatch(parse(text = lines, keep.source = TRUE), error = function(e) NULL)
  if (is.null(code)) return(NULL)
  lines <- structure(lines, terminal_newline = ended, names = seq_along(lines))
  list(filename = file, file_lines = lines, content = lines, full_parsed_content = utils::getParseData(code),
       full_xml_parsed_content = xml2::read_xml(xmlparsedata::xml_parse_data(code)), terminal_newline = ended)
}

lints_in <- function(result) {
  if (inherits(result, "lint")) list(result) else unlist(lapply(unclass(result), lints_in), recursive = FALSE)
}

seen_in <- function(lints) {
  unname(sort(unique(vapply(lints, function(l) paste(l$line_number, l$column_number, l$linter), ""))))
}

breaches <- c(
  "x = 1", "y<- c(1,2)", "if (TRUE) {", "  y <- 2 }", "camelCase <- function (x) x", "\tz <- 3 ; w <- T",
  "a_name_that_is_far_longer_than_any_name_may_be <- 1:length(x)", "if(x) y", "z <- x == NA",
  "g <- function(x)x", "library(stats)", "y <- ( x)", "if (x & y) z", "trailing <- 1  ",
  paste("#", strrep("x", 120)), "", ""
)
same_both_ways <- function(breaches) {
  file <- tempfile(fileext = ".R")
  on.exit(unlink(file))
  writeLines(breaches, file)
  once <- tryCatch(seen_in(asked_once(file, rules)), error = function(e) NULL)
  length(once) > 0 && identical(once, seen_in(lintr::lint(file, linters = rules, parse_settings = FALSE)))
}

lints_of <- function(file) {
  linters <- if (startsWith(file, "R/")) rules else script_rules
  lints <- if (once) asked_once(file, linters)
           else lintr::lint(file, linters = linters, parse_settings = FALSE)
  Filter(Negate(given_name), lints)
}
once <- same_both_ways(breaches) && same_both_ways(gsub("\t", "  ", breaches, fixed = TRUE))

# Where it stands that these files are clean.
clean_mark <- function(files) {
  inputs <- c(files, ".lintr", "NAMESPACE", "tools/lint.R")
  versions <- c(R.version.string, format(utils::packageVersion("lintr")))
  text <- tempfile()
  on.exit(unlink(text))
  writeLines(c(versions, paste(inputs, tools::md5sum(inputs))), text)
  file.path("build", "lint", tools::md5sum(text))
}
dir.create(file.path("build", "lint"), recursive = TRUE, showWarnings = FALSE)

whole <- !identical(commandArgs(trailingOnly = TRUE), "package")
folders <- Filter(dir.exists, c("R", if (whole) c("tests", "tools", "bench", "data-raw")))
files <- list.files(folders, "[.]R$", recursive = TRUE, full.names = TRUE)
failed <- 0
for (file in files) {
  mark <- clean_mark(file)
  if (file.exists(mark)) next
  lints <- lints_of(file)
  failed <- failed + (length(lints) > 0)
  if (length(lints) == 0) file.create(mark)
  for (lint in lints) {
    cat(sprintf("%s:%d:%d: %s (%s)\n", file, lint$line_number, lint$column_number, lint$message, lint$linter))
  }
}

# codetools keeps a data frame of where each name stands in the text, which an installed package does not
# know: without, it takes a third of the time. Where codetools has another form, or sees less then, all is
# left as it is.
names_astray <- function(functions) {
  lines <- character()
  look <- function(f, name) codetools::checkUsage(f, name, report = function(line) lines <<- c(lines, line))
  functions <- Filter(is.function, functions)
  for (name in names(functions)) look(functions[[name]], name)
  lines
}
keep_no_places <- function() {
  place <- asNamespace("codetools")
  old <- get0("incLocalSrcInfo", place)
  if (is.null(old)) return()
  bad <- list(f = function(x) {
    unused <- x
    not_there(x) + y_not_there + nchar(x, 1, 2, 3, 4, 5)
  })
  with_places <- names_astray(bad)
  set <- function(value) {
    unlockBinding("incLocalSrcInfo", place)
    assign("incLocalSrcInfo", value, place)
    lockBinding("incLocalSrcInfo", place)
  }
  set(function(v, w) NULL)
  if (length(with_places) < 4 || !identical(names_astray(bad), with_places)) set(old)
}
usage <- character()
mark <- clean_mark(list.files("R", full.names = TRUE))
if (whole && !file.exists(mark)) {
  keep_no_places()
  usage <- names_astray(as.list(asNamespace("dpdepth"), all.names = TRUE))
  cat(usage, sep = "")
  if (length(usage) == 0) invisible(file.create(mark))
}
failed <- failed + (length(usage) > 0)

# Help pages that the site's index leaves out, on which pkgdown stops.
unlisted_topics <- function() {
  index <- readLines("_pkgdown.yml")
  index <- index[seq_along(index) > match("reference:", index)]
  items <- trimws(sub("^ *- ", "", grep("^ +- [^:]*$", index, value = TRUE)))
  prefixes <- sub("^starts_with\\(\"(.*)\"\\)$", "\\1", grep("^starts_with", items, value = TRUE))
  pages <- list.files("man", "[.]Rd$", full.names = TRUE)
  listed <- vapply(pages, function(page) {
    lines <- readLines(page, encoding = "UTF-8")
    names <- sub("^.alias\\{(.*)\\}$", "\\1", grep("^.alias\\{", lines, value = TRUE))
    any(names %in% items, outer(names, prefixes, startsWith), grepl("^.keyword\\{internal\\}", lines))
  }, NA)
  basename(pages[!listed])
}
unlisted <- unlisted_topics()
cat(sprintf("man/%s: not in the reference index of _pkgdown.yml\n", unlisted), sep = "")
failed <- failed + (length(unlisted) > 0)

cat(sprintf("lint-r: %d passed, %d failed, 0 skipped\n", length(files) + whole + 1 - failed, failed))
quit(status = failed > 0)

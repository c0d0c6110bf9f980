# mathml.R - formulas of the built site as MathML, which browsers show without a script.
#
# Usage: Rscript tools/mathml.R [folder]. Formulas stand in pages as \( \), \[ \] or in spans of class math.
# All are given to pandoc at once. One that pandoc cannot read is printed, and the status is not 0.

folder <- c(commandArgs(TRUE), "docs")[[1]]
pages <- list.files(folder, "[.]html$", recursive = TRUE, full.names = TRUE)
read <- function(page) paste(readLines(page, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
texts <- vapply(pages, read, "")

# (code is no formula: what stands in pre and code is put aside)
span <- "<span class=\"math (?:inline|display)\">(?s:.*?)</span>"
pattern <- paste0("(?s)<pre.*?</pre>|<code.*?</code>|", span, "|\\\\\\(.*?\\\\\\)|\\\\\\[.*?\\\\\\]",
                  "|\\$\\$.*?\\$\\$")
places <- gregexpr(pattern, texts, perl = TRUE)
found <- regmatches(texts, places)
is_formula <- function(x) !grepl("^<(pre|code)", x)
display <- function(x) grepl("^(\\\\\\[|\\$\\$)|^<span class=\"math display\"", x)
bare <- function(x) {
  x <- sub("^<span[^>]*>", "", sub("</span>$", "", x))
  x <- gsub("</?[a-z]+[^>]*>", "", x)
  x <- sub("^(\\\\[([]|\\$\\$)", "", sub("(\\\\[])]|\\$\\$)$", "", trimws(x)))
  for (pair in list(c("&lt;", "<"), c("&gt;", ">"), c("&#39;", "'"), c("&quot;", "\""), c("&amp;", "&"))) {
    x <- gsub(pair[[1]], pair[[2]], x, fixed = TRUE)
  }
  gsub("[[:space:]]+", " ", trimws(x))
}

all <- unique(unlist(found))
all <- all[is_formula(all)]
if (length(all) > 0) {
  tex <- bare(all)
  source <- tempfile(fileext = ".md")
  # one paragraph a formula
  marks <- ifelse(display(all), "$$", "$")
  writeLines(paste0(marks, tex, marks, "\n"), source, useBytes = TRUE)
  target <- tempfile(fileext = ".html")
  system2("pandoc", c("-f", "markdown", "-t", "html", "--mathml", "--wrap=none", shQuote(source), "-o",
                      shQuote(target)), stdout = FALSE, stderr = FALSE)
  html <- read(target)
  made <- regmatches(html, gregexpr("(?s)<p>.*?</p>", html, perl = TRUE))[[1]]
  made <- sub("^<p>", "", sub("</p>$", "", made))
  # the annotation would show the source as text in old browsers, and doubles the pages
  made <- gsub("(?s)<annotation.*?</annotation>", "", made, perl = TRUE)
  # the end of a proof, which pandoc makes hardly larger than a full stop
  made <- gsub("\u25ab", "\u25a1", made, fixed = TRUE)
  if (length(made) != length(all)) stop("pandoc gave ", length(made), " formulas of ", length(all))
  bad <- !grepl("<math", made, fixed = TRUE)
  if (any(bad)) cat("no formula:", utils::head(tex[bad], 20), sep = "\n  ")
  made <- stats::setNames(made, all)
  for (i in seq_along(texts)) {
    new <- ifelse(is_formula(found[[i]]), made[found[[i]]], found[[i]])
    if (any(is_formula(found[[i]]))) {
      one <- texts[i]
      regmatches(one, places[i]) <- list(unname(new))
      # a full stop does not begin a line
      one <- gsub("(?s)(<math display=\"inline\"(?:(?!</math>).)*</math>)([.,;:)]+)",
                  "<span class=\"whole\">\\1\\2</span>", one, perl = TRUE)
      writeLines(one, pages[[i]], useBytes = TRUE)
    }
  }
  cat("mathml:", length(all), "formulas,", sum(bad), "not read\n")
  if (any(bad)) quit(status = 1)
}

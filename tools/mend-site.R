# mend-site.R - mends what pkgdown leaves in the built pages: paragraphs that it breaks after code, pictures
# without a text, and an empty picture where there is no logo.
#
# Usage: Rscript tools/mend-site.R [folder]

folder <- c(commandArgs(TRUE), "docs")[[1]]
for (page in list.files(folder, "[.]html$", recursive = TRUE, full.names = TRUE)) {
  old <- paste(readLines(page, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  text <- gsub("<img src=\"\" class=\"logo\" alt=\"\">", "", old, fixed = TRUE)
  # in the section Value, where a line of the source ends with code
  text <- gsub("</code></p>\\s*<p>(?=[a-z(&])", "</code> ", text, perl = TRUE)
  title <- gsub("<[^>]*>|\"|\n", "", sub("(?s).*?<h1>(.*?)</h1>.*", "\\1", text, perl = TRUE))
  text <- gsub("(<img src=\"[^\"]*-([0-9]+)[.]svg\") alt=\"\"",
               sprintf("\\1 alt=\"Picture \\2 of the examples: %s\"", title), text)
  text <- gsub("alt=\"\"(>\\s*<p class=\"caption\">([^<\"]*)<)", "alt=\"\\2\"\\1", text)
  if (!identical(text, old)) writeLines(text, page, useBytes = TRUE)
}

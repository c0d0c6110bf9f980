# format.R - lets styler put the spacing of R files in order, where it is installed.
#
# Usage: Rscript tools/format.R [file ...]; without files, those that differ from the last commit.
# Spaces only: line breaks and the alignment of arguments are the author's, lintr judges the rest.

changed <- function() {
  files <- system2("git", c("diff", "--name-only", "--diff-filter=d", "HEAD", "--", "'*.R'"), stdout = TRUE)
  new <- system2("git", c("ls-files", "--others", "--exclude-standard", "--", "'*.R'"), stdout = TRUE)
  c(files, new)
}

files <- commandArgs(trailingOnly = TRUE)
if (length(files) == 0) files <- changed()
if (!requireNamespace("styler", quietly = TRUE)) {
  message("format: styler is not installed: R files are left as they are")
} else if (length(files) > 0) {
  options(styler.cache_root = "styler", R.cache.rootPath = file.path("build", "styler"))
  styler::style_file(files, style = styler::tidyverse_style, scope = I("spaces"), strict = FALSE)
}

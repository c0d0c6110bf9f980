# site.R - looks for what a reader of the built site would miss: what is loaded from a network, and raw TeX.
#
# Usage: Rscript tools/site.R [folder]. Prints each finding; the last line counts the files. Lines of code of
# more than 80 characters are counted, but are no failure: pages wrap them.

folder <- c(commandArgs(TRUE), "docs")[[1]]
files <- list.files(folder, "[.](html|css|js)$", recursive = TRUE, full.names = TRUE)
loads <- c("<script[^>]*src=[\"'](https?:|file:|//)[^\"']*", "<link[^>]*href=[\"'](https?:|file:|//)[^\"']*",
           "<(img|iframe|video|source|object)[^>]*(src|data)=[\"'](https?:|file:|//)[^\"']*",
           "@import[^;]*(https?:|//)[^;]*", "url\\([\"']?(https?:|//)[^)]*")
longest <- 80

findings <- function(file) {
  text <- paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  text <- gsub("(?s)<!--.*?-->", "", text, perl = TRUE)
  said <- unlist(lapply(loads, function(what) regmatches(text, gregexpr(what, text, perl = TRUE))[[1]]))
  # a page's own address is no loading
  said <- grep("rel=[\"']?(canonical|license)", said, value = TRUE, invert = TRUE)
  if (!grepl("[.]html$", file)) return(said)
  code <- regmatches(text, gregexpr("(?s)<pre.*?</pre>", text, perl = TRUE))[[1]]
  prose <- gsub("(?s)<(pre|code|script|math|head).*?</\\1>", "", text, perl = TRUE)
  tex <- "\\\\[(\\[][^\n]{0,40}|\\\\(frac|varepsilon|sum|le|ge|delta)\\b[^\n]{0,20}"
  raw <- regmatches(prose, gregexpr(tex, prose, perl = TRUE))[[1]]
  lines <- unlist(strsplit(gsub("<[^>]*>", "", code), "\n", fixed = TRUE))
  wide <<- wide + sum(nchar(gsub("&[a-z#0-9]+;", "x", lines)) > longest & !grepl("^#>", lines))
  c(said, if (length(raw) > 0) paste("raw TeX:", raw))
}

bad <- wide <- 0
for (file in files) {
  said <- unique(findings(file))
  bad <- bad + (length(said) > 0)
  if (length(said) > 0) cat(file, paste0("  ", utils::head(said, 5)), sep = "\n")
}
cat(sprintf("lines of code above %d characters: %d\n", longest, wide))
cat(sprintf("site: %d passed, %d failed, 0 skipped\n", length(files) - bad, bad))
quit(status = as.integer(bad > 0 || length(files) == 0))

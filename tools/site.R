# site.R - looks for what a reader of the built site would miss: what is loaded from a network, raw TeX, and
# lines of code that are too long.
#
# Usage: Rscript tools/site.R [folder]. Prints each finding; the last line counts the pages.

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
  tex <- regmatches(prose, gregexpr("\\\\[(\\[][^\n]{0,40}|\\\\(frac|varepsilon|sum|le|ge|delta)\\b[^\n]{0,20}", prose,
                                    perl = TRUE))[[1]]
  wide <- character()
  if (grepl("/articles/", file)) {
    lines <- unlist(strsplit(gsub("<[^>]*>", "", code), "\n", fixed = TRUE))
    lines <- gsub("&[a-z#0-9]+;", "x", lines)
    wide <- lines[nchar(lines) > longest & !grepl("^#>", lines)]
  }
  c(said, if (length(tex) > 0) paste("raw TeX:", tex), if (length(wide) > 0) paste("long line:", wide))
}

bad <- 0
for (file in files) {
  said <- unique(findings(file))
  bad <- bad + (length(said) > 0)
  if (length(said) > 0) cat(file, paste0("  ", utils::head(said, 5)), sep = "\n")
}
cat(sprintf("site: %d passed, %d failed, 0 skipped\n", length(files) - bad, bad))
quit(status = as.integer(bad > 0 || length(files) == 0))

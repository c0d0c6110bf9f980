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

# Calls of the cheat sheet with arguments that the package's functions do not have.
strange_calls <- function(file) {
  text <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  code <- regmatches(text, gregexpr("(?s)(?<=<pre class=\"calls\">).*?(?=</pre>)", text, perl = TRUE))[[1]]
  calls <- parse(text = code, keep.source = FALSE)
  strange <- function(call) {
    if (identical(call[[1]], quote(`<-`))) call <- call[[3]]
    fun <- get0(as.character(call[[1]]), asNamespace("dpdepth"), mode = "function")
    if (is.null(fun)) return(paste("no such function:", deparse(call, 200L)))
    given <- names(match.call(fun, call))[-1]
    # dp_by() hands on what its release takes
    further <- if (identical(call[[1]], quote(dp_by))) names(formals(dpdepth::dp_median))
    taken <- c(names(formals(fun)), further)
    bare <- vapply(formals(fun), function(default) is.name(default) && !nzchar(as.character(default)), NA)
    missing <- setdiff(names(formals(fun))[bare], c("...", given))
    if (length(missing) > 0 || !all(given %in% taken)) paste("wrong arguments:", deparse(call, 200L))
  }
  unlist(lapply(calls, strange))
}

bad <- wide <- 0
for (file in files) {
  said <- unique(c(findings(file), if (basename(file) == "cheatsheet.html") strange_calls(file)))
  bad <- bad + (length(said) > 0)
  if (length(said) > 0) cat(file, paste0("  ", utils::head(said, 5)), sep = "\n")
}
cat(sprintf("lines of code above %d characters: %d\n", longest, wide))
cat(sprintf("site: %d passed, %d failed, 0 skipped\n", length(files) - bad, bad))
quit(status = as.integer(bad > 0 || length(files) == 0))

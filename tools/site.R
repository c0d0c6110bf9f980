# site.R - looks for what a reader of the built site would miss: what is loaded from a network, raw TeX, links
# and pictures that lead nowhere, pictures without a text, and warnings that repeat.
#
# Usage: Rscript tools/site.R [folder]. Prints each finding; the last line counts the files.

folder <- c(commandArgs(TRUE), "docs")[[1]]
files <- list.files(folder, "[.](html|css|js)$", recursive = TRUE, full.names = TRUE)
loads <- c("<script[^>]*src=[\"'](https?:|file:|//)[^\"']*", "<link[^>]*href=[\"'](https?:|file:|//)[^\"']*",
           "<(img|iframe|video|source|object)[^>]*(src|data)=[\"'](https?:|file:|//)[^\"']*",
           "@import[^;]*(https?:|//)[^;]*", "url\\([\"']?(https?:|//)[^)]*")
longest <- 80

# The local files that a page links to or loads, and where it does not say which, "".
links_of <- function(text) {
  found <- regmatches(text, gregexpr("\\b(href|src)=\"[^\"]*\"", text, perl = TRUE))[[1]]
  target <- sub("\"$", "", sub("^[a-z]+=\"", "", unique(found)))
  target <- gsub("&amp;", "&", target[!grepl("^(https?:|mailto:|data:|#|//)", target)], fixed = TRUE)
  utils::URLdecode(target)
}

# Is the file what its name says?
is_whole <- function(file) {
  if (!file.exists(file)) return(FALSE)
  first <- readBin(file, "raw", 256L)
  text <- rawToChar(first[first != 0])
  switch(tools::file_ext(file), svg = grepl("<svg", text, useBytes = TRUE),
         png = identical(first[1:4], as.raw(c(0x89, 0x50, 0x4e, 0x47))), TRUE)
}

dead_links <- function(file, text) {
  dead <- Filter(function(target) {
    path <- sub("[?#].*", "", target)
    if (!nzchar(path)) return(!startsWith(target, "#"))
    goal <- file.path(dirname(file), path)
    if (dir.exists(goal)) goal <- file.path(goal, "index.html")
    mark <- if (grepl("#", target)) sub("^[^#]*#", "", target) else ""
    if (!is_whole(goal)) return(TRUE)
    nzchar(mark) && !mark %in% marks_of(goal)
  }, links_of(text))
  if (length(dead) > 0) paste("leads nowhere:", ifelse(nzchar(dead), dead, "(an empty address)"))
}

known_marks <- list()
marks_of <- function(page) {
  page <- normalizePath(page)
  if (is.null(known_marks[[page]])) {
    text <- paste(readLines(page, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
    found <- regmatches(text, gregexpr("\\b(id|name)=\"[^\"]*\"", text, perl = TRUE))[[1]]
    known_marks[[page]] <<- sub("\"$", "", sub("^[a-z]+=\"", "", found))
  }
  known_marks[[page]]
}

# Outputs that stand on a page more than twice, one as the other.
repeated <- function(code) {
  lines <- unlist(strsplit(gsub("<[^>]*>", "", code), "\n", fixed = TRUE))
  often <- table(grep("Warning:", lines, value = TRUE))
  if (any(often > 2)) paste("repeated:", names(often)[often > 2])
}

findings <- function(file) {
  text <- paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  text <- gsub("(?s)<!--.*?-->", "", text, perl = TRUE)
  said <- unlist(lapply(loads, function(what) regmatches(text, gregexpr(what, text, perl = TRUE))[[1]]))
  # a page's own address is no loading
  said <- grep("rel=[\"']?(canonical|license)", said, value = TRUE, invert = TRUE)
  if (!grepl("[.]html$", file)) return(said)
  # a page's usage is laid out by R
  shown <- gsub("(?s)id=\"ref-usage\".*?</pre>", "", text, perl = TRUE)
  code <- regmatches(shown, gregexpr("(?s)<pre.*?</pre>", shown, perl = TRUE))[[1]]
  prose <- gsub("(?s)<(pre|code|script|math|head).*?</\\1>", "", text, perl = TRUE)
  tex <- "\\\\[(\\[][^\n]{0,40}|\\\\(frac|varepsilon|sum|le|ge|delta)\\b[^\n]{0,20}"
  raw <- regmatches(prose, gregexpr(tex, prose, perl = TRUE))[[1]]
  lines <- gsub("&[a-z#0-9]+;", "x", unlist(strsplit(gsub("<[^>]*>", "", code), "\n", fixed = TRUE)))
  # (capitals: pages for who works on the package, whose drawings are as wide as their sources)
  wide <- if (!grepl("^[A-Z]+[.]html$", basename(file))) lines[nchar(lines) > longest & !grepl("^#", lines)]
  marked <- function(what, found) if (length(found) > 0) paste(what, found)
  head <- sub("</head>.*", "", text)
  pictures <- regmatches(text, gregexpr("<img[^>]*>", text))[[1]]
  mute <- sub(".*src=\"([^\"]*)\".*", "\\1", grep("alt=\"[^\"]", pictures, value = TRUE, invert = TRUE))
  c(said, marked("raw TeX:", raw), marked("wide:", wide), if (grepl("<math", head)) "a formula in the head",
    marked("no text for", mute), repeated(code), dead_links(file, text))
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

# A page with one breach of each kind, which must be found.
planted <- function() {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  file.create(file.path(folder, "empty.png"))
  page <- file.path(folder, "page.html")
  writeLines(c("<head><meta content=\"<math>\"></head><script src=\"https://x.js\"></script>", "\\(x\\)",
               "<a href=\"none.html\"></a><a href=\"page.html#none\"></a>",
               "<img src=\"\"><img src=\"empty.png\" alt=\"\">",
               "<pre>", strrep("x", 81), rep("#&gt; Warning: y", 3), "</pre>"), page)
  said <- findings(page)
  kinds <- c("^<script", "^raw TeX", "^wide", "formula in the head", "^repeated", "none.html", "#none$",
             "empty address", "empty.png", "^no text for empty.png")
  kinds[!vapply(kinds, function(kind) any(grepl(kind, said)), NA)]
}

missed <- planted()
if (length(missed) > 0) stop("breaches that were planted and not found: ", toString(missed))

bad <- 0
for (file in files) {
  said <- unique(c(findings(file), if (basename(file) == "cheatsheet.html") strange_calls(file)))
  bad <- bad + (length(said) > 0)
  if (length(said) > 0) cat(file, paste0("  ", utils::head(said, 8)), sep = "\n")
}
cat(sprintf("site: %d passed, %d failed, 0 skipped\n", length(files) - bad, bad))
quit(status = as.integer(bad > 0 || length(files) == 0))

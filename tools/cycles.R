# cycles.R - files of R/ that call each other in a circle: one line a circle, "a.R b.R ..."; and calls that
# point up from one family of files to another: "a.R -> b.R"; and names that two files define, of which one is
# lost: "name: a.R b.R".
#
# Usage: Rscript tools/cycles.R [root]
# A file calls another if one of its expressions names a function that the other defines at top level.

args <- commandArgs(trailingOnly = TRUE)
files <- list.files(file.path(if (length(args) > 0) args[[1]] else ".", "R"), "[.]R$", full.names = TRUE)
code <- lapply(files, parse, keep.source = FALSE)
names(code) <- basename(files)

# Names that an expression assigns at top level, and all names that it uses.
assigned <- function(e) {
  if (is.call(e) && identical(e[[1]], quote(`<-`)) && is.name(e[[2]])) as.character(e[[2]])
}
defined <- lapply(code, function(exprs) unlist(lapply(exprs, assigned)))
used <- lapply(code, function(exprs) {
  unique(unlist(lapply(exprs, function(e) all.names(if (length(assigned(e))) e[[3]] else e))))
})
calls <- vapply(names(code), function(to) {
  vapply(names(code), function(from) from != to && any(used[[from]] %in% defined[[to]]), NA)
}, logical(length(code)))
calls <- matrix(calls, length(code), dimnames = list(names(code), names(code))) # rows: from; columns: to

# Two files are in one circle if each reaches the other.
reach <- calls
for (k in seq_along(code)) reach <- reach | outer(reach[, k], reach[k, ], `&`)
circle <- reach & t(reach)
seen <- character()
for (file in names(code)) {
  ring <- names(code)[circle[file, ]]
  if (length(ring) > 1 && !file %in% seen) {
    cat(ring, "\n")
    if (nzchar(Sys.getenv("CYCLES_WHY"))) {
      for (from in ring) for (to in setdiff(ring, from)) {
        what <- intersect(used[[from]], defined[[to]])
        if (length(what) > 0) cat("  ", from, "->", to, ":", what, "\n")
      }
    }
    seen <- c(seen, ring)
  }
}

# Families by prefix, from the front doors down to what all share; what has no row may call whom it likes.
# Rivals stand above the doors: nothing that is proved calls them.
families <- c(rival = 1, diagnostics = 1, audit = 1, dp = 2, plan = 2, simulate = 2, margin = 3, sens = 3,
              ptr = 3, mech = 4, private = 4, pipeline = 4, release = 5, ledger = 5, prior = 5, check = 5,
              condition = 5, search = 5, rng = 5, host = 5, nonprivate = 5)
level <- families[sub("[-.].*", "", names(code))]
up <- which(outer(level, level, `>`) & calls, arr.ind = TRUE)
cat(sprintf("%s -> %s\n", names(code)[up[, 1]], names(code)[up[, 2]]), sep = "")

# the later file would win, in silence
where <- split(rep(names(code), lengths(defined)), unlist(defined))
where <- where[lengths(where) > 1]
cat(sprintf("%s: %s\n", names(where), vapply(where, paste, "", collapse = " ")), sep = "")

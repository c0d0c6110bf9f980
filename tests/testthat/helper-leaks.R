# Whether a release holds given numbers, in any form in which it can be seen or saved.

# Everything that can be seen of a release, as text and as bytes.
visible_text <- function(r) {
  shown <- utils::capture.output({
    dput(r)
    # of an environment, dput() says that it cannot be complete
    suppressWarnings(dput(r, control = "exact"))
    print(r)
    print(unclass(r), digits = 17)
    str(r)
    print(summary(r))
    str(summary(r))
    utils::write.csv(as.data.frame(r))
  })
  paste(c(shown, format(r), format(r, digits = 17), deparse(r)), collapse = "\n")
}

holds_bytes <- function(bytes, value) {
  for (pattern in list(writeBin(value, raw(), endian = "big"), writeBin(value, raw(), endian = "little"))) {
    if (length(grepRaw(pattern, bytes, fixed = TRUE)) > 0) return(TRUE)
  }
  FALSE
}

leaks <- function(r, canaries) {
  text <- visible_text(r)
  bytes <- serialize(r, NULL)
  found <- vapply(canaries, function(v) {
    holds_bytes(bytes, v) || grepl(substr(format(v, digits = 15), 1, 8), text, fixed = TRUE) ||
      length(grepRaw(charToRaw(substr(format(v, digits = 15), 1, 8)), bytes, fixed = TRUE)) > 0
  }, NA)
  sum(found)
}

# In the data of all calls: a number that must show in no message and no release.
canary <- 0.7313731

canary_text <- "7313731"

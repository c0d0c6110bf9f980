# strip.awk - blanks comments and the insides of strings, line by line, so that what is left is code.
#
# For awk -f strip.awk -f another. strip(line, lang) sets `bare`, the line without comments and strings, and
# `full`, with its strings (for #include "x.h"); lang is "c" or "r". strip_open() begins a file.

function strip_open() {
  in_comment = 0
  quote = ""
}

function strip(line, lang,    ch, at) {
  bare = full = ""
  while (line != "") {
    if (in_comment) {
      at = index(line, "*/")
      if (at == 0) return
      in_comment = 0
      line = substr(line, at + 2)
      continue
    }
    # what is up to the next letter that may end a string, or begin one or a comment
    if (!match(line, quote != "" ? "[\"'\\\\]" : lang == "c" ? "[\"'/]" : "[\"'#]")) {
      full = full line
      if (quote == "") bare = bare line
      break
    }
    ch = substr(line, RSTART, 1)
    full = full substr(line, 1, RSTART - 1)
    if (quote == "") bare = bare substr(line, 1, RSTART - 1)
    line = substr(line, RSTART)
    at = 1 # letters taken
    if (quote != "") {
      if (ch == "\\") at = 2
      else if (ch == quote) {
        quote = ""
        bare = bare ch
      }
    } else if (ch == "#" || line ~ /^\/\//) return
    else if (line ~ /^\/\*/) {
      in_comment = 1
      full = full " "
      bare = bare " "
      line = substr(line, 3)
      continue
    } else {
      if (ch != "/") quote = ch
      bare = bare ch
    }
    full = full substr(line, 1, at)
    line = substr(line, at + 1)
  }
  # a C string does not go past its line; an R string may
  if (lang == "c") quote = ""
}

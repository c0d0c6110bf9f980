# strip.awk - blanks comments and the insides of strings, line by line, so that what is left is code.
#
# Variables: lang = "c" or "r"; strings = 1 keeps strings (for #include "x.h").

BEGIN { in_comment = 0; quote = "" }
{
  out = ""
  len = length($0)
  for (i = 1; i <= len; i++) {
    ch = substr($0, i, 1)
    two = substr($0, i, 2)
    if (in_comment) {
      if (two == "*/") { in_comment = 0; i++ }
      continue
    }
    if (quote != "") {
      if (strings) out = out ch
      if (ch == "\\") { i++; if (strings) out = out substr($0, i, 1) }
      else if (ch == quote) { quote = ""; if (!strings) out = out ch }
      continue
    }
    if (lang == "c" && two == "/*") { in_comment = 1; i++; out = out " "; continue }
    if (lang == "c" && two == "//") break
    if (lang == "r" && ch == "#") break
    if (ch == "\"" || ch == "'") quote = ch
    out = out ch
  }
  # a C string does not go past its line; an R string may
  if (lang == "c") quote = ""
  print out
}

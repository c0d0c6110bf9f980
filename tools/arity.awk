# arity.awk - names the functions of a C file, stripped by strip.awk, that have `most` parameters or more.
#
# Looks at declarations and definitions, which are outside of braces, and at pointers to functions anywhere.
# Entries of .Call (ffi_*) are let pass: their parameters are those of R's call.

/^[ ]*#/ || in_macro { in_macro = /\\$/; next }
{ text = text $0 " " }
END {
  len = length(text)
  for (i = 1; i <= len; i++) {
    ch = substr(text, i, 1)
    if (ch == "{") braces++
    if (ch == "}") braces--
    if (counting && ch == "," && parens == 1) count++
    if (ch == "(") {
      if (!parens && (braces == 0 || before == ")")) { counting = 1; count = 1; name = word }
      parens++
    }
    if (ch == ")" && --parens == 0 && counting) {
      if (count >= most && name !~ /^ffi_/) print name "() has " count " parameters (a struct from " most " on)"
      counting = 0
    }
    if (ch ~ /[A-Za-z0-9_]/) word = (last ~ /[A-Za-z0-9_]/) ? word ch : ch
    if (ch != " ") before = ch
    last = ch
  }
}

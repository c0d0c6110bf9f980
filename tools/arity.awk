# arity.awk - the functions of C code that have many parameters.
#
# For awk -f arity.awk -f another. arity(line) takes the code of a file line by line and returns a message if
# a function on it has `arity_most` parameters or more. Looks at declarations and definitions, which are
# outside of braces, and at pointers to functions anywhere. Entries of .Call (ffi_*) are let pass: their
# parameters are those of R's call. arity_open() begins a file.

function arity_open() {
  braces = parens = counting = in_macro = 0
  latest = before = ""
}

function arity(line,    ch, out) {
  if (in_macro || line ~ /^[ ]*#/) {
    in_macro = line ~ /\\$/
    return ""
  }
  out = ""
  while (match(line, /[A-Za-z0-9_]+|[^ A-Za-z0-9_]/)) {
    ch = substr(line, RSTART, RLENGTH)
    line = substr(line, RSTART + RLENGTH)
    if (ch == "{") braces++
    else if (ch == "}") braces--
    else if (ch == ",") {
      if (counting && parens == 1) parameters++
    } else if (ch == "(") {
      if (!parens && (braces == 0 || before == ")")) {
        counting = parameters = 1
        called = latest
      }
      parens++
    } else if (ch == ")") {
      if (--parens == 0 && counting) {
        if (parameters >= arity_most && called !~ /^ffi_/)
          out = called "() has " parameters " parameters (a struct from " arity_most " on)"
        counting = 0
      }
    } else if (ch ~ /^[A-Za-z0-9_]/) latest = ch
    before = ch
  }
  return out
}

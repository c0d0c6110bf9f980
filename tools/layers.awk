# layers.awk - the rules that the text of the files decides, in one pass; run by layers.sh.
#
# awk -v work=FOLDER -f strip.awk -f arity.awk -f layers.awk FILE...: names of files begin at the root. Prints
# the breaches; counts, and who includes and who calls whom, go to files in `work`.

BEGIN {
  arity_most = 7
  word = "(^|[^A-Za-z0-9_.])"
  r_words = word "(SEXP|SEXPREC|Rf_[A-Za-z]|R_alloc|R_Calloc|R_Free|R_Nil|R_Check|R_Exec" \
    "|R_Unwind|R_ToplevelExec|R_Flush|PROTECT|UNPROTECT|GetRNGstate|PutRNGstate|(error|warning)[ ]*[(]" \
    "|Rprintf|REprintf|Rvprintf|R_ShowMessage)"
  print_words = word "((printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|putc|fputc|fwrite|perror)[ ]*[(]" \
    "|std(out|err))"
  raise_words = word "((abort|exit|_Exit|quick_exit|raise|signal|longjmp|setjmp|assert)[ ]*[(])"
  laws = "norm|unif|exp|gamma|beta|chisq|nchisq|cauchy|weibull|logis|lnorm|binom|pois|geom|hyper|nbinom" \
    "|multinom|signrank|wilcox"
  rng_words = word "(r(" laws "|t|f)[ ]*[(]|(unif|norm|exp)_rand|R_unif_index|set_seed|get_seed" \
    "|(s?rand|rand_r|random|srandom|[dlm]rand48)[ ]*[(])"
  entropy_words = word "(getrandom|getentropy|arc4random|BCrypt|/dev/u?random|_rd(rand|seed))"
  memory_words = word "((malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|alloca" \
    "|strn?dup|mmap|free)[ ]*[(])"
  r_draws = word "((sample|sample[.]int|set[.]seed|RNGkind|RNGversion|rt|rf)[ ]*[(]|[.]Random[.]seed" \
    "|r(" laws "|wishart)([^A-Za-z0-9_.]|$))"
  clock = word "((setTimeLimit|setSessionTimeLimit|Sys[.]time|Sys[.]sleep|proc[.]time|system[.]time" \
    "|date)[ ]*[(]|sleep [0-9])"
  c99 = "^<(assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdarg" \
    "|stdbool|stddef|stdint|stdio|stdlib|string|tgmath|time|wchar|wctype)[.]h>$"
  other_headers = "^(<R_ext/(BLAS|Lapack|RS)[.]h>|<Rmath[.]h>|<omp[.]h>)$"
  entropy_headers = "^<(fcntl|unistd|sys/(random|stat|types)|windows|bcrypt)[.]h>$"
  journal_headers = "^<(fcntl|unistd|sys/(file|stat)|windows|io)[.]h>$"
  no_first_line = "line 1 is not a comment that says what the file is"
  for (i = 1; i < ARGC; i++) there[ARGV[i]] = 1
}

# --- the verdicts: one a rule and file --------------------------------------------

function looked(rule, file) { verdict[rule " " file] += 0 }

function breach(rule, file, message) {
  if (++verdict[rule " " file] <= 5) print "layers: [" rule "] " file ": " message
}

# The line in which `text` has one of the words.
function forbid(rule, text, words) {
  looked(rule, FILENAME)
  if (text ~ words) breach(rule, FILENAME, FNR ":" text)
}

# --- what may include what ----------------------------------------------------------

# The folders from the bottom to the top; one includes what is below it, and its own files.
function rank(name) {
  if (name == "dpd.h") return 0
  if (name ~ /^num\//) return 1
  if (name ~ /^(plane|geom)\//) return 2
  if (name ~ /^depth\//) return 3
  if (name ~ /^median\//) return 4
  if (name ~ /^(margin|sens|samp)\//) return 5
  if (name ~ /^mech\//) return 6
  if (name ~ /^r\// || name == "init.c") return 7 # R wants a file of C in src/ itself
  return -1
}

function folder(name) {
  sub(/\/.*/, "", name)
  return name
}

# A file, its header and its private header (x_state.h) are one room.
function room(name, whole) {
  sub(/[.][ch]$/, "", name)
  if (whole) sub(/_state$/, "", name)
  return name
}

function may_include(from, to) {
  if (rank(from) < 0 || rank(to) < 0) return 0
  return rank(to) < rank(from) || folder(from) == folder(to) || (from == "init.c" && folder(to) == "r")
}

function check_include(header) {
  sub(/^[ ]*#[ ]*include[ ]*/, "", header)
  sub(/[ ]*$/, "", header)
  if (header ~ /^".*"$/) {
    header = substr(header, 2, length(header) - 2)
    if (!may_include(name, header))
      breach("includes", FILENAME, "includes \"" header "\", which is not below it")
    if (room(header, 1) != room(name, 1)) print room(name, 1), room(header, 1) >(work "/includes")
    return
  }
  if (name ~ /^r\// || name == "init.c" || header ~ c99 || header ~ other_headers) return
  if (name ~ "^samp/entropy[.][ch]$" && header ~ entropy_headers) return
  if (name == "num/journal.c" && header ~ journal_headers) return
  breach("includes", FILENAME, "includes " header)
}

# --- C ---------------------------------------------------------------------------------

function open_c() {
  name = FILENAME
  sub(/^src\//, "", name)
  pure = name !~ /^r\// && name != "init.c"
  glue = name ~ /^r\/.*c$/ && name != "r/host.c"
  defines = ""
  c_file[FILENAME] = name
  looked("memory", FILENAME)
  looked("arity", FILENAME)
  looked("includes", FILENAME)
  looked("one-function", FILENAME)
  if (rank(name) < 0) breach("includes", FILENAME, "the folder names no layer")
  arity_open()
}

# The names dpd_* that a file of code says. A kernel's header does not count: what is told of must be below,
# wherever its prototype stands.
function note_names(text,    before, at) {
  while ((at = match(text, /dpd_[A-Za-z0-9_]+/)) > 0) {
    before = at > 1 ? substr(text, at - 1, 1) : " "
    if (before !~ /[A-Za-z0-9_]/) named[substr(text, at, RLENGTH) " " room(name, 0)] = 1
    text = substr(text, at + RLENGTH)
  }
}

# A definition has its { in column one, a declaration a semicolon. Static functions of headers count: two of
# one name in one file that includes both do not compile.
function note_definition(text) {
  if (text ~ /^[A-Za-z].*[ *]dpd_[a-z0-9_]*[(]/) {
    defines = text
    sub(/[(].*/, "", defines)
    sub(/.*[ *]/, "", defines)
  }
  if (text ~ /;[ ]*$/) defines = ""
  if (text ~ /^[{]/ && defines != "") {
    if (!((defines " " FILENAME) in defined)) {
      defined[defines " " FILENAME] = 1
      times[defines]++
    }
    defines = ""
  }
}

function check_c(    many) {
  strip($0, "c")
  if (pure) {
    forbid("knows-R", bare, r_words)
    forbid("prints", bare, print_words)
    forbid("raises", bare, raise_words)
    forbid("bypasses-rng", bare, rng_words)
    if (name != "samp/entropy.c") forbid("takes-entropy", full, entropy_words)
  }
  # the glue asks R, and host.c, whether there is enough
  if (name != "num/list.c" && name != "r/host.c") forbid("memory", bare, memory_words)
  if (glue) forbid("one-stream", bare, rng_words)
  if (bare ~ word "GetRNGstate[ ]*[(]") get_state = get_state " " FILENAME
  if (bare ~ word "PutRNGstate[ ]*[(]") put_state = put_state " " FILENAME
  if ((many = arity(bare)) != "") breach("arity", FILENAME, many)
  if (full ~ /^[ ]*#[ ]*include/) check_include(full)
  if (bare ~ /dpd_|^[{]|;[ ]*$/) note_definition(bare)
  if (is_code && bare ~ /dpd_/) note_names(bare)
}

# --- R ----------------------------------------------------------------------------------

# The mark `# public-rng: <why>` excuses a line of R that draws for a simulation.
function check_package(    f) {
  if (match($0, /^[A-Za-z_.][A-Za-z0-9_.]* <- function/)) {
    f = $1
    if (!((f " " FILENAME) in r_defined)) {
      r_defined[f " " FILENAME] = 1
      r_times[f]++
    }
  }
  if ($0 ~ /^[A-Za-z.][A-Za-z0-9._]* <- /) has_code[FILENAME] = 1
  strip($0 ~ /# public-rng: / ? "" : $0, "r")
  forbid("R-draws", bare, r_draws)
}

# A test must not depend on the clock or on the load; the mark `# clock: <why>` excuses a line that does not.
function check_test() {
  strip($0 ~ /# clock: / ? "" : $0, "r")
  forbid("no-clock", full, clock)
}

# --- every file ------------------------------------------------------------------------

function open_file() {
  kind = ""
  if (FILENAME ~ /^src\/.*[.][ch]$/) kind = "c"
  else if (FILENAME ~ /^R\//) kind = "package"
  else if (FILENAME ~ /^tests\/(testthat\/|audit\/)?[^\/]*[.]R$/) kind = "test"
  formed = FILENAME !~ /Makevars/
  is_code = FILENAME ~ /[.]c$/
  body = 0
  most = FILENAME ~ /[.][ch]$/ ? 100 : FILENAME ~ /[.]R$/ ? 110 : 0
  strip_open()
  if (kind == "c") open_c()
  if (kind == "package") {
    package[FILENAME] = 1
    looked("one-function", FILENAME)
  }
  if (!formed) return
  seen[FILENAME] = 1
  looked("first-line", FILENAME)
  looked("length", FILENAME)
  if (most) looked("line-length", FILENAME)
  if (is_code) looked("function-length", FILENAME)
  if ($0 !~ /^(\/[*]|#) ........../) breach("first-line", FILENAME, no_first_line)
}

FNR == 1 { open_file() }

!formed { # a list of objects
  for (i = 1; i <= NF; i++) listed[FILENAME " " $i] = 1
  lists[FILENAME] = 1
  next
}

# A function's body runs from { to } in column one.
function check_body() {
  if ($0 ~ /^[{]/) body = FNR
  if ($0 !~ /^[}]/) return
  if (body && FNR - body - 1 > 72)
    breach("function-length", FILENAME, "the function at line " body " has " FNR - body - 1 " lines")
  body = 0
}

{
  lines[FILENAME] = FNR
  if (is_code) check_body()
  if (most && length($0) > most)
    breach("line-length", FILENAME, "line " FNR " has " length($0) " characters (at most " most ")")
  if (kind == "c") check_c()
  else if (kind == "package") check_package()
  else if (kind == "test") check_test()
}

# --- what more than one file decides -------------------------------------------------------

function check_stream(called, files) {
  if (files != " src/r/host.c")
    breach("one-stream", "src", called "() is called in:" files " (once, in src/r/host.c)")
}

# A file that is not in OBJECTS is not built.
function check_objects(list,    f, o) {
  looked("objects", list)
  for (f in c_file) {
    o = f
    if (!sub(/[.]c$/, ".o", o)) continue
    sub(/^src\//, "", o)
    if (!((list " " o) in listed)) breach("objects", list, "does not list " o)
  }
}

# A second function of the same name would silently replace the first.
function check_names(defined, times, where,    k, at) {
  for (k in defined) {
    split(k, at, " ")
    if (times[at[1]] > 1) breach("one-function", at[2], "defined more than once in " where ": " at[1])
  }
}

function note_calls(    k, at, to, rooms, to_rooms, i, n) {
  for (k in defined) {
    split(k, at, " ")
    to = at[2]
    sub(/^src\//, "", to)
    rooms[at[1]] = rooms[at[1]] " " room(to, 0)
  }
  for (k in named) {
    split(k, at, " ")
    n = split(rooms[at[1]], to_rooms, " ")
    for (i = 1; i <= n; i++) if (to_rooms[i] != at[2]) print at[2], to_rooms[i] >(work "/calls")
  }
}

# A file of R/ has a test of its name, unless it is a help page without code, and a test has its source. A
# plain C test is named after the file that it tests first.
function check_stems(    f, stem, c) {
  for (f in has_code) {
    looked("stems", f)
    stem = "tests/testthat/test-" substr(f, 3)
    if (!(stem in there)) breach("stems", f, "there is no " stem)
  }
  for (f in c_file) {
    stem = f
    sub(/.*\//, "", stem)
    sub(/[.][ch]$/, "", stem)
    c["tests/ctest/test_" stem ".c"] = 1
  }
  for (f in there) {
    stem = f
    if (sub(/^tests\/testthat\/test-/, "R/", stem)) {
      looked("stems", f)
      if (!(stem in there)) breach("stems", f, "there is no " stem " that it tests")
    } else if (f ~ /^tests\/ctest\/test_.*[.]c$/) {
      looked("stems", f)
      if (!(f in c)) breach("stems", f, "there is no file in src/ that it tests")
    }
  }
}

END {
  for (f in there) {
    if (f ~ /Makevars/) continue
    if (!(f in seen)) breach("first-line", f, no_first_line)
    if (lines[f] > 400) breach("length", f, lines[f] " lines (at most 400)")
  }
  looked("one-stream", "src")
  check_stream("GetRNGstate", get_state)
  check_stream("PutRNGstate", put_state)
  for (f in lists) check_objects(f)
  check_names(defined, times, "src/")
  check_names(r_defined, r_times, "R/")
  note_calls()
  check_stems()
  for (v in verdict) {
    if (verdict[v] > 0) failed++
    else passed++
  }
  print passed + 0, failed + 0 >(work "/counts")
}

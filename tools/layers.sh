# layers.sh - looks for breaches of the C layers and the house rules that a machine can see.
#
# Usage: bash tools/layers.sh [root [text]]
#
# With `text` nothing is compiled, so that only what the text says is checked.
# Every rule is checked once for each file it speaks of; the last line counts them.
# The rules are explained in ARCHITECTURE.md and CONTRIBUTING.md; tools/layers-selftest.sh
# plants a breach of each and sees it caught.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$here/..}" || exit 1
only=${2:-}
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# verdict RULE FILE [what is wrong]: counts, and prints what is wrong.
verdict() {
  if [ -z "${3:-}" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf '%s\n' "$3" | head -n 5 | sed "s|^|layers: [$1] $2: |"
  fi
}

# code LANGUAGE FILE [1: with strings]: the file without comments, stripped once.
code() {
  local stripped="$work/$1-${3:-0}-${2//\//_}"
  [ -e "$stripped" ] || awk -v lang="$1" -v strings="${3:-0}" -f "$here/strip.awk" "$2" >"$stripped"
  cat "$stripped"
}

# words PATTERN: lines of the code on stdin that hold one of the words.
words() { grep -nE "(^|[^A-Za-z0-9_.])($1)" || true; }

# Every C file of src/: the folder is the layer.
c_files() { find src -name '*.[ch]' | LC_ALL=C sort; }
pure_files() { c_files | grep -v '^src/r/' | grep -v '^src/init[.]c$'; }

# --- what pure files may say -------------------------------------------------

r_words='SEXP|SEXPREC|Rf_[A-Za-z]|R_alloc|R_Calloc|R_Free|R_Nil|R_Check|R_Exec|R_Unwind|R_ToplevelExec|R_Flush'
r_words="$r_words"'|PROTECT|UNPROTECT|GetRNGstate|PutRNGstate|(error|warning)[ ]*\(|Rprintf|REprintf|Rvprintf|R_ShowMessage'
print_words='(printf|fprintf|vprintf|vfprintf|puts|fputs|putchar|putc|fputc|fwrite|perror)[ ]*\(|std(out|err)'
raise_words='(abort|exit|_Exit|quick_exit|raise|signal|longjmp|setjmp|assert)[ ]*\('
draw='norm|unif|exp|gamma|beta|chisq|nchisq|t|f|cauchy|weibull|logis|lnorm|binom|pois|geom|hyper|nbinom|multinom|signrank|wilcox'
rng_words="r($draw)[ ]*\\(|(unif|norm|exp)_rand|R_unif_index|set_seed|get_seed|(s?rand|rand_r|random|srandom|[dlm]rand48)[ ]*\\("
entropy_words='getrandom|getentropy|arc4random|BCrypt|/dev/u?random|_rd(rand|seed)'

check_words() {
  code c "$1" >"$work/code"
  verdict knows-R "$1" "$(words "$r_words" <"$work/code")"
  verdict prints "$1" "$(words "$print_words" <"$work/code")"
  verdict raises "$1" "$(words "$raise_words" <"$work/code")"
  verdict bypasses-rng "$1" "$(words "$rng_words" <"$work/code")"
  [ "$1" = src/samp/entropy.c ] || verdict takes-entropy "$1" "$(code c "$1" 1 | words "$entropy_words")"
}

# --- memory: one file asks for it ----------------------------------------------

memory_words='(malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|alloca|strn?dup|mmap|free)[ ]*[(]'

# The glue asks R, and host.c, whether there is enough.
check_memory() {
  case $1 in src/num/list.c | src/r/host.c) return ;; esac
  verdict memory "$1" "$(code c "$1" | words "$memory_words")"
}

check_arity() {
  verdict arity "$1" "$(code c "$1" | awk -v most=7 -f "$here/arity.awk")"
}

# A file that is not in OBJECTS is not built.
check_objects() {
  local list
  for list in src/Makevars src/Makevars.win; do
    [ ! -e "$list" ] || verdict objects "$list" "$(c_files | sed -n 's|^src/\(.*\)[.]c$|\1.o|p' | while read -r o; do
      grep -qE "^ *$o( |\$)" "$list" || echo "does not list $o"
    done)"
  done
}

# --- what may include what ---------------------------------------------------

c99='assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdarg|stdbool|stddef'
c99="<($c99|stdint|stdio|stdlib|string|tgmath|time|wchar|wctype)\\.h>"
blas='<R_ext/(BLAS|Lapack|RS)\.h>'
entropy_headers='<(fcntl|unistd|sys/(random|stat|types)|windows|bcrypt)\.h>'

# The folders from the bottom to the top; one includes what is below it, and its own files.
rank() {
  case $1 in
    dpd.h) echo 0 ;;
    num/*) echo 1 ;;
    plane/* | geom/*) echo 2 ;;
    depth/*) echo 3 ;;
    median/*) echo 4 ;;
    margin/* | sens/* | samp/*) echo 5 ;;
    mech/*) echo 6 ;;
    r/* | init.c) echo 7 ;; # R wants a file of C in src/ itself
    *) echo none ;;
  esac
}

# may_include FILE HEADER: down, or within the folder.
may_include() {
  local from to
  from=$(rank "$1") to=$(rank "$2")
  [ "$from" != none ] && [ "$to" != none ] || return 1
  [ "$to" -lt "$from" ] || [ "${1%%/*}" = "${2%%/*}" ] || [ "$1 ${2%%/*}" = "init.c r" ]
}

check_includes() {
  local name=${1#src/} header bad=""
  [ "$(rank "$name")" != none ] || bad="the folder names no layer"
  code c "$1" 1 | grep -E '^[ ]*#[ ]*include' >"$work/includes" || true
  while read -r line; do
    header=$(printf '%s' "$line" | sed 's/^[ ]*#[ ]*include[ ]*//; s/[ ]*$//')
    case $header in
      \"*\")
        header=${header#\"} header=${header%\"}
        may_include "$name" "$header" || bad="$bad${bad:+
}includes \"$header\", which is not below it" ;;
      *)
        case $name in r/* | init.c) continue ;; esac
        if printf '%s' "$header" | grep -qE "^($c99|$blas|<Rmath\\.h>|<omp\\.h>)\$"; then continue; fi
        if [ "$name" = samp/entropy.c ] && printf '%s' "$header" | grep -qE "^$entropy_headers\$"; then continue; fi
        bad="$bad${bad:+
}includes $header" ;;
    esac
  done <"$work/includes"
  verdict includes "$1" "$bad"
}

# --- R's stream: one place in C, none in R -----------------------------------

check_stream() {
  local word count where
  for word in GetRNGstate PutRNGstate; do
    count=0 where=""
    for f in $(c_files); do
      n=$(code c "$f" | grep -oE "(^|[^A-Za-z0-9_])$word[ ]*\\(" | wc -l)
      if [ "$n" -gt 0 ]; then count=$((count + n)) where="$where $f"; fi
    done
    if [ "$count" = 1 ] && [ "$where" = " src/r/host.c" ]; then verdict one-stream src
    else verdict one-stream src "$word() is called $count times in:$where (once, in src/r/host.c)"; fi
  done
  for f in src/r/*.c; do
    [ "$f" = src/r/host.c ] || verdict one-stream "$f" "$(code c "$f" | words "$rng_words")"
  done
}

# The mark `# public-rng: <why>` excuses a line of R that draws for a simulation.
r_draws="(sample|sample\\.int|set\\.seed|RNGkind|RNGversion|rt|rf)[ ]*\\(|\\.Random\\.seed"
r_draws="$r_draws|r(${draw//|t|f|/|}|wishart)([^A-Za-z0-9_.]|\$)"
check_r_code() {
  sed 's/.*# public-rng: .*//' "$1" >"$work/r_${1//\//_}"
  verdict R-draws "$1" "$(code r "$work/r_${1//\//_}" | words "$r_draws")"
}

# A test must not depend on the clock or on the load; the mark `# clock: <why>` excuses a line that does not.
clock="(setTimeLimit|setSessionTimeLimit|Sys\\.time|Sys\\.sleep|proc\\.time|system\\.time|date)[ ]*\\(|sleep [0-9]"
check_clock() {
  sed 's/.*# clock: .*//' "$1" >"$work/t_${1//\//_}"
  verdict no-clock "$1" "$(code r "$work/t_${1//\//_}" 1 | words "$clock")"
}

# A second function of the same name would silently replace the first.
check_r_names() {
  local file name
  sed -n 's/^\([A-Za-z_.][A-Za-z0-9_.]*\) <- function.*/\1/p' R/*.R | sort | uniq -d >"$work/twice"
  for file in R/*.R; do
    [ -e "$file" ] || continue
    name=$(sed -n 's/^\([A-Za-z_.][A-Za-z0-9_.]*\) <- function.*/\1/p' "$file" | sort -u | comm -12 - "$work/twice")
    verdict one-function "$file" "${name:+defined more than once in R/: $name}"
  done
}

# --- no circles, and one function a name ---------------------------------------

# A file, its header and its private header (x_state.h) are one room.
check_c_circles() {
  local f bad
  for f in $(c_files); do
    code c "$f" 1 | sed -n 's/^[ ]*#[ ]*include[ ]*"\(.*\)\.h".*/\1/p' | sed 's/_state$//' |
      awk -v from="$(printf '%s' "${f#src/}" | sed 's/\.[ch]$//; s/_state$//')" '$0 != from { print from, $0 }'
  done | sort -u >"$work/includes"
  bad=$(tsort "$work/includes" 2>&1 >/dev/null | sed -n 's/^tsort: \([a-z].*\)$/\1/p' | paste -sd ' ' -)
  verdict circles src "${bad:+files that include each other: $bad}"
}

# Functions dpd_* that a file names are called, or handed on to be. A kernel's header does not count: what is
# told of must be below, wherever its prototype stands.
check_c_calls() {
  local f room bad
  : >"$work/defined" >"$work/named"
  for f in $(c_files); do
    room=$(printf '%s' "${f#src/}" | sed 's/\.[ch]$//')
    grep "^$f " "$work/functions" | cut -d ' ' -f 2 | sed "s|\$| $room|" >>"$work/defined"
    case $f in
      *.c) code c "$f" | grep -oE '(^|[^A-Za-z0-9_])dpd_[A-Za-z0-9_]+' | sed "s/^[^A-Za-z]//; s|\$| $room|" >>"$work/named" ;;
    esac
  done
  LC_ALL=C sort -u -o "$work/defined" "$work/defined"
  LC_ALL=C sort -u -o "$work/named" "$work/named"
  LC_ALL=C join "$work/named" "$work/defined" | awk '$2 != $3 { print $2, $3 }' | sort -u >"$work/calls"
  bad=$(tsort "$work/calls" 2>&1 >/dev/null | sed -n 's/^tsort: \([a-z].*\)$/\1/p' | paste -sd ' ' -)
  verdict circles src "${bad:+files that call each other: $bad}"
}

check_r_circles() {
  command -v Rscript >/dev/null || return
  verdict circles R "$(Rscript --vanilla "$here/cycles.R" . | sed 's/^/files that call each other: /')"
}

# Static functions of headers count: two of one name in one file that includes both do not compile.
check_c_names() {
  local f name
  for f in $(c_files); do
    # a definition has its { in column one, a declaration a semicolon
    code c "$f" | awk -v file="$f" '
      /^[A-Za-z].*[ *]dpd_[a-z0-9_]*[(]/ { name = $0; sub(/[(].*/, "", name); sub(/.*[ *]/, "", name) }
      /;[ ]*$/ { name = "" }
      /^[{]/ && name != "" { print file, name; name = "" }' | sort -u
  done >"$work/functions"
  cut -d ' ' -f 2 "$work/functions" | sort | uniq -d >"$work/twice"
  for f in $(c_files); do
    name=$(grep "^$f " "$work/functions" | cut -d ' ' -f 2 | sort -u | comm -12 - "$work/twice" | paste -sd ' ' -)
    verdict one-function "$f" "${name:+defined more than once in src/: $name}"
  done
}

# --- tests carry stems -----------------------------------------------------------

# A file of R/ has a test of its name, unless it is a help page without code, and a test has its source.
# A plain C test is named after the file that it tests first.
check_stems() {
  local f stem
  for f in R/*.R; do
    grep -qE '^[A-Za-z.][A-Za-z0-9._]* <- ' "$f" 2>/dev/null || continue
    stem=${f#R/}
    if [ -e "tests/testthat/test-$stem" ]; then verdict stems "$f"
    else verdict stems "$f" "there is no tests/testthat/test-$stem"; fi
  done
  for f in tests/testthat/test-*.R; do
    [ -e "$f" ] || continue
    stem=${f#tests/testthat/test-}
    if [ -e "R/$stem" ]; then verdict stems "$f"; else verdict stems "$f" "there is no R/$stem that it tests"; fi
  done
  for f in tests/ctest/test_*.c; do
    [ -e "$f" ] || continue
    stem=${f#tests/ctest/test_}
    if c_files | grep -q "/${stem%.c}[.][ch]$"; then verdict stems "$f"
    else verdict stems "$f" "there is no $stem in src/ that it tests"; fi
  done
}

# --- no variable at file scope, by the symbols of the objects ----------------

check_globals() {
  local include
  [ "$only" != text ] || return
  if ! command -v nm >/dev/null || [ "$(uname -s)" != Linux ]; then return; fi
  include=$(R RHOME >/dev/null 2>&1 && Rscript --vanilla -e 'cat(R.home("include"))')
  for f in $(c_files | grep "c$"); do
    # without position-independent code, constant tables of pointers are plainly constant
    if ! cc -std=gnu99 -w -O0 -fno-pic -fno-pie -Isrc -c "$f" -o "$work/object.o" ${include:+-idirafter "$include"} \
      2>"$work/errors"; then
      verdict compiles "$f" "$(cat "$work/errors")"
    else
      verdict globals "$f" "$(nm "$work/object.o" | grep -E ' [bBdDCsSgG] ' | sed 's/.* /variable /')"
    fi
  done
}

# --- form ----------------------------------------------------------------------

check_form() {
  local first lines long most="" bad=""
  first=$(head -n 1 "$1")
  case $first in
    '#!'*) bad="line 1 is not a comment that says what the file is" ;;
    '/* '??????????* | '# '??????????*) ;;
    *) bad="line 1 is not a comment that says what the file is" ;;
  esac
  verdict first-line "$1" "$bad"
  lines=$(wc -l <"$1")
  if [ "$lines" -gt 400 ]; then verdict length "$1" "$lines lines (at most 400)"; else verdict length "$1"; fi
  # clang-format leaves comments alone: it would join the paragraphs of a file's header
  case $1 in
    *.[ch]) most=100 ;;
    *.R) most=110 ;;
  esac
  [ -z "$most" ] || verdict line-length "$1" "$(awk -v most="$most" \
    'length > most { print "line " FNR " has " length " characters (at most " most ")" }' "$1")"
  case $1 in
    *.c)
      # a function's body runs from { to } in column one
      long=$(awk '/^[{]/ { at = FNR } /^[}]/ { if (at && FNR - at - 1 > 72) print "the function at line " at " has " FNR - at - 1 " lines"; at = 0 }' "$1")
      verdict function-length "$1" "$long" ;;
  esac
}

for f in $(pure_files); do check_words "$f"; done
for f in $(c_files); do
  check_memory "$f"
  check_arity "$f"
  check_includes "$f"
done
check_objects
check_stream
for f in R/*.R; do [ ! -e "$f" ] || check_r_code "$f"; done
for f in tests/*.R tests/testthat/*.R tests/audit/*.R; do [ ! -e "$f" ] || check_clock "$f"; done
check_r_names
check_c_circles
check_c_names
check_c_calls # of the functions that check_c_names found
check_r_circles
check_stems
check_globals
for f in $(c_files) R/*.R tools/* tests/*.R tests/testthat/*.R tests/audit/*.R tests/ctest/*.[chR] tests/ctest/Makefile bench/*.R; do
  [ ! -f "$f" ] || check_form "$f"
done
printf 'layers: %d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" -eq 0 ]

# layers.sh - looks for breaches of the C layers and the house rules that a machine can see.
#
# Usage: bash tools/layers.sh [root [text]]
#
# With `text` nothing is compiled, so that only what the text says is checked.
# Every rule is checked once for each file it speaks of; the last line counts them.
# The rules are explained in ARCHITECTURE.md and CONTRIBUTING.md; tools/layers-selftest.sh
# plants a breach of each and sees it caught. layers.awk reads what the text says, all files in one pass.
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

# Every C file of src/: the folder is the layer.
c_files() { find src -name '*.[ch]' | LC_ALL=C sort; }

check_text() {
  local f list=""
  for f in $(c_files) src/Makevars src/Makevars.win R/*.R tools/* tests/*.R tests/testthat/*.R \
    tests/audit/*.R tests/ctest/*.[chR] tests/ctest/Makefile bench/*.R; do
    [ ! -f "$f" ] || list="$list $f"
  done
  : >"$work/includes"
  : >"$work/calls"
  # shellcheck disable=SC2086
  if LC_ALL=C awk -v work="$work" -f "$here/strip.awk" -f "$here/arity.awk" -f "$here/layers.awk" $list; then
    read -r passed failed <"$work/counts"
  else
    echo "layers: awk did not come to its end"
    failed=1
  fi
}

# --- no circles ----------------------------------------------------------------

# check_c_circles FILE WHAT: FILE holds pairs of files. Functions dpd_* that a file names are called, or
# handed on to be.
check_c_circles() {
  local bad
  bad=$(LC_ALL=C sort -u "$1" | tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([a-z].*\)$/\1/p' | paste -sd ' ' -)
  verdict circles src "${bad:+files that $2 each other: $bad}"
}

check_r_circles() {
  command -v Rscript >/dev/null || return
  verdict circles R "$(R_DEFAULT_PACKAGES=NULL Rscript --vanilla "$here/cycles.R" . | sed 's/^/files that call each other or upward, or names of two: /')"
}

# --- no variable at file scope, by the symbols of the objects ----------------

# The same by the objects that tools/install.sh has kept, if they are of these sources.
check_installed() {
  local f
  [ -f build/objects/log ] && [ -z "$(find src -newer build/objects/log)" ] || return 1
  for f in $(c_files | grep "c$"); do
    f=${f#src/}
    [ -f "build/objects/${f%c}o" ] || return 1
  done
  # in position-independent code, constant tables of pointers lie in .data.rel.ro; .gomp_ are OpenMP's locks
  (cd build/objects && find . -name '*.o' -exec nm -A -f sysv {} +) |
    awk -F '|' '$3 ~ /^ *[bBdDCsSgG] *$/ && $7 !~ /^[.]data[.]rel[.]ro/ && $1 !~ /:[.]gomp_/' |
    sed -n 's|^[.]/\(.*\)[.]o:\([^ |]*\).*|src/\1.c \2|p' >"$work/variables"
  for f in $(c_files | grep "c$"); do
    verdict globals "$f" "$(sed -n "s|^$f |variable |p" "$work/variables")"
  done
}

check_globals() {
  local include object
  [ "$only" != text ] || return
  if ! command -v nm >/dev/null || [ "$(uname -s)" != Linux ]; then return; fi
  if check_installed; then return; fi
  include=$(R RHOME >/dev/null 2>&1 && Rscript --vanilla -e 'cat(R.home("include"))')
  # without position-independent code, constant tables of pointers are plainly constant
  for f in $(c_files | grep "c$"); do
    object="$work/${f//\//_}.o"
    cc -std=gnu99 -w -O0 -fno-pic -fno-pie -Isrc -c "$f" -o "$object" ${include:+-idirafter "$include"} 2>"$object.errors"
  done
  nm -A "$work"/*.o | sed -n 's|.*/\(.*\)[.]o:.* [bBdDCsSgG] \(.*\)|\1 \2|p' >"$work/variables"
  for f in $(c_files | grep "c$"); do
    object="$work/${f//\//_}.o"
    if [ -e "$object" ]; then verdict globals "$f" "$(sed -n "s|^${f//\//_} |variable |p" "$work/variables")"
    else verdict compiles "$f" "$(cat "$object.errors")"; fi
  done
}

# --- code that readers see: 80 characters a line ------------------------------

check_shown() {
  local f
  for f in README.md vignettes/*.Rmd R/*.R; do
    [ ! -f "$f" ] || verdict shown "$f" "$(LC_ALL=C awk '
      FILENAME ~ /[.]R$/ && /^#. @/ { shown = /^#. @examples/; next }
      FILENAME ~ /[.]R$/ { if (!/^#./) shown = 0; line = substr($0, 4) }
      FILENAME !~ /[.]R$/ && /^```/ { shown = !shown; next }
      FILENAME !~ /[.]R$/ { line = $0 }
      shown && length(line) > 80 { print FNR ": code of " length(line) " characters a line, above 80" }' "$f")"
  done
}

check_text
check_shown
check_c_circles "$work/includes" include
check_c_circles "$work/calls" call
check_r_circles
check_globals
printf 'layers: %d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" -eq 0 ]

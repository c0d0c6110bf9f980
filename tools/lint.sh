# lint.sh - the form of the code: lintr, clang-format, the compiler's warnings as errors, cppcheck.
#
# Usage: bash tools/lint.sh [fix | package]; `fix` only lets clang-format lay out C files, and styler R files
# (format.R); `package`, for `make test`, is clang-format and lintr over R/, without names (codetools): the
# whole takes several times as long, and is a part of `make check`.
# What a machine lacks is skipped with a word. The last line counts one check a file and tool.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/common.sh

# Releases of clang-format differ in small things; this one is the judge.
judge=14
c_files=$(find src tests/ctest -name '*.[ch]' | LC_ALL=C sort)
if [ "${1:-}" = fix ]; then
  # shellcheck disable=SC2086
  clang-format -i $c_files && exec Rscript tools/format.R
fi

passed=0 failed=0 skipped=0
pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); printf '%s\n' "$1" | head -n 30; }
skip() { skipped=$((skipped + 1)); say "$1"; }

# --- clang-format ------------------------------------------------------------
release=$(clang-format --version 2>/dev/null | sed 's/.*version \([0-9]*\).*/\1/')
if [ -z "$release" ]; then
  skip "clang-format is not installed: the layout of C files is not checked"
else
  log=$(mktemp) differ=""
  # shellcheck disable=SC2086
  clang-format --dry-run -Werror $c_files >"$log" 2>&1
  for f in $c_files; do
    if ! grep -q "^$f:" "$log"; then pass
    elif [ "$release" = "$judge" ]; then fail "$(grep -A 2 "^$f:" "$log")"
    else differ="$differ $f"
    fi
  done
  rm -f "$log"
  [ -z "$differ" ] || skip "clang-format $release would lay out differently (release $judge decides):$differ"
fi

# --- the compiler --------------------------------------------------------------
look_compiler() {
  local include openmp=-fopenmp flags output f
  include=$(Rscript --vanilla -e 'cat(R.home("include"))')
  echo 'int main(void) { return 0; }' | cc -xc - -fopenmp -fsyntax-only >/dev/null 2>&1 || openmp=-Wno-unknown-pragmas
  for f in $(find src -name '*.c' | LC_ALL=C sort); do
    case $f in
      # R's way of registering entries casts function pointers; R's headers are not ours to judge
      src/r/* | src/init.c) flags="-std=gnu99 $warnings -Wno-cast-function-type -Wno-missing-prototypes -isystem $include" ;;
      *) flags="-std=c99 -Wpedantic $warnings -isystem $include" ;;
    esac
    # shellcheck disable=SC2086
    if output=$(cc $flags $openmp -O1 -Isrc -S "$f" -o /dev/null 2>&1); then pass; else fail "$output"; fi
  done
}

# --- cppcheck ------------------------------------------------------------------
look_cppcheck() {
  local log output f
  command -v cppcheck >/dev/null 2>&1 || { skip "cppcheck is not installed"; return; }
  log=$(mktemp)
  mkdir -p build/cppcheck # what did not change is not analysed again
  find src/* -name '*.c' ! -path 'src/r/*' ! -path src/init.c | cppcheck --file-list=- --cppcheck-build-dir=build/cppcheck \
    --std=c99 --enable=warning,performance,portability --inline-suppr --suppress=missingIncludeSystem --quiet -j "$(jobs)" \
    --template='{file}:{line}: cppcheck: {message} ({id})' -I src 2>"$log"
  for f in $(find src -name '*.c' ! -path 'src/r/*' ! -path src/init.c); do
    if output=$(grep "^$f:" "$log"); then fail "$output"; else pass; fi
  done
  rm -f "$log"
}

[ "${1:-}" = package ] || { look_compiler; look_cppcheck; }

# --- lintr ---------------------------------------------------------------------
output=$(Rscript tools/lint.R ${1:+"$1"})
printf '%s\n' "$output" | sed '$d'
counts=$(printf '%s\n' "$output" | sed -n 's/^lint-r: \([0-9]*\) passed, \([0-9]*\) failed, .*/\1 \2/p')
if [ -n "$counts" ]; then
  passed=$((passed + ${counts% *})) failed=$((failed + ${counts#* }))
else
  fail "lintr did not finish"
fi

tally lint "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]

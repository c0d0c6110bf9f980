# ctest.sh - builds and runs the plain C tests of the pure files, under sanitizers where there are any.
#
# Usage: bash tools/ctest.sh [program to run the tests under, with its arguments]
# With such a program (valgrind) the tests are built without sanitizers. With CTEST_SOME=yes (tools/test.sh) they
# do a part of their draws and rounds, and a sanitizer that stops one names the function, not the line nor what
# was wrong: it sees no less, and compiling takes a fifth less.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/common.sh

out=$PWD/build/ctest
[ $# -eq 0 ] || out=$PWD/build/ctest-plain
mkdir -p "$out"
skipped=0

# True when a program of one file compiles and links with these flags.
links() { echo 'int main(void) { return 0; }' | cc -xc - -o "$out/probe" "$@" >/dev/null 2>&1; }

extra="" libs=""
if [ $# -eq 0 ]; then
  sanitize="-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer"
  # a trap, in place of a call whose arguments have to be compiled at each operation
  if [ -n "${CTEST_SOME:-}" ]; then
    sanitize="$sanitize -fsanitize-undefined-trap-on-error -g0"
    export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_sigill=1"
  fi
  # shellcheck disable=SC2086
  if links $sanitize; then
    extra=$sanitize
    # the search for leaks needs ptrace, which some containers refuse
    "$out/probe" 2>/dev/null || export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
  else
    say "this compiler has no sanitizers: the tests run without"
    skipped=$((skipped + 1))
  fi
fi
if links -fopenmp; then extra="$extra -fopenmp"; else extra="$extra -Wno-unknown-pragmas"; fi

# R's headers come last, so that the stand-alone Rmath.h is taken where it is installed.
include=$(Rscript --vanilla -e 'cat(R.home("include"))')
if grep -rq '<Rmath\.h>' src tests/ctest --include='*.[ch]'; then
  if links -lRmath -lm; then
    extra="$extra -DMATHLIB_STANDALONE -idirafter $include"
    libs="-lRmath"
  else
    say "R's stand-alone mathematics (libRmath; Debian: r-mathlib) is missing: the plain C tests are skipped"
    tally ctest 0 0 "$(find tests/ctest -name 'test_*.c' | wc -l)"
    exit 0
  fi
fi
if grep -q '<R_ext/' $(find src -name '*.[ch]' ! -path 'src/r/*' ! -path src/init.c); then
  extra="$extra -idirafter $include"
  libs="$libs -llapack -lblas"
fi

# gold links in a fourth of the time of ld
linker=""
# shellcheck disable=SC2086
! links $extra -fuse-ld=gold || linker=-fuse-ld=gold

# Other flags, other objects.
echo "$extra $warnings $libs $linker" >"$out/flags.new"
cmp -s "$out/flags.new" "$out/flags" || mv "$out/flags.new" "$out/flags"

passed=0 failed=0
if ! make -s -k -j"$(jobs)" -C tests/ctest OUT="$out" EXTRA="$extra" WARNINGS="$warnings" LIBS="$libs" LINKER="$linker" >&2; then
  say "not everything could be built"
  failed=1
fi

export UBSAN_OPTIONS="${UBSAN_OPTIONS:-print_stacktrace=1}"

# run_one STEM [program ...]: the test's output and status, kept in files.
run_one() {
  local stem=$1 program=$out/$1
  shift
  rm -f "$out/$stem.said" "$out/$stem.status"
  [ -x "$program" ] || return 0
  "$@" "$program" >"$out/$stem.said"
  echo $? >"$out/$stem.status"
}

# As many at a time as there are processors; who makes a test's folder has it.
taken=$(mktemp -d)
for lane in $(seq "$(jobs)"); do
  for source in tests/ctest/test_*.c; do
    stem=$(basename "$source" .c)
    ! mkdir "$taken/$stem" 2>/dev/null || run_one "$stem" "$@"
  done &
done
wait
rm -rf "$taken"

for source in tests/ctest/test_*.c; do
  stem=$(basename "$source" .c)
  if [ ! -x "$out/$stem" ]; then
    echo "$stem: not built"
    failed=$((failed + 1))
    continue
  fi
  status=$(cat "$out/$stem.status" 2>/dev/null || echo 1)
  cat "$out/$stem.said"
  counts=$(sed -n 's/^[^:]*: \([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$out/$stem.said" | tail -n 1)
  p=${counts% *} f=${counts#* }
  # a program that stops before its report, or fails without saying so, is one failure more
  if [ -z "$counts" ]; then p=0 f=1; elif [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
  [ "$status" -eq 0 ] || echo "$stem: ended with status $status${CTEST_SOME:+; bash tools/ctest.sh may say more}"
  passed=$((passed + p)) failed=$((failed + f))
done
tally ctest "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]

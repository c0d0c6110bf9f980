# valgrind.sh - the plain C tests, then test files in R under valgrind: no error and no lost memory of ours.
#
# Usage: bash tools/valgrind.sh [filter on test files]
# Without a filter: the files named below, of which tools/entries.R sees that they call every C entry; a
# quarter of an hour of processor time. With one: each file that it meets, by itself; all of them would take hours.
# Only reports with a frame in our code count: R and its other packages have some of their own.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/common.sh
# reports name lines, which needs debug information; the usual installation has none
bash tools/setup.sh test valgrind && R_MAKEVARS_USER=/dev/null bash tools/install.sh build/lib-valgrind || exit 1
export R_LIBS="$PWD/build/lib-valgrind:$R_LIBS"
mkdir -p build/valgrind
failed=0

# Threads that OpenMP keeps are "possibly lost". Fewer draws and rounds, as under sanitizers: memory is looked at.
CTEST_SOME=yes bash tools/ctest.sh valgrind --quiet --leak-check=full --show-leak-kinds=definite \
  --errors-for-leak-kinds=definite --error-exitcode=99 | tee build/valgrind/ctest.out
[ "${PIPESTATUS[0]}" -eq 0 ] || failed=$((failed + 1))
told="plain C ($(tail -n 1 build/valgrind/ctest.out))"

export OMP_NUM_THREADS=2 TESTTHAT_CPUS=1

# The files that together call every entry and are cheap: with the tests that R CMD check runs, and with all.
short='host|mech-smooth|dp-median|median|rival-median-chain
  |simulate-run|dp-median-marginal|depth|mech-ptr|rival-random-dp|mech-tally-cells
  |mech-regression|depth-simplicial|dp-test|dp-regression-neighbours
  |dp-regression-auto|mech-noise|dp-median-depths|ledger-file'
long='dp-median-restricted|depth-regression|mech-quantile|rival-regression-chain'
short="^($(printf '%s' "$short" | tr -d ' \n'))\$" long="^($long)\$"

# A frame is ours by its file: a thread's stack begins below the entry, and an entry's name is not in it.
frames="dpdepth[.]so|[(]($(find src -name '*.[ch]' -exec basename {} \; | sort -u | tr '\n' '|' | sed 's/|$//; s/[.]/[.]/g')):[0-9]"

# run NAME FILTER: the files in one process, what valgrind says of our code, and whether the tests pass.
run() {
  local log=build/valgrind/$1.log out=build/valgrind/$1.out ours count
  R --no-echo --no-restore -d "valgrind --leak-check=full --num-callers=40 --log-file=$log" \
    -f tools/run-tests.R --args "$2" >"$out" 2>&1
  # a fork's summary, which may stand in the log before, is not the process's own
  if ! grep -q "^$(sed -n '1s/^\(==[0-9]*==\).*/\1/p' "$log") ERROR SUMMARY" "$log"; then
    say "$1: valgrind did not finish: see $out"
    failed=$((failed + 1))
    return
  fi
  # reports are blocks of lines between empty ones; "still reachable" is not reported in full, and the store of a
  # thread that OpenMP made and keeps is "possibly lost"
  ours=$(sed 's/^==[0-9]*== \{0,1\}//' "$log" | awk -v frames="$frames" 'BEGIN { RS = "" }
    /possibly lost/ && /pthread_create/ && /GOMP_parallel/ { next }
    $0 ~ frames { print; print "" }')
  count=$(tail -n 1 "$out")
  told="$told; $1 ($count)"
  if [ -n "$ours" ]; then
    printf '%s\n' "$ours" | head -n 60
    say "$1: reports of valgrind"
    failed=$((failed + 1))
  elif ! printf '%s' "$count" | grep -q ' 0 failed'; then
    cat "$out"
    say "$1: tests fail"
    failed=$((failed + 1))
  else
    say "$1: clean ($count)"
  fi
}

if [ $# -eq 0 ]; then
  called=$(NOT_CRAN=false Rscript tools/entries.R "$short"; NOT_CRAN=true Rscript tools/entries.R "$long")
  missed=$(sed -n 's/.*ENTRY(\(ffi_[a-z0-9_]*\),.*/\1/p' src/init.c | grep -vFxf <(printf '%s\n' "$called"))
  if [ -n "$missed" ]; then
    say "no chosen file calls" $missed
    failed=$((failed + 1))
  fi
  NOT_CRAN=false run short "$short"
  NOT_CRAN=true run long "$long"
else
  export NOT_CRAN="${NOT_CRAN:-false}"
  for file in tests/testthat/test-*.R; do
    stem=$(basename "$file" .R) stem=${stem#test-}
    ! printf '%s' "$stem" | grep -qE "$1" || run "$stem" "^$stem\$"
  done
fi
echo "valgrind: $told: $failed with reports, failures or entries that nothing calls"
[ "$failed" -eq 0 ]

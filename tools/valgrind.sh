# valgrind.sh - the plain C tests, then each test file in R under valgrind: no error and no lost memory of ours.
#
# Usage: bash tools/valgrind.sh [filter on test files]
# Only reports with a frame in our code count: R and its other packages have some of their own.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/common.sh
# reports name lines, which needs debug information; the usual installation has none
bash tools/setup.sh test valgrind && R_MAKEVARS_USER=/dev/null bash tools/install.sh build/lib-valgrind || exit 1
export R_LIBS="$PWD/build/lib-valgrind:$R_LIBS"
# threads that OpenMP keeps are "possibly lost"
bash tools/ctest.sh valgrind --quiet --leak-check=full --show-leak-kinds=definite \
  --errors-for-leak-kinds=definite --error-exitcode=99 || exit 1

# The tests that R CMD check runs: the long statistical ones would take hours here.
export NOT_CRAN="${NOT_CRAN:-false}" OMP_NUM_THREADS=2
mkdir -p build/valgrind
failed=0
for file in tests/testthat/test-*.R; do
  [ -e "$file" ] || continue
  stem=$(basename "$file" .R) stem=${stem#test-}
  if [ $# -gt 0 ] && ! printf '%s' "$stem" | grep -qE "$1"; then continue; fi
  log=build/valgrind/$stem.log
  R --no-echo --no-restore -d "valgrind --leak-check=full --num-callers=40 --log-file=$log" \
    -f tools/run-tests.R --args "^$stem\$" >"build/valgrind/$stem.out" 2>&1
  if ! grep -q 'ERROR SUMMARY' "$log"; then
    say "$stem: valgrind did not finish: see build/valgrind/$stem.out"
    failed=$((failed + 1))
    continue
  fi
  # reports are blocks of lines between empty ones; "still reachable" is not reported in full
  ours=$(sed 's/^==[0-9]*== \{0,1\}//' "$log" | awk 'BEGIN { RS = "" } /dpdepth\.so|ffi_|\((r|mech|samp|sens|depth|num|geom|dpd)_[a-z0-9_]*\.[ch]:[0-9]+\)/ { print; print "" }')
  if [ -n "$ours" ]; then
    printf '%s\n' "$ours" | head -n 60
    say "$stem: reports of valgrind"
    failed=$((failed + 1))
  else
    say "$stem: clean ($(tail -n 1 "build/valgrind/$stem.out"))"
  fi
done
say "$failed files with reports"
[ "$failed" -eq 0 ]

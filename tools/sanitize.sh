# sanitize.sh - the plain C tests, then the test suite with the package built under ASan and UBSan.
#
# Usage: bash tools/sanitize.sh [filter on test files]
# Each file's result is kept: a run that was broken off goes on where it ended.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/common.sh
bash tools/setup.sh test || exit 1
mkdir -p build/lib-sanitize
bash tools/ctest.sh | tee build/sanitize-ctest.out
[ "${PIPESTATUS[0]}" -eq 0 ] || { echo "sanitize: plain C tests fail, nothing else was run"; exit 1; }
told="plain C ($(tail -n 1 build/sanitize-ctest.out))"

compiler=$(R CMD config CC)
# shellcheck disable=SC2086
runtime=$(${compiler%% *} -print-file-name=libasan.so)
if [ ! -e "$runtime" ]; then
  echo "sanitize: $told clean; no address sanitizer's runtime for ${compiler%% *}, so that no test in R was run"
  exit 0
fi
cat >build/sanitize.makevars <<MAKEVARS
CC = $compiler -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS = -g -O1 -Wall
MAKEVARS
export R_MAKEVARS_USER="$PWD/build/sanitize.makevars"
# loading needs the runtime first, which only the test run below has
INSTALL_OPTIONS="--no-test-load" bash tools/install.sh build/lib-sanitize || exit 1
say "running the tests under the sanitizers"
keep sanitize
unset R_MAKEVARS_USER
# R's own memory is not the question: leaks are for valgrind
R_LIBS="$PWD/build/lib-sanitize:$R_LIBS" LD_PRELOAD="$runtime" TESTTHAT_PATIENCE=60 \
  ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0 UBSAN_OPTIONS=print_stacktrace=1 \
  R --no-echo --no-restore -f tools/run-tests.R --args "$@" | tee build/sanitize.out
status=${PIPESTATUS[0]}
found="clean"
[ "$status" -eq 0 ] || found="see above what failed"
echo "sanitize: $told, and ${1:-all files} in R ($(tail -n 1 build/sanitize.out)) under ASan and UBSan: $found"
exit "$status"

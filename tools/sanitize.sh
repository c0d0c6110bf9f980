# sanitize.sh - the plain C tests, then the test suite with the package built under ASan and UBSan.
#
# Usage: bash tools/sanitize.sh [filter on test files]
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/common.sh
bash tools/setup.sh test || exit 1
bash tools/ctest.sh || exit 1

mkdir -p build/lib-sanitize
compiler=$(R CMD config CC)
# shellcheck disable=SC2086
runtime=$(${compiler%% *} -print-file-name=libasan.so)
if [ ! -e "$runtime" ]; then
  say "no address sanitizer's runtime for ${compiler%% *}: only the plain C tests were run"
  exit 0
fi
cat >build/sanitize.makevars <<MAKEVARS
CC = $compiler -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
CFLAGS = -g -O1 -Wall
MAKEVARS
# loading needs the runtime first, which only the test run below has
R_MAKEVARS_USER="$PWD/build/sanitize.makevars" INSTALL_OPTIONS="--no-test-load" \
  bash tools/install.sh build/lib-sanitize || exit 1
say "running the tests under the sanitizers"
# R's own memory is not the question: leaks are for valgrind
R_LIBS="$PWD/build/lib-sanitize:$R_LIBS" LD_PRELOAD="$runtime" \
  ASAN_OPTIONS=detect_leaks=0:detect_odr_violation=0 UBSAN_OPTIONS=print_stacktrace=1 \
  R --no-echo --no-restore -f tools/run-tests.R --args "$@"

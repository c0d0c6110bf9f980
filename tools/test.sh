# test.sh - everything that `make test` does; the last line counts all checks.
#
# Sets up, installs into build/lib, then: plain C tests, bugs planted in C, testthat, layers and their self-test, lint.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/common.sh

passed=0 failed=0 skipped=0

# stage NAME COMMAND...: runs it and adds up its tally; without one, it is one failure.
stage() {
  local name=$1 log=build/$1.log status line
  shift
  echo "== $name"
  "$@" 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  line=$(sed -n 's/^'"$name"': \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "$log" | tail -n 1)
  # shellcheck disable=SC2086
  set -- ${line:-0 1 0}
  [ -n "$line" ] || echo "$name: did not finish"
  if [ "$status" -ne 0 ] && [ "$2" -eq 0 ]; then
    echo "$name: ended with status $status"
    set -- "$1" 1 "$3"
  fi
  passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

mkdir -p build
if bash tools/setup.sh test && bash tools/install.sh; then
  stage ctest bash tools/ctest.sh
  stage planted Rscript tools/planted.R
  stage testthat Rscript tools/run-tests.R
  stage layers bash tools/layers.sh
  stage layers-selftest bash tools/layers-selftest.sh
  stage lint bash tools/lint.sh
else
  echo "test: the set-up or the installation did not succeed"
  failed=1
fi
echo
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]

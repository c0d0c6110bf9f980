# test.sh - everything that `make test` does; the last line counts all checks.
#
# Sets up, then: plain C tests while the package installs into build/lib, bugs planted in C, testthat; and beside
# these lint, layers and their self-test.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/common.sh

passed=0 failed=0 skipped=0

# run NAME COMMAND...: its output and status go to build/NAME.log and build/NAME.status.
run() {
  local name=$1
  shift
  rm -f "build/$name.log" "build/$name.status"
  { "$@" 2>&1; echo $? >"build/$name.status"; } | tee "build/$name.log"
}

# add NAME: adds up what a stage has counted; without a count, it is one failure.
add() {
  local name=$1 status line
  status=$(cat "build/$name.status" 2>/dev/null || echo 1)
  line=$(sed -n 's/^'"$name"': \([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p' "build/$name.log" | tail -n 1)
  # shellcheck disable=SC2086
  set -- ${line:-0 1 0}
  [ -n "$line" ] || echo "$name: did not finish"
  if [ "$status" -ne 0 ] && [ "$2" -eq 0 ]; then
    echo "$name: ended with status $status"
    set -- "$1" 1 "$3"
  fi
  passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

stage() {
  echo "== $1"
  run "$@"
  add "$1"
}

mkdir -p build
if bash tools/setup.sh test; then
  # the form is looked at beside all of it, where a stage that ends or begins leaves a processor idle
  run lint nice bash tools/lint.sh package >/dev/null 2>&1 &
  # most of an installation is R's, on one processor; the C tests do not need it
  bash tools/install.sh &
  installation=$!
  # sanitizers see a part of many draws and rounds; the whole runs without them among the planted
  stage ctest env CTEST_SOME=yes bash tools/ctest.sh
  if wait $installation; then
    # the layers of the installation's objects, too
    {
      run layers nice bash tools/layers.sh
      run layers-selftest nice bash tools/layers-selftest.sh
    } >/dev/null 2>&1 &
    stage planted Rscript tools/planted.R
    stage testthat Rscript tools/run-tests.R
    wait
    for name in layers layers-selftest lint; do
      echo "== $name"
      cat "build/$name.log"
      add "$name"
    done
  else
    wait
    echo "test: the installation did not succeed"
    failed=$((failed + 1))
  fi
else
  echo "test: the set-up did not succeed"
  failed=1
fi
echo
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ]

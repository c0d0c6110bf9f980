# check.sh - R CMD build and R CMD check --as-cran, with nothing left but what cannot be helped; and all of lint.
#
# Usage: bash tools/check.sh
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/common.sh
bash tools/setup.sh check lint || exit 1

root=$PWD
rm -rf build/check && mkdir -p build/check
manual=""
if ! command -v pdflatex >/dev/null 2>&1; then
  say "pdflatex is not installed: the PDF manual is left out (--no-manual)"
  manual="--no-manual"
fi
# The check installs the package itself: the private library would only confuse it.
R_LIBS="$root/build/deps"
# The installed size is judged without debug information, which binaries are not distributed with.
printf 'CFLAGS = -O2\n' >build/check/Makevars
R_MAKEVARS_USER="$root/build/check/Makevars"
export R_LIBS R_MAKEVARS_USER _R_CHECK_FORCE_SUGGESTS_=true NOT_CRAN=false
# read-check.R judges the examples by processor time: the clock tells of the machine's load too.
export _R_CHECK_EXAMPLE_TIMING_THRESHOLD_=Inf

# Most of R's check is one process: what `make test` leaves out of lint is looked at beside it.
(env -u R_MAKEVARS_USER bash tools/install.sh && bash tools/lint.sh) >build/lint-whole.log 2>&1 &
lint=$!

cd build/check || exit 1
# shellcheck disable=SC2086
R CMD build $manual "$root" || exit 1
# shellcheck disable=SC2086
R CMD check --as-cran $manual dpdepth_*.tar.gz
cd "$root" || exit 1
wait $lint
formed=$?
cat build/lint-whole.log
Rscript tools/read-check.R build/check/dpdepth.Rcheck/00check.log && [ $formed -eq 0 ]

# audit.sh - the slow privacy audits: exact laws, planted bugs, fuzzing, and the samplers' laws at 1e7 draws.
#
# Usage: bash tools/audit.sh [filter on test files, as of tools/run-tests.R]
# About half an hour on one core, of which each file's result is kept: a run that was broken off goes on where it
# ended. The files are part of the normal suite, too, at a hundredth of the size (DPDEPTH_SLOW and
# DPDEPTH_LAW_DRAWS say which).
set -eu -o pipefail
cd "$(dirname "$0")/.."
. tools/common.sh
bash tools/setup.sh test
bash tools/install.sh
export DPDEPTH_SLOW=true DPDEPTH_LAW_DRAWS=1e7 TESTTHAT_PATIENCE=120
keep audit
found="nothing found" told="of plain C nothing"
Rscript tools/run-tests.R "${1:-^(audit/.*|mech-noise)$}" | tee build/audit.out || found="see above what failed"
if [ $# -eq 0 ]; then
  bash tools/ctest.sh | tee build/audit-ctest.out || found="see above what failed"
  told=$(tail -n 1 build/audit-ctest.out)
fi
echo "audit: ${1:-all} at full size ($(tail -n 1 build/audit.out); $told): $found"
[ "$found" = "nothing found" ]

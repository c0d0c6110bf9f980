# audit.sh - the slow privacy audits: exact laws, planted bugs, fuzzing, and the samplers' laws at 1e7 draws.
#
# Usage: bash tools/audit.sh [filter on test files, as of tools/run-tests.R]
# About half an hour on one core. The files are part of the normal suite, too, at a hundredth of the size
# (DPDEPTH_SLOW and DPDEPTH_LAW_DRAWS say which).
set -eu
cd "$(dirname "$0")/.."
. tools/common.sh
bash tools/setup.sh test
bash tools/install.sh
export DPDEPTH_SLOW=true DPDEPTH_LAW_DRAWS=1e7
Rscript tools/run-tests.R "${1:-^(audit/.*|mech-noise)$}"
[ $# -gt 0 ] || bash tools/ctest.sh

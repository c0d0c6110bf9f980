# audit.sh - the tests again with DPDEPTH_SLOW=true, which opens the slow privacy audits.
#
# Usage: bash tools/audit.sh [filter on test files]
set -eu
cd "$(dirname "$0")/.."
. tools/common.sh
bash tools/setup.sh test
bash tools/install.sh
DPDEPTH_SLOW=true Rscript tools/run-tests.R "$@"

# demo.sh - everything that `make demo` does: sets up, installs into build/lib, runs tools/demo.R.
set -eu
cd "$(dirname "$0")/.."
. tools/common.sh
bash tools/setup.sh demo
bash tools/install.sh
Rscript tools/demo.R

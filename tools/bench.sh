# bench.sh - runs the benchmarks bench/*.R one after the other against the installed package.
set -eu
cd "$(dirname "$0")/.."
. tools/common.sh
bash tools/setup.sh bench
bash tools/install.sh
for file in bench/*.R; do
  [ -e "$file" ] || { say "there are no benchmarks yet"; exit 0; }
  [ "$file" != bench/common.R ] || continue
  say "$file"
  Rscript "$file"
done

# simulations.sh - reruns the scripts of data-raw/ that make the figures of the vignettes.
#
# Usage: bash tools/simulations.sh [figure ...]; a figure is a script's name, such as ecdf-coverage. Without
# one, all that stand on simulate_releases() (data-raw/figures.R). SMALL=1: small versions, in build/simulations.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/common.sh

bash tools/setup.sh test && bash tools/install.sh || exit 1
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(grep -l '^[^#]*simulate_figure(' data-raw/*.R | sed 's|data-raw/||; s|[.]R$||')
for figure in "$@"; do
  if [ ! -f "data-raw/$figure.R" ]; then
    say "no such figure: $figure; there are: $(cd data-raw && echo *.R | sed 's/[.]R//g')"
    exit 2
  fi
  say "$figure"
  Rscript "data-raw/$figure.R" || exit 1
done

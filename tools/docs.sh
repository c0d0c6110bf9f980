# docs.sh - help pages by roxygen2, then the site by pkgdown into docs/; needs no network once set up.
set -eu
cd "$(dirname "$0")/.."
. tools/common.sh
bash tools/setup.sh docs
bash tools/install.sh
Rscript -e 'roxygen2::roxygenise(load_code = roxygen2::load_installed)'
# NAMESPACE and help pages may have changed
bash tools/install.sh
Rscript -e 'options(pkgdown.internet = FALSE)' \
  -e 'pkgdown::build_site(preview = FALSE, install = FALSE, new_process = FALSE)'
Rscript tools/mend-site.R
Rscript tools/mathml.R
# the cheat sheet as PDF, where there is a browser to print it
for browser in chromium google-chrome chrome; do
  ! command -v "$browser" >/dev/null || { "$browser" --headless --no-sandbox --disable-gpu --no-pdf-header-footer \
    --print-to-pdf="$PWD/docs/cheatsheet.pdf" "file://$PWD/docs/cheatsheet.html" >/dev/null 2>&1 && break; }
done
[ -f docs/cheatsheet.pdf ] || say "no browser: the cheat sheet is HTML alone"
Rscript tools/site.R

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
Rscript tools/mathml.R
Rscript tools/site.R

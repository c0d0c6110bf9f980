# docs.R - help pages by roxygen2, then the site by pkgdown into docs/; needs no network.

roxygen2::roxygenise(load_code = roxygen2::load_installed)
options(pkgdown.internet = FALSE)
pkgdown::build_site(preview = FALSE, install = FALSE, new_process = FALSE)

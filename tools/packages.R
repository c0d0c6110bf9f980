# packages.R - which R packages are missing, and their installation into build/deps.
#
# Usage: Rscript tools/packages.R missing|install <package> ... | version

# The least versions that the tests rely on.
least <- c(testthat = "3.1.0")

is_there <- function(name) {
  where <- find.package(name, quiet = TRUE)
  if (length(where) == 0) return(FALSE)
  !name %in% names(least) || utils::packageVersion(name) >= least[[name]]
}

missing_of <- function(names) Filter(Negate(is_there), unique(names))

install <- function(names) {
  repos <- getOption("repos")
  if ("@CRAN@" %in% repos) utils::chooseCRANmirror(graphics = FALSE, ind = 1)
  lib <- file.path("build", "deps")
  dir.create(lib, recursive = TRUE, showWarnings = FALSE)
  utils::install.packages(names, lib = lib, quiet = TRUE)
  left <- missing_of(names)
  if (length(left) > 0) stop("could not install: ", toString(left), call. = FALSE)
}

args <- commandArgs(trailingOnly = TRUE)
switch(args[[1]],
  missing = writeLines(missing_of(args[-1])),
  install = install(args[-1]),
  version = if (getRversion() < "4.2.0") {
    stop("R 4.2 or later is needed, this is ", getRversion(), call. = FALSE)
  }
)

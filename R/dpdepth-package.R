# The package's own help page and its imports.

#' @keywords internal
#' @aliases dpdepth
#' @importFrom parallel detectCores
#' @useDynLib dpdepth, .registration = TRUE
"_PACKAGE"

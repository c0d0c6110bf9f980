# The package's own help page and its imports.

#' @keywords internal
#' @aliases dpdepth
#' @useDynLib dpdepth, .registration = TRUE
"_PACKAGE"

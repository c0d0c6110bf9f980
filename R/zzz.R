# What happens when the package is loaded and unloaded.

# The process that loaded the package: in a forked worker it is another one than the worker's.
process <- new.env(parent = emptyenv())

.onLoad <- function(libname, pkgname) {
  assign("loaded", Sys.getpid(), process)
  if (is.null(getOption("dpdepth.threads"))) options(dpdepth.threads = default_threads())
}

.onUnload <- function(libpath) library.dynam.unload("dpdepth", libpath)

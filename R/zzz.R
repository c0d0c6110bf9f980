# What happens when the package is loaded and unloaded.

.onLoad <- function(libname, pkgname) {
  assign("loaded", Sys.getpid(), process)
  if (is.null(getOption("dpdepth.threads"))) options(dpdepth.threads = default_threads())
}

.onUnload <- function(libpath) library.dynam.unload("dpdepth", libpath)

# For the scripts regression-*.R: what does not change from release to release is found once.
#
# The search of the deepest regression does not depend on epsilon, and the constants of the noise not on
# the data. The releases are those of dp_regression() all the same.

remember <- function(name, keep) {
  compute <- utils::getFromNamespace(name, "dpdepth")
  known <- list()
  utils::assignInNamespace(name, function(...) {
    given <- list(...)
    for (one in known) if (identical(one$given, given)) return(one$value)
    value <- compute(...)
    known <<- utils::head(c(list(list(given = given, value = value)), known), keep)
    value
  }, "dpdepth")
}
remember("deepest_spreads", 1)
remember("smooth_constants", 20)
dpdepth::dpdepth_threads(1) # cores are for replicates

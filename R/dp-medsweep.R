# Stub of the engine of dp_regression(method = "medsweep"): branch sweep delivers it under these names.

medsweep_plan <- function(p, bounds, epsilon, delta, gamma = NULL, ...) {
  stop_input("method", "\"deepest\"", "\"medsweep\", which is not there yet")
}

regression_medsweep <- function(x, y, bounds, epsilon, delta, source, gamma = NULL, ...) {
  medsweep_plan(ncol(x), bounds, epsilon, delta, gamma, ...)
}

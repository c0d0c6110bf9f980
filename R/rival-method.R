# What the doors of rivals refuse: arguments, limits and deltas that their method has no use for.

# The names in the caller's `...` must be the method's. `arguments(method)`: those of each of `methods`.
check_method_dots <- function(fun, method, methods, arguments) {
  frame <- parent.frame()
  known <- c(setdiff(names(formals(fun)), "..."), arguments(method))
  strange <- setdiff(dots_names(frame), arguments(method))
  if (length(strange) == 0) return(invisible(NULL))
  owners <- Filter(function(m) strange[[1]] %in% arguments(m), methods)
  refuse_name(strange[[1]], known, sprintf("`%s(method = \"%s\")`", fun, method),
              sprintf(" method = %s takes it.", paste(dQuote(owners, FALSE), collapse = " or ")))
}

# Limits that are given are among those that the method takes.
check_method_limits <- function(limits, taken, method) {
  for (arg in setdiff(names(limits), taken)) {
    if (!is.null(limits[[arg]])) {
      stop_input(arg, sprintf("NULL with method = \"%s\", which has no use for it", method),
                 describe(limits[[arg]]))
    }
  }
}

check_method_delta <- function(delta, none, method) {
  if (!none) return(check_delta(delta))
  delta <- check_delta(delta, zero = TRUE)
  if (delta == 0) return(0)
  stop_input("delta", sprintf("0 with method = \"%s\", which has no use for it", method), format(delta))
}

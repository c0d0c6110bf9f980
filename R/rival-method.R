# What the doors of rivals share: what they refuse, which their method has no use for; sizes of Markov chains.

# The names in the caller's `...` must be the method's. `arguments(method)`: those of each of `methods`;
# `own`: those of this one, with the depth that it has.
check_method_dots <- function(fun, method, methods, arguments, own = arguments(method)) {
  frame <- parent.frame()
  known <- c(setdiff(names(formals(fun)), "..."), own)
  strange <- setdiff(dots_names(frame), own)
  if (length(strange) == 0) return(invisible(NULL))
  owners <- Filter(function(m) strange[[1]] %in% arguments(m), methods)
  takes <- if (method %in% owners) "Another `depth`"
           else paste("method =", paste(dQuote(owners, FALSE), collapse = " or "))
  refuse_name(strange[[1]], known, sprintf("`%s(method = \"%s\")`", fun, method),
              sprintf(" %s takes it.", takes))
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

# How many Markov chains, and how long.
chain_size <- function(chains, steps, d, minimum = 1L, default = max(2000L, 300L * d)) {
  if (is.null(steps)) steps <- default
  list(chains = check_count(chains, "chains", upper = 1000L),
       steps = check_count(steps, "steps", lower = minimum, upper = 1e7))
}

# A release's chain runs for this long at the least.
min_chain_steps <- 1000L

chain_label <- function(size, langevin = FALSE) {
  sprintf("%s%d chains of %d steps", if (langevin) "Langevin, " else "", size$chains, size$steps)
}

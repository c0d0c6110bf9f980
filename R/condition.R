# Classed errors: one constructor, one function a class. No message holds a data value.

# Raises an error of class `dpdepth_error_<kind>`, `dpdepth_error`.
stop_dpdepth <- function(kind, message, ..., call = NULL) {
  stop(structure(
    class = c(paste0("dpdepth_error_", kind), "dpdepth_error", "error", "condition"),
    list(message = message, call = call, ...)
  ))
}

# A bad argument: its name, what it must be, what it was.
stop_input <- function(arg, must, was) {
  stop_dpdepth("input", sprintf("`%s` must be %s, not %s.", arg, must, was), arg = arg)
}

# Called by the C glue for a status that is not success.
stop_status <- function(kind) {
  stop_dpdepth(kind, switch(kind,
    entropy = paste(
      "The operating system's entropy source failed.",
      "Nothing was released, and no weaker source was used instead."
    ),
    memory = "Not enough memory for this computation.",
    limit = "The computation reached its bound on work or memory.",
    "An internal check failed; please report this."
  ))
}

# Says what a wrong argument was, without its data: type and shape only.
describe <- function(x) {
  if (is.null(x)) return("NULL")
  if (missing_value(x)) return("missing")
  if (is.data.frame(x)) return(sprintf("a data frame of %d x %d", nrow(x), ncol(x)))
  if (is.matrix(x)) return(sprintf("a %s matrix of %d x %d", typeof(x), nrow(x), ncol(x)))
  if (is.factor(x)) return("a factor")
  if (is.function(x)) return("a function")
  if (is.object(x)) return(sprintf("an object of class <%s>", class(x)[[1]]))
  if (is.atomic(x)) return(sprintf("a %s vector of length %d", typeof(x), length(x)))
  sprintf("a %s", typeof(x))
}

missing_value <- function(x) is.atomic(x) && length(x) == 1 && is.na(x)

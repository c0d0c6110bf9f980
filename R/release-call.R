# Calls without data: what may stay of the call that made a release.

# Functions of public parameters; a call of any other function is replaced whole.
public_functions <- c(
  "c", "(", "+", "-", "*", "/", "^", ":", "~", "list", "rep", "rep_len", "sqrt", "log", "exp", "diag",
  "prior_normal", "prior_uniform", "prior_dyadic", "directions", "I"
)

# The longest c() or text of public parameters that is kept.
max_call_args <- 100L
max_call_text <- 80L

# The call `call` (of match.call() or sys.call()) with nothing in it that could hold data.
#
# What stays: syntactic names; numbers, strings, TRUE, FALSE and NULL as single literals; calls of
# public_functions on such things. An argument in `data_args` (the first unnamed ones for those that
# the call does not name) stays only if it is a bare name. All else, such as objects that do.call()
# puts into the call, inline data, functions, environments and formulas with theirs, becomes a name
# that says its kind, such as `<data.frame>`. Attributes go, and with them source references and
# environments.
# A function put into the call as an object is named `fun` if that is given.
sanitize_call <- function(call, data_args = "x", fun = NULL) {
  if (!is.call(call)) return(NULL)
  parts <- as.list(call)
  names <- public_names(names(parts), length(parts))
  is_data <- names %in% data_args
  # (the first part is the function)
  unnamed <- which(names == "")
  unnamed <- unnamed[unnamed != 1L]
  is_data[unnamed[seq_len(min(length(unnamed), sum(!data_args %in% names)))]] <- TRUE
  for (i in seq_along(parts)) {
    # list(...) keeps a NULL as a part
    parts[i] <- list(if (i == 1) clean_head(parts[[1]], fun)
                     else if (is_data[[i]]) clean_data(parts[[i]])
                     else clean_part(parts[[i]]))
  }
  named_call(parts, names)
}

# The call of these parts; where a name is not empty, with names.
named_call <- function(parts, names) {
  names(parts) <- if (any(nzchar(names))) names
  as.call(parts)
}

# Argument names: what is no syntactic name could be text made from data.
public_names <- function(names, count) {
  if (is.null(names)) return(rep_len("", count))
  names <- as.vector(names)
  named <- which(names != "" | is.na(names))
  own <- names[named]
  names[named[is.na(own) | make.names(own) != own | nchar(own) > max_call_text]] <- ""
  names
}

# `f` or `pkg::f`.
clean_head <- function(head, fun) {
  if (is.name(head)) return(clean_name(head))
  if (is.call(head) && length(head) == 3 && is.name(head[[1]]) &&
      as.character(head[[1]]) %in% c("::", ":::") && is.name(head[[2]]) && is.name(head[[3]])) {
    return(as.call(list(head[[1]], clean_name(head[[2]]), clean_name(head[[3]]))))
  }
  if (is.null(fun)) as.name("<function>") else as.name(fun)
}

clean_data <- function(part) {
  if (is.name(part)) return(clean_name(part))
  if (is.call(part) && !is.object(part)) as.name("<data>") else kind_name(part)
}

# A name that could be one of a variable: syntactic, or of a public function, and not too long.
clean_name <- function(name) {
  text <- as.character(name)
  ok <- nchar(text) <= max_call_text && (make.names(text) == text || text %in% public_functions)
  if (ok || grepl("^\\.\\.\\.$|^\\.\\.[0-9]+$|^<[a-z. ]+>$", text)) as.name(text) else as.name("<name>")
}

clean_part <- function(part) {
  if (is.name(part)) return(clean_name(part))
  if (is.call(part)) return(clean_call(part))
  if (is_public_literal(part)) return(as.vector(part))
  kind_name(part)
}

# A call of a public function on public parts, without attributes (a formula has an environment).
clean_call <- function(call) {
  head <- call[[1]]
  bare <- if (is.call(head) && length(head) == 3) head[[3]] else head
  if (!is.name(bare) || !as.character(bare) %in% public_functions || length(call) > max_call_args) {
    return(as.name("<expression>"))
  }
  parts <- as.list(call)
  names <- public_names(names(parts), length(parts))
  parts[] <- lapply(parts, function(part) if (missing_part(part)) quote(`<name>`) else clean_part(part))
  parts[[1]] <- clean_head(head, NULL)
  named_call(parts, names)
}

# The empty name that stands for a missing argument.
missing_part <- function(part) is.name(part) && !nzchar(as.character(part))

is_public_literal <- function(x) {
  if (is.null(x)) return(TRUE)
  if (!is.null(attributes(x)) || length(x) != 1) return(FALSE)
  is.numeric(x) || is.logical(x) || is.character(x) && (is.na(x) || nchar(x, "bytes") <= max_call_text)
}

# `<data.frame>`, `<numeric>`: kinds from a fixed list, since a class could be any text.
kind_name <- function(x) {
  kind <- if (is.function(x)) "function"
          else if (inherits(x, "dp_ledger")) "ledger"
          else if (is.environment(x)) "environment"
          else if (is.data.frame(x)) "data.frame"
          else if (inherits(x, "formula")) "formula"
          else if (inherits(x, "dp_prior")) "prior"
          else if (is.factor(x)) "factor"
          else if (is.object(x)) "object"
          else if (is.matrix(x)) "matrix"
          else if (is.numeric(x)) "numeric"
          else if (is.logical(x)) "logical"
          else if (is.character(x)) "character"
          else if (is.list(x)) "list"
          else "object"
  as.name(sprintf("<%s>", kind))
}

# Below 1e-11 a p-value is mostly what pays for its rounding, see test_p_value().
p_value_text <- function(p, digits = 4) sub("<", "< ", format.pval(p, digits, eps = 1e-11), fixed = TRUE)

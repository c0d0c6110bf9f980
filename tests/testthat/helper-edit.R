# The package's functions with other functions or other text in their place, for a time.

# Evaluates `code` while internal names of the package have other values: in its namespace, and in the copy of
# that in which tests run.
with_bindings <- function(bindings, code) {
  old <- mget(as.character(names(bindings)), envir = asNamespace("dpdepth"))
  swap <- function(values) {
    for (name in names(values)) for (place in known_places(name)) {
      locked <- bindingIsLocked(name, place)
      if (locked) unlockBinding(name, place)
      assign(name, values[[name]], place)
      if (locked) lockBinding(name, place)
    }
  }
  on.exit(swap(old))
  swap(bindings)
  force(code)
}

# The function with `from` in its text, which must be there just once, replaced by `to`.
edited <- function(name, from, to, fun = get(name, asNamespace("dpdepth"))) {
  text <- paste(deparse(fun, width.cutoff = 500L), collapse = "\n")
  places <- gregexpr(from, text, fixed = TRUE)[[1]]
  if (length(places) != 1 || places[[1]] < 0) {
    stop(sprintf("%s() has `%s` %d times", name, from, sum(places > 0)))
  }
  eval(str2lang(sub(from, to, text, fixed = TRUE)), asNamespace("dpdepth"))
}

known_places <- function(name) {
  if (is.null(places_found[[name]])) assign(name, places_of(name), places_found)
  places_found[[name]]
}
places_found <- new.env(parent = emptyenv())

places_of <- function(name) {
  places <- list(asNamespace("dpdepth"))
  env <- environment(with_bindings)
  while (!identical(env, globalenv()) && !identical(env, emptyenv())) {
    if (exists(name, env, inherits = FALSE) && !identical(env, places[[1]])) places <- c(places, env)
    env <- parent.env(env)
  }
  places
}

# A planted bug: edits(name, from, to, ...) of one or more functions, and the audit that is to see it: a
# function without arguments that is TRUE if what it looks at is broken. `seed`: where a search begins that
# soon finds it.
bug <- function(audit, ..., worst = FALSE, seed = 21) {
  parts <- list(...)
  edits <- split(parts, (seq_along(parts) - 1) %/% 3)
  list(audit = audit, edits = edits, worst = worst, seed = seed)
}

planted <- function(bug) {
  bindings <- list()
  for (e in bug$edits) {
    before <- if (is.null(bindings[[e[[1]]]])) get(e[[1]], asNamespace("dpdepth")) else bindings[[e[[1]]]]
    bindings[[e[[1]]]] <- edited(e[[1]], e[[2]], e[[3]], before)
  }
  # constants are remembered; what a bug makes of them is forgotten again
  for (memory in c("noise_found", "intervals_found", "profiles_found")) {
    if (any(names(bindings) %in% made_of(memory))) bindings[[memory]] <- new.env(parent = emptyenv())
  }
  bindings
}

# The package's functions that what is remembered there may depend on: those that name it, and all that these
# name, and so on, as a symbol or as text.
made_of <- function(memory) {
  if (is.null(made_found[[memory]])) {
    all <- as.list(asNamespace("dpdepth"), all.names = TRUE)
    reach <- names(all)[vapply(all, function(f) is.function(f) && memory %in% all.names(body(f)), NA)]
    new <- reach
    while (length(new) > 0) {
      new <- setdiff(intersect(unlist(lapply(all[new], words_within)), names(all)), reach)
      reach <- c(reach, new)
    }
    assign(memory, reach, made_found)
  }
  made_found[[memory]]
}
made_found <- new.env(parent = emptyenv())

words_within <- function(x) {
  if (is.function(x)) return(c(words_within(formals(x)), words_within(body(x))))
  if (is.character(x)) return(x)
  if (is.name(x)) return(as.character(x))
  if (is.call(x) || is.pairlist(x)) x <- as.list(x)
  if (is.list(x)) unlist(lapply(unname(x), function(part) if (!missing(part)) words_within(part)))
}

# (Warnings of the package are muffled: testthat keeps a trace of each, which takes longer than the audit.)
# What is edited runs too seldom to be worth compiling.
caught <- function(bug) {
  level <- compiler::enableJIT(0)
  on.exit(compiler::enableJIT(level))
  audit <- function() tryCatch(isTRUE(bug$audit()), audit_breach = function(e) TRUE)
  with_bindings(planted(bug), suppressWarnings(audit(), classes = "dpdepth_warning"))
}

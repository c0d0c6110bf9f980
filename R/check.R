# Checks of public arguments: each returns the value in the form the C side takes,
# or raises `dpdepth_error_input` naming the argument.

# Raises the classed error for arguments without default that the caller's caller left out, and for what
# its call holds besides arguments: see check_names() for `further`.
check_given <- function(further = character()) {
  check_call(parent.frame(), sys.function(sys.parent()), sys.call(sys.parent()), further)
}

check_call <- function(frame, fun, call, further = character()) {
  check_names(frame, fun, call, further)
  for (arg in needed_arguments(fun)) {
    if (eval(call("missing", as.name(arg)), frame)) {
      stop_input(arg, given_text(arg, names(formals(fun))), "missing")
    }
  }
}

# Those without a default.
needed_arguments <- function(fun) {
  all <- formals(fun)
  names <- names(all)
  # few defaults are names
  bare <- which(vapply(all, is.symbol, NA))
  bare <- bare[vapply(bare, function(i) !nzchar(as.character(all[[i]])), NA)]
  names <- names[bare]
  names[names != "..."]
}

given_text <- function(arg, beside = character()) {
  if (arg == "data" && "formula" %in% beside) {
    return("given: a data frame, whose columns the formula takes by name, as in y ~ x and not B$y ~ B$x")
  }
  switch(arg, epsilon = "given, such as 1", delta = "given, such as 1e-6, far below 1/n", "given")
}

# One finite number, in (lower, upper) or with closed ends where said.
check_number <- function(x, arg, lower = -Inf, upper = Inf, closed = c(FALSE, FALSE)) {
  # a function: what must be is made for those who fail only, and takes longer than the check
  must <- function() with_point(number_range(lower, upper, closed))
  if (!is_scalar_number(x)) stop_input(arg, must(), describe(x))
  if (!is.finite(x)) stop_input(arg, must(), format(x))
  low <- if (closed[[1]]) x >= lower else x > lower
  high <- if (closed[[2]]) x <= upper else x < upper
  if (!low || !high) stop_input(arg, must(), format(as.double(x)))
  as.double(x)
}

is_scalar_number <- function(x) is.numeric(x) && !is.object(x) && length(x) == 1 && is.null(dim(x))

number_range <- function(lower, upper, closed) {
  if (is.finite(lower) && is.finite(upper)) {
    return(sprintf("one number in %s%s, %s%s", if (closed[[1]]) "[" else "(", format(lower),
                   format(upper), if (closed[[2]]) "]" else ")"))
  }
  if (is.finite(lower)) {
    return(sprintf("one finite number %s %s", if (closed[[1]]) "of at least" else "above", format(lower)))
  }
  if (is.finite(upper)) {
    return(sprintf("one finite number %s %s", if (closed[[2]]) "of at most" else "below", format(upper)))
  }
  "one finite number"
}

# One whole number, as an integer. `shown`: FALSE where data may stand by mistake.
check_count <- function(x, arg, lower = 1L, upper = .Machine$integer.max, shown = TRUE) {
  must <- sprintf("one whole number of at least %d", lower)
  if (!is_scalar_number(x)) stop_input(arg, must, describe(x))
  # a limit so high that it only matters to those who pass it is named only to them
  if (upper <= 1e6 || is.finite(x) && x > upper) {
    must <- sprintf("one whole number from %d to %d", lower, upper)
  }
  if (!is.finite(x) || x != round(x) || x < lower || x > upper) {
    stop_input(arg, must, if (shown) format(as.double(x)) else "another number",
               if (!shown) "It is no place for data: a plan takes public numbers alone.")
  }
  as.integer(x)
}

check_flag <- function(x, arg) {
  if (!is.logical(x) || is.object(x) || length(x) != 1 || is.na(x)) {
    stop_input(arg, "TRUE or FALSE", describe(x))
  }
  as.vector(x)
}

# One of the given strings; the default (the whole vector) means the first.
check_choice <- function(x, choices, arg) {
  if (identical(x, choices)) return(choices[[1]])
  must <- function() paste0(if (length(choices) > 1) "one of ", toString(dQuote(choices, FALSE)))
  if (!is.character(x) || is.object(x) || length(x) != 1 || is.na(x)) stop_input(arg, must(), describe(x))
  if (!x %in% choices) stop_input(arg, must(), describe_text(x, choices))
  as.vector(x)
}

# A string for a message, where it should be one of `known`. What is not near to one could be a value of the
# data under a wrong name.
describe_text <- function(x, known) if (is_near(x, known)) dQuote(short_text(x), FALSE) else "another text"

# Up to case: is it the beginning of one of them, of three letters or more, or off by a quarter of its letters
# at most?
is_near <- function(x, known) {
  if (is.na(x)) return(FALSE)
  x <- tolower(short_text(x))
  known <- tolower(known[!is.na(known)])
  off <- utils::adist(x, known) / pmax(nchar(x), nchar(known))
  nchar(x) >= 3 && any(startsWith(known, x)) || any(off <= 1 / 4)
}

# The same of names, as quote_names() has them: of others than near ones their number.
given_names <- function(given, known) {
  near <- vapply(given, is_near, NA, known)
  others <- if (!all(near)) sprintf("%d other name%s", sum(!near), plural(sum(!near)))
  paste(c(if (any(near)) quote_names(given[near]), others), collapse = " and ")
}

# Text of a user's string for a message or a print: one line, not too long.
short_text <- function(x, max = 60L) {
  x <- gsub("[[:cntrl:]]+", " ", iconv(enc2utf8(x), "UTF-8", "UTF-8", sub = "?"))
  if (nchar(x) > max) paste0(substr(x, 1, max - 3L), "...") else x
}

# Smallest and largest epsilon: below, the sampler's rounding (2^-34) would show; above,
# there is no privacy left to speak of and the exact rational no longer fits 64 bits.
check_epsilon <- function(x, arg = "epsilon") {
  check_number(x, arg, 1e-6, 1e6, closed = c(TRUE, TRUE))
}

# delta in (0, 1), or with zero allowed.
check_delta <- function(x, arg = "delta", zero = FALSE) {
  if (!zero && is_scalar_number(x) && identical(as.double(x), 0)) {
    stop_input(arg, number_range(0, 1, c(FALSE, FALSE)), "0",
               "This method needs a chance to miss its promise: far less than 1/n, such as 1e-6.")
  }
  check_number(x, arg, 0, 1, closed = c(zero, FALSE))
}

# One level for several intervals together.
check_simultaneous <- function(simultaneous, interval) {
  check_flag(simultaneous, "simultaneous")
  if (simultaneous && is.null(interval)) {
    stop_input("simultaneous", "FALSE without `interval`", "TRUE", "Give a level, as in interval = 0.95.")
  }
}

# The random source's name: the argument, or the option.
check_rng <- function(rng) {
  if (is.null(rng)) {
    rng <- getOption("dpdepth.rng", "system")
    return(check_choice(rng, c("system", "R"), "options(dpdepth.rng = )"))
  }
  check_choice(rng, c("system", "R"), "rng")
}

# A set of directions rather than their number: a set is for the data as they are, drawn ones are for
# columns in units of their spread.
is_matrix_like <- function(x) is.data.frame(x) || !is.null(dim(x))

# -- the names in a call ---------------------------------------------------------------------------------
#
# What a function does not take is refused here, since R's own errors show values. Every exported function has
# `...`, so that R finds a place for all that it is given, and begins with check_given(), which refuses what
# it finds there. An error shows a name and never a value.

# Refuses what the caller's call holds beyond its arguments: names that it lacks, values without a name that
# are too many, and abbreviations. `further`: names that `...` may hold; with check_dots() a caller looks
# again when it knows which of these it takes.
check_names <- function(frame, fun, call, further = character()) {
  known <- names(formals(fun))
  known <- known[known != "..."]
  in_dots <- dots_names(frame)
  refuse_strange(in_dots[!in_dots %in% further], c(known, further), function_name(call, fun))
  # (R itself refuses only arguments of which it knows; of these the first would win)
  twice <- in_dots[duplicated(in_dots)]
  if (length(twice) > 0) stop_input(twice[[1]], "given once", "given twice")
  # what R matched by the beginning of a name
  given <- names(call)
  given <- given[!given %in% c("", known, in_dots)]
  if (length(given) > 0) {
    refuse_name(given[[1]], c(known, further), function_name(call, fun),
                paste0(name_hint(given[[1]], c(known, further)), " Write names of arguments in full."))
  }
}

# The names in the caller's `...` must be among `further`; `of`: the call to name, such as "dp_median()".
check_dots <- function(further, of) {
  frame <- parent.frame()
  known <- setdiff(names(formals(sys.function(sys.parent()))), "...")
  refuse_strange(setdiff(dots_names(frame), further), c(known, further), of)
}

dots_names <- function(frame) {
  if (!exists("...", frame, inherits = FALSE)) return(character())
  count <- eval(quote(...length()), frame)
  if (count == 0) return(character())
  names <- eval(quote(...names()), frame)
  if (is.null(names)) names <- character(count)
  names[is.na(names)] <- ""
  names
}

# (`known` and `of` are made for those who fail only.)
refuse_strange <- function(strange, known, of) {
  if (length(strange) > 0) refuse_name(strange[[1]], known, of)
}

# `of` may be a door to methods that have functions of their own, and the name that of one of these.
refuse_name <- function(name, known, of, mend = name_hint(name, known)) {
  owners <- if (is_plain_name(name)) owners_of(name, of)
  text <- if (length(owners) > 0) {
    sprintf("`%s` is an argument of %s, not of %s.", name, paste(owners, collapse = " and "), of)
  } else {
    shown <- if (is_plain_name(name)) sprintf("`%s` is not an argument of", name)
             else if (nzchar(name)) "A name that is not syntactic is not an argument of"
             else "A value without a name is one too many for"
    sprintf("%s %s.%s", shown, of, mend)
  }
  stop_dpdepth("input", text, arg = if (is_plain_name(name)) name else "...")
}

# The functions of a door's methods that have an argument of this name; any of these releases by group.
owners_of <- function(name, of) {
  if (name %in% names(formals(getExportedValue("dpdepth", "dp_regression")))) return(NULL)
  doors <- if (of == "`dp_by()`") "^dp_(median|regression)_" else sub("^`(.*)\\(\\)`$", "^\\1_", of)
  methods <- sort(grep(doors, getNamespaceExports("dpdepth"), value = TRUE))
  has <- vapply(methods, function(method) name %in% names(formals(getExportedValue("dpdepth", method))), NA)
  sprintf("`%s()`", methods[has])
}

# The known name that is meant, if one is much like it.
near_name <- function(name, known) {
  if (!is_plain_name(name)) return(NULL)
  apart <- drop(utils::adist(name, known, ignore.case = TRUE))
  near <- startsWith(known, name) | apart <= 2 & 2 * apart < nchar(name)
  known[near][which.min(apart[near])]
}

# What users of other functions look for.
name_hint <- function(name, known) {
  hint <- switch(name,
    na.rm = , na.action = "Drop rows with missing values first, with `na.omit()`.",
    weights = "Rows have no weights here.",
    subset = "Take the subset of the rows first.",
    d = if ("p" %in% known) "The number of regressors is `p`.",
    p = if ("d" %in% known) "The number of variables is `d`.",
    sd = , scale = if ("spread" %in% known) "A guess at a standard deviation is `spread`.",
    formula = if ("data" %in% known) "Give the formula as the first argument.",
    neighbours = "Its privacy is proved for data sets of one size, in which a row is replaced.",
    seed = if ("rng" %in% known) {
      "Secret noise has no seed; for a simulation, `rng = \"R\"` takes R's stream and set.seed()."
    }
  )
  if (!is.null(hint)) return(paste0(" ", hint))
  near <- near_name(name, known)
  if (length(near) > 0) sprintf(" Did you mean `%s`?", near) else ""
}

# As in a message: `f()`, also where the call holds the function itself, as do.call() has it.
function_name <- function(call, fun) {
  head <- call[[1]]
  if (is.call(head) && length(head) == 3 && is.name(head[[3]])) head <- head[[3]]
  exports <- getNamespaceExports("dpdepth")
  name <- if (is.name(head)) as.character(head) else ""
  if (!name %in% exports) {
    own <- vapply(exports, function(name) identical(getExportedValue("dpdepth", name), fun), NA)
    name <- c(exports[own], "")[[1]]
  }
  if (nzchar(name)) sprintf("`%s()`", name) else "this function"
}

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

# One whole number, as an integer.
check_count <- function(x, arg, lower = 1L, upper = .Machine$integer.max) {
  must <- sprintf("one whole number of at least %d", lower)
  if (!is_scalar_number(x)) stop_input(arg, must, describe(x))
  # a limit so high that it only matters to those who pass it is named only to them
  if (upper <= 1e6 || is.finite(x) && x > upper) {
    must <- sprintf("one whole number from %d to %d", lower, upper)
  }
  if (!is.finite(x) || x != round(x) || x < lower || x > upper) stop_input(arg, must, format(as.double(x)))
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

# Checks of public arguments: each returns the value in the form the C side takes,
# or raises `dpdepth_error_input` naming the argument.

# Raises the classed error for arguments without default that the caller's caller left out, and for what
# its call holds besides arguments: see check_names() for `further`.
check_given <- function(further = character()) {
  frame <- parent.frame()
  check_names(frame, sys.function(sys.parent()), sys.call(sys.parent()), further)
  needed <- formals(sys.function(sys.parent()))
  needed <- names(needed)[vapply(needed, function(v) is.symbol(v) && !nzchar(as.character(v)), NA)]
  for (arg in setdiff(needed, "...")) {
    if (eval(call("missing", as.name(arg)), frame)) stop_input(arg, given_text(arg), "missing")
  }
}

given_text <- function(arg) {
  switch(arg, epsilon = "given, such as 1", delta = "given, such as 1e-6, far below 1/n", "given")
}

# Data as a double matrix, one individual a row; columns keep their names.
# `min_n`, `min_d`, `max_d`: the sizes the method can take.
check_data <- function(x, arg = "x", min_n = 1L, min_d = 1L, max_d = Inf, finite = TRUE) {
  if (inherits(x, "dp_tally")) x <- as.matrix(x, arg)
  if (is.data.frame(x)) x <- data_frame_matrix(x, arg)
  if (!is_number_like(x) && !is_flag_like(x)) {
    stop_input(arg, "a numeric vector, matrix or data frame", describe(x), mend_kind(x))
  }
  if (length(dim(x)) > 2) {
    stop_input(arg, "a vector, matrix or data frame", sprintf("an array of %d dimensions", length(dim(x))),
               "Make it a matrix of one row for each individual.")
  }
  if (NROW(x) > .Machine$integer.max) stop_input(arg, "data with at most 2^31 - 1 rows", "longer data")
  names <- if (is.matrix(x)) own_names(colnames(x))
  x <- matrix(as_numbers(if (is.matrix(x)) unclass(x) else x, arg), NROW(x), NCOL(x),
              dimnames = if (!is.null(names)) list(NULL, names))
  check_size(x, arg, min_n, min_d, max_d)
  if (finite) check_finite(x, arg)
  x
}

# Data that check_data() gave, for a method that takes fewer sizes.
check_size <- function(x, arg = "x", min_n = 1L, min_d = 1L, max_d = Inf) {
  if (nrow(x) < min_n) {
    stop_input(arg, sprintf("data with at least %d row%s", min_n, plural(min_n)),
               sprintf("data with %d", nrow(x)), mend_transposed(x, min_n))
  }
  if (ncol(x) < min_d || ncol(x) > max_d) {
    must <- if (min_d == max_d) sprintf("data with %d column%s", min_d, plural(min_d))
            else if (is.finite(max_d)) sprintf("data with %d to %d columns", min_d, max_d)
            else sprintf("data with at least %d column%s", min_d, plural(min_d))
    stop_input(arg, must, sprintf("data with %d", ncol(x)),
               if (ncol(x) > max_d) "Choose columns, as in data[c(\"a\", \"b\")].")
  }
  invisible(x)
}

# A name for each column, as of cbind(x, rev(x)); NULL stays.
own_names <- function(names) {
  if (is.null(names)) return(NULL)
  without <- is.na(names) | !nzchar(names)
  names[without] <- paste0("x", which(without))
  make.unique(names)
}

# What makes numbers of data of another kind.
mend_kind <- function(x) {
  if (is_time(x)) "Make numbers of it first, with as.numeric()."
  else if (is.factor(x)) "Make numbers of it first: one column of 0 and 1 for each level but one."
  else if (is.character(x)) "Make numbers of the text first, with as.numeric(), or leave it out."
  else if (inherits(x, "formula")) "Give the columns themselves, such as data[c(\"a\", \"b\")]."
  else if (is.list(x)) "Make a data frame of its columns, with as.data.frame()."
}

# One row and several columns: perhaps a vector that was turned.
mend_transposed <- function(x, min_n) {
  if (nrow(x) == 1 && ncol(x) >= min_n) "One row is one individual: if it is not, turn the matrix with t()."
}

# Classes of numbers that do not say what they count.
is_time <- function(x) inherits(x, c("Date", "POSIXt", "difftime", "integer64"))

# Numbers that mean what their doubles say: not factors or times (is.numeric() knows those), not
# 64-bit integers, whose bits are those of other doubles.
is_number_like <- function(x) is.numeric(x) && !is.factor(x) && !isS4(x) && !inherits(x, "integer64")

# TRUE is 1 and FALSE is 0. A column without any value is one of flags for R, whatever it would hold: it must
# not be told from one of numbers.
is_flag_like <- function(x) is.logical(x) && !is.object(x)

data_frame_matrix <- function(x, arg) {
  bad <- which(!vapply(x, function(column) is_number_like(column) || is_flag_like(column), NA))
  if (length(bad) > 0) {
    stop_input(arg, "a data frame of numeric columns",
               sprintf("one with non-numeric %s", which_columns(bad, names(x))), mend_columns(x[bad]))
  }
  if (ncol(x) == 0) return(matrix(0, nrow(x), 0))
  classed <- vapply(x, function(column) is.object(column) && is.null(dim(column)), NA)
  if (any(classed)) x[classed] <- lapply(x[classed], as_numbers, arg)
  as.matrix(x)
}

# The doubles of a vector; a class of other packages may refuse them, or give something else.
as_numbers <- function(x, arg) {
  out <- tryCatch(as.double(x), error = function(e) NULL)
  if (is.double(out) && length(out) == length(x)) return(out)
  stop_input(arg, "numbers that as.double() takes", describe(x),
             "Make plain numbers of it first, by the package that it comes from.")
}

mend_columns <- function(x) {
  times <- vapply(x, is_time, NA)
  paste(c(if (any(times)) "Make numbers of dates and times with as.numeric().",
          if (!all(times)) "Leave text and factors out, or make columns of 0 and 1 of them."),
        collapse = " ")
}

# Columns for a message: by name where all have one, by place otherwise.
which_columns <- function(index, names) {
  text <- if (is.null(names) || anyNA(names) || !all(nzchar(names))) {
    gsub("`", "", quote_names(index), fixed = TRUE)
  } else {
    quote_names(names[index])
  }
  sprintf("column%s %s", plural(length(index)), text)
}

# Which columns hold NA, NaN or Inf is said; which rows is not.
check_finite <- function(x, arg, mend = "Leave such rows out, with na.omit() for missing values.") {
  bad <- which(colSums(!is.finite(x)) > 0)
  if (length(bad) == 0) return(invisible(x))
  gaps <- bad[colSums(is.na(x[, bad, drop = FALSE])) > 0]
  found <- c(
    if (length(gaps) > 0) sprintf("missing values (NA or NaN) in %s", which_columns(gaps, colnames(x))),
    if (length(gaps) < length(bad)) {
      sprintf("infinite values in %s", which_columns(setdiff(bad, gaps), colnames(x)))
    }
  )
  stop_input(arg, "finite numbers without missing values",
             paste("data with", paste(found, collapse = " and ")), mend)
}

# For methods that divide by spreads or multiply differences: refuses numbers whose squares or quotients
# doubles cannot hold.
check_extent <- function(x, arg) {
  must <- "data of sizes that can be computed with"
  if (any(abs(x) > 2^500)) stop_input(arg, must, "data with numbers beyond 2^500", "Take larger units.")
  width <- vapply(seq_len(ncol(x)), function(j) diff(range(x[, j], x[1, j])), 0)
  if (any(width > 0 & width < 2^-500)) {
    stop_input(arg, must, "data that vary by less than 2^-500", "Take smaller units.")
  }
  invisible(x)
}

# Query points as a matrix with d columns, in the order of the columns named `names`: a vector is one
# point, or n points when d = 1.
check_points <- function(x, d, arg = "x", names = NULL) {
  if (!is.data.frame(x) && is.null(dim(x)) && is.numeric(x) && d > 1) {
    x <- matrix(x, nrow = 1, dimnames = if (!is.null(names(x))) list(NULL, names(x)))
  }
  x <- check_data(x, arg, min_n = 0L)
  if (ncol(x) != d) {
    stop_input(arg, sprintf("points in %d dimension%s, as the data", d, plural(d)),
               sprintf("points in %d", ncol(x)), "Give a matrix of one row for each point.")
  }
  if (is.null(names) || is.null(colnames(x)) || identical(colnames(x), names)) return(x)
  x[, name_order(colnames(x), names, arg), drop = FALSE]
}

# Two arguments that must agree in their number of rows (values, for vectors).
check_same_rows <- function(x, y, args = c("x", "y")) {
  if (NROW(x) == NROW(y)) return(invisible(NULL))
  stop_input(args[[2]], sprintf("of %d row%s, as `%s`", NROW(x), plural(NROW(x)), args[[1]]),
             sprintf("of %d", NROW(y)), "Each is to have one row (or value) for the same individual.")
}

# One finite number, in (lower, upper) or with closed ends where said.
check_number <- function(x, arg, lower = -Inf, upper = Inf, closed = c(FALSE, FALSE)) {
  # a function: what must be is told to those who fail only, and takes longer than the check
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
  # a limit so high that it only matters to those who pass it is told only to them
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
  if (!x %in% choices) stop_input(arg, must(), dQuote(short_text(x), FALSE))
  as.vector(x)
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

# Box ends, one number for all variables or one each; named ones are matched to `names`.
check_bounds <- function(lower, upper, d, arg = c("lower", "upper"), names = NULL) {
  single <- length(lower) == 1 && length(upper) == 1
  paired <- same_names(lower, upper, arg)
  lower <- paired[[1]]
  upper <- paired[[2]]
  lower <- check_bound(lower, d, arg[[1]], names)
  upper <- check_bound(upper, d, arg[[2]], names)
  check_ordered(lower, upper, arg, single)
  list(lower = lower, upper = upper)
}

# Two vectors that belong together, the second in the order of the first one's names. One number without a
# name is a default for all; names say which number is which, so that all of a vector's numbers have one, and
# numbers are not paired by name on one side and by place on the other.
same_names <- function(a, b, args) {
  vectors <- list(a, b)
  named <- vapply(vectors, function(v) is.numeric(v) && !is.null(names(v)), NA)
  for (i in which(named)) check_own_names(vectors[[i]], args[[i]])
  if (all(named)) {
    if (!setequal(names(a), names(b))) {
      stop_input(args[[2]], sprintf("named as `%s`, %s", args[[1]], quote_names(names(a))),
                 sprintf("named %s", quote_names(names(b))), "Name the same ones in both.")
    }
    return(list(a, b[match(names(a), names(b))]))
  }
  if (any(named) && is.numeric(vectors[[which(!named)]]) && length(vectors[[which(!named)]]) > 1) {
    stop_input(args[!named], sprintf("named as `%s`, or one number for all", args[named]),
               sprintf("%d numbers without names", length(vectors[[which(!named)]])),
               "Name the numbers in both, or in neither.")
  }
  vectors
}

check_own_names <- function(x, arg) {
  if (anyNA(names(x)) || !all(nzchar(names(x))) || anyDuplicated(names(x))) {
    stop_input(arg, "a vector in which each number has a name of its own, or none has", "named otherwise",
               "Name each number once.")
  }
}

# A vector named by columns is put in the columns' order; without names on either side, places count.
match_names <- function(x, names, arg) {
  if (is.null(names)) return(x)
  structure(x[name_order(names(x), names, arg)], names = names)
}

# The places among the names `given` of those in `names`; as they are where none are given.
name_order <- function(given, names, arg) {
  if (is.null(given) || identical(given, names)) return(seq_along(names))
  if (!setequal(given, names) || anyDuplicated(names) || anyDuplicated(given)) {
    stop_input(arg, paste("named", quote_names(names)), quote_names(given),
               "Name each of them once, and nothing else; or leave the names out and let places count.")
  }
  match(names, given)
}

# `single`: one number each was given, for all variables.
check_ordered <- function(lower, upper, arg, single) {
  bad <- which(lower >= upper)
  if (length(bad) > 0) {
    stop_input(arg[[1]], sprintf("below `%s`", arg[[2]]),
               if (single) sprintf("%s against %s", format(lower[[1]]), format(upper[[1]]))
               else paste("at or above it in", which_places(bad, names(lower))),
               if (all(lower > upper)) "Perhaps the two changed places.")
  }
  if (!all(is.finite(upper - lower))) {
    stop_input(arg[[2]], sprintf("at a finite distance from `%s`", arg[[1]]), "so far that it overflows",
               "Take nearer ones.")
  }
}

check_bound <- function(x, d, arg, names = NULL) {
  mend <- if (d > 1) sprintf("Give one number for all, or one for each of the %d.", d)
  must <- if (d == 1) "one finite number" else sprintf("1 or %d finite numbers", d)
  if (!is.numeric(x) || is.object(x) || length(dim(x)) > 1 || !length(x) %in% c(1L, d)) {
    stop_input(arg, must, describe(x), mend)
  }
  if (!all(is.finite(x))) stop_input(arg, must, "missing or infinite")
  x <- structure(as.double(x), names = names(x))
  as.double(match_names(spread_named(x, d, names, arg), names, arg))
}

# One number for each of d variables. A number with a name is for that variable, and is none for all.
spread_named <- function(x, d, names, arg) {
  if (length(x) == d) return(x)
  if (!is.null(names(x))) {
    must <- if (is.null(names)) sprintf("one number without a name, or %d numbers", d)
            else paste("named", quote_names(names))
    stop_input(arg, must, paste("only", quote_names(names(x))),
               "Name each of them; one number without a name is for all.")
  }
  rep_len(x, d)
}

# A resolution that names some of the variables, with the default of the others, d numbers or a function that
# gives them. Anything else is left as it is, for the checks.
fill_named <- function(resolution, default, names) {
  named <- names(resolution)
  if (is.null(named) || is.null(names) || !is.numeric(resolution) || is.object(resolution)) return(resolution)
  if (anyDuplicated(named) || anyDuplicated(names)) return(resolution)
  if (!all(named %in% names)) {
    stop_input("resolution", paste("named by variables:", quote_names(names)), quote_names(named),
               "Name each variable once; variables that are left out keep the default.")
  }
  others <- setdiff(names, named)
  if (length(others) == 0) return(resolution)
  if (is.function(default)) default <- default()
  default <- rep_len(unname(default), length(names))
  c(resolution, stats::setNames(default[match(others, names)], others))
}

# The random source's name: the argument, or the option.
check_rng <- function(rng) {
  if (is.null(rng)) {
    rng <- getOption("dpdepth.rng", "system")
    return(check_choice(rng, c("system", "R"), "options(dpdepth.rng = )"))
  }
  check_choice(rng, c("system", "R"), "rng")
}

# Two vectors of finite numbers brought to one length and one set of names.
check_prior_fields <- function(a, b, args) {
  fields <- list(check_finite_numbers(a, args[[1]]), check_finite_numbers(b, args[[2]]))
  d <- max(lengths(fields))
  if (!all(lengths(fields) %in% c(1L, d))) {
    stop_input(args[[2]], sprintf("of length 1 or %d, as `%s`", length(fields[[1]]), args[[1]]),
               sprintf("of length %d", length(fields[[2]])))
  }
  fields <- same_names(fields[[1]], fields[[2]], args)
  names <- if (is.null(names(fields[[1]]))) names(fields[[2]]) else names(fields[[1]])
  fields <- lapply(fields, function(x) structure(rep_len(x, d), names = names))
  structure(fields, names = args)
}

check_finite_numbers <- function(x, arg) {
  must <- "a vector of finite numbers"
  if (!is.numeric(x) || is.object(x) || length(x) == 0 || length(dim(x)) > 1) {
    stop_input(arg, must, describe(x))
  }
  if (!all(is.finite(x))) stop_input(arg, must, "one with missing or infinite numbers")
  structure(as.double(x), names = names(x))
}

# A set of directions rather than their number: a set is for the data as they are, drawn ones are for
# columns in units of their spread.
is_matrix_like <- function(x) is.data.frame(x) || !is.null(dim(x))

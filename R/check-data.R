# Checks of data: numeric vectors, matrices, data frames and points, as double matrices.

# Data as a double matrix, one individual a row; columns keep their names.
# `min_n`, `min_d`, `max_d`: the sizes the method can take.
check_data <- function(x, arg = "x", min_n = 1L, min_d = 1L, max_d = Inf, finite = TRUE) {
  x <- bare_rows(x, arg)
  if (is.data.frame(x)) x <- data_frame_matrix(x, arg)
  if (!is_number_like(x) && !is_flag_like(x)) {
    stop_input(arg, "a numeric vector, matrix or data frame", describe_data(x), mend_kind(x))
  }
  if (length(dim(x)) > 2) {
    stop_input(arg, "a vector, matrix or data frame", sprintf("an array of %d dimensions", length(dim(x))),
               "Make it a matrix of one row for each individual.")
  }
  if (NROW(x) > .Machine$integer.max) stop_input(arg, "data with at most 2^31 - 1 rows", "data with more")
  if (is.matrix(x)) check_text_names(colnames(x), arg)
  names <- if (is.matrix(x)) own_names(colnames(x))
  x <- matrix(as_numbers(if (is.matrix(x)) unclass(x) else x, arg), NROW(x), NCOL(x),
              dimnames = if (!is.null(names)) list(NULL, names))
  check_size(x, arg, min_n, min_d, max_d)
  if (finite) check_finite(x, arg)
  x
}

# Rows as they were given; what is counted has methods of its own, see R/private-data.R.
bare_rows <- function(x, arg = "x") UseMethod("bare_rows")

#' @export
bare_rows.default <- function(x, arg = "x") x

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
               if (ncol(x) > max_d) {
                 if (max_d == 1) "Choose a column, as in data[\"a\"]."
                 else "Choose columns, as in data[c(\"a\", \"b\")]."
               })
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
  if (inherits(x, c("tbl_lazy", "tbl_sql"))) "Count the rows in the database, with dp_tally()."
  else if (inherits(x, "DBIConnection")) "Count the rows of a table, with dp_tally(x, table = \"name\", ...)."
  else if (is_time(x)) "Make numbers of it first, with as.numeric()."
  else if (is.factor(x)) "Make numbers of it first: one column of 0 and 1 for each level but one."
  else if (is.character(x)) "Make numbers of the text first, with as.numeric(), or leave it out."
  else if (inherits(x, "formula")) "Give the columns themselves, such as data[c(\"a\", \"b\")]."
  else if (inherits(x, "dp_tallies")) "Release tallies by group with dp_by()."
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

# A data frame that was changed by hand may say that it has other rows than its columns have: R's own
# functions would fail or not as the rows have it.
check_frame <- function(x, arg) {
  if (!is.data.frame(x)) return(invisible(x))
  columns <- unclass(x)
  check_text_names(names(columns), arg)
  whole <- is.list(columns) && length(names(columns)) == length(columns) &&
    all(vapply(columns, NROW, 0L) == .row_names_info(x, 2L))
  if (whole) return(invisible(x))
  stop_input(arg, "a data frame whose columns and row names are of one length",
             "one that was changed by hand", "Make it anew, with data.frame().")
}

# R itself fails where it compares names that are no valid text, and says so in words of its own.
check_text_names <- function(names, arg) {
  if (!is.character(names) || all(Encoding(names) != "bytes" & validEnc(names))) return(invisible(NULL))
  stop_input(arg, "data whose columns have names in a valid encoding", "data with a name that is not",
             "Name the columns anew, as in names(data)[1] <- \"age\".")
}

data_frame_matrix <- function(x, arg) {
  check_frame(x, arg)
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
  if (is.double(x) && !is.object(x)) return(as.double(x))
  out <- muted(as.double(x))
  if (is.double(out) && length(out) == length(x)) return(out)
  stop_input(arg, "made of numbers that as.double() takes", describe_data(x),
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
  usable <- is.finite(x)
  if (all(usable)) return(invisible(x))
  bad <- which(colSums(!usable) > 0)
  gaps <- bad[colSums(is.na(x[, bad, drop = FALSE])) > 0]
  # one column without a name was a vector
  place <- function(index) {
    if (ncol(x) > 1 || !is.null(colnames(x))) paste(" in", which_columns(index, colnames(x))) else ""
  }
  found <- c(if (length(gaps) > 0) paste0("missing values (NA or NaN)", place(gaps)),
             if (length(gaps) < length(bad)) paste0("infinite values", place(setdiff(bad, gaps))))
  stop_input(arg, "finite numbers without missing values",
             paste("data with", paste(found, collapse = " and ")), mend)
}

# For methods that divide by spreads or multiply differences: refuses numbers whose squares or quotients
# doubles cannot hold.
check_extent <- function(x, arg) {
  if (any(abs(x) > 2^500)) {
    stop_input(arg, "data with numbers of at most 2^500 in size", "data with larger ones",
               "Take larger units.")
  }
  width <- vapply(seq_len(ncol(x)), function(j) diff(range(x[, j], x[1, j])), 0)
  if (any(width > 0 & width < 2^-500)) {
    stop_input(arg, "data whose columns vary by at least 2^-500", "data that vary by less",
               "Take smaller units.")
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
    stop_input(arg, sprintf("points in %d dimension%s, like the data", d, plural(d)),
               sprintf("points in %d", ncol(x)), "Give a matrix of one row for each point.")
  }
  if (is.null(names) || is.null(colnames(x)) || identical(colnames(x), names)) return(x)
  x[, name_order(colnames(x), names, arg), drop = FALSE]
}

# Two arguments that must agree in their number of rows (values, for vectors).
check_same_rows <- function(x, y, args = c("x", "y")) {
  if (NROW(x) == NROW(y)) return(invisible(NULL))
  stop_input(args[[2]], sprintf("as long as `%s`", args[[1]]), "of another length",
             "Give one row (or value) for each individual in both.")
}

# -- columns, bounds and their names ---------------------------------------------------------------

# The `names` of data's variables, for the checks below, which match by them what has names; none, where data
# have none. (In a plan, without data, `names` is NULL.)
names_of <- function(x) if (is.null(colnames(x))) character() else colnames(x)

# Box ends, one number for all variables or one each; named ones are matched to `names`.
check_bounds <- function(lower, upper, d, arg = c("lower", "upper"), names = NULL) {
  single <- length(lower) == 1 && length(upper) == 1
  if (!is.null(names(lower)) && !is.null(names(upper)) && length(names) > 0 &&
        !setequal(names(lower), names(upper))) {
    # those are wrong that the data do not have
    Map(function(x, arg) if (length(x) == d) name_order(names(x), names, arg), list(lower, upper), arg)
  }
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
      stop_input(args[[2]], sprintf("named like `%s`", args[[1]]), "otherwise",
                 "Name the same ones in both.")
    }
    return(list(a, b[match(names(a), names(b))]))
  }
  if (any(named) && is.numeric(vectors[[which(!named)]]) && length(vectors[[which(!named)]]) > 1) {
    stop_input(args[!named], sprintf("named like `%s`, or one number for all", args[named]),
               "numbers without names",
               "Name the numbers in both, or in neither.")
  }
  vectors
}

check_own_names <- function(x, arg) {
  if (anyNA(names(x)) || !all(nzchar(names(x))) || anyDuplicated(names(x))) {
    stop_input(arg, "a vector in which each number has a name of its own, or none has",
               "one in which some lack a name or share one", "Name each number once.")
  }
}

# A vector named by columns is put in the columns' order; without names on either side, places count. But the
# name of one number alone is for a variable, and a vector of data has none.
match_names <- function(x, names, arg) {
  if (length(names) > 0) return(structure(x[name_order(names(x), names, arg)], names = names))
  if (length(x) == 1 && !is.null(names(x)) && !is.null(names)) {
    stop_input(arg, "one number without a name, as the data have none", "one with a name")
  }
  x
}

# The places among the names `given` of those in `names`; as they are where none are given.
name_order <- function(given, names, arg) {
  if (is.null(given) || identical(given, names)) return(seq_along(names))
  if (!setequal(given, names) || anyDuplicated(names) || anyDuplicated(given)) {
    stop_input(arg, paste("named", quote_names(names)), given_names(given, names),
               "Name each of them once, and nothing else; or leave the names out and let places count.")
  }
  match(names, given)
}

# `single`: one number each was given, for all variables.
check_ordered <- function(lower, upper, arg, single) {
  bad <- which(lower >= upper)
  if (length(bad) > 0) {
    stop_input(arg[[1]], sprintf("below `%s`", arg[[2]]),
               if (single) sprintf("%s where `%s` is %s", format(lower[[1]]), arg[[2]], format(upper[[1]]))
               else paste("at or above it in", which_places(bad, names(lower))),
               if (all(lower > upper)) "Perhaps the two changed places.")
  }
  if (!all(is.finite(upper - lower))) {
    stop_input(arg[[2]], sprintf("so near to `%s` that their difference is a finite number", arg[[1]]),
               NULL, "Take limits that are nearer to each other.")
  }
}

check_bound <- function(x, d, arg, names = NULL) {
  mend <- if (d > 1) sprintf("Give one number for all, or one for each of the %d.", d)
  must <- if (d == 1) "one finite number" else sprintf("1 or %d finite numbers", d)
  if (!is.numeric(x) || is.object(x) || length(dim(x)) > 1 || !length(x) %in% c(1L, d)) {
    stop_input(arg, must, describe_several(x), mend)
  }
  if (!all(is.finite(x))) stop_input(arg, must, "missing or infinite")
  x <- structure(as.double(x), names = names(x))
  as.double(match_names(spread_named(x, d, names, arg), names, arg))
}

# Numbers of which there are more or fewer than variables, or what is none.
describe_several <- function(x) {
  if (is.numeric(x) && !is.object(x) && is.null(dim(x)) && length(x) != 1) "another count of numbers"
  else describe(x)
}

# One number for each of d variables. A number with a name is for that variable, and is none for all.
spread_named <- function(x, d, names, arg) {
  if (length(x) == d) return(x)
  if (!is.null(names(x))) {
    must <- if (length(names) == 0) sprintf("one number without a name, or %d numbers", d)
            else paste("named", quote_names(names))
    near <- is_near(names(x), names)
    stop_input(arg, must, if (near) paste("only", quote_names(names(x))) else "one number with another name",
               "Name each of them; one number without a name is for all.")
  }
  rep_len(x, d)
}

# A resolution that names some of the variables, with the default of the others, d numbers or a function that
# gives them. Anything else is left as it is, for the checks.
fill_named <- function(resolution, default, names) {
  named <- names(resolution)
  if (is.null(named) || length(names) == 0 || !is.numeric(resolution) || is.object(resolution)) {
    return(resolution)
  }
  if (anyDuplicated(named) || anyDuplicated(names)) return(resolution)
  if (!all(named %in% names)) {
    stop_input("resolution", paste("named by variables, which are", quote_names(names)),
               given_names(named, names),
               "Name each variable once; variables that are left out keep the default.")
  }
  others <- setdiff(names, named)
  if (length(others) == 0) return(resolution)
  if (is.function(default)) default <- default()
  default <- rep_len(unname(default), length(names))
  c(resolution, stats::setNames(default[match(others, names)], others))
}

# Two vectors of finite numbers brought to one length and one set of names.
check_prior_fields <- function(a, b, args) {
  fields <- list(check_finite_numbers(a, args[[1]]), check_finite_numbers(b, args[[2]]))
  d <- max(lengths(fields))
  if (!all(lengths(fields) %in% c(1L, d))) {
    stop_input(args[[2]], sprintf("of length 1 or %d, like `%s`", length(fields[[1]]), args[[1]]),
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

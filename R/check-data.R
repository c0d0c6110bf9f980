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
  if (inherits(x, "tbl_sql")) "Count the rows in the database, with dp_tally()."
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

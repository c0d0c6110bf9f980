# Missing and infinite values: refused before anything is spent, or replaced by public ones.
#
# Two neighbours differ in a row and agree in n. To leave a row out changes n: only distributions of a row
# more or less hold then, see R/pipeline-rows.R. Else what stands for a row, or for a value, is public, and a
# function of that row alone.

# Data as check_data() gives them. `middle(d, names)`: the public row that stands for each incomplete one if
# `na` is "middle", or NULL where the method has no public middle.
replace_missing <- function(x, na, middle = NULL, arg = "x") {
  fill_missing(check_data(x, arg, finite = FALSE), na, middle, arg)
}

# Of data that check_data() gave.
fill_missing <- function(x, na, middle, arg = "x") {
  if (identical(na, "fail")) return(check_finite(x, arg, mend_missing))
  if (identical(na, "omit")) refuse_omitted()
  whole <- identical(na, "middle")
  values <- if (whole) public_middle(middle, x) else na_numbers(na, ncol(x), names_of(x))
  # variables that are not named must have all values
  check_finite(x[, is.na(values), drop = FALSE], arg, mend_missing)
  bad <- !is.finite(x)
  if (whole) bad[] <- rowSums(bad) > 0
  x[bad] <- values[col(x)[bad]]
  x
}

mend_missing <- paste(
  "Say with `na` that such rows are left out (\"omit\", where n is private) or which public values stand for",
  "them; or leave them out with na.omit() if it may be known that there were some."
)

na_forms <- "\"fail\", \"omit\", \"middle\", or finite numbers: one, one for each variable, or some by name"

omitted_text <- "rows with a missing or infinite value are left out; how many is private"

# For methods whose distributions need one n.
refuse_omitted <- function(why = "This release is private for data sets of one size only.") {
  stop_input("na", "\"fail\", \"middle\" or numbers for this release", "\"omit\"", paste(
    "Where rows are left out n is private.", why, "Leave them out with na.omit() if it may be known how many",
    "they are. (A tally has the `na` of dp_tally(), \"omit\" of a database: count with na = \"middle\".)"
  ))
}

# A number per variable; NA for those that names leave out.
na_numbers <- function(na, d, names) {
  some <- !is.null(names(na)) && length(na) > 0 && length(na) < d
  if (!is.numeric(na) || is.object(na) || length(dim(na)) > 1 || !some && !length(na) %in% c(1L, d)) {
    stop_input("na", na_forms, describe_several(na), "The numbers are public, and stand for missing values.")
  }
  if (!all(is.finite(na))) stop_input("na", na_forms, "missing or infinite", "Give a number of your choice.")
  if (some && all(names(na) %in% names) && !anyDuplicated(names(na)) && !anyDuplicated(names)) {
    return(as.double(na[match(names, names(na))]))
  }
  check_bound(na, d, "na", names)
}

public_middle <- function(middle, x) {
  if (is.null(middle)) {
    stop_input("na", "\"fail\", \"omit\" or finite numbers for a method without public limits", "\"middle\"",
               "With bounds or a prior there is a public middle; here, give the numbers yourself.")
  }
  middle(ncol(x), names_of(x))
}

# Where the middle of the limits is: of a prior, or of bounds.
limits_middle <- function(prior = NULL, lower = NULL, upper = NULL) {
  if (is.null(prior) && (is.null(lower) || is.null(upper))) return(NULL)
  function(d, names) {
    if (is.null(prior)) {
      bounds <- check_bounds(lower, upper, d, names = names)
      return(bounds$lower / 2 + bounds$upper / 2)
    }
    prior <- prior_for(prior, d, names)
    if (is_dyadic(prior)) return(unname(prior$origin))
    unname(if (inherits(prior, "dp_prior_normal")) prior$mean else prior$lower / 2 + prior$upper / 2)
  }
}

# -- columns of a formula --------------------------------------------------------------------------

# `na` for the columns of a formula, checked by their kinds and names only: "fail", "middle", or a list with
# a public value of a column's kind for each of those that may lack some.
na_rules <- function(na, columns) {
  if (identical(na, "fail") || identical(na, "middle")) return(na)
  if (identical(na, "omit")) refuse_omitted()
  must <- "\"fail\", \"omit\", \"middle\", one finite number, or numbers and levels named by columns"
  if (!is.numeric(na) && !(is.list(na) && !is.null(names(na))) || is.object(na) || length(dim(na)) > 1) {
    stop_input("na", must, describe(na), "Name them, as in list(age = 40, sex = \"f\").")
  }
  if (is.null(names(na))) {
    if (length(na) != 1) stop_input("na", must, describe(na), "Name the numbers by the columns.")
    if (!is.finite(na)) stop_input("na", must, "missing or infinite", "Give a number of your choice.")
    # one number is no level: a factor takes its first one
    na <- lapply(columns, function(column) if (column$kind == "factor") column$levels[[1]] else as.vector(na))
  }
  na <- as.list(na)
  strange <- setdiff(names(na), names(columns))
  if (length(strange) > 0 || anyDuplicated(names(na))) {
    stop_input("na", paste("named by columns of the formula, each once, of", quote_names(names(columns))),
               paste("named", given_names(names(na), names(columns))),
               "Columns that are left out must have all values.")
  }
  Map(function(value, name) na_value(value, columns[[name]], name), na, names(na))
}

# For the release, in words: `na` is public, and this is said whatever the data hold. `middle`: what stands
# for incomplete rows.
na_text <- function(na, middle = "the middle of the limits") {
  if (identical(na, "fail")) return("fail")
  if (identical(na, "omit")) return(omitted_text)
  if (identical(na, "middle")) return(paste(middle, "stands for each row with a missing or infinite value"))
  text <- vapply(as.list(na), function(v) format(v, digits = 7), "")
  text <- toString(if (is.null(names(na))) text else paste(names(na), text))
  sprintf("%s stand%s for missing and infinite values", text, if (length(na) == 1) "s" else "")
}

# What a release says of `na`, among its details.
na_detail <- function(na, ...) if (!identical(na, "fail")) list(na = na_text(na, ...))

na_value <- function(value, column, name) {
  refuse <- function(must) {
    stop_input("na", sprintf("%s for `%s`", must, short_text(name)), describe(value))
  }
  if (column$kind == "factor") {
    code <- if (is.character(value) && length(value) == 1) match(key_text(value), column$levels)
    if (is.null(code) || is.na(code)) refuse("one declared level")
    return(code)
  }
  if (column$kind == "logical" && is.logical(value) && length(value) == 1 && !is.na(value)) {
    return(as.vector(value))
  }
  if (!is_scalar_number(value) || !is.finite(value)) refuse("one finite number")
  if (column$kind == "logical") value != 0 else as.double(value)
}

# Refuses columns with missing or infinite values; which columns is said, which rows is not.
check_complete <- function(columns) {
  gaps <- vapply(columns, function(column) anyNA(column$value), NA)
  far <- vapply(columns, function(column) any(bad_values(column) & !is.na(column$value)), NA) & !gaps
  if (!any(gaps | far)) return(invisible(NULL))
  found <- c(if (any(gaps)) sprintf("missing values in %s", quote_names(names(columns)[gaps])),
             if (any(far)) sprintf("infinite values in %s", quote_names(names(columns)[far])))
  stop_input("data", "data without missing or infinite values",
             paste("data with", paste(found, collapse = " and ")), mend_missing)
}

# Columns without gaps. Rows for which the middle stands get it later, see middle_in_rows().
replace_values <- function(columns, na) {
  if (!is.list(na)) return(columns)
  for (name in names(na)) {
    column <- columns[[name]]
    column$value[bad_values(column)] <- na[[name]]
    columns[[name]] <- column
  }
  check_complete(columns)
  columns
}

# The public row in the place of each incomplete one: regressors 0, the response in the middle of the
# intercept's public limits, or NULL where there are none.
middle_in_rows <- function(frame, middle) {
  if (is.null(middle)) {
    stop_input("na", "\"fail\", \"omit\" or public values for a method without public limits", "\"middle\"",
               "With bounds or a prior there is a public middle; here, give the values yourself.")
  }
  frame$x[frame$incomplete, ] <- 0
  frame$y[frame$incomplete] <- middle
  frame
}

# The rows in which a column has no value, or an infinite one.
bad_values <- function(column) {
  if (column$kind == "number") !is.finite(column$value) else is.na(column$value)
}

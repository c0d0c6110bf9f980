# A formula and a data frame under the rules of private releases: terms that are functions of a row and of
# public things only, nothing kept that could hold data.

# Response, design matrix (without its column of ones), which rows were incomplete (PRIVATE) and all of the
# terms that a release may keep: the formula as text, levels of factors, which columns are flags. `origin`:
# may the formula have no intercept?
#
# Whether the formula is refused is decided with the kinds of the columns and no rows; then the data are
# looked at, and may be refused for missing values if `na` is "fail".
#
# Of a tally: x is one, with y for its entries, where the caller counts; else its rows are taken.
public_frame <- function(formula, data, na = "fail", origin = FALSE, counted = FALSE) {
  UseMethod("public_frame", data)
}

#' @export
public_frame.dp_tally <- function(formula, data, na = "fail", origin = FALSE, counted = FALSE) {
  check_tally(data, "data")
  points <- if (counted) data$points else expand_tally(data, "data")
  frame <- public_frame(formula, as.data.frame(points), na, origin)
  frame$kept$of_tally <- persons_detail(data)
  if (counted) replace(frame, "x", list(on_entries(data, function(points) frame$x))) else frame
}

#' @export
public_frame.default <- function(formula, data, na = "fail", origin = FALSE, counted = FALSE) {
  formula <- check_formula(formula, data, origin)
  terms <- public_terms(formula)
  columns <- formula_columns(formula, data)
  na <- na_rules(na, columns)
  row_model(terms, lapply(columns, no_rows), 0L)
  kinds <- kinds_of(columns)
  kept <- list(formula = formula_text(formula), levels = lapply(columns[kinds == "factor"], `[[`, "levels"),
               ordered = names(Filter(function(v) isTRUE(v$ordered), columns)),
               logical = names(columns)[kinds == "logical"])
  incomplete <- incomplete_columns(columns)
  if (identical(na, "fail")) check_complete(columns)
  model <- row_model(terms, replace_values(columns, na), nrow(data))
  list(x = model$x, y = model$y, terms = c(if (model$intercept) "(Intercept)", colnames(model$x)),
       kept = kept, shape = model$shape, incomplete = if (identical(na, "middle")) which(incomplete))
}

formula_columns <- function(formula, data) {
  lapply(stats::setNames(nm = all.vars(formula)), function(name) plain_column(data, name))
}

# The rows that lack a value of one column at least.
incomplete_columns <- function(columns) Reduce(`|`, lapply(columns, bad_values))

incomplete_for <- function(formula, data) {
  incomplete_columns(formula_columns(check_formula(formula, data, origin = TRUE), data))
}

# The formula as text that is read again as the same one, to the last bit of its numbers.
formula_text <- function(formula) {
  text <- function(control) {
    paste(deparse(formula, width.cutoff = 500L, control = control), collapse = " ")
  }
  short <- text(c("keepNA", "keepInteger"))
  bare <- function(f) as.call(as.list(f))
  # R's parser takes fewer brackets within brackets than its evaluator
  again <- tryCatch(str2lang(short), error = function(e) stop_nested(45))
  if (identical(bare(again), bare(formula))) short else text(c("keepNA", "keepInteger", "digits17"))
}

# The formula with `.` expanded and a bare environment, or an error that says what it may not hold.
check_formula <- function(formula, data, origin = FALSE) {
  if (!inherits(formula, "formula") || !is.call(formula)) {
    stop_input("formula", "a formula", describe(formula), "Write it as y ~ x.")
  }
  if (length(formula) != 3) {
    stop_formula("it has no response", "Write the response before the tilde, as in y ~ x.")
  }
  if (!is.data.frame(data)) {
    stop_input("data", "a data frame", describe_data(data), "Make one with as.data.frame().")
  }
  check_frame(data, "data")
  formula <- call("~", checked_part(formula[[2]]), checked_terms(formula[[3]]))
  if ("." %in% all.vars(formula) && !"." %in% names(data)) {
    rest <- setdiff(names(data), all.vars(formula[[2]]))
    if (length(rest) == 0) stop_no_regressors()
    check_column_names(rest)
    dots <- Reduce(function(a, b) call("+", a, b), lapply(rest, as.name))
    formula[[3]] <- do.call(substitute, list(formula[[3]], list(. = dots)))
  }
  strange <- setdiff(all.vars(formula), names(data))
  if (length(strange) > 0) {
    stop_formula(sprintf("`data` has no column %s", quote_names(strange)),
                 paste("Write numbers as they are, and put what belongs to each row into `data`:",
                       "variables of the session are not looked at."))
  }
  check_column_names(all.vars(formula))
  check_expansion(formula[[3]])
  formula <- stats::as.formula(formula, env = emptyenv())
  terms <- public_terms(formula)
  if (attr(terms, "intercept") == 0 && !origin) stop_origin("this method")
  if (length(attr(terms, "term.labels")) == 0) stop_no_regressors()
  formula
}

# Names that R takes in a formula, and reads again from its text.
check_column_names <- function(names) {
  long <- is.na(names) | nchar(names, "bytes") > 1000
  if (!any(long | !nzchar(names))) return(invisible(NULL))
  stop_input("data", "a data frame whose columns in the formula have names of 1 to 1000 bytes",
             if (any(long)) "one with a longer name" else "one with an empty name", "Rename the column.")
}

stop_no_regressors <- function() {
  stop_formula("it has no regressors",
               "Name one at least, as in y ~ x; the median of one variable is dp_median()'s task.")
}

# What R makes no terms of, such as text, and a response that is a regressor too.
public_terms <- function(formula) {
  terms <- tryCatch(suppressWarnings(stats::terms(formula)), error = function(e) {
    stop_formula("R can make no terms of it", "Write it as for lm(), with + between its terms.")
  })
  factors <- attr(terms, "factors")
  if (length(factors) > 0 && any(factors[1, ] > 0)) { # the response is the first row
    stop_formula("its response is one of its regressors", "Leave it out on the right-hand side.")
  }
  terms
}

# -- columns ---------------------------------------------------------------------------------------

# A column's values and kind, as those of row_value(): no classes with methods of their own, no contrasts.
plain_column <- function(data, name, arg = "data") {
  at <- which(names(data) == name)
  shown <- short_text(name)
  if (length(at) != 1) {
    stop_input(arg, "a data frame whose columns have names of their own",
               sprintf("one with %d columns `%s`", length(at), shown), "Give each a name of its own.")
  }
  column <- .subset2(data, at)
  if (length(dim(column)) > 1 || is.object(column) && is.list(column)) {
    refuse_column(column, shown, arg, "Put each of its columns into `data` under a name of its own.")
  }
  if (is.factor(column)) return(factor_column(column, shown, arg))
  if (is.logical(column)) return(list(kind = "logical", value = as.vector(unclass(column)), literal = FALSE))
  if (!is_number_like(column)) refuse_column(column, shown, arg, mend_column(column, arg))
  # doubles, since I(x * x) of integers overflows
  list(kind = "number", value = as.double(unclass(column)), literal = FALSE)
}

refuse_column <- function(column, shown, arg, mend) {
  stop_input(arg, "data whose columns are numeric, logical or factors with public levels",
             sprintf("one in which `%s` is %s", shown, describe_data(column)), mend)
}

mend_column <- function(column, arg) {
  if (arg != "data") return("Give numbers or flags, as in the data of the release.")
  if (is.character(column)) {
    return("Declare its levels, from what is public and not from the data: factor(x, levels = c(...)).")
  }
  if (is_time(column)) return("Make numbers of it with as.numeric().")
  "Make numbers of it, or a factor whose levels are declared, or leave it out of the formula."
}

# Codes of declared levels, see factor_codes().
factor_column <- function(column, shown, arg) {
  levels <- factor_levels(column, shown, arg)
  if (length(levels) < 2) {
    stop_input(arg, "data whose factors have at least two levels",
               sprintf("one in which `%s` has %d", shown, length(levels)),
               "Declare all levels that there could be, factor(x, levels = c(...)), or leave the column out.")
  }
  if (inherits(column, "ordered") && length(levels) > 95) { # contr.poly() has no more
    stop_input(arg, "data whose ordered factors have at most 95 levels",
               sprintf("one in which `%s` has %d", shown, length(levels)),
               "Make a number of it with as.numeric(), or a factor without an order.")
  }
  list(kind = "factor", value = factor_codes(column), levels = levels, ordered = inherits(column, "ordered"),
       literal = FALSE)
}

factor_levels <- function(column, shown, arg) {
  levels <- attr(column, "levels")
  levels <- if (is.character(levels)) valid_text(levels)
  if (is.null(levels) || anyNA(levels) || no_text %in% levels || anyDuplicated(levels)) {
    refuse_column(column, shown, arg,
                  "Make the factor anew, with distinct levels in a valid encoding, none of which is NA.")
  }
  levels
}

no_rows <- function(column) replace(column, "value", list(column$value[0]))

# -- new rows --------------------------------------------------------------------------------------

# The design matrix of new rows, from what public_frame() kept; `response` too where it is asked for. Rows
# without a value in a column that is used are NA.
new_rows <- function(kept, newdata, response = FALSE, arg = "newdata") {
  if (!is.data.frame(newdata)) {
    stop_input(arg, "a data frame", describe_data(newdata), "Make one with data.frame().")
  }
  check_frame(newdata, arg)
  formula <- stats::as.formula(str2lang(kept$formula), env = emptyenv())
  used <- all.vars(if (response) formula else formula[[3]])
  absent <- setdiff(used, names(newdata))
  if (length(absent) > 0) {
    stop_input(arg, "a data frame with the columns of the formula",
               sprintf("one without %s", quote_names(absent)), "Add these columns.")
  }
  columns <- lapply(stats::setNames(nm = used), function(name) new_column(newdata, name, kept, arg))
  incomplete <- incomplete_columns(columns)
  model <- row_model(public_terms(formula), columns, nrow(newdata), response)
  model$x[incomplete, ] <- NA
  if (response) model$y[incomplete] <- NA
  model
}

new_column <- function(newdata, name, kept, arg) {
  levels <- kept$levels[[name]]
  if (is.null(levels)) {
    if (is.factor(newdata[[name]])) {
      stop_input(arg, "a data frame with columns as in the data of the release",
                 sprintf("one in which `%s` is a factor", short_text(name)),
                 "Make numbers of it, as in those data.")
    }
    column <- plain_column(newdata, name, arg)
    kind <- if (name %in% kept$logical) "logical" else "number"
    return(list(kind = kind, value = converted(column, kind), literal = FALSE))
  }
  text <- key_text(newdata[[name]])
  codes <- match(text, levels)
  if (any(is.na(codes) & !is.na(text))) {
    stop_input(arg, "a data frame whose factors have the levels of the release",
               sprintf("one with others in `%s`", short_text(name)),
               "Such rows cannot be predicted: leave them out.")
  }
  list(kind = "factor", value = codes, levels = levels, ordered = name %in% kept$ordered, literal = FALSE)
}

# What is public of a frame. `n`: what stands for a private number of rows.
facts_of_frame <- function(frame, given, n = private_size) {
  terms <- frame$terms
  list(n = if (given$private) n else nrow(frame$x), d = length(terms), names = terms, variables = terms,
       kept = frame$kept, shape = frame$shape, private = given$private)
}

# What a release keeps of the formula's columns, for predictions.
frame_details <- function(kept) {
  columns <- kept[c("levels", "ordered", "logical")]
  columns[lengths(columns) > 0]
}

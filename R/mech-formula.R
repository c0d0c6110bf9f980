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
  row_model(terms, lapply(columns, function(column) replace(column, "value", list(column$value[0]))), 0L)
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
  # by the text alone: terms() would expand it for minutes or for ever
  if (expansion_size(formula[[3]]) > max_formula_terms) stop_expansion()
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

# -- refusals by text ------------------------------------------------------------------------------

# What builds formulas; the functions of terms are in row_functions.
formula_operators <- c("~", "+", "-", "*", "/", "^", ":", "(")

# Calls within a term, or brackets between terms, that are nested deeper are refused.
max_formula_depth <- 100L

# Terms that R is given to expand: time grows with their square, to some seconds here.
max_formula_terms <- 2047

# What joins terms, from left to right.
term_operators <- c("+", "-", "*", "/", ":")

# The right-hand side, as checked_part(): terms that are joined from left to right are taken one by one, so
# that a sum of many is no deeper than one of two.
checked_terms <- function(part, depth = 0L) {
  chain <- list()
  while (is_joined(part)) {
    chain[[length(chain) + 1]] <- list(part[[1]], part[[3]])
    if (length(chain) > max_formula_terms) stop_expansion()
    part <- part[[2]]
  }
  inner <- is.call(part) && is.name(part[[1]]) && as.character(part[[1]]) %in% c("(", "^", "+", "-")
  if (depth > max_formula_depth) stop_nested()
  out <- if (inner) checked_call(part, function(v) checked_terms(v, depth + 1L)) else checked_part(part)
  for (link in rev(chain)) out <- call(as.character(link[[1]]), out, checked_terms(link[[2]], depth + 1L))
  out
}

is_joined <- function(part) {
  is.call(part) && length(part) == 3 && is.name(part[[1]]) && as.character(part[[1]]) %in% term_operators &&
    !missing_part(part[[2]]) && !missing_part(part[[3]])
}

# An upper bound of the number of terms, and of what terms() holds on the way.
expansion_size <- function(part) {
  sizes <- list()
  while (is_joined(part)) {
    sizes[[length(sizes) + 1]] <- list(as.character(part[[1]]), expansion_size(part[[3]]))
    part <- part[[2]]
  }
  size <- expansion_head(part)
  for (step in rev(sizes)) {
    k <- step[[2]]
    size <- switch(step[[1]], "+" = size + k, "-" = max(size, k), "*" = size + k + size * k, "/" = size + k,
                   ":" = size * k)
  }
  size
}

expansion_head <- function(part) {
  name <- if (is.call(part) && is.name(part[[1]])) as.character(part[[1]]) else ""
  if (name == "(" || name %in% c("+", "-") && length(part) == 2) return(expansion_size(part[[2]]))
  if (name != "^" || length(part) != 3) return(1)
  size <- expansion_size(part[[2]])
  power <- part[[3]]
  if (!is_scalar_number(power) || !is.finite(power) || power < 2 || power != round(power)) {
    stop_formula("it raises terms to a power that is not a whole number from 2 on",
                 "Write (a + b)^2 for interactions of two, and I(x^2) for the square of a number.")
  }
  # terms() multiplies by all of them again for each unit of the power
  if (power > 100 || size > max_formula_terms) return(Inf)
  sum(choose(size, seq_len(min(power, size))))
}

stop_expansion <- function() {
  stop_formula(sprintf("its expansion has more than %d terms", max_formula_terms), paste(
    "Name the interactions that you want with a colon, as in a + b + a:b: a * between terms doubles their",
    "number, and ^ raises it to a power."
  ))
}

stop_nested <- function(most = max_formula_depth) {
  stop_formula(sprintf("its calls are nested more than %d deep", most),
               "Compute columns of `data` before, and name these.")
}

# The expression with nothing in it but names, public literals and calls of the functions allowed: no
# attributes, functions or data.
checked_part <- function(part, depth = 0L) {
  if (depth > max_formula_depth) stop_nested()
  if (is.name(part)) return(part)
  if (!is.call(part)) {
    if (!is_public_literal(part)) {
      stop_formula(sprintf("%s is written into it", describe(part)),
                   paste("A formula is public and must be without data written into it: put the data into a",
                         "column of `data`, and name the column."))
    }
    return(part)
  }
  checked_call(part, function(argument) checked_part(argument, depth + 1L))
}

# A call of an allowed function, its arguments as `check` gives them back.
checked_call <- function(part, check) {
  head <- part[[1]]
  name <- if (is.name(head)) as.character(head)
          else if (is.call(head) && is.name(head[[1]])) as.character(head[[1]])
          else "function"
  if (!is.name(head) && name %in% names(row_functions)) name <- "function" # (log)(x)
  if (!name %in% c(names(row_functions), setdiff(formula_operators, "~"))) stop_function(name)
  arguments <- as.list(part)[-1]
  if (any(vapply(arguments, missing_part, NA))) {
    stop_formula(sprintf("%s() has an empty argument", name), "Give the argument, or leave out its comma.")
  }
  # in lists, since NULL is an argument, too
  arguments <- lapply(arguments, function(argument) list(check(argument)))
  as.call(c(as.name(name), do.call(c, arguments)))
}

# A function that is not in the list, and what to do instead.
stop_function <- function(name) {
  problem <- switch(name,
    "$" = , "[[" = , "[" = , "@" = sprintf("it takes a part of an object, by %s", name),
    "::" = , ":::" = "it says which package a function is of",
    "function" = "it has a function without a name in it",
    offset = "it has an offset",
    sprintf("it has %s() in it", short_text(name))
  )
  mend <- switch(name,
    "$" = , "[[" = , "[" = , "@" =
      "Give the columns' names alone and the data frame as `data`, as in dp_regression(y ~ x, data = B).",
    offset = "Subtract the offset from the response instead, as in I(y - x) ~ z.",
    factor = , as.factor = , ordered = , cut = , interaction = paste(
      "Levels are public and must be declared, not found in the data: make the factor in `data`, with",
      "factor(x, levels = c(...)), and name its column."
    ),
    "::" = , ":::" = "Give the function's name alone: base R's is taken.",
    paste("Terms must be made of functions that take each row by itself, such as log(), pmax() or I(),",
          "without those that depend on all of the data, such as poly() or scale(). Put public numbers in",
          "the place of means and deviations, or make a column of `data` of what each row gives by itself.")
  )
  stop_formula(problem, mend)
}

stop_origin <- function(method) {
  stop_formula(sprintf("it has no intercept, and %s fits one", method),
               "Leave out the 0 or the -1; or take dp_regression(method = \"exponential\").")
}

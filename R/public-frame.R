# A formula and a data frame under the rules of private releases: terms that are functions of a row and of
# public things only, nothing kept that could hold data.

# Functions of a row: what they give for a row does not depend on the others.
row_functions <- c(
  "I", "log", "log2", "log10", "log1p", "exp", "expm1", "sqrt", "abs", "sign", "sin", "cos", "tan", "asin",
  "acos", "atan", "sinh", "cosh", "tanh", "floor", "ceiling", "round", "trunc", "pmin", "pmax", "ifelse",
  "as.numeric", "as.integer", "as.double", "!", "&", "|", "==", "!=", "<", "<=", ">", ">=", "%%", "%/%"
)
# Besides, what builds formulas.
formula_operators <- c("~", "+", "-", "*", "/", "^", ":", "(")

# Where terms are evaluated: row functions as base R has them, and nothing else.
row_environment <- function() {
  list2env(mget(c("list", row_functions, formula_operators), envir = baseenv()), parent = emptyenv())
}

# Response, design matrix (without its column of ones) and all of the terms that a release may keep:
# the formula as text, and levels of factors.
public_frame <- function(formula, data) {
  formula <- check_formula(formula, data)
  used <- all.vars(formula)
  data <- as.list(data)[used]
  for (name in used) check_column(data[[name]], name)
  kept <- list(formula = paste(deparse(formula, width.cutoff = 500L), collapse = " "),
               levels = lapply(Filter(is.factor, data), levels),
               ordered = names(Filter(is.ordered, data)))
  data <- lapply(data, plain_column)
  model <- row_frame(formula, data)
  y <- stats::model.response(model)
  if (!is.numeric(y) || NCOL(y) != 1) stop_input("formula", "with one numeric response", describe(y))
  x <- row_design(model)
  x <- x[, colnames(x) != "(Intercept)", drop = FALSE]
  y <- matrix(as.double(y), dimnames = list(NULL, names(model)[[1]]))
  check_finite(cbind(y, x), "data")
  list(x = unname_rows(x), y = as.vector(y), kept = kept)
}

# The formula with `.` expanded and a bare environment, or an error that says what it may not hold.
check_formula <- function(formula, data) {
  if (!inherits(formula, "formula") || !is.call(formula)) {
    stop_input("formula", "a formula", describe(formula))
  }
  if (length(formula) != 3) stop_input("formula", "with a response", "one without")
  if (!is.data.frame(data)) stop_input("data", "a data frame", describe(data))
  formula <- stats::as.formula(structure(formula, class = NULL, .Environment = NULL), env = emptyenv())
  check_expression(formula)
  if ("." %in% all.vars(formula)) {
    rest <- setdiff(names(data), all.vars(formula[[2]]))
    if (length(rest) == 0) stop_input("formula", "with regressors", "one with none")
    dots <- Reduce(function(a, b) call("+", a, b), lapply(rest, as.name))
    formula[[3]] <- do.call(substitute, list(formula[[3]], list(. = dots)))
  }
  strange <- setdiff(all.vars(formula), names(data))
  if (length(strange) > 0) {
    stop_input("formula", "made of columns of `data`", sprintf("with %s", quote_names(strange)))
  }
  terms <- public_terms(formula)
  if (attr(terms, "intercept") == 0) stop_input("formula", "with an intercept", "one without")
  if (length(attr(terms, "term.labels")) == 0) stop_input("formula", "with regressors", "one with none")
  formula
}

# What R makes no terms of, such as text, and a response that is a regressor too.
public_terms <- function(formula) {
  terms <- tryCatch(stats::terms(formula), error = function(e) {
    stop_input("formula", "made of terms", "one that has none")
  })
  factors <- attr(terms, "factors")
  if (length(factors) > 0 && any(factors[1, ] > 0)) { # the response is the first row
    stop_input("formula", "with a response that is no regressor", "one with such")
  }
  terms
}

check_expression <- function(part) {
  if (is.name(part)) return(invisible(NULL))
  if (!is.call(part)) {
    if (!is_public_literal(part)) stop_input("formula", "without data written into it", describe(part))
    return(invisible(NULL))
  }
  head <- part[[1]]
  name <- if (is.name(head)) as.character(head) else "<function>"
  if (name == "offset") stop_input("formula", "without an offset", "one with an offset")
  if (!name %in% c(row_functions, formula_operators)) {
    must <- paste("made of functions that take each row by itself, such as log() or I(), without terms",
                  "that depend on all of the data, such as poly() or scale()")
    stop_input("formula", must, sprintf("with %s()", short_text(name)))
  }
  for (argument in as.list(part)[-1]) if (!missing_part(argument)) check_expression(argument)
}

check_column <- function(column, name) {
  must <- "data whose columns are numeric, logical or factors with public levels"
  ok <- is_number_like(column) || is.factor(column) || is.logical(column)
  if (!ok || length(dim(column)) > 1) {
    stop_input("data", must, sprintf("one in which `%s` is %s", short_text(name), describe(column)))
  }
  if (is.factor(column) && nlevels(column) < 2) {
    stop_input("data", "data whose factors have at least two levels",
               sprintf("one in which `%s` has %d", short_text(name), nlevels(column)))
  }
  if (anyNA(column)) {
    stop_input("data", "data without missing values", sprintf("data with some in `%s`", short_text(name)))
  }
}

# Nothing but the values and the levels: no classes with methods of their own, no contrasts.
plain_column <- function(column) {
  if (is.factor(column)) factor(as.character(column), levels(column), ordered = is.ordered(column))
  else if (is.integer(column)) as.double(column) # I(x * x) must not overflow
  else as.vector(unclass(column))
}

# The terms of plain columns. No warning and no message of R's own, which may depend on the data: what is not
# finite is for the caller to refuse.
row_frame <- function(formula, data) {
  environment(formula) <- row_environment()
  data <- as.data.frame(data, optional = TRUE)
  tryCatch(
    suppressWarnings(stats::model.frame(formula, data, na.action = stats::na.pass)),
    error = function(e) {
      stop_input("formula", "made of terms that the columns of `data` allow", "one that cannot be evaluated")
    }
  )
}

# Treatment contrasts, polynomials for ordered factors: whatever R's options say.
row_design <- function(model) {
  coded <- Filter(function(column) is.factor(column) || is.logical(column), model)
  coded <- coded[setdiff(names(coded), names(model)[attr(attr(model, "terms"), "response")])]
  contrasts <- lapply(coded, function(column) if (is.ordered(column)) "contr.poly" else "contr.treatment")
  stats::model.matrix(attr(model, "terms"), model, contrasts.arg = if (length(contrasts) > 0) contrasts)
}

# The design matrix of new rows, from what public_frame() kept; `response` too where it is asked for.
new_rows <- function(kept, newdata, response = FALSE) {
  if (!is.data.frame(newdata)) stop_input("newdata", "a data frame", describe(newdata))
  formula <- stats::as.formula(str2lang(kept$formula), env = emptyenv())
  if (!response) formula <- formula[c(1L, 3L)]
  used <- all.vars(formula)
  absent <- setdiff(used, names(newdata))
  if (length(absent) > 0) {
    stop_input("newdata", "with the columns of the formula", sprintf("without %s", quote_names(absent)))
  }
  data <- lapply(stats::setNames(nm = used), function(name) new_column(newdata[[name]], name, kept))
  model <- row_frame(formula, data)
  list(x = row_design(model), y = if (response) as.double(stats::model.response(model)))
}

new_column <- function(column, name, kept) {
  levels <- kept$levels[[name]]
  if (is.null(levels)) {
    if (!is_number_like(column) && !is.logical(column)) {
      stop_input("newdata", "with columns as in the data",
                 sprintf("one in which `%s` is %s", name, describe(column)))
    }
    return(plain_column(column))
  }
  out <- factor(as.character(column), levels, ordered = name %in% kept$ordered)
  if (any(is.na(out) & !is.na(column))) {
    stop_input("newdata", "with the levels of the formula's factors",
               sprintf("one with others in `%s`", name))
  }
  out
}

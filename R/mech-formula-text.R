# The text of a formula: which functions it may hold, how deep, and how many terms it expands to. No data.

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

# Refuses, by the formula's text alone, what terms() would expand for minutes or for ever.
check_expansion <- function(part) {
  if (expansion_size(part) > max_formula_terms) stop_expansion()
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

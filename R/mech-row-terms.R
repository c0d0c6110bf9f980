# Values of a formula's terms: functions of a row and of nothing else, by a walk over the expression.
#
# METHOD: A value is a list: `kind`; `value`, a vector without attributes that has the data's length;
#   `literal`, whether it is made of literals alone. Kinds: "number" (doubles), "logical", "factor" (codes,
#   besides `levels` and `ordered`), "text" (one string, which has no other use than to be compared with a
#   factor). Literals are repeated to the data's length first, so that nothing is recycled. Every function
#   works element by element on plain vectors of one length: no method of a class is called, whatever the
#   data have. What is refused depends on kinds, names, literals and declared levels. row_model() is tried on
#   no rows at all before it sees the data (see public_frame()), so that no value has a part in it.
# DEGENERATE: What R answers with a warning, such as log(-1), is NaN without one. settle() puts a public
#   constant in the place of what is not finite.

row_entry <- function(run, args, minimum = length(args), takes = "number", gives = "number") {
  list(run = run, args = args, minimum = minimum, takes = takes, gives = gives)
}

# From the first, the second and the third: whatever has one and the other of two.
row_ifelse <- function(test, yes, no) {
  out <- no
  chosen <- test & !is.na(test)
  out[chosen] <- yes[chosen]
  out[is.na(test)] <- NaN
  out
}

# As base R converts, but for its warning: beyond the range of integers there is nothing.
row_integer <- function(x) {
  out <- trunc(x)
  out[is.na(out) | abs(out) > .Machine$integer.max] <- NaN
  out
}

# The closed list, with its arguments. No function of it looks at more than one row.
row_functions <- c(
  lapply(mget(c("log2", "log10", "log1p", "exp", "expm1", "sqrt", "abs", "sign", "sin", "cos", "tan", "asin",
                "acos", "atan", "sinh", "cosh", "tanh", "floor", "ceiling", "trunc"), baseenv()),
         row_entry, args = "x"),
  lapply(mget(c("*", "/", "^", "%%", "%/%"), baseenv()), row_entry, args = c("x", "y")),
  lapply(mget(c("==", "!=", "<", "<=", ">", ">="), baseenv()), row_entry, args = c("x", "y"),
         gives = "logical"),
  lapply(mget(c("&", "|"), baseenv()), row_entry, args = c("x", "y"), takes = "logical", gives = "logical"),
  lapply(mget(c("pmin", "pmax"), baseenv()), row_entry, args = "...", minimum = 1L),
  list(
    "!" = row_entry(function(x) !x, "x", takes = "logical", gives = "logical"),
    "+" = row_entry(function(x, y) if (missing(y)) x else x + y, c("x", "y"), 1L),
    "-" = row_entry(function(x, y) if (missing(y)) -x else x - y, c("x", "y"), 1L),
    log = row_entry(function(x, base) if (missing(base)) log(x) else log(x, base), c("x", "base"), 1L),
    round = row_entry(function(x, digits) if (missing(digits)) round(x) else round(x, digits),
                      c("x", "digits"), 1L),
    ifelse = row_entry(row_ifelse, c("test", "yes", "no"), takes = c("logical", "number", "number"),
                       gives = c("logical", "number", "number")),
    as.integer = row_entry(row_integer, "x"),
    as.numeric = row_entry(function(x) x, "x"),
    as.double = row_entry(function(x) x, "x"),
    I = row_entry(function(x) x, "x", takes = "any"),
    "(" = row_entry(function(x) x, "x", takes = "any")
  )
)

# The value of an expression, where names are those of `columns`, each a value of length n.
row_value <- function(part, columns, n) {
  if (is.name(part)) return(columns[[as.character(part)]])
  if (!is.call(part)) return(literal_value(part, n))
  name <- as.character(part[[1]])
  values <- lapply(as.list(part)[-1], row_value, columns, n)
  if (name == ":") {
    stop_formula("it has a colon inside of a call or in the response",
                 "Name an interaction by a term of its own.")
  }
  if (name %in% c("==", "!=") && any(kinds_of(values) %in% c("text", "factor"))) {
    return(compare_level(name, values))
  }
  row_apply(name, values)
}

kinds_of <- function(values) vapply(values, `[[`, "", "kind")

literal_value <- function(x, n) {
  if (is.null(x)) stop_formula("it has NULL as a value", "Write a number in its place.")
  if (is.character(x)) return(list(kind = "text", value = x, literal = TRUE))
  kind <- if (is.logical(x)) "logical" else "number"
  if (kind == "number") x <- as.double(x)
  list(kind = kind, value = rep_len(x, n), literal = TRUE)
}

row_apply <- function(name, values) {
  entry <- row_functions[[name]]
  values <- matched_arguments(name, entry, values)
  literal <- all(vapply(values, `[[`, NA, "literal"))
  # I(x) and (x) are x
  if (identical(entry$takes, "any")) {
    if (values[[1]]$kind == "text" && name == "I") stop_kind(name, "text")
    return(values[[1]])
  }
  kinds <- kinds_of(values)
  wrong <- kinds[!kinds %in% c("number", "logical")]
  if (length(wrong) > 0) stop_kind(name, wrong[[1]])
  plain <- Map(converted, values, rep_len(entry$takes, length(values)))
  if (length(unique(lengths(plain))) != 1) stop_dpdepth("internal", "A term recycles. Please report this.")
  # no rows, nothing to compute: kinds are all that is asked for
  value <- if (length(plain[[1]]) > 0) do.call(entry$run, plain)
  # ifelse() gives flags where it chooses among flags
  gives <- if (length(entry$gives) == 1) entry$gives
           else if (all(kinds[-1] == "logical")) "logical" else "number"
  value <- if (gives == "logical") as.logical(value) else as.double(value)
  list(kind = gives, value = value, literal = literal)
}

stop_kind <- function(name, kind) {
  stop_formula(
    sprintf("%s() is given %s and takes numbers", name, if (kind == "text") "text" else "a factor"),
    paste("A factor is a term by itself, or is compared with one of its levels, as in f == \"a\";",
          "text has no other use.")
  )
}

converted <- function(value, kind) {
  if (kind == "logical") as.logical(value$value) else as.double(value$value)
}

# A factor and a text that is one of its declared levels.
compare_level <- function(name, values) {
  kinds <- kinds_of(values)
  if (length(values) != 2 || !setequal(kinds, c("factor", "text"))) {
    stop_formula(sprintf("%s compares %s", name, paste(kinds, collapse = " and ")),
                 "Compare a factor with one of its levels, as in f == \"a\", and numbers with numbers.")
  }
  f <- values[[which(kinds == "factor")]]
  code <- match(valid_text(values[[which(kinds == "text")]]$value), f$levels)
  if (is.na(code)) {
    stop_formula("it compares a factor with text that is none of its levels",
                 "Look at levels(): the levels that are declared are public.")
  }
  same <- f$value == code
  list(kind = "logical", value = if (name == "==") same else !same, literal = FALSE)
}

# Arguments in the order of the entry's, by their full names or by place.
matched_arguments <- function(name, entry, values) {
  given <- if (is.null(names(values))) character(length(values)) else names(values)
  any_number <- identical(entry$args, "...")
  known <- if (any_number) character() else entry$args
  named <- given[nzchar(given)]
  wrong <- !all(named %in% known) || anyDuplicated(named) > 0 || length(values) < 1 ||
    (!any_number && length(values) > length(known))
  if (!wrong && !any_number) {
    given[!nzchar(given)] <- utils::head(setdiff(known, named), sum(!nzchar(given)))
    wrong <- !all(utils::head(known, entry$minimum) %in% given)
    values <- stats::setNames(values, given)[intersect(known, given)]
  }
  if (wrong) {
    stop_formula(
      sprintf("%s() is called with other arguments than it takes here", name),
      if (any_number) "Give it columns and numbers, without names."
      else sprintf("Its arguments are %s.", quote_names(known))
    )
  }
  if (any_number) unname(values) else values
}

# What is not finite takes a public constant in its row: 0, and FALSE for a flag.
term_constant <- 0

settle <- function(value) {
  bad <- if (value$kind == "number") !is.finite(value$value) else is.na(value$value)
  value$value[bad] <- switch(value$kind, number = term_constant, logical = FALSE, 1L)
  value
}

# -- the design matrix -----------------------------------------------------------------------------

# Response (NULL if it is not asked for) and design matrix, without the column of ones, of n rows. `terms`: of
# public_terms(). Names and their order are those of lm().
row_model <- function(terms, columns, n, response = TRUE) {
  variables <- as.list(attr(terms, "variables"))[-1]
  labels <- vapply(variables, expression_text, "")
  values <- suppressWarnings(lapply(variables[-1], row_value, columns, n))
  regressors <- Map(check_term, lapply(values, settle), labels[-1])
  y <- if (response) suppressWarnings(row_value(variables[[1]], columns, n))
  intercept <- attr(terms, "intercept") == 1
  factors <- attr(terms, "factors")[-1, , drop = FALSE]
  if (!intercept) factors <- full_first(factors, kinds_of(regressors))
  blocks <- lapply(seq_len(ncol(factors)), function(j) {
    at <- which(factors[, j] > 0)
    coded <- Map(coded_value, regressors[at], labels[-1][at], factors[at, j] == 2)
    Reduce(crossed, coded)
  })
  x <- do.call(cbind, blocks)
  x[!is.finite(x)] <- term_constant # products of finite values overflow
  list(y = if (response) settle(check_numeric_response(y))$value, x = x, intercept = intercept,
       shape = if (intercept) term_shape(blocks, factors, kinds_of(regressors)) else plain_shape)
}

# A shape: `indicators`, the columns of each term of factors alone (flags have two levels). (Of formulas
# without an intercept nothing has been measured.)
plain_shape <- list(indicators = integer())

# What is public of the columns.
term_shape <- function(blocks, factors, kinds) {
  discrete <- kinds %in% c("factor", "logical")
  with_factor <- colSums(factors[discrete, , drop = FALSE] > 0) > 0
  with_number <- colSums(factors[!discrete, , drop = FALSE] > 0) > 0
  columns <- vapply(blocks, ncol, 0L)
  list(indicators = columns[with_factor & !with_number])
}

# As model.matrix() does it: without an intercept the first factor of the first term that has one is coded by
# all of its levels.
full_first <- function(factors, kinds) {
  at <- which(factors > 0 & kinds %in% c("factor", "logical"))
  if (length(at) > 0) factors[[at[[1]]]] <- 2
  factors
}

# As lm() names a coefficient.
expression_text <- function(part) {
  paste(deparse(part, width.cutoff = 500L, backtick = TRUE), collapse = " ")
}

check_term <- function(value, label) {
  if (value$kind == "text" || value$literal) {
    stop_formula(sprintf("its term %s has no column of `data` in it", short_text(label)),
                 "Leave the term out, or name a column in it.")
  }
  value
}

check_numeric_response <- function(value) {
  if (value$kind != "number" || value$literal) {
    was <- switch(value$kind, logical = "a flag (TRUE or FALSE)", factor = "a factor", text = "text",
                  "without a column of `data`")
    stop_formula(sprintf("its response is %s, and one numeric response is asked for", was),
                 "Make a number of each row's response, for example with as.numeric(y == \"yes\").")
  }
  value
}

# The columns of one variable: itself, or indicators of levels (treatment contrasts; polynomials for ordered
# factors; all levels where `full`), from the declared levels only.
coded_value <- function(value, label, full) {
  if (value$kind == "number") return(matrix(value$value, ncol = 1, dimnames = list(NULL, label)))
  if (value$kind == "logical") {
    value <- list(value = value$value + 1L, levels = c("FALSE", "TRUE"), ordered = FALSE)
  }
  k <- length(value$levels)
  if (value$ordered && !full) {
    code <- stats::contr.poly(k)
    return(structure(code[value$value, , drop = FALSE], dimnames = list(NULL, paste0(label, colnames(code)))))
  }
  shown <- if (full) seq_len(k) else seq_len(k)[-1]
  x <- outer(value$value, shown, `==`) + 0
  structure(x, dimnames = list(NULL, paste0(label, value$levels[shown])))
}

# All products of a column of one and a column of the other, the first running fastest.
crossed <- function(a, b) {
  i <- rep(seq_len(ncol(a)), ncol(b))
  j <- rep(seq_len(ncol(b)), each = ncol(a))
  x <- a[, i, drop = FALSE] * b[, j, drop = FALSE]
  colnames(x) <- paste(colnames(a)[i], colnames(b)[j], sep = ":")
  x
}

# A formula that is not taken: what is the matter, and how to mend it, in whole sentences.
stop_formula <- function(problem, mend) {
  stop_dpdepth("input", sprintf("`formula` cannot be taken: %s. %s", problem, mend), arg = "formula")
}

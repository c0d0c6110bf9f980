# The privacy audit of formulas: random expressions, good and bad, over columns of nasty values; whether a
# row's design depends on more than the row; planted bugs.

nasty_frame <- function(n = 9) {
  draw <- function() sample(c(nasty_values, stats::rnorm(9)), n, TRUE)
  data.frame(y = draw(), u = draw(), v = draw(), i = as.integer(sample(c(-3:3, .Machine$integer.max), n,
                                                                       TRUE)),
             f = factor(sample(c("a", "b"), n, TRUE), c("a", "b", "c")),
             o = factor(sample(c("lo", "hi"), n, TRUE), c("lo", "mid", "hi"), ordered = TRUE),
             l = sample(c(TRUE, FALSE), n, TRUE), t = sample(letters, n, TRUE))
}

# An expression for one variable of a formula; few are refused.
random_part <- function(depth = sample(0:3, 1)) {
  if (depth == 0) {
    if (stats::runif(1) < 0.25) return(pick(list(0, 1, -2.5, 2L, TRUE, NA, 1e300, Inf, NaN, "a", "", NULL)[
      if (stats::runif(1) < 0.9) 1:9 else 1:12]))
    return(as.name(pick(c("u", "v", "i", "l", if (stats::runif(1) < 0.1) c("f", "o", "t")))))
  }
  arguments <- function(k) lapply(seq_len(k), function(j) random_part(depth - 1))
  # all of the closed list, and what is no function of it
  name <- pick(c(names(row_functions), "minus", "level", "bad"))
  if (name == "level") return(call(pick(c("==", "!=")), as.name(pick(c("f", "o"))), pick(c("a", "hi", "c",
                                                                                           "b"))))
  if (name == "minus") return(as.call(c(as.name("-"), arguments(1))))
  if (name == "bad") name <- pick(c(":", "rep", "rev", "mean", "c", "[", "cumsum", "sort", "paste",
                                    "factor", "log"))
  entry <- row_functions[[name]]
  k <- if (is.null(entry)) 1 else if (identical(entry$args, "...")) sample(1:3, 1)
       else entry$minimum + sample.int(length(entry$args) - entry$minimum + 1, 1) - 1
  as.call(c(as.name(name), arguments(k)))
}

random_formula <- function() {
  variable <- function() {
    if (stats::runif(1) < 0.3) return(as.name(pick(c("u", "v", "i", "f", "o", "l"))))
    part <- random_part()
    operators <- c("+", "-", "*", "/", "^", ":", "(")
    bare <- is.name(part) || is.call(part) && !as.character(part[[1]]) %in% operators
    if (bare) part else call("I", part)
  }
  terms <- variable()
  for (j in seq_len(sample(0:2, 1))) terms <- call(pick(c("+", "+", ":", "*")), terms, variable())
  response <- if (stats::runif(1) < 0.5) quote(y) else call("I", call("+", quote(y), random_part(1)))
  stats::as.formula(call("~", response, terms))
}

# What a formula makes of data: the frame, or the refusal, and any warning.
formula_outcome <- function(formula, data, na = "fail") {
  heard <- NULL
  out <- withCallingHandlers(
    tryCatch(public_frame(formula, data, na), error = identity),
    warning = function(w) {
      heard <<- c(heard, conditionMessage(w))
      tryInvokeRestart("muffleWarning")
    }
  )
  if (inherits(out, "error")) {
    told <- gsub("of length [0-9]+", "", conditionMessage(out)) # n is public
    return(list(told = c(told, heard), strange = !inherits(out, "dpdepth_error_input")))
  }
  list(told = c(colnames(out$x), heard), kept = out$kept, x = unname(out$x), y = out$y,
       strange = length(heard) > 0 || !all(is.finite(out$x)) || !all(is.finite(out$y)))
}

# TRUE if the rows of a formula depend on more than themselves, or its refusal on any: rows together, one by
# one, in another order, and beside another row, to the last bit.
formula_breach <- function(formula, data, other, row, na = "fail") {
  n <- nrow(data)
  whole <- formula_outcome(formula, data, na)
  next_to <- formula_outcome(formula, other, na)
  order <- sample.int(n)
  turned <- formula_outcome(formula, data[order, ], na)
  alone <- formula_outcome(formula, data[row, ], na)
  all_told <- list(next_to, turned, alone)
  if (whole$strange || any(vapply(all_told, `[[`, NA, "strange"))) return(TRUE)
  same <- function(o) {
    identical(o$told, whole$told) && identical(o$kept, whole$kept) && is.null(o$x) == is.null(whole$x)
  }
  if (!all(vapply(all_told, same, NA))) return(TRUE)
  if (is.null(whole$x)) return(FALSE)
  !identical(next_to$x[-row, ], whole$x[-row, ]) || !identical(next_to$y[-row], whole$y[-row]) ||
    !identical(turned$x, whole$x[order, , drop = FALSE]) || !identical(turned$y, whole$y[order]) ||
    !identical(alone$x, whole$x[row, , drop = FALSE]) || !identical(alone$y, whole$y[row])
}

# Neighbours: one row is another.
nasty_neighbours <- function() {
  data <- nasty_frame()
  row <- sample.int(nrow(data), 1)
  other <- data
  other[row, ] <- nasty_frame(1)
  list(data = data, other = other, row = row)
}

known_attacks <- list(
  I(0 * u + ifelse(TRUE, v, 0)) ~ u, y ~ log(u - 199999), y ~ f, y ~ u:v, y ~ abs(u), y ~ t, y ~ f:l,
  log(y) ~ u,
  y ~ exp(u), y ~ o * v, y ~ I(i * i) + sqrt(v), y ~ ifelse(u > 1, "top", "other"), y ~ pmax(v, ""),
  y ~ I(v:v),
  y ~ I(0 * sign(u) + 1e200):I(0 * sign(v) + 1e200)
)

formula_tells <- function(rounds = audit_size(3, 30)) {
  for (i in seq_len(rounds)) {
    pair <- nasty_neighbours()
    told <- vapply(known_attacks, formula_breach, NA, data = pair$data, other = pair$other, row = pair$row)
    if (any(told)) return(TRUE)
  }
  FALSE
}

# What stands for a missing value is not of other rows, and no row is left out.
replacement_tells <- function() {
  x <- cbind(c(1, 2, 3, 4), c(5, 6, 7, 9))
  y <- replace(x, c(2, 6), NA)
  middle <- limits_middle(prior_uniform(0, 10))
  d <- data.frame(y = x[, 1], u = x[, 2])
  e <- data.frame(y = y[, 1], u = y[, 2])
  wrong <- vapply(list("middle", 3), function(na) {
    a <- replace_missing(x, na, middle)
    b <- replace_missing(y, na, middle)
    far <- replace_missing(replace(y, 4, 1000), na, middle)
    !identical(dim(a), dim(b)) || !identical(a[-2, ], b[-2, ]) || !identical(far[1:3, ], b[1:3, ]) ||
      formula_breach(y ~ u, d, e, 2, na) || formula_breach(y ~ u, e, d, 2, na)
  }, NA)
  any(wrong)
}

# The names of the closed list's functions whose values of some rows depend on other rows: on all rows at once
# they are not, to the last bit, what they are row by row, or in another order.
row_functions_that_mix <- function(table = row_functions, n = 50) {
  mixes <- function(entry) {
    open <- identical(entry$args, "...")
    counts <- if (open) 1:3 else seq(entry$minimum, length(entry$args))
    any(vapply(counts, function(k) mixes_rows(entry$run, rep_len(entry$takes, k), n), NA))
  }
  names(table)[vapply(table, mixes, NA)]
}

mixes_rows <- function(run, takes, n) {
  inputs <- lapply(takes, function(kind) {
    if (kind == "logical") return(sample(c(TRUE, FALSE, NA), n, TRUE))
    sample(c(nasty_values, NaN, Inf, -Inf, stats::rnorm(9)), n, TRUE)
  })
  at <- function(rows) suppressWarnings(do.call(run, lapply(inputs, `[`, rows)))
  same <- function(a, b) identical(a, b, num.eq = FALSE)
  order <- sample.int(n)
  whole <- at(seq_len(n))
  !same(whole, unlist(lapply(seq_len(n), at))) || !same(whole[order], at(order))
}

list_tells <- function() length(row_functions_that_mix()) > 0

formula_bugs <- list(
  "a running maximum in the closed list" =
    bug(list_tells, "row_functions", "list(log2 = list(run", paste(
      "list(cummax = list(run = cummax, args = \"x\", minimum = 1L, takes = \"number\", gives = \"number\"),",
      "log2 = list(run"
    ), worst = TRUE),
  "a literal is recycled" = bug(formula_tells, "literal_value", "rep_len(x, n)", "x",
                                "row_apply", "length(unique(lengths(plain))) != 1", "FALSE", worst = TRUE),
  "levels from the data" = bug(formula_tells, "plain_column", "factor_column(column, shown, arg)",
                               "factor_column(droplevels(column), shown, arg)", worst = TRUE),
  "text becomes a factor" = bug(formula_tells, "plain_column", "if (is.factor(column))",
                                "if (is.character(column)) column <- factor(column)\nif (is.factor(column))",
                                worst = TRUE),
  "a term that is not finite is refused" =
    bug(formula_tells, "settle", "value$value[bad] <-",
        "if (any(bad)) stop_formula(\"a term is not finite\", \"Mend it.\")\nvalue$value[bad] <-",
        worst = TRUE),
  "a product that overflows stays" = bug(formula_tells, "row_model", "x[!is.finite(x)] <- term_constant",
                                         "NULL"),
  "R's warnings are heard" = bug(formula_tells, "row_model", "suppressWarnings(lapply(variables[-1]",
                                 "(lapply(variables[-1]"),
  "a function looks at all rows" =
    bug(formula_tells, "row_apply", "do.call(entry$run, plain)",
        "do.call(entry$run, plain) - (if (name == \"abs\") mean(plain[[1]]) else 0)"),
  "what is missing takes the mean" = bug(replacement_tells, "fill_missing", "values[col(x)[bad]]",
                                         "colMeans(x, na.rm = TRUE)[col(x)[bad]]", worst = TRUE),
  "rows with missing values are left out" =
    bug(replacement_tells, "fill_missing", "x[bad] <- values[col(x)[bad]]",
        "x <- x[rowSums(bad) == 0, , drop = FALSE]", worst = TRUE),
  "rows are whitened about their own mean" =
    bug(whitening_tells, "whiten_rows", "whitening$mean[[j]]", "mean(x[, j])", worst = TRUE),
  "rows far off overflow when they are whitened" =
    bug(whitening_tells, "whiten_rows", "pmin(pmax(z/whitening$factor[j, j], -most_whitened), most_whitened)",
        "z/whitening$factor[j, j]"),
  "a column's mean stands for its gaps" =
    bug(replacement_tells, "replace_values", "<- na[[name]]", "<- mean(column$value, na.rm = TRUE)")
)

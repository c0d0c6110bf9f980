# The privacy audit's fuzzing of formulas: random expressions on nasty neighbours, to the last bit.

test_that("random formulas give rows that depend on themselves only, and refuse by no value", {
  set.seed(31)
  taken <- 0
  size <- audit_size(120, 20000)
  for (i in seq_len(size)) {
    pair <- nasty_neighbours()
    formula <- random_formula()
    na <- pick(list("fail", "fail", "middle", 0, c(u = 3, y = 1)))
    taken <- taken + !is.null(formula_outcome(formula, pair$data)$x)
    # values that are missing in one of the two only
    gap <- !identical(na, "fail") && all(c("u", "y") %in% all.vars(formula))
    if (gap) pair$other[pair$row, c("u", "y")] <- pick(list(NA, Inf, -Inf, NaN))
    expect_false(formula_breach(formula, pair$data, pair$other, pair$row, na),
                 label = paste("breach of", paste(deparse(formula), collapse = " ")))
  }
  expect_gt(taken, size / 4) # not all are refused
  expect_lt(taken, size)
})

test_that("every function of the closed list works row by row, and no other is in it", {
  set.seed(33)
  for (i in 1:20) expect_identical(row_functions_that_mix(), character())
  # a new one is added here by hand, after a look at whether it is a function of a row
  expect_identical(sort(names(row_functions), method = "radix"), sort(c(
    "log2", "log10", "log1p", "exp", "expm1", "sqrt", "abs", "sign", "sin", "cos", "tan", "asin", "acos",
    "atan", "sinh", "cosh", "tanh", "floor", "ceiling", "trunc", "*", "/", "^", "%%", "%/%", "==", "!=", "<",
    "<=", ">", ">=", "&", "|", "pmin", "pmax", "!", "+", "-", "log", "round", "ifelse", "as.integer",
    "as.numeric", "as.double", "I", "("
  ), method = "radix"))
  # functions that look at other rows are seen
  mixing <- list(cummax, cumsum, rev, sort, rank, function(x) x - mean(x), function(x) x - x[[1]])
  for (run in mixing) {
    expect_identical(row_functions_that_mix(c(row_functions, list(mixing = row_entry(run, "x")))), "mixing")
  }
})

test_that("the audit of formulas sees its bugs, and nothing without them", {
  set.seed(32)
  expect_false(formula_tells())
  expect_false(replacement_tells())
  expect_false(list_tells())
  expect_false(whitening_tells())
  for (name in names(formula_bugs)) expect_true(caught(formula_bugs[[name]]), label = name)
})

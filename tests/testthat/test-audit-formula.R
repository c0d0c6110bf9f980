# The privacy audit's fuzzing of formulas: random expressions on nasty neighbours, to the last bit.

test_that("random formulas give rows that depend on themselves only, and refuse by no value", {
  set.seed(31)
  taken <- 0
  size <- audit_size(120, 20000)
  for (i in seq_len(size)) {
    pair <- nasty_neighbours()
    formula <- random_formula()
    na <- pick(list("fail", "fail", "drop", 0, c(u = 3, y = 1)))
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

test_that("the audit of formulas sees its bugs, and nothing without them", {
  set.seed(32)
  expect_false(formula_tells())
  expect_false(replacement_tells())
  for (name in names(formula_bugs)) expect_true(caught(formula_bugs[[name]]), label = name)
})

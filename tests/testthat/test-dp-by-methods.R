# Releases by group as tables, and in full.

test_that("summary() shows all groups, as.data.frame() is tidy()", {
  set.seed(92)
  group <- factor(rep(seq_len(25), 8))
  r <- dp_by(rep(1:8, 25) + 0, group, dp_quantile, 50, probs = 0.5, lower = 0, upper = 9, rng = "R")
  frame <- as.data.frame(r)
  expect_identical(frame, tidy(r))
  expect_identical(row.names(as.data.frame(r, row.names = letters[1:25])), letters[1:25])
  told <- summary(r)
  expect_identical(told$estimates, tidy(r))
  expect_identical(told$whole, glance(r))
  shown <- capture.output(print(told))
  expect_true(any(grepl("^ +25 ", shown)))
  expect_false(any(grepl("^ +25 ", format(r))))
  expect_match(format(r), "20 of 25 rows", all = FALSE)
})

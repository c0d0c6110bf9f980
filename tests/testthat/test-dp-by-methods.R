# Releases by group as tables, and in full.

test_that("summary() shows all groups, as.data.frame() is tidy() and glance()", {
  set.seed(92)
  group <- factor(rep(seq_len(25), 8))
  r <- dp_by(rep(1:8, 25) + 0, group, dp_quantile, 50, probs = 0.5, lower = 0, upper = 9, rng = "R")
  frame <- as.data.frame(r)
  expect_identical(frame[names(tidy(r))], tidy(r))
  expect_identical(frame[1, names(glance(r))[-1]], glance(r)[-1])
  expect_identical(row.names(as.data.frame(r, row.names = letters[1:25])), letters[1:25])
  told <- summary(r)
  expect_identical(told$estimates, tidy(r))
  expect_identical(told$whole, glance(r))
  shown <- capture.output(print(told))
  expect_true(any(grepl("^ +25 ", shown)))
  expect_false(any(grepl("^ +25 ", format(r))))
  expect_match(format(r), "20 of 25 rows", all = FALSE)
  # what one release has is asked of each
  for (asked in c("nobs", "vcov", "sigma", "residuals", "fitted", "predict", "logLik", "deviance",
                  "formula")) {
    expect_error(get(asked)(r), "Ask each of them, as in lapply", class = "dpdepth_error_input")
  }
  expect_error(tidy(r, conf.int = TRUE), "interval = 0.95", class = "dpdepth_error_input")
})

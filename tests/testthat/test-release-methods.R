# Methods of releases: what they say, and what they refuse in words.

median_release <- dp_median(faithful, 1, lower = 0, upper = c(10, 180))
line_release <- dp_regression(dist ~ speed, cars, 4, 1e-6, lower = c(-50, 0), upper = c(50, 10),
                              method = "deepest")
refused <- function(expr) {
  e <- tryCatch(expr, error = identity)
  expect_s3_class(e, "dpdepth_error_input")
  conditionMessage(e)
}

test_that("nobs() is the public number of rows", {
  expect_identical(nobs(median_release), 272L)
  expect_identical(nobs(line_release), 50L)
  expect_identical(nobs(ptr(1e3, function(epsilon, laplace) laplace(0, 1, epsilon), 1, 1e-6)), NA_integer_)
})

test_that("what a release does not hold is refused in words", {
  for (release in list(median_release, line_release)) {
    for (text in c(refused(vcov(release)), refused(sigma(release)), refused(confint(release)),
                   refused(tidy(release, conf.int = TRUE)))) {
      expect_match(text, "is not available")
    }
    expect_identical(tidy(release, conf.int = FALSE), tidy(release))
  }
  expect_match(refused(residuals(median_release)), "holds no data")
  expect_match(refused(predict(median_release)), "coef()", fixed = TRUE)
  # in the past NULL, and an error of R's own
  expect_match(refused(fitted(median_release)), "no regressors")
  expect_match(refused(formula(median_release)), "without a formula")
  expect_match(refused(predict(line_release, cars, interval = "confidence")), "no confidence interval")
  expect_match(refused(predict(line_release, cars, interval = "prediction")), "\"none\", \"confidence\"")
  expect_match(refused(predict(line_release, cars, se.fit = TRUE)), "standard errors")
  # of new rows, as of the data of the release, the argument is named
  expect_match(refused(predict(line_release, data.frame(speed = "a"))), "`newdata`.*Give numbers or flags")
  expect_match(refused(predict(line_release, data.frame(speed = factor(3)))),
               "`newdata`.*`speed` is a factor")
  expect_match(refused(residuals(line_release, cars["speed"])), "`data`.*without `dist`")
  expect_length(predict(line_release, cars, interval = "none"), 50)
  expect_error(predict(line_release, cars, intervall = "confidence"), "`intervall` is not an argument",
               class = "dpdepth_error_input")
  expect_s3_class(residuals(line_release, cars), "nonprivate")
})

test_that("a decimal comma makes no sentence ambiguous, and no warning", {
  old <- options(OutDec = ",")
  on.exit(options(old))
  release <- median_release
  release$n <- 12588L
  release$epsilon <- 0.5
  release$estimate[] <- 0.25
  text <- expect_silent(format(release))
  expect_match(paste(text, collapse = " "), "epsilon = 0.5", fixed = TRUE)
  expect_match(paste(text, collapse = " "), "n = 12,588", fixed = TRUE)
  # the numbers themselves are R's
  expect_true(any(grepl("^  *[0-9]+,[0-9]+", text)))
  expect_identical(getOption("OutDec"), ",")
  expect_silent(capture.output(print(summary(release))))
  ledger <- dp_ledger(1.5, 1e-6)
  ledger_spend(ledger, 0.5, 1e-6, "a")
  expect_match(paste(format(ledger), collapse = " "), "epsilon = 0.5, delta", fixed = TRUE)
  expect_match(format(prior_uniform(c(0.5, 1), 2.5)), "(0.5, 1) to 2.5", fixed = TRUE)
  e <- tryCatch(ledger_spend(ledger, 1.5, 0, "b"), error = conditionMessage)
  expect_match(e, "epsilon = 1, delta = 0 left", fixed = TRUE)
  expect_match(e, "epsilon = 1.5, delta", fixed = TRUE)
  for (plan in list(plan_median(12588, 2, 1, lower = -5, upper = 5),
                    plan_quantile(12588, 0.5, 1, lower = -5, upper = 5))) {
    shown <- expect_silent(capture.output(print(plan)))
    expect_match(paste(shown, collapse = " "), "n = 12,588", fixed = TRUE)
  }
  expect_match(tryCatch(dp_median(1:9, -1.5, lower = 0, upper = 9), error = conditionMessage), "not -1.5.",
               fixed = TRUE)
  for (draw in list(function() plot(release), function() plot(regress_deepest(dist ~ speed, cars)))) {
    grDevices::pdf(NULL)
    expect_silent(draw())
    grDevices::dev.off()
  }
})

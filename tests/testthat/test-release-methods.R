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
  for (interval in c("confidence", "prediction")) {
    expect_match(refused(predict(line_release, cars, interval = interval)), "standard errors")
  }
  expect_match(refused(predict(line_release, cars, se.fit = TRUE)), "standard errors")
  # of new rows, as of the data of the release, the argument is named
  expect_match(refused(predict(line_release, data.frame(speed = "a"))), "`newdata`.*Give numbers or flags")
  expect_match(refused(predict(line_release, data.frame(speed = factor(3)))), "`newdata`.*`speed` is a factor")
  expect_match(refused(residuals(line_release, cars["speed"])), "`data`.*without `dist`")
  expect_length(predict(line_release, cars, interval = "none"), 50)
  expect_s3_class(residuals(line_release, cars), "nonprivate")
})

test_that("fits without privacy say that they have no standard errors, and take a subset", {
  fit <- regress_deepest(dist ~ speed, cars, subset = speed > 10)
  expect_identical(nobs(fit), sum(cars$speed > 10))
  expect_identical(coef(fit), coef(regress_deepest(dist ~ speed, cars[cars$speed > 10, ])))
  expect_identical(nobs(regress_medsweep(mpg ~ wt + hp, mtcars, subset = cyl < 8)), sum(mtcars$cyl < 8))
  expect_match(refused(vcov(fit)), "standard errors")
  expect_match(refused(confint(fit)), "Bootstrap")
  expect_match(refused(tidy(fit, conf.int = TRUE)), "standard errors")
  expect_match(refused(regress_deepest(dist ~ speed, cars, weights = speed)), "no weights")
  expect_identical(sigma(fit), stats::mad(residuals(fit)))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(fit), "ggplot")
  expect_s3_class(ggplot2::autoplot(regress_medsweep(mpg ~ wt + hp, mtcars)), "ggplot")
})

test_that("a decimal comma makes no sentence ambiguous, and no warning", {
  old <- options(OutDec = ",")
  on.exit(options(old))
  release <- median_release
  release$n <- 12588L
  release$epsilon <- 0.5
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
  expect_match(tryCatch(dp_median(1:9, -1.5, lower = 0, upper = 9), error = conditionMessage), "not -1.5.",
               fixed = TRUE)
  for (draw in list(function() plot(release), function() plot(regress_deepest(dist ~ speed, cars)))) {
    grDevices::pdf(NULL)
    expect_silent(draw())
    grDevices::dev.off()
  }
})

test_that("labels of a plot are cut with dots, not clipped; legends cover no curve", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  graphics::plot.new()
  text <- c("short", strrep("long ", 40))
  cut <- fit_text(text, 1)
  expect_identical(cut[[1]], "short")
  expect_match(cut[[2]], "[.]{3}$")
  expect_lte(max(graphics::strwidth(cut, "inches")), 1)
  limits <- room_for_legend(c(0, 1, NA, Inf), 2)
  expect_gt(limits[[2]], 1.15)
  expect_identical(limits[[1]], 0)
  expect_true(all(is.finite(room_for_legend(NA, 2))))
  s <- sens_median(faithful$waiting, 0, 180, 0.1)
  expect_identical(plot(s, main = "own", ylim = c(0, 3)), s)
})

test_that("a saved ggplot is not transparent", {
  skip_if_not_installed("ggplot2")
  plots <- list(ggplot2::autoplot(median_release), ggplot2::autoplot(depth_region(faithful)),
                ggplot2::autoplot(regress_deepest(dist ~ speed, cars)),
                ggplot2::autoplot(discrepancy("halfspace", t = 1:2, d = 2)))
  for (p in plots) expect_identical(p$theme$plot.background$fill, "white")
})

test_that("a plot that is saved holds nothing of the caller's", {
  skip_if_not_installed("ggplot2")
  secret <- c(53798.324159265, 1.5)
  canary <- utils::tail(serialize(secret[[1]], NULL, xdr = TRUE), 8)
  holds <- function(plot) {
    bytes <- serialize(plot, NULL, xdr = TRUE)
    length(grepRaw(canary, bytes, fixed = TRUE)) > 0
  }
  expect_true(holds((function(y) function() force(y))(secret)))
  line <- stats::as.formula("dist ~ speed", globalenv()) # fits keep their formula's environment
  things <- list(median_release, line_release, depth_region(faithful), regress_deepest(line, cars),
                 discrepancy("halfspace", t = 1:2, d = 2))
  for (object in things) {
    plotted <- function(y) {
      force(y)
      ggplot2::autoplot(object)
    }
    environment(plotted) <- list2env(list(object = object), parent = globalenv())
    expect_false(holds(plotted(secret)))
    expect_match(refused(ggplot2::autoplot(object, size = 2)), "size")
  }
})

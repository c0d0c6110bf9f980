# A release as text and as numbers, and refusals of what it is not.

several <- dp_median(faithful, 1, lower = 0, upper = c(10, 180))
one <- dp_median(faithful$waiting, 1, lower = 0, upper = 200)
parts <- dp_quantile(faithful$waiting, c(0.25, 0.5), 1, lower = 0, upper = 200)
steps <- dp_ecdf(faithful$waiting, 1, lower = 0, upper = 200)
groups <- dp_by(iris["Sepal.Length"], iris$Species, dp_median, epsilon = 1, lower = 0, upper = 20)

test_that("a line of text has the numbers, and says where there are none", {
  expect_identical(as.character(one), format(coef(one)[[1]], digits = 4))
  expect_identical(paste(several), sprintf("eruptions %s, waiting %s", format(coef(several)[[1]], digits = 4),
                                           format(coef(several)[[2]], digits = 4)))
  expect_identical(as.character(groups), paste(names(groups$releases), lapply(groups$releases, as.character),
                                               sep = ": ", collapse = "; "))
  expect_match(as.character(dp_test(sleep$extra, 2)), "^p [=<] [0-9.e-]+$")
  none <- one
  none$released <- FALSE
  expect_identical(as.character(none), "not released")
  expect_identical(as.numeric(several), unname(coef(several)))
})

test_that("knitr prints a release in a chunk and writes the line into a sentence", {
  skip_if_not_installed("knitr")
  text <- c("one `r one` of `r groups`", "```{r}", "one", "```")
  out <- knitr::knit(text = text, quiet = TRUE, envir = environment())
  expect_match(out, sprintf("one %s of setosa: ", as.character(one)), fixed = TRUE)
  expect_match(out, "## <dp_release> Private median", fixed = TRUE)
})

test_that("quantiles that were released are given, and others refused", {
  expect_identical(quantile(parts), coef(parts))
  expect_identical(quantile(parts, 0.5), coef(parts)["50%"])
  expect_identical(median(parts), coef(parts)[["50%"]])
  expect_identical(median(steps), unname(quantile(steps, 0.5)))
  expect_error(quantile(parts, 0.9), "`probs` must be of those released: 25%, 50%",
               class = "dpdepth_error_input")
  for (x in list(one, groups)) expect_error(quantile(x, 0.5), "dp_ecdf()", class = "dpdepth_error_input")
})

# In the past R's own errors, "<data> not found", another draw, or a list of pieces.
test_that("what a release is not is refused in words", {
  plan <- plan_mean(100, epsilon = 1, lower = 0, upper = 1)
  for (call in expression(update(one), update(groups), update(plan), c(one, one), c(groups, one),
                          rbind(one, one), cbind(one, one), rbind(groups, groups))) {
    expect_error(eval(call), "is not available", class = "dpdepth_error_input")
  }
  for (x in list(one, groups)) {
    for (call in expression(x + 1, 2 * x, -x, x == x, x > 3, !x, round(x, 1), log(x), max(x), range(x),
                            sum(x), mean(x), median(x))) {
      expect_error(eval(call), "coef() gives the numbers", fixed = TRUE, class = "dpdepth_error_input")
    }
  }
  expect_error(groups == one, "`==` is not available", class = "dpdepth_error_input")
  # coef() is what is to be computed with
  expect_identical(round(coef(one), 1) + 1, round(one$estimate, 1) + 1)
})

test_that("update() does not draw again", {
  budget <- dp_ledger(2)
  drawn <- dp_median(faithful$waiting, 1, lower = 0, upper = 200, ledger = budget)
  expect_error(update(drawn, epsilon = 0.5), class = "dpdepth_error_input")
  expect_identical(glance(budget)$releases, 1L)
})

# Rank tests of dp_test(): scores against wilcox.test(), what a release shows, how likely x is above y.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

scored <- function(...) {
  with_bindings(list(draw_laplace_discrete = function(...) 0),
                suppressWarnings(dp_test(..., rng = "R"), classes = "dpdepth_warning"))
}

test_that("without noise and ties scores and p-values are those of wilcox.test()", {
  set.seed(4)
  x <- stats::rnorm(30, 0.4)
  y <- stats::rnorm(41)
  rows <- data.frame(v = c(x, y), g = factor(rep(c("b", "a"), c(30, 41)), c("a", "b")))
  for (alternative in c("two.sided", "greater", "less")) {
    of <- function(private, public, to = 1e-3) {
      expect_equal(private$p.value, public$p.value, tolerance = to)
      if (to < 0.01) expect_equal(unname(private$estimate), unname(public$statistic))
    }
    public <- stats::wilcox.test(x, y, alternative, mu = 0.1)
    of(scored(x, 4096, y, mu = 0.1, alternative = alternative), public)
    of(scored(x, 4096, y[1:30], mu = 0.2, paired = TRUE, alternative = alternative),
       stats::wilcox.test(x, y[1:30], alternative, mu = 0.2, paired = TRUE))
    of(scored(x, 4096, mu = 0.3, test = "rank", alternative = alternative),
       stats::wilcox.test(x, mu = 0.3, alternative = alternative))
    trend <- data.frame(a = c(x[1:30], 0.2), b = c(x[1:30] / 2 + y[1:30], 3))
    pairs <- stats::cor.test(trend$a, trend$b, alternative, method = "kendall", exact = TRUE)
    of(scored(b ~ a, 4096, data = trend, alternative = alternative), pairs)
    if (alternative == "less") next
    # groups are compared as if they were of one size
    of(scored(v ~ g, 4096, data = rows, alternative = alternative),
       stats::wilcox.test(x, y, alternative), 0.5)
  }
  expect_identical(unname(scored(c(1, 1, -1, 0), 1, test = "balance")$estimate), 1)
  # McNemar's exact test, of as many pairs as differ
  expect_equal(scored(rep(c(1, -1), c(14, 4)), 4096, test = "balance", alternative = "greater")$p.value,
               stats::binom.test(14, 18, alternative = "greater")$p.value, tolerance = 1e-6)
})

test_that("a trend is found by Kendall's pairs, whatever the ties, and a tally has its own", {
  rows <- data.frame(a = c(1, 1, 2, 3, 3, 3), b = c(5, 2, 2, 8, 9, 9))
  scores <- replicate(40, unname(scored(b ~ a, 4096, data = rows)$estimate))
  # of 15 pairs nine are in order, one is not, and five are tied
  expect_true(all(scores >= 9 & scores <= 14))
  expect_gt(length(unique(scores)), 2)
  counted <- dp_tally(rows, lower = 0, upper = 10, resolution = 1)
  again <- replicate(40, unname(scored(b ~ a, 4096, data = counted)$estimate))
  expect_true(all(again >= 9 & again <= 14))
  r <- dp_test(b ~ a, 5, data = data.frame(a = 1:40, b = (1:40)^2), rng = "R")
  expect_match(r$method, "Kendall")
  expect_match(format(r), "`b` tends to rise with `a` where the score is above", all = FALSE)
  expect_equal(r$details$expected[["mean"]], 390)
  expect_pictures(r)
})

test_that("noise is that of the score's sensitivity, and n and sizes alone are shown", {
  paid <- NULL
  run <- function(..., noise) {
    ledger <- dp_ledger(2)
    drawn <- function(count, numerator, denominator, ...) {
      paid <<- c(paid, summary(ledger)$left[[1]], numerator / denominator)
      noise
    }
    with_bindings(list(draw_laplace_discrete = drawn),
                  suppressWarnings(dp_test(..., epsilon = 2, ledger = ledger)))
  }
  # two unlike data sets with one noisy score
  expect_identical(run(c(5, 6, 7), y = c(1, 2), noise = -2), run(c(1, 5, 7), y = c(0, 2), noise = -1))
  expect_identical(run(c(5, 6, 7), paired = TRUE, y = rep(0, 3), noise = -6),
                   run(-c(1, 5, 7), paired = TRUE, y = rep(0, 3), noise = 0))
  expect_equal(paid, rep(c(0, 2 / 3), 4), tolerance = 1e-9)
  expect_lte(max(paid), 2 / 3)
  group <- function(g) data.frame(v = c(1, 4, 2, 8), g = factor(g, 0:1))
  one <- run(v ~ g, data = group(c(0, 1, 0, 1)), noise = 0)
  expect_identical(run(v ~ g, data = group(c(1, 1, 1, 1)), noise = unname(one$estimate)), one)
  expect_false(any(grepl("sizes|superiority", names(one$details))))
})

test_that("how likely x is above y comes with limits, at any level", {
  set.seed(8)
  r <- dp_test(stats::rnorm(300, 0.5), 1, stats::rnorm(300), rng = "R")
  p <- r$details$superiority
  expect_identical(p[["P(x > y)"]], unname(r$estimate) / 90000)
  expect_equal(unname(confint(r)["P(x > y)", ]), unname(p[2:3]))
  expect_equal(unname(confint(r)["Cliff's delta", ]), unname(2 * p[2:3] - 1))
  expect_lt(diff(confint(r, level = 0.5)[1, ]), diff(confint(r, "P(x > y)")[1, ]))
  expect_named(tidy(r, conf.int = TRUE, conf.level = 0.9),
               c("estimate", "statistic", "p.value", "method", "alternative", "conf.low", "conf.high"))
  expect_match(format(r), "superiority +P\\(x > y\\) 0", all = FALSE)
  expect_error(confint(dp_test(v ~ g, 1, data = data.frame(v = 1:60, g = 1:60 > 30))),
               class = "dpdepth_error_input")
  # all or nothing
  expect_identical(superiority_range(400, c(10, 10), 0.1, 0.95)[c(1, 3)], c(1, 1))
  # the tail of both noises together, by adding up
  z <- seq(-40, 40, 0.001)
  for (x in c(0, 0.7, 3)) {
    sum <- sum(stats::pnorm(z - x, sd = 0.8) * exp(-abs(z) / 0.5)) / sum(exp(-abs(z) / 0.5))
    expect_equal(normal_laplace_tail(x, 0.8, 0.5), sum, tolerance = 1e-6)
  }
  expect_equal(normal_laplace_tail(2, 1, 1e-4), stats::pnorm(-2), tolerance = 1e-6)
  skip_on_cran()
  covered <- replicate(400, {
    x <- stats::rpois(60, 1.5)
    limits <- confint(dp_test(x, 1, stats::rpois(80, 1), rng = "R"))[1, ]
    limits[[1]] <= 0.6234 && 0.6234 <= limits[[2]]
  })
  expect_gt(sum(covered), stats::qbinom(ALPHA, 400, 0.95))
})

test_that("moved samples have no statement on which one is higher", {
  set.seed(93)
  moved <- dp_test(rnorm(60), 2, y = rnorm(50), mu = 1, rng = "R")
  expect_null(moved$details$superiority)
  expect_error(confint(moved), class = "dpdepth_error_input")
})

test_that("more rows than whole numbers of 32 bits can pair, pairs without y, a person in both samples", {
  set.seed(92)
  many <- data.frame(v = rnorm(92682), g = rep(c(TRUE, FALSE), 46341))
  expect_identical(dp_test(v ~ g, 1, data = many, rng = "R")$n, 92682L)
  expect_error(dp_test(1:4, 1, paired = TRUE), class = "dpdepth_error_input")
  counted <- function(x) dp_tally(x, lower = 0, upper = 100, resolution = 1, id = 1:20)
  both <- dp_test(counted(1:20 + 0), 1, y = counted(21:40 + 0), rng = "R")
  text <- gsub("[[:space:]]+", " ", paste(format(both), collapse = " "))
  expect_match(text, "a person in both has two rows")
  expect_match(text, "replacing any one row")
})

test_that("the wide law of many rows is drawn, and the rate is refused where doubles do not hold the noise", {
  skip_on_cran()
  expect_pictures(dp_test(stats::rnorm(400), 1, stats::rnorm(300), rng = "R"))
  expect_pictures(dp_test(v ~ g, 1, data = data.frame(v = 1:60, g = 1:60 > 30), rng = "R"))
  r <- dp_test(1:300, 1, 1:200, rng = "R")
  frame <- null_frame(r)
  expect_equal(sum(frame$chance * frame$step), 1, tolerance = 0.01)
  ends <- range(frame$at[frame$region == "p above 0.05"])
  expect_lt(abs(test_p_value(ends[[1]], mann_whitney_law(300, 200), r$null$rate, "both") - 0.05), 0.01)
  expect_error(score_rate(1e-6, 1e9), class = "dpdepth_error_input")
  expect_error(mann_whitney_task(matrix(0, 1e6), matrix(0, 3), 0), "at least 8",
               class = "dpdepth_error_input")
})

# dp_test(): laws against enumeration, exact size, sensitivity, noise, refusals.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

sign_sets <- function(n) as.matrix(expand.grid(rep(list(c(-1, 1)), n)))

test_that("laws under the hypothesis are those of all signs", {
  for (n in c(1, 2, 5, 8, 11)) {
    scores <- apply(sign_sets(n), 1, function(e) min(n - abs(sum(e) - 2 * c(0, cumsum(e)))) / 2)
    expect_equal(walk_law(n), tabulate(scores + 1, n + 1) / 2^n)
    smaller <- apply(sign_sets(n), 1, function(e) min(sum(e > 0), sum(e < 0)))
    expect_equal(smaller_count(n), tabulate(smaller + 1, n + 1) / 2^n)
  }
  expect_equal(sum(walk_law(5000)), 1)
  # coarse places only lower the score
  fine <- vapply(seq(2500, 2200, -25), function(k) walk_stays(5000 - 2 * k, 5000), 0)
  coarse <- rev(cumsum(rev(walk_law(5000))))[seq(2500, 2200, -25) + 1]
  expect_true(all(coarse <= fine + 1e-12))
})

test_that("p-values are probabilities of what is released or less", {
  law <- smaller_count(12)
  z <- -200:200
  noise <- exp(-0.7 * abs(z)) / sum(exp(-0.7 * abs(z)))
  for (score in c(-3, 0, 2, 6, 9)) {
    slow <- sum(outer(law, noise)[outer(0:12, z, `+`) <= score])
    expect_equal(test_p_value(score, law, 0.7), min(1, slow), tolerance = 1e-9)
  }
})

test_that("the size is exact: no test rejects more often than it may", {
  skip_on_cran()
  n <- 8
  z <- -40:40
  noise <- exp(-abs(z)) / sum(exp(-abs(z)))
  groups <- rep(0:1, each = 4)
  size <- function(score, law, alpha) {
    scores <- apply(sign_sets(n), 1, score)
    p <- vapply(z, function(v) vapply(0:n, function(s) test_p_value(s + v, law, 1), 0), numeric(n + 1))
    sum(outer(tabulate(scores + 1, n + 1) / 2^n, noise)[p <= alpha])
  }
  pair <- sign_task(numeric(n), NULL, 0, "two.sided", FALSE)$law()
  less <- sign_task(numeric(n), NULL, 0, "less", FALSE)$law()
  samples <- samples_task(numeric(4), numeric(4))$law()
  for (alpha in c(0.01, 0.05, 0.3)) {
    expect_lte(size(function(e) min(sum(e > 0), sum(e < 0)), pair, alpha), alpha)
    expect_lte(size(function(e) sum(e > 0), less, alpha), alpha)
    expect_lte(size(function(e) trend_score(groups, e), samples, alpha), alpha)
    expect_lte(size(function(e) trend_score(1:n, e), walk_law(n), alpha), alpha)
    expect_gt(size(function(e) sum(e > 0), less, alpha), alpha / 3)
  }
})

test_that("the trend's score is the depth of the deepest horizontal line, and a row moves it by one", {
  set.seed(5)
  for (i in 1:25) {
    n <- sample(2:12, 1)
    x <- sample(0:3, n, TRUE)
    y <- round(stats::rcauchy(n), sample(0:2, 1))
    expect_equal(trend_score(x, y), n * max(depth_regression(cbind(unique(y), 0), x, y)))
    k <- sample(n, 1)
    expect_lte(abs(trend_score(replace(x, k, 9), replace(y, k, sample(c(-9, y), 1))) - trend_score(x, y)), 1)
  }
  expect_equal(trend_score(1:20, 1:20), 1)
  expect_identical(trend_score(c(1, 1), c(3, 3)), 2)
})

test_that("two samples have the score of a trend without its passes over all rows, and an exact law", {
  set.seed(6)
  slow <- function(...) stop("a pass over all rows for each value")
  for (sizes in list(c(1, 1), c(1, 9), c(6, 3), c(8, 8))) {
    x <- sample(0:4, sizes[[1]], TRUE)
    y <- sample(1:6, sizes[[2]], TRUE)
    task <- samples_task(x, y)
    score <- with_bindings(list(trend_score = slow), task$score())
    expect_equal(score, trend_score(rep(0:1, sizes), c(x, y)))
    two <- outer(smaller_count(sizes[[1]]), smaller_count(sizes[[2]]))
    expect_equal(task$law(), as.vector(tapply(two, row(two) + col(two), sum)))
  }
  # sums of what is not negative: no rounding in the tail, whatever the sizes' prime factors
  law <- samples_task(numeric(2000), numeric(2002))$law()
  expect_identical(sum(law[1:1000]), 0)
  expect_equal(sum(law), 1)
})

test_that("the noise has its law", {
  skip_on_cran()
  draw <- function(i) suppressWarnings(dp_test(c(-1, 1, 1, 2), 1, rng = "R")$estimate) # of four rows
  scores <- vapply(1:1000, draw, 0)
  at <- -8:10
  expect_law(tabulate(scores + 9, length(at))[at >= -8], exp(-abs(at - 1)) / sum(exp(-abs(at - 1))))
  expect_not_law(tabulate(scores + 9, length(at)), exp(-2 * abs(at - 1)) / sum(exp(-2 * abs(at - 1))))
})

test_that("scores count ties on both sides, and p-values are those of epsilon", {
  scored <- function(...) {
    with_bindings(list(draw_laplace_discrete = function(...) 0),
                  suppressWarnings(dp_test(..., epsilon = 0.8), classes = "dpdepth_warning"))
  }
  x <- c(-1, 0, 0, 2, 3, 4)
  of <- function(r, score, law) {
    expect_identical(r$estimate[[1]], score)
    expect_equal(r$p.value, test_p_value(score, law, 0.8), tolerance = 1e-9)
  }
  fair <- stats::dbinom(0:6, 6, 0.5)
  of(scored(x), 3, smaller_count(6))
  of(scored(x, alternative = "greater"), 3, fair)
  of(scored(x, alternative = "less"), 5, fair)
  of(scored(x, mu = 2.5, alternative = "greater"), 4, fair)
  of(scored(x + 1, y = rep(1, 6), paired = TRUE, alternative = "less"), 5, fair)
  # two samples of unlike sizes; y ~ x
  both <- tapply(outer(smaller_count(5), smaller_count(2)), outer(0:5, 0:2, `+`), sum)
  of(scored(c(6, 1, 8, 3, 2), y = c(7, 4)), 3, as.vector(both))
  of(scored(a ~ b, data = data.frame(b = c(2, 2, 1, 2, 2, 2), a = c(2, 1, 3, 3, 4, 2))), 3, walk_law(6))
})

test_that("the release and its methods", {
  ledger <- dp_ledger(4)
  r <- dp_test(sleep$extra, 1, mu = 1, alternative = "greater", ledger = ledger)
  expect_s3_class(r, c("dp_test", "dp_release"), exact = TRUE)
  expect_named(tidy(r), c("statistic", "p.value", "method", "alternative"))
  expect_match(format(r), "at most 1", all = FALSE)
  paired <- dp_test(sleep$extra[1:10], 1, y = sleep$extra[11:20], paired = TRUE, ledger = ledger)
  expect_identical(paired$n, 10L)
  expect_match(paired$method, "pairs")
  two <- dp_test(sleep$extra[1:10], 1, y = sleep$extra[11:20], ledger = ledger)
  expect_identical(two$n, 20L)
  expect_lt(dp_test(waiting ~ eruptions, 1, data = faithful, ledger = ledger)$p.value, 1e-4)
  expect_identical(summary(ledger)$left[[1]], 0)
  expect_warning(dp_test(1:9, 25), class = "dpdepth_warning_privacy")
  # strong effects are seen, none are not
  expect_lt(dp_test(1:200, 1)$p.value, 1e-6)
  expect_gt(dp_test(-100:100, 1)$p.value, 1e-4)
})

test_that("a test that cannot reject warns, by public numbers alone", {
  for (x in list(1:5, c(-1, 1, 0, 2, -7))) {
    expect_warning(dp_test(x, 0.05), "hardly finds anything", class = "dpdepth_warning_accuracy")
  }
  expect_silent(dp_test(1:200, 1))
})

test_that("what is no test is refused", {
  refused <- function(code, text) expect_error(code, text, class = "dpdepth_error_input")
  refused(dp_test(cars, 1), "x")
  refused(dp_test(1:9, 1, y = 1:8, paired = TRUE), "y")
  refused(dp_test(c(1, NA), 1), "missing")
  refused(dp_test(dist ~ speed, 1, data = cars, mu = 2), "mu")
  refused(dp_test(dist ~ speed, 1, data = cars, y = 1:50), "`y` must be left out")
  refused(dp_test(dist ~ speed, 1, data = cars, paired = TRUE), "`paired` must be left out")
  refused(dp_test(1:9, 1, data = cars), "`data` must be left out")
  refused(dp_test(a ~ b, 1, data = data.frame(a = I(cbind(1:9, 9:1)), b = 1:9)), "2 columns")
  refused(dp_test(1:9, 1, y = 2:9, alternative = "less"), "alternative")
  refused(dp_test(log(dist) ~ speed, 1, data = cars), "formula")
  refused(dp_test(dist ~ nothing, 1, data = cars), "nothing")
  refused(dp_test(dist ~ speed, 1), "data")
  refused(dp_test(1:9, 1, conf.level = 0.9), "conf.level")
  refused(dp_test(1:9, 0), "epsilon")
  rows <- most_trend_rows + 1
  refused(dp_test(a ~ b, 1, data = data.frame(a = seq_len(rows), b = 1)), "two samples")
})

# dp_test(): noise, what a release shows, two declared levels, refusals.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

test_that("the noise has its law", {
  skip_on_cran()
  draw <- function(i) suppressWarnings(dp_test(c(-1, 1, 1, 2), 1, rng = "R")$estimate) # of four rows
  scores <- vapply(1:500, draw, 0)
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
  of <- function(r, score, law, tail = "low") {
    expect_identical(as.double(r$estimate[[1]]), score)
    expect_equal(r$p.value, test_p_value(score, law, 0.8, tail), tolerance = 1e-9)
  }
  fair <- stats::dbinom(0:6, 6, 0.5)
  of(scored(x), 3, smaller_count(6))
  of(scored(x, alternative = "greater"), 3, fair)
  of(scored(x, alternative = "less"), 5, fair)
  of(scored(x, mu = 2.5, alternative = "greater"), 4, fair)
  of(scored(x + 1, y = rep(1, 6), paired = TRUE, test = "sign", alternative = "less"), 5, fair)
  # two samples of unlike sizes; y ~ x
  both <- tapply(outer(smaller_count(5), smaller_count(2)), outer(0:5, 0:2, `+`), sum)
  of(scored(c(6, 1, 8, 3, 2), y = c(7, 4), test = "sign"), 3, as.vector(both))
  rows <- data.frame(b = c(2, 2, 1, 2, 2, 2), a = c(2, 1, 3, 3, 4, 2))
  of(scored(a ~ b, data = rows, test = "sign"), 3, walk_law(6))
  # of the three highest 8, 7 and 6 two are of the first; shifted down by 5 none is
  mood <- stats::dhyper(0:7, 5, 2, 3)
  of(scored(c(6, 1, 8, 3, 2), y = c(7, 4), test = "quadrant"), 2, mood, "both")
  of(scored(c(6, 1, 8, 3, 2), y = c(7, 4), test = "quadrant", alternative = "less"), 2, mood, "low")
  of(scored(c(6, 1, 8, 3, 2), y = c(7, 4), test = "quadrant", mu = 5, alternative = "greater"), 1, mood,
     "high")
  rows <- data.frame(b = 1:7, a = c(3, 1, 2, 9, 4, 8, 7))
  of(scored(a ~ b, data = rows, test = "quadrant", alternative = "greater"), 2,
     stats::dhyper(0:7, 3, 4, 3), "high")
})

test_that("the release and its methods", {
  ledger <- dp_ledger(4)
  r <- dp_test(sleep$extra, 1, mu = 1, alternative = "greater", ledger = ledger)
  expect_s3_class(r, c("dp_test", "dp_release"), exact = TRUE)
  expect_named(tidy(r), c("statistic", "p.value", "method", "alternative"))
  expect_match(format(r), "at most 1", all = FALSE)
  paired <- dp_test(sleep$extra[1:10], 1, y = sleep$extra[11:20], paired = TRUE, test = "sign",
                    ledger = ledger)
  expect_identical(paired$n, 10L)
  expect_match(paired$method, "pairs")
  two <- dp_test(sleep$extra[1:10], 1, y = sleep$extra[11:20], ledger = ledger)
  expect_identical(two$n, 20L)
  expect_lt(dp_test(waiting ~ eruptions, 1, data = faithful, ledger = ledger)$p.value, 1e-4)
  expect_gt(dp_test(waiting ~ eruptions, 1, data = faithful, alternative = "less", rng = "R")$p.value, 0.9)
  expect_identical(summary(ledger)$left[[1]], 0)
  expect_warning(dp_test(1:9, 25), class = "dpdepth_warning_privacy")
  # strong effects are seen, none are not
  expect_lt(dp_test(1:200, 1)$p.value, 1e-6)
  expect_gt(dp_test(-100:100, 1)$p.value, 1e-4)
})

# Releases of unlike rows with the same noisy score; what was left when noise was drawn, at which rate.
test_shows_more <- function() {
  paid <- NULL
  run <- function(x, noise) {
    ledger <- dp_ledger(2)
    drawn <- function(count, numerator, denominator, ...) {
      paid <<- c(paid, summary(ledger)$left[[1]] == 0 && abs(numerator / denominator - 2) < 1e-6)
      noise
    }
    with_bindings(list(draw_laplace_discrete = drawn),
                  suppressWarnings(dp_test(x, 2, y = c(0, 1.4142, 0), paired = TRUE, mu = 1, test = "sign",
                                           alternative = "less", ledger = ledger)))
  }
  one <- run(c(2, 3, 4), -2)
  !identical(one, run(c(-2, 0, 4), 0)) || !all(paid) || !identical(one$call$y, as.name("<data>"))
}

test_that("a test shows its noisy score alone, after the debit", {
  expect_false(test_shows_more())
  for (b in list(
    bug(test_shows_more, "draw_score", "value = out$p", "value = out$p, raw = task$score(source)"),
    late_debit(test_shows_more),
    bug(test_shows_more, "debit", "list(epsilon = given$epsilon", "list(epsilon = given$epsilon/2"),
    bug(test_shows_more, "draw_score", "(1, rate[[1]], rate[[2]]", "(1, rate[[2]], rate[[1]]"),
    bug(test_shows_more, "draw_score", "test_p_value(score,", "test_p_value(task$score(source),"),
    bug(test_shows_more, "dp_test", "\"y\", \"data\"", "\"data\"")
  )) {
    expect_true(caught(b))
  }
})

test_that("a test that cannot reject warns, by public numbers alone", {
  for (x in list(1:5, c(-1, 1, 0, 2, -7))) {
    expect_warning(dp_test(x, 0.05), "hardly finds anything", class = "dpdepth_warning_accuracy")
  }
  expect_silent(dp_test(1:200, 1))
})

# Places of two levels, also of a factor made by hand.
places_are_wrong <- function() {
  given <- factor(c("m", "f", "f", "m"), levels = c("f", "m"))
  by_hand <- structure(c(1L, 2L, 1L), levels = c("f", "m"), class = "factor")
  !identical(level_places(given, "sex"), c(1, 0, 0, 1)) ||
    !identical(level_places(by_hand, "sex"), c(0, 1, 0)) ||
    !identical(trend_rows(c("y", "sex"), data.frame(sex = given, y = 1:4))[, 2], c(1, 0, 0, 1))
}

# Rows of neither level, or of a code beyond the levels, are in a release or cost something.
missing_groups_pass <- function() {
  rows <- data.frame(y = sin(1:40))
  ledger <- dp_ledger(99)
  made <- structure(c(7L, rep(1:2, length.out = 39)), levels = c("f", "m"), class = "factor")
  passed <- vapply(list(
    factor(c("x", rep("f", 39)), levels = c("f", "m")), factor(rep(NA, 40), levels = c("f", "m")), made
  ), function(sex) {
    rows$sex <- sex
    any(vapply(c("rank", "quadrant", "sign"), function(test) {
      all(vapply(list(y ~ sex, sex ~ y), function(formula) {
        run <- function() suppressWarnings(dp_test(formula, 1, data = rows, test = test, ledger = ledger))
        e <- tryCatch(run(), dpdepth_error_input = identity)
        !inherits(e, "error") || !grepl("`data` must be data without missing values", conditionMessage(e))
      }, NA))
    }, NA))
  }, NA)
  any(passed) || nrow(as.data.frame(ledger)) > 0
}

test_that("rows of neither level are refused before the debit, like other missing values", {
  expect_false(missing_groups_pass())
  expect_true(caught(bug(missing_groups_pass, "level_places", "anyNA(code)", "FALSE")))
  expect_true(caught(bug(missing_groups_pass, "level_places", "factor_codes(column)",
                         "replace(factor_codes(column), is.na(column), 1)")))
})

test_that("a factor of two declared levels is a flag", {
  expect_false(places_are_wrong())
  expect_true(caught(bug(places_are_wrong, "level_places", "factor_codes(column)",
                         "match(column, unique(column))")))
  rows <- data.frame(y = sin(1:40), sex = factor(rep(c("m", "f"), 20), levels = c("f", "m")))
  rows$male <- rows$sex == "m"
  with_seed <- function(...) {
    set.seed(7)
    dp_test(..., epsilon = 2, data = rows, rng = "R")
  }
  for (test in c("quadrant", "sign")) {
    group <- with_seed(y ~ sex, test = test)
    expect_identical(tidy(group)[1:2], tidy(with_seed(y ~ male, test = test))[1:2])
    expect_match(group$method, "two groups")
    # by the column's type, and not by how many values it has
    expect_match(with_seed(y ~ male, test = test)$method, "two groups")
    expect_match(with_seed(male ~ y, test = test)$method, "trend")
    expect_identical(tidy(with_seed(sex ~ y, test = test))[1:2],
                     tidy(with_seed(male ~ y, test = test))[1:2])
  }
  # a level that nobody has
  ledger <- dp_ledger(3)
  rows$sex <- factor(rep("m", 40), levels = c("f", "m"))
  expect_identical(dp_test(y ~ sex, 1, data = rows, ledger = ledger)$n, 40L)
  refused <- function(sex, told) {
    rows$sex <- sex
    e <- expect_error(dp_test(y ~ sex, 1, data = rows, ledger = ledger), told, class = "dpdepth_error_input")
    expect_match(conditionMessage(e), "factor(x, levels = c(\"a\", \"b\"))", fixed = TRUE)
    expect_no_match(conditionMessage(e), "secret")
  }
  refused(rep(c("secret", "m"), 20), "one in which `sex` is a character vector")
  refused(factor(rep("f", 40), levels = c("f", "m", "secret")), "`sex` has 3")
  refused(factor(rep("secret", 40)), "`sex` has 1")
  expect_identical(nrow(as.data.frame(ledger)), 1L)
})

test_that("p-values print as R's do", {
  lines <- format(dp_test(1:200, 5, rng = "R"))
  expect_match(lines, "^p.value +< 1e-11$", all = FALSE)
  expect_identical(vapply(c(0.0123456, 1, 3e-9), p_value_text, ""), c("0.01235", "1", "3e-09"))
})

test_that("what is no test is refused", {
  skip_on_cran()
  refused <- function(code, text) expect_error(code, text, class = "dpdepth_error_input")
  refused(dp_test(cars, 1), "Choose a column, as in")
  refused(dp_test(1:9, 1, y = 1:8, paired = TRUE), "y")
  refused(dp_test(c(1, NA), 1), "missing")
  refused(dp_test(dist ~ speed, 1, data = cars, mu = 2), "mu")
  refused(dp_test(dist ~ speed, 1, data = cars, y = 1:50), "`y` must be left out")
  refused(dp_test(dist ~ speed, 1, data = cars, paired = TRUE), "`paired` must be left out")
  refused(dp_test(1:9, 1, data = cars), "`data` must be left out")
  refused(dp_test(a ~ b, 1, data = data.frame(a = I(cbind(1:9, 9:1)), b = 1:9)), "2 columns")
  refused(dp_test(1:9, 1, test = "quadrant"), "\"sign\" or \"rank\" or \"balance\" for one sample")
  refused(dp_test(dist ~ speed, 1, data = cars, test = "balance"), "\"quadrant\" or \"sign\" for a trend")
  refused(dp_test(1:9, 1, test = "rank", neighbours = "add_remove"), "where n is private")
  refused(dp_test(1:9, 1, share = 0.2), "`share` must be left out")
  refused(dp_test(len ~ supp, 1, data = ToothGrowth, share = 0.6), "`share`")
  refused(dp_test(1:9, 1, y = 2:9, alternative = "less", test = "sign"), "alternative")
  refused(dp_test(1:9, 1, y = 2:9, mu = 1, test = "sign"), "mu")
  refused(dp_test(1:9, 1, y = 1:9, paired = TRUE, test = "quadrant"), "for pairs")
  refused(dp_test(1:9, 1, y = 1:9, test = "mean"), "test")
  refused(dp_test(log(dist) ~ speed, 1, data = cars), "formula")
  refused(dp_test(dist ~ nothing, 1, data = cars), "nothing")
  refused(dp_test(dist ~ speed, 1), "data")
  refused(dp_test(1:9, 1, conf.level = 0.9), "conf.level")
  refused(dp_test(1:9, 0), "epsilon")
  rows <- most_trend_rows + 1
  long <- data.frame(a = seq_len(rows), b = 1)
  refused(dp_test(a ~ b, 1, data = long, test = "sign"), "two samples")
})

test_that("the p-value stands right below the score, and a data frame in the wrong place is told of", {
  lines <- format(dp_test(seq(-1, 9), epsilon = 9, rng = "R"))
  expect_match(lines[which(lines == "")[2] + 1], "^p.value ")
  expect_error(dp_test(waiting ~ eruptions, faithful, epsilon = 1), "given by name with a formula",
               class = "dpdepth_error_input")
})

test_that("the column of the ids is no variable of the formula", {
  people <- data.frame(y = 1:30, p = rep(1:10, 3))
  expect_error(dp_test(y ~ p, 1, data = people, id = ~p), "with `p`", class = "dpdepth_error_input")
})

test_that("whether all numbers of a column are missing (flags for R) shows in no refusal", {
  said <- function(x, ...) {
    data <- data.frame(y = 1:8, x = x)
    tryCatch(dp_test(y ~ x, 1, data = data, ...), error = conditionMessage)
  }
  one <- c(3, rep(NA, 7))
  differ <- function() {
    !identical(said(NA), said(one)) || !identical(said(NA, share = 0.3), said(one, share = 0.3)) ||
      !identical(said(NA, test = "balance"), said(one, test = "balance"))
  }
  expect_false(differ())
  expect_true(caught(bug(differ, "task_kind", "is.data.frame(given$data)", "FALSE")))
})

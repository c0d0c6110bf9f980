# dp_test(): laws against enumeration, exact size, sensitivity, noise, refusals.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

sign_sets <- function(n) as.matrix(expand.grid(rep(list(c(-1, 1)), n)))

# All orders of 1..n, a row each.
orders <- function(n) {
  if (n == 1) return(matrix(1L))
  shorter <- orders(n - 1)
  do.call(rbind, lapply(seq_len(n), function(k) cbind(k, shorter + (shorter >= k))))
}
# The values of score(source) over all orders of the keys that break ties, `calls` times independently.
over_keys <- function(score, n, calls) {
  each <- orders(n)
  picks <- as.matrix(expand.grid(rep(list(seq_len(nrow(each))), calls)))
  pick <- call <- NULL
  keys <- function(count, size, rng) {
    call <<- call + 1
    each[pick[[call]], ][seq_len(count)]
  }
  with_bindings(list(draw_below = keys), apply(picks, 1, function(of) {
    pick <<- of
    call <<- 0
    score("R")
  }))
}

# Are the laws of two samples and of a trend other than those over all orders of rows and keys?
law_is_wrong <- function() {
  seen <- function(n, score) {
    scores <- as.vector(apply(orders(n), 1, score))
    tabulate(scores + 1, n + 1) / length(scores)
  }
  mood <- vapply(list(c(3, 1, 4, 9), c(1, 2, 2, 2), rep(0, 4)), function(v) {
    max(abs(seen(4, function(o) over_keys(function(s) mood_score(v[o][1], v[o][2:4], s), 4, 1)) -
              mood_law(c(1, 3))))
  }, 0)
  quadrant <- vapply(list(list(1:3, 1:3), list(c(1, 1, 2), rep(1, 3))), function(v) {
    max(abs(seen(3, function(o) over_keys(function(s) quadrant_score(v[[1]], v[[2]][o], s), 3, 2)) -
              quadrant_law(3)))
  }, 0)
  max(mood, quadrant) > 1e-12
}

# Two laws have a coupling within one just if their distribution functions shifted by one cross nowhere.
score_moves_too_far <- function() {
  set.seed(9)
  far <- function(a, b) {
    below <- function(v, k) mean(v <= k)
    any(vapply(-1:5, function(k) {
      below(a, k) > below(b, k + 1) + 1e-12 || below(b, k) > below(a, k + 1) + 1e-12
    }, NA))
  }
  for (i in 1:30) {
    x <- sample(0:2, 4, TRUE)
    y <- sample(0:2, 4, TRUE)
    other <- replace(x, 1, sample(-1:3, 1))
    one <- over_keys(function(s) mood_score(x[1:2], x[3:4], s), 4, 1)
    if (far(one, over_keys(function(s) mood_score(other[1:2], other[3:4], s), 4, 1))) return(TRUE)
    if (i > 10) next
    one <- over_keys(function(s) quadrant_score(x[-4], y[-4], s), 3, 2)
    swap <- replace(y, 1, sample(-1:3, 1))
    if (far(one, over_keys(function(s) quadrant_score(other[-4], swap[-4], s), 3, 2))) return(TRUE)
  }
  # without ties, every two rankings of four rows
  for (k in seq(1, 24, 2)) {
    o <- orders(4)[k, ]
    to <- c(0.5, 2.5, 4.5)
    for (a in to) for (b in to) {
      if (abs(quadrant_score(1:4, o, "R") - quadrant_score(c(a, 2:4), c(b, o[-1]), "R")) > 1) return(TRUE)
    }
  }
  FALSE
}

test_that("two samples and trends: exact laws whatever the ties, and a row moves the score by one", {
  skip_on_cran()
  expect_false(law_is_wrong())
  expect_false(score_moves_too_far())
  bugs <- list(
    "ties by place" = bug(law_is_wrong, "higher_half", "order(keys)", "seq_along(keys)"),
    "a row of a tie too many" =
      bug(law_is_wrong, "higher_half", "h - sum(top)", "h - sum(top) + (length(tied) > 2)"),
    "both quadrants" = bug(score_moves_too_far, "quadrant_score", "&", "=="),
    "the larger sample's rows counted twice" =
      bug(score_moves_too_far, "mood_score", "sum(higher_half(c(x, y), source)[seq_along(x)])",
          "2 * sum(higher_half(c(x, y), source)[seq_along(x)])")
  )
  for (name in names(bugs)) expect_true(caught(bugs[[name]]), label = name)
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
  samples <- sum_law(c(4, 4))
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
  # neighbours that rounding does not tell apart
  near <- 1e300 * (1 + 0:7 * 2^-52)
  expect_equal(trend_score(1:8, near), trend_score(1:8, 1:8))
  expect_identical(trend_score(c(1, 1), c(3, 3)), 2)
})

test_that("two samples have the score of a trend without its passes over all rows, and an exact law", {
  set.seed(6)
  slow <- function(...) stop("a pass over all rows for each value")
  for (sizes in list(c(1, 1), c(1, 9), c(6, 3), c(8, 8))) {
    x <- sample(0:4, sizes[[1]], TRUE)
    y <- sample(1:6, sizes[[2]], TRUE)
    task <- samples_task(x, y, 0, "two.sided", "median")
    score <- with_bindings(list(trend_score = slow), task$score("R"))
    expect_equal(score, trend_score(rep(0:1, sizes), c(x, y)))
    two <- outer(smaller_count(sizes[[1]]), smaller_count(sizes[[2]]))
    expect_equal(task$law(), as.vector(tapply(two, row(two) + col(two), sum)))
  }
  # sums of what is not negative: no rounding in the tail, whatever the sizes' prime factors
  law <- sum_law(c(2000, 2002))
  expect_identical(sum(law[1:1000]), 0)
  expect_equal(sum(law), 1)
})

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
  of(scored(x + 1, y = rep(1, 6), paired = TRUE, alternative = "less"), 5, fair)
  # two samples of unlike sizes; y ~ x
  both <- tapply(outer(smaller_count(5), smaller_count(2)), outer(0:5, 0:2, `+`), sum)
  of(scored(c(6, 1, 8, 3, 2), y = c(7, 4), hypothesis = "median"), 3, as.vector(both))
  rows <- data.frame(b = c(2, 2, 1, 2, 2, 2), a = c(2, 1, 3, 3, 4, 2))
  of(scored(a ~ b, data = rows, hypothesis = "median"), 3, walk_law(6))
  # of the three highest 8, 7 and 6 two are of the first; shifted down by 5 none is
  mood <- stats::dhyper(0:7, 5, 2, 3)
  of(scored(c(6, 1, 8, 3, 2), y = c(7, 4)), 2, mood, "both")
  of(scored(c(6, 1, 8, 3, 2), y = c(7, 4), alternative = "less"), 2, mood, "low")
  of(scored(c(6, 1, 8, 3, 2), y = c(7, 4), mu = 5, alternative = "greater"), 1, mood, "high")
  rows <- data.frame(b = 1:7, a = c(3, 1, 2, 9, 4, 8, 7))
  of(scored(a ~ b, data = rows, alternative = "greater"), 2, stats::dhyper(0:7, 3, 4, 3), "high")
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
                  suppressWarnings(dp_test(x, 2, y = c(0, 1.4142, 0), paired = TRUE, mu = 1,
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

test_that("keys that break ties are drawn again where two are the same", {
  calls <- 0
  keys <- function(...) {
    calls <<- calls + 1
    if (calls == 1) c(5, 5) else c(7, 6)
  }
  expect_identical(with_bindings(list(draw_below = keys), higher_half(c(1, 1), "R")), c(FALSE, TRUE))
})

test_that("a test that cannot reject warns, by public numbers alone", {
  for (x in list(1:5, c(-1, 1, 0, 2, -7))) {
    expect_warning(dp_test(x, 0.05), "hardly finds anything", class = "dpdepth_warning_accuracy")
  }
  expect_silent(dp_test(1:200, 1))
})

# Places of two levels, and of values that are neither.
places_are_wrong <- function() {
  given <- factor(c("m", "f", "x", NA, "m"), levels = c("f", "m"))
  by_hand <- structure(c(1L, 7L, NA, 2L), levels = c("f", "m"), class = "factor")
  !identical(level_places(given, "sex"), c(1, 0, 0.5, 0.5, 1)) ||
    !identical(level_places(by_hand, "sex"), c(0, 0.5, 0.5, 1)) ||
    !identical(trend_rows(c("y", "sex"), data.frame(sex = given, y = 1:5))[, 2], c(1, 0, 0.5, 0.5, 1))
}

test_that("rows of neither level are a third group: that they alone differ is found, as the help says", {
  set.seed(3)
  g <- sample(c("a", "b", "c"), 600, TRUE, c(0.5, 0.2, 0.3))
  data <- data.frame(y = rnorm(600) + 5 * (g == "c"), g = factor(g, c("a", "b")))
  p_value <- function(hypothesis, data) {
    dp_test(y ~ g, 2, data = data, hypothesis = hypothesis, rng = "R")$details$p.value
  }
  found <- function(data) vapply(c("law", "median"), p_value, 0, data)
  expect_true(all(found(data) < 1e-6))
  expect_true(all(found(transform(data, y = rnorm(600))) > 1e-3))
})

test_that("a factor of two declared levels is a flag, and what is neither fails no call", {
  expect_false(places_are_wrong())
  for (b in list(
    bug(places_are_wrong, "level_places", "is.na(place), 0.5", "is.na(place), NA"),
    bug(places_are_wrong, "level_places", "factor_codes(column)", "match(column, unique(column))")
  )) {
    expect_true(caught(b))
  }
  rows <- data.frame(y = sin(1:40), sex = factor(rep(c("m", "f"), 20), levels = c("f", "m")))
  rows$male <- rows$sex == "m"
  with_seed <- function(...) {
    set.seed(7)
    dp_test(..., epsilon = 2, data = rows, rng = "R")
  }
  for (hypothesis in c("law", "median")) {
    group <- with_seed(y ~ sex, hypothesis = hypothesis)
    expect_identical(tidy(group)[1:2], tidy(with_seed(y ~ male, hypothesis = hypothesis))[1:2])
    expect_match(group$method, "two groups")
    # by the column's type, and not by how many values it has
    expect_match(with_seed(y ~ male, hypothesis = hypothesis)$method, "trend")
    expect_identical(tidy(with_seed(sex ~ y, hypothesis = hypothesis))[1:2],
                     tidy(with_seed(male ~ y, hypothesis = hypothesis))[1:2])
  }
  # a level that is not declared, wherever it stands, and levels that nobody has
  ledger <- dp_ledger(3)
  for (sex in list(c("x", rep("f", 39)), rep("x", 40), rep("m", 40))) {
    rows$sex <- factor(sex, levels = c("f", "m"))
    expect_identical(dp_test(y ~ sex, 1, data = rows, ledger = ledger)$n, 40L)
  }
  refused <- function(sex, told) {
    rows$sex <- sex
    e <- expect_error(dp_test(y ~ sex, 1, data = rows, ledger = ledger), told, class = "dpdepth_error_input")
    expect_match(conditionMessage(e), "factor(x, levels = c(\"a\", \"b\"))", fixed = TRUE)
    expect_no_match(conditionMessage(e), "secret")
  }
  refused(rep(c("secret", "m"), 20), "one in which `sex` is a character vector")
  refused(factor(rep("f", 40), levels = c("f", "m", "secret")), "`sex` has 3")
  refused(factor(rep("secret", 40)), "`sex` has 1")
  expect_identical(nrow(as.data.frame(ledger)), 3L)
})

test_that("p-values print as R's do", {
  lines <- format(dp_test(1:200, 5, rng = "R"))
  expect_match(lines, "^p.value +< 1e-11$", all = FALSE)
  expect_identical(vapply(c(0.0123456, 1, 3e-9), p_value_text, ""), c("0.01235", "1", "3e-09"))
})

test_that("what is no test is refused", {
  refused <- function(code, text) expect_error(code, text, class = "dpdepth_error_input")
  refused(dp_test(cars, 1), "Choose a column, as in")
  refused(dp_test(1:9, 1, y = 1:8, paired = TRUE), "y")
  refused(dp_test(c(1, NA), 1), "missing")
  refused(dp_test(dist ~ speed, 1, data = cars, mu = 2), "mu")
  refused(dp_test(dist ~ speed, 1, data = cars, y = 1:50), "`y` must be left out")
  refused(dp_test(dist ~ speed, 1, data = cars, paired = TRUE), "`paired` must be left out")
  refused(dp_test(1:9, 1, data = cars), "`data` must be left out")
  refused(dp_test(a ~ b, 1, data = data.frame(a = I(cbind(1:9, 9:1)), b = 1:9)), "2 columns")
  refused(dp_test(1:9, 1, y = 2:9, alternative = "less", hypothesis = "median"), "alternative")
  refused(dp_test(1:9, 1, y = 2:9, mu = 1, hypothesis = "median"), "mu")
  refused(dp_test(1:9, 1, hypothesis = "law"), "hypothesis")
  refused(dp_test(1:9, 1, y = 1:9, paired = TRUE, hypothesis = "median"), "hypothesis")
  refused(dp_test(1:9, 1, y = 1:9, hypothesis = "mean"), "hypothesis")
  refused(dp_test(log(dist) ~ speed, 1, data = cars), "formula")
  refused(dp_test(dist ~ nothing, 1, data = cars), "nothing")
  refused(dp_test(dist ~ speed, 1), "data")
  refused(dp_test(1:9, 1, conf.level = 0.9), "conf.level")
  refused(dp_test(1:9, 0), "epsilon")
  rows <- most_trend_rows + 1
  long <- data.frame(a = seq_len(rows), b = 1)
  refused(dp_test(a ~ b, 1, data = long, hypothesis = "median"), "two samples")
})

test_that("the p-value stands right below the score, and a data frame in the wrong place is told of", {
  lines <- format(dp_test(seq(-1, 9), epsilon = 9, rng = "R"))
  expect_match(lines[which(lines == "")[2] + 1], "^p.value ")
  expect_error(dp_test(waiting ~ eruptions, faithful, epsilon = 1), "by name, as `data`",
               class = "dpdepth_error_input")
})

test_that("the column of the ids is no variable of the formula", {
  people <- data.frame(y = 1:30, p = rep(1:10, 3))
  expect_error(dp_test(y ~ p, 1, data = people, id = ~p), "with `p`", class = "dpdepth_error_input")
})

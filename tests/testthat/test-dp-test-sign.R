# Sign, median and quadrant tests: distributions against enumeration, exact size, sensitivity.

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

# Are the distributions of two samples and of a trend other than those over all orders of rows and keys?
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

# Two distributions have a coupling within one just if their distribution functions shifted by one cross
# nowhere.
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
    task <- samples_task(x, y, 0, "two.sided", "sign")
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

test_that("keys that break ties are drawn again where two are the same", {
  calls <- 0
  keys <- function(...) {
    calls <<- calls + 1
    if (calls == 1) c(5, 5) else c(7, 6)
  }
  expect_identical(with_bindings(list(draw_below = keys), higher_half(c(1, 1), "R")), c(FALSE, TRUE))
})

# Sign tests, Mood's median test and the quadrant test: scores that one replaced row moves by at most one.

# Tasks of R/dp-test.R: sizes, a score, the distribution of what it is at least. PRIVATE: rows.

# law(): weight[k + 1] = P(S_0 = k), k = 0..n. tail: which scores speak against the hypothesis.
sign_task <- function(x, y, mu, alternative, paired) {
  x <- check_data(x, "x", max_d = 1L)
  n <- nrow(x)
  if (paired) {
    y <- check_data(y, "y", max_d = 1L)
    check_same_rows(x, y)
    x <- x - y
  }
  c(sign_words(mu, alternative, paired), list(
    n = n, d = 1L, tail = "low",
    score = function(source) {
      above <- sum(x >= mu)
      below <- sum(x <= mu)
      switch(alternative, two.sided = min(above, below), greater = below, less = above)
    },
    law = function() if (alternative == "two.sided") smaller_count(n) else stats::dbinom(0:n, n, 0.5)
  ))
}

samples_task <- function(x, y, mu, alternative, test) {
  x <- check_data(x, "x", max_d = 1L)
  y <- check_data(y, "y", max_d = 1L)
  sizes <- c(nrow(x), nrow(y))
  task <- list(n = sum(sizes), d = 1L)
  if (test == "sign") {
    return(c(task, list(
      method = "sign test of two samples", hypothesis = "both samples have one median", tail = "low",
      score = function(source) samples_score(x, y), law = function() sum_law(sizes)
    )))
  }
  task <- c(task, list(
    tail = test_tail(alternative),
    hypothesis = paste0("both samples have one distribution",
                        if (mu != 0) sprintf(", that of x shifted by %s", with_point(format(-mu))))
  ))
  if (test == "rank") return(c(task, mann_whitney_task(x, y, mu)))
  c(task, list(method = "median test of two samples", score = function(source) mood_score(x - mu, y, source),
               law = function() mood_law(sizes)))
}

# Rows for which the deepest horizontal line is found in some seconds.
most_trend_rows <- 1000000L

trend_task <- function(formula, data, alternative, test) {
  names <- trend_names(formula)
  rows <- trend_rows(names, data) # of a tally in a random order
  n <- nrow(rows)
  of <- if (is_two_levels(data, names[[2]])) "two groups" else "a trend"
  if (test == "quadrant") {
    return(c(list(n = n, d = 2L), list(
      method = paste("quadrant test of", of), tail = test_tail(alternative),
      hypothesis = sprintf("`%s` and `%s` are independent", names[[1]], names[[2]]),
      score = function(source) quadrant_score(rows[, 2], rows[, 1], source),
      law = function() quadrant_law(n)
    )))
  }
  if (n > most_trend_rows) {
    most <- sprintf("of at most %d rows for a formula with test = \"sign\"", most_trend_rows)
    stop_input("data", most, sprintf("of %d", n), "For two groups give two samples, `x` and `y`.")
  }
  c(list(n = n, d = 2L), list(
    method = paste("sign test of", of), tail = "low",
    hypothesis = sprintf("`%s` has one median, given `%s`", names[[1]], names[[2]]),
    score = function(source) trend_score(rows[, 2], rows[, 1]), law = function() walk_law(n)
  ))
}

# dp_test() where n is private: exact level by enumeration, what a row more moves, refusals. No randomness but
# in the last test.

all_alternatives <- c("two.sided", "greater", "less")

# The law of discrete Laplace noise on -reach..reach.
laplace_law <- function(rate, reach) {
  w <- exp(-rate * abs(-reach:reach))
  w / sum(w)
}

test_that("tails of the noise and of walks with noise are those of the convolutions", {
  for (rate in c(0.3, 1, 6)) {
    z <- -120:120
    pair <- outer(laplace_law(rate, 120), laplace_law(rate, 120))
    for (m in c(-5, 0, 1, 2, 9)) {
      expect_equal(noise_difference_tail(m, rate), sum(pair[outer(z, z, `-`) >= m]), tolerance = 1e-10)
    }
    for (n in c(0, 1, 4, 7)) for (t in c(-2, 1, 3)) {
      up <- 0:n
      tails <- noise_difference_tail(t - (2 * up - n), rate)
      expect_equal(walk_tail(n, t, rate, FALSE), sum(stats::dbinom(up, n, 0.5) * tails))
      tails <- noise_difference_tail(t - abs(2 * up - n), rate)
      expect_equal(walk_tail(n, t, rate, TRUE), sum(stats::dbinom(up, n, 0.5) * tails))
    }
    expect_lte(noise_difference_tail(size_margin(rate) + 1, rate), size_doubt)
    expect_gt(noise_difference_tail(size_margin(rate), rate), size_doubt)
  }
})

test_that("tails rise with n by steps of two, whatever the noise", {
  for (rate in c(0.05, 0.7, 3, 30)) for (absolute in c(TRUE, FALSE)) {
    for (t in c(if (absolute) c(-3, 0), 1, 2, 5)) {
      tails <- vapply(0:25, walk_tail, 0, t, rate, absolute)
      expect_true(all(diff(tails, 2) >= -1e-12))
    }
  }
})

test_that("ties with the hypothesis speak for it", {
  atoms <- list(points = c(2, 2, 2, 3, 1, 0), count = c(1, 1, 5, 1, 1, 1))
  of <- function(alternative) sign_counts(atoms, 2, alternative)
  expect_identical(of("two.sided"), c(against = 2, other = 8))
  expect_identical(of("greater"), c(against = 1, other = 9))
  expect_identical(of("less"), c(against = 2, other = 8))
})

# By how much the test's exact level is beyond alpha, for rows that are above mu, at it or below with the
# chances `law`.
level_beyond <- function(n, rate, alternative, law) {
  split <- as.matrix(expand.grid(above = 0:n, at = 0:n))
  split <- cbind(split, below = n - rowSums(split))
  split <- split[split[, "below"] >= 0, , drop = FALSE]
  chance <- apply(split, 1, stats::dmultinom, prob = law)
  counts <- t(apply(split, 1, function(k) sign_counts(list(points = c(1, 0, -1), count = k), 0, alternative)))
  chance <- tapply(chance, counts[, 1], sum)
  reach <- ceiling(14 / rate)
  noise <- laplace_law(rate, reach)
  beyond <- c(0.001, 0.01, 0.05, 0.2)
  level <- numeric(4)
  at <- expand.grid(a = -reach:reach, b = -reach:reach)
  weight <- noise[at$a + reach + 1] * noise[at$b + reach + 1]
  for (against in as.integer(names(chance))) {
    score <- 2 * against - n + at$a - at$b
    counted <- n + at$a + at$b
    key <- score * 4096 + counted
    once <- !duplicated(key)
    p <- mapply(private_p_value, score[once], counted[once], rate, alternative)[match(key, key[once])]
    level <- level + chance[[as.character(against)]] * vapply(beyond, function(a) sum(weight[p <= a]), 0)
  }
  max(level - beyond)
}

level_is_broken <- function() {
  cases <- list(list(4, 1.5, "two.sided", c(0.4, 0.3, 0.3)), list(5, 2, "greater", c(0.5, 0.2, 0.3)),
                list(8, 2.5, "less", c(0.5, 0, 0.5)),
                # n itself is known, and the bound of n has the other parity
                list(5, 20, "two.sided", c(0.5, 0, 0.5)))
  for (case in cases) if (do.call(level_beyond, case) > 1e-9) return(TRUE)
  FALSE
}

# Does an added row move the counts by other than one?
counts_move_more <- function() {
  moved <- NULL
  for (n in 0:4) {
    sets <- unique(t(apply(as.matrix(expand.grid(rep(list(0:2), n))), 1, sort)))
    if (n == 0) sets <- matrix(0, 1, 0)
    for (i in seq_len(nrow(sets))) for (new in 0:2) for (alternative in all_alternatives) {
      moved <- c(moved, sum(abs(signs_of(c(sets[i, ], new), alternative) - signs_of(sets[i, ], alternative))))
    }
    if (any(moved != 1)) return(TRUE)
  }
  FALSE
}

signs_of <- function(x, alternative) sign_counts(atoms_of(matrix(x)), 1, alternative)

# Is something else of the release a function of n, or is not paid for what is drawn?
row_shows <- function() {
  paid <- NULL
  run <- function(x, alternative) {
    noise <- c(30, 4) - signs_of(x, alternative)
    said <- character()
    ledger <- dp_ledger(0.01)
    # two numbers, at epsilon, which is debited
    drawn <- function(count, numerator, denominator, ...) {
      rate <- numerator / denominator
      paid <<- c(paid, count == 2 && abs(rate - 0.01) < 1e-8 && summary(ledger)$left[[1]] == 0)
      noise
    }
    out <- withCallingHandlers(with_bindings(list(draw_laplace_discrete = drawn), unclass(
      dp_test(x, 0.01, mu = 1, alternative = alternative, neighbours = "add_remove", ledger = ledger)
    )), dpdepth_warning = function(w) {
      said <<- c(said, conditionMessage(w))
      invokeRestart("muffleWarning")
    })
    list(out, said)
  }
  shown <- vapply(all_alternatives, function(alternative) {
    identical(run(numeric(), alternative), run(c(1, 1, 2, 0, 5), alternative))
  }, NA)
  !all(shown) || !all(paid)
}

test_that("the level holds, and a row more moves the counts by one and shows nowhere else", {
  skip_on_cran()
  expect_false(level_is_broken())
  expect_false(counts_move_more())
  expect_false(row_shows())
  planted <- function(...) expect_true(caught(bug(...)))
  planted(level_is_broken, "private_p_value", "counted + size_margin(rate)", "counted - size_margin(rate)")
  planted(level_is_broken, "private_p_value", "max(0, most - 1):most", "0")
  planted(level_is_broken, "private_p_value", "max(0, most - 1):most", "most")
  planted(level_is_broken, "sign_counts", "greater = above",
          "greater = above + sum(count[atoms$points == mu])")
  planted(counts_move_more, "sign_counts", "other = sum(count) - against",
          "other = sum(count[atoms$points <= mu])")
  planted(row_shows, "private_sign_task", "n = private_size", "n = nrow(x)")
  planted(row_shows, "private_sign_test", "counted <- sum(counts)", "counted <- sum(task$counts())")
  # the same noise on both, and too little of it
  planted(row_shows, "private_sign_test", "draw_laplace_discrete(2,", "draw_laplace_discrete(1,")
  planted(row_shows, "private_sign_test", "(2, rate[[1]]", "(2, 2 * rate[[1]]")
})

test_that("p-values are near those of a public n, of pairs and tallies too", {
  skip_on_cran()
  x <- rep(c(-1, 1), c(80, 120))
  bare <- function(...) {
    with_bindings(list(draw_laplace_discrete = function(...) 0),
                  dp_test(..., epsilon = 1, neighbours = "add_remove"))
  }
  for (alternative in all_alternatives) {
    r <- bare(x, alternative = alternative)
    p <- stats::binom.test(120, 200, alternative = alternative)$p.value
    expect_lt(abs(r$p.value - p), if (alternative == "less") 0.05 else 0.01)
    expect_identical(r$details$counted, 200)
    expect_identical(r$n, NA_integer_)
    pairs <- bare(x + 3, y = rep(3, 200), paired = TRUE, alternative = alternative)
    expect_identical(pairs$p.value, r$p.value)
    tally <- dp_tally(data.frame(x = x), lower = -2, upper = 2, resolution = 1)
    expect_identical(bare(tally, alternative = alternative)$p.value, r$p.value)
  }
  none <- bare(numeric())
  expect_gt(none$p.value, 0.5)
  expect_output(print(none), "n is private")
  # many rows and wide noise are no matter
  expect_equal(private_p_value(2^16, 2^31, 1, "greater"), stats::pnorm(-2^16 / 2^15.5) + size_doubt,
               tolerance = 1e-3)
  expect_lte(private_p_value(3e7, 100, 1e-6, "greater"), 1)
  # where tails need not rise with n
  expect_identical(private_p_value(0, 40, 3, "less"), 1)
})

test_that("what has no law is refused, with nothing spent; groups of private sizes are tested", {
  ledger <- dp_ledger(1)
  refused <- function(...) {
    expect_error(dp_test(..., epsilon = 1, neighbours = "add_remove", ledger = ledger), "private",
                 class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(1:9, y = 2:5)
  refused(dist ~ speed, data = cars)
  t <- dp_tally(data.frame(a = 1:9, b = 1:9), lower = 0, upper = 9, resolution = 1)
  for (bad in list(t, dp_tally(data.frame(a = 1:9, b = 1:9), lower = 0, upper = 9, margins = TRUE),
                   replace(t["a"], "n", 10))) {
    expect_error(dp_test(bad, 1, neighbours = "add_remove", ledger = ledger), class = "dpdepth_error_input")
  }
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  # sizes are not told
  e <- expect_error(dp_test(1:17, 1, y = 1:23, paired = TRUE, neighbours = "add_remove"), "as long as",
                    class = "dpdepth_error_input")
  expect_no_match(conditionMessage(e), "17|23")
  expect_warning(dp_test(1:9, 1e-4, neighbours = "add_remove", rng = "R"), "assumed",
                 class = "dpdepth_warning_accuracy")
  by <- dp_by(data.frame(v = c(1:30, -(1:30))), rep(1:2, each = 30), dp_test, 8, levels = 1:3, rng = "R")
  expect_named(by$releases, c("1", "2", "3"))
  expect_lt(by$releases[["1"]]$p.value, 0.01)
})

# Events of audits: counts on fresh draws, limits, the choice.

test_that("limits are those of Clopper and Pearson, and the bound follows from them", {
  limits <- event_limits(c(30, 4), 100, 0.99)
  expect_equal(limits[[1]], stats::binom.test(30, 100, conf.level = 0.99)$conf.int[[1]])
  expect_equal(limits[[2]], stats::binom.test(4, 100, conf.level = 0.99)$conf.int[[2]])
  expect_equal(event_bound(c(30, 4), 100, 0, 0.99), log(limits[[1]] / limits[[2]]))
  expect_identical(event_bound(c(0, 4), 100, 0, 0.99), -Inf)
  expect_identical(event_bound(c(30, 4), 100, 0.5, 0.99), -Inf)
  expect_equal(event_bound(c(30, 4), 100, 0.05, 0.99), log((limits[[1]] - 0.05) / limits[[2]]))
})

test_that("an event is counted on draws that did not choose it", {
  set.seed(111)
  sides <- lapply(c(0, 0), function(m) matrix(stats::rnorm(60, m)))
  worth <- function(k, n) event_bound(k, n, 0, 0.9)
  event <- choose_event(event_table(sides), 0.1, worth)
  kept <- event_counts(event, sides)
  expect_gt(kept[[1]], kept[[2]]) # noise that was looked for
  expect_equal(worth(matrix(kept, 1), 60), event$worth)
  # the counts of an event are those by its words, on whatever draws
  halves <- list(matrix(c(1, 2, 3, NA)), matrix(c(3, 3, 3, 3)))
  event <- choose_event(event_table(halves), 0.1, function(k, n) k[, 1] - k[, 2])
  expect_identical(event_counts(event, halves), if (event$swap) c(4, 1) else event_counts(event, halves))
  expect_true(event$label %in% c("statistic 1 >= 3", "statistic 1 = 3"))
})

test_that("a claim is tested, and a curve drawn, on the second half alone", {
  sides <- list(matrix(rep(0:1, each = 50)), matrix(rep(1, 100)))
  expect_identical(test_claim(sides, 0.1, 0, 0.9)[c("rejected", "counts")],
                   list(rejected = FALSE, counts = c(0, 0, 50)))
  half <- halves(list(matrix(rep(0, 200)), matrix(rep(0:1, 100))))
  expect_equal(curve_point(0, event_table(half$first), half$second, 0.9)[[1]], 0.5)
})

test_that("draws are rows, and failures are rows of their own", {
  k <- 0
  run <- function(x) {
    k <<- k + 1
    if (k %% 2 == 0) stop("no") else c(k, x)
  }
  expect_identical(audit_draws(run, 7, NULL, 3), rbind(c(1, 7), c(NA, NA), c(3, 7)))
  expect_identical(audit_draws(function(x) TRUE, 7, NULL, 2), matrix(1, 2, 1))
})

test_that("a draw of no numbers is no release, and no draws change places", {
  set.seed(8)
  some <- function(p) if (stats::runif(1) < p) stats::runif(1) else numeric(0)
  found <- lapply(1:5, function(i) audit_privacy(some, 0.6, 0.4, epsilon = log(1.5), draws = 400))
  expect_false(any(vapply(found, `[[`, NA, "rejected")))
  expect_identical(found[[1]]$counts[[3]], 200)
  sure <- audit_privacy(some, 1, 0, epsilon = 1, draws = 200)
  expect_true(sure$rejected)
  expect_false(audit_privacy(function(x) numeric(0), 1, 2, epsilon = 1, draws = 100)$rejected)
})

test_that("a mechanism that always fails is refused in its own words", {
  fails <- function(x) stop("no such thing")
  for (exact in c(FALSE, TRUE)) {
    expect_error(audit_privacy(fails, 1, 2, epsilon = 1, draws = 100, exact = exact),
                 "It says: no such thing", class = "dpdepth_error_input")
  }
})

test_that("an epsilon whose exponential is infinite is audited", {
  audit <- audit_privacy(function(x) x + stats::runif(1), 0, 1, epsilon = 1000, draws = 100)
  expect_true(all(is.finite(audit$curve$delta)))
})

test_that("of a delta that leaves no event of any worth, nothing is proved", {
  set.seed(1)
  noisy <- function(x) x[[1]] + stats::runif(1)
  audit <- audit_privacy(noisy, 0, 1, epsilon = 1e-6, delta = 1 - 1e-12, draws = 100)
  expect_false(audit$rejected)
  expect_lte(audit$lower, 0)
})

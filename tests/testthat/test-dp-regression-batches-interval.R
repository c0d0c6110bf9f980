# Tests of R/dp-regression-batches-interval.R: what its intervals are handed, cost, hold and cover.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

# What the scans are handed for each coefficient, and what is debited by then.
scans_handed <- function(frame, ..., epsilon = 8) {
  ledger <- dp_ledger(9)
  scans <- list()
  keep <- function(x, probs, epsilon, prior, level, source, ...) {
    scans[[length(scans) + 1]] <<- list(fits = x, probs = probs, epsilon = epsilon, prior = prior,
                                        level = level, left = summary(ledger)$left[[1]])
    list(estimate = 1, interval = cbind(lower = 0, upper = 2))
  }
  release <- with_bindings(list(quantile_interval = keep), {
    suppressWarnings(dp_regression_batches(y ~ a + b, frame, epsilon, lower = c(-9, 0, -1), upper = 9, ...,
                                           interval = 0.9, ledger = ledger, rng = "R"))
  })
  list(scans = scans, release = release, debit = as.data.frame(ledger)[c("epsilon", "delta")])
}

flag_frame <- function(n = 150) {
  set.seed(4)
  data.frame(a = rnorm(n), b = as.double(rep(c(1, numeric(9)), length.out = n)), y = rnorm(n))
}

# TRUE if more than one fit differs between neighbours, if anything else does, or if the scans are handed more
# than is debited or another level than is said.
scans_spend_wrong <- function() {
  frame <- flag_frame()
  for (simultaneous in c(FALSE, TRUE)) for (i in c(1, deal_rows(150L, 1L)[[1]])) {
    pairs <- simultaneous
    other <- frame
    other[i, ] <- list(1e6, 1 - frame$b[[i]], -1e6)
    set.seed(1)
    one <- scans_handed(frame, simultaneous = simultaneous, pairs = pairs)
    set.seed(1)
    two <- scans_handed(other, simultaneous = simultaneous, pairs = pairs)
    fits <- lapply(list(one, two), function(side) vapply(side$scans, `[[`, side$scans[[1]]$fits, "fits"))
    moved <- sum(apply(fits[[1]] != fits[[2]], 1, any))
    numbers <- lapply(list(one, two), function(side) lapply(side$scans, `[`, -1))
    level <- if (simultaneous) 1 - 0.1 / 3 else 0.9
    asked <- lapply(list(c(-9, 9), c(0, 9), c(-1, 9)), function(ends) {
      list(probs = 0.5, epsilon = 8 / 3, prior = prior_uniform(ends[[1]], ends[[2]]), level = level, left = 1)
    })
    if (moved > 1 || !identical(numbers[[1]], numbers[[2]]) ||
          !isTRUE(all.equal(numbers[[1]], asked)) || !identical(one$release, two$release) ||
          !identical(one$debit, data.frame(epsilon = 8, delta = 0)) || one$release$epsilon != 8) {
      return(TRUE)
    }
  }
  FALSE
}

test_that("limits are moved outwards by what rounding may take", {
  room <- scans_handed(flag_frame())$release$interval
  expect_true(all(room[, "lower"] < 0 & room[, "lower"] > -1e-6))
  expect_true(all(room[, "upper"] > 2 & room[, "upper"] < 2 + 1e-6))
})

test_that("coefficients share epsilon, and a row moves one fit", {
  expect_false(scans_spend_wrong())
  deal <- "deal_rows(length(y), seed)"
  for (b in list(
    bug(scans_spend_wrong, "plan_batches_interval", "share <- epsilon/d", "share <- epsilon"),
    bug(scans_spend_wrong, "batch_fits", deal, sprintf("rep_len(%s[-150], length(y))", deal)),
    bug(scans_spend_wrong, "batch_fits", deal, "order(x[, 1])"),
    bug(scans_spend_wrong, "sided_fits", "2^1023", "mean(y)"),
    bug(scans_spend_wrong, "sided_fits", "draw_below(plan$batches, 2, source)",
        "rep(sum(y) > -1e5, plan$batches)"),
    bug(scans_spend_wrong, "plan_batches_interval", "(1 - level)/d", "(1 - level)"),
    bug(scans_spend_wrong, "paired_rows", "order[first + batches], , drop",
        "order[c(first[-1] + batches, 1)], , drop"),
    bug(scans_spend_wrong, "paired_rows", "apart <-", "rows <- rows - mean(rows[, 1])^2; apart <-"),
    bug(scans_spend_wrong, "debit", "list(epsilon = given$epsilon", "list(epsilon = given$epsilon/2")
  )) {
    expect_true(caught(b), info = b$edits[[1]][[3]])
  }
})

# A flag's slope.
flags_are_missed <- function() {
  rare_flag_misses(function(out) out$interval[2, 1] > 5 || out$interval[2, 2] < 5, 0.1, interval = 0.9)
}

test_that("rare flags are covered, with coins and without errors of a variance", {
  skip_on_cran()
  expect_false(flags_are_missed())
  expect_true(caught(bug(flags_are_missed, "sided_fits", "2^1023", "0")))
  expect_true(caught(bug(flags_are_missed, "sided_fits", "draw_below(plan$batches, 2, source)", "0")))
})

# With errors exchanged in each pair, slopes' errors change their signs; the fits are those of differences.
test_that("slopes of pairs have symmetric errors, whatever the errors' law; the intercept is as it was", {
  set.seed(5)
  x <- matrix(exp(rnorm(46)), 23)
  e <- exp(3 * rnorm(23))
  order <- deal_rows(23L, 1L)
  fits <- function(e, pairs = TRUE) {
    sided_fits(x, as.vector(1 + x %*% c(2, -3) + e), list(batches = 3L, seed = 1L, pairs = pairs), "R")
  }
  # rows of each batch in turn, in pairs
  first <- order[c(1:3, 7:9, 13:15, 19:20)]
  second <- order[c(4:6, 10:12, 16:18, 22:23)]
  for (k in 1:3) {
    mine <- (match(first, order) - 1) %% 3 == k - 1
    y <- as.vector(x %*% c(2, -3) + e)
    apart <- stats::lm.fit((x[first, ] - x[second, ])[mine, ], (y[first] - y[second])[mine])$coefficients
    expect_equal(fits(e)[k, -1], unname(apart), tolerance = 1e-9)
  }
  swapped <- function() {
    away <- function(e) t(fits(e)[, -1]) - c(2, -3)
    max(abs(away(e) + away(replace(e, c(first, second), e[c(second, first)])))) > 1e-6
  }
  expect_false(swapped())
  expect_true(caught(bug(swapped, "sided_fits", "isTRUE(plan$pairs)", "FALSE")))
  expect_true(caught(bug(swapped, "paired_rows", "out[order[left], ] <- 0", "NULL")))
  expect_identical(fits(e)[, 1], fits(e, FALSE)[, 1])
})

test_that("rounding of least squares does not miss", {
  limits <- run_batches_interval(matrix(sin(1:400)), 1 / 3 + sin(1:400) / 7, list(
    batches = 100L, seed = 1L, parts = list(prior_uniform(0, 1), prior_uniform(0, 1)), share = 4, each = 0.95
  ), "R")$interval
  expect_true(all(limits[, 1] <= c(1, 3 / 7) / 3 & c(1, 3 / 7) / 3 <= limits[, 2]))
  expect_identical(rounding_room(prior_uniform(-50, 50)), 100 * 2^-30)
  expect_identical(rounding_room(prior_normal(3, 2)), 144 * 2^-30)
})

test_that("the release: limits, what covers, predictions, and the method by public facts", {
  set.seed(7)
  frame <- data.frame(a = rnorm(1200), b = rnorm(1200), x = factor("u", levels = c("u", "v")))
  frame$y <- 1 + 2 * frame$a - 3 * frame$b + rnorm(1200)
  ask <- function(formula = y ~ a + b, ..., fun = dp_regression) {
    fun(formula, frame, 2, ..., lower = -50, upper = 50, interval = 0.9, rng = "R")
  }
  r <- ask()
  expect_identical(dimnames(confint(r)), list(c("(Intercept)", "a", "b"), c("5 %", "95 %")))
  expect_true(all(r$interval[, 1] <= c(1, 2, -3) & c(1, 2, -3) <= r$interval[, 2]))
  expect_true(all(r$interval[, 1] <= coef(r) & coef(r) <= r$interval[, 2]))
  expect_lt(max(r$interval[, 2] - r$interval[, 1]), 1)
  expect_identical(r[c("guarantee", "delta", "exact")], list(guarantee = "pure", delta = 0, exact = TRUE))
  text <- gsub("[[:space:]]+", " ", paste(format(r), collapse = " "))
  expect_match(text, "each interval by itself covers its true coefficient with probability 0.9", fixed = TRUE)
  expect_match(text, "symmetric about 0 given the regressors", fixed = TRUE)
  expect_match(r$details$why, "intervals for several regressors come from batches", fixed = TRUE)
  expect_named(tidy(r, conf.int = TRUE), c("term", "estimate", "conf.low", "conf.high"))
  expect_error(predict(r, frame, interval = "confidence"), "simultaneous = TRUE",
               class = "dpdepth_error_input")
  all <- ask(simultaneous = TRUE, fun = dp_regression_batches)
  expect_match(interval_sentence(all), "all intervals together cover the true coefficients", fixed = TRUE)
  at <- data.frame(a = c(0, 2, NA), b = c(-1, 1, 0))
  limits <- predict(all, at, interval = "confidence")
  ends <- all$interval
  expect_equal(unname(limits[1, 2:3]), c(ends[1, 1] - ends[3, 2], ends[1, 2] - ends[3, 1]), tolerance = 1e-6)
  expect_equal(unname(limits[2, 2:3]), unname(colSums(ends * c(1, 2, 1))), tolerance = 1e-6)
  expect_true(all(is.na(limits[3, ])))
  expect_match(ask(y ~ a)$mechanism, "over regression depth")
  expect_match(ask(y ~ a, size = 5, fun = dp_regression_batches)$mechanism, "two one-sided scans")
  expect_match(ask(y ~ a, simultaneous = TRUE, fun = dp_regression_batches)$mechanism, "two one-sided scans")
  # a level that no row has
  expect_warning(none <- ask(y ~ a + x), NA)
  expect_gt(none$interval[3, 2] - none$interval[3, 1], 40)
  expect_lt(none$interval[2, 2] - none$interval[2, 1], 2)
})

test_that("limits of predictions keep what is not limited", {
  limits <- cbind(lower = c(0, -Inf), upper = c(1, 3))
  expect_equal(box_range(rbind(c(1, 0), c(1, 2), c(1, -2), c(1, NA)), limits),
               cbind(lower = c(0, -Inf, -6, NA), upper = c(1, 7, Inf, NA)), tolerance = 1e-7)
})

test_that("what cannot have intervals is refused, and nothing is spent", {
  frame <- flag_frame(600)
  ledger <- dp_ledger(9)
  refused <- function(about, formula = y ~ a + b, epsilon = 1, ..., lower = -9, upper = 9, interval = 0.9,
                      fun = dp_regression_batches) {
    expect_error(fun(formula, frame, epsilon, ..., lower = lower, upper = upper, interval = interval,
                     ledger = ledger),
                 about, class = "dpdepth_error_input")
  }
  refused("needs them|`lower` and `upper`", lower = NULL, upper = NULL)
  refused("`interval`", interval = 95)
  refused("1,203 rows", epsilon = 0.3)
  refused("and `size`", size = 6)
  refused("1e-6 for each of 3", epsilon = 2e-6)
  refused("`simultaneous`", simultaneous = NA)
  refused("`interval`", tau = 0.25, fun = dp_regression)
  refused("`pairs`", pairs = NA)
  refused("`pairs` must be left out with `at`", at = diag(3)[, -1], pairs = TRUE)
  refused("`pairs`", pairs = TRUE, interval = NULL)
  refused("at least 4 with `pairs`", pairs = TRUE, size = 3)
  refused("`simultaneous`", simultaneous = TRUE, interval = NULL)
  refused("intercept", y ~ a + b - 1)
  refused("method = \"batches\"", fun = dp_regression_exponential)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  expect_warning(dp_regression(y ~ a + b, frame[1:400, ], 1, lower = -9, upper = 9, interval = 0.9,
                               ledger = ledger), "infinite", class = "dpdepth_warning_accuracy")
})

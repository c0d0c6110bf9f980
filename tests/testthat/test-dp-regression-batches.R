# dp_regression(method = "batches"): fits, what a row touches, sizes, errors reached, the door.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

sample_frame <- function(n, p, b = c(7, seq(-20, 20, length.out = p))) {
  x <- as.data.frame(matrix(stats::rnorm(n * p), n))
  x$y <- b[[1]] + drop(as.matrix(x) %*% b[-1]) + stats::rnorm(n)
  x
}

test_that("fits are least squares of each batch, whatever the columns' units", {
  set.seed(1)
  x <- cbind(stats::rnorm(60), 1e150 * stats::runif(60), 1e-200 * stats::rnorm(60),
             5 + 1e-3 * stats::rnorm(60))
  y <- stats::rnorm(60)
  fits <- batch_fits(x, y, 7L, 1L, rep(0, 5))
  order <- deal_rows(60L, 1L)
  expect_identical(sort(order), 1:60)
  expect_false(identical(order, deal_rows(60L, 2L)))
  for (b in 1:7) {
    rows <- order[seq(b, 60, 7)]
    scaled <- sweep(x[rows, ], 2, c(1, 1e150, 1e-200, 1), "/")
    expect_equal(fits[b, ], unname(stats::coef(stats::lm(y[rows] ~ scaled))) / c(1, 1, 1e150, 1e-200, 1),
                 tolerance = 1e-8)
  }
  expect_equal(batch_fits(matrix(0, 9, 0), 1:9, 3L, 1L, 0),
               matrix(vapply(1:3, function(b) mean(deal_rows(9L, 1L)[seq(b, 9, 3)]), 0)))
})

test_that("batches without a fit of their own are the public constant", {
  constant <- c(11, 12, 13)
  same <- batch_fits(cbind(rep(3, 40), seq_len(40)), seq_len(40), 8L, 1L, constant)
  expect_identical(same, matrix(constant, 8, 3, byrow = TRUE))
  double <- batch_fits(cbind(seq_len(40), 2 * seq_len(40)), seq_len(40), 8L, 1L, constant)
  expect_identical(double, matrix(constant, 8, 3, byrow = TRUE))
  few <- batch_fits(cbind(sin(1:8), cos(1:8)), 1:8, 4L, 1L, constant)
  expect_identical(few, matrix(constant, 4, 3, byrow = TRUE))
  huge <- batch_fits(cbind(sin(1:40) * 1e-300, cos(1:40)), rep(c(1e300, -1e300), 20), 4L, 1L, constant)
  expect_true(all(is.finite(huge)))
})

test_that("a row touches one fit, to the last bit, and what is spent is what was said", {
  skip_on_cran()
  expect_false(batches_are_wrong())
  expect_false(restricted_axes_spends_wrong())
  expect_false(batches_fill_wrong())
  # (planted bugs: tests/audit/test-planted.R)
  set.seed(5)
  x <- matrix(stats::rnorm(300), 100)
  y <- stats::rnorm(100)
  fits <- batch_fits(x, y, 12L, 3L, rep(0, 4))
  for (i in c(1, 50, 100)) for (value in c(0, 1e308, 1e-308)) {
    other <- x
    other[i, ] <- value
    expect_lte(sum(rowSums(batch_fits(other, -y * 0 + y, 12L, 3L, rep(0, 4)) != fits) > 0), 1)
  }
})

test_that("the seed deals the rows, and a test that fails releases nothing", {
  frame <- data.frame(a = sin(1:60), b = cos(1:60), y = sqrt(1:60))
  fits <- function(...) batches_handed(frame, lower = -9, upper = 9, ...)[[1]]$fits
  expect_identical(fits(), fits(seed = 1))
  expect_false(identical(fits(seed = 2), fits(seed = 1)))
  failed <- batches_handed(frame, delta = 1e-3, size = 4, released = FALSE)[[2]]
  expect_false(failed$release$released)
  expect_true(all(is.na(coef(failed$release))))
  expect_identical(failed$debit, data.frame(epsilon = 1, delta = 1e-3))
  told <- failed$release$details
  expect_equal(told$epsilon_test + told$epsilon_draw, 1)
  pure <- batches_handed(frame, lower = -9, upper = 8, seed = 2)[[2]]$release$details
  expect_identical(pure$seed, 2L)
  expect_identical(pure$prior, prior_uniform(rep(-9, 3), rep(8, 3)))
})

test_that("sizes and laws are chosen by public numbers", {
  skip_on_cran()
  none <- prior_for(prior_dyadic(), 4)
  choice <- choose_batches(2400, 4, 1, 1e-6, none)
  expect_true(choice$serves)
  expect_identical(choice$law, "exponential")
  expect_gte(choice$batches, 240)
  # many coefficients: the restricted mechanism needs fewer batches
  many <- prior_for(prior_dyadic(), 25)
  expect_identical(choose_batches(23000, 25, 1, 0, many)[c("serves", "law")],
                   list(serves = FALSE, law = "exponential"))
  tested <- choose_batches(23000, 25, 1, 1e-6, many)
  expect_identical(tested$law, "restricted")
  # the draw has what the test leaves
  expect_equal(tested$error, batches_error(tested$batches, 23000 %/% tested$batches, 25, 1 - tested$share),
               tolerance = 0.01)
  expect_identical(choose_batches(23000, 25, 1, 1e-300, many),
                   choose_batches(23000, 25, 1, min_restricted_delta, many))
  # the least epsilon is below what the restricted law takes
  expect_identical(choose_batches(100, 3, 1e-6, 1e-6, none)$law, "exponential")
  # bounds need fewer
  bounds <- prior_uniform(rep(-50, 4), rep(50, 4))
  expect_true(choose_batches(1200, 4, 1, 0, bounds)$serves)
  expect_false(choose_batches(1000, 4, 1, 0, none)$serves)
  expect_false(choose_batches(300, 4, 1, 0, bounds)$serves)
  # planned errors are those of releases
  set.seed(6)
  planned <- choose_batches(2400, 4, 1, 0, none)$error
  error <- vapply(seq_len(60), function(i) {
    frame <- sample_frame(2400, 3)
    sqrt(mean((coef(dp_regression(y ~ ., frame, 1, method = "batches", rng = "R")) - c(7, -20, 0, 20))^2))
  }, 0)
  expect_equal(sqrt(mean(error^2)), planned, tolerance = 0.2)
  expect_lt(planned, 0.052)
  expect_lt(choose_batches(6000, 9, 1, 0, prior_for(prior_dyadic(), 9))$error, 0.059)
})

test_that("the door: releases with bounds, priors, none, and delta; warnings and refusals spend nothing", {
  skip_on_cran()
  set.seed(7)
  frame <- sample_frame(2400, 3)
  ledger <- dp_ledger(10, 1e-3)
  r <- expect_no_warning(dp_regression(y ~ ., frame, 1, method = "batches", ledger = ledger))
  expect_identical(r$guarantee, "pure")
  expect_true(r$exact)
  expect_lt(max(abs(coef(r) - c(7, -20, 0, 20))), 0.3)
  expect_identical(as.data.frame(ledger)$epsilon, 1)
  expect_length(predict(r, frame[1:5, ]), 5)
  bounded <- dp_regression(y ~ ., frame, 1, lower = -50, upper = 50, method = "batches")
  expect_true(all(abs(coef(bounded) - c(7, -20, 0, 20)) < 0.3))
  normal <- dp_regression(y ~ ., frame, 1, prior = prior_normal(0, 30), method = "batches")
  expect_true(all(abs(coef(normal) - c(7, -20, 0, 20)) < 0.3))
  fine <- dp_regression(y ~ ., frame, 1, prior = prior_dyadic(0.25), method = "batches")
  expect_identical(unname(coef(fine)), round(4 * unname(coef(fine))) / 4)
  many <- sample_frame(3000, 12)
  tested <- expect_no_warning(dp_regression_batches(y ~ ., many, 4, 1e-6, size = 15))
  expect_true(tested$released)
  few <- frame[1:200, ]
  expect_warning(dp_regression(y ~ ., few, 1, 1e-6, method = "batches"), class = "dpdepth_warning_accuracy")
  expect_warning(dp_regression(y ~ ., few, 1, method = "batches"), class = "dpdepth_warning_accuracy")
  spent <- nrow(as.data.frame(ledger))
  bad <- function(data = frame, ...) {
    expect_error(dp_regression_batches(y ~ ., data, 1, ..., ledger = ledger), class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), spent)
  }
  bad(frame[1:15, ])
  bad(tau = 0.3)
  expect_error(dp_regression(y ~ ., frame, 1, method = "batches", tau = 0.3, ledger = ledger), "`tau`",
               class = "dpdepth_error_input")
  bad(size = 3)
  bad(size = 601)
  bad(seed = -1)
  bad(lower = 0, upper = 1, resolution = 1)
  bad(lower = 0)
  bad(prior = prior_uniform(0, 1), lower = 0, upper = 1)
  bad(prior = c(0, 1))
  bad(prior = "normal")
  # steps are named as they were given
  for (steps in list(1e-300, c(1, 2), c(z = 1), "1")) {
    found <- expect_error(dp_regression_batches(y ~ ., frame, 1, resolution = steps),
                          class = "dpdepth_error_input")
    expect_identical(found$arg, "resolution")
  }
})

test_that("what is drawn in steps of the grid is released in the coefficients' units", {
  frame <- data.frame(a = sin(1:60), b = cos(1:60), y = sqrt(1:60))
  drawn <- function(...) list(released = TRUE, point = c(4, -8, 16))
  out <- with_bindings(list(draw_restricted_axes = drawn), suppressWarnings(
    dp_regression_batches(y ~ a + b, frame, 1, 1e-3, size = 4, resolution = c(0.25, 0.5, 1))
  ))
  expect_identical(unname(coef(out)), c(1, -4, 16))
})

test_that("steps are matched by name, whatever the law", {
  frame <- data.frame(a = sin(1:1200), y = sqrt(1:1200))
  steps <- function(resolution, n, delta) {
    fit <- suppressWarnings(dp_regression_batches(y ~ a, frame[1:n, ], 4, delta, resolution = resolution))
    fit$details$step
  }
  for (case in list(list(1200, 0), list(60, 1e-4))) {
    expect_identical(steps(c(a = 2, "(Intercept)" = 1), case[[1]], case[[2]]), c("(Intercept)" = 1, a = 2))
    expect_identical(steps(c(a = 2), case[[1]], case[[2]]), c("(Intercept)" = 2^-20, a = 2))
  }
  # the restricted law has the unit of a prior that is given
  few <- suppressWarnings(dp_regression_batches(y ~ a, frame[1:60, ], 4, 1e-4, prior = prior_dyadic(0.5)))
  expect_identical(few$details$step, c("(Intercept)" = 0.5, a = 0.5))
})

# -- intervals -------------------------------------------------------------------------------------

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
  expect_true(all(room[, "conf.low"] < 0 & room[, "conf.low"] > -1e-6))
  expect_true(all(room[, "conf.high"] > 2 & room[, "conf.high"] < 2 + 1e-6))
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
  skip_on_cran()
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
  skip_on_cran()
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
  refused("1,983 rows", epsilon = 0.3)
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

# Composed medians of each variable: exact laws of compositions, the release.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

# -- exact laws --------------------------------------------------------------------------------

test_that("exact laws of composed medians are within (epsilon, delta), and broken budgets are caught", {
  skip_on_cran()
  for (case in list(c(1, 1e-6, 30), c(0.1, 1e-3, 5), c(4, 1e-6, 40), c(1, 0.05, 2), c(0.1, 0.05, 2))) {
    epsilon <- case[[1]]
    delta <- case[[2]]
    d <- case[[3]]
    each <- marginal_budget(epsilon, delta, d)$each
    expect_identical(marginal_budget(epsilon, delta, d)$delta, delta)
    for (pair in line_pairs) {
      expect_lte(composed_delta(pair, each, d, epsilon), delta)
      expect_lte(composed_delta(rev(pair), each, d, epsilon), delta)
    }
    worst <- function(each) max(vapply(line_pairs, composed_delta, 0, each = each, d = d, epsilon = epsilon))
    expect_gt(worst(sqrt(8) * each), delta)  # the 1/8 twice
    expect_gt(worst(2 * each), delta)        # the rate epsilon_j for epsilon_j/2
    expect_gt(worst(sqrt(8 * epsilon / d)), delta) # conversion without log(1/delta)
    # d - 1 for d shows where d is small
    if (d == 2) expect_gt(worst(sqrt(2) * each), delta)
  }
  # basic composition
  for (pair in line_pairs) {
    expect_lte(composed_delta(pair, marginal_budget(1, 0, 3)$each, 3, 1), 1e-12)
    expect_lte(composed_delta(pair, marginal_budget(1, 0, 20)$each, 20, 1), 1e-12)
  }
  expect_gt(composed_delta(line_pairs[[1]], 1.1 / 2, 2, 0.5), 1e-3)
})

test_that("each variable's draw has its law", {
  skip_on_cran()
  x <- cbind(a = c(2, 4, 5, 9), b = c(-3, -1, -1, 7))
  limits <- prior_uniform(c(0, -10), c(10, 10))
  each <- 1.5
  draws <- suppressWarnings(vapply(seq_len(600), function(i) {
    coef(dp_median(x, 3, prior = limits, method = "marginal", rng = "R"))
  }, c(a = 0, b = 0)))
  lengths <- c(2, 2, 1, 4, 1) # between 0, 2, 4, 5, 9 and 10; depths 0 1 2 1 0
  weight <- lengths * exp(each * c(0, 1, 2, 1, 0) / 2)
  counts <- table(cut(draws["a", ], c(-Inf, 2, 4, 5, 9, Inf)))
  expect_law(counts, weight / sum(weight))
  wrong <- lengths * exp(each * c(0, 1, 2, 1, 0))
  expect_not_law(counts, wrong / sum(wrong), "twice the rate")
  # the variables' draws are independent
  cells <- table(draws["a", ] <= 4.5, draws["b", ] <= 0)
  expect_gt(stats::fisher.test(cells)$p.value, ALPHA)
})

# -- the release -------------------------------------------------------------------------------

test_that("what is released, spent and said", {
  x <- matrix(qnorm(((1:4000) * 0.618034) %% 1), ncol = 40, dimnames = list(NULL, paste0("v", 1:40)))
  ledger <- dp_ledger(2, 1e-5)
  r <- suppressWarnings(dp_median(x, 1, 1e-6, -5, 5, ledger = ledger))
  expect_identical(r$guarantee, "approximate")
  expect_identical(r$delta, 1e-6)
  expect_true(r$exact)
  expect_named(coef(r), colnames(x))
  expect_match(r$details$why, "each costs least")
  expect_identical(as.data.frame(ledger)$delta, 1e-6)
  expect_true(all(coef(r) >= -5 & coef(r) <= 5))
  expect_identical(unname(coef(r) / r$details$step), unname(round(coef(r) / r$details$step)))
  # basic composition spends no delta
  two <- dp_median(x[, 1:2], 1, 1e-6, -5, 5, method = "marginal", ledger = ledger)
  expect_identical(two$guarantee, "pure")
  expect_identical(two$delta, 0)
  expect_identical(as.data.frame(ledger)$delta, c(1e-6, 0))
  expect_identical(two$details$why, "the method asked for")
  # bounds and priors of each variable
  apart <- dp_median(cbind(a = 1:99, b = 1001:1099), 20, lower = c(b = 1000, a = 0),
                     upper = c(a = 100, b = 1100), method = "marginal")
  expect_true(all(abs(coef(apart) - c(50, 1050)) < 10))
  normal <- dp_median(cbind(1:99, 1001:1099), 20, prior = prior_normal(c(50, 1050), c(50, 20)),
                      method = "marginal")
  expect_true(all(abs(coef(normal) - c(50, 1050)) < 10))
})

test_that("bad arguments are refused and spend nothing", {
  x <- cbind(1:9, 1:9)
  ledger <- dp_ledger(1, 1e-3)
  bad <- function(...) {
    expect_error(dp_median(x, ..., method = "marginal", ledger = ledger), class = "dpdepth_error_input")
  }
  bad(1)
  bad(1, lower = 0)
  bad(1, lower = 0, upper = 9, prior = prior_normal(0, 1))
  bad(1, lower = 0, upper = 9, directions = 20)
  bad(1, lower = 0, upper = 9, 3)
  bad(0, lower = 0, upper = 9)
  bad(1e-6, lower = 0, upper = 9)
  bad(1, lower = 0, upper = 1e-310)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

# -- intervals of all variables --------------------------------------------------------------------

test_that("a median with an interval is a pure release that says what it covers", {
  ledger <- dp_ledger(1)
  r <- dp_median(faithful$waiting, 1, lower = 0, upper = 180, interval = 0.95, ledger = ledger)
  expect_identical(c(r$guarantee, r$epsilon, r$delta), c("pure", "1", "0"))
  expect_identical(summary(ledger)$left, c(0, 0))
  expect_match(as.data.frame(ledger)$label, "interval")
  expect_true(confint(r)[[1]] < coef(r) && coef(r) < confint(r)[[2]])
  expect_identical(r$details$level, 0.95)
  expect_identical(names(r$details$shares), c("centre", "scans"))
  expect_equal(sum(r$details$shares), 1)
  expect_lt(r$details$resolves, 0.01)
  expect_match(paste(trimws(format(r)), collapse = " "),
               "covers the population's median with probability 0.95")
  expect_identical(tidy(r, conf.int = TRUE)$conf.high, confint(r)[[2]])
})

test_that("what stands for missing values is told", {
  x <- c(NA, faithful$waiting)
  expect_identical(dp_median(x, 1, lower = 0, upper = 180, interval = 0.95, na = 90)$details$na,
                   "90 stands for missing and infinite values")
})

test_that("each variable has an interval, in shares of epsilon", {
  r <- dp_median(faithful, 2, lower = 0, upper = c(10, 180), interval = 0.9)
  expect_identical(rownames(confint(r)), c("eruptions", "waiting"))
  expect_match(format(r), "each interval by itself", all = FALSE)
  seen <- NULL
  record <- function(x, plans, prior, source, resolution) {
    seen <<- c(seen, plans[[1]]$epsilon, plans[[1]]$level)
    list(estimate = 1, interval = cbind(lower = 0, upper = 2))
  }
  with_bindings(list(draw_intervals = record),
                dp_median(faithful, 2, lower = 0, upper = c(10, 180), interval = 0.9))
  expect_identical(seen, c(1, 0.9, 1, 0.9))
})

test_that("intervals that cover together share the chance to miss", {
  handed <- function(simultaneous) {
    seen <- NULL
    record <- function(x, plans, prior, source, resolution) {
      seen <<- c(seen, plans[[1]]$epsilon, plans[[1]]$level)
      list(estimate = 1, interval = cbind(lower = 0, upper = 2))
    }
    fit <- with_bindings(list(draw_intervals = record),
                         dp_median(iris[1:4], 8, lower = 0, upper = 9, interval = 0.9,
                                   simultaneous = simultaneous))
    list(seen, fit)
  }
  too_narrow <- function() !isTRUE(all.equal(handed(TRUE)[[1]], rep(c(2, 0.975), 4)))
  expect_false(too_narrow())
  expect_true(caught(bug(too_narrow, "plan_median_intervals", "(1 - level)/d", "(1 - level)")))
  fit <- handed(TRUE)[[2]]
  expect_identical(fit$details$level, 0.9)
  expect_true(fit$details$simultaneous)
  expect_match(interval_sentence(fit), "all intervals together cover the population's medians of the var")
  expect_identical(handed(FALSE)[[1]][1:2], c(2, 0.9))
  ask <- function(...) dp_median(faithful, 4, lower = 0, upper = 200, ...)
  expect_error(ask(interval = 0.9, simultaneous = NA), "`simultaneous`", class = "dpdepth_error_input")
  expect_error(ask(simultaneous = TRUE), "without `interval`", class = "dpdepth_error_input")
  # a region's are so by themselves
  region <- ask(interval = 0.9, method = "exponential")
  expect_true(region$details$simultaneous)
})

# What is handed on for each variable, and what is debited, before anything is drawn.
variables_are_handed_wrong <- function() {
  ledger <- dp_ledger(2)
  seen <- list()
  record <- function(x, plans, prior, source, resolution) {
    seen <<- c(seen, list(list(x[[1]], prior$lower, prior$upper, resolution, summary(ledger)$left[[1]])))
    list(estimate = 1, interval = cbind(lower = 0, upper = 2))
  }
  run <- function(x, ledger = NULL) {
    with_bindings(list(draw_intervals = record),
                  dp_median(x, 2, lower = c(0, 10), upper = c(10, 180), interval = 0.9,
                            resolution = c(0.5, 1), ledger = ledger))
  }
  r <- run(faithful, ledger)
  found <- seen
  # what is drawn apart, nothing is of the rows
  other <- run(faithful + faithful, dp_ledger(2))
  r$call <- other$call <- NULL
  seen <- found
  !identical(r, other) || !identical(seen, list(list(3.6, 0, 10, 0.5, 0), list(79, 10, 180, 1, 0))) ||
    !identical(unname(r$details$resolution), c(0.5, 1)) || summary(ledger)$left[[1]] != 0
}

test_that("each variable is handed on with its own limits and step, after the debit of them all", {
  expect_false(variables_are_handed_wrong())
  for (b in list(
    bug(variables_are_handed_wrong, "debit", "list(epsilon = given$epsilon",
        "list(epsilon = given$epsilon/2"),
    late_debit(variables_are_handed_wrong),
    bug(variables_are_handed_wrong, "draw_median_intervals", "plan$parts[[j]], source",
        "plan$parts[[1]], source"),
    bug(variables_are_handed_wrong, "draw_median_intervals", "list(estimate = vapply",
        "list(details = list(spread = apply(rows, 2, stats::IQR)), estimate = vapply"),
    bug(variables_are_handed_wrong, "draw_median_intervals", "plan$resolution[j]",
        "plan$resolution[1]")
  )) {
    expect_true(caught(b))
  }
  fewer <- dp_median(faithful, 2, lower = 0, upper = c(10, 180), interval = 0.9)
  expect_match(paste(trimws(format(fewer)), collapse = " "), "median of its variable", fixed = TRUE)
})

test_that("whole numbers stay whole", {
  goals <- rep(c(0, 1, 2, 3, 5), c(40, 62, 54, 28, 14))
  for (prior in list(prior_uniform(0, 20), prior_normal(2, 3))) {
    r <- dp_median(goals, 2, prior = prior, resolution = 1, interval = 0.95)
    expect_true(all(c(coef(r), confint(r)) %% 1 == 0))
    expect_match(paste(trimws(format(r)), collapse = " "), "rounded to the resolution")
  }
})

test_that("what cannot give an interval is refused, and nothing is spent", {
  ledger <- dp_ledger(10)
  ask <- function(x = faithful$waiting, epsilon = 1, ..., lower = 0, upper = 180, interval = 0.95) {
    dp_median(x, epsilon, ..., lower = lower, upper = upper, interval = interval, ledger = ledger)
  }
  refused <- function(code, text) expect_error(code, text, class = "dpdepth_error_input")
  refused(ask(epsilon = 0.1), "at least 401 rows")
  refused(ask(faithful, 0.2, upper = c(10, 180)), "2 intervals share")
  refused(ask(faithful, 0.2, upper = c(10, 180)), "at least 401 rows")
  refused(ask(interval = 95), "interval")
  refused(ask(interval = 0.99999), "interval")
  refused(check_interval_budget(1e9, 1e-6, 2), "epsilon")
  refused(interval_threshold(50, 0.5, 1e-30, interval_rates(1)), "interval")
  refused(ask(interval = TRUE), "interval")
  refused(ask(interval = c(0.9, 0.95)), "interval")
  refused(ask(method = "exponential"), "method")
  refused(ask(directions = "axes"), "directions")
  refused(ask(resolution = -1), "resolution")
  refused(ask(lower = NULL), "is one without limits")
  refused(ask(faithful$waiting[1:60], lower = NULL, upper = NULL), "Give `lower` and `upper`")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("intervals that will hardly say anything are warned of by n and epsilon alone", {
  expect_warning(dp_median(rep(1, 45), 1, lower = 0, upper = 10, interval = 0.95), "infinite",
                 class = "dpdepth_warning_accuracy")
  expect_warning(dp_median(numeric(45), 1, lower = 0, upper = 10, interval = 0.95), "infinite",
                 class = "dpdepth_warning_accuracy")
  # by the share of each variable, and by both scans
  expect_warning(dp_median(cbind(rep(1, 45), 2), 2, lower = 0, upper = 10, interval = 0.95), "infinite",
                 class = "dpdepth_warning_accuracy")
  # even cells: the release says what they resolve of wide limits, as every release does
  expect_silent(wide <- dp_median(rep(1, 110), 1, lower = -1e7, upper = 1e7, interval = 0.95))
  expect_gt(wide$details$resolves, 1e4)
  expect_silent(dp_median(1:110, 1, lower = 0, upper = 200, resolution = 1, interval = 0.95))
  expect_warning(dp_median(1:200, 25, lower = 0, upper = 300, interval = 0.95),
                 class = "dpdepth_warning_privacy")
  expect_silent(dp_median(rep(1, 200), 1, lower = 0, upper = 10, interval = 0.95))
})

# 2000 draws cover with probability 0.95 at least if the limits do, one by one: ALPHA.
test_that("under a dyadic prior an interval covers wherever the rows lie, and its width stays", {
  skip_on_cran()
  set.seed(7)
  covers <- function(law, at, unit, width) {
    prior <- prior_for(prior_dyadic(unit), 1)
    plan <- interval_plan(400, 0.5, 0.9, 1)
    drawn <- vapply(1:2000, function(i) {
      draw_interval(matrix(law(400)), plan, prior, "R")[1, 1:2]
    }, c(0, 0))
    covered <- sum(drawn[1, ] <= at & drawn[2, ] >= at)
    expect_gt(stats::pbinom(covered, 2000, 0.9), ALPHA)
    expect_lt(median(drawn[2, ] - drawn[1, ]), width)
  }
  covers(function(n) rnorm(n, 1e6), 1e6, 2^-20, 0.35)
  covers(function(n) as.double(rpois(n, 20)), 20, 1, 2)
  covers(function(n) rcauchy(n, -3e3), -3e3, 2^-10, 0.45)
})

test_that("a median needs no limits for an interval; tallies have the rows' bits, counts a unit", {
  x <- c(faithful$waiting, faithful$waiting)
  ask <- function(x, ...) {
    set.seed(2)
    dp_median(x, 1, interval = 0.95, resolution = 1, rng = "R", ...)
  }
  r <- ask(x)
  expect_identical(ask(x, prior = prior_dyadic())[c("estimate", "interval")], r[c("estimate", "interval")])
  expect_identical(unname(c(r$estimate, r$interval)), round(unname(c(r$estimate, r$interval))))
  expect_true(r$interval[[1]] >= 60 && r$interval[[2]] <= 90)
  expect_identical(ask(dp_tally(data.frame(x = x), "x", lower = 0, upper = 256, resolution = 1),
                       prior = prior_dyadic())$interval, ask(sort(x))$interval, ignore_attr = TRUE)
  shown <- gsub(" +", " ", paste(format(r), collapse = " "))
  expect_match(shown, "rounded to the prior's unit")
  expect_match(shown, "of the distance from the prior's origin")
  fine <- dp_median(x, 1, interval = 0.95, rng = "R")
  expect_match(paste(format(fine), collapse = " "), "whole numbers need `resolution`")
  two <- dp_median(cbind(a = x, b = x / 10), 2, prior = prior_dyadic(c(1, 0.1)), interval = 0.95, rng = "R")
  expect_identical(names(two$estimate), c("a", "b"))
  # without a centre the scan's cells are wider than any data
  seen <- function() {
    tryCatch({
      dp_median(faithful$waiting[1:60], 1, interval = 0.95, rng = "R")
      TRUE
    }, dpdepth_error_input = function(e) FALSE, dpdepth_warning = function(w) TRUE)
  }
  expect_false(seen())
  expect_true(caught(bug(seen, "check_centred", "all(centred)", "any(!centred)")))
})

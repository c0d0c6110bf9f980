# dp_scale(): what is released, accuracy, ties, coverage, refusals.

test_that("the median absolute deviation and the quartiles' distance are near the data's", {
  x <- stats::qnorm(((1:2e4) - 0.5) / 2e4) * 3 + 10
  for (half in c(50, 1e6)) {
    expect_equal(dp_scale(x, 2, -half, half)$estimate[[1]], 3, tolerance = 0.03)
    expect_equal(dp_scale(x, 2, -half, half, "iqr")$estimate[[1]], 6 * stats::qnorm(0.75), tolerance = 0.03)
  }
  r <- dp_scale(faithful["waiting"], 2, 0, 200, constant = 1, resolution = 1)
  expect_named(r$estimate, "waiting")
  expect_identical(r$estimate, round(r$estimate))
  expect_identical(r$guarantee, "pure")
  expect_identical(r$epsilon, 2)
  expect_match(format(r)[[1]], "median absolute deviation")
  ledger <- dp_ledger(3)
  dp_scale(faithful$waiting, 2, 0, 200, ledger = ledger)
  expect_equal(as.data.frame(ledger)$rho, (0.8^2 + 1.2^2) / 8, tolerance = 1e-6)
  expect_lt(abs(dp_scale(x, 2, -50, 50, neighbours = "add_remove")$estimate - 3), 0.3)
  expect_identical(dp_scale(rep(7, 300), 2, 0, 20, resolution = 1)$estimate[[1]], 0)
})

test_that("a tally has the release of its rows", {
  x <- data.frame(a = rep(0:20, 21:1))
  t <- dp_tally(x, "a", lower = 0, upper = 30, resolution = 1)
  of <- function(...) {
    set.seed(11)
    dp_scale(..., rng = "R")
  }
  expect_identical(of(t, 1)$estimate, of(x, 1, 0, 30, resolution = 1)$estimate)
  expect_identical(of(t, 2, interval = 0.9)$interval,
                   of(x, 2, 0, 30, interval = 0.9, resolution = 1)$interval)
})

test_that("intervals cover", {
  skip_on_cran()
  set.seed(12)
  # at 90%: fails with a chance of ALPHA at most if each covers with probability .9
  covers <- function(statistic, truth, draw, runs = audit_size(60, 400)) {
    hits <- replicate(runs, {
      ends <- dp_scale(draw(), 1, -20, 20, statistic, interval = 0.9, constant = 1, rng = "R")$interval
      ends[[1]] <= truth && truth <= ends[[2]]
    })
    sum(hits) >= stats::qbinom(ALPHA, runs, 0.9)
  }
  expect_true(covers("mad", 0.4812118, function() stats::rexp(400))) # public-rng: simulated data
  expect_true(covers("iqr", log(3), function() stats::rexp(400))) # public-rng: simulated data
  r <- dp_scale(faithful$waiting, 1, 0, 200, interval = 0.9)
  expect_true(r$interval[[1]] <= r$estimate && r$estimate <= r$interval[[2]])
  expect_named(tidy(r, conf.int = TRUE), c("term", "estimate", "conf.low", "conf.high"))
  expect_match(toString(format(r)), "times the constant")
  expect_pictures(r)
})

test_that("limits say which spreads they resolve", {
  for (statistic in c("mad", "iqr")) {
    drawn <- function(n, half, resolution = NULL) {
      set.seed(5)
      suppressWarnings(dp_scale(rnorm(n), 1, -half, half, statistic, interval = 0.9, rng = "R",
                                resolution = resolution))
    }
    # with few rows even steps between the bounds are wider than the data
    few <- drawn(400, 1e6)
    expect_gt(few$details$resolves, 100)
    if (statistic == "mad") expect_gt(diff(few$interval[1, ]), 100)
    expect_match(format(few), "^resolves +spreads of ", all = FALSE)
    many <- drawn(2000, 1e6)
    expect_lt(many$details$resolves, 1)
    expect_lt(diff(many$interval[1, ]), 1)
    expect_identical(drawn(2000, 20, 4)$details$resolves, 4)
  }
})

test_that("with a resolution the scale of rounded values is covered, and that is what is said", {
  set.seed(31)
  x <- rnorm(20000, 0.45, 0.7)
  out <- dp_scale(x, 1, -20, 20, resolution = 1, constant = 1, interval = 0.95, rng = "R")
  truth <- stats::mad(round(x), constant = 1)
  expect_true(out$interval[, 1] <= truth && truth <= out$interval[, 2])
  expect_match(out$details$covers, "of the values rounded to the resolution", fixed = TRUE)
})

test_that("what cannot be is refused, and nothing is spent", {
  ledger <- dp_ledger(1)
  refused <- function(..., arg) {
    raises(dp_scale(..., ledger = ledger), arg)
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(1:99, 1, arg = "lower")
  refused(1:99, 1, 0, arg = "upper")
  refused(1:99, 1, 9, 1, arg = "lower")
  refused(faithful, 1, 0, 9, arg = "x")
  refused(1:99, 1, 0, 9, "sd", arg = "statistic")
  refused(1:99, 1, 0, 9, constant = 0, arg = "constant")
  refused(1:99, 0.1, 0, 9, interval = 0.9, arg = "interval")
  refused(c(1, NA, 3), 1, 0, 9, arg = "x")
  refused(1:9, 1, 0, 9, sd = 1, arg = "sd")
  expect_warning(dp_scale(1:20, 0.1, 0, 1e6), class = "dpdepth_warning_accuracy")
  expect_s3_class(dp_scale(c(1, NA, 3:90), 2, 0, 90, na = "omit"), "dp_release")
})

# Tests of tallies: R/mech-tally.R.

steps_of <- function(d) rep(0.25, d)

test_that("a tally holds each point once, sorted, with the number of its rows", {
  points <- cbind(a = c(1, 0, 1, -0, 2), b = c(0.5, 1, 0.5, 1, 0))
  t <- new_tally(points, c(2, 3, 4, 5, 0), c(-4, -4), c(4, 4), steps_of(2))
  expect_identical(t$points, cbind(a = c(0, 1), b = c(1, 0.5)))
  expect_identical(t$count, c(8, 6))
  expect_identical(t$n, 14)
  expect_identical(t$lower, c(a = -4, b = -4))
  expect_identical(1 / t$points[1, "a"], c(a = Inf))
  expect_true(is_tally(t))
  expect_false(is_tally(points))
  none <- new_tally(points[0, , drop = FALSE], numeric(), c(-4, -4), c(4, 4), steps_of(2))
  expect_identical(c(none$n, dim(none$points)), c(0, 0, 2))
})

# Are three rows of three points in some order too often?
orders_are_unfair <- function() {
  t <- new_tally(cbind(a = c(0, 0.25, 0.5)), c(1, 1, 1), 0, 4, 0.25)
  seen <- replicate(300, sum(expand_tally(t) * c(400, 40, 4)))
  all <- c(12, 21, 102, 120, 201, 210) # 0, 1 and 2 in their places
  stats::chisq.test(table(factor(seen, all)))$p.value < ALPHA
}

test_that("rows come back from a tally, in a random order: places of others do not move with a row", {
  expect_false(orders_are_unfair())
  expect_true(caught(bug(orders_are_unfair, "expanded_entries", "[random_order(t$n, \"system\")]", "")))
  # response and regressors by the same entries
  frame <- list(x = new_tally(cbind(a = 1:3 / 4), c(5, 1, 9), 0, 4, 0.25), y = 1:3 / 4)
  plain <- plain_frame(frame)
  expect_identical(plain$y, plain$x[, "a"])
  expect_identical(sort(plain$y), rep(1:3 / 4, c(5, 1, 9)))

  set.seed(1)
  rows <- cbind(u = sample(0:3, 60, TRUE), v = sample(0:3, 60, TRUE)^2) / 4
  t <- new_tally(rows, rep(1, 60), c(0, 0), c(4, 4), steps_of(2))
  again <- expand_tally(t)
  sorted <- function(x) x[order(x[, 1], x[, 2]), ]
  expect_identical(sorted(again), sorted(rows))
  expect_identical(sum(t$count), 60)
  # and one more
  more <- and_row(t, c(1, 2))
  expect_identical(c(more$n, sum(more$count)), c(61, 61))
})

test_that("tallies that are too large are refused by their public size", {
  many <- function(n) new_tally(cbind(a = 0:1), n, 0, 1, 1)
  expect_identical(dim(many(c(2^31 - 4, 1))), c(.Machine$integer.max - 2L, 1L))
  expect_error(many(c(2^31 - 3, 1)), class = "dpdepth_error_input")
  expect_error(expand_tally(many(c(1e7, 1e7 + 1))), "20,000,001", class = "dpdepth_error_input")
  expect_error(expand_tally(many(c(2e9, 1)), "data"), "`data`")
  # rows times columns
  two <- new_tally(cbind(a = 0:1, b = 0), c(1e7, 1), c(0, 0), c(1, 1), c(1, 1))
  expect_error(expand_tally(two), "20,000,002", class = "dpdepth_error_input")
})

# -- doors -----------------------------------------------------------------------------------------

# Whole numbers, skewed and tied, and their tally within 0..50.
tallied <- function(n, d) {
  rows <- matrix(pmin(round(3 * rexp(n * d)^2), 50), n, d, dimnames = list(NULL, letters[seq_len(d)]))
  new_tally(rows, rep(1, n), rep(0, d), rep(50, d), rep(1, d))
}

# Does `door` make the same release of a tally as of its rows, from the same numbers?
same_release <- function(t, door) {
  made <- lapply(list(t, sorted_rows(t)), function(x) {
    set.seed(7)
    release <- suppressWarnings(door(x, unname(t$lower), unname(t$upper)), classes = "dpdepth_warning")
    expect_false(any(grepl("dp_tally", unlist(lapply(unclass(release), class)))))
    release$call <- NULL
    release
  })
  expect_identical(made[[1]], made[[2]])
}

test_that("releases of a tally are those of its rows", {
  skip_on_cran()
  set.seed(11)
  for (d in 1:3) {
    t <- tallied(120, d)
    same_release(t, function(x, lower, upper) dp_median(x, 1, lower = lower, upper = upper, rng = "R"))
    same_release(t, function(x, lower, upper) {
      dp_median_exponential(x, 1, lower = lower, upper = upper, resolution = 1, directions = "axes",
                            rng = "R")
    })
    same_release(t, function(x, ...) dp_median(x, 1, prior = prior_dyadic(), rng = "R"))
    same_release(t, function(x, lower, upper) {
      dp_median(x, 1, 1e-6, lower, upper, method = "marginal", rng = "R")
    })
    same_release(t, function(x, lower, upper) dp_median(x, 2, 0, lower, upper, interval = 0.9, rng = "R"))
    same_release(t, function(x, lower, upper) {
      dp_median(x, 1, 0, lower, upper, neighbours = "add_remove", rng = "R")
    })
    same_release(t, function(x, lower, upper) {
      dp_depth(matrix(1, 2, d), x, 1, lower = lower, upper = upper, rng = "R")
    })
  }
  t <- tallied(150, 2)
  square <- matrix(c(90, 40, 40, 70), 2, dimnames = rep(list(c("a", "b")), 2))
  covariance <- prior_normal(c(a = 5, b = 5), covariance = square)
  same_release(t, function(x, ...) dp_median(x, 1, prior = covariance, rng = "R"))
  same_release(t, function(x, lower, upper) {
    dp_median_exponential(x, 1, depth = "irw", directions = 4L, lower = lower, upper = upper, rng = "R")
  })
  # methods that count rows get them
  same_release(t, function(x, lower, upper) dp_median(x, 1, 1e-6, lower, upper, method = "smooth", rng = "R"))
  same_release(t, function(x, lower, upper) dp_mean(x, 1, lower = lower, upper = upper, rng = "R"))
  t <- tallied(300, 1)
  same_release(t, function(x, lower, upper) dp_quantile(x, 0.3, 1, 0, lower, upper, rng = "R"))
  same_release(t, function(x, lower, upper) {
    dp_quantile(x, c(0.3, 0.6), 1, 0, lower, upper, resolution = 1, rng = "R")
  })
  same_release(t, function(x, lower, upper) {
    dp_quantile(x, 0.3, 1, 0, lower, upper, interval = 0.9, rng = "R")
  })
  same_release(t, function(x, lower, upper) dp_ecdf(x, 1, lower, upper, band = 0.9, rng = "R"))
  same_release(t, function(x, lower, upper) dp_ecdf(x, 1, lower, upper, resolution = 1, rng = "R"))
})

test_that("a regression takes a tally of response and regressors, terms of them included", {
  set.seed(12)
  t <- tallied(150, 3)
  fit <- function(x, formula, ...) {
    set.seed(3)
    data <- if (is_tally(x)) x else as.data.frame(x)
    suppressWarnings(dp_regression(formula, data, 1, lower = -20, upper = 20, rng = "R", ...))$estimate
  }
  rows <- sorted_rows(t)
  expect_identical(fit(t, a ~ b), fit(rows, a ~ b))
  expect_identical(fit(t, log1p(a) ~ I(b > 3), tau = 0.25), fit(rows, log1p(a) ~ I(b > 3), tau = 0.25))
  expect_identical(fit(t, a ~ b - 1), fit(rows, a ~ b - 1))
  expect_identical(fit(t, a ~ b + c), fit(rows, a ~ b + c))
  with_bindings(list(random_order = function(n, source) seq_len(n)), {
    expect_identical(fit(t, a ~ b, method = "batches"), fit(rows, a ~ b, method = "batches"))
  })
  expect_error(fit(t, a ~ z), "no column", class = "dpdepth_error_input")
})

# TRUE if a tally and its rows give other bits from the same numbers: responses that tie, half of the rows the
# same, and lines on which all rows but some lie.
tally_fits_differ <- function() {
  set.seed(16)
  of <- function(...) {
    rows <- cbind(...)
    d <- ncol(rows)
    new_tally(rows, rep(1, nrow(rows)), rep(-50, d), rep(50, d), rep(1, d))
  }
  a <- sample(0:6, 90, TRUE)
  b <- sample(0:1, 90, TRUE)
  sets <- list(of(y = sample(0:3, 90, TRUE), a, b),
               of(y = ifelse(1:90 > 45, 2, a), a = ifelse(1:90 > 45, 3, a), b),
               of(y = 1 + 2 * a - 3 * b + c(rep(0, 80), 1:10), a, b))
  line <- list(lower = -9, upper = 9)
  ways <- list(c(line, list(y ~ a)), c(line, list(y ~ a, tau = c(0.25, 0.5))),
               list(y ~ a, prior = prior_dyadic(2^-8)), list(y ~ a, at = c(0, 6), lower = -20, upper = 20),
               c(line, list(y ~ a, resolution = 1)),
               c(line, list(y ~ a + b, tau = 0.75)), list(y ~ a + b, prior = prior_normal(0, 5)),
               list(y ~ a + b, at = data.frame(a = c(0, 6, 0), b = c(0, 0, 1)), lower = -20, upper = 20),
               c(line, list(y ~ a + b, neighbours = "add_remove")),
               list(y ~ a, lower = -9, upper = 9, interval = 0.9, tau = 0.5))
  made <- function(data, way) {
    set.seed(3)
    out <- suppressWarnings(do.call(dp_regression, c(way, list(data = data, epsilon = 4, rng = "R"))))
    unlist(out[c("estimate", "interval")])
  }
  with_bindings(list(random_order = function(n, source) seq_len(n)), {
    for (t in sets) for (way in ways) {
      if (!identical(made(t, way), made(as.data.frame(sorted_rows(t)), way))) return(TRUE)
    }
  })
  FALSE
}

test_that("regressions of a tally have the bits of its rows: ties, points, quantiles, intervals", {
  skip_on_cran()
  expect_false(tally_fits_differ())
  expect_true(caught(bug(tally_fits_differ, "entry_counts.dp_tally", "x$count", "pmin(x$count, 2)")))
})

test_that("limits that a call leaves out are the tally's, and others may be given", {
  set.seed(13)
  t <- tallied(200, 2)
  limits <- dp_median(t, 1, rng = "R")$details$prior
  expect_identical(limits$lower, t$lower)
  expect_identical(limits$upper, t$upper)
  expect_identical(dp_median(t, 1, upper = 90, rng = "R")$details$prior$upper, c(a = 90, b = 90))
  one <- t[, "b"]
  expect_identical(dim(one), c(200L, 1L))
  expect_identical(one$step, c(b = 1))
  expect_identical(unname(dp_quantile(one, 0.5, 1, rng = "R")$details$prior$upper), 50)
  expect_error(t[1, ], class = "dpdepth_error_input")
  expect_error(dp_median(t, 1, id = ~a), "dp_tally", class = "dpdepth_error_input")
})

test_that("steps that were declared to a tally are those of its releases, if a call leaves them out", {
  set.seed(14)
  rows <- data.frame(a = 10 * sample(0:9, 60, TRUE), b = sample(0:9, 60, TRUE))
  t <- dp_tally(rows, lower = 0, upper = 100, resolution = c(a = 10, b = 1))
  steps <- c(a = 10, b = 1)
  told <- function(release) release$details$resolution
  quiet <- function(release) suppressWarnings(release, classes = "dpdepth_warning")
  expect_identical(told(quiet(dp_median(t, 1))), steps)
  expect_identical(told(quiet(dp_median(t, 1, neighbours = "add_remove"))), steps)
  expect_identical(told(quiet(dp_median(t, 1, resolution = 5))), c(a = 5, b = 5))
  expect_identical(told(quiet(dp_median_exponential(t, 1, depth = "idd"))), steps)
  expect_identical(told(quiet(dp_median(t, 9, interval = 0.9))), steps)
  expect_identical(told(quiet(dp_median(t, 9, interval = 0.9, method = "exponential"))), steps)
  expect_identical(told(quiet(dp_quantile(t["a"], 0.5, 1))), steps["a"])
  expect_identical(told(quiet(dp_ecdf(t[, "b"], 1))), steps["b"])
  expect_identical(told(quiet(dp_depth(cbind(a = 50, b = 5), t, 1))), steps)
  # where a lattice cannot have them, they are left out
  expect_null(told(quiet(rival_median(t, 1, steps = 1000, chains = 1))))
  oblique <- prior_normal(c(0, 0), covariance = matrix(c(2, 1, 1, 2), 2))
  expect_null(told(quiet(dp_median_exponential(t, 1, prior = oblique))))
  expect_identical(quiet(dp_median(t, 1, prior = prior_dyadic(unit = c(4, 4))))$details$prior$unit, c(10, 4))
  expect_null(told(quiet(dp_median(dp_tally(rows, lower = 0, upper = 100), 1))))
})

test_that("releases of a tally of persons say so", {
  set.seed(15)
  rows <- data.frame(who = rep(1:30, 2), a = sample(0:9, 60, TRUE), b = sample(0:9, 60, TRUE))
  t <- dp_tally(rows, lower = 0, upper = 9, resolution = 1, id = ~who)
  expect_match(format(t)[[1]], "30 rows, one of each id,")
  told <- function(release) suppressWarnings(release, classes = "dpdepth_warning")$details$id
  for (told in list(told(dp_median(t, 1)), told(dp_median(t, 1, neighbours = "add_remove")),
                    told(dp_median_exponential(t, 1)), told(dp_quantile(t[, "a"], 0.5, 1)),
                    told(dp_ecdf(c(t, t)[, "a"], 1)), told(dp_depth(cbind(1, 1), t, 1)),
                    told(dp_regression(a ~ b, t, 1, lower = -9, upper = 9)),
                    told(dp_mean(t, 1)), told(dp_median(t, 9, interval = 0.9)),
                    told(dp_histogram(t["a"], 1, breaks = 0:9)), told(dp_test(t["a"], 1, mu = 3)),
                    told(dp_region(t, epsilon = 1)),
                    told(dp_mestimate(t, 1, scale = 3)), told(dp_interior_point(t["a"], 20, 0.1)),
                    told(dp_mestimate(a ~ b, 1, 1e-3, scale = 3, data = t, lower = 0, upper = 9, x_lower = 0,
                                      x_upper = 9)),
                    told(dp_median_smooth(t["a"], 1, 1e-3, 0, 9)), told(dp_median_restricted(t["a"], 9, 0.1)),
                    told(dp_median_projection(t, 9, 0.1, try_anyway = TRUE)),
                    told(rival_median(t["a"], 9, 0.1, "random_dp", gamma = 0.9)),
                    told(rival_mean(t["a"], 9, 1e-3, 5, 9)),
                    told(rival_regression(a ~ b, t, 9, 1e-3, "gradient", x_lower = 0, x_upper = 9, lower = 0,
                                             upper = 9)))) {
    expect_identical(told, persons_text)
  }
  expect_identical(dp_test(t["a"], 1, 0:9)$details$id, paste("in `x`:", persons_text))
  # (test-dp-test-rank.R: a person in both samples has a row in each)
  expect_error(dp_test(t["a"], 1, t["b"], paired = TRUE), "no order of rows", class = "dpdepth_error_input")
  expect_null(dp_quantile(dp_tally(rows["a"], lower = 0, upper = 9), 0.5, 9)$details$id)
})

test_that("columns of a tally are chosen as of a data frame", {
  t <- tallied(20, 3)
  expect_identical(t["b"], t[, "b"])
  expect_identical(t[c(TRUE, FALSE, TRUE)], t[, c("a", "c")])
  expect_identical(t[, -1], t[c("b", "c")])
  for (j in list("z", 4, list("a"))) expect_error(t[j], "names or numbers", class = "dpdepth_error_input")
})

test_that("what takes rows only is refused by public sizes before anything is spent", {
  ledger <- dp_ledger(10)
  many <- new_tally(cbind(a = 0:3, b = 3:0), c(4e8, 3, 3, 3), c(0, 0), c(50, 50), c(1, 1))
  expect_error(dp_median(many, 1, 1e-6, method = "smooth", ledger = ledger), "20,000,000")
  expect_error(dp_test(many[, "a"], 1, ledger = ledger), "20,000,000")
  # before any vector of that length
  expect_error(dp_regression(a ~ b, many, 1, 1e-6, method = "batches", ledger = ledger), "20,000,000")
  one <- many[, "a"]
  expect_error(dp_quantile(one, c(0.2, 0.4), 1, ledger = ledger), "100,000,000")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  release <- dp_median_exponential(many, 1, directions = "axes", resolution = 1, ledger = ledger)
  expect_identical(unname(release$estimate), c(0, 3))
  expect_identical(unname(dp_quantile(one, 0.5, 1, resolution = 1)$estimate), 0)
  expect_lt(length(serialize(release, NULL)), 20000)
})

test_that("where n is private no refusal tells it, and no number of rows is too many to count", {
  many <- new_tally(cbind(a = 0:3, b = 3:0), c(4e8, 3, 3, 3), c(0, 0), c(50, 50), c(1, 1))
  one <- many[, "a"]
  refused <- function(...) {
    said <- tryCatch(..., dpdepth_error_input = conditionMessage)
    expect_match(said, "not a larger one|not data with more")
    expect_false(grepl("400,?000,?0|800,?000,?0", said))
  }
  some <- new_tally(cbind(a = 0:3, b = 3:0), c(94, 3, 3, 3), c(0, 0), c(50, 50), c(1, 1))
  ask <- quote(quietly(dp_median_exponential(some, 1, depth = "spatial", neighbours = "add_remove")))
  rows <- function() with_bindings(list(expanded_most = 50), eval(ask))
  refused(rows())
  leaks <- function() grepl("20[0-9]", tryCatch(rows(), dpdepth_error_input = conditionMessage))
  expect_false(leaks())
  expect_true(caught(bug(leaks, "tally_size_text", "isTRUE(t$private)", "FALSE")))
  expect_true(caught(bug(leaks, "and_row.dp_tally", "with_private_size(x)", "x")))
  ledger <- dp_ledger(10)
  refused(dp_regression(a ~ b, many, 1, lower = -9, upper = 9, tau = 0.1, neighbours = "add_remove",
                        ledger = ledger))
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  expect_equal(unname(dp_mean(many, 1, lower = 0, upper = 50, neighbours = "add_remove")$estimate), c(0, 3),
               tolerance = 1e-5)
  expect_equal(unname(dp_mean(one, 1, lower = 0, upper = 50)$estimate), 18 / 400000009, tolerance = 1e-6)
})

test_that("a tally without rows is refused before anything is spent, but where n is private", {
  none <- new_tally(cbind(a = 1, b = 1), 0, c(0, 0), c(9, 9), c(1, 1))
  one <- none[, "a"]
  ledger <- dp_ledger(20)
  refused <- function(...) expect_error(..., "at least [12] row", class = "dpdepth_error_input")
  refused(dp_median(none, 1, ledger = ledger))
  refused(dp_mean(one, 1, lower = 0, upper = 9, ledger = ledger))
  refused(dp_quantile(one, 0.5, 1, ledger = ledger))
  refused(dp_ecdf(one, 1, ledger = ledger))
  refused(dp_depth(3, one, 1, ledger = ledger))
  refused(dp_regression(a ~ b, none, 1, ledger = ledger))
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  expect_true(is.finite(coef(dp_median(one, 1, neighbours = "add_remove"))))
  expect_true(is.finite(coef(dp_mean(one, 1, lower = 0, upper = 9, neighbours = "add_remove"))))
  private <- dp_regression(a ~ b, none, 1, lower = 0, upper = 9, neighbours = "add_remove")
  expect_true(all(is.finite(coef(private))))
})

test_that("tests of two samples and of a trend are those of the rows", {
  set.seed(21)
  x <- sample(0:50, 80, TRUE)
  y <- sample(10:60, 71, TRUE)
  count <- function(x) dp_tally(x, lower = 0, upper = 100, resolution = 1)
  p_value <- function(...) {
    set.seed(22)
    dp_test(..., epsilon = 1, rng = "R")$p.value
  }
  for (kind in list(list(test = "quadrant"), list(test = "quadrant", mu = 3, alternative = "less"),
                    list(test = "sign"))) {
    both <- do.call(p_value, c(list(x, y = y), kind))
    expect_identical(do.call(p_value, c(list(count(x), y = count(y)), kind)), both)
    expect_identical(do.call(p_value, c(list(x, y = count(y)), kind)), both)
  }
  rows <- data.frame(a = x[1:71], b = y)
  t <- count(rows)
  expect_identical(p_value(b ~ a, data = t, test = "sign"),
                   p_value(b ~ a, data = rows, test = "sign"))
  expect_identical(dp_test(b ~ a, 1, data = replace(t, "persons", TRUE))$details$id, persons_text)
  ledger <- dp_ledger(1)
  expect_error(dp_test(b ~ c, 1, data = t, ledger = ledger), "`c`", class = "dpdepth_error_input")
  expect_error(dp_test(b ~ a, 1, data = replace(t, "margins", TRUE), ledger = ledger), "by itself",
               class = "dpdepth_error_input")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("draws from a database's tally follow the law enumerated", {
  skip_on_cran()
  con <- local_sqlite()
  rows <- cbind(a = c(0, 0, 1, 1, 3, 4, 4, 2, 2, 2), b = c(1, 1, 0, 4, 3, 3, 0, 2, 2, 4))
  DBI::dbWriteTable(con, "t", as.data.frame(rows))
  lattice <- as.matrix(expand.grid(a = 0:4, b = 0:4))
  h <- round(nrow(rows) * depth_halfspace(lattice, rows))
  square <- prior_uniform(c(0, 0), c(4, 4))
  plan <- exponential_plan(nrow(rows), 2, 1.5, square, NULL, c(1, 1), "auto", c("a", "b"))
  set.seed(23)
  drawn <- .Call(ffi_median_exp, "R", dp_tally(con, NULL, 0, 4, 1, table = "t"),
                 prior_fields(square, plan$resolution), 1.5, plan$exact, plan$directions, 4000L)$draws
  counts <- tabulate(1 + drawn[, 1] + 5 * drawn[, 2], 25)
  law <- function(h) exp(0.75 * h) / sum(exp(0.75 * h))
  expect_law(counts, law(h))
  # each point once
  atoms <- unique(rows)
  expect_not_law(counts, law(round(nrow(atoms) * depth_halfspace(lattice, atoms))))
})

test_that("a tally that was changed is refused before anything is spent", {
  t <- new_tally(cbind(a = c(1, 2, 3), b = c(1, 1, 2)), c(2, 3, 1), c(0, 0), c(5, 5), c(1, 1))
  ledger <- dp_ledger(100)
  doors <- list(
    function(x) dp_median(x, 1, lower = 0, upper = 5, ledger = ledger),
    function(x) dp_median(x, 1, lower = 0, upper = 5, neighbours = "add_remove", ledger = ledger),
    function(x) dp_mean(x, 1, lower = 0, upper = 5, ledger = ledger),
    function(x) rival_mean(x, 1, 1e-6, center = 0, radius = 9, ledger = ledger),
    function(x) dp_depth(c(1, 1), x, 1, lower = 0, upper = 5, ledger = ledger),
    function(x) dp_regression(a ~ b, x, 1, lower = -5, upper = 5, ledger = ledger),
    function(x) dp_regression(a ~ b, x, 1, lower = -5, upper = 5, neighbours = "add_remove", ledger = ledger),
    function(x) c(t, x)
  )
  # also counts whose sum is n
  changed <- list(list("count", c(1.5, 3.5, 1)), list("count", c(-1, 6, 1)), list("count", c(NA, 3, 1)),
                  list("count", c(2^31, 3, 1)), list("count", c(2, 3)), list("n", 2), list("n", NA_real_),
                  list("points", t$points[1:2, ]), list("points", "a"), list("points", t$points * NaN),
                  list("lower", NULL), list("margins", NULL), list("margins", NA))
  for (change in changed) {
    bad <- t
    bad[change[[1]]] <- change[2]
    for (door in doors) expect_error(door(bad), "as dp_tally", class = "dpdepth_error_input")
  }
  passes <- function() is_tally(try(check_tally(replace(t, "count", list(c(1.5, 3.5, 1)))), silent = TRUE))
  expect_false(passes())
  expect_true(caught(bug(passes, "check_tally", " & parts$count == round(parts$count)", "")))
  nothing <- structure(list(), class = "dp_tally")
  expect_error(dp_quantile(nothing, 0.5, 1, lower = 0, upper = 1), "as dp_tally")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

test_that("zeros of either sign are one point, without a sign", {
  atoms <- merge_atoms(matrix(-0), 2)
  expect_identical(1 / atoms$points[[1]], Inf)
})

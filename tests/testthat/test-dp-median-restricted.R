# The restricted median: all neighbours of small data, laws of draws and of releases, the door.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

# -- the law ---------------------------------------------------------------------------------

axes_faults <- c("V_t for V_{t-1}", "W not nested", "one row short")

test_that("all neighbours of up to 8 rows: the excess is within the bound, and bounds are nested", {
  skip_on_cran()
  seen <- stats::setNames(rep(FALSE, 4), c(axes_faults, "base level without weight"))
  for (case in restricted_axes_cases) for (e in c(0.5, 2)) {
    worst <- worst_of_neighbours(case, e, code_axes_bound, code_restricted_law)
    expect_lte(worst[["excess"]], 1e-12)
    expect_lte(worst[["nested"]], 1e-12)
    expect_lte(worst[["ratio"]], 1e-12)
    if (e == 0.5) next
    for (fault in axes_faults) {
      bound <- function(x, t, e) vapply(0:(t - 2), function(k) slow_axes_bound(x, t, k, e, fault), 0)
      seen[[fault]] <- seen[[fault]] || any(worst_of_neighbours(case, e, bound, slow_restricted_law) > 1e-9)
    }
    published <- function(points, x, t, e) slow_restricted_law(points, x, t, e, base = 1 - exp(-e / 2))
    fault <- worst_of_neighbours(case, e, code_axes_bound, published)
    seen[[4]] <- seen[[4]] || fault[["ratio"]] > 1e-9
  }
  expect_true(all(seen), label = toString(names(seen)[!seen]))
  # the bound is not idle: it is attained but for a third
  one <- cbind(c(0, 0, 1, 1))
  points <- matrix(seq(0, 30) + 0)
  moved <- max(vapply(seq(0, 30), function(v) {
    other <- slow_restricted_law(points, cbind(c(0, 0, 1, v)), 2, 1)
    hockey_stick(slow_restricted_law(points, one, 2, 1), other, 1)
  }, 0))
  expect_lte(moved, code_axes_bound(one, 2, 1))
})

test_that("draws follow the law, and the published weights and a rate 12% off do not", {
  ties <- cbind(c(0, 1, 1, 3, 4, 4, 7), c(2, 2, 2, 2, 5, 6, 9))
  for (x in list(ties, cbind(rep(c(2, 5), c(6, 3)), rep(4, 9)))) {
    points <- grid_points(0, 9, 2)
    for (t in 2:3) {
      z <- draw_from_level(sort_columns(x), t, 1.5, "system", 120000L)
      counts <- tabulate(match(as.vector(z %*% c(1, 100)), as.vector(points %*% c(1, 100))), nrow(points))
      expect_identical(sum(counts), 120000L)
      expect_law(counts, slow_restricted_law(points, x, t, 1.5))
      if (x[[1]] == 0 && t == 2) {
        expect_not_law(counts, slow_restricted_law(points, x, t, 1.5, base = 1 - exp(-0.75)))
        expect_not_law(counts, slow_restricted_law(points, x, t, 1.5 * 1.12))
      }
    }
  }
})

test_that("the whole release is private on neighbours, and a test that is passed too easily is caught", {
  # pairs with a margin of nearly 0, where a missing test shows at once
  x <- cbind(c(0, 0, 0, 0, 1, 1, 1, 30))
  y <- cbind(c(0, 0, 0, 0, 1, 1, 30, 30))
  points <- matrix(seq(0, 30) + 0)
  release <- function(x, test = 1, draw = 1, delta = 0.01, cheat = 0) {
    margin <- restricted_axes_margin(x, 2L, draw, delta, 100) + cheat
    pass <- test_chance(margin, test, delta)
    c(pass * slow_restricted_law(points, x, 2, draw), 1 - pass)
  }
  for (pair in list(list(x, y), list(y, x))) {
    expect_lte(hockey_stick(release(pair[[1]]), release(pair[[2]]), 2), 0.01)
  }
  worst <- max(hockey_stick(release(x, cheat = 50), release(y, cheat = 50), 2),
               hockey_stick(release(y, cheat = 50), release(x, cheat = 50), 2))
  expect_gt(worst, 0.01)
})

# -- the release -----------------------------------------------------------------------------

test_that("two variables, delta 1e-6: passes at n = 500, epsilon = 1 and at n = 300, epsilon = 2", {
  skip_on_cran()
  set.seed(10)
  for (case in audit_size(list(c(300, 2)), list(c(500, 1), c(300, 2)))) {
    releases <- replicate(40, dp_median_restricted(matrix(rnorm(2 * case[[1]]), ncol = 2), case[[2]], 1e-6),
                          simplify = FALSE)
    expect_gte(mean(vapply(releases, function(r) r$released, NA)), 0.95)
    errors <- vapply(releases, function(r) sum(coef(r)^2), 0)
    # about 0.06 and 0.07 in rms an axis; the median of 40 is below 0.1 with certainty for our purposes
    expect_lt(sqrt(stats::median(errors)), 0.2)
  }
})

test_that("names, grid, budget and equivariance of a release", {
  set.seed(11)
  x <- data.frame(a = rnorm(400, 20, 3), b = rnorm(400, -1000, 50))
  r <- dp_median_restricted(x, 2, 1e-6, resolution = c(0.001, 2^-4))
  expect_s3_class(r, "dp_release")
  expect_identical(r$guarantee, "approximate")
  expect_identical(c(r$epsilon, r$delta), c(2, 1e-6))
  expect_identical(r$details$epsilon_test + r$details$epsilon_draw, 2)
  expect_identical(r$details$resolution, c(a = 2^-10, b = 2^-4))
  steps <- coef(r) / c(2^-10, 2^-4)
  expect_identical(steps, round(steps))
  expect_named(coef(r), c("a", "b"))
  expect_lt(abs(coef(r)[["a"]] - 20), 3)
  # powers of two change units only
  run <- function(scale) {
    set.seed(1)
    coef(dp_median_restricted(x * scale, 2, 1e-6, resolution = 2^-8 * scale, rng = "R")) / scale
  }
  expect_identical(run(1), run(2^40))
})

test_that("a failed test is a release that has spent its budget", {
  ledger <- dp_ledger(2.5, 1e-5)
  x <- faithful[1:30, ]
  r <- suppressWarnings(dp_median_restricted(x, 0.5, 1e-6, ledger = ledger))
  expect_false(r$released)
  expect_identical(coef(r), c(eruptions = NA_real_, waiting = NA_real_))
  expect_equal(summary(ledger)$left, c(2, 9e-6))
  x <- faithful
  good <- dp_median_restricted(x, 2, 1e-6, ledger = ledger)
  expect_true(good$released)
  expect_identical(names(r), names(good))
  expect_identical(setdiff(names(r$details), "caution"), names(good$details))
  expect_match(format(r), "NOT RELEASED", all = FALSE)
})

# The chance that rows pass, exactly: by their margin and the distribution of the test's noise.
passing <- function(x, plan, epsilon, delta = 1e-6) {
  margin <- restricted_axes_margin(sort_columns(lattice_axes(x, rep_len(2^-16, ncol(x)))), plan$level,
                                   epsilon * (1 - plan$share), delta, 1e4)
  test_chance(margin, epsilon * plan$share, delta)
}

test_that("the default level passes for normal rows and for two clusters, at six settings", {
  set.seed(12)
  settings <- list(c(272, 2, 2), c(300, 1, 1), c(300, 2, 1), c(500, 10, 1), c(1000, 2, 1), c(200, 2, 4))
  for (s in settings) {
    plan <- restricted_axes_plan(s[[1]], s[[2]], s[[3]], 1e-6)
    expect_gt(plan$pass, 0.99)
    # means of 20 samples; clusters: two of these may fail
    normal <- replicate(20, passing(matrix(rnorm(s[[1]] * s[[2]]), s[[1]]), plan, s[[3]]))
    clusters <- replicate(20, {
      side <- rep_len(ifelse(runif(s[[1]]) < 0.36, -3, 3), s[[1]] * s[[2]])
      passing(matrix(rnorm(length(side), side), s[[1]]), plan, s[[3]])
    })
    expect_gt(mean(normal), 0.99)
    expect_gt(mean(clusters), 0.9)
  }
})

test_that("two clusters of eruptions pass by the default level, and not by that of the largest margin", {
  x <- as.matrix(faithful)
  for (epsilon in c(1.5, 2, 3, 4)) {
    expect_gt(passing(x, restricted_axes_plan(272, 2, epsilon, 1e-6), epsilon), 0.999)
  }
  # as it was: 0.6 and 0.0003
  largest <- edited("restricted_axes_plan", "which(serves)[[1]]", "which.max(margins)")
  expect_lt(passing(x, largest(272, 2, 2, 1e-6), 2), 0.7)
  expect_lt(passing(x, largest(272, 2, 4, 1e-6), 4), 0.01)
})

test_that("ties, constant columns and huge values", {
  expect_identical(unname(coef(dp_median_restricted(rep(3, 400), 2, 1e-6))), 3)
  tied <- dp_median_restricted(cbind(rep(1:4, 100), 5), 2, 1e-6)
  expect_true(tied$released)
  expect_identical(coef(tied)[["x2"]], 5)
  expect_identical(unname(coef(dp_median_restricted(rep(1e300, 400), 2, 1e-6))), 2^50 * 2^-16)
  expect_true(dp_median_restricted(c(rep(-1e300, 20), rnorm(300)), 2, 1e-6)$released)
})

test_that("prints and messages", {
  skip_on_cran()
  expect_snapshot({
    set.seed(14)
    dp_median_restricted(faithful, 2, 1e-6, level = 0.25, rng = "R")
    dp_median_restricted(faithful[1:20, ], 1, 1e-6, level = 0.2, share = 0.4, rng = "R")
  })
  expect_snapshot(error = TRUE, dp_median_restricted(1:9, 1, 1e-6, level = 1))
  expect_snapshot(error = TRUE, dp_median_restricted(1:9, 1, 1e-6, resolution = 0))
  expect_snapshot(error = TRUE, dp_median(faithful[1:40, ], 0.5, 1e-6))
  expect_snapshot(error = TRUE, dp_median(faithful, 2, 1e-6, method = "restricted", upper = 100))
})

test_that("a warning where the test will fail; auto", {
  x <- matrix(sin(seq_len(900)), 300)
  ledger <- dp_ledger(9, 1e-3)
  expect_warning(r <- dp_median_restricted(x[1:60, ], 1, 1e-6, ledger = ledger),
                 class = "dpdepth_warning_accuracy")
  expect_false(r$released)
  expect_true(all(is.na(coef(r))))
  expect_identical(as.data.frame(ledger)$epsilon, 1)
  # between what the dyadic prior and the axes need
  expect_identical(choose_median(700, 20, 1, 1e-6, list()), "restricted")
  r <- dp_median(matrix(sin(seq_len(14000)), 700), 1, 1e-6)
  expect_match(r$details$depth, "axes")
  expect_match(r$mechanism, "restricted")
})

test_that("the front door takes it without limits, by public facts only", {
  skip_on_cran()
  r <- dp_median(faithful, 2, 1e-6)
  expect_identical(r$guarantee, "pure")
  expect_match(r$details$why, "no public limits")
  expect_match(dp_median(faithful, 2, 1e-6, lower = 0, upper = c(10, 180))$mechanism, "^exponential")
  expect_match(dp_median(faithful, 3, 1e-6, method = "restricted")$details$why, "asked")
  expect_error(dp_median(faithful, 2, 1e-6, method = "restricted", lower = 0), class = "dpdepth_error_input")
  expect_error(dp_median(faithful, 2, 0, method = "restricted"), class = "dpdepth_error_input")
  expect_error(dp_median(faithful[1:40, ], 0.5, 1e-6), "about", class = "dpdepth_error_input")
  # what the error proposes would do, and it is never fewer rows than there are
  for (case in list(c(40, 2, 0.5), c(100, 3, 1), c(300, 4, 0.3), c(150, 1, 0.1))) {
    said <- tryCatch(choose_median(case[[1]], case[[2]], case[[3]], 1e-6, list()),
                     error = conditionMessage)
    n <- as.integer(sub(".*about ([0-9]+) rows.*", "\\1", said))
    expect_gt(n, case[[1]])
    expect_type(choose_median(n, case[[2]], case[[3]], 1e-6, list()), "character")
  }
  # very many variables
  expect_identical(choose_median(20000, 100, 1, 1e-6, list()), "exponential")
})

test_that("bad arguments spend nothing", {
  ledger <- dp_ledger(1, 0.1)
  bad <- function(...) {
    expect_error(dp_median_restricted(..., ledger = ledger), class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  bad(1:9, 1, 0)
  bad(1:9, 1, 1)
  bad(1:9, 1, 1e-101)
  bad(1:9, 1e-5, 1e-6)
  bad(1:9, 1, 1e-6, level = 1)
  bad(1:9, 1, 1e-6, level = 2.5)
  bad(1:9, 1, 1e-6, level = 10)
  bad(1:9, 1, 1e-6, level = "a")
  bad(1:9, 1, 1e-6, level = NA_real_)
  bad(1:9, 1, 1e-6, share = 0)
  bad(1:9, 1, 1e-6, share = 1)
  bad(1:9, 1, 1e-6, resolution = 1e-100)
  bad(1:9, 1, 1e-6, resolution = 0)
  bad(1:9, 1, 1e-6, resolution = -1)
  bad(1:9, 1, 1e-6, resolution = c(1, 2))
  bad(1:9, 1, 1e-6, rng = "none")
  bad(c(1, NA, 2, 3), 1, 1e-6)
  bad(1:3, 1, 1e-6)
  bad("a", 1, 1e-6)
  bad(iris, 1, 1e-6)
  bad(1:9, 1, 1e-6, level = 6)
  bad(1:9, 1, 1e-6, outliers = 0.5)
  bad(1:9, 1, 1e-6, outliers = -1)
  bad(1:9, 1, 1e-6, directions = "axes")
})

test_that("nothing of the data is in a release, whether the test passes or fails", {
  skip_on_cran()
  set.seed(12)
  x <- matrix(runif(600, 1, 2), 300)
  failed <- suppressWarnings(dp_median_restricted(x[1:20, ], 0.1, 1e-6))
  for (r in list(dp_median_restricted(x, 3, 1e-6), failed)) {
    raw <- serialize(r, NULL, xdr = FALSE)
    text <- paste(capture.output(print(r), str(r), dput(r), print(summary(r))), collapse = "\n")
    hex <- paste(as.character(raw), collapse = "")
    for (v in x[1:40, ]) {
      bytes <- paste(as.character(writeBin(v, raw(), endian = "little")), collapse = "")
      expect_false(grepl(bytes, hex, fixed = TRUE))
      expect_false(grepl(format(v, digits = 15), text, fixed = TRUE))
    }
  }
  small <- dp_median_restricted(x, 3, 1e-6)
  x <- rbind(x, x)
  expect_identical(length(serialize(dp_median_restricted(x, 3, 1e-6), NULL)), length(serialize(small, NULL)))
})

test_that("R's stream steers a simulation only, and a broken source releases nothing", {
  run <- function(rng) coef(dp_median_restricted(1:900 / 64, 1, 1e-6, rng = rng))
  set.seed(1)
  one <- run("R")
  two <- run("R")
  expect_false(identical(one, two))
  set.seed(1)
  expect_identical(c(run("R"), run("R")), c(one, two))
  set.seed(1)
  before <- .Random.seed
  expect_false(identical(run("system"), one))
  expect_identical(.Random.seed, before)
  draws <- function(source) draw_from_level(matrix(1:40 + 0, 20), 2, 1, source, 9L)
  expect_error(draws("broken"), class = "dpdepth_error_entropy")
  # a tape that runs out: memory is given back and the error is classed
  expect_error(draws(c(1, 2, 3, 4)), class = "dpdepth_error_entropy")
})

# dp_median_restricted(directions = "axes"): all neighbours of small data, laws, margins, the door.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

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

test_that("the front doors: a warning where the test will fail, auto, and what is refused", {
  x <- matrix(sin(seq_len(900)), 300)
  ledger <- dp_ledger(9, 1e-3)
  expect_warning(r <- dp_median_restricted(x[1:60, ], 1, 1e-6, directions = "axes", ledger = ledger),
                 class = "dpdepth_warning_accuracy")
  expect_false(r$released)
  expect_true(all(is.na(coef(r))))
  expect_identical(as.data.frame(ledger)$epsilon, 1)
  # between what the dyadic prior and the axes need
  expect_identical(choose_median(matrix(0, 700, 20), 1, 1e-6, list()), "restricted")
  r <- dp_median(matrix(sin(seq_len(14000)), 700), 1, 1e-6)
  expect_match(r$details$depth, "axes")
  expect_match(r$mechanism, "restricted")
  bad <- function(...) expect_error(dp_median_restricted(x, 1, 1e-6, ...), class = "dpdepth_error_input")
  bad(directions = "axes", level = 200)
  bad(directions = "axes", level = 1e-3, share = 2)
  bad(directions = "axes", outliers = 0.5)
  bad(directions = "axes", outliers = -1)
  bad(outliers = 0.1)
  bad(directions = "axis")
})

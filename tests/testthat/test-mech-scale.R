# Scales: what is handed to the two draws and what they cost, limits, planted bugs.

# What is handed to draw_quantiles() and draw_intervals(), which draw 5 and 3, or fixed limits.
scale_handed <- function(x, ...) {
  asked <- list()
  one <- function(x, probs, prior, each, levels, source, draws = 1L, resolution = NULL, ...) {
    rest <- list(probs, prior, resolution)
    asked[[length(asked) + 1]] <<- list(x = as.vector(x), rest = rest, cost = sum(each))
    matrix(if (length(probs) == 1) if (length(asked) == 1) 5 else 3 else c(2, 9), 1)
  }
  ends <- function(x, plans, prior, source, resolution = NULL) {
    cost <- sum(vapply(plans, `[[`, 0, "epsilon"))
    asked[[length(asked) + 1]] <<- list(x = as.vector(x), rest = list(plans, prior, resolution), cost = cost)
    k <- length(plans)
    list(estimate = c(5, 9)[seq_len(k)],
         interval = cbind(lower = c(4, 7)[seq_len(k)], upper = c(8, 12)[seq_len(k)]))
  }
  # a scan costs that of its threshold and twice that of a point
  limit <- function(windows, up, plan, source) {
    cost <- sum(plan$shares * c(1, 1, 2, 0)) / 1000 * plan$epsilon
    asked[[length(asked) + 1]] <<- list(x = windows, rest = list(up, plan), cost = cost)
    if (up) 10 else 20
  }
  release <- with_bindings(list(draw_quantiles = one, draw_intervals = ends, draw_window_limit = limit),
                           suppressWarnings(dp_scale(x, 1, 0, 20, ..., rng = "R")))
  list(asked = asked, release = release)
}

# About 4 to 8 in limits 20 wide.
handed_windows <- function(v) {
  at <- radii(2, 20, windows_plan(200, 1 - 0.9 * 0.1, 0.65)$fineness, FALSE)
  count_windows(matrix(v), centres_between(c(4, 8), FALSE)$at, at)
}

scales_are_handed_wrong <- function() {
  x <- rep(c(0.25, 4, 4, 7.5, 9, 11, 2, 2, 5, 6), 20)
  far <- replace(x, 4, 1e308)
  calls <- list(list(), list(statistic = "iqr"), list(interval = 0.9),
                list(statistic = "iqr", interval = 0.9), list(resolution = 1))
  wrong <- vapply(calls, function(call) {
    one <- do.call(scale_handed, c(list(x), call))
    other <- do.call(scale_handed, c(list(far), call))
    rows <- lapply(list(x, far), function(v) {
      if (!is.null(call$statistic)) return(list(v))
      if (is.null(call$interval)) return(list(v, abs(v - 5)))
      held <- handed_windows(v)
      list(v, held, held)
    })
    same <- function(a, b) identical(lapply(a$asked, `[[`, "rest"), lapply(b$asked, `[[`, "rest"))
    cost <- sum(vapply(one$asked, `[[`, 0, "cost"))
    !identical(lapply(one$asked, `[[`, "x"), rows[[1]]) ||
      !identical(lapply(other$asked, `[[`, "x"), rows[[2]]) ||
      !same(one, other) || cost > 1 || cost < 0.999 ||
      !identical(one$release[c("estimate", "interval")], other$release[c("estimate", "interval")])
  }, NA)
  any(wrong)
}

test_that("draws get the rows and their distances, cost what is paid, and no more is shown", {
  expect_false(scales_are_handed_wrong())
  planted <- function(...) caught(bug(scales_are_handed_wrong, ...))
  expect_true(planted("mad_plan", "share[[\"deviations\"]]", "epsilon"))
  expect_true(planted("mad_interval_plan", "share[[\"epsilon\"]] * epsilon", "epsilon"))
  expect_true(planted("mad_interval_plan", "left[[\"epsilon\"]] * epsilon", "epsilon"))
  expect_true(planted("deviations_from", "values - m", "values - stats::median(values)"))
  expect_true(planted("draw_mad_interval", "centres_between(ends, whole)",
                      "centres_between(range(x[x < 100]), whole)"))
  expect_true(planted("draw_mad_interval", "width <- unname", "width <- max(x) + 0 * unname"))
  expect_true(planted("draw_scale", "plan$constant * drawn$estimate", "plan$constant * max(rows)"))
  expect_true(planted("scale_plan", "c(0.25, 0.75), given$epsilon", "c(0.25, 0.75), 2 * given$epsilon"))
})

test_that("limits are those of two intervals, or radii a part of the median's interval wider", {
  x <- rep(1:10, 20)
  mad <- scale_handed(x, interval = 0.9, constant = 1)$release
  # 4 to 8 in 64 parts; radii of places 10 and 20
  at <- radii(2, 20, windows_plan(200, 1 - 0.9 * 0.1, 0.65)$fineness, FALSE)
  expect_equal(as.vector(mad$interval), c(at[[11]] - 1 / 32, at[[22]] + 1 / 32))
  expect_identical(mad$estimate[[1]], at[[11]] / 2 + at[[22]] / 2)
  # steps of a half: radii are whole numbers of them
  at <- radii(4, 40, windows_plan(200, 1 - 0.9 * 0.1, 0.65)$fineness, TRUE)
  whole <- scale_handed(x, interval = 0.9, constant = 1, resolution = 0.5)$release
  expect_identical(as.vector(whole$interval), c(at[[11]], at[[22]] - 1) / 2)
  iqr <- scale_handed(x, statistic = "iqr", interval = 0.9)$release
  expect_identical(as.vector(iqr$interval), c(0, 8))
  expect_identical(iqr$estimate[[1]], 4)
  level <- function(...) scale_handed(x, interval = 0.9, ...)$asked[[1]]$rest[[1]][[1]]$level
  expect_equal(c(level(), level(statistic = "iqr")), c(0.99, 0.95))
})

test_that("distances stay finite, and a tally's are its rows'", {
  expect_identical(deviations_from(matrix(c(-1.7e308, 1)), 1.7e308)[[1]], .Machine$double.xmax)
  t <- new_tally(cbind(a = c(0, 1, 4)), c(3, 1, 2), 0, 4, 1)
  expect_identical(sort(as.vector(as.matrix(deviations_from(t, 2)))), c(1, 2, 2, 2, 2, 2))
})

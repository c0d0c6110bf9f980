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
  release <- with_bindings(list(draw_quantiles = one, draw_intervals = ends),
                           suppressWarnings(dp_scale(x, 1, 0, 20, ..., rng = "R")))
  list(asked = asked, release = release)
}

scales_are_handed_wrong <- function() {
  x <- rep(c(0.25, 4, 4, 7.5, 9, 11, 2, 2, 5, 6), 20)
  far <- replace(x, 4, 1e308)
  calls <- list(list(), list(statistic = "iqr"), list(interval = 0.9),
                list(statistic = "iqr", interval = 0.9), list(resolution = 1))
  wrong <- vapply(calls, function(call) {
    one <- do.call(scale_handed, c(list(x), call))
    other <- do.call(scale_handed, c(list(far), call))
    mad <- is.null(call$statistic)
    about <- if (is.null(call$interval)) 5 else 6
    rows <- lapply(list(x, far), function(v) if (mad) list(v, abs(v - about)) else list(v))
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
  expect_true(planted("mad_interval_plan", "epsilon/2", "epsilon"))
  expect_true(planted("deviations_from", "values - m", "values - stats::median(values)"))
  expect_true(planted("draw_mad_interval", "max(center$interval[[2]] - c, c - center$interval[[1]])",
                      "mean(x < 100)"))
  expect_true(planted("draw_scale", "plan$constant * drawn$estimate", "plan$constant * max(rows)"))
  expect_true(planted("scale_plan", "c(0.25, 0.75), given$epsilon", "c(0.25, 0.75), 2 * given$epsilon"))
})

test_that("limits are those of two intervals, the wider by what the median is uncertain", {
  x <- rep(1:10, 20)
  mad <- scale_handed(x, interval = 0.9, constant = 1)$release
  # 4 to 8 about 6 is 2 off; distances 4 to 8
  expect_identical(as.vector(mad$interval), c(2, 10))
  expect_identical(middle_point(c(1, 4), 0, NULL), 2.5)
  expect_identical(middle_point(c(1, 4), 0, 2), 2)
  expect_identical(middle_point(c(1, Inf), 3, 2), 3)
  expect_identical(mad$estimate[[1]], 5)
  iqr <- scale_handed(x, statistic = "iqr", interval = 0.9)$release
  expect_identical(as.vector(iqr$interval), c(0, 8))
  expect_identical(iqr$estimate[[1]], 4)
  level <- function(...) scale_handed(x, interval = 0.9, ...)$asked[[1]]$rest[[1]][[1]]$level
  expect_equal(c(level(), level(statistic = "iqr")), c(0.95, 0.95))
})

test_that("distances stay finite, and a tally's are its rows'", {
  expect_identical(deviations_from(matrix(c(-1.7e308, 1)), 1.7e308)[[1]], .Machine$double.xmax)
  t <- new_tally(cbind(a = c(0, 1, 4)), c(3, 1, 2), 0, 4, 1)
  expect_identical(sort(as.vector(as.matrix(deviations_from(t, 2)))), c(1, 2, 2, 2, 2, 2))
})

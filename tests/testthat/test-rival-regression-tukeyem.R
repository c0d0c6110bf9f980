# Private regression by batches: what a row moves, margins and laws of neighbours, failure branches, planted
# bugs.

tukeyem <- function(data, epsilon = 4, delta = 1e-6, ...) {
  rival_regression(y ~ x1, data, epsilon, delta, "tukeyem", ...)
}
with_order <- function(order, code) with_bindings(list(random_order = function(n, source) order), code)

# -- batches -----------------------------------------------------------------------------------

frame_of <- function(d) list(x = as.matrix(d["x1"]), y = d$y)

batches_are_wrong <- function(count = 40) {
  set.seed(1)
  for (i in seq_len(count)) {
    a <- skewed_rows(pick(16:40))
    b <- neighbour_rows(a)
    plan <- tukeyem_plan(nrow(a), 2, 1, 8L)
    both <- with_order(sample.int(nrow(a)), lapply(list(a, b), function(d) {
      batch_places(frame_of(d), plan, c(1, 1) * 2^-16, "system")
    }))
    if (sum(rowSums(both[[1]] != both[[2]]) > 0) > 1 || anyNA(unlist(both))) return(TRUE)
    if (any(abs(unlist(both)) > 2^40) || any(unlist(both) != round(unlist(both)))) return(TRUE)
  }
  FALSE
}

test_that("a row moves one fit at most, in 40 skewed data sets", {
  expect_false(batches_are_wrong())
  planted <- function(...) caught(bug(batches_are_wrong, ...))
  expect_true(planted("batch_places", "for (b in seq_len", "order <- order(frame$y)\n for (b in seq_len"))
  expect_true(planted("batch_places", "rows <- order",
                      "frame$y <- frame$y - mean(pmin(frame$y, 9))\n rows <- order"))
  expect_true(planted("batch_places", "seq_len(plan$size)]", "seq_len(plan$size + 1) - 1]"))
})

test_that("rows are dealt in the random order, all rows of one batch together", {
  d <- data.frame(x1 = (1:16 * 0.618) %% 1, y = sqrt(1:16))
  plan <- tukeyem_plan(16, 2, 1, 8L)
  order <- c(seq(1, 15, 2), seq(16, 2, -2))
  places <- with_order(order, batch_places(frame_of(d), plan, c(1, 1) * 2^-16, "system"))
  for (b in 1:8) {
    rows <- d[order[2 * b - 1:0], ]
    slope <- diff(rows$y) / diff(rows$x1)
    expect_lte(max(abs(places[b, ] * 2^-16 - c(rows$y[[1]] - slope * rows$x1[[1]], slope))), 2^-16)
  }
})

test_that("fits are those of least squares, and every batch has one", {
  d <- data.frame(x1 = c(1, 2, 4, 8, 3), z = c(5, 1, 2, 2, 9), y = c(3, 1, 4, 1, 5))
  expect_equal(least_squares(as.matrix(d[c("x1", "z")]), d$y), unname(coef(lm(y ~ x1 + z, d))))
  expect_equal(least_squares(cbind(c(2, 2, 2)), 1:3), c(2, 0)) # constant: aliased with the intercept
  expect_equal(least_squares(cbind(c(0, 0, 0), 1:3), 2 * 1:3), c(0, 0, 2))
  expect_equal(least_squares(cbind(1:4, 2 * 1:4, c(1, 0, 0, 1)), 1:4 + c(1, 0, 0, 1)), c(0, 1, 0, 1))
  # products of large numbers do not overflow
  expect_equal(least_squares(cbind(c(1, 2, 4) * 1e200), c(1, 2, 4)) * c(1, 1e200), c(0, 1))
})

# -- margins and laws --------------------------------------------------------------------------

small_places <- function(m) {
  matrix(pick(list(sample(0:9, 2 * m, TRUE) + 0, round(9 * stats::rbeta(2 * m, 0.3, 0.3)), rep(4, 2 * m),
                   round(4.5 + stats::rnorm(2 * m)))), m)
}
small_plan <- function(m, level, rate = 1.2) list(batches = m, level = level, rate = rate)

law_of <- function(law, rate, points) {
  # the code takes the double for its rate and rounds it down
  exp(boxes_log_law(law$boxes$low, law$boxes$high, rate, points))
}

margins_are_wrong <- function(count = 150, delta = 0.5) {
  set.seed(2)
  points <- as.matrix(expand.grid(-1:11, -1:11))
  safe <- 0
  for (i in seq_len(count)) {
    m <- pick(8:16)
    plan <- small_plan(m, pick(2:4), pick(c(1.2, 3)))
    a <- small_places(m)
    b <- a
    b[sample.int(m, 1), ] <- pick(list(c(0, 0), c(9, 9), c(0, 9), c(4, 5), c(11, -1)))
    found <- lapply(list(a, b), tukeyem_law, plan, delta)
    if (abs(found[[1]]$margin - found[[2]]$margin) > 1) return(TRUE)
    if (max(found[[1]]$margin, found[[2]]$margin) == 0) next
    if (is.null(found[[1]]$boxes) || is.null(found[[2]]$boxes)) return(TRUE)
    p <- lapply(found, law_of, plan$rate, points)
    safe <- safe + 1
    for (j in 1:2) {
      if (found[[j]]$margin > 0 && hockey_stick(p[[j]], p[[3 - j]], plan$rate) > delta) return(TRUE)
    }
  }
  must(safe > 10, "some safe data")
  FALSE
}

test_that("margins of neighbours differ by at most one, and safe data have neighbours like them", {
  skip_on_cran()
  expect_false(margins_are_wrong())
  expect_false(margins_are_wrong(delta = 0.9))
  planted <- function(...) caught(bug(function() margins_are_wrong(delta = 0.3), ...))
  expect_false(margins_are_wrong(delta = 0.3))
  expect_true(planted("tukeyem_law", "volume[seq_len(plan$level)]", "volume[rep(plan$level, plan$level)]"))
  expect_true(planted("tukeyem_law", "log(pmax(high - low + 1, 1))", "0 * (high - low)"))
})

test_that("the level's boxes are those of brute force, with the law of the restricted mechanism", {
  set.seed(3)
  for (i in 1:10) {
    places <- small_places(12)
    plan <- small_plan(12, 3)
    law <- tukeyem_law(places, plan, 0.1)
    if (is.null(law$boxes)) next
    points <- as.matrix(expand.grid(-1:11, -1:11))
    depth <- slow_axes(points, places)
    weight <- ifelse(depth >= 3, exp(1.2 * depth / 2), 0)
    expect_equal(law_of(law, 1.2, points), weight / sum(weight), tolerance = 1e-9)
  }
})

# -- the budget --------------------------------------------------------------------------------

budget_is_passed <- function() {
  d <- data.frame(x1 = (1:400 * 0.618) %% 1)
  d$y <- d$x1
  drawn <- NULL
  draw <- draw_boxes
  keep <- function(low, high, epsilon, source) {
    drawn <<- epsilon
    draw(low, high, epsilon, source)
  }
  wrong <- vapply(c(0.5, 3, 2000), function(epsilon) {
    asked <- recorded_test(function() suppressWarnings(tukeyem(d, epsilon)), list(draw_boxes = keep))
    asked$epsilon + drawn > epsilon * (1 + 1e-12) || asked$delta > 1e-6
  }, NA)
  any(wrong)
}

test_that("test and draw share the budget, and the margin is that of the sampler's rate", {
  expect_false(budget_is_passed())
  expect_true(caught(bug(budget_is_passed, "tukeyem_plan", "min(epsilon/2, most_draw_rate)", "epsilon")))
  for (epsilon in c(1e-4, 0.3, 1, 7, 1e6)) {
    plan <- tukeyem_plan(1000, 2, epsilon, 100L)
    expect_lt(plan$rate, plan$draw - 2^-35)
    # the sampler's own: levels of one point each are exp(-rate/2) apart
    bits <- .Call(ffi_boxes_levels, matrix(0, 3), matrix(0, 3), plan$draw)
    if (epsilon > 0.01) expect_equal((bits[[2]] - bits[[3]]) * 2 * log(2), plan$rate, tolerance = 1e-9)
  }
})

# -- the release -------------------------------------------------------------------------------

test_that("what is released, spent and said; a failed test is an output", {
  d <- data.frame(x1 = (1:900 * 0.618) %% 1, z = (1:900 * 0.414) %% 1)
  d$y <- 0.2 + 0.5 * d$x1 - d$z + ((1:900 * 0.732) %% 1) / 100
  ledger <- dp_ledger(20, 1e-5)
  r <- rival_regression(y ~ x1 + z, d, 10, 1e-6, "tukeyem", batches = 200, ledger = ledger)
  expect_s3_class(r, c("dp_regression", "dp_release"), exact = TRUE)
  expect_identical(r$guarantee, "approximate")
  expect_true(r$released)
  expect_equal(unname(coef(r)), c(0.205, 0.5, -1), tolerance = 0.05)
  expect_equal(predict(r, data.frame(x1 = 0, z = 0)), c("1" = 0.205), tolerance = 0.1)
  failed <- tukeyem(d[1:20, ], 0.5, ledger = ledger)
  expect_false(failed$released)
  expect_true(all(is.na(coef(failed))))
  expect_equal(as.data.frame(ledger)$epsilon, c(10, 0.5))
  # equal fits: the margin is as large as can be
  expect_equal(unname(coef(tukeyem(data.frame(x1 = d$x1, y = 1), 10, batches = 100))), c(1, 0))
})

test_that("every data set has an outcome of the same shape, silently, also where nothing can be drawn", {
  skip_on_cran()
  set.seed(4)
  for (i in 1:30) {
    expect_silent(r <- tukeyem(skewed_rows(pick(16:40)), pick(c(0.1, 15)), pick(c(1e-6, 0.01))))
    expect_identical(all(is.finite(coef(r))), r$released)
  }
  with_bindings(list(ptr_test = function(...) TRUE), {
    for (i in 1:30) {
      expect_silent(r <- tukeyem(skewed_rows(pick(16:40)), 4))
      expect_identical(all(is.finite(coef(r))), r$released)
    }
  })
})

test_that("bad arguments are refused and spend nothing", {
  d <- data.frame(x1 = 1:40, y = 1:40)
  ledger <- dp_ledger(10, 1e-3)
  bad <- function(epsilon = 1, delta = 1e-6, ..., data = d) {
    expect_error(tukeyem(data, epsilon, delta, ..., ledger = ledger), class = "dpdepth_error_input")
  }
  bad(epsilon = 1e-5)
  bad(delta = 0)
  bad(batches = 7)
  bad(batches = 21)
  bad(resolution = 0)
  bad(resolution = c(1, 1, 1))
  bad(data = d[1:15, ])
  bad(lower = 0)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

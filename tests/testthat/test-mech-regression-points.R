# Tests of R/mech-regression-points.R and of predictions by batches: limits at public points, and what they
# give. Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

points_at <- function(...) check_at(rbind(...), c("(Intercept)", "a", "b"))

test_that("a batch's predictions are those of its least squares, where its rows determine them", {
  set.seed(2)
  x <- cbind(rnorm(40), rep(c(0, 0, 0, 1), 10))
  y <- rnorm(40)
  points <- points_at(c(1, 0), c(-2, 0), c(1, 1))
  found <- point_fits(x, y, 10, 1L, points)
  order <- deal_rows(40L, 1L)
  # rows of each batch in turn
  for (k in 1:10) {
    mine <- order[seq(k, 40, 10)]
    fit <- lm(y[mine] ~ x[mine, ])$coefficients
    flagged <- length(unique(x[mine, 2])) > 1
    if (flagged) {
      expect_equal(found[k, ], unname(drop(cbind(1, points$at) %*% fit)), tolerance = 1e-9)
    } else {
      expect_equal(found[k, 1:2], unname(fit[[1]] + c(1, -2) * fit[[2]]), tolerance = 1e-9)
      expect_true(is.na(found[k, 3]))
    }
  }
  expect_true(anyNA(found) && !all(is.na(found[, 3])))
  # errors that change their signs change those of the predictions' errors
  truth <- drop(cbind(1, x) %*% 1:3)
  expect_equal(point_fits(x, truth + y, 10, 1L, points) + point_fits(x, truth - y, 10, 1L, points),
               2 * point_fits(x, truth, 10, 1L, points), tolerance = 1e-9)
})

# TRUE if a row moves more than one batch's predictions, if anything else differs between neighbours, or if
# the scans are handed more than is debited, or levels that do not add up.
points_spend_wrong <- function() {
  set.seed(4)
  frame <- data.frame(a = rnorm(150), b = as.double(rep(c(1, numeric(4)), length.out = 150)), y = rnorm(150))
  handed <- function(frame) {
    set.seed(1)
    ledger <- dp_ledger(9)
    scans <- list()
    keep <- function(x, probs, epsilon, prior, level, source, ...) {
      scans[[length(scans) + 1]] <<- list(fits = x, spent = c(probs, epsilon, level, unlist(prior),
                                                              summary(ledger)$left[[1]]))
      list(estimate = 1, interval = cbind(lower = 0, upper = 2))
    }
    release <- with_bindings(list(quantile_interval = keep), suppressWarnings(
      dp_regression(y ~ a + b, frame, 8, at = rbind(c(0, 0), c(1, 0), c(0, 1)), lower = c(-9, 0, -1),
                    upper = 9, interval = 0.9, ledger = ledger, rng = "R")
    ))
    list(fits = vapply(scans, `[[`, scans[[1]]$fits, "fits"), release = release,
         spent = t(vapply(scans, `[[`, numeric(6), "spent")))
  }
  one <- handed(frame)
  asked <- cbind(0.5, 8 / 3, 1 - 0.1 / 3, c(-9, 0, -1), 9, 1)
  if (!isTRUE(all.equal(one$spent, asked, check.attributes = FALSE)) || one$release$epsilon != 8) return(TRUE)
  for (i in c(1, 6, 150)) {
    other <- frame
    k <- match(i, c(1, 6, 150))
    other[i, ] <- list(c(1e6, 3, -1e300)[[k]], 1 - frame$b[[i]], c(-1e6, 1e6, -1e6)[[k]])
    two <- handed(other)
    if (sum(apply(one$fits != two$fits, 1, any)) > 1 || !identical(one[-1], two[-1])) return(TRUE)
  }
  FALSE
}

test_that("predictions share epsilon, and a row moves one batch", {
  expect_false(points_spend_wrong())
  for (b in list(
    bug(points_spend_wrong, "plan_batches_interval", "share <- epsilon/d", "share <- epsilon"),
    bug(points_spend_wrong, "plan_batches_interval", "simultaneous || !is.null(points)", "simultaneous"),
    bug(points_spend_wrong, "point_fits", "point[[j]]", "mean(x[, j])"),
    bug(points_spend_wrong, "point_fits", "as.double(x[, j])", "rank(x[, j])"),
    bug(points_spend_wrong, "known_fits", "point_fits(x, y, batches, seed, points)",
        "{ out <- point_fits(x, y, batches, seed, points); out[is.na(out)] <- mean(y); out }")
  )) {
    expect_true(caught(b), info = b$edits[[1]][[3]])
  }
})

test_that("limits of coefficients and predictions are what the predictions at the points leave", {
  set.seed(9)
  points <- points_at(c(1, 4), c(2, 9), c(-1, 5))
  limits <- cbind(lower = c(1, -2, 0), upper = c(2, 0, 0.5))
  rownames(limits) <- point_names(2)
  corners <- as.matrix(expand.grid(limits[1, ], limits[2, ], limits[3, ]))
  fits <- t(apply(corners, 1, coefficients_of, points))
  expect_equal(limits_of_points(limits, points),
               cbind(lower = apply(fits, 2, min), upper = apply(fits, 2, max)), tolerance = 1e-7)
  # outward, by more than rounding may do
  expect_true(all((limits_of_points(limits, points) - t(apply(fits, 2, range))) %*% diag(c(-1, 1)) > 0))
  x <- rbind(c(0, 0), c(3, -3), c(2, 9), c(NA, 1))
  found <- limits_from_points(points_region(limits, points), x)
  ends <- apply(cbind(1, x) %*% t(fits), 1, range)
  expect_equal(unname(found), t(ends), tolerance = 1e-7)
  expect_identical(unname(found[3, ]), c(-2, 0))
  # without a limit elsewhere
  limits[1, 2] <- Inf
  found <- limits_from_points(points_region(limits, points), x)
  expect_identical(unname(found[3, ]), c(-2, 0))
  expect_identical(sum(is.infinite(found[1:2, ])), 2L)
})

# Predictions at points of which a level that half of the batches lack is one.
predictions_are_missed <- function() {
  rare_flag_misses(function(out) out$details$region[2, 3] > 6 || out$details$region[2, 4] < 6, 0.05,
                   interval = 0.9, at = c(0, 1))
}

test_that("predictions that many batches do not determine are covered", {
  skip_on_cran()
  expect_false(predictions_are_missed())
  expect_true(caught(bug(predictions_are_missed, "sided_fits", "2^1023", "0")))
})

test_that("the release: limits at the points and elsewhere, with and without an interval", {
  set.seed(3)
  frame <- data.frame(a = rnorm(1200, 5), b = rnorm(1200, -3))
  frame$y <- 1 + 2 * frame$a - 3 * frame$b + rnorm(1200)
  at <- data.frame(b = c(-3, -2, -3), a = c(5, 5, 6))
  ask <- function(formula = y ~ a + b, ...) {
    dp_regression(formula, frame, 2, ..., lower = -100, upper = 200, rng = "R")
  }
  r <- ask(at = at, interval = 0.9)
  limits <- predict(r, at, interval = "confidence")
  expect_identical(unname(limits[, 2:3]), unname(r$details$region[, c("lower", "upper")]))
  expect_true(all(limits[, "lwr"] <= c(20, 17, 22) & c(20, 17, 22) <= limits[, "upr"]))
  expect_true(all(limits[, "lwr"] <= limits[, "fit"] & limits[, "fit"] <= limits[, "upr"]))
  expect_lt(max(limits[, "upr"] - limits[, "lwr"]), 1)
  expect_true(all(r$interval[, 1] <= c(1, 2, -3) & c(1, 2, -3) <= r$interval[, 2]))
  expect_match(interval_sentence(r), "all intervals together cover the true coefficients and predictions")
  expect_match(r$mechanism, "for each prediction", fixed = TRUE)
  # one regressor: depth unless batches are named
  expect_match(ask(y ~ a, at = c(4, 6), interval = 0.9)$mechanism, "regression depth")
  one <- ask(y ~ a, at = c(4, 6), interval = 0.9, method = "batches")
  expect_match(one$mechanism, "two one-sided scans")
  expect_equal(unname(predict(one, data.frame(a = 6), interval = "confidence")[1, 2:3]),
               unname(one$details$region[2, 3:4]))
  # without an interval: the median of batches' predictions
  drawn <- ask(at = at, method = "batches")
  expect_lt(max(abs(predict(drawn, at) - c(20, 17, 22))), 0.5)
  expect_identical(names(drawn$details$step), point_names(2))
  expect_match(ask(at = at)$mechanism, "regression depth")
})

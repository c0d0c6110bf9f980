# Tests of R/dp-regression-interval.R: what intervals of a line hold, cost and cover.

line_data <- function(n, seed = 3) {
  set.seed(seed)
  x <- rnorm(n)
  data.frame(x = x, y = 1 + 2 * x + rnorm(n))
}


test_that("a release has limits of both coefficients, and of predictions", {
  d <- line_data(500)
  set.seed(1)
  fit <- dp_regression(y ~ x, d, epsilon = 2, lower = -50, upper = 50, interval = 0.95, rng = "R")
  expect_identical(dimnames(fit$interval), list(c("(Intercept)", "x"), c("conf.low", "conf.high")))
  expect_true(all(fit$interval[, 1] < coef(fit) & coef(fit) < fit$interval[, 2]))
  expect_true(all(fit$interval[, 1] < 1:2 & 1:2 < fit$interval[, 2]))
  expect_lt(max(fit$interval[, 2] - fit$interval[, 1]), 1)
  expect_identical(unname(confint(fit, "x")), unname(fit$interval["x", , drop = FALSE]))
  expect_match(paste(format(fit), collapse = " "), "all intervals together cover", fixed = TRUE)
  expect_identical(fit$details$level, 0.95)
  expect_true(all(is.na(prediction_limits(fit, c(NA, Inf)))))
  limits <- predict(fit, data.frame(x = c(0, 2, NA)), interval = "confidence")
  expect_identical(colnames(limits), c("fit", "lwr", "upr"))
  expect_equal(unname(limits[1, ]), c(fit$estimate[[1]], unname(fit$interval[1, ])))
  expect_equal(unname(limits[2, 2:3]), unname(fit$interval[1, ] + 2 * fit$interval[2, ]), tolerance = 1e-6)
  expect_true(all(is.na(limits[3, ])))
  expect_error(predict(fit, d, interval = "confidence", level = 0.9), class = "dpdepth_error_input")
  plain <- dp_regression(y ~ x, d, epsilon = 2, lower = -50, upper = 50, rng = "R")
  expect_error(predict(plain, d, interval = "confidence"), "there is no confidence interval")
})

test_that("with points the predictions there have limits, and those between are as narrow", {
  d <- line_data(500)
  d$x <- d$x + 100
  set.seed(1)
  fit <- dp_regression(y ~ x, d, epsilon = 2, at = c(99, 101), lower = -500, upper = 500, interval = 0.9,
                       rng = "R")
  region <- fit$details$region
  expect_identical(rownames(region), c("point 1", "point 2", "x"))
  expect_identical(colnames(region), c("intercept", "slope", "lower", "upper"))
  # what is printed are the limits of the two predictions, not the forms
  printed <- release_properties(fit)
  expect_match(printed[["limits at"]], "^point 1: -?[0-9.]+ to -?[0-9.]+; point 2: -?[0-9.]+ to -?[0-9.]+$")
  expect_false("region" %in% names(printed))
  at <- predict(fit, data.frame(x = c(99, 100, 101)), interval = "confidence")
  expect_equal(unname(at[c(1, 3), 2:3]), unname(region[1:2, 3:4]))
  expect_true(all(at[, "lwr"] < 2 * c(99, 100, 101) - 199 & at[, "upr"] > 2 * c(99, 100, 101) - 199))
  expect_lte(at[2, "upr"] - at[2, "lwr"], max(at[, "upr"] - at[, "lwr"]) + 1e-6)
  expect_lt(fit$interval["x", 1], 2)
})

test_that("ranges of a polygon of lines are those of its corners", {
  forms <- rbind(c(1, -1), c(1, 1), c(0, 1))
  limits <- rbind(c(-1, 1), c(-1, 1), c(-0.5, 0.5))
  expect_equal(line_range(rbind(c(1, 0), c(0, 1), c(1, 2)), forms, limits),
               cbind(lower = c(-1, -0.5, -1.5), upper = c(1, 0.5, 1.5)), tolerance = 1e-6)
  # rounded outward
  expect_true(all(line_range(rbind(c(1, 2)), forms, limits) * c(-1, 1) > 1.5))
  limits[2, 2] <- Inf
  expect_identical(unname(line_range(rbind(c(1, 0)), forms, limits)), cbind(-Inf, Inf))
  # limits that no line keeps
  apart <- rbind(c(0, 1), c(5, 6), c(-1, 0))
  expect_identical(dim(region_corners(forms, apart)), c(4L, 2L))
})

# What a release hands to its scans, about a line that is given.
scans_handed <- function(x, y, at = NULL, limits = 50) {
  seen <- list()
  rows <- slab_rows
  record <- list(
    draw_fit = function(...) c(1, 2),
    slab_rows = function(x, y, form, points, weights, line) {
      seen$line <<- c(seen$line, line)
      rows(x, y, form, points, weights, line)
    },
    scan_noise = function(sets, scans, t, threshold, halt, n, source) {
      seen$noise <<- c(sets, scans, t, threshold, mean(halt), n)
      matrix(rep(n, sets * scans), sets, scans)
    },
    slab_edges = function(center, range, sets, ratio) {
      seen$edges <<- c(seen$edges, center, range, sets, ratio)
      list(left = center - sets:0, right = center + sets:0)
    }
  )
  with_bindings(record, dp_regression(y ~ x, data.frame(x, y), epsilon = 3, lower = -limits, upper = limits,
                                      interval = 0.9, at = at))
  seen
}

# Does anything but the rows depend on them, or a row's numbers on other rows?
scans_are_handed_wrong <- function() {
  d <- line_data(200)
  far <- d
  far[7, ] <- c(1e3, 1e4)
  far$y[8] <- far$y[9]
  for (at in list(NULL, c(-1, 1))) {
    seen <- scans_handed(d$x, d$y, at)
    if (!identical(seen, scans_handed(far$x, far$y, at))) return(TRUE)
    scans <- if (is.null(at)) 2L else 3L
    t <- scan_threshold(200, 1 - 0.9, scan_rates(seen$noise[[4]], seen$noise[[5]]), scans)
    if (!identical(seen$noise[c(2, 3, 6)], c(scans, t, 200))) return(TRUE)
    points <- check_at(at, c("(Intercept)", "x"))
    forms <- line_forms(c("(Intercept)", "x"), points)
    for (j in seq_len(nrow(forms))) {
      one <- slab_rows(d$x, d$y, forms[j, ], points)
      other <- slab_rows(far$x, far$y, forms[j, ], points)
      if (!identical(lapply(one, `[`, -(7:8)), lapply(other, `[`, -(7:8)))) return(TRUE)
      # the residuals of y = 3 - 2 x: s is the form there, t is one number
      s <- sum(forms[j, ] * c(3, -2))
      rest <- (one$y - s * one$u - (d$y - 3 + 2 * d$x)) / one$v
      if (diff(range(rest)) > 1e-6) return(TRUE)
    }
  }
  max(abs(unlist(slab_rows(-1e300, 1e305, c(1, 1), NULL)))) > 2^510
}

test_that("scans are handed rows as they are, and public numbers", {
  skip_on_cran()
  expect_false(scans_are_handed_wrong())
  for (b in list(
    bug(scans_are_handed_wrong, "slab_rows", "mean(points$at)", "mean(x)"),
    bug(scans_are_handed_wrong, "slab_rows", "bounded(x - form[[2]])", "bounded(x)"),
    bug(scans_are_handed_wrong, "slab_rows", "y <- bounded(y)", "y <- y"),
    bug(scans_are_handed_wrong, "slab_rows", "y <- y - (line[[1]] + rise)", "y <- y - mean(y)"),
    bug(scans_are_handed_wrong, "scan_line", "plan$weights, estimate)", "plan$weights, c(mean(y), 0))"),
    bug(scans_are_handed_wrong, "scan_line", "length(y), source", "length(unique(y)), source"),
    bug(scans_are_handed_wrong, "plan_line_interval", "out$halt), scans)", "out$halt), 1L)"),
    bug(scans_are_handed_wrong, "plan_line_interval", "scan_threshold(n, 1 - level",
        "scan_threshold(n, 2 * (1 - level)"),
    bug(scans_are_handed_wrong, "scan_line", "range <- range(plan$corners %*% forms[j, ])",
        "range <- range(plan$corners %*% forms[j, ]) + max(y)")
  )) {
    expect_true(caught(b))
  }
})

test_that("the public range is that of the prior's corners, in the coefficients' units", {
  expect_equal(apply(line_corners(prior_normal(c(1, 2), c(3, 4)), NULL, NULL), 2, range),
               cbind(1 + 36 * c(-3, 3), 2 + 36 * c(-4, 4)))
  dyadic <- prior_dyadic(c(1, 2), origin = c(5, 7))
  expect_equal(colMeans(line_corners(dyadic, NULL, NULL)), c(5, 7))
  prior <- prior_normal(c(1, 2), covariance = matrix(c(9, 3, 3, 4), 2))
  corners <- line_corners(whitened_prior(prior), prior_whitening(prior), NULL)
  expect_equal(colMeans(corners), c(1, 2))
  expect_equal(diff(range(corners[, 1])), 2 * 36 * 3)
})

test_that("each scan has noise of its own", {
  skip_on_cran()
  halts <- function(sets, scans, t, threshold, halt, n, source) {
    cbind(rep(0L, sets), c(rep(401L, sets - 1), 0L))
  }
  apart <- function() {
    out <- with_bindings(list(scan_noise = halts), dp_regression(
      y ~ x, line_data(400), epsilon = 2, lower = -50, upper = 50, interval = 0.95, rng = "R"
    )$interval)
    !all(is.infinite(out[1, ])) || any(is.infinite(out[2, ]))
  }
  expect_false(apart())
  expect_true(caught(bug(apart, "scan_line", "minimum[, j], ", "minimum[, 1], ")))
})

# What a release spends, and on what: epsilons of the draw, the threshold and the halts of its scans.
spent_on_line <- function(flag = FALSE) {
  spent <- numeric()
  record <- list(
    draw_fit = function(rows, prior, epsilon, weights, ...) {
      # the median line, and no other quantile's
      spent[["centre"]] <<- if (identical(weights, c(1L, 1L))) epsilon else Inf
      c(1, 2)
    },
    scan_noise = function(sets, scans, t, threshold, halt, n, source) {
      spent[["scans"]] <<- threshold + sum(rep_len(halt, scans))
      matrix(0L, sets, scans)
    }
  )
  d <- line_data(500)
  if (flag) d$x <- d$x > 0
  with_bindings(record, dp_regression(y ~ x, d, epsilon = 1.5, lower = -50, upper = 50, interval = 0.95))
  sum(spent)
}

test_that("centre, threshold and all scans are paid for, together with epsilon", {
  for (total in c(spent_on_line(), spent_on_line(TRUE))) {
    expect_lte(total, 1.5)
    expect_gt(total, 1.4999)
  }
  overspends <- function() spent_on_line() > 1.5 || spent_on_line(TRUE) > 1.5
  for (b in list(
    bug(overspends, "run_with_interval", "interval$centre", "plan$epsilon"),
    bug(overspends, "line_design", "rep(1/nrow(forms), nrow(forms))", "rep(1, nrow(forms))"),
    bug(overspends, "line_design", "halts = unname(flag_scans)", "halts = rep(max(flag_scans), 2)"),
    bug(overspends, "line_design", "scans = 0.7 * (1 - centre)", "scans = 0.7"),
    bug(overspends, "plan_line_interval", "share <- epsilon * design$shares",
        "share <- epsilon * design$shares/sum(design$shares[-1])"),
    bug(overspends, "run_with_interval", "weights, source", "c(2L, 1L), source")
  )) {
    expect_true(caught(b))
  }
})

test_that("scans that halt at once, or nowhere, leave infinite limits; those that halt last the narrowest", {
  d <- line_data(400)
  limits <- function(k, last = k) {
    halts <- function(sets, scans, t, threshold, halt, n, source) {
      matrix(c(rep(k, sets - 1), last), sets, scans)
    }
    with_bindings(list(scan_noise = halts), dp_regression(y ~ x, d, epsilon = 2, lower = -50, upper = 50,
                                                          interval = 0.95, rng = "R")$interval)
  }
  expect_true(all(is.infinite(limits(0L))))
  expect_true(all(is.infinite(limits(401L))))
  narrow <- limits(401L, 0L)
  expect_lt(max(narrow[, 2] - narrow[, 1]), 1e-8)
  # an intercept beyond the public limits is not pinned to one within them
  d$y <- d$y + 200
  set.seed(5)
  out <- dp_regression(y ~ x, d, epsilon = 2, lower = -50, upper = 50, interval = 0.95, rng = "R")$interval
  expect_true(all(is.infinite(out["(Intercept)", ])))
})

test_that("a slab that the scan keeps passes, and the maximum outside it is below what halts", {
  d <- line_data(60)
  rows <- slab_rows(d$x, d$y, c(0, 1), NULL)
  edges <- slab_edges(2, c(-50, 50), 60, slab_ratio)
  expect_false(is.unsorted(edges$left))
  expect_identical(edges$left, pmax(2 - c(100 * slab_ratio^(0:59), 0), -50))
  expect_identical(edges$right, pmin(2 + c(100 * slab_ratio^(0:59), 0), 50))
  for (k in c(15L, 20L, 25L)) {
    at <- .Call(ffi_slab_scan, rows, cbind(edges$left, edges$right), slab_parts, rep(k, 60),
                matrix(0, 0, 2))[[1]]
    # fits outside the slab that is kept have less depth than k
    away <- c(edges$left[[at]], edges$right[[at]]) + c(-1e-6, 1e-6)
    lines <- expand.grid(a = seq(-20, 20, 0.5), b = c(away, away + c(-1, 1), away + c(-5, 5)))
    expect_lt(max(depth_regression(cbind(lines$a, lines$b), d$x, d$y)) * 60, k)
  }
})

test_that("a scan begins with all of the public range, whatever the centre", {
  edges <- slab_edges(1e10, c(0.1, 1e10), 9, 0.9)
  expect_identical(c(edges$left[[1]], edges$right[[1]]), c(0.1, 1e10))
  edges <- slab_edges(-1e10, c(-1e10, 0.1), 9, 0.9)
  expect_identical(c(edges$left[[1]], edges$right[[1]]), c(-1e10, 0.1))
})

test_that("scores move by one row at most as far as limits may lie; beyond, intervals are refused", {
  set.seed(6)
  ends <- c(-2^400, -1e100, -1, 0, 1, 1e100, 2^400)
  far <- c(-1e300, -1, 0, 1, 2, 1e300)
  moved <- 0
  for (k in seq_len(60)) {
    form <- if (k %% 2 == 0) c(0, 1) else c(1, 0)
    n <- sample(2:6, 1)
    x <- sample(far, n, TRUE)
    y <- sample(far, n, TRUE)
    at <- sort(sample(ends, 2))
    bound <- function(x, y) {
      .Call(ffi_slab_bounds, slab_rows(x, y, form, NULL), as.matrix(at[[1]]), as.matrix(at[[2]]), 2^400)
    }
    other <- sample(far, 2)
    moved <- max(moved, abs(bound(x, y) - bound(replace(x, 1, other[[1]]), replace(y, 1, other[[2]]))))
  }
  expect_equal(moved, 1)
  budget <- dp_ledger(epsilon = 5)
  released <- function(public) {
    tryCatch({
      dp_regression(y ~ x, line_data(500), 1, prior = public, interval = 0.9, ledger = budget)
      TRUE
    }, dpdepth_error_input = function(e) !grepl("beyond 2^400", conditionMessage(e), fixed = TRUE))
  }
  for (public in list(prior_uniform(-1e200, 1e200), prior_normal(0, 1e200), prior_dyadic(2^800))) {
    expect_false(released(public))
  }
  expect_identical(nrow(as.data.frame(budget)), 0L)
  expect_true(caught(bug(function() released(prior_uniform(-1e200, 1e200)), "plan_line_interval",
                         "<= slope_limit", "< Inf")))
})

# Of another quantile: everything between rows and release.
quantile_scans_are_wrong <- function() {
  seen <- list()
  record <- list(
    draw_fit = function(rows, prior, epsilon, weights, ...) {
      seen$spent <<- epsilon
      seen$weights <<- weights[1:2]
      c(-0.3, 3.7)
    },
    scan_noise = function(sets, scans, t, threshold, halt, n, source) {
      # a row moves scores by 6
      seen$spent <<- seen$spent + 6 * threshold + 6 * sum(rep_len(halt, scans))
      seen$scan <<- c(t, n)
      seen$rates <<- scan_rates(threshold, halt)
      matrix(as.integer(n / 2 - 200), sets, scans)
    }
  )
  out <- with_bindings(record, dp_regression(y ~ x, line_data(2000), epsilon = 1.5, lower = -50, upper = 50,
                                             interval = 0.9, tau = 0.75, at = c(-1, 1)))
  lift <- 2000 * 3
  t <- shifted_threshold(2000, 1 - 0.9, seen$rates, 3L, c(3L, 1L))
  # what is not scanned at -200 of the truth's quantile: 0.67 above the median
  away <- predict(out, data.frame(x = c(-1, 1)), interval = "confidence")[, 2:3] - c(-1, 3) - qnorm(0.75)
  !identical(seen$weights, c(3L, 1L)) || seen$spent > 1.5 || seen$spent < 1.4999 ||
    !identical(seen$scan, c(t + lift, 2 * lift)) || any(away[, 1] > 0 | away[, 2] < 0 | abs(away) > 0.5)
}

test_that("other quantiles are scanned by shifted counts, whose noise is for their sensitivity", {
  skip_on_cran()
  expect_false(quantile_scans_are_wrong())
  for (b in list(
    bug(quantile_scans_are_wrong, "score_sensitivity", "2 * max(weights)", "max(weights)"),
    bug(quantile_scans_are_wrong, "plan_line_interval", "sensitivity <- score_sensitivity(weights)",
        "sensitivity <- 1"),
    bug(quantile_scans_are_wrong, "scan_line", "plan$t + lift", "plan$t"),
    bug(quantile_scans_are_wrong, "scan_line", "source) - lift", "source)"),
    bug(quantile_scans_are_wrong, "scan_line", "plan$points, plan$weights,",
        "plan$points, rev(plan$weights),"),
    bug(quantile_scans_are_wrong, "plan_line_interval", "rates(out$threshold, out$halt), scans, weights,",
        "rates(out$threshold, out$halt), 1L, weights,"),
    bug(quantile_scans_are_wrong, "plan_line_interval", "weights, near)", "weights, TRUE)")
  )) {
    expect_true(caught(b))
  }
  set.seed(2)
  fit <- dp_regression(y ~ x, line_data(1000), epsilon = 2, lower = -50, upper = 50, interval = 0.95,
                       tau = 0.75, rng = "R")
  expect_true(all(fit$interval[, 1] < c(1 + qnorm(0.75), 2) & c(1 + qnorm(0.75), 2) < fit$interval[, 2]))
  expect_match(paste(format(fit), collapse = " "), "each with quantile 0.75 zero", fixed = TRUE)
})

test_that("what has no interval is refused in words, before anything is spent", {
  d <- line_data(500)
  d$z <- rnorm(500)
  budget <- dp_ledger(epsilon = 5)
  refused <- function(formula = y ~ x, ..., epsilon = 1, about, fun = dp_regression) {
    expect_error(fun(formula, d, epsilon, ..., lower = -50, upper = 50, ledger = budget), about,
                 class = "dpdepth_error_input")
  }
  refused(interval = 0.3, about = "`interval` must be one number")
  refused(interval = "a", about = "`interval` must be")
  refused(y ~ x + z, method = "exponential", interval = 0.95, about = "several regressors")
  refused(y ~ x + z, method = "exponential", at = diag(3)[, -1], interval = 0.95,
          about = "method = \"batches\" for several")
  refused(y ~ x - 1, interval = 0.95, about = "without an intercept")
  refused(y ~ x + z - 1, interval = 0.95, about = "without an intercept")
  refused(tau = c(0.25, 0.75), interval = 0.95, about = "epsilon = 0.5.*`tau` = 0.25.*or about [0-9,]+ rows")
  refused(tau = 0.9, interval = 0.95, about = "or about [0-9,]+ rows")
  refused(epsilon = 0.05, interval = 0.95, about = "or about [0-9,]+ rows")
  d <- d[rep(1, 200001), ]
  refused(interval = 0.95, about = "200,000 rows")
  refused(tau = 0.75, interval = 0.95, about = "20,000 rows and a quantile")
  refused(method = "deepest", delta = 1e-6, interval = 0.95, about = "interval")
  expect_identical(nrow(as.data.frame(budget)), 0L)
})

# With two values of the regressor every slope has a line through the rows at either: a bound by one centre
# alone tells such lines from the best one only where boxes are as narrow as the errors.
test_that("a scan ends soon where the regressor has two values and the limits are wide", {
  x <- rep(0:1, 50)
  y <- 1 + 2 * x + 1e-3 * sin(seq_along(x)^2)
  for (form in list(c(1, 0), c(0, 1))) {
    edges <- slab_edges(sum(form), c(-50, 50), 260, 0.9)
    halts <- .Call(ffi_slab_scan, slab_rows(x, y, form, NULL), cbind(edges$left, edges$right), slab_parts,
                   rep(40L, 260), matrix(0, 0, 2))
    expect_lt(halts[[2]], 10000)
  }
})

# Rows about a released line, which is far from 0 beside their spread: products are as small as what is told
# apart.
test_that("a scan of an exact fit ends soon, the regressor being a million spreads from 0", {
  x <- 1e6 + sin(seq_len(100)^2)
  for (slope in c(2, 90)) for (form in list(c(1, 0), c(0, 1))) {
    line <- c(-30, slope + 3e-5)
    range <- c(-100, 100) - sum(form * line)
    edges <- slab_edges(0, range, 253, 0.9)
    halts <- .Call(ffi_slab_scan, slab_rows(x, slope * x, form, NULL, line = line),
                   cbind(edges$left, edges$right), slab_parts, rep(70L, 253), matrix(0, 0, 2))
    expect_lt(halts[[2]], 3000)
  }
})

# Does the score of a line that all rows lie on lose a row to the rounding of rows about another line?
rows_are_rounded_away <- function() {
  x <- 2^40 + 0:19
  line <- c(0.1, 2 - 2^-13 / 3)
  rows <- slab_rows(x, 3 + 2 * x, c(0, 1), NULL, line = line)
  at <- as.matrix(2 - line[[2]])
  .Call(ffi_slab_bounds, rows, at, at, 2^-12) < 20
}

test_that("rows about another line have room for their rounding", {
  apart <- outward(c(1, 2), c(3, -2^40))
  expect_true(apart[[1]] <= 1 - 2^-10 && apart[[2]] >= 2 + 2^-10 && apart[[2]] - apart[[1]] < 1.01)
  expect_false(rows_are_rounded_away())
  expect_true(caught(bug(rows_are_rounded_away, "slab_rows", "2^-50 * (abs(y)", "0 * (abs(y)")))
})

# Private depths of public points: scores, the noise's law, neighbours, arguments.

test_that("no pair of neighbours loses more than the budget, and some lose much of it", {
  skip_on_cran()
  set.seed(1)
  for (depth in all_depths) {
    loss <- depth_losses(depth, if (depth == "simplicial") 1 else 2, 3, 30)
    expect_lte(loss, 1 + 1e-9)
    expect_gt(loss, 0.25)
    expect_lte(depth_losses(depth, 1, 60, 5, 1e-3), 1 + 1e-9)
  }
})

test_that("without noise the release holds the depths", {
  expect_lt(depths_off(), 1)
  set.seed(2)
  space <- matrix(sample(-8:8, 60, TRUE) + 0, 20, 3)
  exact <- with_noise(0, space[1:4, ], space, 1, directions = "exact", lower = -9, upper = 9, resolution = 1)
  expect_equal(exact$estimate, depth_halfspace(space[1:4, ], space, "exact"))
  # numbers as they are given, where there are no limits: rounded to a 2^20th of the points' size
  y <- matrix(rnorm(300), 100)
  expect_equal(with_noise(0, y[1:5, ], y, 1, directions = directions(3, 50))$estimate,
               depth_halfspace(y[1:5, ], y, "directional", directions(3, 50)))
})

test_that("the noise has the law that the help names, and the sd that the release says", {
  set.seed(3)
  x <- matrix(0, 40)
  drawn <- dp_depth(rep(0, 2000), x, 1600, rng = "R", resolution = 1)
  k <- round((coef(drawn) - 1) * 40)
  q <- exp(-1600 / 2000)
  cells <- -12:12
  law <- function(q) q^abs(cells) / sum(q^abs(cells))
  expect_law(table(factor(k[abs(k) <= 12], cells)), law(q))
  expect_equal(drawn$details$noise_sd, sqrt(2 * q) / (1 - q) / 40, tolerance = 1e-6)
  expect_not_law(table(factor(k[abs(k) <= 12], cells)), law(q^1.3), "a rate too high")
  normal <- dp_depth(rep(0, 2000), x, 40, delta = 1e-3, rng = "R", resolution = 1)
  expect_identical(normal$guarantee, "approximate")
  expect_equal(normal$delta, 1e-3)
  sd <- normal$details$noise_sd * 40
  expect_equal(sd, sqrt(2000 / (2 * zcdp_rho(40, 1e-3))), tolerance = 1e-6)
  k <- round((coef(normal) - 1) * 40)
  ends <- round(seq(-3, 3, by = 0.5) * sd)
  p <- diff(c(0, pnorm(ends + 0.5, 0, sd), 1))
  expect_law(table(cut(k, c(-Inf, ends + 0.5, Inf))), p)
})

test_that("a release names the points, and delta is spent only where it helps", {
  x <- matrix(c(1:40, 40:1) + 0, 40, dimnames = list(NULL, c("a", "b")))
  points <- data.frame(b = c(3, 4), a = c(20, 21), row.names = c("low", "high"))
  r <- dp_depth(points, x, 1, lower = 0, upper = 50, delta = 1e-6)
  expect_named(coef(r), c("low", "high"))
  expect_identical(colnames(r$details$points), c("a", "b"))
  expect_identical(r$guarantee, "pure")
  expect_identical(r$delta, 0)
  expect_match(paste(format(r), collapse = " "), "depths of 2 points")
  expect_identical(tidy(r)$term, c("low", "high"))
  expect_named(coef(dp_depth(c(u = 1, v = 2), 1:40, 1)), c("u", "v"))
  expect_named(coef(dp_depth(c(1, 2), x, 1)), "point1")
  odd <- matrix(1:8, 4, dimnames = list(c("a", "", NA, "a"), NULL))
  expect_named(coef(dp_depth(odd, x, 1)), c("a", "point2", "point3", "a.1"))
})

test_that("a release holds no data", {
  x <- matrix(c(0.1234567890123, stats::rnorm(39)), 20)
  for (depth in c("halfspace", "spatial")) {
    expect_equal(leaks(dp_depth(c(0, 0), x, 2, depth), 0.1234567890123), 0)
  }
})

test_that("bad arguments are refused, and nothing spent", {
  x <- matrix(rnorm(60), 20)
  ledger <- dp_ledger(1)
  refused <- function(arg, ...) {
    error <- expect_error(dp_depth(..., ledger = ledger), class = "dpdepth_error_input")
    expect_identical(error$arg, arg)
  }
  refused("points", c(1, 2), x, 1)
  refused("points", matrix(0, 0, 3), x, 1)
  refused("points", c(1, NA, 2), x, 1)
  refused("points", c(1e300, 0, 0), x, 1)
  refused("data", c(0, 0, 0), rbind(x, NA), 1)
  refused("data", rep(0, 4), cbind(x, 1), 1, "simplicial")
  refused("data", 0, 1, 1, "simplicial")
  refused("depth", c(0, 0, 0), x, 1, "zonoid")
  refused("epsilon", c(0, 0, 0), x, 0)
  refused("epsilon", rep(0, 100), x[, 1], 1e-5)
  refused("prior", c(0, 0, 0), x, 1, prior = prior_dyadic(1))
  refused("upper", c(0, 0, 0), x, 1, lower = 0)
  refused("directions", rep(0, 4), cbind(x, 1), 1, directions = "exact")
  refused("directions", c(0, 0, 0), x, 1, "spatial", directions = 10)
  refused("smooth", c(0, 0, 0), x, 1, smooth = 3)
  refused("na", c(0, 0, 0), rbind(x, NA), 1, na = "middle")
  expect_identical(summary(ledger)$spent[[1]], 0)
  dp_depth(c(0, 0, 0), rbind(x, NA), 0.25, na = "middle", lower = -5, upper = 5, ledger = ledger)
  expect_identical(as.data.frame(ledger)$epsilon, 0.25)
  expect_warning(dp_depth(rep(0, 50), x[, 1], 0.1), class = "dpdepth_warning_accuracy")
})

test_that("variables whose points are lost on a lattice without limits are warned of", {
  x <- cbind(rate = c(0.04, 0.05, 0.06), price = c(1, 2, 3) * 1e6)[rep(1:3, 30), ]
  points <- rbind(far = c(0.5, 1e6), mid = c(0.05, 1e6))
  expect_warning(dp_depth(points, x, 5), "`rate`", class = "dpdepth_warning_accuracy")
  expect_no_warning(dp_depth(points, x, 5, lower = 0, upper = c(1, 1e7)))
  expect_no_warning(dp_depth(c(0, 1), x, 5))
  expect_no_warning(dp_depth(c(0, 0), x, 5))
})

# What depths of a private size ask of their noise, with a row more or less: the counts of points and of rows.
private_depths_cost_more <- function() {
  at <- as.matrix(expand.grid(x = 0:2, y = 0:2))
  points <- rbind(c(1, 1), c(0, 2), c(2, 0.4))
  asked <- function(rows) {
    out <- NULL
    keep <- function(score, law, source) {
      out <<- list(score = as.vector(score), each = law$each * law$m, m = law$m)
      list(values = seq_along(score) + 0, sd = 1)
    }
    r <- with_bindings(list(noisy_scores = keep), {
      dp_depth(points, at[rows, , drop = FALSE], 1, lower = 0, upper = 2, neighbours = "add_remove",
               rng = "R")
    })
    c(out, list(r[setdiff(names(r), "call")]))
  }
  set.seed(81)
  for (k in 1:12) {
    rows <- sample(9, k %% 4, TRUE)
    some <- asked(rows)
    more <- asked(c(rows, sample(9, 1)))
    move <- more$score - some$score
    # each move is paid by an equal share of epsilon
    if (any(move < 0 | move > 1) || length(move) != some$m || some$each > 1) return(TRUE)
    if (!identical(more[[4]], some[[4]])) return(TRUE)
  }
  FALSE
}

test_that("where n is private it is counted with noise, and nothing else tells of it", {
  expect_false(private_depths_cost_more())
  planted <- function(...) caught(bug(private_depths_cost_more, ...))
  expect_true(planted("plan_values", "nrow(z) + facts$private", "nrow(z)"))
  expect_true(planted("draw_depths", "rows <- max(1, drawn$values[[nrow(z) + 1]])", "rows <- nrow(x)"))
  r <- dp_depth(0, matrix(0, 0, 1), 1, lower = -1, upper = 1, neighbours = "add_remove", rng = "R")
  expect_true(is.na(nobs(r)) && is.finite(coef(r)))
  set.seed(82)
  r <- dp_depth(c(0, 1), rnorm(2000), 5, lower = -9, upper = 9, neighbours = "add_remove", rng = "R")
  expect_equal(unname(coef(r)), pnorm(c(0, -1)), tolerance = 0.06)
  space <- matrix(1:9 + 0, 3)
  expect_error(dp_depth(c(0, 0, 0), space, 1, "simplicial", lower = 0, upper = 9, neighbours = "add_remove"),
               "simplicial depth of three variables", class = "dpdepth_error_input")
})

test_that("every depth of a private size is the depth, but for the noise and the public row", {
  set.seed(83)
  x <- matrix(rnorm(600), 300)
  points <- rbind(c(0.2, -0.1), c(1, 0.5))
  axes <- diag(2)
  expected <- list(
    simplicial = depth_simplicial(points, x), spatial = depth_spatial(points, x),
    spatial_modified = depth_spatial(points, x, modified = TRUE), irw = depth_irw(points, x, axes),
    idd = depth_idd(points, x, directions = axes), idd_smooth = depth_idd(points, x, 10, axes)
  )
  # noise in 256th parts of a unit, a third of epsilon for each of two points and n
  unit <- c(simplicial = 4, spatial = 2, spatial_modified = 4, irw = 2, idd = 1, idd_smooth = 1)
  rate <- 1000 / 3 / 256
  sd <- sqrt(2 * exp(-rate)) / (1 - exp(-rate)) / 256 / 300
  for (depth in names(expected)) {
    set <- if (takes_directions(depth)) axes
    r <- dp_depth(points, x, 1000, depth, lower = -9, upper = 9, directions = set, neighbours = "add_remove",
                  rng = "R")
    expect_lt(max(abs(unname(coef(r)) - expected[[depth]])), 0.02)
    expect_equal(r$details$noise_sd / (unit[[depth]] * sd), 1, tolerance = 0.02)
    none <- dp_depth(points, x[0, ], 1000, depth, lower = -9, upper = 9, directions = set,
                     neighbours = "add_remove", rng = "R")
    same <- setdiff(names(r), c("estimate", "call", "details"))
    expect_identical(r[same], none[same])
  }
})

# In the past a product overflowed at 2^23 rows: NA and a warning, after the debit. Scores were cut at 2^30.
test_that("a private number of rows may be that of the largest tally", {
  for (n in c(2^23 + 1, 2^30, most_tally)) {
    points <- matrix(c(1, 2), dimnames = list(NULL, "a"))
    rows <- new_tally(points, c(floor(n / 4), n - floor(n / 4)), 0, 4, 0.5)
    for (depth in c("halfspace", "irw", "idd")) {
      r <- expect_silent(dp_depth(c(1, 2), rows, 1, depth, neighbours = "add_remove"))
      # the depth itself is that of four rows
      small <- suppressWarnings(dp_depth(c(1, 2), c(1, 2, 2, 2), 1e6, depth, lower = 0, upper = 4))
      expect_equal(unname(coef(r)), unname(coef(small)), tolerance = 1e-4)
    }
    for (depth in c("halfspace", "irw")) {
      expect_s3_class(dp_median_exponential(rows, 1, depth = depth, neighbours = "add_remove"), "dp_release")
    }
  }
})

test_that("more points than rows are warned of before anything is spent: they may be the data", {
  ledger <- dp_ledger(1)
  spent <- NULL
  withCallingHandlers(
    dp_depth(matrix(1:30), matrix(1:9), 1, lower = 0, upper = 40, ledger = ledger),
    dpdepth_warning_privacy = function(w) {
      expect_match(conditionMessage(w), "are not exchanged")
      spent <<- nrow(tidy(ledger))
    },
    warning = function(w) tryInvokeRestart("muffleWarning")
  )
  expect_identical(spent, 0L)
})

# Private M-regression: what neighbours cost, planted bugs, accuracy with outliers, refusals.

mline <- function(data, epsilon = 1, ..., formula = y ~ x1, delta = 1e-6) {
  suppressWarnings(dp_mestimate(formula, epsilon, delta, ..., data = data, x_lower = 0, x_upper = 1,
                                lower = 0, upper = 1, scale = 0.2))
}

mregression_costs_more <- function(count = 12) {
  set.seed(5)
  limit <- c(0, normal_rho(1, 1e-6))
  over <- function(formula, p) {
    any(worst_cost(function(d) coef(mline(d, formula = formula)), count, p = p) > limit)
  }
  # a row in a corner of the square that pulls up, then down
  far <- function(y) data.frame(x1 = c(1, 0.5, 0), y = c(y, 0.5, 0.5))
  over(y ~ x1, 1) || over(y ~ x1 + x2, 2) ||
    any(queries_cost(function(d) coef(mline(d)), far(1e300), far(-1e300)) > limit)
}

test_that("neighbours cost at most rho", {
  skip_on_cran()
  expect_false(mregression_costs_more(20))
  far <- function(y, x) data.frame(x1 = c(x, 0.5, 0), y = c(y, 0.5, 0.5))
  cost <- queries_cost(function(d) coef(mline(d)), far(1e300, 1), far(-1e300, 1))
  expect_equal(cost[[2]], (1 - squares_share) * normal_rho(1, 1e-6), tolerance = 1e-4)
  # the sums of squares: the longest move is from a corner to the middle, here 3 of at most 8
  one <- function(x) data.frame(x1 = c(x, 0.5, 0), y = 0.5)
  expect_lte(queries_cost(function(d) coef(mline(d)), one(1), one(0.5))[[2]], normal_rho(1, 1e-6))
})

test_that("planted bugs are seen", {
  skip_on_cran()
  planted <- function(...) caught(bug(mregression_costs_more, ...))
  expect_true(planted("mregression_plan", "squares_share + rows$count)", "0) * 1.3")) # budget not shared
  expect_true(planted("mregression_places", "/sqrt(ncol(rows$z)) * rows$z", "* rows$z", # gradients too long
                      "whole_places", "squares > lattice^2", "squares < 0"))
  expect_true(planted("regression_rows", "pmin(pmax(v, -1), 1)", "v", # clipping left out
                      "whole_places", "squares > lattice^2", "squares < 0"))
  expect_true(planted("squares_query", "sqrt(rows$move) * d * steps^2", "0.1 * steps^2"))
  expect_true(planted("mregression_descend", "theta <- pmin", # another way for some data
                      "theta <- theta + (mean(rows$y) > 0)\n theta <- pmin"))
})

test_that("a line is right, with outliers in both directions, and predicts", {
  set.seed(1)
  d <- data.frame(x1 = stats::runif(5000), x2 = stats::runif(5000)) # public-rng: simulated data
  d$y <- 10 + 5 * d$x1 - 3 * d$x2 + stats::rnorm(5000) # public-rng: simulated data
  bad <- 1:500
  d$y[bad] <- 60
  d$x1[bad] <- 30 # leverage
  fit <- function(psi, ...) {
    coef(dp_mestimate(y ~ x1 + x2, 2, 1e-6, psi, data = d, x_lower = 0, x_upper = 1, lower = -40, upper = 60,
                      scale = 1, rng = "R", ...))
  }
  expect_equal(unname(fit("tukey")), c(10, 5, -3), tolerance = 0.1)
  expect_equal(unname(coef(stats::lm(y ~ x1 + x2, d)))[[2]], 1.6, tolerance = 0.2) # what least squares give
  d <- d[-bad, ]
  for (psi in psi_kinds) expect_equal(unname(fit(psi)), c(10, 5, -3), tolerance = 0.1)
  m <- dp_mestimate(waiting ~ eruptions, 4, 1e-6, data = faithful, x_lower = 1, x_upper = 6, lower = 30,
                    upper = 120, scale = 6, rng = "R")
  expect_s3_class(m, c("dp_regression", "dp_release"), exact = TRUE)
  expect_equal(predict(m, data.frame(eruptions = 3.5))[[1]], 71, tolerance = 0.1)
})

test_that("extreme rows and units have a release of the same shape", {
  set.seed(2)
  for (i in 1:12) {
    expect_silent(r <- mline(skewed_rows(pick(2:9)), pick(c(0.1, 15)), pick(psi_kinds)))
    expect_true(all(is.finite(coef(r))) && r$released)
  }
  d <- data.frame(x = rep(0:99 / 99, 50), y = rep(0:99 / 99, 50))
  for (unit in c(2^-190, 2^190)) {
    m <- dp_mestimate(y ~ x, 4, 1e-6, data = d * unit, x_lower = 0, x_upper = unit, lower = 0, upper = unit,
                      scale = unit / 10, rng = "R")
    expect_equal(unname(coef(m) / c(unit, 1)), c(0, 1), tolerance = 0.05)
  }
})

test_that("bad arguments are refused and spend nothing", {
  ledger <- dp_ledger(1, 1e-3)
  refused <- function(formula = dist ~ speed, delta = 1e-6, ..., data = cars, x_lower = 0, x_upper = 30,
                      lower = 0, upper = 150, scale = 20) {
    expect_error(dp_mestimate(formula, 1, delta, ..., data = data, x_lower = x_lower, x_upper = x_upper,
                              lower = lower, upper = upper, scale = scale, ledger = ledger),
                 class = "dpdepth_error_input")
    expect_identical(nrow(as.data.frame(ledger)), 0L)
  }
  refused(data = NULL)
  expect_error(dp_mestimate(dist ~ speed, cars, epsilon = 1), "by name, as `data`",
               class = "dpdepth_error_input")
  refused(delta = 0)
  refused(x_lower = NULL)
  refused(upper = NULL)
  refused(scale = NULL)
  refused(dist ~ nope)
  refused(dist ~ speed - 1)
  refused(data = cars[1, ])
  refused(x_lower = 40)
  refused(weights = 1)
})

# -- n private ---------------------------------------------------------------------------------------------

private_mregression_costs_more <- function(count = 8) {
  set.seed(7)
  limit <- c(0, normal_rho(1, 1e-6))
  run <- function(formula) {
    function(d) unclass(mline(d, formula = formula, neighbours = "add_remove"))[c("estimate", "n", "details")]
  }
  corner <- data.frame(x1 = 1, x2 = 1, x3 = 1, y = 1e300)
  over <- function(formula, p) {
    for (i in seq_len(count)) {
      rows <- skewed_rows(pick(1:6), p)
      if (any(queries_cost(run(formula), rows, rows[-1, ]) > limit)) return(TRUE)
    }
    any(queries_cost(run(formula), corner, corner[0, ]) > limit)
  }
  over(y ~ x1, 1) || over(y ~ x1 + x2 + x3, 3)
}

test_that("where n is private a row more costs rho at most, and shows nowhere else", {
  skip_on_cran()
  expect_false(private_mregression_costs_more())
  corner <- data.frame(x1 = 1, x2 = 1, x3 = 1, y = 1e300)
  run <- function(d) coef(mline(d, formula = y ~ x1 + x2 + x3, neighbours = "add_remove"))
  # 9 of the 16 squares of a row's entries are on and above the diagonal beside the first
  expect_equal(queries_cost(run, corner, corner[0, ])[[2]],
               normal_rho(1, 1e-6) * (1 - squares_share * 7 / 16), tolerance = 1e-4)
  planted <- function(...) expect_true(caught(bug(private_mregression_costs_more, ...)))
  planted("mregression_plan", "squares_share + rows$count", "squares_share - 0.2") # not shared
  planted("squares_query", "sqrt(rows$move) * d", "0.3 * d")
  planted("inverse_squares", "squares$steps^2/plan$rows", "squares$steps^2/nrow(z)")
  planted("mregression_descend", "rows$count * places", "places/nrow(places)")
  planted("draw_mregression", "list(counted = plan$counted)", "list(counted = nrow(frame$x))")
  told <- function() {
    said <- lapply(list(corner[0, ], corner, corner[rep(1, 30), ]), function(d) {
      capture_warnings(dp_mestimate(y ~ x1, 1, 0.05, data = d, x_lower = 0, x_upper = 1, lower = 0, upper = 1,
                                    scale = 0.2, neighbours = "add_remove"))
    })
    length(unique(said)) > 1
  }
  expect_false(told())
  expect_true(caught(bug(told, "facts_of_frame", "if (given$private)",
                         "if (given$private) max(1, nrow(frame$x)) else if (FALSE)")))
  # sums of products are exact, however many rows there are
  box <- list(scale = 1, distance = 8)
  plan <- mregression_plan(rows_in_sums(500, TRUE), 2, 1, 1e-6, psi_make("huber"), box)
  expect_lte(plan$squares$steps^2 * most_tally, 2^53)
})

test_that("a line of a private size is right, from rows and from their tally", {
  set.seed(3)
  d <- data.frame(x1 = sample(0:4, 3000, TRUE) / 4)
  d$y <- round(4 * (10 + 5 * d$x1 + stats::rnorm(3000))) / 4 # public-rng: simulated data
  t <- dp_tally(d, lower = 0, upper = c(1, 40), resolution = 0.25)
  run <- function(data, neighbours) {
    set.seed(5)
    dp_mestimate(y ~ x1, 2, 1e-6, data = data, x_lower = 0, x_upper = 1, lower = 0, upper = 20, scale = 1,
                 neighbours = neighbours, rng = "R")
  }
  for (neighbours in neighbour_kinds) {
    r <- run(d, neighbours)
    expect_equal(unname(coef(r)), c(10, 5), tolerance = 0.1)
    expect_identical(coef(run(t, neighbours)), coef(r))
    expect_identical(is.na(r$n), neighbours == "add_remove")
  }
  none <- suppressWarnings(run(d[0, ], "add_remove"))
  expect_true(all(is.finite(coef(none))))
})

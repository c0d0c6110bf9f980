# dp_median_projection(): exact laws of neighbours in one variable, releases, checks, prints.

# -- the release -------------------------------------------------------------------------------

set.seed(20)
people <- cbind(height = rnorm(6000, 170, 10), weight = rnorm(6000, 75, 14))
release <- function(x = people, epsilon = 8, delta = 1e-4, ...) {
  dp_median_projection(x, epsilon, delta, directions = 20, units = 10, ...)
}

test_that("a release is near the projection median", {
  skip_on_cran()
  r <- release()
  expect_true(r$released && r$exact)
  expect_named(coef(r), c("height", "weight"))
  expect_true(all(abs(coef(r) - c(170, 75)) < c(3, 4)))
  expect_identical(r$guarantee, "approximate")
  expect_identical(c(r$epsilon, r$delta), c(8, 1e-4))
  step <- unname(r$details$step)
  expect_identical(step, rep(10 * 2^-20, 2))
  expect_equal(unname(coef(r)) / step, round(unname(coef(r)) / step), tolerance = 1e-12)
  one <- dp_median_projection(people[, 2], 8, 1e-4)
  expect_lt(abs(coef(one) - 75), 3)
})

test_that("a failed test is a release without estimate, with the budget spent", {
  skip_on_cran()
  ledger <- dp_ledger(8, 1e-4)
  for (x in list(people[1:20, ], 0 * people, cbind(people[, 1], 0))) {
    r <- release(x, try_anyway = TRUE)
    expect_false(r$released)
    expect_true(all(is.na(coef(r))))
    # "centre" with fewer rows: public
    expect_identical(setdiff(names(r$details), c(names(release()$details), "centre")), character())
  }
  expect_false(release(0 * people, ledger = ledger)$released)
  expect_error(release(ledger = ledger), class = "dpdepth_error_budget")
  expect_snapshot(release(0 * people, rng = "R"))
})

test_that("public numbers with which the test cannot pass are refused before the debit, with what would do", {
  skip_on_cran()
  # seen to fail: (1000, 2, 0.5) was spent and failed for any data
  ledger <- dp_ledger(100, 1e-2)
  small <- people[1:1000, ]
  refused <- function(...) {
    out <- expect_error(dp_median_projection(small, ..., ledger = ledger), class = "dpdepth_error_input")
    conditionMessage(out)
  }
  for (pair in list(c("median", "mad"), c("trimmed", "trimmed"))) {
    said <- refused(0.5, 1e-6, pair[[1]], pair[[2]], directions = 50)
    rows <- as.numeric(gsub(",", "", sub(".*about ([0-9,]+) rows.*", "\\1", said)))
    epsilon <- as.numeric(sub(".*an epsilon of ([0-9.]+) would do.*", "\\1", said))
    feasible <- function(n, e) projection_constants(n, 2, e, 1e-6, 50, pair[[1]], pair[[2]])$feasible
    # as rounded to three digits, and not by far too much
    expect_true(feasible(rows * 1.01, 0.5) && feasible(1000, epsilon * 1.01))
    expect_false(feasible(rows * 0.9, 0.5) || feasible(1000, epsilon * 0.9))
  }
  refused(0.5, 1e-6, eta = 0.01)
  refused(8, 1e-4, eta = 1, tau = 0.1) # below q: the second condition allows nothing
  expect_identical(nrow(as.data.frame(ledger)), 0L)
  # the data have no say
  expect_identical(refused(0.5, 1e-6), {
    small <- 0 * small
    refused(0.5, 1e-6)
  })
  tried <- dp_median_projection(small, 0.5, 1e-6, directions = 5, try_anyway = TRUE, ledger = ledger)
  expect_false(tried$released)
  expect_identical(nrow(as.data.frame(ledger)), 1L)
  expect_error(release(try_anyway = NA), class = "dpdepth_error_input")
  expect_error(release(matrix(0, 5, 101), try_anyway = TRUE), "100 variables", class = "dpdepth_error_input")
})

test_that("draws that may not end are refused: above ten variables it depends on c", {
  wide <- matrix(rnorm(16 * 400), 400)
  call <- function(d, ...) {
    dp_median_projection(wide[, seq_len(d)], 20, 1e-3, directions = d, ...)
  }
  expect_true(call(10, try_anyway = TRUE)$exact)
  expect_null(check_projection_time(15, 100))
  expect_error(check_projection_time(15, 101), "try_anyway", class = "dpdepth_error_input")
  expect_error(check_projection_time(16, 1), "try_anyway", class = "dpdepth_error_input")
  expect_error(check_projection_time(11, 101), "at most ten variables", class = "dpdepth_error_input")
  e <- expect_error(call(16, eta = 1, tau = 300), class = "dpdepth_error_input")
  expect_identical(e$arg, "x")
  expect_identical(call(16, eta = 1, tau = 300, try_anyway = TRUE)$guarantee, "approximate")
})

test_that("rng = \"R\" repeats, \"system\" leaves R's stream alone", {
  skip_on_cran()
  set.seed(4)
  a <- release(rng = "R")
  set.seed(4)
  b <- release(rng = "R")
  expect_identical(coef(a), coef(b))
  before <- .Random.seed
  expect_false(identical(coef(release()), coef(release())))
  expect_identical(.Random.seed, before)
})

test_that("the defaults are public: they do not look at the data", {
  details <- function(x) release(x)$details
  expect_identical(details(people), details(people[6000:1, ] * 7 + 3))
  given <- release(eta = 0.2, tau = 9)$details
  expect_identical(c(given$eta, given$tau), c(0.2, 9))
  # the part of epsilon that rounding may take, and the tail's share
  expect_lt(given$rate, 4 / 0.4)
  expect_gt(given$rate, (4 * (1 - 2^-10) + log1p(-4e-3)) / 0.4 * (1 - 1e-5))
})

test_that("a row's part in the margin depends on that row alone, to the last bit", {
  grid <- projection_lattice(list(d = ncol(people), names = names_of(people)), c(3, 7), 2^-20)
  far <- people + c(1e9, -3)
  others <- projection_rows(rbind(far[1:5, ], 1e6 + 0.1 * people), grid)
  expect_identical(others[1:5, ], projection_rows(far, grid)[1:5, ])
  # and the centres are those of the rows as they are
  law <- projection_margin(projection_rows(far, grid), diag(2), "median", "mad", 1, 9, 1, 1e-4,
                           ptr_levels(1, 1e-4))
  expect_identical(law$center, c(sort(far[, 1] / 3)[[3000]], sort(far[, 2] / 7)[[3000]]))
})

test_that("no value of the data is in a release", {
  skip_on_cran()
  canary <- matrix(100 * abs(sin(1:2000 * 12.9898)) + 1, ncol = 2)
  for (r in list(release(canary, try_anyway = TRUE), release(canary, eta = 3, tau = 50, try_anyway = TRUE),
                 do.call(release, list(canary, try_anyway = TRUE)))) {
    raw <- serialize(r, NULL, xdr = FALSE)
    found <- vapply(canary[1:300], function(v) length(grepRaw(writeBin(v, raw()), raw, fixed = TRUE)) > 0, NA)
    expect_false(any(found))
  }
  size <- function(n) length(serialize(release(people[1:n, ], try_anyway = TRUE), NULL))
  expect_equal(size(1000), size(6000), tolerance = 0.01)
})

test_that("bad arguments get their classed error and spend nothing", {
  skip_on_cran()
  ledger <- dp_ledger(8, 1e-4)
  bad <- function(...) expect_error(release(..., ledger = ledger), class = "dpdepth_error_input")
  bad(c(1, NA))
  bad(epsilon = 0)
  bad(epsilon = 1e-4, delta = 0.1)
  bad(delta = 0)
  bad(location = "mean")
  bad(scale = "sd")
  bad(eta = -1)
  bad(tau = 0)
  bad(sampler = "gibbs")
  bad(resolution = 0)
  bad(chains = 0)
  bad(steps = 0)
  bad(rng = "other")
  expect_error(dp_median_projection(people, 1, 1e-5, units = c(1, -1)), class = "dpdepth_error_input")
  expect_error(dp_median_projection(people, 1, 1e-5, units = 1:3), class = "dpdepth_error_input")
  expect_error(dp_median_projection(people, 1, 1e-5, directions = diag(3)), class = "dpdepth_error_input")
  expect_error(dp_median_projection(people, 1), class = "dpdepth_error_input")
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

# The law of a release: its probability of passing the test, and the Laplace law that it then has.
exact_release <- function(x, plan) {
  m <- projection_margin(cbind(x), matrix(1), plan$location, plan$scale, plan$eta, plan$tau,
                         plan$epsilon_draw, plan$delta_draw, plan$levels)
  rate <- rate_of(plan$epsilon_test)
  z <- -200:200
  passes <- m$margin + z > ptr_threshold(plan$epsilon_test, plan$delta)
  list(pass = sum(pmf_laplace_discrete(z[passes], rate[[1]], rate[[2]])), center = m$center,
       width = m$spread / plan$rate, margin = m$margin)
}

# The least delta for which both are epsilon-close: an integral over the line, and the failed test.
release_delta <- function(a, b, epsilon) {
  at <- c(a$center, b$center)
  line <- function(by) seq(min(at) - 40 * by, max(at) + 40 * by, length.out = 4001)
  x <- sort(c(line(a$width), line(b$width)))
  density <- function(l) l$pass * exp(-abs(x - l$center) / l$width) / (2 * l$width)
  one <- function(a, b) {
    more <- pmax(density(a) - exp(epsilon) * density(b), 0)
    sum(diff(x) * (more[-1] + more[-length(more)]) / 2) + max(0, 1 - a$pass - exp(epsilon) * (1 - b$pass))
  }
  max(one(a, b), one(b, a))
}

# Random data, ties, a gap that one row can carry the median across (just safe, or not), heavy tails.
line_pair <- function(i, plan) {
  n <- sample(c(201, 401), 1)
  half <- (n - 1) / 2
  gap <- if (i %% 5 == 1) 0.5 * plan$eta / (1 + plan$tau) else 0.9 * plan$eta
  away <- ifelse(seq_len(half) > half / 3, 0.5, 0)
  two <- function() c(-gap / 2, -gap / 2 - seq_len(half) * 1e-6 - away, gap / 2 + seq_len(half) * 1e-6 + away)
  x <- switch(i %% 5 + 1, rnorm(n), two(), two(), c(rnorm(n - 20), rep(0.3, 20)), rt(n, 1))
  y <- x
  y[order(x)[[sample(c(half, half + 1, half + 2, sample(n, 1)), 1)]]] <-
    sample(c(1e3, -1e3, stats::median(x), gap / 2, rnorm(1)), 1)
  list(x, y)
}

test_that("one variable: laws of neighbours are close, and broken mechanisms' are not", {
  skip_on_cran()
  set.seed(1)
  epsilon <- 2
  delta <- 0.01
  found <- vapply(1:200, function(i) {
    eta <- runif(1, 0.2, 1)
    tau <- tau_with_room(runif(1, 0.1, 1), 1, 1, eta, 0.98, delta)$tau
    plan <- plan_projection(1, 1, epsilon, delta, "median", "mad", eta, tau, 1L)
    laws <- lapply(line_pair(i, plan), exact_release, plan)
    broken <- function(change) do.call(release_delta, c(lapply(unname(laws), change), epsilon))
    c(release_delta(laws[[1]], laws[[2]], epsilon),
      broken(function(l) replace(l, "width", l$width / 30)), broken(function(l) replace(l, "pass", 1)),
      abs(laws[[1]]$margin - laws[[2]]$margin), laws[[1]]$pass)
  }, numeric(5))
  expect_lte(max(found[1, ]), delta)
  expect_gt(max(found[2, ]), delta) # a rate that forgets eta
  expect_gt(max(found[3, ]), delta) # no test
  expect_lte(max(found[4, ]), 1)
  expect_gt(mean(found[5, ] > 0.9), 0.1) # and many pass
})

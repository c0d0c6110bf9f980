# The method of dp_regression(method = "auto"): by public numbers, as plan_regression() says.

line_data <- function(n, p = 1) {
  x <- matrix(sin(seq_len(n * p)), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  data.frame(y = rowSums(x) + cos(seq_len(n)), x)
}

# The reason of "auto" for a line.
reason_of <- function(method, limits, delta) {
  facts <- list(n = 400, variables = c("(Intercept)", "x"), shape = plain_shape)
  regression_reason(method, facts, list(epsilon = 1, delta = delta), limits, list(guarantee = "pure"))
}

taken <- function(...) suppressWarnings(dp_regression(...))$mechanism

test_that("limits: exact draws up to their sizes, batches beyond, and plans say so", {
  expect_match(taken(y ~ ., line_data(300), 1, lower = -50, upper = 50), "over regression depth")
  expect_match(taken(y ~ ., line_data(6000, 8), 1, lower = -50, upper = 50), "batches")
  plan <- plan_regression(n = 6000, p = 8, epsilon = 1, lower = -50, upper = 50)
  expect_identical(plan$method[plan$chosen], "batches")
  raises <- function(code, text) expect_error(code, text, class = "dpdepth_error_input", fixed = TRUE)
  raises(dp_regression(y ~ ., line_data(300, 8), 1, lower = -50, upper = 50), "at most 4")
  raises(dp_regression(y ~ ., line_data(2001, 4), 0.01, lower = -50, upper = 50), "at most 2,000 rows")
})

test_that("no limits: an exact draw, batches, or what would do", {
  ledger <- dp_ledger(9, 1e-5)
  for (delta in c(0, 1e-6)) {
    free <- dp_regression(y ~ ., line_data(400), 1, delta, ledger = ledger)
    expect_match(free$mechanism, "^exponential mechanism over regression depth")
    expect_match(free$details$why, "no public limits")
    expect_identical(free[c("guarantee", "delta", "exact")],
                     list(guarantee = "pure", delta = 0, exact = TRUE))
    expect_identical(unname(free$details$prior$unit), c(1, 1) * prior_dyadic()$unit)
    plan <- plan_regression(n = 400, p = 1, epsilon = 1, delta = delta)
    expect_identical(plan$method[plan$chosen], "exponential")
  }
  many <- dp_regression(y ~ ., line_data(3000, 3), 1, ledger = ledger)
  expect_match(many$mechanism, "batches")
  expect_match(many$details$why, "no public limits")
  expect_match(reason_of("exponential", list(prior = prior_normal(0, 1)), 0), "^a public prior is given")
  expect_error(dp_regression(y ~ ., line_data(60), 1, ledger = ledger), "data with 160 rows",
               class = "dpdepth_error_input")
  expect_identical(summary(ledger)$spent[[1]], 3)
})

test_that("arguments of draws by depth choose these", {
  expect_match(taken(y ~ ., line_data(900), 1, at = c(-1, 1), lower = -5, upper = 5), "over regression depth")
  expect_match(taken(y ~ ., line_data(900), 1, tau = 0.25, lower = -5, upper = 5), "over regression depth")
  expect_match(taken(y ~ ., line_data(900), 1, prior = prior_dyadic(0.01)), "over regression depth")
  ledger <- dp_ledger(9, 1e-5)
  refused <- function(text, formula = y ~ x1, ..., tau = 0.9) {
    expect_error(dp_regression(formula, line_data(900, 2), 1, 1e-6, tau = tau, ..., ledger = ledger), text,
                 class = "dpdepth_error_input", fixed = TRUE)
  }
  refused("Leave `method` out", method = "batches")
  refused("`interval` must be NULL", y ~ ., interval = 0.9)
  # batches would serve; steps are of draws by depth
  refused("NULL with prior_dyadic(), whose unit is the step", resolution = 0.5)
  refused("`size` is an argument of `dp_regression_batches()`, not of `dp_regression()`.", size = 5)
  refused("`directions` is an argument of `dp_regression_exponential()`", directions = 9)
  expect_identical(summary(ledger)$spent[[1]], 0)
})

test_that("too many regressors: what would do is said, and nothing that would not", {
  ledger <- dp_ledger(9)
  refused <- function(n, p, ...) {
    tryCatch(dp_regression(y ~ ., line_data(n, p), 1, ..., ledger = ledger),
             dpdepth_error_input = conditionMessage)
  }
  few <- refused(500, 6, lower = -50, upper = 50)
  rows <- as.numeric(gsub(",", "", sub(".*which takes ([0-9,]+) rows [(]there are 500[)].*", "\\1", few)))
  plan <- function(n) plan_regression(n = n, p = 6, epsilon = 1, lower = -50, upper = 50)
  expect_true(plan(rows)$chosen)
  expect_false(plan(rows - 1)$chosen)
  expect_match(refused(5000, 6, lower = -50, upper = 50, method = "exponential"), "which serves here")
  # their fits are of medians, without covariances, and have intercepts
  quantile <- refused(5000, 6, lower = -50, upper = 50, tau = 0.9)
  expect_match(quantile, "(batches have medians only) take at most 4. Leave some out; or leave `tau`",
               fixed = TRUE)
  joint <- prior_normal(numeric(7), covariance = diag(7) + 0.1)
  expect_no_match(refused(5000, 6, prior = joint), "batches")
  expect_no_match(refused(20001, 3, lower = -50, upper = 50, tau = 0.9), "batches")
  expect_no_match(refused(500, 3, tau = 0.9), "batches")
  expect_identical(summary(ledger)$spent[[1]], 0)
})

test_that("the reason does not speak of rows that do not suffice", {
  why <- function(...) suppressWarnings(dp_regression(y ~ ., ...))$details$why
  arguments <- "arguments of method = \"exponential\" are given"
  expect_identical(why(line_data(60), 1, at = c(-1, 1)), arguments)
  expect_match(why(line_data(60), 1, lower = -5, upper = 5, at = c(-1, 1)), "so a pure guarantee")
})

test_that("the choice does not look at values", {
  one <- line_data(500)
  for (change in list(c(1e300, 0), c(0, -1e300), c(1e-300, 1e300))) {
    other <- one
    other[7, ] <- change
    for (more in list(list(), list(lower = -5, upper = 5), list(delta = 1e-6))) {
      with <- function(data) do.call(taken, c(list(y ~ ., data, 1), more))
      expect_identical(with(one), with(other))
    }
  }
})

test_that("points too near each other and shares too small are refused before the debit", {
  ledger <- dp_ledger(9)
  refused <- function(...) {
    expect_error(dp_regression(y ~ x1, line_data(300), ..., lower = -5, upper = 5, ledger = ledger),
                 class = "dpdepth_error_input")
  }
  for (at in list(c(0, 1e-70), c(0, 5e-324), c(1, 1 + 2^-52), c(1e-300, 2e-300))) refused(1, at = at)
  refused(1e-6, tau = (1:99) / 1000)
  expect_identical(summary(ledger)$spent[[1]], 0)
  odd <- line_data(300)
  names(odd)[[2]] <- "a b"
  at <- stats::setNames(data.frame(c(0, 1)), "a b")
  expect_identical(nobs(dp_regression(y ~ `a b`, odd, 1, at = at, lower = -5, upper = 5)), 300L)
})

test_that("the door counts all rows, with gaps or without, and debits what the plan spends", {
  expect_false(door_counts_wrong())
})

test_that("what counts as limits, and what is said of the choice", {
  expect_false(has_limits(list(prior = prior_dyadic())))
  expect_true(has_limits(list(prior = prior_normal(0, 1))))
  # batches compare fits coefficient by coefficient
  terms <- c("(Intercept)", letters[1:8])
  expect_true(batches_serve(6000, terms, list(prior = prior_normal(0, 9)), 1, 0))
  expect_false(batches_serve(6000, terms, list(prior = prior_normal(0, covariance = diag(9) + 0.1)), 1, 0))
  limits <- list(lower = -1, upper = 1)
  expect_match(reason_of("exponential", limits, 1e-6), "delta is not needed")
  expect_no_match(reason_of("batches", limits, 1e-6), "delta")
})

# -- draws that may not end: found from public facts, warned of beforehand -------------------------------

# Rows with a factor of so many declared levels beside a number.
levelled <- function(n, levels) {
  codes <- letters[seq_len(levels)]
  data.frame(y = cos(seq_len(n)), x = sin(seq_len(n)), f = factor(codes[seq_len(n) %% levels + 1], codes))
}

method_of <- function(formula, data, ...) {
  frame <- public_frame(formula, data, origin = TRUE)
  arguments <- list(...)
  limits <- arguments[names(arguments) %in% c("lower", "upper", "prior")]
  choose_regression(nrow(data), frame$terms, limits, 1, 0)
}

test_that("\"auto\" takes batches where they serve, and draws that are known to end", {
  bounded <- function(formula, data) method_of(formula, data, lower = -50, upper = 50)
  # three coefficients, with an intercept and without
  expect_identical(bounded(y ~ f, levelled(1500, 3)), "exponential")
  expect_identical(bounded(y ~ f - 1, levelled(1500, 3)), "exponential")
  # four: batches serve from 935 rows on, five from some more
  expect_identical(bounded(y ~ x + f, levelled(934, 3)), "exponential")
  expect_identical(bounded(y ~ x + f, levelled(935, 3)), "batches")
  expect_identical(bounded(y ~ x + f, levelled(1300, 4)), "exponential")
  expect_identical(bounded(y ~ x + f, levelled(1500, 4)), "batches")
  expect_identical(bounded(y ~ x * f + I(x^2), levelled(300, 2)), "exponential")
  # without limits factors of three levels and flags are drawn, too
  expect_identical(method_of(y ~ f, levelled(1000, 3)), "exponential")
  expect_identical(method_of(y ~ x + f, levelled(1000, 2)), "exponential")
  expect_identical(method_of(y ~ x + I(x^2), levelled(1000, 2)), "exponential")
  # a prior that batches do not take
  joint <- prior_normal(rep(0, 5), covariance = diag(5) + 1)
  expect_identical(method_of(y ~ x + f, levelled(1500, 4), prior = joint), "exponential")
})

test_that("draws of four coefficients and more warn before the debit, and no others", {
  ledger <- dp_ledger(1e-3)
  # "none": the ledger is reached, and refuses
  stopped <- function(formula, data, ..., lower = -50, upper = 50) {
    tryCatch(dp_regression(formula, data, 1, ..., lower = lower, upper = upper, ledger = ledger),
             dpdepth_warning_time = conditionMessage, dpdepth_error_budget = function(e) "none")
  }
  text <- "of 4 coefficients takes seconds.* does not end.*call has spent it.*method = \"batches\", which "
  expect_match(stopped(y ~ x + f, levelled(400, 3)),
               paste0(text, "takes 935 rows .there are 400., would help.$"))
  expect_match(stopped(y ~ x + f, levelled(1500, 3), method = "exponential"),
               paste0(text, "serves here, would help.$"))
  expect_match(stopped(y ~ f - 1, levelled(400, 4)), "spent it. Fewer regressors would help.$")
  expect_match(stopped(y ~ x + f, levelled(400, 3), tau = 0.25), "spent it. Fewer regressors would help.$")
  expect_match(stopped(y ~ x + f, levelled(400, 3), neighbours = "add_remove"), "spent it. Fewer regressors")
  expect_identical(stopped(y ~ x + f, levelled(1500, 3)), "none")
  expect_identical(stopped(y ~ f, levelled(400, 3), method = "exponential"), "none")
  expect_identical(stopped(y ~ f - 1, levelled(400, 3)), "none")
  expect_identical(stopped(y ~ f, levelled(400, 3), neighbours = "add_remove"), "none")
  expect_identical(sum(summary(ledger)$spent), 0)
})

test_that("draws with a large epsilon of one draw warn before the debit", {
  rows <- function(n) data.frame(y = cos(1:n), x = sin(1:n), z = sin(2 * 1:n), f = factor(1:n %% 3, 0:2))
  ledger <- dp_ledger(1e-3)
  # "none": the ledger is reached, and refuses
  stopped <- function(formula, n, epsilon, ...) {
    tryCatch(dp_regression_exponential(formula, rows(n), epsilon, lower = -50, upper = 50, ledger = ledger,
                                       ...),
             dpdepth_warning_time = function(w) conditionMessage(w),
             dpdepth_error_budget = function(e) "none")
  }
  # twice the exponent where n is private; a quantile's share
  expect_match(stopped(y ~ x + z, 200, 8, neighbours = "add_remove"),
               "an epsilon of 8 may.*epsilon of 3 it takes seconds")
  expect_match(stopped(y ~ x + f, 300, 8), "epsilon of 6.6 it takes seconds, and planned")
  expect_no_match(stopped(y ~ x + f, 200, 8), "takes seconds, and")
  expect_no_match(stopped(y ~ x + f, 300, 8, tau = c(0.25, 0.5)), "takes seconds, and")
  expect_match(stopped(y ~ x + z, 1000, 8), "2 regressors.*call has spent it")
  expect_identical(stopped(y ~ x + z, 1000, 6), "none")
  expect_identical(stopped(y ~ x, 1000, 8), "none")
  expect_match(stopped(y ~ x + z + f, 60, 5), "5 coefficients.*epsilon of 4 it takes seconds")
  expect_identical(sum(summary(ledger)$spent), 0)
})

test_that("plan_regression() has the same rule", {
  chosen <- function(...) {
    plan <- plan_regression(epsilon = 1, ...)
    unique(plan$method[plan$chosen])
  }
  bounded <- function(...) chosen(..., lower = -50, upper = 50)
  expect_identical(bounded(n = 900, p = 3), "exponential")
  expect_identical(bounded(n = 1500, p = 3), "batches")
  expect_identical(bounded(n = 1500, p = 2), "exponential")
  expect_identical(bounded(n = 1300, p = 4), "exponential")
  expect_identical(bounded(n = 1500, p = 4, indicators = 3), "batches")
  expect_identical(chosen(n = 1000, p = 2, indicators = 2), "exponential")
  expect_identical(chosen(n = 400, p = 2, indicators = 1), "exponential")
  # exact draws reach that with fewer rows, and are not taken
  found <- plan_regression(p = 3, epsilon = 1, lower = -50, upper = 50, error = 0.03)
  expect_identical(unique(found$method), c("exponential", "batches"))
  expect_identical(found$chosen, found$method == "batches")
  bad <- function(...) expect_error(plan_regression(n = 500, epsilon = 1, ...), class = "dpdepth_error_input")
  bad(p = 2, indicators = 3)
  bad(p = 2, indicators = "f")
})

# -- many rows that are the same: the fits through them are a slab, a step thin -------------------------

# The draw, and how many proposals its tree took.
drawn_through <- function(x, y) {
  p <- ncol(x)
  prior <- prior_uniform(rep(-50, p + 1), rep(50, p + 1))
  directions <- regression_directions(NULL, p)
  rows <- list(cbind(1, x), y, projections(x, directions, rep(1, p)))
  .Call(ffi_regression_draw, "R", rows, prior_fields(prior), 1, c(1L, 1L), 1L)
}

test_that("draws of data half of whose rows are the same end, and lie on that row, which may lie far", {
  set.seed(1)
  n <- 200
  for (p in 1:3) {
    x <- matrix(rnorm(p * n), n)
    y <- rnorm(n)
    same <- seq_len(n / 2)
    x[same, ] <- rep(c(0.3, -0.7, 0.2)[seq_len(p)], each = n / 2)
    for (at in c(0.123, 1)) {
      y[same] <- at
      out <- drawn_through(x, y)
      expect_lt(out$counts[[1]], 20000)
      expect_lt(abs(sum(c(1, x[1, ]) * out$draws) - at), 1e-6)
    }
  }
})

test_that("two rows that are many, and rows that others give", {
  set.seed(2)
  n <- 200
  x <- matrix(rnorm(2 * n), n)
  y <- rnorm(n)
  first <- 1:80
  second <- 81:130
  x[first, ] <- rep(c(0.3, -0.7), each = 80)
  x[second, ] <- rep(c(0.3, -0.7), each = 50)
  y[first] <- 0.123
  y[second] <- 0.5
  out <- drawn_through(x, y)
  expect_lt(out$counts[[1]], 20000)
  x[second, ] <- rep(c(-0.5, 0.4), each = 50)
  out <- drawn_through(x, y)
  expect_lt(out$counts[[1]], 20000)
})

# A cut toward the lower end left all points in one part: a leaf that refused was cut again, for nothing.
test_that("lines: cuts along the axes divide points, so that the tree of many draws stays small", {
  set.seed(3)
  x <- cbind(c(-1, 0, 1, 2, 0, 1))
  rows <- kernel_rows(x, c(0, 1, 0, 2, -1, 1))
  prior <- prior_fields(prior_normal(c(0.4, 0.4), c(1, 1)), c(1, 1))
  expect_lt(.Call(ffi_regression_draw, "R", rows, prior, 1, c(1L, 1L), 20000L)$counts[[3]], 400)
})

# How many proposals a draw takes, without limits or within 1000.
proposals <- function(x, y, dyadic) {
  p <- ncol(x)
  prior <- if (dyadic) prior_for(prior_dyadic(), p + 1)
           else prior_uniform(rep(-1000, p + 1), rep(1000, p + 1))
  rows <- list(cbind(1, x), y, projections(x, regression_directions(NULL, p), rep(1, p)))
  .Call(ffi_regression_draw, "R", rows, prior_fields(prior), 1, c(1L, 1L), 1L)$counts[[1]]
}

# The coefficient of a column that few rows have lies anywhere, with some probability: the others' fits must
# not move along, and a box so far out is cut along what its undecided rows see. Took minutes, or did not end.
test_that("flags as numbers, counts and columns with many zeros: draws end, with wide limits and without", {
  set.seed(4)
  n <- 500
  x <- round(rnorm(n, 6, 0.7), 1)
  zeros <- ifelse(runif(n) < 0.74, 0, 10 * rpois(n, 4))
  others <- list(flag = as.numeric(runif(n) < 0.07), often = as.numeric(runif(n) < 0.93), zeros = zeros,
                 count = rpois(n, 1))
  for (z in others) {
    for (dyadic in c(TRUE, FALSE)) {
      expect_lt(proposals(cbind(z, x, deparse.level = 0), 9 * x - 30 + 3 * rnorm(n), dyadic), 20000)
    }
  }
  expect_lt(proposals(cbind(others$flag, others$often), rnorm(n), TRUE), 20000)
})

test_that("the law is that of the enumeration", {
  set.seed(3)
  x <- rbind(matrix(1:2, 6, 2, byrow = TRUE), matrix(c(0, 2), 4, 2, byrow = TRUE),
             matrix(sample(0:2, 8, TRUE), 4))
  y <- c(rep(1, 6), rep(-1, 4), sample(-1:1, 4, TRUE))
  rows <- list(cbind(1, x), y, projections(x, rbind(diag(2), c(0.6, 0.8)), c(1, 1)))
  prior <- prior_fields(prior_uniform(rep(-1.5, 3), rep(1.5, 3)), rep(1, 3))
  steps <- .Call(ffi_regression_steps, prior)
  points <- as.matrix(expand.grid(lapply(1:3, function(j) steps[j, 2]:steps[j, 3])))
  for (weights in list(c(1L, 1L), c(1L, 3L))) {
    h <- .Call(ffi_regression_scores, rows, prior, weights, points + 0)
    got <- .Call(ffi_regression_draw, "R", rows, prior, 1.5, weights, 20000L)$draws
    place <- apply(got, 1, paste, collapse = " ")
    every <- apply(points, 1, paste, collapse = " ")
    counts <- as.vector(table(factor(place, every)))
    expect_identical(sum(counts), 20000L)
    expect_law(counts, prop.table(exp(1.5 * (h - max(h)) / 2 / max(weights))))
    expect_not_law(counts, prop.table(exp(1.5 * (h - max(h)) / max(weights))), "the rate twice")
  }
})

test_that("four regressors take 10,000 rows by name, with a warning before the debit", {
  skip_on_cran()
  drawn <- function(n, method) {
    rows <- data.frame(y = cos(1:n), a = sin(1:n), b = sin(2 * 1:n), c = sin(3 * 1:n), d = sin(4 * 1:n))
    suppressWarnings(
      dp_regression(y ~ ., rows, 0.01, lower = -50, upper = 50, method = method, ledger = dp_ledger(1e-3)),
      classes = "dpdepth_warning_accuracy"
    )
  }
  expect_warning(expect_error(drawn(2001, "exponential"), class = "dpdepth_error_budget"),
                 "takes half a minute", class = "dpdepth_warning_time")
  expect_error(drawn(10001, "exponential"), "at most 10,000 rows", class = "dpdepth_error_input")
  expect_error(drawn(2001, "auto"), "at most 2,000 rows", class = "dpdepth_error_input")
})

test_that("four regressors: draws follow the law by definition, and broken laws are rejected", {
  set.seed(6)
  x <- matrix(sample(-2:2, 4 * 24, TRUE), 24)
  y <- drop(x %*% c(1, 0, -1, 0)) + sample(-1:1, 24, TRUE)
  rows <- kernel_rows(x, y, rbind(diag(4), c(0.5, 0.5, 0.5, 0.5), c(0.6, -0.8, 0, 0)))
  for (weights in list(c(1L, 1L), c(1L, 3L))) {
    got <- fit_draw_counts(rows, -1, 1, 1, weights, 20000L)
    law <- function(rate, ...) {
      h <- slow_fit_scores(rows, lattice_fits(5, -1, 1), weights, ...)
      prop.table(exp(rate * (h - max(h)) / 2 / max(weights)))
    }
    expect_identical(sum(got), 20000L)
    expect_law(got, law(1))
    expect_not_law(got, law(1.2), "a higher rate")
    expect_not_law(got, law(1, once = TRUE), "rows on the fit count once")
  }
})

# Smaller sets of rows found another split of a box, or none, and sets are others where entries are fewer.
test_that("four regressors: a tally gives its rows' draws, of other quantiles too", {
  skip_on_cran()
  same_draws <- function(n, seed, epsilon, tau) {
    set.seed(seed)
    x <- matrix(sample(-1:1, 4 * n, TRUE), n, dimnames = list(NULL, paste0("x", 1:4)))
    rows <- data.frame(x, y = rowSums(x) + sample(-1:1, n, TRUE))
    tally <- dp_tally(rows, lower = -16, upper = 16, resolution = 1)
    expect_lt(nrow(tally$points), n)
    drawn <- function(data) {
      set.seed(3)
      dp_regression(y ~ ., data, epsilon, lower = -8, upper = 8, resolution = 2^-8, tau = tau,
                    method = "exponential", rng = "R")$estimate
    }
    suppressWarnings(expect_identical(drawn(tally), drawn(rows[do.call(order, rows), ])),
                     classes = "dpdepth_warning")
  }
  same_draws(100, 2, 0.45, 0.5)
  same_draws(60, 1, 1.2, 0.4)
})

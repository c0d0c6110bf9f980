# Composed medians of each variable: exact laws of compositions, the release.
# Error rates: ALPHA = 1e-6 an expectation (helper-stat.R).

# -- exact laws --------------------------------------------------------------------------------

test_that("exact laws of composed medians are within (epsilon, delta), and broken budgets are caught", {
  skip_on_cran()
  for (case in list(c(1, 1e-6, 30), c(0.1, 1e-3, 5), c(4, 1e-6, 40), c(1, 0.05, 2), c(0.1, 0.05, 2))) {
    epsilon <- case[[1]]
    delta <- case[[2]]
    d <- case[[3]]
    each <- marginal_budget(epsilon, delta, d)$each
    expect_identical(marginal_budget(epsilon, delta, d)$delta, delta)
    for (pair in line_pairs) {
      expect_lte(composed_delta(pair, each, d, epsilon), delta)
      expect_lte(composed_delta(rev(pair), each, d, epsilon), delta)
    }
    worst <- function(each) max(vapply(line_pairs, composed_delta, 0, each = each, d = d, epsilon = epsilon))
    expect_gt(worst(sqrt(8) * each), delta)  # the 1/8 twice
    expect_gt(worst(2 * each), delta)        # the rate epsilon_j for epsilon_j/2
    expect_gt(worst(sqrt(8 * epsilon / d)), delta) # conversion without log(1/delta)
    # d - 1 for d shows where d is small
    if (d == 2) expect_gt(worst(sqrt(2) * each), delta)
  }
  # basic composition
  for (pair in line_pairs) {
    expect_lte(composed_delta(pair, marginal_budget(1, 0, 3)$each, 3, 1), 1e-12)
    expect_lte(composed_delta(pair, marginal_budget(1, 0, 20)$each, 20, 1), 1e-12)
  }
  expect_gt(composed_delta(line_pairs[[1]], 1.1 / 2, 2, 0.5), 1e-3)
})

test_that("each variable's draw has its law", {
  skip_on_cran()
  x <- cbind(a = c(2, 4, 5, 9), b = c(-3, -1, -1, 7))
  limits <- prior_uniform(c(0, -10), c(10, 10))
  each <- 1.5
  draws <- suppressWarnings(vapply(seq_len(600), function(i) {
    coef(dp_median(x, 3, prior = limits, method = "marginal", rng = "R"))
  }, c(a = 0, b = 0)))
  lengths <- c(2, 2, 1, 4, 1) # between 0, 2, 4, 5, 9 and 10; depths 0 1 2 1 0
  weight <- lengths * exp(each * c(0, 1, 2, 1, 0) / 2)
  counts <- table(cut(draws["a", ], c(-Inf, 2, 4, 5, 9, Inf)))
  expect_law(counts, weight / sum(weight))
  wrong <- lengths * exp(each * c(0, 1, 2, 1, 0))
  expect_not_law(counts, wrong / sum(wrong), "twice the rate")
  # the variables' draws are independent
  cells <- table(draws["a", ] <= 4.5, draws["b", ] <= 0)
  expect_gt(stats::fisher.test(cells)$p.value, ALPHA)
})

# -- the release -------------------------------------------------------------------------------

test_that("what is released, spent and said", {
  x <- matrix(qnorm(((1:4000) * 0.618034) %% 1), ncol = 40, dimnames = list(NULL, paste0("v", 1:40)))
  ledger <- dp_ledger(2, 1e-5)
  r <- suppressWarnings(dp_median(x, 1, 1e-6, -5, 5, ledger = ledger))
  expect_identical(r$guarantee, "approximate")
  expect_identical(r$delta, 1e-6)
  expect_true(r$exact)
  expect_named(coef(r), colnames(x))
  expect_match(r$details$why, "each costs least")
  expect_identical(as.data.frame(ledger)$delta, 1e-6)
  expect_true(all(coef(r) >= -5 & coef(r) <= 5))
  expect_identical(unname(coef(r) / r$details$step), unname(round(coef(r) / r$details$step)))
  # basic composition spends no delta
  two <- dp_median(x[, 1:2], 1, 1e-6, -5, 5, method = "marginal", ledger = ledger)
  expect_identical(two$guarantee, "pure")
  expect_identical(two$delta, 0)
  expect_identical(as.data.frame(ledger)$delta, c(1e-6, 0))
  expect_identical(two$details$why, "the method asked for")
  # bounds and priors of each variable
  apart <- dp_median(cbind(a = 1:99, b = 1001:1099), 20, lower = c(b = 1000, a = 0),
                     upper = c(a = 100, b = 1100), method = "marginal")
  expect_true(all(abs(coef(apart) - c(50, 1050)) < 10))
  normal <- dp_median(cbind(1:99, 1001:1099), 20, prior = prior_normal(c(50, 1050), c(50, 20)),
                      method = "marginal")
  expect_true(all(abs(coef(normal) - c(50, 1050)) < 10))
})

test_that("bad arguments are refused and spend nothing", {
  x <- cbind(1:9, 1:9)
  ledger <- dp_ledger(1, 1e-3)
  bad <- function(...) {
    expect_error(dp_median(x, ..., method = "marginal", ledger = ledger), class = "dpdepth_error_input")
  }
  bad(1)
  bad(1, lower = 0)
  bad(1, lower = 0, upper = 9, prior = prior_normal(0, 1))
  bad(1, lower = 0, upper = 9, directions = 20)
  bad(1, lower = 0, upper = 9, 3)
  bad(0, lower = 0, upper = 9)
  bad(1e-6, lower = 0, upper = 9)
  bad(1, lower = 0, upper = 1e-310)
  expect_identical(nrow(as.data.frame(ledger)), 0L)
})

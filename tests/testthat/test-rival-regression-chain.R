# rival_regression(method = "chain"): what it promises, takes and refuses. No privacy is tested here.

chain_fit <- function(..., steps = 1000) rival_regression(..., method = "chain", steps = steps)

# Their law: tests/ctest/test_regression_chain.c.
test_that("chains are called what they are", {
  skip_on_cran()
  set.seed(9)
  # eight regressors
  d <- as.data.frame(matrix(rnorm(4500), 500))
  names(d)[[9]] <- "y"
  d$y <- d$y + 3 * d$V1
  ledger <- dp_ledger(9)
  fit <- chain_fit(y ~ ., d, 5, lower = -50, upper = 50, directions = 50, ledger = ledger)
  expect_identical(fit[c("guarantee", "exact")], list(guarantee = "stationary", exact = FALSE))
  expect_match(fit$details$chain, "4 chains of 1000 steps")
  expect_match(as.data.frame(ledger)$label, "stationary")
  expect_match(paste(format(fit), collapse = " "), "No privacy")
  # simulated: bench/regression-chain.md
  expect_warning(chain_fit(y ~ ., d, 1, lower = -50, upper = 50, chains = 1, directions = 50),
                 "more directions", class = "dpdepth_warning_accuracy")
  expect_identical(vapply(c(500, 1000), far_fits_prevail, NA, 8, 1, 300), c(TRUE, FALSE))
  look <- sampler_diagnostics(d, 5, lower = -5, upper = 5, method = "regression", formula = y ~ V1 + V2,
                              steps = 800)
  expect_identical(look$value$variable, c("(Intercept)", "V1", "V2"))
  expect_lt(max(look$value$rhat), 1.2)
  expect_error(sampler_diagnostics(d, 5, lower = -5, upper = 5, method = "regression", formula = y ~ V1,
                                   eta = 1), "eta", class = "dpdepth_error_input")
  bad <- function(arg, ..., delta = 0, about = NULL) {
    e <- expect_error(chain_fit(y ~ ., d, 1, delta, ..., ledger = ledger), about,
                      class = "dpdepth_error_input")
    expect_identical(e$arg, arg)
  }
  bad("steps", steps = 1, lower = -5, upper = 5)
  bad("prior")
  bad("prior", prior = prior_dyadic())
  bad("prior", lower = -5, upper = 5, prior = prior_normal(0, 1))
  bad("delta", lower = -5, upper = 5, delta = 1e-6)
  bad("directions", lower = -5, upper = 5, directions = 300000)
  bad("interval", lower = -5, upper = 5, interval = 0.9)
  bad("clip", lower = -5, upper = 5, clip = 1, about = "\"gradient\" takes it")
  expect_identical(as.data.frame(ledger)$epsilon, 5)
})

test_that("quantiles and predictions come from chains, too, by weighted counts", {
  skip_on_cran()
  set.seed(8)
  d <- data.frame(x = runif(600, 0, 10))
  d$y <- 1 + d$x + rnorm(600)
  fit <- chain_fit(y ~ x, d, 8, at = c(2, 8), tau = c(0.25, 0.75), prior = prior_normal(5, 20))
  expect_identical(dim(coef(fit)), 2:1 + c(0L, 1L))
  seen <- predict(fit, data.frame(x = 5))
  expect_lt(max(abs(seen - (6 + qnorm(c(0.25, 0.75))))), 1)
  expect_no_match(fit$details$depth, "less their expectation")
  # a missing value is the middle of the limits
  d$x[1:2] <- NA
  filled <- chain_fit(y ~ x, d, 8, lower = -50, upper = 50, na = "middle")
  expect_match(filled$details$na, "0 for the regressors")
})

test_that("long chains warn before the debit", {
  rows <- function(n) data.frame(y = cos(1:n), x = sin(1:n), z = sin(2 * 1:n))
  ledger <- dp_ledger(1e-3)
  stopped <- function(...) {
    tryCatch(rival_regression(y ~ x + z, rows(2000), 1, method = "chain", lower = -50, upper = 50,
                              ledger = ledger, ...),
             dpdepth_warning_time = function(w) conditionMessage(w),
             dpdepth_error_budget = function(e) "none")
  }
  expect_match(stopped(tau = c(0.1, 0.5, 0.9)), "about 10 seconds")
  expect_identical(stopped(), "none")
  expect_identical(sum(summary(ledger)$spent), 0)
})

# Accounts: the epsilon that a ledger reads is never below the exact loss of a composition.

# Convolved laws of the privacy losses log(p/q) of independent draws: loss and probability under p.
composed_losses <- function(pairs) {
  total <- data.frame(loss = 0, p = 1)
  for (pair in pairs) {
    next_loss <- outer(total$loss, log(pair$p / pair$q), `+`)
    chance <- outer(total$p, pair$p)
    # losses that agree to 1e-12 are put together upward: the divergence can only grow by that
    key <- round(next_loss, 11)
    chance <- tapply(chance, key, sum)
    total <- data.frame(loss = as.double(names(chance)), p = as.vector(chance))
  }
  total
}

hockey_stick <- function(losses, epsilon) {
  sum(losses$p * pmax(0, -expm1(epsilon - losses$loss)))
}

# Laws of an exponential mechanism at rate epsilon/2 on five atoms, for scores of two neighbours.
exponential_pair <- function(epsilon, score, move) {
  weigh <- function(h) exp(epsilon * h / 2) / sum(exp(epsilon * h / 2))
  list(p = weigh(score), q = weigh(score + move))
}

account_reads <- function(costs, delta) {
  ledger <- dp_ledger(1e6, 0.9)
  for (cost in costs) ledger_spend(ledger, cost$epsilon, 0, "test", rho = cost$rho)
  composed_epsilon(ledger$account$spent(), delta)
}

test_that("compositions of up to ten exponential mechanisms lose no more than is read", {
  skip_on_cran()
  set.seed(31)
  closest <- 0
  for (k in c(1:5, 10, 10, 10)) {
    for (extreme in c(TRUE, FALSE)) {
      epsilon <- rep(sample(c(0.2, 0.7, 2), 1), k) * if (extreme) 1 else runif(k, 0.5, 1)
      pairs <- lapply(epsilon, function(e) {
        move <- if (extreme) c(1, 1, -1, -1, -1) else sample(-1:1, 5, TRUE)
        exponential_pair(e, if (extreme) numeric(5) else sample(0:3, 5, TRUE), move)
      })
      costs <- lapply(epsilon, function(e) list(epsilon = e, rho = bounded_range_rho(e)))
      losses <- composed_losses(pairs)
      for (delta in c(1e-9, 1e-6, 1e-3)) {
        read <- account_reads(costs, delta)
        expect_lte(hockey_stick(losses, read$epsilon_zcdp), delta)
        expect_lte(hockey_stick(losses, read$epsilon_basic), 1e-10)
        closest <- max(closest, hockey_stick(losses, read$epsilon_zcdp * 0.7) / delta)
      }
    }
  }
  # three tenths less would be too little: the account is not idle
  expect_gt(closest, 1)
})

test_that("releases that are pure only cost epsilon^2/2, and less would be refuted", {
  flip <- function(e) list(p = c(1, exp(-e)) / (1 + exp(-e)), q = c(exp(-e), 1) / (1 + exp(-e)))
  losses <- composed_losses(rep(list(flip(0.5)), 10))
  for (delta in c(1e-6, 1e-3)) {
    read <- account_reads(rep(list(list(epsilon = 0.5)), 10), delta)
    expect_lte(hockey_stick(losses, read$epsilon_zcdp), delta)
    expect_gt(hockey_stick(losses, zcdp_epsilon(10 * 0.5^2 / 8, delta)), delta)
  }
})

test_that("Gaussian noise costs its rho, and the tight conversion is near its exact loss", {
  rho <- 0.1
  # exact: a Gaussian of mean 0 against one moved by sqrt(2 rho) standard deviations
  mu <- sqrt(2 * rho)
  exact <- function(e) stats::pnorm(mu / 2 - e / mu) - exp(e) * stats::pnorm(-mu / 2 - e / mu)
  for (delta in c(1e-9, 1e-6, 1e-3)) {
    e <- zcdp_epsilon(rho, delta)
    expect_lte(exact(e), delta)
    expect_gt(exact(0.8 * e), delta)
  }
})

test_that("epsilon and rho are inverse to each other, rounded apart", {
  for (epsilon in c(0.01, 0.3, 1, 7, 50)) {
    for (delta in c(1e-12, 1e-6, 1e-2)) {
      rho <- zcdp_rho(epsilon, delta)
      expect_lte(zcdp_epsilon(rho * (1 - 1e-9), delta), epsilon)
      expect_gt(zcdp_epsilon(rho, delta), epsilon * (1 - 1e-6))
      expect_gte(zcdp_epsilon(rho * (1 + 1e-9), delta), epsilon * (1 - 1e-9))
    }
  }
  expect_identical(zcdp_epsilon(0, 0), 0)
  expect_identical(zcdp_epsilon(1, 0), Inf)
})

test_that("deltas of approximate releases stand beside rho, that of Gaussian noise does not", {
  account <- new_account()
  account$add("approximate", release_cost(1, 4e-7))
  account$add("Gaussian", release_cost(1, 1e-6, 0.02))
  spent <- account$spent()
  expect_equal(unname(spent[c("delta", "rho", "approximate")]), c(1.4e-6, 0.52, 4e-7))
  read <- composed_epsilon(spent, 1e-6)
  expect_identical(read$epsilon_basic, Inf) # 1.4e-6 is above the delta asked for
  expect_equal(read$epsilon_zcdp, zcdp_epsilon(0.52, 6e-7), tolerance = 1e-9)
  expect_identical(composed_epsilon(spent, 4e-7)$epsilon, Inf)
  expect_identical(composed_epsilon(spent, 2e-6)$account, "basic")
})

test_that("no delta is so small that it is forgotten", {
  for (delta in c(1e-11, 1e-100, 1e-300)) {
    ledger <- dp_ledger(2, 1e-6)
    ledger_spend(ledger, 1, delta, "approximate", "approximate")
    expect_identical(glance(ledger, delta = 0)$epsilon, Inf)
    expect_identical(glance(ledger, delta = delta / 2)$epsilon, Inf)
    expect_identical(glance(ledger, delta = delta)$epsilon, 1)
    # nor where nothing else is spent: in the past the account of rho gave 0
    expect_identical(zcdp_epsilon(0, 0 - delta), Inf)
  }
  expect_identical(zcdp_epsilon(0, 0), 0)
})

test_that("what calls enter is what they cost", {
  x <- faithful$waiting
  entered <- function(call, delta = 1e-5) {
    ledger <- dp_ledger(10, delta)
    suppressWarnings(call(ledger))
    unlist(as.data.frame(ledger)[c("epsilon", "rho")], use.names = FALSE)
  }
  expect_equal(entered(function(l) dp_median(x, 0.5, lower = 0, upper = 200, ledger = l)), c(0.5, 0.5^2 / 8))
  expect_equal(entered(function(l) {
    dp_median(faithful, 0.5, lower = 0, upper = 200, method = "marginal", ledger = l)
  }), c(0.5, 2 * 0.25^2 / 8))
  expect_equal(entered(function(l) dp_quantile(x, 0.9, 0.5, lower = 0, upper = 200, ledger = l)),
               c(0.5, 0.5^2 / 8))
  expect_equal(entered(function(l) dp_ecdf(x, 0.5, lower = 0, upper = 200, ledger = l)), c(0.5, 0.5^2 / 2))
  expect_equal(entered(function(l) dp_mean(x, 0.5, lower = 0, upper = 200, ledger = l)), c(0.5, 0.5^2 / 2))
  expect_equal(entered(function(l) dp_test(x, 0.5, mu = 70, ledger = l)), c(0.5, 0.5^2 / 2))
  expect_equal(entered(function(l) {
    dp_regression(eruptions ~ waiting, faithful, 0.5, lower = -10, upper = 10, tau = c(0.25, 0.75),
                  ledger = l)
  }), c(0.5, 2 * 0.25^2 / 8))
  expect_equal(entered(function(l) {
    dp_median_smooth(x, 0.5, 1e-6, lower = 0, upper = 200, ledger = l)
  }), c(0.5, 0.5^2 / 2))
  # what normal noise would cost, less what rounding to whole steps may add to delta
  spent <- entered(function(l) rival_mean(x, 0.5, 1e-6, center = 70, radius = 100, ledger = l))
  expect_identical(spent[[1]], 0.5)
  expect_equal(spent[[2]], gaussian_rho(0.5, 1e-6), tolerance = 1e-3)
  expect_gt(spent[[2]], zcdp_rho(0.5, 1e-6))
})

# -- zero-concentrated privacy -----------------------------------------------------------------------

test_that("rho is the largest that the tight conversion allows, rounded down", {
  for (epsilon in c(0.01, 0.1, 1, 4, 20)) {
    for (delta in c(1e-12, 1e-6, 1e-3, 0.2)) {
      rho <- zcdp_rho(epsilon, delta)
      expect_lte(zcdp_delta(rho, epsilon), delta)
      expect_gt(zcdp_delta(rho * (1 + 1e-4), epsilon), delta)
      # it buys more than the conversion of Bun and Steinke
      log_share <- log(1 / delta)
      expect_gt(rho, (sqrt(log_share + epsilon) - sqrt(log_share))^2)
    }
  }
  expect_equal(zcdp_rho(1, 1e-6), 0.02435597, tolerance = 1e-6) # as computed once on a fine grid of orders
})

test_that("epsilon is the least that the conversion allows, rounded up", {
  for (rho in c(1e-4, 0.02, 1, 30)) {
    for (delta in c(1e-12, 1e-6, 1e-3)) {
      # over all orders 1 + exp(t)
      epsilon_at <- function(t) {
        a <- 1 + exp(t)
        a * rho + (-log(delta) - a * log1p(1 / exp(t)) - t) / exp(t)
      }
      t <- seq(-10, 20, by = 0.01)
      at <- t[[which.min(epsilon_at(t))]]
      least <- stats::optimize(epsilon_at, at + c(-0.02, 0.02), tol = 1e-10)$objective
      expect_gte(zcdp_epsilon(rho, delta), least * (1 + 1e-14))
      expect_lte(zcdp_epsilon(rho, delta), least * (1 + 1e-9))
    }
  }
})

test_that("the better of basic and concentrated composition is spent, and never more", {
  skip_on_cran()
  for (d in c(1, 2, 10, 30, 100, 1000)) {
    for (epsilon in c(0.1, 1, 10)) {
      pure <- marginal_budget(epsilon, 0, d)
      expect_identical(pure$delta, 0)
      expect_lte(sum(rep(pure$each, d)), epsilon)
      expect_gt(d * pure$each, epsilon * (1 - 1e-9))
      for (delta in c(1e-9, 1e-6, 0.01)) {
        b <- marginal_budget(epsilon, delta, d)
        expect_gte(b$each, pure$each)
        if (b$delta == 0) {
          expect_identical(b$each, pure$each)
        } else {
          expect_identical(b$delta, delta)
          expect_lte(zcdp_delta(sum(rep(b$each^2 / 8, d)), epsilon), delta)
        }
      }
    }
  }
  expect_identical(marginal_budget(1, 1e-6, 10)$delta, 0 + 1e-6)
  expect_identical(marginal_budget(1, 1e-6, 2)$delta, 0)
})

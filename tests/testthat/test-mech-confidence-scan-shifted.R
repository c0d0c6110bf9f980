# Tests of R/mech-confidence-scan-shifted.R: laws and thresholds of shifted counts against enumeration.

# -max |2 W_v - W_n| of all walks of n steps, and their chances.
shifted_scores <- function(n, weights) {
  up <- as.matrix(expand.grid(rep(list(0:1), n)))
  chance <- apply(up, 1, function(b) prod(weights[1 + b] / sum(weights)))
  score <- apply(up, 1, function(b) {
    walk <- c(0, cumsum(sum(weights) * b - weights[[2]]))
    -max(abs(2 * walk - walk[[n + 1]]))
  })
  list(score = score, chance = chance)
}

# The steps upward have the chance of a row on or above the fit, 1 - tau.
shifted_laws_are_wrong <- function() {
  for (weights in list(c(3L, 1L), c(2L, 3L))) {
    for (n in c(1, 4, 9)) {
      all <- shifted_scores(n, weights)
      m <- c(0, unique(-all$score), n * max(weights) + 3)
      law <- vapply(m, function(m) sum(all$chance[all$score >= -m]), 0)
      if (max(abs(vapply(m, strip_chance, 0, n = n, weights = weights) - law)) > 1e-12) return(TRUE)
    }
  }
  FALSE
}

test_that("the chance of a strip is that of all walks", {
  expect_false(shifted_laws_are_wrong())
  expect_equal(strip_chance(20, 60, c(1L, 1L)), 1 - depth_law(19, 60), tolerance = 1e-12)
  expect_true(caught(bug(shifted_laws_are_wrong, "strip_steps", "weights[[1 + up]]", "weights[[2 - up]]")))
  # near the walk in continuous time
  near <- cumsum(shifted_law(5000, c(9L, 1L), near = TRUE)$chance)
  expect_lt(max(abs(near - cumsum(shifted_law(5000, c(9L, 1L))$chance))), 0.02)
})

# Is a threshold's chance to miss, by enumeration, above what is promised?
threshold_misses <- function() {
  n <- 11
  rates <- list(rho = 0.09, nu = 0.05)
  noise <- expand.grid(nu = 0:400, rho = 0:300)
  weight <- exp(-2 * rates$nu * noise$nu - rates$rho * noise$rho) * -expm1(-2 * rates$nu) * -expm1(-rates$rho)
  for (weights in list(c(3L, 1L), c(1L, 2L))) {
    all <- shifted_scores(n, weights)
    for (alpha in c(0.2, 0.6)) {
      t <- shifted_threshold(n, alpha, rates, 2L, weights)
      below <- vapply(unique(all$score), function(s) {
        sum(all$chance[all$score == s]) * sum(weight[s + noise$nu - noise$rho <= t])
      }, 0)
      if (sum(below) > alpha) return(TRUE)
    }
  }
  FALSE
}

test_that("thresholds keep the chance to miss", {
  expect_false(threshold_misses())
  expect_true(caught(bug(threshold_misses, "shifted_law", "list(score = -bounds, chance = pmax",
                         "list(score = -bounds/2, chance = pmax")))
  expect_true(caught(bug(threshold_misses, "shifted_threshold", "scans * rates[[\"nu\"]]",
                         "rates[[\"nu\"]]/2")))
  # what is left of a law counts as missed, and a law is that of its n and weights
  expect_identical(with_bindings(list(shifted_law = function(...) list(score = 0, chance = 0.5)), {
    shifted_threshold(3, 0.4, list(rho = 1, nu = 1), 1L, c(9L, 1L))
  }), -28)
  law <- shifted_law(30, c(3L, 1L))
  expect_false(identical(shifted_law(60, c(3L, 1L)), law))
  expect_false(identical(shifted_law(30, c(3L, 2L)), law))
  # no threshold: any score halts
  expect_identical(shifted_threshold(3, 1e-7, list(rho = 1, nu = 1), 1L, c(9L, 1L)), -28)
})

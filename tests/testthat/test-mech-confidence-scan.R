# Tests of R/mech-confidence-scan.R: the law at the truth and thresholds against enumeration, and the privacy
# of a scan.

walk_scores <- function(n) {
  signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), n)))
  apply(signs, 1, function(e) (n - max(abs(sum(e) - 2 * c(0, cumsum(e))))) / 2)
}

test_that("the law of the depth at the truth is that of all signs", {
  for (n in c(1, 2, 7, 12)) {
    score <- walk_scores(n)
    q <- seq(-1, n)
    expect_equal(depth_law(q, n), vapply(q, function(q) mean(score <= q), 0), tolerance = 1e-12)
  }
  # a law at n of what has n + 2 rows is told apart
  expect_gt(abs(depth_law(3, 12) - mean(walk_scores(10) <= 3)), 0.01)
  expect_gte(min(diff(depth_law(seq(492000, 500000), 1e6))), -1e-10)
})

test_that("it is the law of regression depth and of halfspace depth at the truth; ties only raise these", {
  n <- 7
  signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), n)))
  law <- depth_law(0:n, n)
  share <- function(depth) vapply(0:n, function(q) mean(round(depth * n) <= q), 0)
  lines <- function(x) apply(signs, 1, function(e) depth_regression(cbind(0, 0), x, e * seq_len(n)))
  expect_equal(share(lines(seq_len(n))), law, tolerance = 1e-12)
  expect_true(all(share(lines(c(1, 1, 1, 2, 2, 3, 3))) <= law + 1e-12))
  plane <- function(angle) {
    apply(signs, 1, function(e) depth_halfspace(cbind(0, 0), e * (1:n) * cbind(cos(angle), sin(angle))))
  }
  expect_equal(share(plane(pi * seq_len(n) / 8)), law, tolerance = 1e-12)
  expect_true(all(share(plane(c(0, 0, 1, 1, 1, 2, 3))) <= law + 1e-12))
})

test_that("thresholds keep the chance to miss, and no larger ones do", {
  rates <- list(rho = 0.7, nu = 0.4)
  n <- 12
  law <- ecdf(walk_scores(n))
  noise <- expand.grid(nu = 0:150, rho = 0:100)
  weight <- function(scans) {
    exp(-scans * rates$nu * noise$nu - rates$rho * noise$rho) * -expm1(-scans * rates$nu) * -expm1(-rates$rho)
  }
  for (scans in 1:3) {
    chance <- vapply(-1:6, function(t) {
      sum(weight(scans) * law(t - noise$nu + noise$rho))
    }, 0)
    expect_equal(miss_chance(-1:6, n, rates, scans), chance + 1e-9, tolerance = 1e-9)
    expect_identical(scan_threshold(n, 0.2, rates, scans), max(-1, (-1:6)[chance + 1e-9 <= 0.2]))
  }
})

# The law of where two scans of sets with maxima `most` halt, that share rho (or do not): by enumeration.
halting_law <- function(most, t, rates, top = 400, shared = TRUE) {
  rho <- 0:top
  weight <- exp(-rates$rho * rho) * -expm1(-rates$rho)
  # a row for each rho
  halts_of <- function(m) {
    here <- 1
    law <- vapply(m, function(most) {
      over <- pmax(0, floor(t + rho - most) + 1) # nu that halts
      beyond <- here * exp(-rates$nu * over)
      here <<- here - beyond
      beyond
    }, numeric(length(rho)))
    cbind(law, here)
  }
  laws <- halts_of(most[[1]])
  other <- halts_of(most[[2]])
  if (shared) crossprod(weight * laws, other) else outer(colSums(weight * laws), colSums(weight * other))
}

scan_loss <- function(rates, shared = TRUE) {
  grid <- as.matrix(expand.grid(rep(list(-1:1), 4)))
  base <- list(c(3, 5), c(2, 6))
  law <- halting_law(base, 4, rates, shared = shared)
  max(apply(grid, 1, function(change) {
    near <- halting_law(list(base[[1]] + change[1:2], base[[2]] + change[3:4]), 4, rates, shared = shared)
    max(abs(log(law / near)))
  }))
}

test_that("two scans that share the threshold's noise lose eps_2 + 2 eps_3, and no less", {
  skip_on_cran()
  rates <- list(rho = 0.3, nu = 0.2) # eps_2 = 0.3, eps_3 = 0.4
  loss <- scan_loss(rates)
  expect_lte(loss, 0.3 + 2 * 0.4 + 1e-9)
  expect_gt(loss, 0.3 + 0.4 + 0.1) # the scans cannot be had for one eps_3
})

test_that("more rows are asked for by a higher level, and scans that share the budget", {
  rows <- function(level, scans) search_count(function(n) scan_serves(n, level, 0.2, 0.2, 100, scans), 2, 1e6)
  expect_gt(rows(0.99, 1L), rows(0.6, 1L))
  expect_gt(rows(0.6, 3L), rows(0.6, 1L))
})

# Is the noise of scans another than the charge is for? Error rate ALPHA a law.
scans_are_noised_wrong <- function() {
  set.seed(22)
  # the threshold's noise and a halt's, their difference: scans of one set
  gap <- 51 - vapply(1:1500, function(i) scan_noise(1L, 1L, 50, 1, 1.6, 1000, "R")[[1]], 0L)
  at <- c(-1e6, -5:5, 1e6)
  law <- diff(noise_law(at, 0.8, 1))
  if (law_pvalue(tabulate(findInterval(gap, at + 1, rightmost.closed = TRUE), 12), law) < ALPHA) return(TRUE)
  # each scan has noise of its own
  least <- scan_noise(4000L, 2L, 50, 1, 1.6, 1000, "R")
  halts <- 0 + (least < max(least))
  stay <- -expm1(-0.8)
  both <- tabulate(1 + halts[, 1] + 2 * halts[, 2], 4)
  law_pvalue(both, c(stay^2, stay * (1 - stay), stay * (1 - stay), (1 - stay)^2)) < ALPHA
}

test_that("thresholds and halts have the noise that is charged, of the right sign, each scan its own", {
  skip_on_cran()
  expect_equal(scan_rates(1, 1.6), list(rho = 1, nu = 0.8), tolerance = 1e-9)
  expect_false(scans_are_noised_wrong())
  for (b in list(
    bug(scans_are_noised_wrong, "scan_noise", "2^40", "2^39"),
    bug(scans_are_noised_wrong, "scan_noise", "2^41", "2^40"),
    bug(scans_are_noised_wrong, "scan_noise", "t + rho - nu + 1", "t - rho - nu + 1"),
    bug(scans_are_noised_wrong, "scan_noise", "t + rho - nu + 1", "t + rho - nu"),
    bug(scans_are_noised_wrong, "scan_noise", "lapply(rep_len(halt, scans),", "lapply(halt[1],"),
    bug(scans_are_noised_wrong, "scan_noise", "draw_geometric_exp(sets,", "draw_geometric_exp(1L,")
  )) {
    expect_true(caught(b))
  }
})

test_that("noise is drawn by the law of the rates, one threshold for all scans", {
  set.seed(21)
  least <- scan_noise(20000L, 1L, 50, 1, 1.6, 1000, "R")
  rho <- max(least) - 51 # some nu is 0
  # nu >= k with chance exp(-0.8 k)
  nu <- 51 + rho - least
  expect_law(tabulate(nu + 1, 12), pmf_geometric_exp(0:11, 0.8))
  expect_not_law(tabulate(nu + 1, 12), pmf_geometric_exp(0:11, 1.6), "noise at eps_3")
  # any epsilon has noise
  expect_identical(range(scan_noise(9L, 1L, 3, 1e6, 1e6, 10, "R")), c(4L, 4L))
  expect_lte(scan_rates(1e6, 1e6)$nu, 1e6)
  expect_identical(range(scan_noise(5L, 2L, 1e6, 1, 1, 10, "R")), c(11L, 11L))
  expect_identical(range(scan_noise(5L, 2L, -1e6, 1, 1, 10, "R")), c(0L, 0L))
})

test_that("all scans share one threshold's noise, and each halt has its own", {
  set.seed(3)
  drawn <- scan_noise(6, 2, 5, 0.1, 0.2, 1e6, "R")
  set.seed(3)
  rho <- draw_geometric_exp(1L, scan_rate(0.1), 2^40, rng = "R")
  nu <- draw_geometric_exp(12, scan_rate(0.2), 2^41, rng = "R")
  expect_identical(drawn, matrix(as.integer(pmax(5 + rho - nu + 1, 0)), 6, 2))
})

# -- a shifted scan --------------------------------------------------------------------------------

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
